"""The table at rest before each action, kept so that hands can lay the cards back."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from companion.virtual.world import Thing

MOST_MOMENTS = 40
"""MOST_MOMENTS: number of actions that can be laid back at most. A guess: a few turns of each player."""
MOST_APART = 2
"""MOST_APART: number of kinds of differences (row, deck, pile) up to which a state is taken for the tracked
one. A camera alone knows no hidden card, and a game may have been seen wrongly before. A guess."""
Differences = Callable[[Any, Any], Sequence[str]]
"""(true state, tracked state) -> differences in words."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The table at rest in one true state: what lies where, what the scales bear, what the players know."""

    state: Any
    action: str
    """The action that is done then, in the notation of the rules."""
    things: Mapping[str, Thing]
    loads: Mapping[str, float]
    """Grams on each scale, without those of wear."""
    places: tuple[Any, ...]
    """Lists and dicts of the game that say which card is where."""
    policy: Any
    logged: int
    """Number of actions done so far."""


class Moments:
    """The last moments at rest, oldest first."""

    def __init__(self) -> None:
        self._kept: deque[Moment] = deque(maxlen=MOST_MOMENTS)

    def keep(self, moment: Moment) -> None:
        """Add the newest moment."""
        self._kept.append(moment)

    def find(self, tracked: Any, action: str, now: Any, differences: Differences) -> Moment | None:
        """The newest moment whose state is most like the tracked one, and in which this action was done.

        `now` is the state that the table is in, or will be in once it rests. None if no moment is more like
        the tracked state than that, or none is like it at all. A companion may know less of an action than the
        table: among states that are equally like, the whole action decides, then its first word.
        """

        def unlike(state: Any, done: str) -> tuple[int, int]:
            acts = 0 if done == action else 1 if _first_word(done) == _first_word(action) else 2
            return len(differences(state, tracked)), acts

        best, least = None, min(unlike(now, ""), (MOST_APART + 1, 0))
        for moment in reversed(self._kept):
            apart = unlike(moment.state, moment.action)
            if apart < least:
                best, least = moment, apart
        return best

    def drop_from(self, moment: Moment) -> None:
        """Forget this moment and all later ones: the table is there again."""
        while self._kept and self._kept.pop() is not moment:
            pass


def _first_word(action: str) -> str:
    return action.replace("=", " ").partition(" ")[0]


def filled_again(containers: Sequence[Any], kept: Sequence[Any]) -> None:
    """Give lists, dicts and deques the content that they had when `kept` was copied from them."""
    for container, content in zip(containers, deepcopy(tuple(kept)), strict=True):
        container.clear()
        if isinstance(container, dict):
            container.update(content)
        else:
            container.extend(content)
