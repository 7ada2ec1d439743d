"""Sleeping Queens 2 as a `Rules` object.

The modules beside it do most of the work.

>>> from random import Random
>>> state = RULES.setup("standard", 2, Random(1))
>>> state.phase.name, len(state.cells), len(state.discard)
('ROLL', 10, 1)
"""

from collections.abc import Collection, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from companion.games.queens.table import check_size
from companion.games.rules import CHANCE, Rules
from companion.games.sleeping_queens_2.notation import action_notation, state_notation
from companion.games.sleeping_queens_2.rules import game_end, legal_actions, state_faults
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.apply import apply
from companion.games.sleeping_queens_2.rules.hidden_state import chance_decides
from companion.games.sleeping_queens_2.rules.kinds import (
    CELLS,
    COMPANIONS,
    COPIES,
    DECK_CARDS,
    EMPTY,
    INSTANTS,
    KIND_TEXT,
    MAIN_DECK,
    UNKNOWN,
    Knight,
    kings_to_win,
    knights_for,
)
from companion.games.sleeping_queens_2.rules.parts import DEFAULT_PARTS, Box, Parts
from companion.games.sleeping_queens_2.rules.state import PLAYERS, VARIANT, Cards, Phase, State


class SleepingQueens2(Rules[State, Action]):
    """Rules of Sleeping Queens 2, with or without hidden cards.

    `parts`: printed parts of the box.
    """

    name = "sleeping-queens-2"
    variants: Mapping[str, tuple[int, ...]] = MappingProxyType({VARIANT: PLAYERS})
    box: Box

    def __init__(self, parts: Parts = DEFAULT_PARTS) -> None:
        self.box = Box(parts)

    def setup(self, variant: str, players: int, chance: Random) -> State:
        """A game ready for the first roll, every card known.

        ValueError names an unknown variant or number of players.
        """
        check_size(variant, players, VARIANT, PLAYERS)
        deck = [kind for kind in MAIN_DECK for _ in range(COPIES[kind])]
        cells = list(COMPANIONS)
        chance.shuffle(deck)
        while deck[-1] in INSTANTS:
            chance.shuffle(deck)
        chance.shuffle(cells)
        knights = tuple(chance.sample(knights_for(players), players))
        begun = _begun(players, tuple(deck[:-1]), tuple(cells), knights, self.box.parts)
        return begun._replace(phase=Phase.ROLL, discard=(deck[-1],), fresh=1)

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """A table before knights are given out, every card unknown.

        ValueError for an unknown variant or number of players, or any option.
        """
        if options:
            raise ValueError(f"no option {min(options)!r}; there are none")
        check_size(variant, players, VARIANT, PLAYERS)
        knights = (Knight.UNKNOWN,) * players
        return _begun(players, (UNKNOWN,) * DECK_CARDS, (UNKNOWN,) * CELLS, knights, self.box.parts)

    legal_actions = staticmethod(legal_actions.legal_actions)
    apply = staticmethod(apply)

    def actor(self, state: State) -> int:
        """The player (from 0) on turn, or CHANCE for a die roll, a hidden card or shuffling."""
        return CHANCE if chance_decides(state) else state.turn

    outcome = staticmethod(game_end.outcome)
    status = staticmethod(state_faults.status)

    def view(self, state: State, player: int | None) -> Mapping[str, Any]:
        """All that `player` (from 0) may know, as JSON values.

        None: what everybody may know.

        In it, players and turns count from 1. In `grid`, "" is an empty place, "?" a face-down companion, a
        name one face up.
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

    write_state = staticmethod(state_notation.write_state)
    read_state = staticmethod(state_notation.read_state)
    write_action = staticmethod(action_notation.write_action)
    read_action = staticmethod(action_notation.read_action)


def _begun(players: int, deck: Cards, cells: Cards, knights: Cards, parts: Parts) -> State:
    nothing: tuple[Cards, ...] = ((),) * players
    return State(
        players=players,
        phase=Phase.SETUP,
        turn=0,
        turns=1,
        draws=0,
        realms=nothing,
        asleep=nothing,
        companions=nothing,
        kings=(0,) * players,
        knights=knights,
        deck=deck,
        discard=(),
        fresh=0,
        drawn=(),
        played=0,
        carried=0,
        cells=cells,
        face_up=(False,) * CELLS,
        parts=parts,
    )


def _names(cards: Cards) -> list[str]:
    return [KIND_TEXT[card] for card in cards]


RULES = SleepingQueens2()
"""The rules for a box with default parts."""
