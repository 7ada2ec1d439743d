"""Course of a recorded game: moments, claims and end.

It has no hidden cards. It is folded from a journal's actions alone, in a few milliseconds. Observations only
give times, and claims that nothing answered. Actions that were taken back are left out. An action that a
correction notes anew keeps its first time.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import JournalError
from companion.core.language import text
from companion.fusion.claims.button_floods import ButtonFloods
from companion.fusion.hypothesis import Step
from companion.fusion.parameters.sensors import DETECTIONS
from companion.games.claims import Verdict
from companion.games.registry import give_names
from companion.games.table_game import TableGame
from companion.sensing.observation import Button, Count, Health, ManualEntry, Observation, Sighting
from companion.session.journal.journal import read_good_lines
from companion.session.journal.journal_fold import Fold
from companion.session.journal.journal_lines import (
    PLAYERS_NAMED,
    Adopted,
    Done,
    Line,
    Observed,
    Opened,
    Revoked,
    people_of,
)
from companion.session.journal.journal_replay import game_of
from companion.session.journal.retold_journal import AGAINST_RULES
from companion.session.narration import claim_heard, claimed, verdict_of
from companion.session.sensor_monitor import SENSORS_KNOWN
from companion.session.stream.events import Claimed, Table

MEANT_S = 10.0
"""A verdict may answer a claim made at another place up to this age (s): buttons may be crossed. A guess."""


class UnansweredClaim(NamedTuple):
    """A player's claim that has no verdict yet."""

    at: float
    """Time (s) since the journal's first line."""
    subject: int
    """Place or player that the claim is about, as an index from 0."""
    verdict: Claimed
    """Verdict that the claim gets if nothing answers it."""
    pressed: float
    """Time (s) of the press of a button or key, on the clock of the observations."""


@dataclass(slots=True)
class UnansweredClaims:
    """Keeps claims by button or key until a verdict answers them.

    Floods of presses, e.g. of a jammed button, are left out.
    """

    game: TableGame[Any, Any]
    floods: ButtonFloods
    paused: bool = False
    unanswered: list[UnansweredClaim] = field(default_factory=list)

    def hear(self, at: float, observations: Sequence[Observation], state: Any) -> None:
        """Add the claims among some observations.

        `at`: time (s) since the journal's first line. `state`: the game before these observations took
        effect.
        """
        self.floods.hear(observations)
        for seen in observations:
            match seen:
                case ManualEntry(_, "pause", args):
                    self.paused = bool(args.get("paused"))
                case Button(t, station) | ManualEntry(t, "claim", {"station": str(station)}):
                    if not self.paused and claim_heard(self.game, state, at, station) is not None:
                        self._note(at, station, state, t)
        self.unanswered = [one for one in self.unanswered if not self.floods.includes(one.pressed)]

    def _note(self, at: float, station: str, state: Any, pressed: float) -> None:
        subject = self.game.subject_at(state, station)
        # Pressing the button of an open claim again makes no new claim.
        again = any(one.subject == subject for one in self._lately(at))
        if subject is not None and not again:
            verdict = claimed(self.game, state, at, subject, Verdict.CANNOT_TELL, ())
            self.unanswered.append(UnansweredClaim(at, subject, verdict, pressed))

    def answered(self, at: float, subject: int) -> None:
        """Remove the claims that a verdict at `at` (s since the first line) answers: recent ones about
        `subject` (from 0).

        If there are none: the latest claim of the last MEANT_S.
        """
        lately = self._lately(at)
        meant = [one for one in lately if one.subject == subject]
        meant = meant or [one for one in lately if at - one.at < MEANT_S][-1:]
        rest = [one for one in lately if one not in meant]
        self.unanswered[len(self.unanswered) - len(lately) :] = rest

    def _lately(self, at: float) -> list[UnansweredClaim]:
        """Claims that a verdict at `at` (s) may still answer, oldest first: none older than
        `DETECTIONS.life_s`."""
        found = [*takewhile(lambda one: at - one.at < DETECTIONS.life_s, reversed(self.unanswered))]
        return found[::-1]


