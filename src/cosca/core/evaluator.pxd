cimport cython
from cosca.core.buffers cimport Outcomes, Spans
from cosca.core.dice cimport Dice
from cosca.core.playout cimport play_random_action, nth_action, resolve_chance_once
from cosca.core.state cimport State

cdef int CHANCE_BIT, MAX_PLAYOUT
cdef double E, MAX_PRIOR_GAP
cdef unsigned long long MASK64, HASH_MULTIPLIER

cpdef double exponential(double power) noexcept nogil
cpdef unsigned long long mix_hash(unsigned long long key, unsigned long long number) noexcept

@cython.final
cdef class Priors:
    cdef public int[1024] action
    cdef public double[1024] weight
    cdef public int count
    cdef public bint mixed
    cpdef void clear(self) noexcept nogil
    cpdef void add(self, int action, double weight) noexcept nogil
    @cython.locals(most=double, equals=int, i=int, nth=int, at=int)
    cpdef int best(self, Dice dice) noexcept nogil
    @cython.locals(most=double, i=int, less=double)
    cpdef void softmax(self, double temperature) noexcept nogil

@cython.final
cdef class Values:
    cdef public double[6] share
    cdef int last  # of a trailing array the C compiler does not check the bounds
    @cython.locals(winners=int, number=int, seat=int, part=double)
    cpdef void set_terminal(self, State state) noexcept

cdef class Evaluator:
    # With the GIL, unlike the rules: a search runs in a process of its own, not in a thread.
    cdef public object game
    cdef public int opponent_view_period, simulations_per_world
    cdef public Spans spans
    cdef public Priors priors
    cdef public Outcomes outcomes
    cpdef unsigned long long information_key(self, State state, int seat)
    cpdef void prepare(self, object position)
    cpdef void resample(self, State world, int seat, Dice dice)
    @cython.locals(i=int, action=int)
    cpdef void fill_priors(self, State state, int seat, Spans legal, Priors priors)
    cpdef int playout_action(self, State state, int seat, Spans legal, Dice dice)
    @cython.locals(acting=int)
    cpdef void fill_values(self, State state, Dice dice, Values values)
