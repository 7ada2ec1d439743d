"""Sorted tuples of card kinds: adding, removing and spending cards, and what can still exist."""

from functools import lru_cache

from companion.games.sleepless_princess.rules.card_kinds import BLANKET, UNKNOWN, WITCH
from companion.games.sleepless_princess.rules.state import VARIANTS, State

Cards = tuple[int, ...]

HELPER_COPIES = 6
BLANKETS = 5
HAND_SIZE = 5
ROW_SIZE = 5

# Hands and rows repeat all the time and are tiny, so the tuples made from them are kept.
_KEPT = 1 << 15


@lru_cache(maxsize=_KEPT)
def add(cards: Cards, kind: int) -> Cards:
    """`cards` with one more of `kind`, ascending."""
    return tuple(sorted((*cards, kind)))


@lru_cache(maxsize=_KEPT)
def remove(cards: Cards, kind: int) -> Cards | None:
    """`cards` without one of `kind`; None if there is none."""
    if kind not in cards:
        return None
    at = cards.index(kind)
    return cards[:at] + cards[at + 1 :]


@lru_cache(maxsize=_KEPT)
def spend(hand: Cards, cards: Cards) -> tuple[Cards, Cards] | None:
    """The hand after `cards` left it, and those of them that were cards not seen before.

    Known cards go first, then unknown ones stand in. None if the hand cannot hold them all.
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
    """How many cards of each kind the game has; the index is the kind (rulebook, "Setup", steps 3 and 5)."""
    rule = VARIANTS[variant]
    counts = [0] * (WITCH + 1)
    for value in range(1, rule.helpers_up_to + 1):
        counts[value] = HELPER_COPIES
    counts[BLANKET] = BLANKETS
    counts[WITCH] = rule.witches[rule.players.index(players)]
    return tuple(counts)


def unseen(state: State) -> list[int]:
    """How many cards of each kind may still be among the unknown cards; the index is the kind.

    Negative where the state names more cards of a kind than there are.
    """
    counts = list(totals(state.game.variant.name, state.game.players))
    for pile in (state.row, state.deck, state.discard, state.played, *state.hands):
        for kind in pile:
            counts[kind] -= 1
    counts[UNKNOWN] = 0
    return counts


def can_hold(guessed: Cards, left: list[int]) -> bool:
    """Whether unknown cards may be exactly `guessed`, with `left` cards of each kind unseen."""
    return all(left[kind] >= guessed.count(kind) for kind in guessed)
