"""What virtual people do by mistake and take back, between two actions that a perfect rig tells of."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from companion.virtual.rehearsal_api import Batch, Doing

SEEN_BATCHES = (2, 6)
"""Number of reports of the mistake before somebody takes it back (about 2 to 8 s)."""


def lingering(done: Sequence[Batch], undone: Sequence[Batch], chance: Random) -> list[Batch]:
    """A mistake: what is done, stays in sight for a while, and is undone."""
    return [*done, *[done[-1]] * chance.randint(*SEEN_BATCHES), *undone]


def with_mistakes(doings: Iterable[Doing], rate: float, chance: Random) -> Iterator[Doing]:
    """The game with mistakes: before a doing that offers any, one of them with probability `rate`."""
    for doing in doings:
        if doing.mistakes and chance.random() < rate:
            yield Doing(None, list(chance.choice(doing.mistakes)))
        yield doing
