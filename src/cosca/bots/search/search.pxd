cimport cython
from cosca.bots.search.tree cimport Tree
from cosca.core.buffers cimport Outcomes, Spans
from cosca.core.dice cimport Dice
from cosca.core.evaluator cimport Evaluator, Priors, Values, mix_hash
from cosca.core.playout cimport random_actor, resolve_chance_once
from cosca.core.state cimport State

cdef int CHANCE_BIT, NO_NODE, ALL_SEATS, MAX_DEPTH, FRACTION_STEPS, MAX_CANDIDATES, MIN_VISITS_TO_DROP
cdef double MIXED_EXPLORATION, MEAN_STEP, DROP_MARGIN, PRIOR_VISITS, PRIOR_SLOPE

@cython.final
cdef class Search:
    cdef public Evaluator evaluator
    cdef public Dice dice
    cdef public Tree tree
    cdef public Spans legal
    cdef public Outcomes outcomes
    cdef public Priors priors
    cdef public Values values
    cdef public double exploration, initial_width
    cdef public bint textbook
    cdef public int[256] node
    cdef public int[256] edge
    cdef public double[256] sampling_probability
    cdef public int[256] candidates
    cdef public double[256] log_priors
    cdef public double[256] strategy
    cdef public double[256] candidate_values
    cdef public double[6] mean
    cdef public double[6] variance
    # Numbers come last: of a trailing array the C compiler does not check the bounds.
    cdef public int seats, simulations, steps, candidate_count, candidates_left, root_node

    @cython.locals(key=cython.ulonglong, i=int)
    cpdef unsigned long long key(self, State state, int seat)
    @cython.locals(key=cython.ulonglong, node=int)
    cpdef int root(self, State world, int seat)
    cpdef bint expand(self, State state, int seat, int node)
    @cython.locals(state=State)
    cpdef void simulate(self, State world, int viewer, int learner, int number)
    cpdef void run_simulation(self, State state, int learner)
    @cython.locals(acting=int, seat=int)
    cpdef void continue_simulation(self, State state, int learner)
    @cython.locals(key=cython.ulonglong, node=int, edge=int)
    cpdef bint step(self, State state, int seat, bint is_learning)

    @cython.locals(tree=Tree, number=int, i=int, edge=int)
    cpdef void select_candidates(self, int node, double simulations)
    @cython.locals(
        node=int, seat=int, same=State, state=State, luck=cython.ulonglong, after=cython.ulonglong,
        i=int,
    )
    cpdef void simulate_candidates(self, State world, int learner, int number)
    @cython.locals(tree=Tree, regret_sum=double, prior_sum=double, i=int, edge=int)
    cpdef void update_strategy(self) noexcept
    @cython.locals(tree=Tree, expected=double, i=int, edge=int, regret_sum=double)
    cpdef void update_regret(self) noexcept
    @cython.locals(rounds=int, halved=int, stay=int, tried=int, variance=double, least=double)
    cpdef void halve_candidates(self, double spent) noexcept
    @cython.locals(i=int, edge=int, estimate=double, at=int)
    cpdef void sort_candidates(self) noexcept
    @cython.locals(tree=Tree, seat=int, log_priors=double, prior_estimate=double, candidate_values=double)
    cpdef double estimate(self, int edge) noexcept
    cpdef int final_edge(self, int node) noexcept

    @cython.locals(width=int)
    cpdef int width(self, int node) noexcept
    @cython.locals(
        tree=Tree, seat=int, first=int, explore=double, expected=double, best=int, most=double,
        edge=int, tried=int, value=double,
    )
    cpdef int puct_edge(self, int node) noexcept
    @cython.locals(
        tree=Tree, first=int, count=int, explore=double, best=int, most=double, edge=int, tried=int,
        value=double,
    )
    cpdef int ucb_edge(self, int node) noexcept
    @cython.locals(tree=Tree, whole=double, edge=int)
    cpdef double node_mean(self, int node, int seat) noexcept
    @cython.locals(
        tree=Tree, first=int, width=int, whole=double, roll=double, chosen=int, probability=double,
        edge=int, strategy=double, sampling_probability=double,
    )
    cpdef int regret_matching_edge(self, int node) noexcept
    @cython.locals(tree=Tree, first=int, best=int, edge=int)
    cpdef int learned_edge(self, int node) noexcept
    @cython.locals(tree=Tree, first=int, regret_sum=double, edge=int, roll=double)
    cpdef int current_strategy_edge(self, int node) noexcept
    @cython.locals(
        tree=Tree, first=int, last=int, likeliest=int, whole=double, kept=double, roll=double,
        edge=int,
    )
    cpdef int average_strategy_edge(self, int node, double least) noexcept
    @cython.locals(tree=Tree, best=int, second=int, edge=int)
    cpdef bint is_decided(self, int node, double left) noexcept
    cpdef double fraction(self) noexcept
    @cython.locals(tree=Tree, step=int, node=int, edge=int, seat=int)
    cpdef void backpropagate(self) noexcept
    @cython.locals(seat=int, more=double)
    cpdef void update_statistics(self) noexcept
    @cython.locals(tree=Tree, seat=int, more=double, edge=int)
    cpdef void update_sampled_regret(self, int node, int chosen, double sampling_probability) noexcept

@cython.locals(whole=int)
cpdef double logarithm(int number) noexcept
