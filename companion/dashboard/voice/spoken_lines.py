"""Lines of the plain form that wait to be spoken: the most urgent first, and none that is no longer true."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial

from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.plain.plain_lines import news_of
from companion.dashboard.voice.announcements import spoken_language
from companion.session.stream.events import (
    Advice,
    Claimed,
    ClaimHeard,
    Event,
    Goodbye,
    Position,
    Question,
    Refused,
    Score,
    SensorView,
    Table,
)
from companion.session.stream.virtual_table_events import TableState, WorldEvent, YourTurn

NEWS_OLD_S = 20.0
"""NEWS_OLD_S: longest time (s) that a line of urgency NEWS waits; then it is dropped. A guess."""


class Urgency(IntEnum):
    """Urgency of a line of text to speak.

    A smaller number is more urgent, and interrupts a greater one.
    """

    REPLY = 0
    """Answer to a command, or the reason why it was refused."""
    QUESTION = 1
    VERDICT = 2
    CHOICES = 3
    HINT = 4
    NEWS = 5


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """Line of text to speak: words, urgency, and language code (ISO 639-1)."""

    words: str
    urgency: Urgency
    holds: Callable[[], bool]
    """Function that returns True while the line is still true; once False, it will not be begun."""
    language: str


def lines_of_event(event: Event, lines: Sequence[str], model: PublicModel) -> list[SpokenLine]:
    """Lines to speak for an engine's event, with their urgency.

    `lines`: words on the event. `model` has already taken the event. Lines on a question, a hint or a table
    are dropped once a newer one has replaced it.
    """
    match event:
        case Question():
            return _spoken(lines, Urgency.QUESTION, lambda _: model.question == event)
        case Table():
            return _spoken(lines, Urgency.NEWS, lambda line: _is_news(line, model))
        case Advice():
            return _spoken(lines, Urgency.HINT, lambda _: model.advice == event)
        case Claimed() | ClaimHeard() | Score() | Goodbye():
            return _spoken(lines, Urgency.VERDICT)
        case Position() | Refused() | SensorView():
            return _spoken(lines, Urgency.REPLY)
    return _spoken(lines, Urgency.NEWS)


def lines_of_world(event: WorldEvent, lines: Sequence[str], world: WorldModel) -> list[SpokenLine]:
    """Lines to speak for an event of the virtual table, with their urgency.

    `lines`: words on the event. `world` has already taken the event. A seated person's choices are dropped
    once others have replaced them, or while the hand is hidden.
    """
    match event:
        case YourTurn():
            return _spoken(lines, Urgency.CHOICES, lambda _: world.turn == event and not world.hand_hidden)
        case TableState():
            return _spoken(lines, Urgency.NEWS)
    return _spoken(lines, Urgency.REPLY)


def replies(lines: Sequence[str]) -> list[SpokenLine]:
    """Spoken lines in answer to a command or choice.

    `lines`: their words; their urgency is REPLY.
    """
    return _spoken(lines, Urgency.REPLY)


def news(lines: Sequence[str]) -> list[SpokenLine]:
    """Lines to speak when nothing more urgent waits.

    `lines`: their words; their urgency is NEWS.
    """
    return _spoken(lines, Urgency.NEWS)


def _is_news(line: str, model: PublicModel) -> bool:
    return model.table is not None and line in news_of(model.table, model.names)


def _spoken(
    lines: Sequence[str], urgency: Urgency, holds: Callable[[str], bool] = lambda _: True
) -> list[SpokenLine]:
    language = spoken_language()
    return [SpokenLine(line, urgency, partial(holds, line), language) for line in lines]


class LinesToSpeak:
    """Queue of lines of text that wait to be spoken.

    Its methods must not be called by several threads at once.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[float, SpokenLine]] = []
        """Waiting lines, each with the time (s) at which it was added."""
        self.now: SpokenLine | None = None
        """Line that is being spoken; None for none."""

    def put(self, lines: Sequence[SpokenLine], now_s: float) -> bool:
        """Add lines to the queue, at time `now_s` (s).

        Returns True if the line being spoken must stop for a more urgent one. The stopped line is spoken again
        afterwards, unless it was news.
        """
        self._waiting += [(now_s, line) for line in lines]
        current_line, most_urgent = self.now, min((line.urgency for line in lines), default=None)
        if current_line is None or most_urgent is None or most_urgent >= current_line.urgency:
            return False
        if current_line.urgency < Urgency.NEWS:
            self._waiting.insert(0, (now_s, current_line))
        return True

    def forget(self, urgency: Urgency = Urgency.REPLY) -> bool:
        """Drop all waiting lines of one urgency.

        Returns True if the line being spoken has this urgency, and should stop.
        """
        self._waiting = [one for one in self._waiting if one[1].urgency != urgency]
        return self.now is not None and self.now.urgency == urgency

    def clear(self) -> bool:
        """Drop all lines that wait to be spoken.

        Returns True if a line is being spoken, which should stop.
        """
        self._waiting.clear()
        return self.now is not None

    def next(self, now_s: float) -> SpokenLine | None:
        """Remove the most urgent line from the queue, and return it to be spoken.

        None if no line waits. Of equally urgent lines the oldest comes first. Lines that are no longer true,
        and news older than NEWS_OLD_S at time `now_s` (s), are dropped.
        """
        self._waiting = [
            (put_s, line)
            for put_s, line in self._waiting
            if line.holds() and (line.urgency != Urgency.NEWS or now_s - put_s <= NEWS_OLD_S)
        ]
        first = min(self._waiting, key=lambda one: one[1].urgency, default=None)
        if first is not None:
            self._waiting.remove(first)
        return first[1] if first else None
