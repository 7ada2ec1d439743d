"""Card moves that actions share, and refusals of actions."""

from collections.abc import Sequence
from typing import Any, NoReturn

from companion.games.queens.table import with_value
from companion.games.rules import IllegalError
from companion.games.sleeping_queens_2.rules.kinds import COPIES, KIND_TEXT, UNKNOWN
from companion.games.sleeping_queens_2.rules.state import Cards, State

SET_UP, TURN, KNIGHTS, INSTANT, GNOME, WITCH, WILLOW = (
    "Set Up",
    "How to Play",
    "Knights",
    "Instant Action Cards",
    "Wild Gnomes",
    "Switch Witches",
    "Sleeping Willows",
)
"""Titles of rulebook sections."""
WAKING, BOOKS, COMPANIONS, RESCUE, END = (
    "How to Wake a Sleeping Queen",
    "Spell Books",
    "Finding Rescue Companions",
    "How to Rescue a King",
    "Ending the Game",
)
"""Titles of rulebook sections."""


def refuse(code: str, section: str, text: str, *kinds: int) -> NoReturn:
    """Raise IllegalError about cards of these `kinds`.

    `code`: the reason for programs. `section`: section of the rulebook. `text`: a sentence.
    """
    cards = [KIND_TEXT[kind] for kind in kinds if 0 <= kind < len(KIND_TEXT)]
    raise IllegalError(code, section, text, cards)


def without(cards: Cards, gone: Sequence[int]) -> Cards | None:
    """`cards` less the cards `gone`.

    None if one of these is missing.
    """
    left = list(cards)
    for card in gone:
        if card not in left:
            return None
        left.remove(card)
    return tuple(left)


def named(state: State, known: int, told: int | None, possible: range, section: str) -> int:
    """The kind of a card that is turned up, as the state (`known`) or people (`told`) have it.

    IllegalError if both are missing or differ, or if the kind is not in `possible`. The error cites the
    rulebook's `section`.
    """
    if told is not None and known not in (UNKNOWN, told):
        refuse("another-card", section, f"that card is {KIND_TEXT[known]}", told)
    kind = known if told is None else told
    if kind == UNKNOWN:
        refuse("unnamed", section, "which card was turned up must be said")
    if kind not in possible:
        refuse("not-from-there", section, "no such card lies there", kind)
    if known == UNKNOWN and _copies_seen(state, kind) >= COPIES[kind]:
        refuse("too-many", section, f"there are {COPIES[kind]} cards {KIND_TEXT[kind]} in all", kind)
    return kind


def _copies_seen(state: State, kind: int) -> int:
    piles = (
        *state.realms,
        *state.asleep,
        *state.companions,
        state.deck,
        state.discard,
        state.drawn,
        state.cells,
    )
    return sum(pile.count(kind) for pile in piles) + (kind in (state.played, state.carried))


def laid_off(state: State, cards: Cards, fresh: int | None = None) -> State:
    """Put cards, which the caller has taken from elsewhere, on the discard pile; the state then.

    `fresh`: how many cards of the pile came together last; None: all of `cards`.
    """
    return state._replace(discard=state.discard + cards, fresh=len(cards) if fresh is None else fresh)


def place_of(state: State, player: int, kind: int, section: str) -> str:
    """Name of the state's field with a card `kind` of a player (from 0): realms, asleep or companions.

    IllegalError, citing the rulebook's `section`, if the player does not have the card.
    """
    for field in ("realms", "asleep", "companions"):
        if kind in getattr(state, field)[player]:
            return field
    refuse("not-there", section, f"player {player + 1} does not have that card", kind)


def moved(state: State, field: str, kind: int, source: int, to: int | None) -> State:
    """Move a card of a kind from one player to another, within one field of the state.

    `field`: "realms", "asleep" or "companions". `source`, `to`: players (from 0); `to` None: nobody gets the
    card. The state then.
    """
    piles: list[Cards] = list(getattr(state, field))
    left = without(piles[source], (kind,))
    assert left is not None, "the caller has looked"
    piles[source] = left
    if to is not None:
        piles[to] = tuple(sorted((*piles[to], kind)))
    changed: dict[str, Any] = {field: tuple(piles)}
    return state._replace(**changed)


def added(state: State, cards: Cards) -> State:
    """The state after cards came into the realm on turn."""
    realm = tuple(sorted(state.realms[state.turn] + cards))
    return state._replace(realms=with_value(state.realms, state.turn, realm))


def from_realm(state: State, cards: Cards, section: str) -> State:
    """Move cards of the player on turn from the realm to the discard pile.

    IllegalError, citing `section`, if one is missing.
    """
    realm = without(state.realms[state.turn], cards)
    if realm is None:
        refuse("not-there", section, f"player {state.turn + 1} does not have these cards", *cards)
    return laid_off(state._replace(realms=with_value(state.realms, state.turn, realm)), cards)


def roused(state: State) -> State:
    """State after all queens of the player on turn woke."""
    woken = state.asleep[state.turn]
    return added(state._replace(asleep=with_value(state.asleep, state.turn, ())), woken)


def swapped(state: State, own: int, victim: int, kind: int) -> State:
    """Exchange cards: the player on turn gives `own` and gets `kind` of player `victim` (from 0).

    Returns the state then. IllegalError if one of them does not have that card.
    """
    given = place_of(state, state.turn, own, WITCH)
    got = place_of(state, victim, kind, WITCH)
    return moved(moved(state, given, own, state.turn, victim), got, kind, victim, state.turn)
