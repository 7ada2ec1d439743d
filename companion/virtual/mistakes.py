"""Mistakes of virtual people, made and undone between two actions, as a perfect rig reports them."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from companion.virtual.rehearsal_api import Batch, Doing

SEEN_BATCHES = (2, 6)
"""Range of the number of reports before a mistake is undone. About 2 to 8 s. A guess."""


def lingering(done: Sequence[Batch], undone: Sequence[Batch], chance: Random) -> list[Batch]:
    """Batches of a mistake that is made, stays in sight for a while, and is undone."""
    return [*done, *[done[-1]] * chance.randint(*SEEN_BATCHES), *undone]


def with_mistakes(doings: Iterable[Doing], rate: float, chance: Random) -> Iterator[Doing]:
    """Add mistakes to a game.

    Before an action that offers any, one is made with probability `rate`.
    """
    for doing in doings:
        if doing.mistakes and chance.random() < rate:
            yield Doing(None, list(chance.choice(doing.mistakes)))
        yield doing
