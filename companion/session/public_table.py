"""The public table: what all screens show, without secrets."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from companion import __version__
from companion.core.language import text
from companion.fusion.detections import SensedTable
from companion.fusion.tracker import Tracker
from companion.games.narrator import BOARD, CAMERA, SENSES
from companion.games.table_game import TableGame
from companion.session.mat_drawing import drawn_mat
from companion.session.narration import last_verdict, subject_name
from companion.session.stream.events import (
    PROTOCOL,
    CardView,
    LessonView,
    Position,
    SensorHealth,
    StatementView,
    Table,
    Welcome,
)


class Shown(NamedTuple):
    """Facts on the public table that are not part of the game state.

    `paused`: True if people have stopped the companion's conclusions.
    """

    senses: frozenset[str]
    """Those of CAMERA and BOARD that watch the table now."""
    turned_up: Any
    """Claimed place -> kinds of cards that lay face up there, known to all players."""
    paused: bool
    provisional: tuple[str, ...]
    """Sentences about actions that may still be revised, oldest first."""
    put_right: str
    """Sentence after an undo: what still lies wrong, and what to do. Empty once the table is right."""
    settled: bool
    """True if every camera has decoded all that it has seen."""
    open_claims: tuple[int, ...]
    """Claimed places (from 0) whose claims are not decided, but can be by turning up cards."""


class PublicTable:
    """Makes what every screen shows of a game: its `Welcome`, its `Table` events, and a `Position`.

    `assist`: most that hints may tell: referee (the rules), memory, nudge or coach (the move). Empty if
    nobody chose.
    """

    def __init__(self, game: TableGame[Any, Any], variant: str, players: int, assist: str) -> None:
        self._game, self._variant, self._players, self._assist = game, variant, players, assist
        self.last: Table | None = None
        """The table published last; None before the first."""
        self._made_of: object = None

    def welcome(
        self, state: Any, table: Table, player_names: tuple[str, ...], *, corner: bool, kept: bool
    ) -> Welcome:
        """Make the event that a new screen gets first.

        `state`: the published state; `table`: its public table. `player_names`: empty if players go by number.
        `corner`, `kept`: as in `Welcome`.
        """
        game, words, hands = self._game, self._game.words, self._game.hands
        return Welcome(
            PROTOCOL,
            __version__,
            game.name,
            self._variant,
            self._players,
            self._assist,
            words.titles,
            words.turn_titles,
            words.claim_title,
            words.tell_title,
            words.help,
            player_names,
            tuple(
                LessonView(one.when, one.title, one.text, one.section)
                for one in words.lessons
                if not one.variants or self._variant in one.variants
            ),
            msgspec.convert(hands.hand_cards(state) if hands else (), tuple[CardView, ...]),
            *drawn_mat(game, self._variant, state, len(table.places)),
            corner=corner,
            kept=kept,
            score_when=words.score_when,
        )

    def made(self, tracker: Tracker[Any, Any], shown: Shown, state: Any = None) -> Table:
        """Make the public table of `state` and the facts `shown`.

        `state`: None: the state that is published now.
        """
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
        """Make the public table if it differs from the one made by the last call; else None."""
        made_of = (tracker.state, tracker.steps[-1] if tracker.steps else None, shown)
        if made_of == self._made_of:
            return None
        self._made_of = made_of
        table = self.made(tracker, shown)
        if table == self.last:
            return None
        self.last = table
        return table

    def position(self, tracker: Tracker[Any, Any], shown: Shown, t: float) -> Position:
        """Make a preview of the game as it would go on at `t` (s) if the companion believed the table.

        The game does not change.
        """
        off = [self._game.difference(tracker.state, one) for one in tracker.differences()]
        now = self.made(tracker, shown)
        try:
            taken = tracker.proposal(t)
        except ValueError as error:
            return Position(
                now.player,
                lines=tuple(off),
                problem=text("That cannot be: {error}.", error=error.args[0]),
                within=now.within,
            )
        table = self.made(tracker, shown, taken.state)
        unseen, judged = (
            tuple(StatementView(str(subject + 1), told) for subject, told in subjects)
            for subjects in (taken.unseen, taken.judged)
        )
        lines = (*off, *taken.open)
        return Position(table.player, table.places, table.rows, lines, unseen, judged, within=table.within)


def senses_of(sensed: SensedTable, health: Mapping[str, SensorHealth]) -> frozenset[str]:
    """Those of CAMERA and BOARD that watch the table now.

    They have reported something, and are not away. One that misses some events still watches. `health`: source
    -> last report on it.
    """
    heard = {CAMERA: bool(sensed.zones), BOARD: bool(sensed.counts)}
    return frozenset(
        sense for sense in SENSES if sense not in sensed.silent and (sense in health or heard[sense])
    )
