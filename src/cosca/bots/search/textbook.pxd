from cosca.core.instinct cimport Instinct
from cosca.core.state cimport State

cdef class Textbook(Instinct):
    cdef public Instinct of_game
    cpdef unsigned long long view(self, State state, int seat)
