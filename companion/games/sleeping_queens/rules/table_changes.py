"""Moves of cards and queens that actions share, and the refusal of an action."""

from collections.abc import Sequence
from typing import NoReturn

from companion.games.queens.table import with_value
from companion.games.rules import IllegalError
from companion.games.sleeping_queens.rules.equations import Cards
from companion.games.sleeping_queens.rules.kinds import CELLS, COPIES, KIND_TEXT, QUEEN_NAMES, UNKNOWN
from companion.games.sleeping_queens.rules.legal_actions import copies_unseen
from companion.games.sleeping_queens.rules.state import State

TURN, POWERS, DISCARDS = "How to Play", "Play a Power", "Discard one or more cards"
"""Titles of rulebook sections, on turns, power cards and discards."""
QUEENS, PILE, END = "Special Queen Powers", "Queenly Questions", "Ending the Game"
"""Titles of rulebook sections, on queens, piles and the end of the game."""


def laid(state: State, player: int, cards: Cards) -> State:
    """State after a player laid hand cards in the middle.

    `player`: from 0. `cards`: kinds. IllegalError if the player cannot hold them.
    """
    hand = list(state.hands[player])
    if UNKNOWN in cards and UNKNOWN in hand:
        # An unread card may be one that everybody knew, so the whole hand becomes unknown.
        hand = [UNKNOWN] * len(hand)
    unknown = 0
    for card in cards:
        if card in hand:
            hand.remove(card)
        elif UNKNOWN in hand:
            hand.remove(UNKNOWN)
            unknown += 1
        else:
            refuse("not-in-hand", TURN, f"player {player + 1} does not hold that", *cards)
    if unknown:
        for card in {*cards} - {UNKNOWN}:
            check_left(state, card, cards.count(card) - state.hands[player].count(card))
    return state._replace(
        hands=with_value(state.hands, player, tuple(hand)), played=tuple(sorted((*state.played, *cards)))
    )


def check_left(state: State, kind: int, number: int = 1) -> None:
    """Raise IllegalError unless `number` cards of a kind may be among the unseen cards."""
    if number <= 0:
        return
    if number > copies_unseen(state, kind):
        refuse("too-many", TURN, f"there are {COPIES[kind]} cards {KIND_TEXT[kind]} in all", kind)


def swept(state: State) -> State:
    """State after played cards went to the discard pile."""
    if not state.played:
        return state
    return state._replace(discard=state.discard + state.played, fresh=len(state.played), played=())


def moved(state: State, queen: int, source: int, to: int | None) -> tuple[tuple[int, ...], ...]:
    """Each player's awake queens after a queen changed her owner.

    `queen`: her number. `source`, `to`: players (from 0); `to` None: nobody gets her.
    """
    awake = list(state.awake)
    awake[source] = tuple(one for one in awake[source] if one != queen)
    if to is not None:
        awake[to] = tuple(sorted((*awake[to], queen)))
    return tuple(awake)


def refuse(code: str, section: str, text: str, *kinds: int, queens: Sequence[int] = ()) -> NoReturn:
    """Raise IllegalError about cards of these `kinds` and `queens`.

    `code`: the reason for programs. `section`: section of the rulebook. `text`: a sentence.
    """
    cards = [KIND_TEXT[kind] for kind in kinds if 0 <= kind < len(KIND_TEXT)]
    cards += [QUEEN_NAMES[queen] for queen in queens if 0 <= queen < CELLS]
    raise IllegalError(code, section, text, cards)
