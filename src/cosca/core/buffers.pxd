cimport cython

# Numbers come after arrays: of a trailing array the C compiler does not check the bounds.

@cython.final
cdef class Spans:
    cdef public int[128] first
    cdef public int[128] last
    cdef public int count, total
    cpdef void clear(self) noexcept nogil
    cpdef void add(self, int first, int last) noexcept nogil
    @cython.locals(i=int)
    cpdef bint contains(self, int action) noexcept nogil

@cython.final
cdef class Outcomes:
    cdef public int[128] action
    cdef public int[128] weight
    cdef public int count, total
    cpdef void clear(self) noexcept nogil
    cpdef void add(self, int action, int weight) noexcept nogil