LONGEST_TURN_S = 900.0
"""A longer turn (s) was a break, and does not count in averages. A guess."""
LATELY = 40
"""When people have the program take over the table, so many latest actions are compared with it. A guess."""


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """A moment of a recorded game, in one sentence."""

    at: float
    """Time (s) since the journal's first line."""
    turn: int
    """Number of the turn, from 1; 0 before the first."""
    player: int
    """Player on turn, from 1; 0 for nobody."""
    text: str
    claim: Claimed | None = None
    """The claim with its verdict, if this moment is one. None: it is not."""


@dataclass(slots=True)
class Course:
    """What happened in a recorded game, from the journal's first line to the last that can be read."""

    path: Path
    opened: Opened
    moments: list[TimelineEntry] = field(default_factory=list)
    lasted_s: float = 0.0
    turns: int = 0
    actions: int = 0
    """Number of actions, without those taken back."""
    table: Table | None = None
    """What everybody saw of the table at the end. None if nothing was done."""
    score: int | None = None
    """Points at the end. None if the game did not end, or nobody knows them."""
    out_of: int | None = None
    """Highest possible score. None if the game did not end; then `headline`, `counted`, `outcome` and
    `winners` are empty."""
    headline: str = ""
    counted: str = ""
    outcome: str = ""
    winners: tuple[int, ...] = ()
    """Winning players, from 1. Empty in games that all win or lose together."""
    turn_s: dict[int, tuple[int, float]] = field(default_factory=dict)
    """Player (from 1) -> (number of turns, their total duration in s)."""
    fault: str = ""
    """What is wrong with the journal after the last line that can be read. "": nothing."""

    def claims(self, verdict: str) -> int:
        """Number of claims with this verdict."""
        return sum(one.claim is not None and one.claim.verdict == verdict for one in self.moments)


def course_of(path: Path) -> Course:
    """What happened in the game of a journal.

    JournalError if no line can be read.
    """
    found = read_good_lines(path)
    opened = found.lines[0]
    assert isinstance(opened, Opened)
    game = game_of(opened)
    give_names(game, opened.names)
    opened = msgspec.structs.replace(opened, people=people_of(opened, found.lines))
    course = Course(path, opened, fault=found.fault)
    fold = _CourseFold(course, game)
    for line in found.lines[1:]:
        if not fold.take(line):
            break
    fold.finish()
    return course


STAYS_OPEN = text("A claim stays open: {name}")
SEEMED = text("It seemed so, and the table lay otherwise: {told}")
"""Sentence for an action that turned out not to have happened when people had the table taken over."""
NOT_FOLLOWED = text("Not followed in turn {turn}: taken over from the table.")
"""Sentence for a turn whose actions no sensor saw."""
TURNS_NOT_FOLLOWED = text("Not followed from turn {first} to turn {last}: taken over from the table.")
"""Sentence for several turns whose actions no sensor saw."""


@dataclass(slots=True)
class Action:
    """An action in a journal.

    `text`: its notation. `at`: time (s) since the journal's first line.

    `moment`: what is told of it; None: nothing.
    """

    text: str
    at: float
    moment: TimelineEntry | None
    after: Any = None
    """The game after the action. None if it was taken over from the table."""
    contradicts: "Sequence[Action]" = ()
    """Earlier actions that turned out not to have happened, when people had the table taken over."""


@dataclass(frozen=True, slots=True)
class Correction:
    """At `t` (s), the actions `revoked` were taken back.

    Those recorded instead begin at the index `start`.
    """

    t: float
    revoked: Sequence[Action]
    start: int

    def give_times(self, done: Sequence[Action]) -> None:
        """Give each action that was recorded again the time when it was first recorded.

        A new one between them may get an earlier time: that of the action after it.
        """
        anew = done[self.start :]
        before, after = [one.text for one in self.revoked], [one.text for one in anew]
        for old, new, size in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
            for number in range(size):
                anew[new + number].at = self.revoked[old + number].at
        for one, following in zip(anew[-2::-1], anew[:0:-1], strict=True):
            one.at = min(one.at, following.at)


