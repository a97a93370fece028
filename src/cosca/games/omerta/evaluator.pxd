cimport cython
from cosca.core cimport evaluator as core
from cosca.core.buffers cimport Spans
from cosca.core.dice cimport Dice
from cosca.core.evaluator cimport Priors, Values, exponential, mix_hash
from cosca.core.playout cimport random_actor, resolve_chance_once
from cosca.core.state cimport State as AnyState
from cosca.games.omerta.rules cimport State

cdef int[6] BIT
cdef int CHANCE_BIT, BOTTLES, HENCHMAN, LADY, MOLE, TRAITOR, ASSASSIN, DRIVER, SAFECRACKER, MAMMA
cdef int KINDS, SAFE, CALL_LIMIT, FINE, PASS, CALL, DRAW, TAKE, DISCARD, LOOK, TARGET, GIVE, OF
cdef int PUBLIC, WATCH, INTO, SLOT, PHASE_DEAL, PHASE_WINDOW, PHASE_TURN, PHASE_PLACE, PHASE_USE
cdef int STAGES, TRIES, ONE, PHASE_OVER, PEEKING, KILLING, NOBODY, NOTHING, AHEAD
cdef int[21] WORTH
cdef int[30] RECEIVERS
cdef double CALL_AT, LEAD, BOLDEST, SAFEST, KNOWING, FASTEST, MEAN, SPREAD, CALLING, SHARP
cdef double[21] AT_MOST, USES
cdef double[24] DRAWING
cdef double[840] KEPT
cdef double[10] BY_TOTAL, BY_SCORE, BY_ROW, BY_LOW, BY_UNSEEN, BY_TURN

cdef class Evaluator(core.Evaluator):
    cdef public int ahead

    @cython.locals(at=State, stage=int, player=int, slot=int, card=int, i=int)
    cpdef void resample(self, AnyState world, int seat, Dice dice)
    @cython.locals(kind=int)
    cdef void exchange(self, State at, int seat, int card, int stage, Dice dice) noexcept
    @cython.locals(roll=int, kind=int)
    cdef int drawn(self, State at, Dice dice) noexcept
    @cython.locals(
        at=State, key=cython.ulonglong, player=int, number=cython.longlong, slot=int, card=int, i=int,
        top=int,
    )
    cpdef unsigned long long information_key(self, AnyState state, int seat)
    cdef bint sees(self, State at, int seat, int card) noexcept
    cdef double worth(self, State at, int seat, int card) noexcept
    @cython.locals(worth=double, slot=int)
    cdef double row_worth(self, State at, int seat, int player) noexcept
    @cython.locals(number=int, slot=int)
    cdef int unseen(self, State at, int seat, int player) noexcept

    @cython.locals(i=int, action=int)
    cdef void price(self, State at, int seat, Spans legal, Priors priors) noexcept
    @cython.locals(wanted=int, i=int, card=int, right=bint)
    cdef void price_answers(self, State at, int seat, Priors priors) noexcept
    @cython.locals(dearest=double, drawing=double, taking=double, i=int, action=int)
    cdef void price_turn(self, State at, int seat, Priors priors) noexcept
    @cython.locals(most=double, slot=int, card=int, worth=double)
    cdef double dearest(self, State at, int seat) noexcept
    @cython.locals(
        last=bint, furthest=int, other=int, lag=int, bar=double, hidden=int, known=int, chance=double,
    )
    cdef double surplus_of_call(self, State at, int seat) noexcept
    @cython.locals(hidden=int, worth=double, missing=int)
    cdef double likely_above(self, State at, int seat, int other, int least) noexcept
    @cython.locals(kind=int, i=int, slot=int, card=int, price=double)
    cdef void price_places(self, State at, int seat, Priors priors) noexcept
    @cython.locals(slot=int, card=int)
    cdef double acting(self, State at, int seat, int kind, int gone, int come) noexcept
    @cython.locals(best=double, i=int, worth=double, action=int, card=int)
    cdef void price_safe(self, State at, int seat, Priors priors) noexcept

    @cython.locals(kind=int, i=int)
    cdef void price_uses(self, State at, int seat, Priors priors) noexcept
    @cython.locals(player=int, known=int, one=int, other=int, ranks=int)
    cdef double use(self, State at, int seat, int kind, int action) noexcept
    @cython.locals(rank=int, own=double, other=int)
    cdef int rank(self, State at, int seat, int player) noexcept
    @cython.locals(
        worst=int, player=int, slot=int, cheapest=double, other=int, found=int, gain=double,
        own_first=bint, wanted=int, i=int,
    )
    cdef void price_swap(self, State at, int seat, Priors priors) noexcept
    @cython.locals(found=int, best=double, slot=int, card=int, worth=double)
    cdef int free_slot(self, State at, int seat, int player, bint dearest) noexcept
    @cython.locals(i=int, card=int, bottle=bint)
    cdef void price_load(self, State at, int seat, Priors priors) noexcept

    @cython.locals(at=State)
    cpdef void fill_priors(self, AnyState state, int seat, Spans legal, Priors priors)
    @cython.locals(at=State)
    cpdef int playout_action(self, AnyState state, int seat, Spans legal, Dice dice)
    cdef int usual(self, State at, int seat, Spans legal, Dice dice) noexcept
    @cython.locals(at=State, game=int, until=int, acting=int, seat=int)
    cpdef void fill_values(self, AnyState state, Dice dice, Values values)
    @cython.locals(left=int, whole=double, seat=int, points=double, row=int)
    cdef void judge(self, State at, Values values) noexcept
