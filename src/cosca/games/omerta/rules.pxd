cimport cython
from cosca.core.buffers cimport Outcomes, Spans
from cosca.core.state cimport State as Base

cdef extern from "stdint.h":
    # One byte each, but as numbers: Python would receive arrays of C chars as text.
    ctypedef short tiny "int8_t"

cdef int CHANCE_BIT, BOTTLES, HENCHMAN, LADY, MOLE, TRAITOR, ASSASSIN, DRIVER, SAFECRACKER, MAMMA
cdef int PATROL, KINDS, ROW, SAFE, GIFTS, SHUFFLED_FROM, PATROL_ROUNDS, CALL_LIMIT, FINE
cdef int PASS, CALL, DRAW, TAKE, DISCARD, LOOK, PEEK, TARGET, GIVE, OF, WATCH, INTO, SLOT, NEXT
cdef int PHASE_START, PHASE_DEAL, PHASE_WINDOW, PHASE_SETTLE, PHASE_PENALTY, PHASE_TURN, PHASE_DRAW
cdef int PHASE_PLACE, PHASE_TURN_UP, PHASE_USE, PHASE_LOOK, PHASE_LAY, PHASE_SAFE, PHASE_SHUFFLE
cdef int PHASE_GIFT, PHASE_CALLED, PHASE_OVER, NO_WINDOW, PEEKING, SNAPPING, KILLING
cdef int PUBLIC, EVERYONE, TRUTH, TRACKS, SHUFFLES, PILES, FREE, ON_TABLE, GONE, BY_TOTALS, MOST_SEATS
cdef int LATEST, NOBODY, NOTHING
cdef int[6] BIT
cdef int[21] WORTH, BLOCKED
cdef int[3][21] DECKS
cdef int[12] PEEKS
cdef int[30] RECEIVERS

