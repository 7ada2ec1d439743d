"""What people announce, for games in which all that is claimed is a win, and rules that a table may set aside.

Actions that are never legal, the claim of a win behind `Announcements` of companion.games.api, and its words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from companion.core.language import Text, text
from companion.games.api import Judgement, Verdict

ZONE = "player {}"
"""The zone of a player (from 1) on the mat, whose button or key claims their win."""
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
"""What is told of announcements, by id."""
MESSAGE_OF: Mapping[Verdict, str] = MappingProxyType(
    {Verdict.PROVED: "won", Verdict.REFUTED: "not won", Verdict.CANNOT_TELL: "not clear"}
)
"""Verdict on a win -> the id of its sentence."""
WIN_REASONS: Mapping[str, Text] = MappingProxyType(
    {
        "won": text("{has}."),
        "not won": text("{has}; it takes {takes} (rulebook, {section})."),
        "not clear": text("{has}; the turn is not over."),
    }
)
"""Why a win is one or not, by id."""
UNCLAIMED: Mapping[str, str] = MappingProxyType(
    {"over": text("The game is over."), "not begun": text("The game has not begun.")}
)
"""Why nobody can claim a win now, by id."""


@dataclass(frozen=True, slots=True)
class Insist:
    """An action of the game is done although the rules forbid it, and the table lets it stand."""

    action: Any


@dataclass(frozen=True, slots=True)
class TakeBack:
    """What the rules forbid is undone: cards go back to where they were."""


@dataclass(frozen=True, slots=True)
class ClaimWin:
    """Somebody says that a player (from 0) has won. Nothing changes."""

    player: int


def win_judgement(has: str, takes: str, section: str, *, won: bool, waits: bool, show: str = "") -> Judgement:
    """The verdict on a win of which nothing is hidden.

    `has`, `takes`: in words what the player has and what it takes; `waits`: whether this turn may yet bring it;
    `show`: the card that brings it then.
    """
    verdict = Verdict.PROVED if won else Verdict.CANNOT_TELL if waits else Verdict.REFUTED
    reason = WIN_REASONS[MESSAGE_OF[verdict]].of(has=has, takes=takes, section=section)
    return Judgement(verdict, (reason,), show if verdict is Verdict.CANNOT_TELL else "")


class WinClaims:
    """The part of `Announcements` that does not depend on the game. The subject is a player who says that they
    won."""

    claims_wins = True

    def claim_of(self, action: object) -> tuple[int, bool | None] | None:
        """The player who is said to have won."""
        return (action.player, None) if isinstance(action, ClaimWin) else None

    def subject_at(self, state: Any, place: str) -> int | None:
        """The player whose place it is."""
        places = [ZONE.format(player + 1) for player in range(state.players)]
        return places.index(place) if place in places else None

    def claim_station(self, state: Any, subject: int) -> str:
        """A player's place."""
        return ZONE.format(subject + 1)
