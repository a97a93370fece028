cimport cython
from cosca.core.buffers cimport Outcomes, Spans
from cosca.core.state cimport State as Base

cdef int CHANCE_BIT, CARDS, NO_CARD, KEEP, SWAP, SHOW, BY_CARD
cdef int PHASE_DEAL, PHASE_TURN, PHASE_DRAW, PHASE_SHOW, PHASE_OVER
cdef int[6] BIT

@cython.final
cdef class State(Base):
    cdef public short[5] cards
    cdef public short[13] up
    # Numbers come last: of a trailing array the C compiler does not check the bounds.
    cdef public int laps, phase, lap, active, drawn, reason, won

    cpdef void apply_deal(self, int card) noexcept nogil

    cpdef void begin_lap(self) noexcept nogil
    cpdef bint can_swap(self) noexcept nogil
    cpdef void apply_turn(self, int action) noexcept nogil
    cpdef void apply_draw(self, int card) noexcept nogil
    @cython.locals(seat=int)
    cpdef bint is_in_pile(self, int card) noexcept nogil
    cpdef void end_turn(self) noexcept nogil

    @cython.locals(highest=int, seat=int)
    cpdef void apply_show(self) noexcept nogil
    cpdef bint is_shown(self) noexcept nogil

    cpdef int acting(self) noexcept nogil
    cpdef void fill_legal(self, int seat, Spans legal) noexcept nogil
    @cython.locals(card=int)
    cpdef void fill_chance(self, Outcomes outcomes) noexcept nogil
    cpdef void apply(self, int seat, int action) noexcept nogil
    cpdef int ending(self) noexcept nogil
    cpdef int winners(self) noexcept nogil
    @cython.locals(new=State)
    cpdef State copy(self)
    cpdef list ints(self)
    cpdef void load(self, list ints)
