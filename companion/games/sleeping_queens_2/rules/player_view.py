"""The knowledge of one player, or of everybody: all except draw pile and face-down companions."""

from collections.abc import Mapping
from typing import Any

from companion.games.sleeping_queens_2.rules.kinds import EMPTY, KIND_TEXT, UNKNOWN, Knight, kings_to_win
from companion.games.sleeping_queens_2.rules.state import Cards, State


def view(state: State, player: int | None) -> Mapping[str, Any]:
    """All that `player` (from 0) may know, as JSON values.

    `player` None: what everybody may know. Players and turns count from 1 in the result. In `grid`, "" is an
    empty place, "?" a face-down companion; a name is a companion face up.
    """
    shown: dict[str, Any] = {
        "players": state.players,
        "phase": state.phase.name.lower(),
        "turn": state.turn + 1,
        "turns": state.turns,
        "draws": state.draws,
        "realms": list(map(_names, state.realms)),
        "asleep": list(map(_names, state.asleep)),
        "companions": list(map(_names, state.companions)),
        "kings": list(state.kings),
        "kings_to_win": kings_to_win(state.players),
        "knights": [
            KIND_TEXT[UNKNOWN] if knight == Knight.UNKNOWN else Knight(knight).name.lower()
            for knight in state.knights
        ],
        "deck": len(state.deck),
        "discard": _names(state.discard),
        "drawn": _names(state.drawn),
        "played": KIND_TEXT[state.played] if state.played else "",
        "carried": KIND_TEXT[state.carried] if state.carried else "",
        "grid": [
            "" if card == EMPTY else KIND_TEXT[card if up else UNKNOWN]
            for card, up in zip(state.cells, state.face_up, strict=True)
        ],
        "queen_symbols": state.parts.queens,
        "companion_symbols": state.parts.companions,
    }
    if player is not None:
        shown["player"] = player + 1
    return shown


def _names(cards: Cards) -> list[str]:
    return [KIND_TEXT[card] for card in cards]
