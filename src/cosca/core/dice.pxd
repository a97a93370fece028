cimport cython

cdef unsigned long long MASK64, MASK32, TWO32, MULTIPLIER, INCREMENT

@cython.final
cdef class Dice:
    cdef public unsigned long long word
    cpdef unsigned long long next_word(self) noexcept nogil
    @cython.locals(product=cython.ulonglong, rejected_below=cython.ulonglong)
    cpdef unsigned long long below(self, unsigned long long n) noexcept nogil
