"""The budget of work for one batch: counted, not timed, so the same observations always give the same game."""

BATCH_WORK = 36_000
"""Work of one batch, about as many microseconds on a desktop. Of a game's 3,000 batches one or two need more;
they go on in the next batch."""
EXPANDED, TRIED, FOLLOWED = 12, 2, 4
"""Work of a hypothesis that is expanded, of an action tried there, and of an association of this action.

These and the next three lines are fitted to the times of the searches of 4 rough games; with them the
correlation is 0.98.
"""
ASSOCIATED, OPENED = 16, 44
"""Work of associating an action with the open detections, and of listing what a hypothesis leaves open."""
CARRIED = 30
"""Work of trying one step of a hidden layout's story with another layout."""
COMPARED, FOUND = 32, 4
"""Work of comparing a state with what lies there, and of a hypothesis among which those to keep are chosen."""


class WorkBudget:
    """What is left of the work of a batch. The searches of one tracker share it."""

    def __init__(self) -> None:
        self.left = BATCH_WORK
        """Negative once the last piece of work was larger than what was left."""
        self._before = 0

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0

    @property
    def done(self) -> int:
        """Work of all batches so far."""
        return self._before + BATCH_WORK - self.left

    def refill(self) -> None:
        """A batch begins."""
        self._before += BATCH_WORK - self.left
        self.left = BATCH_WORK
