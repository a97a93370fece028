"""Simulations in sampled worlds: select, expand, evaluate, backpropagate.

Each seat chooses by what it knows in the world at hand, and learns only in worlds sampled from what
*it* knows. In worlds sampled from my position, all others would meet my true cards again and again,
and must not learn from that how to beat them.

At the root, candidate actions compete by sequential halving: all are tried in the same worlds, the
better half stays, until the budget is spent. Below the root, edges are chosen by PUCT, or by regret
matching where play is mixed.

Chance is sampled anew in every simulation. What it shows to a seat is part of that seat's
information state and leads to another node; what it hides does not.
"""

from math import log

from cosca.bots.search.tree import Tree
from cosca.core import names
from cosca.core.buffers import Outcomes, Spans
from cosca.core.dice import Dice
from cosca.core.evaluator import Evaluator, Priors, Values, mix_hash
from cosca.core.names import Seat
from cosca.core.playout import random_actor, resolve_chance_once
from cosca.core.state import State

CHANCE_BIT = names.CHANCE_BIT
NO_NODE = -1
ALL_SEATS = names.ALL_SEATS
MAX_DEPTH = 256  # decisions of one simulation that are learnt from
MIXED_EXPLORATION = 0.1  # share of uniform exploration in mixed play
FRACTION_STEPS = 1 << 30  # resolution of a random fraction
MAX_CANDIDATES = 256  # candidates at the root, at most
MIN_VISITS_TO_DROP = 16  # simulations before a candidate may be dropped early,
DROP_MARGIN = 6.0  # if it is worse by this many standard errors
PRIOR_VISITS = 20.0  # a prior counts like this many simulations,
PRIOR_SLOPE = 0.1  # and a third of the weight means this much less value, in standard deviations
MEAN_STEP = 1.0 / 256  # weight of the last simulation in the running mean and variance


