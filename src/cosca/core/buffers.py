"""Reusable buffers a state fills in: legal actions as spans, chance outcomes with weights."""


class Spans:
    """Legal actions as ascending, disjoint spans (first, last)."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.first: list[int] = [0] * 128
        self.last: list[int] = [0] * 128

    def clear(self) -> None:
        """Remove all spans."""
        self.count = 0
        self.total = 0

    def add(self, first: int, last: int) -> None:
        """Add all actions from first to last, both included."""
        self.first[self.count] = first
        self.last[self.count] = last
        self.count += 1
        self.total += last - first + 1

    def contains(self, action: int) -> bool:
        """Return whether an action is in one of the spans."""
        for i in range(self.count):
            if self.first[i] <= action <= self.last[i]:
                return True
        return False


class Outcomes:
    """The possible outcomes of a chance node, ascending, each with an integer weight."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.action: list[int] = [0] * 128
        self.weight: list[int] = [0] * 128

    def clear(self) -> None:
        """Remove all outcomes."""
        self.count = 0
        self.total = 0

    def add(self, action: int, weight: int) -> None:
        """Add an outcome with its weight."""
        self.action[self.count] = action
        self.weight[self.count] = weight
        self.count += 1
        self.total += weight