class _CourseFold:
    """Builds a course from a journal, line by line."""

    def __init__(self, course: Course, game: TableGame[Any, Any]) -> None:
        opened = course.opened
        self._course = course
        self._game = game
        self._fold = Fold(game, game.empty_table(opened.variant, opened.players, opened.options))
        self._claims = UnansweredClaims(game, ButtonFloods.of(game, opened.variant))
        self._done: list[Action] = []
        self._corrected: Correction | None = None
        self._zero: float | None = None
        self._began = False
        self._acted = 0.0
        """Time (s) of the latest action."""
        self._taken_over = -1.0
        """Time (s) at which people last had the table taken over."""

    def take(self, line: Line) -> bool:
        """Add the next line.

        False if the rules forbid it: the course ends before this line.
        """
        t = getattr(line, "t", None)
        if t is not None:
            self._time(t, line)
        before = self._fold.state
        if isinstance(line, Observed):
            self._claims.hear(self._at(line.t), line.o, before)
            self._taken_over = line.t if any(map(_takes_over, line.o)) else self._taken_over
        try:
            self._fold.take(line)
        except JournalError:
            self._course.fault = self._course.fault or AGAINST_RULES
            return False
        if self._corrected is not None and (isinstance(line, Revoked) or t != self._corrected.t):
            self._close_correction()
        match line:
            case Revoked():
                self._corrected = Correction(line.t, self._done[-line.n :], len(self._done) - line.n)
                del self._done[-line.n :]
            case Adopted():
                self._acted = line.t
                self._adopt(line, before)
            case Done():
                self._acted = line.t
                after, at = self._fold.state, self._at(line.t)
                self._done.append(_action(self._game, line, before, after, at, self._claims))
        return True

    def finish(self) -> None:
        """Complete the course with its moments and its end."""
        course = self._course
        self._close_correction()
        course.actions = self._fold.actions
        course.moments = _told(self._done, self._claims.unanswered)
        if self._done:
            _end(course, self._game, self._fold.state)
        if course.out_of is not None:
            # Looking at the score is not playing.
            course.lasted_s = self._at(self._acted)
        _time_turns(course)

    def _time(self, t: float, line: Line) -> None:
        """Let the game begin with the first line that reports a hand, a button or an action."""
        if self._zero is None or not self._began:
            self._zero = t
        self._began = self._began or not _only_lies(line)
        self._course.lasted_s = max(self._course.lasted_s, t - self._zero)

    def _at(self, t: float) -> float:
        """Time (s) since the game began."""
        return t - (self._zero or 0.0)

    def _adopt(self, line: Adopted, before: Any) -> None:
        done = self._done
        if line.back and done and done[-1].after is None:
            del done[-1]
        elif line.t == self._taken_over:
            done += _taken_over(self._game, self._at(line.t), before, self._fold.state, done)

    def _close_correction(self) -> None:
        if self._corrected is not None:
            self._corrected.give_times(self._done)
            self._corrected = None


