"""The budget of work for one batch: counted, not timed, so the same observations always give the same game."""

from companion.fusion.parameters.search import WORK


class WorkBudget:
    """What is left of the work of a batch. The searches of one tracker share it."""

    def __init__(self) -> None:
        self.left = WORK.batch
        """Negative once the last piece of work was larger than what was left."""
        self._before = 0

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0

    @property
    def done(self) -> int:
        """Work of all batches so far."""
        return self._before + WORK.batch - self.left

    def refill(self) -> None:
        """A batch begins."""
        self._before += WORK.batch - self.left
        self.left = WORK.batch
