cimport cython

@cython.final
cdef class Spans:
    cdef public int count, total
    cdef public int[128] first
    cdef public int[128] last
    cpdef void clear(self) noexcept nogil
    cpdef void add(self, int first, int last) noexcept nogil
    @cython.locals(i=int)
    cpdef bint holds(self, int action) noexcept nogil

@cython.final
cdef class Outcomes:
    cdef public int count, total
    cdef public int[128] action
    cdef public int[128] weight
    cpdef void clear(self) noexcept nogil
    cpdef void add(self, int action, int weight) noexcept nogil
