"""The public table: what all screens show of the state."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from companion.fusion.detections import SensedTable
from companion.fusion.tracker import Tracker
from companion.games.api import BOARD, CAMERA, SENSES, TableGame
from companion.session.narration import last_verdict, subject_name
from companion.session.stream.events import SensorHealth, Table


class Shown(NamedTuple):
    """What the public table shows beside the state of the game."""

    senses: frozenset[str]
    """Senses (CAMERA, BOARD) that watch the table now."""
    turned_up: Any
    """Claimed place -> kinds of cards seen face up."""
    paused: bool
    provisional: tuple[str, ...]
    """Messages that may still be revised, oldest first."""
    put_right: str
    """How the table differs since an undo; empty for none."""
    settled: bool
    """True if every source has finished processing what it saw last."""
    open_claims: tuple[int, ...]
    """Claimed places (from 0) whose claims wait for their cards."""


class PublicTable:
    """Makes the `Table` events of one session."""

    def __init__(self, game: TableGame[Any, Any], assist: str) -> None:
        self._game, self._assist = game, assist
        self.last: Table | None = None
        """The table published last; None before the first."""
        self._made_of: object = None

    def made(self, tracker: Tracker[Any, Any], shown: Shown, state: Any = None) -> Table:
        """Make the public table of `state`; None: the published state."""
        verdict = last_verdict(self._game, tracker.steps)
        state = tracker.state if state is None else state
        fields = {
            **self._game.screen(state, self._assist, shown.senses, shown.turned_up),
            "paused": shown.paused,
            "provisional": shown.provisional,
            "put_right": shown.put_right,
            "settled": shown.settled,
            "open_claims": [subject_name(self._game, state, one) for one in shown.open_claims],
            "verdict": None if verdict is None else {"id": verdict.id, "text": verdict.text},
        }
        return msgspec.convert({"e": "table", **fields}, Table)

    def news(self, tracker: Tracker[Any, Any], shown: Shown) -> Table | None:
        """Make the public table if it has changed, else None.

        Most batches change nothing.
        """
        made_of = (tracker.state, tracker.steps[-1] if tracker.steps else None, shown)
        if made_of == self._made_of:
            return None
        self._made_of = made_of
        table = self.made(tracker, shown)
        if table == self.last:
            return None
        self.last = table
        return table


def senses_of(sensed: SensedTable, health: Mapping[str, SensorHealth]) -> frozenset[str]:
    """The senses (CAMERA, BOARD) that watch the table now.

    A sense watches if it has reported anything and is not away. A sense that misses some events still watches.
    """
    heard = {CAMERA: bool(sensed.zones), BOARD: bool(sensed.counts)}
    return frozenset(
        sense for sense in SENSES if sense not in sensed.silent and (sense in health or heard[sense])
    )
