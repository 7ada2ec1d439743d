"""What the public screens of both Sleeping Queens games show alike: fields of the event `Table`."""

from collections.abc import Callable, Mapping, Set
from typing import Any

from companion.core.language import Text, term, text
from companion.core.language import player as named
from companion.games.narrator import CAMERA

OVER = "over"
"""Name of the phase of a finished game, in both games."""


def table_head(
    state: Any, title: Text, symbol: str, steps: tuple[list[str], list[str]], senses: Set[str], blind: str
) -> dict[str, Any]:
    """Phase, turn and next steps.

    `title`: large words on the phase. `symbol`: name of its picture. `steps`: sentences on what is allowed
    now, and on what is not. `senses`: groups of sensors that work now. `blind`: sentence in place of what is
    allowed, while the camera fails.
    """
    phase = state.phase.name.lower()
    sees = CAMERA in senses
    may, may_not = steps
    return {
        "phase": phase,
        "title": title,
        "call": "" if sees or phase == OVER else text("NO CAMERA"),
        "symbol": symbol,
        "over": phase == OVER,
        "turn": state.turns,
        "may": may if sees else [],
        "may_not": may_not if sees else [blind, *may_not],
    }


def realm(
    state: Any, player: int, closed: str | None, progress: tuple[int, int], *, ahead: bool
) -> dict[str, Any]:
    """The place of a player (from 0), without its name and cards.

    `closed`: why nobody can claim a win now; None if they can. `progress`: what the player has, and what wins.
    `ahead`: the player wins if the game is over.
    """
    won = ahead and state.phase.name.lower() == OVER
    return {
        "badge": "won" if won else "player",
        "claim": "" if closed else text("{who} has won", who=named(player + 1, within=True)),
        "figure": "realm",
        "player": player + 1,
        "progress": progress,
    }


def deck_and_discard(
    state: Any, view: Callable[[int], Mapping[str, Any]], full: int | None = None
) -> list[dict[str, Any]]:
    """Draw pile and discard pile, the latter with its top card.

    `view`: makes `CardView` fields of a kind. `full`: most cards of the draw pile; None: not shown.
    """
    top = view(state.discard[-1]) if state.discard else None
    return [
        {"name": term("pile", "deck"), "count": len(state.deck), "full": full},
        {"name": term("pile", "discard"), "count": len(state.discard), "top": top},
    ]
