cimport cython
from cosca.core.buffers cimport Outcomes, Spans
from cosca.core.dice cimport Dice
from cosca.core.state cimport State

cpdef void resolve_chance(State state, Dice dice) noexcept
cpdef void resolve_chance_once(State state, Dice dice, Outcomes outcomes) noexcept nogil
@cython.locals(i=int)
cpdef int outcome_at(Outcomes outcomes, int roll) noexcept nogil
cdef int CHANCE, CHANCE_BIT
cdef Outcomes OUTCOMES
cdef int[64] LOWEST_SEAT

cpdef int random_actor(int acting, Dice dice) noexcept nogil
@cython.locals(count=int, seat=int)
cpdef int count_seats(int bits) noexcept nogil
@cython.locals(seat=int)
cpdef int nth_seat(int bits, int n) noexcept nogil
@cython.locals(seat=int)
cpdef void play_random_action(State state, int acting, Dice dice, Spans legal) noexcept nogil
@cython.locals(i=int)
cpdef int nth_action(Spans legal, int n) noexcept nogil
@cython.locals(legal=Spans, outcomes=Outcomes, acting=int, decisions=cython.longlong)
cpdef long long playout(State state, Dice dice)
@cython.locals(decisions=cython.longlong)
cpdef long long playouts(State start, Dice dice, int games)
