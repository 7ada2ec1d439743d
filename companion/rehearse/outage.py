"""Rehearsal of a long sensor outage, after which people repair the companion's picture by keys."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.games.table_game import TableGame
from companion.rehearse.watched_session import WatchedSession
from companion.sensing.observation import Count, Health, Observation, Reach, Sighting
from companion.session.stream.commands import Command, EndGame, TableIsRight
from companion.virtual.ground_truth import ClaimTruth, TruthEntry
from companion.virtual.rehearsal_api import RehearsedGame

READ_S, KEY_S = 5.0, 2.0
"""READ_S: time (s) from seeing a wrong screen to the first key. KEY_S: time (s) for each command.

Guesses.
"""
PARTS = {"camera": ("camera",), "board": ("board",), "all": ("camera", "board")}
"""Kind of outage (one of OUTAGES) -> sources that report nothing during it."""
KEYS = {TableIsRight: 2, EndGame: 2}
"""Command -> number of keys that people press for it.

TableIsRight ("the table is right", the companion is not): t, then the player's number or enter. One key more
is added for each claim that is named as failed or as still open. EndGame: f and a confirmation.
"""


@dataclass(frozen=True, slots=True)
class Outage:
    """Time from `begin` to `end` (s) without sensor reports.

    `what`: the sensors that are away: "camera", "board" or "all".
    """

    what: str
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class OutageReport:
    """How the companion followed a game after an outage.

    `keys`: keys that people pressed to repair its picture. `followed`: whether the companion noticed the end
    of the game without a key. `score_right`: whether its final score was right.
    """

    keys: int
    followed: bool
    score_right: bool


def plan_outage(what: str, seconds: float, start: float, end: float, chance: Random) -> Outage:
    """Plan an outage at random between `start` and `end` (s) of a game.

    `seconds`: its duration. The outage ends by `end`, unless it is longer than that time: then it begins at
    `start`. `what`: the sensors that are away: "camera", "board" or "all".
    """
    begin = chance.uniform(start, max(start, end - seconds))
    return Outage(what, begin, begin + seconds)


def cut(heard: Sequence[Observation], outage: Outage) -> Iterator[Observation]:
    """Remove the observations that absent sensors cannot make.

    `heard` is in time order. When the outage begins and ends, a Health report of each absent source is added.
    At the outage's end, each zone and scale that changed meanwhile reports its content once.
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
            yield from _changed_meanwhile(told, there, outage.end)
        away = gone and not back and _part(seen) in parts
        if isinstance(seen, Sighting | Count):
            place = seen.zone if isinstance(seen, Sighting) else f"scale {seen.station}"
            there[place] = seen
            if not away:
                told[place] = seen
        if not away:
            yield seen


def _changed_meanwhile(
    told: Mapping[str, Observation], there: Mapping[str, Observation], t: float
) -> Iterator[Observation]:
    """What each zone and scale holds that changed while nobody looked, seen at `t` (s).

    `told`: place -> last observation that was passed on. `there`: place -> last one that was true.
    """
    for place, last in there.items():
        if place not in told or _content(told[place]) != _content(last):
            yield replace(last, t=t)


def _part(seen: Observation) -> str:
    """Source of an observation: "camera" or "board".

    A Health report names its source itself.
    """
    if isinstance(seen, Health):
        return seen.source
    return "camera" if isinstance(seen, Sighting | Reach) else "board"


def _content(seen: Observation) -> object:
    """What an observation says of its place, for comparison.

    The number of a count, the cards of a sighting; None for any other observation.
    """
    return seen.n if isinstance(seen, Count) else seen.cards if isinstance(seen, Sighting) else None


def turns(
    rules: TableGame[Any, Any], game: RehearsedGame, entries: Iterable[TruthEntry], players: int
) -> list[tuple[float, int]]:
    """List (begin in s, player from 1) of each turn, in time order.

    `rules`, `game`: the game, and its virtual people. `entries`: the true actions of the game, in time order.
    `players`: number of players, who take turns in order.
    """
    begun = (entry.t0 for entry in entries if game.begins_turn(rules.read_action(entry.action)))
    return [(t, number % players + 1) for number, t in enumerate(begun)]


class Minder:
    """Virtual person who repairs a wrong screen after an outage.

    The person presses keys only when a turn begins. `keys`: number of keys pressed so far.
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
        """Seat a virtual person before the screen of a game.

        `session`, `game`: the watching session, and the game's people. `outage`: when sensors are away.
        `turns`: begin (s) and player (from 1) of each turn. `wait` lets a time (s) pass. `truth`: the game's
        true last state, whose score people see. `claims`: all claims, and whether each was true.
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
        """Look at the screen, and repair it by keys if it stays wrong.

        `at`: planned time (s), never less than at the last call. Keys are pressed only when a turn begins, and
        only if the screen was wrong during the whole turn before.
        """
        session = self._session
        if self._wrong and session.table.player == self._player and not session.tracker.differences():
            self._wrong = False
        while self._turns and self._turns[0][0] <= at:
            _, player = self._turns.pop(0)
            if not self._turns or self._turns[0][0] > at:
                self._begin(at, player)

    def _begin(self, at: float, player: int) -> None:
        """Decide at a turn's begin whether to repair the screen.

        `at`: planned time (s). `player`: whose turn begins (from 1). A screen that is wrong for the first time
        is left alone. If it was wrong the whole turn before, the person waits READ_S. If it still is wrong,
        the person gives TableIsRight.
        """
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
        """Let the person check the end of the game, and repair it by keys.

        Returns whether the companion had noticed the end. If not, the person ends the game by keys. A wrong
        score at a noticed end is repaired by keys too.
        """
        if not self._session.over:
            self._wait(READ_S)
        if not self._session.over:
            self.press(EndGame())
            return False
        if not self._game.score_right(self._truth, self._session.tracker.state):
            self.press(TableIsRight())
        return True

    def report(self) -> OutageReport:
        """Check the end of the game (see `end`), and tell how the companion followed it."""
        followed = self.end()
        right = self._game.score_right(self._truth, self._session.tracker.state)
        return OutageReport(self.keys, followed, right)

    def press(self, command: Command) -> None:
        """Give the session a command; add its keys to `keys`.

        `command`: TableIsRight or EndGame. KEYS gives the number of its keys. Each claim that it names costs
        one key more. So does TableIsRight after the game's end, as the screen asks whether a new game lies
        there. Afterwards KEY_S (s) pass.
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
        """Whether the screen shows `player` (from 1) in turn, and the tracker finds no difference."""
        tracker = self._session.tracker
        return self._game.awaits(tracker.state, player - 1) and not tracker.differences()
