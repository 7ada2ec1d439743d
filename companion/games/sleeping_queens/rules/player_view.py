"""The knowledge of one player, or of everybody."""

from collections.abc import Mapping
from typing import Any

from companion.games.sleeping_queens.rules.game_end import points
from companion.games.sleeping_queens.rules.kinds import EMPTY, KIND_TEXT, QUEEN_NAMES
from companion.games.sleeping_queens.rules.state import State


def view(state: State, player: int | None) -> Mapping[str, Any]:
    """All that `player` (from 0) may know, as JSON values.

    `player` None: what everybody may know. Players and turns count from 1 in the result. `hand` is the
    player's own, absent for None. A sleeping queen is named only if everybody has seen her.
    """
    shown: dict[str, Any] = {
        "players": state.players,
        "phase": state.phase.name.lower(),
        "turn": state.turn + 1,
        "acting": state.acting + 1,
        "turns": state.turns,
        "hands": [len(hand) for hand in state.hands],
        "deck": len(state.deck),
        "discard": [KIND_TEXT[kind] for kind in state.discard],
        "played": [KIND_TEXT[kind] for kind in state.played],
        "cells": [
            "" if queen == EMPTY else QUEEN_NAMES[queen] if seen else "?"
            for queen, seen in zip(state.cells, state.seen, strict=True)
        ],
        "awake": [[QUEEN_NAMES[queen] for queen in queens] for queens in state.awake],
        "points": [points(queens) for queens in state.awake],
        "target": QUEEN_NAMES[state.target] if state.target >= 0 else "",
    }
    if player is not None:
        shown["player"] = player + 1
        shown["hand"] = [KIND_TEXT[kind] for kind in state.hands[player]]
    return shown
