"""Sleeping Queens as a `Rules` object.

The modules beside it do most of the work.

>>> from random import Random
>>> state = RULES.setup("basic", 3, Random(1))
>>> [len(hand) for hand in state.hands], len(state.deck)
([5, 5, 5], 52)
"""

from collections.abc import Collection, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from companion.games.queens.table import check_size
from companion.games.rules import CHANCE, Rules
from companion.games.sleeping_queens.notation import action_notation, state_notation
from companion.games.sleeping_queens.rules import game_end, legal_actions, state_faults
from companion.games.sleeping_queens.rules.actions import Action
from companion.games.sleeping_queens.rules.apply import apply
from companion.games.sleeping_queens.rules.game_end import points
from companion.games.sleeping_queens.rules.kinds import (
    CELLS,
    COPIES,
    EMPTY,
    HAND,
    HAND_CARDS,
    KIND_TEXT,
    QUEEN_NAMES,
    UNKNOWN,
    UNKNOWN_QUEEN,
)
from companion.games.sleeping_queens.rules.state import PLAYERS, VARIANT, Phase, State

_CHANCE_ACTS = (Phase.JESTER, Phase.REFILL, Phase.OVER)


class SleepingQueens(Rules[State, Action]):
    """Rules of Sleeping Queens, with or without hidden cards."""

    name = "sleeping-queens"
    variants: Mapping[str, tuple[int, ...]] = MappingProxyType({VARIANT: PLAYERS})

    def setup(self, variant: str, players: int, chance: Random) -> State:
        """Deal a game with every card known.

        ValueError names an unknown variant or number of players.
        """
        check_size(variant, players, VARIANT, PLAYERS)
        deck = [kind for kind, copies in enumerate(COPIES) for _ in range(copies)]
        queens = list(range(CELLS))
        chance.shuffle(deck)
        chance.shuffle(queens)
        hands = tuple(tuple(sorted(deck[HAND * n : HAND * n + HAND])) for n in range(players))
        return _begun(players, hands, tuple(deck[HAND * players :]), tuple(queens))

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """A dealt game with every card unknown.

        ValueError for an unknown variant or number of players, or any option.
        """
        if options:
            raise ValueError(f"no option {min(options)!r}; there are none")
        check_size(variant, players, VARIANT, PLAYERS)
        hands = ((UNKNOWN,) * HAND,) * players
        return _begun(players, hands, (UNKNOWN,) * (HAND_CARDS - HAND * players), (UNKNOWN_QUEEN,) * CELLS)

    legal_actions = staticmethod(legal_actions.legal_actions)
    apply = staticmethod(apply)

    def actor(self, state: State) -> int:
        """The player (from 0) who acts: the one on turn, attacked, or chosen by a jester.

        CHANCE for steps that nobody chooses: shuffling, filling hands, the jester's card.
        """
        return CHANCE if state.phase in _CHANCE_ACTS else state.acting

    outcome = staticmethod(game_end.outcome)
    status = staticmethod(state_faults.status)

    def view(self, state: State, player: int | None) -> Mapping[str, Any]:
        """All that `player` (from 0) may know, as JSON values.

        None: what everybody may know. Keys: "players", "phase", "turn", "acting", "turns", "hands" (sizes),
        "deck" (size), "discard", "played", "cells", "awake" and more; "hand" (that player's cards) is absent
        for None. In it, players and turns count from 1. A sleeping queen is named only if everybody has seen
        her.
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

    write_state = staticmethod(state_notation.write_state)
    read_state = staticmethod(state_notation.read_state)
    write_action = staticmethod(action_notation.write_action)
    read_action = staticmethod(action_notation.read_action)


def _begun(
    players: int, hands: tuple[tuple[int, ...], ...], deck: tuple[int, ...], cells: tuple[int, ...]
) -> State:
    return State(
        players=players,
        phase=Phase.PLAY,
        turn=0,
        acting=0,
        hands=hands,
        deck=deck,
        discard=(),
        fresh=0,
        played=(),
        cells=cells,
        seen=(False,) * CELLS,
        awake=((),) * players,
        target=-1,
        turns=1,
    )


RULES = SleepingQueens()
