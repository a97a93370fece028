cimport cython
from cosca.core.evaluator cimport Priors

cdef int FEWEST_NODES, MOST_NODES, FEWEST_EDGES, MOST_EDGES, NOTHING

@cython.final
cdef class Tree:
    cdef public int seats, most_nodes, most_edges, nodes, edges, mask
    cdef public unsigned long long[::1] key
    cdef public int[::1] place
    cdef public int[::1] seat
    cdef public int[::1] first
    cdef public int[::1] count
    cdef public int[::1] mixed
    cdef public int[::1] visits
    cdef public int[::1] action
    cdef public int[::1] tried
    cdef public double[::1] weight
    cdef public double[::1] regret
    cdef public double[::1] mix
    cdef public double[::1] sums

    @cython.locals(at=int)
    cpdef int find(self, unsigned long long key) noexcept
    @cython.locals(node=int)
    cpdef int add(self, unsigned long long key, int seat) noexcept
    @cython.locals(i=int, whole=double)
    cpdef bint open(self, int node, Priors priors) noexcept
    @cython.locals(edge=int, seat=int)
    cpdef void forget(self, int node) noexcept
    @cython.locals(at=int, last=int, seat=int)
    cpdef void insert(self, int first, int number, int action, double weight) noexcept
    @cython.locals(at=int)
    cpdef void remember(self, int node) noexcept
    cpdef void grow(self)
    @cython.locals(node=int)
    cpdef void grow_nodes(self)
    cpdef void grow_edges(self)
