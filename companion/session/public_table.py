"""The public table: what all screens show of the state, made again only when something of it has changed."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from companion.fusion.detections import SensedTable
from companion.fusion.tracker import Tracker
from companion.games.api import BOARD, CAMERA, SENSES, TableGame
from companion.session.narration import last_verdict, subject_name
from companion.session.stream.events import SensorHealth, Table


class Shown(NamedTuple):
    """What a table shows beside the state."""

    senses: frozenset[str]
    """Senses that watch the table now."""
    turned_up: Any
    """What players were shown, see `PlayerStatements`."""
    paused: bool
    provisional: tuple[str, ...]
    """Messages that are not firm yet."""
    put_right: str
    """What lies otherwise since an action was taken back; empty for nothing."""
    settled: bool
    """Whether every source is done with what it saw last."""
    open_claims: tuple[int, ...]
    """Subjects (from 0) of the claims that wait for their cards."""


class PublicTable:
    """Makes the tables of one session."""

    def __init__(self, game: TableGame[Any, Any], assist: str) -> None:
        self._game, self._assist = game, assist
        self.last: Table | None = None
        """The one that was published last."""
        self._made_of: object = None

    def made(self, tracker: Tracker[Any, Any], shown: Shown, state: Any = None) -> Table:
        """The table of the published state, or of another one as it would be shown."""
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
        """The table if it differs from the last one; most batches of a table at rest change nothing."""
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
    """Senses that watch the table now: those that are not away and have reported anything, health or what they
    sense. One that was found to miss signs still watches."""
    heard = {CAMERA: bool(sensed.zones), BOARD: bool(sensed.counts)}
    return frozenset(
        sense for sense in SENSES if sense not in sensed.silent and (sense in health or heard[sense])
    )
