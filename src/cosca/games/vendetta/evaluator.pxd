cimport cython
from cosca.core cimport evaluator as core
from cosca.core.buffers cimport Spans
from cosca.core.dice cimport Dice
from cosca.core.evaluator cimport Priors, Values, exponential, mix_hash
from cosca.core.state cimport State as AnyState
from cosca.games.vendetta.rules cimport State

cdef int DISTRICTS, MAFIOSI, TURNS, INCOME, DONE, NOBODY
cdef int[6] POINTS_TO_WIN
cdef double TIMES, PROGRESS, ENOUGH, IN_HAND, ON_MAP, SHARP
cdef double[12] KEPT

cdef class Evaluator(core.Evaluator):
    cdef public int[5] cards
    cdef public int[5] turns
    cdef public double[5] control
    cdef public double[5] mafiosi
    cdef public double[65] control_before
    cdef public double[65] mafiosi_before
    cdef public double[5] points_sum
    cdef public double[5] mafiosi_sum
    cdef public double[5] strength
    cdef public int[64] wanted
    # Numbers come last: the C compiler does not check the bounds of a trailing array.
    cdef public double safe
    cdef public int seats

    @cython.locals(at=State, key=cython.ulonglong, player=int, district=int, number=cython.ulonglong)
    cpdef unsigned long long information_key(self, AnyState state, int seat)
    @cython.locals(left=int, down=int, district=int, seat=int, ahead=int)
    cdef void look_ahead(self, State at, int mover) noexcept
    @cython.locals(present=int, fewest=int, equals=int, seat=int, men=int)
    cdef void outlook(self, State at, int district, int mover, int more) noexcept
    @cython.locals(left=int, seat=int, chance=double)
    cdef void lose(self, State at, int district, int fewest, int equals) noexcept
    @cython.locals(active=int, cards=int)
    cdef int cards_against(self, State at, int district, int seat) noexcept
    @cython.locals(most=int, strongest=int, number=int, seat=int, men=int, turns=int, rival=int, reach=int)
    cdef void add_control(self, State at, int district, int loser, double chance) noexcept
    @cython.locals(seat=int, district=int)
    cdef void look_around(self, State at, int mover) noexcept
    @cython.locals(way=double)
    cdef double strength_of(self, State at, int seat, double points, double mafiosi) noexcept
    @cython.locals(
        whole=double, own=double, seat=int, place=int, strength=double, before=double, after=double,
        more=double, times=double, points=double,
    )
    cdef double share(self, State at, int mover, int district, int number) noexcept
    @cython.locals(at=State, whole=double, seat=int, points=double, mafiosi=double)
    cpdef void fill_values(self, AnyState state, Dice dice, Values values)
    @cython.locals(at=State)
    cpdef void fill_priors(self, AnyState state, int seat, Spans legal, Priors priors)
    @cython.locals(whole=double, player=int, points=double, mafiosi=double, i=int)
    cdef void price_moves(self, State at, int seat, Spans legal, Priors priors) noexcept
    @cython.locals(
        district=int, least=int, hand=int, mine=int, number=int, rival=int, there=int, reach=int,
    )
    cdef void price_district(self, State at, int seat, int first, int last, Priors priors) noexcept
    cdef void want(self, int number, int least, int hand) noexcept
    @cython.locals(at=State)
    cpdef int playout_action(self, AnyState state, int seat, Spans legal, Dice dice)
