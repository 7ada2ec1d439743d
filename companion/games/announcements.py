"""Claims of a win, and actions that a table lets stand although the rules forbid them.

For games in which a win is all that can be claimed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from companion.core.language import Text, text
from companion.games import table_words
from companion.games.api import Judgement, Verdict

CLAIM_TITLE = text("Who has won?")
VERDICTS: Mapping[Verdict, tuple[str, str]] = MappingProxyType(
    {
        Verdict.PROVED: (text("Yes, that wins!"), "won"),
        Verdict.REFUTED: (text("Not yet."), "player"),
        Verdict.CANNOT_TELL: (text("I cannot tell."), "player"),
    }
)
"""Verdict on a claimed win -> (friendly sentence, short badge shown at the player's place)."""
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
"""Message id -> the sentence that tells everybody of a claim or of a forbidden action."""
MESSAGE_OF: Mapping[Verdict, str] = MappingProxyType(
    {Verdict.PROVED: "won", Verdict.REFUTED: "not won", Verdict.CANNOT_TELL: "not clear"}
)
"""Verdict on a claimed win -> id of its sentence in MESSAGES and WIN_REASONS."""
WIN_REASONS: Mapping[str, Text] = MappingProxyType(
    {
        "won": text("{has}."),
        "not won": text("{has}; it takes {takes} (rulebook, {section})."),
        "not clear": text("{has}; the turn is not over."),
    }
)
"""Message id of a verdict -> the reason why the player has won or not."""
UNCLAIMED: Mapping[str, str] = MappingProxyType(
    {"over": text("The game is over."), "not begun": text("The game has not begun.")}
)
"""Name of a game phase in which nobody can claim a win -> the sentence that says so."""


@lru_cache(maxsize=8)
def player_zone(player: int) -> str:
    """Name of a player's mat zone: "player 1" for player 0. Its button or key claims that player's win."""
    return f"player {player + 1}"


@dataclass(frozen=True, slots=True)
class Insist:
    """Action: the table lets an action stand although the rules forbid it."""

    action: Any


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Action: a forbidden action is undone, and its cards go back where they came from."""


@dataclass(frozen=True, slots=True)
class ClaimWin:
    """Action: somebody claims that a player (from 0) has won. The state does not change."""

    player: int


def win_judgement(has: str, takes: str, section: str, *, won: bool, waits: bool, show: str = "") -> Judgement:
    """Word the verdict on a claimed win in a game without hidden cards.

    `won`: True if the player has won. `has`, `takes`: what the player has, and what a win needs, in words.
    `section`: rulebook section that the reasons cite. `waits`: True if the running turn may still bring the
    win.
    `show`: the card that would bring the win, in words; empty if none.
    """
    verdict = Verdict.PROVED if won else Verdict.CANNOT_TELL if waits else Verdict.REFUTED
    reason = WIN_REASONS[MESSAGE_OF[verdict]].of(has=has, takes=takes, section=section)
    return Judgement(verdict, (reason,), show if verdict is Verdict.CANNOT_TELL else "")


def catalogue(
    messages: Mapping[str, str], prompts: Mapping[str, str], outcome: str, headline: str
) -> Mapping[str, str]:
    """Every sentence by id, except those of hints, of a game in which only a win is claimed."""
    return table_words.catalogue(
        message=messages,
        prompt=prompts,
        difference=table_words.DIFFERENCES,
        verdict=WIN_REASONS,
        unclaimed=UNCLAIMED,
        end={"outcome": outcome, "headline": headline},
    )


class WinClaims:
    """Claims of games in which a win is all that can be claimed. The subject of a claim is a player (from
    0)."""

    claims_wins = True

    def claim_of(self, action: object) -> tuple[int, bool | None] | None:
        """(player, None) if the action claims a win, else None."""
        return (action.player, None) if isinstance(action, ClaimWin) else None

    def subject_at(self, state: Any, place: str) -> int | None:
        """The player (from 0) to whom the mat zone `place` belongs. None for other zones."""
        places = [*map(player_zone, range(state.players))]
        return places.index(place) if place in places else None

    def claim_station(self, state: Any, subject: int) -> str:
        """Name of the mat zone whose button claims a player's (from 0) win."""
        return player_zone(subject)
