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
"""Kinds of announcements. SIGHT: a blind camera. HEARD: a claim, a chime alone. SHOW: what would settle it."""
URGENT = (SCORE, VERDICT, HEARD, SHOW, REQUEST, SIGHT, TURN)
"""The most urgent kind first."""
TURN_S = 0.8
"""TURN_S: time for which a turn must have lasted until it is said (s): it may be put right meanwhile."""
BLIND_S = 4.0
"""BLIND_S: the same for a camera that cannot see (s): hands go away by themselves."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """Words and a chime. Without both, what waits of its kind is withdrawn."""

    kind: str
    words: str = ""
    chime: str = ""
    """A name of CHIMES; empty for none."""
    after_s: float = 0.0
    """How long it must stay true before it is said (s)."""
    what: Hashable = None
    """What it is about: the same is not said twice in succession. None: always said."""
    language: str = ENGLISH


class Announcer:
    """Hears every event of a table and says what is to be said."""

    def __init__(self) -> None:
        self._turn = (0, 0)
        """Turn and player of the newest table."""
        self._played = False
        """Whether a game was seen that was not over yet: only its score is news."""
        self._blinded = 0
        """How often the camera went blind."""
        self._blind = False

    def hear(self, event: Event, model: PublicModel) -> list[Announcement]:
        """What is to be said after an event that `model` has taken already.

        A verdict is said by `verdict`, when it stands on the screen.
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
        """What is to be said when a verdict stands on the screen."""
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
    """The language (ISO 639-1) in which a voice reads what the screen says now."""
    code = current().code
    return code if code in LANGUAGES else ENGLISH
