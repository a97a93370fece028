cimport cython
from cosca.core.buffers cimport Outcomes, Spans

cdef list SEATS, NUMBERS
cdef Spans LEGAL

cdef class State:
    cdef public int seats

    # With the GIL only here, where plain Python is called; a compiled game overrides with nogil.
    cdef int acting(self) noexcept with gil
    cdef void fill_legal(self, int seat, Spans legal) noexcept with gil
    cdef void fill_chance(self, Outcomes outcomes) noexcept with gil
    cdef void apply(self, int seat, int action) noexcept with gil
    cdef int ending(self) noexcept with gil
    cdef int winners(self) noexcept with gil
    cpdef State copy(self)

    cpdef tuple actors(self)
    @cython.locals(i=int, action=int, actions=list)
    cpdef list legal_actions(self, int seat)
    @cython.locals(outcomes=Outcomes, i=int)
    cpdef list chance_outcomes(self)
