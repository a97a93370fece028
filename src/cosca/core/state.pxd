cimport cython
from cosca.core.buffers cimport Outcomes, Spans

cdef list SEATS, NUMBERS
cdef Spans LEGAL

cdef class State:
    cdef public int seats

    cdef int acting(self) noexcept nogil
    cdef void fill_legal(self, int seat, Spans legal) noexcept nogil
    cdef void fill_chance(self, Outcomes outcomes) noexcept nogil
    cdef void apply(self, int seat, int action) noexcept nogil
    cdef int ending(self) noexcept nogil
    cdef int winners(self) noexcept nogil
    cpdef State copy(self)

    cpdef tuple actors(self)
    @cython.locals(i=int, action=int, actions=list)
    cpdef list legal(self, int seat)
    @cython.locals(outcomes=Outcomes, i=int)
    cpdef list chance(self)
