"""Claims of a win, and actions that a table lets stand although the rules forbid them.

For games in which a win is all that can be claimed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from companion.core.language import Text, text
from companion.games.api import Judgement, Verdict

ZONE = "player {}"
"""Mat zone of a player (from 1). Its button or key claims that player's win."""
CLAIM_TITLE = text("Who has won?")
VERDICTS: Mapping[Verdict, tuple[str, str]] = MappingProxyType(
    {
        Verdict.PROVED: (text("Yes, that wins!"), "won"),
        Verdict.REFUTED: (text("Not yet."), "player"),
        Verdict.CANNOT_TELL: (text("I cannot tell."), "player"),
    }
)
"""Verdict on a win -> a friendly sentence, and the badge of the player's place."""
CLAIM_HELP = text(
    "Who has won says so: c, then the player. What the rules forbid is told; it stands if you leave it."
)
MESSAGES: Mapping[str, Text] = MappingProxyType(
    {
        "taken back": text("{who} takes the cards back."),
        "won": text("{who} has won: {has}."),
        "not won": text("{who} has not won yet: {has}; {wanted} win."),
        "not clear": text("{who} may have won; the turn is not over."),
    }
)
"""Announcement id -> its sentence."""
MESSAGE_OF: Mapping[Verdict, str] = MappingProxyType(
    {Verdict.PROVED: "won", Verdict.REFUTED: "not won", Verdict.CANNOT_TELL: "not clear"}
)
"""Verdict on a win -> id of its sentence in MESSAGES and WIN_REASONS."""
WIN_REASONS: Mapping[str, Text] = MappingProxyType(
    {
        "won": text("{has}."),
        "not won": text("{has}; it takes {takes} (rulebook, {section})."),
        "not clear": text("{has}; the turn is not over."),
    }
)
"""Verdict id -> the reason why the player has won or not."""
UNCLAIMED: Mapping[str, str] = MappingProxyType(
    {"over": text("The game is over."), "not begun": text("The game has not begun.")}
)
"""Phase of the game in which nobody can claim a win -> its sentence."""


@dataclass(frozen=True, slots=True)
class Insist:
    """The table lets an action stand although the rules forbid it."""

    action: Any


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A forbidden action is undone: its cards go back."""


@dataclass(frozen=True, slots=True)
class ClaimWin:
    """Somebody claims that a player (from 0) has won. The state does not change."""

    player: int


def win_judgement(has: str, takes: str, section: str, *, won: bool, waits: bool, show: str = "") -> Judgement:
    """The verdict on a claimed win, if no card is hidden.

    `has`, `takes`: what the player has and what a win takes, in words. `section`: rulebook section.
    `waits`: whether the running turn may still bring the win. `show`: the card that would bring it, empty if
    none.
    """
    verdict = Verdict.PROVED if won else Verdict.CANNOT_TELL if waits else Verdict.REFUTED
    reason = WIN_REASONS[MESSAGE_OF[verdict]].of(has=has, takes=takes, section=section)
    return Judgement(verdict, (reason,), show if verdict is Verdict.CANNOT_TELL else "")


class WinClaims:
    """The members of `Announcements` for claims of a win. The subject is the player."""

    claims_wins = True

    def claim_of(self, action: object) -> tuple[int, bool | None] | None:
        """(player, None) for a claimed win, None for another action."""
        return (action.player, None) if isinstance(action, ClaimWin) else None

    def subject_at(self, state: Any, place: str) -> int | None:
        """The player (from 0) who owns a zone. None if nobody does."""
        places = [ZONE.format(player + 1) for player in range(state.players)]
        return places.index(place) if place in places else None

    def claim_station(self, state: Any, subject: int) -> str:
        """The zone of a player (from 0)."""
        return ZONE.format(subject + 1)