class Search:
    """A tree, and the simulations that grow it."""

    def __init__(
        self,
        evaluator: Evaluator,
        seats: int,
        dice: Dice,
        exploration: float = 2.0,
        initial_width: float = 4.0,
        textbook: bool = False,
    ) -> None:
        self.evaluator = evaluator
        self.seats = seats
        self.dice = dice
        self.exploration = exploration  # weight of priors against observed values (PUCT)
        self.initial_width = (
            initial_width  # edges considered at first; the square root of the visits is added
        )
        self.textbook = textbook  # UCB1 without priors
        self.tree = Tree(seats)
        self.legal = Spans()
        self.outcomes = Outcomes()
        self.priors = Priors()
        self.values = Values()
        self.simulations = 0
        self.steps = 0
        self.node: list[int] = [0] * 256
        self.edge: list[int] = [0] * 256
        self.sampling_probability: list[float] = [0.0] * 256
        self.candidates: list[int] = [0] * 256  # candidate edges, best first
        self.log_priors: list[float] = [0.0] * 256  # log of each prior relative to the best
        self.strategy: list[float] = [0.0] * 256  # in mixed play, the probability of each
        self.candidate_values: list[float] = [0.0] * 256  # and its value in the current world
        self.candidate_count = 0  # at first,
        self.candidates_left = 0  # and now
        self.root_node = NO_NODE  # the node they belong to
        self.mean: list[float] = [1.0 / seats] * 6  # running mean of values, by seat,
        self.variance: list[float] = [0.1] * 6  # and variance

    def key(self, state: State, seat: Seat) -> int:
        """Return the key of a seat's information state and, to be safe, of its legal actions."""
        key = self.evaluator.information_key(state, seat)
        for i in range(self.legal.count):
            key = mix_hash(key, self.legal.first[i] * 1024 + self.legal.last[i])
        return mix_hash(key, seat)

    def root(self, world: State, seat: Seat) -> int:
        """Return the node of a seat that is to act, adding it if needed."""
        self.root_node = NO_NODE
        world.fill_legal(seat, self.legal)
        key = self.key(world, seat)
        node = self.tree.find(key)
        if node == NO_NODE:
            node = self.tree.add(key, seat)
        self.expand(world, seat, node)
        return node

    def expand(self, state: State, seat: Seat, node: int) -> bool:
        """Return whether a node has edges; adds them on its second visit, which most never get."""
        if self.tree.edge_count[node]:
            return True
        self.evaluator.fill_priors(state, seat, self.legal, self.priors)
        return self.tree.expand(node, self.priors)

    def simulate(self, world: State, viewer: Seat, learner: Seat, number: int) -> None:
        """Run simulations from a world of the viewer, in which the learner (or all seats) learn."""
        for _ in range(number):
            self.tree.grow()
            state = world.copy()
            self.evaluator.resample(state, viewer, self.dice)
            self.run_simulation(state, learner)
            self.backpropagate()
        self.simulations += number

    def run_simulation(self, state: State, learner: Seat) -> None:
        """Play a world on to a new node or the end, and evaluate it."""
        self.steps = 0
        self.continue_simulation(state, learner)

    def continue_simulation(self, state: State, learner: Seat) -> None:
        """Do the same after actions that were already taken."""
        while True:
            acting = state.acting()
            if acting == 0:
                self.values.set_terminal(state)
                return
            if acting == CHANCE_BIT:
                resolve_chance_once(state, self.dice, self.outcomes)
                continue
            seat = random_actor(acting, self.dice)
            state.fill_legal(seat, self.legal)
            if self.legal.total == 1:
                state.apply(seat, self.legal.first[0])
                continue
            if self.step(state, seat, learner in (ALL_SEATS, seat)):
                self.evaluator.fill_values(state, self.dice, self.values)
                return

    def step(self, state: State, seat: Seat, is_learning: bool) -> bool:
        """Take one decision; return whether it reached a new node, which ends the simulation."""
        key = self.key(state, seat)
        node = self.tree.find(key)
        if is_learning:
            if node == NO_NODE:
                self.tree.add(key, seat)
                return True
            if self.steps == MAX_DEPTH or not self.expand(state, seat, node):
                return True
        elif node == NO_NODE or self.tree.visits[node] == 0:
            state.apply(seat, self.evaluator.playout_action(state, seat, self.legal, self.dice))
            return False
        if is_learning:
            edge = (
                self.regret_matching_edge(node)
                if self.tree.is_mixed[node]
                else self.puct_edge(node)
            )
            self.node[self.steps] = node
            self.edge[self.steps] = edge
            self.steps += 1
        else:
            edge = self.learned_edge(node)
        state.apply(seat, self.tree.action[edge])
        return False

    # --- At the root --------------------------------------------------------------------------

    def select_candidates(self, node: int, simulations: float) -> None:
        """Choose the candidates of a node by their priors: more with a larger budget."""
        tree = self.tree
        number = int(self.initial_width + simulations**0.5)
        number = number if number < tree.edge_count[node] else tree.edge_count[node]
        self.candidate_count = number if number < MAX_CANDIDATES else MAX_CANDIDATES
        self.candidates_left = self.candidate_count
        self.root_node = node
        tree.reset(node)
        for i in range(self.candidate_count):
            edge = tree.first_edge[node] + i
            self.candidates[i] = edge
            self.log_priors[i] = log(tree.prior[edge] / tree.prior[tree.first_edge[node]])

    def simulate_candidates(self, world: State, learner: Seat, number: int) -> None:
        """Try all remaining candidates in the same worlds, with the same random numbers."""
        node = self.root_node
        seat = self.tree.seat[node]
        for _ in range(number):
            self.tree.grow()
            same = world.copy()
            self.evaluator.resample(same, seat, self.dice)
            luck = self.dice.next_word() << 32 | self.dice.next_word()
            after = self.dice.word
            if self.tree.is_mixed[node]:
                self.update_strategy()
            for i in range(self.candidates_left):
                state = same.copy()
                self.dice.word = luck
                self.node[0] = node
                self.edge[0] = self.candidates[i]
                self.sampling_probability[0] = 0.0
                self.steps = 1
                state.apply(seat, self.tree.action[self.candidates[i]])
                self.continue_simulation(state, learner)
                self.backpropagate()
                self.candidate_values[i] = self.values.share[seat]
            if self.tree.is_mixed[node]:
                self.update_regret()
            self.dice.word = after
            self.simulations += self.candidates_left

    def update_strategy(self) -> None:
        """Set the strategy of the candidates by regret matching."""
        tree = self.tree
        regret_sum = 0.0
        prior_sum = 0.0
        for i in range(self.candidates_left):
            regret_sum += tree.regret[self.candidates[i]]
            prior_sum += tree.prior[self.candidates[i]]
        for i in range(self.candidates_left):
            edge = self.candidates[i]
            self.strategy[i] = (
                tree.regret[edge] / regret_sum if regret_sum > 0 else tree.prior[edge] / prior_sum
            )
            tree.strategy_sum[edge] += (
                self.strategy[i] * tree.visits[self.root_node]
            )  # later strategies weigh more

    def update_regret(self) -> None:
        """Add how much better each candidate was than the strategy, in one world."""
        tree = self.tree
        expected = 0.0
        for i in range(self.candidates_left):
            expected += self.strategy[i] * self.candidate_values[i]
        for i in range(self.candidates_left):
            edge = self.candidates[i]
            regret_sum = tree.regret[edge] + self.candidate_values[i] - expected
            tree.regret[edge] = regret_sum if regret_sum > 0 else 0.0

    def halve_candidates(self, spent: float) -> None:
        """Keep the better half after each part of the budget, and drop clearly worse candidates.

        In mixed play all stay: an action that is bad now may become good when others have learnt.
        """
        if self.tree.is_mixed[self.root_node]:
            return
        self.sort_candidates()
        rounds = 0
        while 1 << rounds < self.candidate_count:
            rounds += 1
        halved = int(spent * rounds)
        stay = (self.candidate_count - 1 >> halved) + 1
        stay = stay if stay > 2 else 2
        self.candidates_left = stay if stay < self.candidates_left else self.candidates_left
        tried = self.tree.edge_visits[self.candidates[0]]
        if tried >= MIN_VISITS_TO_DROP:
            variance = self.variance[self.tree.seat[self.root_node]]
            least = self.estimate(self.candidates[0]) - DROP_MARGIN * (variance / tried) ** 0.5
            while (
                self.candidates_left > 1
                and self.estimate(self.candidates[self.candidates_left - 1]) < least
            ):
                self.candidates_left -= 1

    def sort_candidates(self) -> None:
        """Sort the remaining candidates, best first."""
        for i in range(1, self.candidates_left):
            edge = self.candidates[i]
            estimate = self.estimate(edge)
            at = i
            while at > 0 and self.estimate(self.candidates[at - 1]) < estimate:
                self.candidates[at] = self.candidates[at - 1]
                at -= 1
            self.candidates[at] = edge

    def estimate(self, edge: int) -> float:
        """Return the value of a candidate; its prior counts like a few visits."""
        tree = self.tree
        seat = tree.seat[self.root_node]
        log_priors = self.log_priors[edge - tree.first_edge[self.root_node]]
        prior_estimate = self.mean[seat] + PRIOR_SLOPE * self.variance[seat] ** 0.5 * log_priors
        candidate_values = tree.value_sum[edge * self.seats + seat] + PRIOR_VISITS * prior_estimate
        return float(candidate_values / (tree.edge_visits[edge] + PRIOR_VISITS))

    def final_edge(self, node: int) -> int:
        """Return the edge to play, as far as is known."""
        if self.tree.is_mixed[node]:
            return self.average_strategy_edge(node, 0.0)
        if node != self.root_node:
            return self.learned_edge(node)
        self.sort_candidates()
        return self.candidates[0]

    # --- Choosing -----------------------------------------------------------------------------

    def width(self, node: int) -> int:
        """Return how many edges are considered after so many visits (progressive widening)."""
        if self.textbook:
            return self.tree.edge_count[node]
        width = int(self.initial_width + self.tree.visits[node] ** 0.5)
        return width if width < self.tree.edge_count[node] else self.tree.edge_count[node]

    def puct_edge(self, node: int) -> int:
        """Return the edge with the highest PUCT score."""
        tree = self.tree
        seat = tree.seat[node]
        first = tree.first_edge[node]
        if self.textbook:
            return self.ucb_edge(node)
        explore = self.exploration * (self.variance[seat] * (tree.visits[node] + 1.0)) ** 0.5
        expected = self.node_mean(node, seat)
        best = first
        most = -1.0
        for edge in range(first, first + self.width(node)):
            tried = tree.edge_visits[edge]
            value = tree.value_sum[edge * self.seats + seat] / tried if tried else expected
            value += explore * tree.prior[edge] / (1.0 + tried)
            if value > most:
                most = value
                best = edge
        return best

    def ucb_edge(self, node: int) -> int:
        """Return the edge by UCB1: first each one once, at random, then the highest upper bound."""
        tree = self.tree
        first = tree.first_edge[node]
        count = tree.edge_count[node]
        if tree.visits[node] < count:
            edge = first + int(self.dice.below(count))
            while tree.edge_visits[edge]:
                edge = edge + 1 if edge + 1 < first + count else first
            return edge
        explore = self.exploration * logarithm(tree.visits[node]) ** 0.5
        best = first
        most = -1.0
        for edge in range(first, first + count):
            tried = tree.edge_visits[edge]
            value = tree.value_sum[edge * self.seats + tree.seat[node]] / tried
            value += explore / tried**0.5
            if value > most:
                most = value
                best = edge
        return best

    def node_mean(self, node: int, seat: Seat) -> float:
        """Return the mean value of a node for a seat."""
        tree = self.tree
        if tree.visits[node] == 0:
            return 1.0 / self.seats
        whole = 0.0
        for edge in range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node]):
            whole += tree.value_sum[edge * self.seats + seat]
        return whole / tree.visits[node]

    def regret_matching_edge(self, node: int) -> int:
        """Return an edge sampled by regret matching, with some exploration."""
        tree = self.tree
        first = tree.first_edge[node]
        width = self.width(node)
        whole = 0.0
        for edge in range(first, first + width):
            whole += tree.regret[edge]
        roll = self.fraction()
        chosen = first + width - 1
        probability = 0.0
        for edge in range(first, first + width):
            strategy = tree.prior[edge]
            if whole > 0:
                strategy = tree.regret[edge] / whole
            elif width < tree.edge_count[node]:
                strategy = 1.0 / width
            tree.strategy_sum[edge] += strategy * tree.visits[node]  # later strategies weigh more
            sampling_probability = (1 - MIXED_EXPLORATION) * strategy + MIXED_EXPLORATION / width
            if roll >= 0:
                chosen = edge
                probability = sampling_probability
            roll -= sampling_probability
        self.sampling_probability[self.steps] = probability
        return chosen

    def learned_edge(self, node: int) -> int:
        """Return the edge of a seat that does not learn now, from what it has learnt before."""
        tree = self.tree
        first = tree.first_edge[node]
        if tree.is_mixed[node]:
            return self.current_strategy_edge(node)
        best = first
        for edge in range(first, first + tree.edge_count[node]):
            if tree.edge_visits[edge] > tree.edge_visits[best]:
                best = edge
        return best

    def current_strategy_edge(self, node: int) -> int:
        """Return an edge sampled from the current strategy, by regrets."""
        tree = self.tree
        first = tree.first_edge[node]
        regret_sum = 0.0
        for edge in range(first, first + tree.edge_count[node]):
            regret_sum += tree.regret[edge]
        roll = self.fraction() * (regret_sum if regret_sum > 0 else 1.0)
        for edge in range(first, first + tree.edge_count[node]):
            roll -= tree.regret[edge] if regret_sum > 0 else tree.prior[edge]
            if roll < 0:
                return edge
        return first

    def average_strategy_edge(self, node: int, least: float) -> int:
        """Return an edge sampled from the average strategy.

        Edges with a probability below `least` are left out; if all are, the likeliest one is
        returned.
        """
        tree = self.tree
        first = tree.first_edge[node]
        last = first + tree.edge_count[node]
        likeliest = first
        whole = 0.0
        for edge in range(first, last):
            whole += tree.strategy_sum[edge]
            if tree.strategy_sum[edge] > tree.strategy_sum[likeliest]:
                likeliest = edge
        least *= whole
        kept = 0.0
        for edge in range(first, last):
            kept += tree.strategy_sum[edge] if tree.strategy_sum[edge] >= least else 0.0
        roll = self.fraction() * kept
        for edge in range(first, last):
            if tree.strategy_sum[edge] >= least and tree.strategy_sum[edge] > 0:
                if roll < tree.strategy_sum[edge]:
                    return edge
                roll -= tree.strategy_sum[edge]
        return likeliest

    def is_decided(self, node: int, left: float) -> bool:
        """Return whether no other edge can still overtake the best one."""
        tree = self.tree
        if tree.is_mixed[node]:
            return False
        if node == self.root_node:
            return self.candidates_left == 1
        best = 0
        second = 0
        for edge in range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node]):
            if tree.edge_visits[edge] > best:
                second = best
                best = tree.edge_visits[edge]
            elif tree.edge_visits[edge] > second:
                second = tree.edge_visits[edge]
        return best - second > left

    def fraction(self) -> float:
        """Return a random number from 0 to below 1."""
        return self.dice.below(FRACTION_STEPS) / (1.0 * FRACTION_STEPS)

    # --- Learning -----------------------------------------------------------------------------

    def backpropagate(self) -> None:
        """Add the simulation's values to every edge on its path."""
        tree = self.tree
        self.update_statistics()
        for step in range(self.steps):
            node = self.node[step]
            edge = self.edge[step]
            if tree.is_mixed[node] and self.sampling_probability[step] > 0:
                self.update_sampled_regret(node, edge, self.sampling_probability[step])
            tree.visits[node] += 1
            tree.edge_visits[edge] += 1
            for seat in range(self.seats):
                tree.value_sum[edge * self.seats + seat] += self.values.share[seat]

    def update_statistics(self) -> None:
        """Update the running mean and variance of each seat's value."""
        for seat in range(self.seats):
            more = self.values.share[seat] - self.mean[seat]
            self.mean[seat] += MEAN_STEP * more
            self.variance[seat] += MEAN_STEP * (more * more - self.variance[seat])

    def update_sampled_regret(self, node: int, chosen: int, sampling_probability: float) -> None:
        """Update the regrets of a node from one simulation of one edge."""
        tree = self.tree
        seat = tree.seat[node]
        more = self.values.share[seat] - self.node_mean(node, seat)
        for edge in range(tree.first_edge[node], tree.first_edge[node] + self.width(node)):
            tree.regret[edge] -= more
            if edge == chosen:
                tree.regret[edge] += more / sampling_probability
            if tree.regret[edge] < 0:
                tree.regret[edge] = 0.0  # as in CFR+, so that a bad action can recover


def logarithm(number: int) -> float:
    """Return about the natural logarithm, the same interpreted and compiled."""
    whole = 0
    while number >> whole > 1:
        whole += 1
    return 0.6931471805599453 * (whole + number / (1.0 * (1 << whole)) - 1.0)
