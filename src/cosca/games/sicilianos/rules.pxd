cimport cython
from cosca.core.buffers cimport Outcomes, Spans
from cosca.core.state cimport State as Base

cdef extern from "stdint.h":
    # One byte each, but as numbers: Python would receive arrays of C chars as text.
    ctypedef short tiny "int8_t"

cdef int CHANCE_BIT, NOBODY, NOTHING, MOST_SEATS, COLOURS, VALUES, BODYGUARD, BOMB, DEFECTOR
cdef int WORTH_AS_DEFECTOR, KINDS, TWO, ONE, NOTES, THREE_KINDS, MOST_OF_A_KIND, FIRST_CARDS, ROLL
cdef int PASS, DEFECT, MONEY, BUSINESS, NOTE, COLOUR, LOOK, VICTIM, KIND, CARD, PHASE_START
cdef int PHASE_DRAFT, PHASE_DRAFTED, PHASE_TURN, PHASE_DICE, PHASE_WHICH, PHASE_DRAW, PHASE_ONE
cdef int PHASE_LOOK, PHASE_TAKE, PHASE_STEAL, PHASE_VICTIM, PHASE_STOLEN, PHASE_STAKE, PHASE_JOIN
cdef int PHASE_TURN_UP, PHASE_DEFECT, PHASE_BOMB, PHASE_LAY, PHASE_SHARE, PHASE_OPEN, PHASE_SHOP
cdef int PHASE_OVER, DRAWN, TAKEN, STOLEN, SHOWN, RETURNED, EVENTS, BY_BUSINESSES, BY_MONEY
cdef int[6] BIT
cdef int[12] POWER
cdef int[5] NOTE_WORTH
cdef int[2][6] SECOND, HITS
cdef int[6] FACES

