cimport cython
from cosca.core cimport evaluator as core
from cosca.core.buffers cimport Spans
from cosca.core.dice cimport Dice
from cosca.core.evaluator cimport Priors, Values, exponential, mix_hash
from cosca.core.playout cimport resolve_chance_once
from cosca.core.state cimport State as AnyState
from cosca.games.sicilianos.rules cimport State

cdef int CHANCE_BIT, COLOURS, VALUES, BOMB, WORTH_AS_DEFECTOR, KINDS, NOTES, THREE_KINDS
cdef int MOST_OF_A_KIND, ROLL, PASS, DEFECT, MONEY, NOTE, COLOUR, LOOK, VICTIM, KIND, CARD
cdef int PHASE_TURN, PHASE_ONE, PHASE_TAKE, PHASE_STEAL, PHASE_VICTIM, PHASE_STAKE, PHASE_JOIN
cdef int PHASE_DEFECT, PHASE_BOMB, PHASE_LAY, PHASE_SHARE, PHASE_SHOP, PHASE_OVER, ALL, NOBODY
cdef int NOTHING, AHEAD, OUT, IN, ASKED
cdef int[5] NOTE_WORTH
cdef int[2][6] SECOND
cdef int[11] POWER
cdef int[2048] NUMBER, SUM, SQUARES
cdef double[401] BELL
cdef double ROLLING, USUAL, STAYING_OUT, POINT_COST, SHOP_WORTH, SECOND_SHOP, MONOPOLY, DANGER
cdef double JOINING, GAME, HOPE, DOUBT, SHARP
cdef int[10] STAGE
cdef double[7] BY_LAUNDERED, BY_BLACK, BY_NOTE, BY_BONUS, BY_SHOP, BY_POINT, BY_BEST
cdef double BY_TURN

cdef class Evaluator(core.Evaluator):
    cdef public int[6] known
    cdef public double[6] card_mean
    cdef public double[6] card_spread
    cdef public int[6] in_war
    cdef public int[6] stance
    cdef public double[6] mean
    cdef public double[6] sharp
    cdef public int[6] black_notes
    cdef public int[18] kinds
    cdef public double[6] money
    # Numbers come last: the C compiler does not check the bounds of a trailing array.
    cdef public double danger, hurry, lead, whole, first, second
    cdef public int ahead, me
    cdef public bint ends_anyway

    cpdef void prepare(self, object position)
    @cython.locals(at=State, colour=int, player=int)
    cpdef void resample(self, AnyState world, int seat, Dice dice)
    @cython.locals(place=int, hidden=int, number=int, down=bint)
    cdef void exchange(self, State at, int player, int colour, Dice dice) noexcept
    @cython.locals(nth=int, value=int)
    cdef int drawn(self, State at, int colour, Dice dice) noexcept
    @cython.locals(
        at=State, key=cython.ulonglong, colour=int, number=cython.ulonglong, player=int, note=int,
        i=int, place=int,
    )
    cpdef unsigned long long information_key(self, AnyState state, int seat)
    @cython.locals(first=int, number=int, kind=int)
    cdef int owned(self, State at, int player, int colour) noexcept
    @cython.locals(values=int, place=int, value=int, leader=int, i=int)
    cdef int unseen(self, State at, int seat, int colour) noexcept

    @cython.locals(
        war=bint, asking=bint, colour=int, values=int, number=int, mean=double, player=int,
        square=double,
    )
    cdef void size_up(self, State at, int seat) noexcept
    @cython.locals(colour=int, base=int, i=int, ally=int, cards=int)
    cdef void size_up_army(self, State at, int player) noexcept
    @cython.locals(colour=int, cards=int)
    cdef void size_up_hand(self, State at, int player) noexcept
    @cython.locals(laid=double, card=double, mean=double, spread=double)
    cdef void add_family(self, int colour, int base, int sure, int more, double weight) noexcept
    @cython.locals(mean=double, spread=double)
    cdef void draw_bell(self, int player) noexcept
    @cython.locals(far=double)
    cdef double below(self, int player, double strength) noexcept
    @cython.locals(likely=double, player=int)
    cdef double chance(self, State at, int strength) noexcept

    @cython.locals(place=int, player=int, note=int, number=int, first=int, kind=int, most=int, leader=int)
    cdef void count_money(self, State at) noexcept
    @cython.locals(fewest=int, best=double, player=int, notes=int, family=int, own=int)
    cdef void look_at_money(self, State at, int seat) noexcept
    @cython.locals(left=int, mine=int)
    cdef double worth_of_shop(self, State at, int seat, int colour) noexcept
    @cython.locals(worth=int, price=double, wins=double, loses=double)
    cdef double worth_of_note(self, State at, int note, double likely, bint last) noexcept
    cdef double cost(self, int value) noexcept
    @cython.locals(
        last=bint, prize=double, best=double, strength=int, spent=double, value=int, likely=double,
        note=int, worth=double,
    )
    cdef double best_stake(self, State at, int colour, int first, int rest, int only) noexcept
    @cython.locals(best=double, spent=double, n=int, value=int, worth=double)
    cdef double campaign(self, State at, int strength, int cards, double prize) noexcept

    @cython.locals(i=int, action=int, phase=int)
    cdef void price(self, State at, int seat, Spans legal, Priors priors) noexcept
    @cython.locals(colour=int, rest=int, value=int)
    cdef double worth_of_war(self, State at, int seat, int action) noexcept
    @cython.locals(
        colour=int, cards=int, prize=double, strength=int, value=int, rest=int, gain=double, hit=int,
        player=int, worth=double,
    )
    cdef double worth_in_war(self, State at, int seat, int action) noexcept
    @cython.locals(second=int, head=int, strength=double, likely=double, player=int)
    cdef double worth_of_defecting(self, State at, int seat, int colour, double prize) noexcept
    @cython.locals(ally=int, threat=double, kind=int, mine=int, most=int, player=int, price=double)
    cdef double worth_of_prize(self, State at, int seat, int action) noexcept
    @cython.locals(held=int)
    cdef double liking(self, State at, int seat, int colour) noexcept
    @cython.locals(looks=bint, colour=int, values=int, number=int, mean=double, top=int)
    cdef double worth_of_cards(self, State at, int seat, int action) noexcept

    @cython.locals(at=State)
    cpdef void fill_priors(self, AnyState state, int seat, Spans legal, Priors priors)
    @cython.locals(at=State)
    cpdef int playout_action(self, AnyState state, int seat, Spans legal, Dice dice)
    cdef int usual(self, State at, int seat, Spans legal, Dice dice) noexcept
    @cython.locals(at=State, until=int, acting=int, seat=int)
    cpdef void fill_values(self, AnyState state, Dice dice, Values values)
    @cython.locals(fewest=int, seat=int, notes=int, stage=int, whole=double)
    cdef void judge(self, State at, Values values) noexcept
    @cython.locals(
        black=int, note=int, points=int, best=int, strength=int, shops=int, colour=int,
        bonus=double, worth=double,
    )
    cdef double prospect(self, State at, int seat, int stage) noexcept

@cython.locals(far=double)
cdef double surely(double lead) noexcept
