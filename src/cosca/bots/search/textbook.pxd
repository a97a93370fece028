from cosca.core.dice cimport Dice
from cosca.core.evaluator cimport Evaluator
from cosca.core.state cimport State

cdef class Textbook(Evaluator):
    cdef public Evaluator of_game
    cpdef void prepare(self, object position)
    cpdef void resample(self, State world, int seat, Dice dice)
    cpdef unsigned long long information_key(self, State state, int seat)
