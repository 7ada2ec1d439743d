"""Enrolment of a box's printed parts: symbols from photographs of rows, the rest by questions."""

from collections.abc import Iterable, Sequence

from companion.core.language import plural, text
from companion.games.optional_modules import PartQuestion
from companion.games.sleeping_queens_2.rules.kinds import COMPANIONS, QUEENS
from companion.games.sleeping_queens_2.rules.parts import ANY
from companion.games.sleeping_queens_2.terms import POWERS

_POWERS = tuple(text("{card} {power}", card=f"KN{knight + 1}", power=power) for knight, power in POWERS.items())
_QUEENS = tuple(f"Q{n:02d}" for n in range(1, len(QUEENS) + 1))
_COMPANIONS = tuple(f"RC{n:02d}" for n in range(1, len(COMPANIONS) + 1))
QUESTIONS = (
    PartQuestion("die", text("The six faces of the die (1, 2, 3 or dragon), with commas between")),
    PartQuestion(
        "queens",
        text("A small letter for the symbol of each queen, Q01 to Q12, alike for the same symbol"),
    ),
    PartQuestion(
        "companions", text("The same of the companions, RC01 to RC10; {any} fits every queen", any=ANY)
    ),
    PartQuestion(
        "colours", text("The colours of the six knights, with commas between: {powers}", powers=_POWERS)
    ),
    PartQuestion(
        "names",
        text("What you call the symbols a, b, c ..., with commas between; empty: by their letters"),
    ),
)
"""One question for each printed part, in the order of asking."""
ROWS = text("queens and companions with stickers, a row for each symbol; who fits every queen lies alone")
"""Instruction for the photograph: which cards to lay in rows, and what a row means."""


def read_rows(rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """Find queens' and companions' symbols in photographed rows of cards.

    `rows`: card codes of each row. Returns the parts "queens" and "companions", a letter for each card. Cards
    of one row share a symbol; a row of companions alone fits every queen. Other cards are ignored. ValueError
    for a card in two rows or in none.
    """
    wanted = {*_QUEENS, *_COMPANIONS}
    kept = [row for row in ([code for code in row if code in wanted] for row in rows) if row]
    symbols: dict[str, str] = {}
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    # Letters are given in the order of queen numbers, so the order of photographs does not matter.
    for row in sorted(kept, key=min):
        letter = next(letters) if any(code in _QUEENS for code in row) else ANY
        for code in row:
            if code in symbols:
                raise ValueError(text("{card} lies in two rows", card=code))
            symbols[code] = letter
    if missing := sorted(wanted - set(symbols)):
        raise ValueError(
            plural("{cards} is in no row", "{cards} are in no row", n=len(missing)).of(cards=", ".join(missing))
        )
    return {"queens": _joined(symbols, _QUEENS), "companions": _joined(symbols, _COMPANIONS)}


def _joined(symbols: dict[str, str], codes: Iterable[str]) -> str:
    return "".join(symbols[code] for code in codes)
