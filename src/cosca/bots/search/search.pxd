cimport cython
from cosca.bots.search.tree cimport Tree
from cosca.core.buffers cimport Outcomes, Spans
from cosca.core.dice cimport Dice
from cosca.core.evaluator cimport Evaluator, Priors, Values, mix_hash
from cosca.core.playout cimport random_actor, resolve_chance_once
from cosca.core.state cimport State

cdef int CHANCE_BIT, NO_NODE, EVERYBODY, DEEPEST, ONE, MOST_IN, FEW
cdef double MIXING, LATELY, SURELY, TRUST, SLOPE

@cython.final
cdef class Search:
    cdef public Evaluator evaluator
    cdef public Dice dice
    cdef public Tree tree
    cdef public Spans legal
    cdef public Outcomes outcomes
    cdef public Priors priors
    cdef public Values values
    cdef public double curious, narrow
    cdef public bint textbook
    cdef public int[256] node
    cdef public int[256] edge
    cdef public double[256] chance
    cdef public int[256] contest
    cdef public double[256] looks
    cdef public double[256] wanted
    cdef public double[256] found
    cdef public double[6] usual
    cdef public double[6] spread
    # Numbers come last: of a trailing array the C compiler does not check the bounds.
    cdef public int seats, simulations, steps, entered, left, at_hand

    @cython.locals(key=cython.ulonglong, i=int)
    cpdef unsigned long long key(self, State state, int seat)
    @cython.locals(key=cython.ulonglong, node=int)
    cpdef int root(self, State world, int seat)
    cpdef bint is_open(self, State state, int seat, int node)
    @cython.locals(state=State)
    cpdef void simulate(self, State world, int viewer, int learner, int number)
    cpdef void walk(self, State state, int learner)
    @cython.locals(acting=int, seat=int)
    cpdef void walk_on(self, State state, int learner)
    @cython.locals(key=cython.ulonglong, node=int, edge=int)
    cpdef bint step(self, State state, int seat, bint learns)

    @cython.locals(tree=Tree, number=int, i=int, edge=int)
    cpdef void enter(self, int node, double simulations)
    @cython.locals(
        node=int, seat=int, same=State, state=State, luck=cython.ulonglong, after=cython.ulonglong,
        i=int,
    )
    cpdef void contend(self, State world, int learner, int number)
    @cython.locals(tree=Tree, missed=double, looked=double, i=int, edge=int)
    cpdef void want(self) noexcept
    @cython.locals(tree=Tree, expected=double, i=int, edge=int, missed=double)
    cpdef void miss(self) noexcept
    @cython.locals(rounds=int, halved=int, stay=int, tried=int, spread=double, least=double)
    cpdef void narrow_down(self, double spent) noexcept
    @cython.locals(i=int, edge=int, promised=double, at=int)
    cpdef void put_in_order(self) noexcept
    @cython.locals(tree=Tree, seat=int, looks=double, felt=double, found=double)
    cpdef double promised(self, int edge) noexcept
    cpdef int choice(self, int node) noexcept

    @cython.locals(width=int)
    cpdef int width(self, int node) noexcept
    @cython.locals(
        tree=Tree, seat=int, first=int, explore=double, expected=double, best=int, most=double,
        edge=int, tried=int, value=double,
    )
    cpdef int best_edge(self, int node) noexcept
    @cython.locals(
        tree=Tree, first=int, count=int, explore=double, best=int, most=double, edge=int, tried=int,
        value=double,
    )
    cpdef int upper_bound_edge(self, int node) noexcept
    @cython.locals(tree=Tree, whole=double, edge=int)
    cpdef double mean(self, int node, int seat) noexcept
    @cython.locals(
        tree=Tree, first=int, width=int, whole=double, roll=double, chosen=int, likely=double,
        edge=int, wanted=double, chance=double,
    )
    cpdef int mixed_edge(self, int node) noexcept
    @cython.locals(tree=Tree, first=int, best=int, edge=int)
    cpdef int known_edge(self, int node) noexcept
    @cython.locals(tree=Tree, first=int, missed=double, edge=int, roll=double)
    cpdef int missed_edge(self, int node) noexcept
    @cython.locals(
        tree=Tree, first=int, last=int, likeliest=int, whole=double, kept=double, roll=double,
        edge=int,
    )
    cpdef int drawn_edge(self, int node, double least) noexcept
    @cython.locals(tree=Tree, best=int, second=int, edge=int)
    cpdef bint is_decided(self, int node, double left) noexcept
    cpdef double fraction(self) noexcept
    @cython.locals(tree=Tree, step=int, node=int, edge=int, seat=int)
    cpdef void learn(self) noexcept
    @cython.locals(seat=int, more=double)
    cpdef void compare(self) noexcept
    @cython.locals(tree=Tree, seat=int, more=double, edge=int)
    cpdef void regret(self, int node, int chosen, double chance) noexcept

@cython.locals(whole=int)
cpdef double logarithm(int number) noexcept
