"""Claims of a win, and actions that a table lets stand although the rules forbid them.

For games in which a win is all that can be claimed.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from companion.core.language import Text, text
from companion.games.claims import Judgement, Verdict
from companion.games.rules import action

CLAIM_TITLE = text("Who has won?")
"""Heading above the list of players whose win can be claimed."""
VERDICTS: Mapping[Verdict, tuple[str, str]] = MappingProxyType(
    {
        Verdict.PROVED: (text("Yes, that wins!"), "won"),
        Verdict.REFUTED: (text("Not yet."), "player"),
        Verdict.CANNOT_TELL: (text("I cannot tell."), "player"),
    }
)
"""Verdict on a claimed win -> (sentence for everybody, badge).

The badge is the key of a short word at the player's place: "won" or "player".
"""
CLAIM_HELP = text(
    "Who has won says so: c, then the player. What the rules forbid is told; it stands if you leave it."
)
"""Line on the screen's help page: how to claim a win."""
MESSAGES: Mapping[str, Text] = MappingProxyType(
    {
        "taken back": text("{who} takes the cards back."),
        "won": text("{who} has won: {has}."),
        "not won": text("{who} has not won yet: {has}; {wanted} win."),
        "not clear": text("{who} may have won; the turn is not over."),
    }
)
"""Message id -> sentence that tells everybody of a claim or of a forbidden action.

Names in braces are filled in.
"""
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
"""Why nobody can claim a win now ("over" or "not begun") -> the sentence that says so."""


@lru_cache(maxsize=8)
def player_zone(player: int) -> str:
    """Player's zone on the mat: "player 1" for player 0.

    The zone's button claims that player's win.
    """
    return f"player {player + 1}"


@action
class Insist:
    """Action: players do `action` although the rules forbid it.

    The table lets it stand, so the game goes on from it. `action`: an action of the same game.
    """

    action: Any


@action
class TakeBack:
    """Action: a forbidden action is undone, and its cards go back where they came from."""


@action
class ClaimWin:
    """Action: somebody claims that `player` (from 0) has won.

    The state of the game does not change.
    """

    player: int


def win_judgement(has: str, takes: str, section: str, *, won: bool, waits: bool, show: str = "") -> Judgement:
    """Verdict on a claimed win, in words, for a game whose winning cards lie open.

    PROVED if `won`; else CANNOT_TELL if `waits` (the running turn may still bring the win); else REFUTED.
    `has`: what the player has. `takes`: what a win needs. `section`: title of the rulebook section. `show`:
    card that would bring the win; "" for none. It is asked for only with CANNOT_TELL. All four are words for
    people.
    """
    verdict = Verdict.PROVED if won else Verdict.CANNOT_TELL if waits else Verdict.REFUTED
    reason = WIN_REASONS[MESSAGE_OF[verdict]].of(has=has, takes=takes, section=section)
    return Judgement(verdict, (reason,), show if verdict is Verdict.CANNOT_TELL else "")


class WinClaims:
    """Mixin for games whose only claim is a win.

    What is claimed, the subject, is the player (from 0) said to have won.
    """

    def claim_of(self, action: object) -> tuple[int, bool | None] | None:
        """(player from 0, None) if the action is a `ClaimWin`; None for every other action."""
        return (action.player, None) if isinstance(action, ClaimWin) else None

    def subject_at(self, state: Any, place: str) -> int | None:
        """The player (from 0) who owns the mat zone `place`, e.g. 0 for "player 1".

        None for zones of nobody.
        """
        places = [*map(player_zone, range(state.players))]
        return places.index(place) if place in places else None

    def claim_station(self, state: Any, subject: int) -> str:
        """Mat zone whose button claims player `subject`'s (from 0) win."""
        return player_zone(subject)
