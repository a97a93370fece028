"""Room that a state fills when it is asked: legal actions as spans, chance as weighted outcomes."""


class Spans:
    """Legal actions as spans (first, last), ascending and apart from one another."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.first: list[int] = [0] * 128
        self.last: list[int] = [0] * 128

    def clear(self) -> None:
        """Forget all spans."""
        self.count = 0
        self.total = 0

    def add(self, first: int, last: int) -> None:
        """All actions from first to last, both included."""
        self.first[self.count] = first
        self.last[self.count] = last
        self.count += 1
        self.total += last - first + 1

    def contains(self, action: int) -> bool:
        """Whether an action is in one of the spans."""
        for i in range(self.count):
            if self.first[i] <= action <= self.last[i]:
                return True
        return False


class Outcomes:
    """What chance may do, ascending, each with a weight."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.action: list[int] = [0] * 128
        self.weight: list[int] = [0] * 128

    def clear(self) -> None:
        """Forget all outcomes."""
        self.count = 0
        self.total = 0

    def add(self, action: int, weight: int) -> None:
        """One more thing chance may do."""
        self.action[self.count] = action
        self.weight[self.count] = weight
        self.count += 1
        self.total += weight
