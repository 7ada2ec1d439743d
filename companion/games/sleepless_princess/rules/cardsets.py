"""Sorted tuples of card kinds: add, remove, spend, count."""

from functools import lru_cache

from companion.games.sleepless_princess.rules.card_kinds import BLANKET, UNKNOWN, WITCH
from companion.games.sleepless_princess.rules.state import VARIANTS, State

Cards = tuple[int, ...]

HELPER_COPIES = 6
"""Number of copies of each helper (rulebook, "Components")."""
BLANKETS = 5
"""Number of blankets in the deck (rulebook, "Components")."""
HAND_SIZE = 5
"""Number of cards in a full hand (rulebook, "Setup", step 3)."""
ROW_SIZE = 5
"""Number of cards in a full open row (rulebook, "Setup", step 4)."""

# Size of each cache. Small hands and rows repeat all the time, so the derived tuples are kept.
_KEPT = 1 << 15


@lru_cache(maxsize=_KEPT)
def add(cards: Cards, kind: int) -> Cards:
    """Sorted cards with one more card."""
    return tuple(sorted((*cards, kind)))


@lru_cache(maxsize=_KEPT)
def remove(cards: Cards, kind: int) -> Cards | None:
    """Sorted cards without one card of a kind.

    None if no such card is among them.
    """
    if kind not in cards:
        return None
    at = cards.index(kind)
    return cards[:at] + cards[at + 1 :]


@lru_cache(maxsize=_KEPT)
def spend(hand: Cards, cards: Cards) -> tuple[Cards, Cards] | None:
    """(rest of the hand, kinds that unknown cards stand for) after `cards` were taken out.

    `hand`, `cards`: kinds, ascending. Known cards go first. None if the hand cannot contain all of `cards`.
    """
    rest = list(hand)
    guessed = []
    for kind in cards:
        if kind != UNKNOWN and kind in rest:
            rest.remove(kind)
        elif UNKNOWN in rest:
            rest.remove(UNKNOWN)
            guessed.append(kind)
        else:
            return None
    return tuple(rest), tuple(guessed)


@lru_cache(maxsize=64)
def totals(variant: str, players: int) -> Cards:
    """Number of cards of each kind (the index) in a game of so many players.

    Source: rulebook, "Setup", steps 3 and 5.
    """
    rule = VARIANTS[variant]
    counts = [0] * (WITCH + 1)
    for value in range(1, rule.helpers_up_to + 1):
        counts[value] = HELPER_COPIES
    counts[BLANKET] = BLANKETS
    counts[WITCH] = rule.witches[rule.players.index(players)]
    return tuple(counts)


def unseen(state: State) -> list[int]:
    """Number of cards of each kind (the index) that are not known to lie anywhere.

    It is negative if a state shows more cards than exist.
    """
    counts = list(totals(state.game.variant.name, state.game.players))
    for pile in (state.row, state.deck, state.discard, state.played, *state.hands):
        for kind in pile:
            counts[kind] -= 1
    counts[UNKNOWN] = 0
    return counts


def can_hold(guessed: Cards, left: list[int]) -> bool:
    """True if unknown cards may include `guessed` (kinds).

    `left[kind]`: number of cards of a kind that nobody has seen.
    """
    return all(left[kind] >= guessed.count(kind) for kind in guessed)