def by_turns(moments: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    """The moments, each with the player who began its turn, even if others had to act in it."""
    whose: dict[int, int] = {}
    return [
        replace(one, player=whose.setdefault(one.turn, one.player)) if one.player else one for one in moments
    ]


def _told(done: Sequence[Action], unanswered: Sequence[UnansweredClaim]) -> list[TimelineEntry]:
    """Moments of some actions, and of claims that nothing answered."""
    for action in [wrong for one in done for wrong in one.contradicts]:
        if action.moment is not None:
            action.moment = replace(action.moment, text=SEEMED.of(told=action.moment.text))
    moments = by_turns([replace(one.moment, at=one.at) for one in done if one.moment is not None])
    return with_open_claims(moments, unanswered)


def _action(
    game: TableGame[Any, Any], line: Done, before: Any, after: Any, at: float, claims: UnansweredClaims
) -> Action:
    """The action in a journal's line.

    If its verdict answers a claim, that is removed from `claims`.
    """
    moment = _moment(game, before, game.read_action(line.a), after, at)
    if moment is not None and moment.claim is not None:
        claims.answered(at, moment.claim.subject - 1)
    return Action(line.a, at, moment, after)


def _takes_over(seen: Any) -> bool:
    return isinstance(seen, ManualEntry) and seen.what == "table_is_right"


def _taken_over(
    game: TableGame[Any, Any], at: float, before: Any, after: Any, done: Sequence[Action]
) -> list[Action]:
    """Moment of taking the table over.

    Empty if the cards lay as the program believed.

    Earlier moments that the table proves wrong are told as what they seemed.
    """
    was, now = game.screen(before, "referee"), game.screen(after, "referee")
    first, last = int(was["turn"]), int(now["turn"])
    if was == now or not first:
        return []
    wrong = _contradicted(game, now["places"], done) if first == last else ()
    said = TURNS_NOT_FOLLOWED.of(first=first, last=last) if last > first else NOT_FOLLOWED.of(turn=first)
    return [Action("", at, TimelineEntry(at, last, int(now["player"]), said), contradicts=wrong)]


def _contradicted(game: TableGame[Any, Any], places: Sequence[Any], done: Sequence[Action]) -> list[Action]:
    """The last action at each place where the table shows other cards than believed.

    `places`: the table as it lies. At most LATELY actions are compared, none from before an earlier
    take-over.
    """
    lately = [*takewhile(lambda one: one.after is not None, reversed(done[-LATELY:]))]
    looks = [[_look(place) for place in game.screen(one.after, "referee")["places"]] for one in lately]
    found = []
    for number, place in enumerate(places):
        if not looks or looks[0][number] == _look(place):
            continue
        since = next((back for back, look in enumerate(looks) if look[number] != looks[0][number]), 0)
        if since and (moment := lately[since - 1].moment) is not None and moment.turn:
            found.append(lately[since - 1])
    return found


def _look(place: Any) -> tuple[Any, ...]:
    """What a screen shows of a place's cards, for comparison."""
    return tuple(str(place.get(name, "")) for name in ("name", "badge", "shown"))


def with_open_claims(
    moments: Sequence[TimelineEntry], unanswered: Sequence[UnansweredClaim]
) -> list[TimelineEntry]:
    """The moments, with claims that nothing answered put in at their times."""
    latest = [*accumulate((one.at for one in moments), max)]
    found: list[TimelineEntry] = []
    taken = 0
    for claim in sorted(unanswered, key=lambda one: one.at):
        at = bisect_right(latest, claim.at)
        found += moments[taken:at]
        taken = at
        turn, player = (found[-1].turn, found[-1].player) if found else (0, 0)
        said = STAYS_OPEN.of(name=claim.verdict.name)
        found.append(TimelineEntry(claim.at, turn, player, said, claim.verdict))
    return [*found, *moments[taken:]]


def _only_lies(line: Line) -> bool:
    """True if a journal's line reports only what lies on the table, names, or what is known of sensors.

    A further game's journal begins with such lines, at times of the game before: a glass, too, lies there.
    """
    return isinstance(line, Observed) and all(
        isinstance(one, Health | Sighting | Count)
        or (isinstance(one, ManualEntry) and one.what in (PLAYERS_NAMED, SENSORS_KNOWN))
        for one in line.o
    )


def _moment(game: TableGame[Any, Any], before: Any, action: Any, after: Any, at: float) -> TimelineEntry | None:
    step = Step(at, before, action, after)
    claim = verdict_of(game, step)
    message = game.message(before, action, after)
    if message is None and claim is None:
        return None
    view = game.screen(before, "referee")
    said = message.text if message is not None else claim.text if claim else ""
    return TimelineEntry(at, int(view["turn"]), int(view["player"]), said, claim)


def _end(course: Course, game: TableGame[Any, Any], state: Any) -> None:
    outcome = game.outcome(state)
    # Nobody may count the cards of a game that goes on.
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
    """Add up each player's turns, from the first moment of a turn to the first of the next."""
    turn, player, began = 0, 0, 0.0
    for moment in course.moments:
        if not moment.turn or moment.turn == turn:
            continue
        took = moment.at - began
        if turn and player and took <= LONGEST_TURN_S:
            count, total = course.turn_s.get(player, (0, 0.0))
            course.turn_s[player] = (count + 1, total + took)
        turn, player, began = moment.turn, moment.player, moment.at
