"""The knowledge of one player: the own hand, open cards, and cards left of each kind."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.sleeping_queens.rules.kinds import (
    EMPTY,
    KIND_OF_TEXT,
    KIND_TEXT,
    QUEEN_NAMES,
    UNKNOWN,
    UNKNOWN_QUEEN,
)
from companion.games.sleeping_queens.rules.legal_actions import all_unseen, copies_unseen
from companion.games.sleeping_queens.rules.state import Phase, State

View = Mapping[str, Any]
Cards = tuple[int, ...]


def known_state(view: View, held: Sequence[Cards] = ()) -> State:
    """State as one player knows it; unseen cards are unknown.

    `view`: result of `RULES.view(state, player)`. Without its field "hand" the player's hand is unknown, too.
    `held`: for each player, kinds taken openly and still held, e.g. from a jester; (): none.
    """
    player = view.get("player", 0) - 1
    hands = []
    for at, size in enumerate(view["hands"]):
        public = tuple(sorted(held[at]))[:size] if held else ()
        own = tuple(sorted(KIND_OF_TEXT[text] for text in view.get("hand", ()))) if at == player else ()
        hands.append(own if at == player else (UNKNOWN,) * (size - len(public)) + public)
    target = view["target"]
    return State(
        players=view["players"],
        phase=Phase[view["phase"].upper()],
        turn=view["turn"] - 1,
        acting=view["acting"] - 1,
        hands=tuple(hands),
        deck=(UNKNOWN,) * view["deck"],
        discard=tuple(KIND_OF_TEXT[text] for text in view["discard"]),
        fresh=0,
        played=tuple(KIND_OF_TEXT[text] for text in view["played"]),
        cells=tuple(_sleeper(text) for text in view["cells"]),
        seen=tuple(text in QUEEN_NAMES for text in view["cells"]),
        awake=tuple(tuple(QUEEN_NAMES.index(name) for name in queens) for queens in view["awake"]),
        target=QUEEN_NAMES.index(target) if target else -1,
        turns=view["turns"],
    )


def _sleeper(text: str) -> int:
    if text in QUEEN_NAMES:
        return QUEEN_NAMES.index(text)
    return UNKNOWN_QUEEN if text == KIND_TEXT[UNKNOWN] else EMPTY


def unknown_cards(state: State) -> int:
    """Number of cards in hands and draw pile whose kind is unknown in `state`."""
    return state.deck.count(UNKNOWN) + sum(hand.count(UNKNOWN) for hand in state.hands)


def unseen(state: State) -> Cards:
    """Number of cards of each kind (the index) that are not visible in `state`."""
    left = all_unseen(state)
    left[UNKNOWN] = 0
    return tuple(max(0, copies) for copies in left)


def chance_to_hold(state: State, player: int, kind: int) -> float:
    """Chance (0 to 1) that a player (from 0) holds a card of `kind`.

    All unseen cards are equally likely.
    """
    hand = state.hands[player]
    if kind in hand:
        return 1.0
    none, cards, copies = 1.0, unknown_cards(state), max(0, copies_unseen(state, kind))
    for drawn in range(hand.count(UNKNOWN)):
        none *= max(0, cards - copies - drawn) / (cards - drawn)
    return 1.0 - none


def strangers(state: State) -> Cards:
    """Numbers of the sleeping queens that nobody has seen."""
    known = {queen for queens in (*state.awake, state.cells) for queen in queens}
    return tuple(queen for queen in range(len(QUEEN_NAMES)) if queen not in known)
