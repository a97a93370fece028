"""The tree of a search: for each information state, statistics of each action.

A node is found by the key of its information state, not by the path that led there. So two paths to
the same knowledge share a node, and the tree can be reused after a move.
"""

from array import array
from typing import Any

from cosca.core.evaluator import Priors
from cosca.core.names import Action, Seat

INITIAL_NODES = 256
MAX_NODES = 262_144  # when they are used up, no node is added
INITIAL_EDGES = 4096
MAX_EDGES = 4_194_304
NO_NODE = -1


class Tree:
    """Nodes in arrays; the edges of a node lie together, highest prior first."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.node_capacity = INITIAL_NODES
        self.edge_capacity = INITIAL_EDGES
        self.nodes = 0
        self.edges = 0
        self.mask = 4 * INITIAL_NODES - 1
        self.slots = array("i", [NO_NODE]) * (4 * INITIAL_NODES)  # hash table from keys to nodes
        nodes, edges = self.node_capacity, self.edge_capacity
        self.key = array("Q", [0]) * nodes
        self.seat = array("i", [0]) * nodes
        self.first_edge = array("i", [0]) * nodes  # first edge of a node
        self.edge_count = array("i", [0]) * nodes  # edges of a node
        self.is_mixed = array("i", [0]) * nodes
        self.visits = array("i", [0]) * nodes
        self.action = array("i", [0]) * edges
        self.edge_visits = array("i", [0]) * edges
        self.prior = array("d", [0.0]) * edges  # those of a node add up to 1
        self.regret = array("d", [0.0]) * edges  # in mixed play
        self.strategy_sum = array("d", [0.0]) * edges  # sum of strategies, in mixed play
        self.value_sum = array("d", [0.0]) * (
            edges * seats
        )  # of shares of the victory, for each seat

    def find(self, key: int) -> int:
        """Return the node with this key, or NO_NODE."""
        at = key & self.mask
        while self.slots[at] != NO_NODE:
            if self.key[self.slots[at]] == key:
                return self.slots[at]
            at = (at + 1) & self.mask
        return NO_NODE

    def add(self, key: int, seat: Seat) -> int:
        """Return a new node without edges, or NO_NODE if there is no room."""
        if self.nodes == self.node_capacity:
            return NO_NODE
        node = self.nodes
        self.nodes += 1
        self.key[node] = key
        self.seat[node] = seat
        self.edge_count[node] = 0
        self.visits[node] = 0
        self.index_node(node)
        return node

    def expand(self, node: int, priors: Priors) -> bool:
        """Give a node its edges, highest prior first; return whether there was room."""
        if self.edges + priors.count > self.edge_capacity:
            return False
        self.first_edge[node] = self.edges
        self.edge_count[node] = priors.count
        self.is_mixed[node] = priors.mixed
        whole = 0.0
        for i in range(priors.count):
            whole += priors.weight[i]
        for i in range(priors.count):
            self.insert(self.first_edge[node], i, priors.action[i], priors.weight[i] / whole)
        self.edges += priors.count
        return True

    def reset(self, node: int) -> None:
        """Clear the statistics of a node, but not of those below it."""
        self.visits[node] = 0
        for edge in range(self.first_edge[node], self.first_edge[node] + self.edge_count[node]):
            self.edge_visits[edge] = 0
            self.regret[edge] = 0.0
            self.strategy_sum[edge] = 0.0
            for seat in range(self.seats):
                self.value_sum[edge * self.seats + seat] = 0.0

    def insert(self, first: int, number: int, action: Action, prior: float) -> None:
        """Insert an edge among the first ones of a node, before all with a lower prior."""
        at = first + number
        while at > first and self.prior[at - 1] < prior:
            self.action[at] = self.action[at - 1]
            self.prior[at] = self.prior[at - 1]
            at -= 1
        self.action[at] = action
        self.prior[at] = prior
        last = first + number
        self.edge_visits[last] = 0
        self.regret[last] = 0.0
        self.strategy_sum[last] = 0.0
        for seat in range(self.seats):
            self.value_sum[last * self.seats + seat] = 0.0

    def index_node(self, node: int) -> None:
        """Make the node findable by its key."""
        at = self.key[node] & self.mask
        while self.slots[at] != NO_NODE:
            at = (at + 1) & self.mask
        self.slots[at] = node

    def grow(self) -> None:
        """Double the capacity before it runs out."""
        if 2 * self.nodes > self.node_capacity and self.node_capacity < MAX_NODES:
            self.grow_nodes()
        if 2 * self.edges > self.edge_capacity and self.edge_capacity < MAX_EDGES:
            self.grow_edges()

    def grow_nodes(self) -> None:
        """Double the capacity for nodes."""
        self.node_capacity *= 2
        self.key = doubled("Q", self.key)
        self.seat = doubled("i", self.seat)
        self.first_edge = doubled("i", self.first_edge)
        self.edge_count = doubled("i", self.edge_count)
        self.is_mixed = doubled("i", self.is_mixed)
        self.visits = doubled("i", self.visits)
        self.mask = 4 * self.node_capacity - 1
        self.slots = array("i", [NO_NODE]) * (4 * self.node_capacity)
        for node in range(self.nodes):
            self.index_node(node)

    def grow_edges(self) -> None:
        """Double the capacity for edges; most nodes never get theirs."""
        self.edge_capacity *= 2
        self.action = doubled("i", self.action)
        self.edge_visits = doubled("i", self.edge_visits)
        self.prior = doubled("d", self.prior)
        self.regret = doubled("d", self.regret)
        self.strategy_sum = doubled("d", self.strategy_sum)
        self.value_sum = doubled("d", self.value_sum)


def doubled(typecode: str, values: Any) -> Any:
    """Return the same numbers, followed by as many zeros."""
    longer = array(typecode)
    longer.frombytes(bytes(values))
    longer.frombytes(bytes(len(values) * longer.itemsize))
    return longer