@cython.final
cdef class State(Base):
    cdef public int deck, games, first_call, max_rounds, phase, game, turns, start, active
    cdef public bint sealed, snap_each, must_use, first_up, from_discards, showing, cancelled
    cdef public int[5] totals
    cdef public int[5] scores
    cdef public tiny[5] length
    cdef public tiny[5] patrols
    cdef public tiny[5] mamma
    cdef public tiny[5] answer
    cdef public tiny[5] order
    cdef public tiny[4] named
    cdef public tiny[4] safe
    cdef public tiny[5][58] row
    cdef public tiny[62] discards
    cdef public tiny[21] pile
    cdef public tiny[84] pools
    cdef public tiny[108] kind
    cdef public tiny[108] place
    cdef public tiny[108] seen
    cdef public tiny[108] shown
    cdef public tiny[108] since
    cdef public tiny[108] origin
    cdef public tiny[108] into
    cdef public tiny[108] pile_of
    cdef public tiny[108] watcher
    cdef public tiny[108] watches
    # Numbers come last: the C compiler does not check the bounds of a trailing array.
    cdef public int dealt, caller, reason, won, held, step, window, asked, answered, reached
    cdef public int settled, receiver, pile_count, discarded, gen, shuffle, shuffles, lowest

    cpdef void apply_start(self, int seat) noexcept nogil
    @cython.locals(track=int, seat=int, i=int, kind=int)
    cpdef void begin_game(self) noexcept nogil
    @cython.locals(track=int, rows=int)
    cpdef void apply_deal(self, int kind) noexcept nogil
    @cython.locals(i=int)
    cpdef void peek(self, int seat, int pair) noexcept nogil
    cpdef int after(self, int seat) noexcept nogil

    cpdef void join(self, int seat, int track) noexcept nogil
    @cython.locals(i=int)
    cpdef void remove(self, int seat, int slot) noexcept nogil
    cpdef int free(self, int seat) noexcept nogil
    @cython.locals(track=int)
    cpdef int draw(self, int kind) noexcept nogil
    cpdef void discard(self, int track) noexcept nogil
    cpdef void put(self, int kind) noexcept nogil
    cpdef int top(self) noexcept nogil
    @cython.locals(i=int, kind=int)
    cpdef bint refill(self, int kept) noexcept nogil

    cpdef void begin_turn(self) noexcept nogil
    cpdef void pass_on(self) noexcept nogil
    @cython.locals(part=int)
    cpdef void end_turn(self) noexcept nogil
    cpdef bint may_call(self) noexcept nogil
    @cython.locals(cards=int, takes=bint)
    cpdef void legal_turn(self, Spans legal) noexcept nogil
    cpdef void apply_turn(self, int action) noexcept nogil
    cpdef void apply_draw(self, int kind) noexcept nogil
    cpdef void taken(self) noexcept nogil
    cpdef void legal_place(self, Spans legal) noexcept nogil
    @cython.locals(slot=int)
    cpdef void add_free(self, int seat, int but, Spans legal) noexcept nogil
    @cython.locals(card=int)
    cpdef void apply_place(self, int action) noexcept nogil
    @cython.locals(card=int)
    cpdef void apply_turn_up(self) noexcept nogil
    cpdef void act(self) noexcept nogil

    @cython.locals(seats=int, seat=int)
    cpdef int who_may_lay(self, int among) noexcept nogil
    cpdef void open_window(self, int window, int asked) noexcept nogil
    @cython.locals(seat=int)
    cpdef void clear_window(self) noexcept nogil
    cpdef void legal_answer(self, int seat, Spans legal) noexcept nogil
    cpdef void apply_answer(self, int seat, int action) noexcept nogil
    @cython.locals(seat=int, i=int)
    cpdef void chance_settle(self, Outcomes outcomes) noexcept nogil
    @cython.locals(player=int)
    cpdef void apply_settle(self, int seat) noexcept nogil
    @cython.locals(i=int)
    cpdef void come_next(self, int seat) noexcept nogil
    cpdef bint fits(self, int kind) noexcept nogil
    @cython.locals(card=int)
    cpdef void lay_down(self, int seat, int slot) noexcept nogil
    cpdef void punish(self, int seat) noexcept nogil
    cpdef void apply_penalty(self, int kind) noexcept nogil
    cpdef void go_on(self) noexcept nogil
    @cython.locals(goes_on=bint)
    cpdef void close_window(self) noexcept nogil

    @cython.locals(kind=int)
    cpdef bint is_usable(self) noexcept nogil
    @cython.locals(seats=int, count=int, seat=int, free=int, open_to_all=bint, may=bint)
    cpdef int targets(self, int kind) noexcept nogil
    @cython.locals(kind=int)
    cpdef void legal_use(self, Spans legal) noexcept nogil
    @cython.locals(seat=int)
    cpdef void add_targets(self, int base, int seats, Spans legal) noexcept nogil
    @cython.locals(seats=int, last=int, seat=int)
    cpdef void legal_swap(self, Spans legal) noexcept nogil
    @cython.locals(seats=int, pair=int, both=int)
    cpdef void legal_gifts(self, Spans legal) noexcept nogil
    @cython.locals(kind=int)
    cpdef void apply_use(self, int action) noexcept nogil
    cpdef void name_load(self, int action) noexcept nogil
    @cython.locals(parts=int, others=int)
    cpdef void name_target(self, int kind, int action) noexcept nogil
    @cython.locals(kind=int)
    cpdef void take_effect(self) noexcept nogil
    @cython.locals(one=int, other=int)
    cpdef void swap(self) noexcept nogil
    cpdef void begin_gifts(self) noexcept nogil
    cpdef void apply_gift(self, int kind) noexcept nogil
    @cython.locals(i=int)
    cpdef void apply_look(self) noexcept nogil
    cpdef void legal_safe(self, Spans legal) noexcept nogil
    @cython.locals(out=int)
    cpdef void apply_safe(self, int action) noexcept nogil
    @cython.locals(mistake=bint, i=int, card=int)
    cpdef void apply_lay(self) noexcept nogil
    @cython.locals(i=int, card=int)
    cpdef void unload(self) noexcept nogil
    @cython.locals(card=int)
    cpdef void unload_second(self) noexcept nogil

    cpdef void lay_patrol(self, int card) noexcept nogil
    @cython.locals(player=int)
    cpdef void lift(self, int seat) noexcept nogil
    @cython.locals(slot=int, card=int)
    cpdef void lift_patrols(self, int seat, int player) noexcept nogil

    cpdef int now(self) noexcept nogil
    @cython.locals(track=int, found=list)
    cpdef list followed(self, int viewers)
    @cython.locals(track=int)
    cpdef int new_track(self, int kind) noexcept nogil
    cpdef void release(self, int track) noexcept nogil
    cpdef void see(self, int track, int viewers) noexcept nogil
    @cython.locals(track=int)
    cpdef void hide(self) noexcept nogil
    cpdef void leave(self, int track) noexcept nogil
    @cython.locals(slot=int, card=int, track=int)
    cpdef void begin_shuffle(self, int seat) noexcept nogil
    @cython.locals(slot=int)
    cpdef int nth_free(self, int seat, int n) noexcept nogil
    @cython.locals(card=int, other=int, kind=int)
    cpdef void apply_shuffle(self, int n) noexcept nogil
    @cython.locals(oldest=int, pile=int, track=int)
    cpdef void forget(self) noexcept nogil
    @cython.locals(pile=int, track=int, other=int)
    cpdef int common_pile(self, int shuffle) noexcept nogil
    cpdef void next_pile(self) noexcept nogil
    @cython.locals(kind=int, track=int)
    cpdef void merge(self, int old, int pile) noexcept nogil

    @cython.locals(worth=int, slot=int)
    cpdef int row_worth(self, int seat) noexcept nogil
    @cython.locals(lowest=int, seat=int, worth=int)
    cpdef int lowest_row(self, int but) noexcept nogil
    @cython.locals(worth=int)
    cpdef bint is_good_call(self) noexcept nogil
    @cython.locals(good=bint, lowest=int, seat=int, worth=int)
    cpdef void score(self) noexcept nogil
    @cython.locals(seat=int, slot=int)
    cpdef void apply_called(self) noexcept nogil
    @cython.locals(start=int, best=int, seat=int)
    cpdef int next_start(self) noexcept nogil
    @cython.locals(best=int, seat=int)
    cpdef void crown(self) noexcept nogil

    cpdef int acting(self) noexcept nogil
    cpdef void fill_legal(self, int seat, Spans legal) noexcept nogil
    @cython.locals(kind=int, n=int, seat=int)
    cpdef void fill_chance(self, Outcomes outcomes) noexcept nogil
    cpdef void apply(self, int seat, int action) noexcept nogil
    cpdef void apply_decision(self, int seat, int action) noexcept nogil
    cpdef int ending(self) noexcept nogil
    cpdef int winners(self) noexcept nogil
    @cython.locals(new=State, seat=int)
    cpdef State copy(self)
    cpdef void copy_numbers(self, State new) noexcept nogil
    @cython.locals(seat=int, slot=int, i=int, track=tuple)
    cpdef list ints(self)
    cpdef void load(self, list ints)
    @cython.locals(at=int, seat=int, slot=int, i=int, track=int)
    cpdef void load_cards(self, list ints)
