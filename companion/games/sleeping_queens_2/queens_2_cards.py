"""The cards of Sleeping Queens 2 with their tags, and the tags of die and knights.

Rulebook, "Contents": 12 queens, 10 kings, 10 companions, 6 knights with their stands, a die; 40 numbers (four
of each from 1 to 10), 6 gnomes, 5 witches, 5 willows, 4 spell books. Knights stand upright, which a camera
above the table cannot see: a sticker lies before each on the foot of its stand. The die is a cube of 24 mm or
more with a sticker on each side, for those of the box's die are too small to be read.
"""

from functools import lru_cache

from companion.core.language import Text, term, text
from companion.games.api import PhysicalCard
from companion.games.sleeping_queens_2.rules.kinds import Knight
from companion.games.sleeping_queens_2.rules.parts import DEFAULT_PARTS, DRAGON, FACE_TEXT, Parts
from companion.games.sleeping_queens_2.terms import POWERS, colour

PAYLOAD_PREFIX = "SR1"
"""Game and version of the sticker table; what is printed today is read for ever."""

OTHERS = (
    ("Q", text("queen {number}"), 12),
    ("KI", term("card", "king"), 10),
    ("WG", term("card", "wild gnome"), 6),
    ("SW", term("card", "switch witch"), 5),
    ("WI", term("card", "sleeping willow"), 5),
    ("SB", term("card", "spell book"), 4),
    ("RC", text("rescue companion {number}"), 10),
)
"""Letters of the code, name (with its number where each is another), number of cards. Which queen and which
companion is which, the rulebook does not say: a family puts the stickers on as they come, and tells at
enrolment."""


def knight_kind(knight: int) -> str:
    """The kind of a knight's sticker."""
    return f"knight {Knight(knight).name.lower()}"


def die_side(face: int) -> Text:
    """What a side of the die is called."""
    return text("die dragon") if face == DRAGON else text("die {number}", number=face)


def die_kind(face: int) -> str:
    """The kind of the stickers on the sides of the die that show this face."""
    return f"die {FACE_TEXT[face]}"


KNIGHT_OF_KIND = {knight_kind(knight): knight for knight in POWERS}


@lru_cache(maxsize=8)
def catalogue(parts: Parts = DEFAULT_PARTS) -> tuple[PhysicalCard, ...]:
    """Every card. Codes: N07C is the third copy of number 7, Q01 a queen, SW2 a switch witch and so on; KN1 a
    knight, DI1 a side of the die.

    Kinds are a number, the letters of the code, or the whole code where every card is another, `knight six` and
    `die 2`.
    """

    def card(code: str, kind: str, name: str) -> PhysicalCard:
        return PhysicalCard(code, kind, name, payload=PAYLOAD_PREFIX + code)

    cards = [card(f"N{n:02d}{copy}", str(n), text("number {n}", n=n)) for n in range(1, 11) for copy in "ABCD"]
    for kind, name, count in OTHERS:
        for n in range(1, count + 1):
            code = f"{kind}{n:02d}" if count > 9 else f"{kind}{n}"
            each = kind in ("Q", "RC")
            cards.append(card(code, code if each else kind, name.of(number=n) if each else name))
    for knight, power in POWERS.items():
        cards.append(
            card(
                f"KN{knight + 1}",
                knight_kind(knight),
                text("{colour} knight, {power}", colour=colour(knight, parts), power=power),
            )
        )
    for side, face in enumerate(parts.die, start=1):
        cards.append(card(f"DI{side}", die_kind(face), die_side(face)))
    return tuple(cards)
