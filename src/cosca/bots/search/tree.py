"""What a search remembers: for each thing a seat may know, what came of each of its priors.

A node is found by what its seat knows, not by the way that led there. So two ways to the same
knowledge are one node, and after a move the tree is still good for the next one.
"""

from array import array
from typing import Any

from cosca.core.evaluator import Priors
from cosca.core.names import Action, Seat

FEWEST_NODES = 256
MOST_NODES = 262_144  # when they are used up nothing new is remembered
FEWEST_EDGES = 4096
MOST_EDGES = 4_194_304
NOTHING = -1


class Tree:
    """Nodes in arrays, with the edges of each one after another, the best looking first."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.most_nodes = FEWEST_NODES
        self.most_edges = FEWEST_EDGES
        self.nodes = 0
        self.edges = 0
        self.mask = 4 * FEWEST_NODES - 1
        self.place = array("i", [NOTHING]) * (4 * FEWEST_NODES)  # from knowledge to node
        nodes, edges = self.most_nodes, self.most_edges
        self.key = array("Q", [0]) * nodes
        self.seat = array("i", [0]) * nodes
        self.first = array("i", [0]) * nodes  # edge
        self.count = array("i", [0]) * nodes  # of edges
        self.mixed = array("i", [0]) * nodes
        self.visits = array("i", [0]) * nodes
        self.action = array("i", [0]) * edges
        self.tried = array("i", [0]) * edges
        self.weight = array("d", [0.0]) * edges  # all of a node make one
        self.regret = array("d", [0.0]) * edges  # where play is mixed
        self.mix = array("d", [0.0]) * edges  # how often it was to be played, there
        self.sums = array("d", [0.0]) * (edges * seats)  # of shares, for each seat

    def find(self, key: int) -> int:
        """The node of that knowledge, or NOTHING."""
        at = key & self.mask
        while self.place[at] != NOTHING:
            if self.key[self.place[at]] == key:
                return self.place[at]
            at = (at + 1) & self.mask
        return NOTHING

    def add(self, key: int, seat: Seat) -> int:
        """A new node, of which no move is known yet; NOTHING if there is no room."""
        if self.nodes == self.most_nodes:
            return NOTHING
        node = self.nodes
        self.nodes += 1
        self.key[node] = key
        self.seat[node] = seat
        self.count[node] = 0
        self.visits[node] = 0
        self.remember(node)
        return node

    def open(self, node: int, priors: Priors) -> bool:
        """Give a node its priors, the best first; whether there was room."""
        if self.edges + priors.count > self.most_edges:
            return False
        self.first[node] = self.edges
        self.count[node] = priors.count
        self.mixed[node] = priors.mixed
        whole = 0.0
        for i in range(priors.count):
            whole += priors.weight[i]
        for i in range(priors.count):
            self.insert(self.first[node], i, priors.action[i], priors.weight[i] / whole)
        self.edges += priors.count
        return True

    def forget(self, node: int) -> None:
        """What came of the priors of a node; but not of those that follow."""
        self.visits[node] = 0
        for edge in range(self.first[node], self.first[node] + self.count[node]):
            self.tried[edge] = 0
            self.regret[edge] = 0.0
            self.mix[edge] = 0.0
            for seat in range(self.seats):
                self.sums[edge * self.seats + seat] = 0.0

    def insert(self, first: int, number: int, action: Action, weight: float) -> None:
        """One more edge after so many others, before all that look worse."""
        at = first + number
        while at > first and self.weight[at - 1] < weight:
            self.action[at] = self.action[at - 1]
            self.weight[at] = self.weight[at - 1]
            at -= 1
        self.action[at] = action
        self.weight[at] = weight
        last = first + number
        self.tried[last] = 0
        self.regret[last] = 0.0
        self.mix[last] = 0.0
        for seat in range(self.seats):
            self.sums[last * self.seats + seat] = 0.0

    def remember(self, node: int) -> None:
        """From now on the node is found by its knowledge."""
        at = self.key[node] & self.mask
        while self.place[at] != NOTHING:
            at = (at + 1) & self.mask
        self.place[at] = node

    def grow(self) -> None:
        """Make room for twice as much before it runs out."""
        if 2 * self.nodes > self.most_nodes and self.most_nodes < MOST_NODES:
            self.grow_nodes()
        if 2 * self.edges > self.most_edges and self.most_edges < MOST_EDGES:
            self.grow_edges()

    def grow_nodes(self) -> None:
        """Room for twice as many nodes."""
        self.most_nodes *= 2
        self.key = twice("Q", self.key)
        self.seat = twice("i", self.seat)
        self.first = twice("i", self.first)
        self.count = twice("i", self.count)
        self.mixed = twice("i", self.mixed)
        self.visits = twice("i", self.visits)
        self.mask = 4 * self.most_nodes - 1
        self.place = array("i", [NOTHING]) * (4 * self.most_nodes)
        for node in range(self.nodes):
            self.remember(node)

    def grow_edges(self) -> None:
        """Room for twice as many edges; most nodes never get theirs."""
        self.most_edges *= 2
        self.action = twice("i", self.action)
        self.tried = twice("i", self.tried)
        self.weight = twice("d", self.weight)
        self.regret = twice("d", self.regret)
        self.mix = twice("d", self.mix)
        self.sums = twice("d", self.sums)


def twice(typecode: str, values: Any) -> Any:
    """The same numbers, with as many zeros after them."""
    longer = array(typecode)
    longer.frombytes(bytes(values))
    longer.frombytes(bytes(len(values) * longer.itemsize))
    return longer
