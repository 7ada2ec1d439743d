"""The course of a recorded game: what was done when, each claim, and how it ended. No hidden card.

It is folded from a journal's actions alone, in a few milliseconds; observations are only looked at for their
times. Actions that were taken back are left out. One that a correction noted anew keeps its first time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import msgspec

from companion.core.errors import JournalError
from companion.fusion.hypothesis import Step
from companion.games.api import TableGame
from companion.games.registry import give_names
from companion.sensing.observation import Count, Health, Sighting
from companion.session.events import Claimed, Table
from companion.session.journal import Adopted, Done, Fold, Line, Observed, Opened, Revoked, read_good_lines
from companion.session.journal_replay import game_of
from companion.session.narration import verdict_of
from companion.session.retold_journal import AGAINST_RULES

LONGEST_TURN_S = 900.0
"""LONGEST_TURN_S: a turn that took longer was a break, and counts for no average (s)."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened: time since the first line (s), turn (from 1; 0 while it is laid out), player
    whose turn it is (from 1; 0 for nobody), sentence, and the verdict if it was a claim."""

    at: float
    turn: int
    player: int
    text: str
    claim: Claimed | None = None


@dataclass(slots=True)
class Course:
    """A recorded game from its first line to its last readable one."""

    path: Path
    opened: Opened
    moments: list[Moment] = field(default_factory=list)
    lasted_s: float = 0.0
    turns: int = 0
    actions: int = 0
    table: Table | None = None
    """The public table at the end; None before anything was done."""
    score: int | None = None
    """None for a game that did not come to its end, and where nobody knows the score."""
    out_of: int | None = None
    """None for a game that did not come to its end; the next four are empty then."""
    headline: str = ""
    counted: str = ""
    outcome: str = ""
    winners: tuple[int, ...] = ()
    """Players (from 1) who won, where players win."""
    turn_s: dict[int, tuple[int, float]] = field(default_factory=dict)
    """Player (from 1) -> number of turns and the time they took together (s)."""
    fault: str = ""
    """What is wrong with the journal after its last readable line; empty if nothing."""

    def claims(self, verdict: str) -> int:
        """The number of claims with this verdict."""
        return sum(one.claim is not None and one.claim.verdict == verdict for one in self.moments)


def course_of(path: Path) -> Course:
    """The course of the game in a journal; JournalError if nothing of it can be read."""
    found = read_good_lines(path)
    opened = found.lines[0]
    assert isinstance(opened, Opened)
    game = game_of(opened)
    give_names(game, opened.names)
    course = Course(path, opened, fault=found.fault)
    _fold(course, game, found.lines[1:])
    return course


@dataclass(slots=True)
class Action:
    """An action as it was noted: its text, time since the first line (s), and its moment if it is told."""

    text: str
    at: float
    moment: Moment | None


@dataclass(frozen=True, slots=True)
class Correction:
    """A batch at `t` (s) that took actions back; what it notes anew stands from number `start` on."""

    t: float
    revoked: Sequence[Action]
    start: int

    def give_times(self, done: Sequence[Action]) -> None:
        """Give what is noted anew the time at which it was first noted. An action that is new among them was
        done before the next one at the latest."""
        anew = done[self.start :]
        before, after = [one.text for one in self.revoked], [one.text for one in anew]
        for old, new, size in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
            for number in range(size):
                anew[new + number].at = self.revoked[old + number].at
        for one, following in zip(anew[-2::-1], anew[:0:-1], strict=True):
            one.at = min(one.at, following.at)


def _fold(course: Course, game: TableGame[Any, Any], lines: Sequence[Line]) -> None:
    opened = course.opened
    fold = Fold(game, game.empty_table(opened.variant, opened.players, opened.options))
    done: list[Action] = []
    corrected: Correction | None = None
    zero: float | None = None
    began, acted = False, 0.0
    for line in lines:
        t = getattr(line, "t", None)
        if t is not None:
            zero = t if zero is None or not began else zero
            began = began or not _bare(line)
            course.lasted_s = max(course.lasted_s, t - zero)
        before = fold.state
        try:
            fold.take(line)
        except JournalError:
            course.fault = course.fault or AGAINST_RULES
            break
        if isinstance(line, Done | Adopted):
            acted = line.t
        if corrected is not None and (isinstance(line, Revoked) or t != corrected.t):
            corrected.give_times(done)
            corrected = None
        match line:
            case Done(at, action):
                at -= zero or 0.0
                moment = _moment(game, before, game.read_action(action), fold.state, at)
                done.append(Action(action, at, moment))
            case Revoked(at, n):
                corrected = Correction(at, done[-n:], len(done) - n)
                del done[-n:]
    if corrected is not None:
        corrected.give_times(done)
    course.actions = fold.actions
    course.moments = by_turns([replace(one.moment, at=one.at) for one in done if one.moment is not None])
    if done:
        _end(course, game, fold.state)
    if course.out_of is not None:
        # Who looks at the score for long does not play.
        course.lasted_s = acted - (zero or 0.0)
    _time_turns(course)


def by_turns(moments: Sequence[Moment]) -> list[Moment]:
    """The moments with the player whose turn it was, who begins it, where others had to act in it."""
    whose: dict[int, int] = {}
    return [
        replace(one, player=whose.setdefault(one.turn, one.player)) if one.player else one for one in moments
    ]


def _bare(line: Line) -> bool:
    """Whether a line tells of nothing but a bare table: a journal begins with it, from whenever it was seen."""
    return isinstance(line, Observed) and all(
        isinstance(one, Health)
        or (isinstance(one, Sighting) and not one.cards)
        or (isinstance(one, Count) and not one.n)
        for one in line.o
    )


def _moment(game: TableGame[Any, Any], before: Any, action: Any, after: Any, at: float) -> Moment | None:
    step = Step(at, before, action, after)
    claim = verdict_of(game, step)
    message = game.message(before, action, after)
    if message is None and claim is None:
        return None
    view = game.screen(before, "referee")
    said = message.text if message is not None else claim.text if claim else ""
    return Moment(at, int(view["turn"]), int(view["player"]), said, claim)


def _end(course: Course, game: TableGame[Any, Any], state: Any) -> None:
    outcome = game.outcome(state)
    # While a game goes on, nobody may count what lies there.
    shown = game.screen(state, "referee" if outcome is None else "memory")
    course.table = msgspec.convert({"e": "table", **shown}, Table)
    course.turns = course.table.turn
    if outcome is None:
        return
    said = game.headline(outcome)
    course.score, course.out_of = outcome.score, outcome.out_of
    course.headline, course.counted, course.outcome = said.line, said.counted, outcome.text
    course.winners = tuple(
        place.player for place in course.table.places if place.player and place.badge == "won"
    )


def _time_turns(course: Course) -> None:
    """Count how long turns took: from a player's first moment in a turn to the first one of the next turn."""
    turn, player, began = 0, 0, 0.0
    for moment in course.moments:
        if not moment.turn or moment.turn == turn:
            continue
        took = moment.at - began
        if turn and player and took <= LONGEST_TURN_S:
            count, total = course.turn_s.get(player, (0, 0.0))
            course.turn_s[player] = (count + 1, total + took)
        turn, player, began = moment.turn, moment.player, moment.at
