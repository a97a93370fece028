cimport cython
from cosca.core.evaluator cimport Priors

cdef int INITIAL_NODES, MAX_NODES, INITIAL_EDGES, MAX_EDGES, NO_NODE

@cython.final
cdef class Tree:
    cdef public int seats, node_capacity, edge_capacity, nodes, edges, mask
    cdef public unsigned long long[::1] key
    cdef public int[::1] slots
    cdef public int[::1] seat
    cdef public int[::1] first_edge
    cdef public int[::1] edge_count
    cdef public int[::1] is_mixed
    cdef public int[::1] visits
    cdef public int[::1] action
    cdef public int[::1] edge_visits
    cdef public double[::1] prior
    cdef public double[::1] regret
    cdef public double[::1] strategy_sum
    cdef public double[::1] value_sum

    @cython.locals(at=int)
    cpdef int find(self, unsigned long long key) noexcept
    @cython.locals(node=int)
    cpdef int add(self, unsigned long long key, int seat) noexcept
    @cython.locals(i=int, whole=double)
    cpdef bint expand(self, int node, Priors priors) noexcept
    @cython.locals(edge=int, seat=int)
    cpdef void reset(self, int node) noexcept
    @cython.locals(at=int, last=int, seat=int)
    cpdef void insert(self, int first, int number, int action, double prior) noexcept
    @cython.locals(at=int)
    cpdef void index_node(self, int node) noexcept
    cpdef void grow(self)
    @cython.locals(node=int)
    cpdef void grow_nodes(self)
    cpdef void grow_edges(self)
