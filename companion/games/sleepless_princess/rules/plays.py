"""Plays of three equal groups, and those a hand allows.

Rulebook, "Play 3 or more cards". With at most five cards the basic game has 236 plays, 5+ has 15. They are
listed once and then filtered.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import NamedTuple

from companion.games.rules import IllegalError
from companion.games.sleepless_princess.rules.actions import Discard, Play
from companion.games.sleepless_princess.rules.card_kinds import BLANKET, KIND_TEXT, UNKNOWN
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, Cards, can_hold, spend
from companion.games.sleepless_princess.rules.state import BASIC, VARIANTS, Variant

SECTION = "Play 3 or more cards"
BONUS = "Magical bonus"

UNEQUAL = "The three groups do not have the same value."
GROUPS = 3
"""Number of groups in a play (rulebook, "Play 3 or more cards")."""
LARGEST_SUM = 3
"""Largest number of cards added up in one group.

It is five cards minus one for each of the two other groups.
"""
BLANKET_LEAVES = 1
"""Smallest value that a card under a blanket may count as. A decision: the rulebook sets no limit."""


class Use(NamedTuple):
    """What a play needs and earns.

    `cards`: kinds that it takes from the hand, ascending. `looks`: looks through the glass, 0 to 2.
    """

    cards: Cards
    looks: int


def play_cards(play: Play) -> Cards:
    """Kinds that a play takes from the hand, ascending.

    The blanket is included.
    """
    cards = [kind for group in play.groups for kind in group]
    if play.covered is not None:
        cards.append(BLANKET)
    return tuple(sorted(cards))


def covered_group(play: Play) -> int | None:
    """Index (from 0) of the group under the blanket; None without a blanket.

    A blanket is a card that covers another one and makes it count as any value. Of equal groups the last
    counts.
    """
    places = [at for at, group in enumerate(play.groups) if group == (play.covered,)]
    return places[-1] if places else None


def play_value(play: Play) -> int | None:
    """Common value of a play's groups, without the group under the blanket.

    A group's value is the sum of its kinds. None if the values differ, or if no other group is left.
    """
    under = covered_group(play)
    values = {sum(group) for at, group in enumerate(play.groups) if at != under}
    return values.pop() if len(values) == 1 else None


def _make(groups: tuple[Cards, ...], covered: int | None = None) -> Play:
    return Play(tuple(sorted(groups)), covered)


@lru_cache(maxsize=8)
def play_table(variant: str) -> dict[Play, Use]:
    """Every play of a variant -> its cards and looks through the glass, always in the same order."""
    rule = VARIANTS[variant]
    highest = rule.helpers_up_to
    found: dict[Play, Use] = {}
    for value in range(1, highest + 1):
        groups: list[Cards] = [(value,)]
        if rule.addition:
            for size in range(2, LARGEST_SUM + 1):
                groups += [
                    cards
                    for cards in combinations_with_replacement(range(1, highest + 1), size)
                    if sum(cards) == value
                ]
        plays = [_make(chosen) for chosen in combinations_with_replacement(groups, GROUPS)]
        if value >= BLANKET_LEAVES:
            plays += [
                _make((*chosen, (covered,)), covered)
                for chosen in combinations_with_replacement(groups, GROUPS - 1)
                for covered in range(value + 1, highest + 1)
            ]
        for play in plays:
            cards = play_cards(play)
            if len(cards) <= HAND_SIZE:
                found[play] = Use(cards, sum(len(group) > 1 for group in play.groups))
    return found


@lru_cache(maxsize=8)
def _plays_by_cards(variant: str) -> dict[Cards, tuple[tuple[int, Play], ...]]:
    """Cards of a play -> (index in `play_table`, play) of each play with exactly these cards."""
    found: dict[Cards, tuple[tuple[int, Play], ...]] = {}
    for place, (play, use) in enumerate(play_table(variant).items()):
        found[use.cards] = (*found.get(use.cards, ()), (place, play))
    return found


@lru_cache(maxsize=8)
def unread_plays(variant: str) -> dict[Play, tuple[Play, ...]]:
    """Play as seen with an unread covered card -> the plays that it may be."""
    found: dict[Play, tuple[Play, ...]] = {}
    for play in play_table(variant):
        if play.covered is not None:
            like = covered_unread(play)
            found[like] = (*found.get(like, ()), play)
    return found


def covered_unread(play: Play) -> Play:
    """A play as people see it who did not read the card under the blanket."""
    under = covered_group(play)
    return _make((*(group for at, group in enumerate(play.groups) if at != under), (UNKNOWN,)), UNKNOWN)


@lru_cache(maxsize=8)
def _uses(variant: str) -> dict[Cards, int]:
    """Cards of a play (a covered one perhaps unread) -> most looks through the glass that they earn."""
    found: dict[Cards, int] = {}
    table = play_table(variant)
    unread = ((play_cards(like), table[plays[0]].looks) for like, plays in unread_plays(variant).items())
    for cards, looks in (*table.values(), *unread):
        found[cards] = max(looks, found.get(cards, 0))
    return found


def looks_earned(variant: str, cards: Cards) -> int | None:
    """Most looks through the glass that a play of exactly these cards earns, 0 to 2.

    None if no play has these cards.
    """
    return _uses(variant).get(cards)


def plays_of_all(cards: Cards) -> tuple[Play, ...]:
    """Basic game's plays that use exactly `cards` (ascending kinds)."""
    return tuple(play for _, play in _plays_by_cards(BASIC.name).get(cards, ()))


