"""How the printed parts of a box are read off: symbols from photographs of rows, the rest by questions."""

from collections.abc import Iterable, Sequence

from companion.games.api import PartQuestion
from companion.games.sleeping_queens_2.rules.kinds import COMPANIONS, QUEENS
from companion.games.sleeping_queens_2.rules.parts import ANY
from companion.games.sleeping_queens_2.terms import POWERS

_POWERS = ", ".join(f"KN{knight + 1} {power}" for knight, power in POWERS.items())
_QUEENS = tuple(f"Q{n:02d}" for n in range(1, len(QUEENS) + 1))
_COMPANIONS = tuple(f"RC{n:02d}" for n in range(1, len(COMPANIONS) + 1))
QUESTIONS = (
    PartQuestion("die", "The six faces of the die (1, 2, 3 or dragon), with commas between"),
    PartQuestion(
        "queens", "A small letter for the symbol of each queen, Q01 to Q12, alike for the same symbol"
    ),
    PartQuestion("companions", f"The same of the companions, RC01 to RC10; {ANY} fits every queen"),
    PartQuestion("colours", f"The colours of the six knights, with commas between: {_POWERS}"),
)
"""The parts in the order in which they are asked for."""
ROWS = "queens and companions with stickers, a row for each symbol; who fits every queen lies alone"
"""What a photograph shows."""


def read_rows(rows: Sequence[Sequence[str]]) -> dict[str, str]:
    """The parts that rows of cards (codes) on photographs tell: the symbols of `queens` and `companions`.

    Cards of one row have one symbol; a row of companions alone fits every queen. Other cards are passed over.
    ValueError for a card that lies in two rows, or in none.
    """
    wanted = {*_QUEENS, *_COMPANIONS}
    kept = [row for row in ([code for code in row if code in wanted] for row in rows) if row]
    symbols: dict[str, str] = {}
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    # Letters follow the numbers of the queens, so that the order of the photographs does not matter.
    for row in sorted(kept, key=min):
        letter = next(letters) if any(code in _QUEENS for code in row) else ANY
        for code in row:
            if code in symbols:
                raise ValueError(f"{code} lies in two rows")
            symbols[code] = letter
    if missing := sorted(wanted - set(symbols)):
        raise ValueError(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} in no row")
    return {"queens": _joined(symbols, _QUEENS), "companions": _joined(symbols, _COMPANIONS)}


def _joined(symbols: dict[str, str], codes: Iterable[str]) -> str:
    return "".join(symbols[code] for code in codes)
