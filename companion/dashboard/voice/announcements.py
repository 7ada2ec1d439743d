"""What is said aloud, from public events alone: turns, verdicts, scores and requests, each once."""

from collections.abc import Hashable
from dataclasses import dataclass

from companion.core.language import ENGLISH, LANGUAGES, current, tr
from companion.dashboard.model import PublicModel
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.voice.chimes import CHIMES, TURNS
from companion.dashboard.widgets.banner import what_blinds
from companion.session.stream.events import Claimed, ClaimHeard, Event, Question, Score, SensorHealth, Table

TURN, REQUEST, SIGHT, HEARD, VERDICT, SHOW, SCORE = (
    "turn", "request", "sight", "heard", "verdict", "show", "score",
)  # fmt: skip
"""Kinds of announcements.

TURN: whose turn it is. REQUEST: a question of the engine. SIGHT: the camera cannot see. HEARD: a claim was
heard (only a chime). VERDICT: the verdict on it. SHOW: cards that would settle a claim, if the camera saw
them. SCORE: the result of the game.
"""
URGENT = (SCORE, VERDICT, HEARD, SHOW, REQUEST, SIGHT, TURN)
"""URGENT: kinds of announcements, the most urgent first."""
TURN_S = 0.8
"""TURN_S: time (s) that a turn must last before it is announced, because it may still be revised. A guess."""
BLIND_S = 4.0
"""BLIND_S: time (s) for which the camera must see nothing before that is announced, because hands go away. A
guess."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """Announcement to people at the table: words, chime, or both.

    `kind`: one of URGENT. `words`: text to speak, in the language with the code `language` (ISO 639-1).
    Without words and chime, it withdraws the waiting announcement of its kind.
    """

    kind: str
    words: str = ""
    chime: str = ""
    """Name of a chime in CHIMES; "" for none."""
    after_s: float = 0.0
    """Time (s) for which the announcement waits before it is spoken.

    It may be withdrawn until then.
    """
    what: Hashable = None
    """Subject of the announcement, to compare; None for none.

    It is dropped if the last spoken announcement of its kind has an equal subject.
    """
    language: str = ENGLISH


class Announcer:
    """Chooses announcements for the events of a table, each once."""

    def __init__(self) -> None:
        self._turn = (0, 0)
        """Number and player of the last announced turn."""
        self._played = False
        """True once a game was seen in progress; only then is its score announced."""
        self._blinded = 0
        """Number of times that the camera went blind."""
        self._blind = False

    def hear(self, event: Event, model: PublicModel) -> list[Announcement]:
        """Announcements for an event of the engine; [] without any.

        `model` has already taken the event. Verdicts are left to `verdict`, which waits until the screen shows
        them.
        """
        if model.foreign:
            return []
        match event:
            case Table():
                return [*self._turn_of(event, model.names), *self._sight(model)]
            case SensorHealth():
                return self._sight(model)
            case ClaimHeard():
                return [Announcement(HEARD, chime="heard", what=event.t)]
            case Question("", _, _):
                return [Announcement(REQUEST)]
            case Question(text, _, name):
                return [_spoken(REQUEST, model.names.put_into(text), "asked", what=(name, self._turn))]
            case Score() if self._played:
                self._played = False
                return [_spoken(SCORE, model.names.put_into(event.text), "end")]
        return []

    def verdict(self, claimed: Claimed, names: PlayerNames) -> list[Announcement]:
        """Announcements for a verdict that the screen now shows.

        The second one names cards that would settle the claim, if there are any.
        """
        chime = claimed.verdict if claimed.verdict in CHIMES else ""
        what = (claimed.t, claimed.subject)
        said = [_spoken(VERDICT, names.put_into(claimed.text), chime, what=what)]
        if claimed.show:
            said.append(_spoken(SHOW, tr("Show the camera {cards}.", cards=claimed.show), what=what))
        return said

    def _turn_of(self, table: Table, names: PlayerNames) -> list[Announcement]:
        self._played |= not table.over and table.turn > 0
        turn = (table.turn, table.player)
        if table.over or not table.player:
            return [Announcement(TURN)] if table.over else []
        if turn == self._turn:
            return []
        self._turn = turn
        chime = f"turn {(table.player - 1) % len(TURNS) + 1}"
        who = names.name(table.player)
        words = (
            tr("{who}, it is up to you now.", who=who)
            if table.within
            else tr("{who}, it is your turn.", who=who)
        )
        return [_spoken(TURN, words, chime, after_s=TURN_S, what=turn)]

    def _sight(self, model: PublicModel) -> list[Announcement]:
        blind = bool(what_blinds(model))
        if blind == self._blind:
            return []
        self._blind = blind
        if not blind:
            return [Announcement(SIGHT)]
        self._blinded += 1
        return [_spoken(SIGHT, tr("I cannot see the table."), "asked", after_s=BLIND_S, what=self._blinded)]


def _spoken(
    kind: str, words: str, chime: str = "", *, after_s: float = 0.0, what: Hashable = None
) -> Announcement:
    return Announcement(kind, words, chime, after_s, what, spoken_language())


def spoken_language() -> str:
    """Language code (ISO 639-1) in which the voice speaks now.

    That of the screen; English if it is not in LANGUAGES.
    """
    code = current().code
    return code if code in LANGUAGES else ENGLISH
