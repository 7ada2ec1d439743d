"""The table at rest before each action, kept so that hands can lay the cards back."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from companion.virtual.parameters import PLAYERS
from companion.virtual.world import Thing

Differences = Callable[[Any, Any], Sequence[str]]
"""Function (true state, state tracked by a companion) -> their differences in words."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Table at rest before an action, so that it can be restored.

    `state`: the true state of the game.
    """

    state: Any
    action: str
    """Next action, in the notation of the rules."""
    things: Mapping[str, Thing]
    """Code -> thing on the table."""
    loads: Mapping[str, float]
    """Station -> load (g) on its scale, without drift and wear."""
    places: tuple[Any, ...]
    """Copies of the game's lists and dicts that say which card lies where."""
    policy: Any
    """Copy of the players' way to play, with what they know."""
    logged: int
    """Number of actions in the truth log so far."""


class Moments:
    """Latest moments of a game, 40 at most.

    A moment is the table before an action.
    """

    def __init__(self) -> None:
        self._kept: deque[Moment] = deque(maxlen=PLAYERS.most_moments)

    def keep(self, moment: Moment) -> None:
        """Add the moment before the next action.

        The oldest may be dropped.
        """
        self._kept.append(moment)

    def find(self, tracked: Any, action: str, now: Any, differences: Differences) -> Moment | None:
        """Find the moment to which a companion went back.

        The newest of equals is taken. `tracked`: the companion's state after it undid `action`. `now`: the
        state in which the table is, or will be once it rests. `differences`: compares states. None if no
        moment is more like `tracked` than `now`, or if all differ by more than 2 differences. A companion may
        know less of an action than the table. So among states that are equally like, the whole action decides,
        then its first word.
        """

        def unlike(state: Any, done: str) -> tuple[int, int]:
            acts = 0 if done == action else 1 if _first_word(done) == _first_word(action) else 2
            return len(differences(state, tracked)), acts

        best, least = None, min(unlike(now, ""), (PLAYERS.most_apart + 1, 0))
        for moment in reversed(self._kept):
            apart = unlike(moment.state, moment.action)
            if apart < least:
                best, least = moment, apart
        return best

    def drop_from(self, moment: Moment) -> None:
        """Forget `moment` and all later ones.

        The table returned to it.
        """
        while self._kept and self._kept.pop() is not moment:
            pass


def _first_word(action: str) -> str:
    return action.replace("=", " ").partition(" ")[0]


def filled_again(containers: Sequence[Any], kept: Sequence[Any]) -> None:
    """Restore the content of lists, dicts and deques in place.

    `kept`: copies of their contents, in the same order.
    """
    for container, content in zip(containers, deepcopy(tuple(kept)), strict=True):
        container.clear()
        if isinstance(container, dict):
            container.update(content)
        else:
            container.extend(content)
