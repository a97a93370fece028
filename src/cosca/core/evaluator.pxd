cimport cython
from cosca.core.buffers cimport Outcomes, Spans
from cosca.core.dice cimport Dice
from cosca.core.playout cimport play_random_action, nth_action, resolve_chance_once
from cosca.core.state cimport State

cdef int CHANCE_BIT, LONGEST
cdef double E, LEAST
cdef unsigned long long MASK64, STIRRER

cpdef double exponential(double power) noexcept nogil
cpdef unsigned long long stir(unsigned long long key, unsigned long long number) noexcept

@cython.final
cdef class Moves:
    cdef public int[1024] action
    cdef public double[1024] weight
    cdef public int count
    cdef public bint mixed
    cpdef void clear(self) noexcept nogil
    cpdef void add(self, int action, double weight) noexcept nogil
    @cython.locals(most=double, equals=int, i=int, nth=int, at=int)
    cpdef int best(self, Dice dice) noexcept nogil
    @cython.locals(most=double, i=int, less=double)
    cpdef void soften(self, double sharp) noexcept nogil

@cython.final
cdef class Values:
    cdef public double[6] share
    cdef int last  # of a trailing array the C compiler does not check the bounds
    @cython.locals(winners=int, number=int, seat=int, part=double)
    cpdef void read_end(self, State state) noexcept

cdef class Evaluator:
    # With the GIL, unlike the rules: a search runs in a process of its own, not in a thread.
    cdef public object game
    cdef public int others, stays
    cdef public Spans spans
    cdef public Moves moves
    cdef public Outcomes outcomes
    cpdef unsigned long long view(self, State state, int seat)
    cpdef void prepare(self, object position)
    cpdef void reshuffle(self, State world, int seat, Dice dice)
    @cython.locals(i=int, action=int)
    cpdef void fill_moves(self, State state, int seat, Spans legal, Moves moves)
    cpdef int habit(self, State state, int seat, Spans legal, Dice dice)
    @cython.locals(acting=int)
    cpdef void fill_values(self, State state, Dice dice, Values values)
