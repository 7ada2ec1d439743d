"""The budget of work for one batch: counted, not timed, so the same observations always give the same game."""

BATCH_WORK = 36_000
"""Work of one batch, about as many microseconds on a desktop. Of a game's 3,000 batches one or two need more;
they go on in the next batch."""
EXPANDED, TRIED, FOLLOWED = 13, 4, 7
"""Work of a hypothesis that is expanded, of an action tried there, and of an association of this action.

These and the next two are fitted to the times of 2,600 searches of 7 games; with them the correlation is 0.98.
"""
ASSOCIATED, OPENED = 24, 40
"""Work of associating an action with the open detections, and of listing what a hypothesis leaves open."""


class WorkBudget:
    """What is left of the work of a batch. The searches of one tracker share it."""

    def __init__(self) -> None:
        self.left = BATCH_WORK
        """Negative once the last piece of work was larger than what was left."""

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0

    def refill(self) -> None:
        """A batch begins."""
        self.left = BATCH_WORK