@lru_cache(maxsize=1 << 12)
def plays_but_one(cards: Cards) -> tuple[Play, ...]:
    """Plays of the basic game that use `cards` (ascending) and one more card, perhaps unread.

    A card beneath a blanket may be hidden as well, whether the blanket was read or not.
    """
    more = (plays_of_all(tuple(sorted((*cards, kind)))) for kind in range(1, BLANKET + 1))
    found = [play for plays in more for play in plays]
    # The additional card may lie unread beneath the blanket.
    beneath = (play for play in found if play.covered is not None and play.covered not in cards)
    seen = Counter(cards)
    hidden = (
        like
        for like in unread_plays(BASIC.name)
        for unseen in [Counter(play_cards(like)) - seen]
        if unseen[UNKNOWN] and unseen.total() == 2 and not seen - Counter(play_cards(like))
    )
    return (*found, *dict.fromkeys((*map(covered_unread, beneath), *hidden)))


@lru_cache(maxsize=1 << 14)
def plays_for(variant: str, hand: Cards) -> tuple[Play, ...]:
    """Plays that a hand allows.

    An unknown card stands for any kind, without limit on copies.
    """
    if UNKNOWN not in hand:
        # A known hand has at most 16 subsets of three to five cards: far fewer than the plays.
        sets = {cards for size in range(GROUPS, HAND_SIZE + 1) for cards in combinations(hand, size)}
        table = _plays_by_cards(variant)
        return tuple(play for _, play in sorted(_places(sets, table), key=itemgetter(0)))
    return tuple(play for play, use in play_table(variant).items() if spend(hand, use.cards) is not None)


@lru_cache(maxsize=1 << 12)
def plays_within(variant: str, hand: Cards, left: Cards) -> tuple[Play, ...]:
    """Plays that a hand may allow, whose unknown cards may be any of the unseen ones.

    `left[kind]`: number of unseen cards of a kind.
    """
    table = play_table(variant)
    return tuple(play for play in plays_for(variant, hand) if _holds(hand, table[play].cards, left))


@lru_cache(maxsize=1 << 14)
def discards_for(variant: str, hand: Cards, most: int) -> tuple[Discard, ...]:
    """Discards of up to `most` (1 or 2) cards that a hand may allow.

    An unknown card stands for any kind.
    """
    kinds = _kinds(variant, hand)
    return tuple(
        Discard(cards)
        for size in range(1, most + 1)
        for cards in combinations_with_replacement(kinds, size)
        if spend(hand, cards) is not None
    )


