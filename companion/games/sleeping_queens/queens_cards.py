"""The physical cards of Sleeping Queens.

Rulebook, "79 cards": 12 queens; 8 kings, 4 knights, 3 dragons, 5 jesters, 4 potions, 3 wands; 4 of each number
from 1 to 10.
"""

from functools import cache, partial

from companion.core.language import term, text
from companion.games.appearance import PhysicalCard
from companion.games.queens.cards import number_cards, sticker

PAYLOAD_PREFIX = "SQ1"
"""Start of the text in every QR sticker of the game.

It names the game and the version of its stickers. It must never change, because printed stickers have it.
"""

QUEENS = {
    "Rose": 5,
    "Cake": 5,
    "Rainbow": 5,
    "Starfish": 5,
    "Ladybug": 10,
    "Moon": 10,
    "Peacock": 10,
    "Sunflower": 10,
    "Cat": 15,
    "Dog": 15,
    "Pancake": 15,
    "Heart": 20,
}
"""Queen's name -> her points, in the order of the card codes Q01 to Q12."""

POWERS = (
    ("KI", "king", 8),
    ("JE", "jester", 5),
    ("KN", "knight", 4),
    ("PO", "sleeping potion", 4),
    ("WA", "wand", 3),
    ("DR", "dragon", 3),
)
"""(letters of the code, name, number of copies) of each power card."""


@cache
def catalogue() -> tuple[PhysicalCard, ...]:
    """Every physical card of the game.

    Codes: Q01 to Q12 are queens, N07C is the third copy of number 7, KI3 the third king. Kinds: a queen's
    name, a number, or a power card's letters.
    """
    card = partial(sticker, PAYLOAD_PREFIX)
    cards = [
        card(f"Q{n:02d}", name, text("{name} queen, {points}", name=term("queen", name), points=points))
        for n, (name, points) in enumerate(QUEENS.items(), start=1)
    ]
    cards += number_cards(PAYLOAD_PREFIX)
    cards += [
        card(f"{kind}{n}", kind, term("card", name))
        for kind, name, count in POWERS
        for n in range(1, count + 1)
    ]
    return tuple(cards)