@cython.final
cdef class State(Base):
    cdef public int defectors, bombs, faces, hand_limit, phase, turns, active, mover
    cdef public tiny[3] die
    cdef public tiny[2] queue
    cdef public tiny[6] hand_size
    cdef public int[6] laundered
    cdef public int[6] money
    cdef public tiny[30] notes
    cdef public short[36] hand
    cdef public short[6] pool
    cdef public tiny[6] size
    cdef public tiny[66] stack
    cdef public tiny[18] owner
    cdef public tiny[18] bought
    cdef public tiny[6] family
    cdef public tiny[6] stake
    cdef public tiny[6] passed
    cdef public tiny[6] joined
    cdef public tiny[6] joined_by
    cdef public tiny[6] face_down
    cdef public tiny[6] fresh
    cdef public tiny[6] cards
    cdef public tiny[66] laid
    cdef public tiny[6] happened
    cdef public tiny[42] before
    cdef public short[432] deed
    cdef public tiny[432] value
    # Numbers come last: the C compiler does not check the bounds of a trailing array.
    cdef public int reason, won, rolled, queued, colour, victim, war_pass, at, winner, prize

    @cython.locals(colour=int, place=int)
    cpdef void set_up(self, int notes) noexcept nogil
    cpdef void apply_start(self, int seat) noexcept nogil
    cpdef int after(self, int seat) noexcept nogil
    @cython.locals(colour=int)
    cpdef void legal_draft(self, Spans legal) noexcept nogil
    cpdef void apply_draft(self, int colour) noexcept nogil
    cpdef void apply_drafted(self, int value) noexcept nogil
    @cython.locals(place=int)
    cpdef void remember(self, int colour, int deed, int seat, int other, int value) noexcept nogil
    @cython.locals(deed=int, first=int, cut=int, lying=int, i=int)
    cpdef void forget(self, int colour) noexcept nogil
    cpdef void count_back(self, int row, int deed, int seat, int other) noexcept nogil
    cpdef void draw_top(self, int seat, int colour, int value) noexcept nogil
    @cython.locals(first=int, i=int)
    cpdef void take_out(self, int colour, int place, int value) noexcept nogil
    cpdef void hold(self, int seat, int colour, int value) noexcept nogil
    cpdef void let_go(self, int seat, int colour, int value) noexcept nogil
    cpdef void put_under(self, int colour, int value) noexcept nogil
    @cython.locals(top=int)
    cpdef void chance_top(self, int colour, Outcomes outcomes) noexcept nogil
    @cython.locals(value=int)
    cpdef void chance_values(self, int values, Outcomes outcomes) noexcept nogil
    @cython.locals(i=int)
    cpdef void begin_turn(self) noexcept nogil
    cpdef void end_turn(self) noexcept nogil
    @cython.locals(colour=int)
    cpdef void legal_turn(self, Spans legal) noexcept nogil
    @cython.locals(card=int, value=int, values=int)
    cpdef void add_cards(self, int seat, int colour, Spans legal) noexcept nogil
    cpdef void apply_turn(self, int action) noexcept nogil
    @cython.locals(colour=int, face=int)
    cpdef void chance_dice(self, Outcomes outcomes) noexcept nogil
    cpdef void apply_die(self, int face) noexcept nogil
    @cython.locals(colour=int, i=int, room=int, wanted=int)
    cpdef void draw_two(self) noexcept nogil
    @cython.locals(high=int, low=int)
    cpdef void legal_which(self, Spans legal) noexcept nogil
    cpdef void apply_which(self, int colour) noexcept nogil
    cpdef void go_on_drawing(self) noexcept nogil
    @cython.locals(colour=int)
    cpdef void apply_draw(self, int value) noexcept nogil
    @cython.locals(cards=int, colour=int)
    cpdef void draw_one(self) noexcept nogil
    @cython.locals(colour=int)
    cpdef void legal_one(self, Spans legal) noexcept nogil
    cpdef void apply_one(self, int action) noexcept nogil
    @cython.locals(first=int, place=int)
    cpdef int first_unseen(self) noexcept nogil
    cpdef void chance_look(self, Outcomes outcomes) noexcept nogil
    cpdef void apply_look(self, int value) noexcept nogil
    @cython.locals(card=int, place=int, value=int, values=int)
    cpdef void legal_take(self, Spans legal) noexcept nogil
    @cython.locals(place=int, value=int)
    cpdef void apply_take(self, int card) noexcept nogil
    @cython.locals(seat=int, seats=int)
    cpdef int victims(self, int colour) noexcept nogil
    @cython.locals(one=int, other=int)
    cpdef void steal(self) noexcept nogil
    @cython.locals(seat=int, seats=int)
    cpdef void choose_victim(self, int colour) noexcept nogil
    @cython.locals(seat=int, seats=int)
    cpdef void legal_victim(self, Spans legal) noexcept nogil
    cpdef void apply_victim(self, int seat) noexcept nogil
    cpdef void apply_stolen(self, int value) noexcept nogil
    @cython.locals(seat=int)
    cpdef void begin_war(self, int card) noexcept nogil
    cpdef void enter(self, int card) noexcept nogil
    cpdef void lay_face_down(self, int card) noexcept nogil
    @cython.locals(note=int)
    cpdef void legal_stake(self, Spans legal) noexcept nogil
    cpdef void apply_stake(self, int note) noexcept nogil
    @cython.locals(seat=int)
    cpdef int nth_player(self, int n) noexcept nogil
    cpdef void ask_to_join(self) noexcept nogil
    cpdef bint is_in_war(self, int colour) noexcept nogil
    @cython.locals(seat=int)
    cpdef int who_leads(self, int colour) noexcept nogil
    @cython.locals(note=int)
    cpdef bint has_money(self, int seat) noexcept nogil
    @cython.locals(colour=int)
    cpdef bint can_join(self, int seat) noexcept nogil
    @cython.locals(colour=int)
    cpdef void legal_join(self, Spans legal) noexcept nogil
    cpdef void apply_join(self, int action) noexcept nogil
    @cython.locals(armies=int, n=int, seat=int, value=int)
    cpdef void apply_turn_up(self) noexcept nogil
    cpdef void ask_defector(self) noexcept nogil
    cpdef int second_colour(self, int seat) noexcept nogil
    @cython.locals(opposite=bint, other=int)
    cpdef bint may_defect(self, int seat) noexcept nogil
    cpdef int place_of(self, int seat) noexcept nogil
    @cython.locals(other=int)
    cpdef void apply_defect(self, int action) noexcept nogil
    cpdef void ask_bomber(self) noexcept nogil
    cpdef bint can_hit(self, int seat) noexcept nogil
    @cython.locals(seat=int)
    cpdef bint has_target(self) noexcept nogil
    @cython.locals(i=int)
    cpdef bint lies(self, int seat, int value) noexcept nogil
    @cython.locals(card=int, colour=int, guarded=bint, seat=int, value=int)
    cpdef void legal_bomb(self, Spans legal) noexcept nogil
    @cython.locals(colour=int, seat=int, value=int)
    cpdef void apply_bomb(self, int action) noexcept nogil
    @cython.locals(first=int, i=int)
    cpdef void blow_up(self, int seat, int value) noexcept nogil
    @cython.locals(laid=int, seat=int)
    cpdef void ask_to_lay(self) noexcept nogil
    cpdef bint can_lay(self, int seat) noexcept nogil
    cpdef void legal_lay(self, Spans legal) noexcept nogil
    cpdef void apply_lay(self, int action) noexcept nogil
    @cython.locals(ally=int, i=int, strength=int)
    cpdef int strength(self, int seat) noexcept nogil
    @cython.locals(alone=bint, best=int, other=int, seat=int, strength=int, winner=int)
    cpdef int strongest(self) noexcept nogil
    @cython.locals(ally=int, head=int)
    cpdef void end_war(self) noexcept nogil
    cpdef int stake_worth(self, int seat) noexcept nogil
    cpdef void win_alone(self, int seat) noexcept nogil
    cpdef void win_together(self, int head, int ally) noexcept nogil
    @cython.locals(ally=int, both=int, head=int)
    cpdef void apply_share(self, int action) noexcept nogil
    @cython.locals(kind=int, left=int)
    cpdef int businesses_left(self, int colour) noexcept nogil
    cpdef void go_shopping(self, int seat) noexcept nogil
    @cython.locals(kind=int)
    cpdef void legal_shop(self, Spans legal) noexcept nogil
    @cython.locals(place=int)
    cpdef void apply_shop(self, int kind) noexcept nogil
    @cython.locals(i=int, n=int, seat=int)
    cpdef void finish_war(self) noexcept nogil
    @cython.locals(colour=int, kind=int, owned=int)
    cpdef bint has_monopoly(self, int seat) noexcept nogil
    @cython.locals(seat=int)
    cpdef bint somebody_is_broke(self) noexcept nogil
    @cython.locals(best=int, kind=int, note=int, seat=int)
    cpdef void count_money(self) noexcept nogil
    @cython.locals(one=int, three=int, two=int)
    cpdef bint has_three_kinds(self, int seat) noexcept nogil
    @cython.locals(colour=int, number=int)
    cpdef int number_of(self, int seat, int kind) noexcept nogil
    @cython.locals(best=int, leader=int, number=int, seat=int)
    cpdef int leader_of(self, int kind) noexcept nogil
    cpdef void crown_owner(self, int seat) noexcept nogil
    @cython.locals(best=int, claim=int, seat=int)
    cpdef void crown_richest(self) noexcept nogil
    @cython.locals(businesses=int, kind=int)
    cpdef int claim(self, int seat) noexcept nogil
    cpdef int acting(self) noexcept nogil
    cpdef void fill_legal(self, int seat, Spans legal) noexcept nogil
    @cython.locals(seat=int)
    cpdef void fill_chance(self, Outcomes outcomes) noexcept nogil
    cpdef void apply(self, int seat, int action) noexcept nogil
    cpdef void apply_decision(self, int action) noexcept nogil
    cpdef int ending(self) noexcept nogil
    cpdef int winners(self) noexcept nogil
    @cython.locals(new=State)
    cpdef State copy(self)
    cpdef void copy_numbers(self, State new) noexcept nogil
    @cython.locals(colour=int, i=int, number=int)
    cpdef list ints(self)
    cpdef void load(self, list ints)
    @cython.locals(at=int, colour=int, held=int, i=int, seat=int, value=int)
    cpdef void load_records(self, list ints)
