"""Rehearsal of a long sensor outage, after which people repair the companion's picture by keys."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.games.api import TableGame
from companion.rehearse.watched_session import WatchedSession
from companion.sensing.observation import Count, Health, Observation, Reach, Sighting
from companion.session.stream.commands import Command, EndGame, TableIsRight
from companion.virtual.ground_truth import ClaimTruth, TruthEntry
from companion.virtual.rehearsal_api import RehearsedGame

READ_S, KEY_S = 5.0, 2.0
"""Times (s) that people need. READ_S: from seeing that the screen is wrong to a key. KEY_S: from one key to the
next. Guesses."""
PARTS = {"camera": ("camera",), "board": ("board",), "all": ("camera", "board")}
"""Kind of outage (one of OUTAGES) -> sources of observations that are away during it."""
KEYS = {TableIsRight: 2, EndGame: 2}
"""Command -> number of keys that people press for it. TableIsRight: t, then the player's number or enter.
EndGame: f and a confirmation. TableIsRight takes one key more for each claim whose failure went unseen, or was
wrongly concluded."""


@dataclass(frozen=True, slots=True)
class Outage:
    """Time in which some sensors report nothing, from `begin` to `end` (s).

    `what`: one of OUTAGES, the sensors that are away.
    """

    what: str
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class OutageReport:
    """How a game went on after an outage.

    `keys`: keys that people pressed to repair the companion's picture. `followed`: whether the companion found
    the end of the game without a key. `score_right`: whether its final score was right.
    """

    keys: int
    followed: bool
    score_right: bool


def plan_outage(what: str, seconds: float, start: float, end: float, chance: Random) -> Outage:
    """Plan an outage of `seconds` at a random time between `start` and `end` of a game (s).

    The outage ends before the game does. If it is longer than the game, it begins at `start`. `what`: one of
    OUTAGES.
    """
    begin = chance.uniform(start, max(start, end - seconds))
    return Outage(what, begin, begin + seconds)


def cut(heard: Sequence[Observation], outage: Outage) -> Iterator[Observation]:
    """Remove the observations that an outage makes impossible.

    `heard` is in time order. When the outage begins and ends, a Health report of each absent source is added.
    At the end, zones and scales that changed meanwhile report their content once.
    """
    parts = PARTS[outage.what]
    told: dict[str, Observation] = {}
    there: dict[str, Observation] = {}
    back = False
    gone = False
    for seen in heard:
        if not gone and seen.t >= outage.begin:
            gone = True
            yield from (Health(outage.begin, part, False, "no answer") for part in parts)
        if not back and seen.t >= outage.end:
            back = True
            yield from (Health(outage.end, part, True) for part in parts)
            for place, last in there.items():
                if place not in told or _content(told[place]) != _content(last):
                    yield replace(last, t=outage.end)
        away = gone and not back and _part(seen) in parts
        if isinstance(seen, Sighting | Count):
            place = seen.zone if isinstance(seen, Sighting) else f"scale {seen.station}"
            there[place] = seen
            if not away:
                told[place] = seen
        if not away:
            yield seen


def _part(seen: Observation) -> str:
    if isinstance(seen, Health):
        return seen.source
    return "camera" if isinstance(seen, Sighting | Reach) else "board"


def _content(seen: Observation) -> object:
    return seen.n if isinstance(seen, Count) else seen.cards if isinstance(seen, Sighting) else None


def turns(
    rules: TableGame[Any, Any], game: RehearsedGame, entries: Iterable[TruthEntry], players: int
) -> list[tuple[float, int]]:
    """Begin (s) of each turn, and its player (from 1).

    `entries`: the true actions of the game, in time order.
    """
    begun = (entry.t0 for entry in entries if game.begins_turn(rules.read_action(entry.action)))
    return [(t, number % players + 1) for number, t in enumerate(begun)]


class Minder:
    """Virtual person who sees a wrong screen after an outage, and presses keys when a turn begins.

    `keys` counts the keys.
    """

    def __init__(
        self,
        session: WatchedSession,
        game: RehearsedGame,
        outage: Outage,
        turns: Sequence[tuple[float, int]],
        wait: Callable[[float], None],
        truth: Any,
        claims: Sequence[ClaimTruth] = (),
    ) -> None:
        """`turns`: begin (s) and player (from 1) of each turn.

        `wait` lets a time (s) pass. `truth`: the game's true last state, whose score people see. `claims`: what
        people know of claims.
        """
        self.keys = 0
        self._claims = claims
        self._truth = truth
        self._session = session
        self._game = game
        self._turns = [turn for turn in turns if turn[0] >= outage.end + READ_S]
        self._wait = wait
        self._wrong = True
        """Whether the screen has been wrong since the last turn began. It starts as true, as people look closer
        after an outage."""
        self._player: int | None = None
        """Player (from 1) whose turn it is. None if no turn has begun since the outage."""

    def look(self, at: float) -> None:
        """Look at the screen; press keys if it stays wrong.

        `at`: planned time (s). Keys are pressed only when a turn begins, and only if the screen was wrong
        during the whole turn before.
        """
        session = self._session
        if self._wrong and session.table.player == self._player and not session.tracker.differences():
            self._wrong = False
        while self._turns and self._turns[0][0] <= at:
            _, player = self._turns.pop(0)
            if not self._turns or self._turns[0][0] > at:
                self._begin(at, player)

    def _begin(self, at: float, player: int) -> None:
        self._player = player
        if self._right(player):
            self._wrong = False
            return
        if not self._wrong:
            # The screen may only be late.
            self._wrong = True
            return
        self._wait(READ_S)
        if not self._right(player):
            failed = {str(one.subject) for one in self._claims if one.t <= at and not one.true}
            judged = {str(one.subject) for one in self._claims if one.t <= at}
            found = self._session.position()
            told = tuple(int(one.id) for one in found.unseen if one.id in failed)
            playing = tuple(int(one.id) for one in found.judged if one.id not in judged)
            self.press(TableIsRight(player, told, playing))
        self._wrong = False

    def end(self) -> bool:
        """Let the person end the game, by a key if the companion has not noticed the end.

        Returns whether the companion had noticed it. Then a wrong score is still repaired by keys.
        """
        if not self._session.over:
            self._wait(READ_S)
        if not self._session.over:
            self.press(EndGame())
            return False
        if not self._game.score_right(self._truth, self._session.tracker.state):
            self.press(TableIsRight())
        return True

    def press(self, command: Command) -> None:
        """Give a command to the session as a person does by keys, and add their number to `keys`.

        `command`: TableIsRight or EndGame.
        """
        self.keys += KEYS[type(command)]
        if isinstance(command, TableIsRight):
            self.keys += len(command.refuted) + len(command.playing)
            if self._session.over:  # The screen asks whether a new game lies there.
                command = replace(command, new_game=False)
                self.keys += 1
        self._session.step([], [command])
        self._wait(KEY_S)

    def _right(self, player: int) -> bool:
        tracker = self._session.tracker
        return self._game.awaits(tracker.state, player - 1) and not tracker.differences()
