"""Cards of Sleeping Queens 2, with die and knight stickers.

Rulebook, "Contents": 12 queens, 10 kings, 10 companions, 6 knights with stands, a die. 40 numbers (4 of each
from 1 to 10), 6 gnomes, 5 witches, 5 willows, 4 spell books.
A camera from above cannot see standing knights, so a sticker lies on the foot of each stand.
The box's die is too small for stickers, so a cube of at least 24 mm replaces it.
"""

from functools import lru_cache, partial

from companion.core.language import Text, term, text
from companion.games.appearance import PhysicalCard
from companion.games.queens.cards import number_cards, sticker
from companion.games.sleeping_queens_2.rules.kinds import Knight
from companion.games.sleeping_queens_2.rules.parts import DEFAULT_PARTS, DRAGON, FACE_TEXT, Parts
from companion.games.sleeping_queens_2.terms import POWERS, colour

PAYLOAD_PREFIX = "SR1"
"""Start of the text in every QR sticker of the game.

It names the game and the version of its stickers. It must never change, because printed stickers have it.
"""

OTHERS = (
    ("Q", text("queen {number}"), 12),
    ("KI", term("card", "king"), 10),
    ("WG", term("card", "wild gnome"), 6),
    ("SW", term("card", "switch witch"), 5),
    ("WI", term("card", "sleeping willow"), 5),
    ("SB", term("card", "spell book"), 4),
    ("RC", text("rescue companion {number}"), 10),
)
"""(letters of the code, name, number of copies) of each card without a number.

The rulebook does not number queens and companions; a family does so when it applies the stickers.
"""


def knight_kind(knight: int) -> str:
    """Kind of a knight's foot sticker, e.g. "knight six"."""
    return f"knight {Knight(knight).name.lower()}"


def die_side(face: int) -> Text:
    """Name of a die side with this face, for people."""
    return text("die dragon") if face == DRAGON else text("die {number}", number=face)


def die_kind(face: int) -> str:
    """Kind of stickers on die sides, e.g. "die 2"."""
    return f"die {FACE_TEXT[face]}"


KNIGHT_OF_KIND = {knight_kind(knight): knight for knight in POWERS}


@lru_cache(maxsize=8)
def catalogue(parts: Parts = DEFAULT_PARTS) -> tuple[PhysicalCard, ...]:
    """All cards and stickers of a box.

    `parts`: what is printed on them. Codes: N07C is the third copy of number 7, Q01 a queen, SW2 a switch
    witch, KN1 a knight, DI1 a die side. Kinds: a number, the letters of the code, the whole code of a queen or
    companion, `knight six`, `die 2`.
    """
    card = partial(sticker, PAYLOAD_PREFIX)
    cards = number_cards(PAYLOAD_PREFIX)
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
                small=True,
            )
        )
    for side, face in enumerate(parts.die, start=1):
        cards.append(card(f"DI{side}", die_kind(face), die_side(face), small=True))
    return tuple(cards)
