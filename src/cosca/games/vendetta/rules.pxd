cimport cython
from cosca.core.buffers cimport Outcomes, Spans
from cosca.core.state cimport State as Base

cdef int DISTRICTS, MAFIOSI, FIRST_HAND, FIRST_MEN, CARDS_DEALT, TURNS, INCOME, REINFORCEMENT
cdef int PHASE_TRUSTEE, PHASE_DEAL, PHASE_PLACE, PHASE_CARD, PHASE_OVER
cdef int CHANCE_BIT, BY_DISTRICTS, BY_POINTS, BY_ROUNDS, DONE, NOBODY, NOWHERE
cdef int[6] BIT, DISTRICTS_TO_WIN, POINTS_TO_WIN
cdef int[8] POINTS

@cython.final
cdef class State(Base):
    cdef public bint only_own_cards, limit_every_turn, most_controls, final_points, exceed_goal
    cdef public int max_rounds, phase, round, turn, start, active
    cdef public short[13][5] men
    cdef public short[5] hand
    cdef public short[5] box
    cdef public int[5] points
    cdef public short[5] controlled
    cdef public short[13] turned_up
    cdef public short[13] players
    cdef public short[13] alone
    cdef public short[65] least
    # Numbers come last: the C compiler does not check the bounds of a trailing array.
    cdef public int districts_used, last_placed, dealt, reason, won

    @cython.locals(seat=int)
    cpdef void fill_box(self) noexcept nogil
    @cython.locals(district=int, player=int)
    cpdef void apply_trustee(self, int seat) noexcept nogil
    @cython.locals(player=int, place=int)
    cpdef void apply_deal(self, int district) noexcept nogil
    cpdef void settle(self, int district, int seat) noexcept nogil

    @cython.locals(district=int)
    cpdef void begin_round(self) noexcept nogil
    cpdef void begin_turn(self) noexcept nogil
    cpdef int after(self, int seat) noexcept nogil

    cpdef int limit(self) noexcept nogil
    cpdef int minimum(self, int seat, int district) noexcept nogil
    @cython.locals(alone=int, seat=int)
    cpdef void look_who_is_alone(self, int district) noexcept nogil
    @cython.locals(seat=int)
    cpdef void set_minimum(self, int district, int number) noexcept nogil
    @cython.locals(seat=int)
    cpdef void count_players(self, int district) noexcept nogil
    @cython.locals(hand=int, district=int)
    cpdef bint can_place(self) noexcept nogil
    @cython.locals(
        hand=int, mine=int, first="int *", last="int *", count=int, total=int, none=int,
        district=int, least=int, choices=int,
    )
    cpdef void legal_places(self, Spans legal) noexcept nogil
    cpdef void apply_place(self, int district, int number) noexcept nogil

    cpdef void apply_card(self, int district) noexcept nogil
    cpdef void turn_up(self, int district) noexcept nogil
    @cython.locals(men=int, fewest=int, loser=int, seat=int, fewer=bint)
    cpdef int loser(self, int district) noexcept nogil
    @cython.locals(loser=int)
    cpdef void vendetta(self, int district) noexcept nogil
    @cython.locals(seat=int)
    cpdef void collect(self, int district) noexcept nogil
    cpdef void receive(self, int seat, int number) noexcept nogil
    cpdef void clear_out(self, int district, int seat) noexcept nogil

    cpdef void end_round(self) noexcept nogil
    @cython.locals(district=int, seat=int)
    cpdef void raid(self) noexcept nogil
    @cython.locals(most=int, controller=int, seat=int, men=int)
    cpdef int controller(self, int district) noexcept nogil
    @cython.locals(seat=int, district=int, controller=int)
    cpdef void count_districts(self) noexcept nogil
    cpdef int round_points(self, int seat) noexcept nogil
    @cython.locals(seat=int)
    cpdef void score_round(self) noexcept nogil
    @cython.locals(seat=int)
    cpdef bint is_won_by_districts(self) noexcept nogil
    @cython.locals(districts=int, points=int)
    cpdef int claim(self, int seat, int reason) noexcept nogil
    cpdef bint decide(self) noexcept nogil
    @cython.locals(best=int, seat=int, claim=int)
    cpdef bint crown(self, int reason) noexcept nogil
    @cython.locals(seat=int)
    cpdef void reinforce(self) noexcept nogil

    cpdef int acting(self) noexcept nogil
    cpdef void fill_legal(self, int seat, Spans legal) noexcept nogil
    @cython.locals(seat=int, action="int *", weight="int *", count=int, district=int)
    cpdef void fill_chance(self, Outcomes outcomes) noexcept nogil
    cpdef void apply(self, int seat, int action) noexcept nogil
    cpdef int ending(self) noexcept nogil
    cpdef int winners(self) noexcept nogil
    @cython.locals(new=State, district=int)
    cpdef State copy(self)
    @cython.locals(district=int)
    cpdef list ints(self)
    @cython.locals(district=int)
    cpdef void load(self, list ints)
