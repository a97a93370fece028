from cosca.core.dice cimport Dice
from cosca.core.instinct cimport Instinct
from cosca.core.state cimport State

cdef class Textbook(Instinct):
    cdef public Instinct of_game
    cpdef void prepare(self, object position)
    cpdef void reshuffle(self, State world, int seat, Dice dice)
    cpdef unsigned long long view(self, State state, int seat)
