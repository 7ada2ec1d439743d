"""The cards of Sleeping Queens 2 with their tags.

Rulebook, "Contents": 40 numbers (four of each from 1 to 10), 12 queens, 10 kings, 6 wild gnomes, 5 switch
witches, 5 sleeping willows, 4 spell books, 10 rescue companions. Knights stand upright, which a camera above
the table cannot see, and carry no sticker.
"""

from functools import cache

from companion.games.api import PhysicalCard

PAYLOAD_PREFIX = "SR1"
"""Game and version of the sticker table; what is printed today is read for ever."""

OTHERS = (
    ("Q", "queen", 12),
    ("KI", "king", 10),
    ("WG", "wild gnome", 6),
    ("SW", "switch witch", 5),
    ("WI", "sleeping willow", 5),
    ("SB", "spell book", 4),
    ("RC", "rescue companion", 10),
)
"""Letters of the code, name, number of cards. Which queen and which companion is which, the rulebook does
not say: a family puts the stickers on as they come, and tells at enrolment."""


@cache
def catalogue() -> tuple[PhysicalCard, ...]:
    """Every card. Codes: N07C is the third copy of number 7, Q01 a queen, SW2 a switch witch and so on.

    Kinds are a number, the letters of the code, or the whole code where every card is another.
    """

    def card(code: str, kind: str, name: str) -> PhysicalCard:
        return PhysicalCard(code, kind, name, payload=PAYLOAD_PREFIX + code)

    cards = [card(f"N{n:02d}{copy}", str(n), f"number {n}") for n in range(1, 11) for copy in "ABCD"]
    for kind, name, count in OTHERS:
        for n in range(1, count + 1):
            code = f"{kind}{n:02d}" if count > 9 else f"{kind}{n}"
            each = kind in ("Q", "RC")
            cards.append(card(code, code if each else kind, f"{name} {n}" if each else name))
    return tuple(cards)