@lru_cache(maxsize=1 << 12)
def discards_within(variant: str, hand: Cards, most: int, left: Cards) -> tuple[Discard, ...]:
    """Discards of up to `most` (1 or 2) cards that a hand may allow, whose unknown cards may be any of the
    unseen ones.

    `left[kind]`: number of unseen cards of a kind.
    """
    return tuple(discard for discard in discards_for(variant, hand, most) if _holds(hand, discard.cards, left))


@lru_cache(maxsize=1 << 12)
def may_lack_plays(variant: str, hand: Cards, left: Cards) -> bool:
    """True if a hand may have no play.

    Its unknown cards may be any of the unseen ones. `left[kind]`: number of unseen cards of a kind.
    """
    unknown = hand.count(UNKNOWN)
    known = hand[unknown:]
    if plays_for(variant, known):
        return False
    kinds = [kind for kind in _kinds(variant, (UNKNOWN,)) if left[kind] > 0]
    return any(
        can_hold(guess, list(left)) and not plays_for(variant, tuple(sorted(known + guess)))
        for guess in combinations_with_replacement(kinds, unknown)
    )


def _places(sets: set[Cards], table: dict[Cards, tuple[tuple[int, Play], ...]]) -> Iterator[tuple[int, Play]]:
    for cards in sets:
        yield from table.get(cards, ())


def _kinds(variant: str, hand: Cards) -> list[int]:
    if UNKNOWN in hand:
        return [*range(1, VARIANTS[variant].helpers_up_to + 1), BLANKET]
    return sorted(set(hand))


def _holds(hand: Cards, cards: Cards, left: Cards) -> bool:
    spent = spend(hand, cards)
    return spent is not None and can_hold(spent[1], list(left))


def blanket_on_addend(cards: Sequence[str]) -> IllegalError:
    """The error for a play whose blanket lies on a card of a sum; it is returned, not raised.

    `cards`: the group in notation.
    """
    text = "A blanket does not go on a card that is added up."
    return IllegalError("play-blanket-on-addend", BONUS, text, cards)


def why_no_play(variant: Variant, play: Play) -> IllegalError:
    """The error that says the first reason why a variant does not allow a play; it is returned, not raised."""
    cards = [kind for group in play.groups for kind in group]
    names = tuple(KIND_TEXT[kind] if 0 <= kind < len(KIND_TEXT) else str(kind) for kind in cards)

    def refuse(code: str, text: str, section: str = SECTION) -> IllegalError:
        return IllegalError(code, section, text, names)

    if len(play.groups) != GROUPS:
        return refuse("play-not-three-groups", f"A play is three groups of cards, not {len(play.groups)}.")
    if any(not 1 <= kind <= variant.helpers_up_to for kind in cards):
        return refuse("play-not-helpers", f"Only helpers 1 to {variant.helpers_up_to} make up a group.")
    if any(not 1 <= len(group) <= LARGEST_SUM for group in play.groups):
        return refuse("play-group-size", "A group is one card or a sum of two or three.")
    if not variant.addition and any(len(group) > 1 for group in play.groups):
        return refuse("play-no-addition", f"The {variant.name} game is played without addition.", BONUS)
    if play.covered is not None and (play.covered,) not in play.groups:
        if play.covered in cards:
            return blanket_on_addend(names)
        return refuse("play-blanket-on-nothing", "The covered card is not one of the cards played.")
    if len(cards) + (play.covered is not None) > HAND_SIZE:
        return refuse("play-too-many-cards", f"A play is at most {HAND_SIZE} cards, the blanket included.")
    value = play_value(play)
    if value is None:
        return refuse("play-not-equal", UNEQUAL)
    if play.covered is not None and play.covered <= value:
        return refuse(
            "play-blanket-adds", f"A blanket only lessens a card: {play.covered} cannot become {value}."
        )
    if value > variant.helpers_up_to:
        return refuse("play-no-single", "At least one group has to be a single card.")
    return refuse("play-not-sorted", "Cards in a group and the groups themselves go in ascending order.")
