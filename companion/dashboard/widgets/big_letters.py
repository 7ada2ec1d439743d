"""Big letters out of blocks, readable from two metres.

By hand, because Textual's Digits has no letters, and no font of pyfiglet 1.0.4 fits. Its readable ones of
blocks in five rows (clr5x6, ansi_regular, future_8) take more than 80 columns for "PLAYER 2 CHECK", which
takes 53 here. In the narrow ones N looks like A (3x5) or like M (clr4x6).
"""

from collections.abc import Sequence
from functools import cache

_GLYPHS = {
    "A": ".#. #.# ### #.# #.#",
    "B": "##. #.# ##. #.# ##.",
    "C": "### #.. #.. #.. ###",
    "D": "##. #.# #.# #.# ##.",
    "E": "### #.. ##. #.. ###",
    "F": "### #.. ##. #.. #..",
    "G": "### #.. #.# #.# ###",
    "H": "#.# #.# ### #.# #.#",
    "I": "# # # # #",
    "J": "..# ..# ..# #.# ###",
    "K": "#.# #.# ##. #.# #.#",
    "L": "#.. #.. #.. #.. ###",
    "M": "#...# ##.## #.#.# #...# #...#",
    "N": "#..# ##.# #.## #..# #..#",
    "O": "### #.# #.# #.# ###",
    "P": "### #.# ### #.. #..",
    "Q": "### #.# #.# ### ..#",
    "R": "##. #.# ##. #.# #.#",
    "S": "### #.. ### ..# ###",
    "T": "### .#. .#. .#. .#.",
    "U": "#.# #.# #.# #.# ###",
    "V": "#.# #.# #.# #.# .#.",
    "W": "#...# #...# #.#.# ##.## #...#",
    "X": "#.# #.# .#. #.# #.#",
    "Y": "#.# #.# ### .#. .#.",
    "Z": "### ..# .#. #.. ###",
    "0": "### #.# #.# #.# ###",
    "1": ".#. ##. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# .## ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# ..# .#. .#.",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
    "!": "# # # . #",
    "?": "### ..# .## ... .#.",
    ":": ". # . # .",
    ".": ". . . . #",
    ",": ".. .. .. .# #.",
    "'": "# # . . .",
    "/": "..# ..# .#. #.. #..",
    "+": "... .#. ### .#. ...",
    "Ä": "#.# ... ### #.# #.#",
    "Ö": "#.# ... ### #.# ###",
    "Ü": "#.# ... #.# #.# ###",
    "É": "..# ### ##. #.. ###",
    "È": "#.. ### ##. #.. ###",
    "Ê": ".#. ### ##. #.. ###",
    "Ë": "#.# ### ##. #.. ###",
    "À": "#.. .#. #.# ### #.#",
    "Â": ".#. ### #.# ### #.#",
    "Ì": "#. .. .# .# .#",
    "Î": ".#. ... .#. .#. .#.",
    "Ï": "#.# ... .#. .#. .#.",
    "Ò": "#.. ### #.# #.# ###",
    "Ô": ".#. ### #.# #.# ###",
    "Ù": "#.. ... #.# #.# ###",
    "Û": ".#. ... #.# #.# ###",
    "Ç": "### #.. #.. ### .#.",
    "Œ": "##### #.#.. #.##. #.#.. #####",
    "’": "# # . . .",
    "♥": ".#.#. ##### ##### .###. ..#..",
    "♦": "..#.. .###. ##### .###. ..#..",
    "♣": ".###. .###. ##.## ##### ..#..",
    "♠": "..#.. .###. ##### #.#.# ..#..",
    "■": ".... #### #### #### ####",
    "-": "... ... ### ... ...",
    **dict.fromkeys(" \u00a0\u202f", ".. .. .. .. .."),
}
"""_GLYPHS: sign -> its five rows of pixels, separated by spaces; `#` is drawn."""
_HALVES = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}
"""_HALVES: two pixels, the upper and the lower one -> sign that draws both in one cell."""
ROWS = 5
"""ROWS: height of a big letter of scale 1, in pixels. A row of the screen holds two rows of pixels."""


def _pixels(text: str) -> list[str]:
    """Pixels of a text in big letters: five strings of `#` and `.`.

    A sign without a big form becomes a question mark.
    """
    glyphs = [_GLYPHS.get(sign, _GLYPHS["?"]).split() for sign in text.upper()]
    return [".".join(glyph[row] for glyph in glyphs) for row in range(ROWS)]


@cache
def big(text: str, scale: int = 1) -> tuple[str, ...]:
    """Text in big letters, as equally long rows.

    A pixel is `scale` columns wide and half as many rows high: scale 1 takes 3 rows, 2 takes 5, 3 takes 8.
    Small letters become capitals.
    """
    rows = ["".join(sign * scale for sign in row) for row in _pixels(text) for _ in range(scale)]
    if len(rows) % 2:
        rows.append("." * len(rows[0]))
    return tuple(
        "".join(_HALVES[upper + lower] for upper, lower in zip(above, below, strict=True))
        for above, below in zip(rows[::2], rows[1::2], strict=True)
    )


def big_rows(scale: int = 1) -> int:
    """Rows of the screen that big letters of a scale take: 3, 5, 8 for 1, 2, 3."""
    return (ROWS * scale + 1) // 2


@cache
def big_width(text: str, scale: int = 1) -> int:
    """Columns of the screen that a text in big letters of a scale takes."""
    return len(_pixels(text)[0]) * scale


def spells(text: str) -> bool:
    """True if every sign of a text can be drawn as a big letter."""
    return set(text.upper()) <= _GLYPHS.keys()


def biggest(text: str, width: int, rows: int, most: int = 6) -> int:
    """Largest scale of big letters at which a text fits; 0 if none.

    `width`, `rows`: columns and rows of the space. `most`: largest scale to try.
    """
    fitting = (n for n in range(most, 0, -1) if big_width(text, n) <= width and big_rows(n) <= rows)
    return next(fitting, 0)


def joined(words: Sequence[str], width: int, scale: int = 1) -> list[str]:
    """Words joined by spaces to as few lines as possible.

    Each line takes at most `width` columns in big letters of this scale. A longer word stays alone on its
    line.
    """
    lines: list[str] = []
    for word in words:
        if lines and big_width(f"{lines[-1]} {word}", scale) <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines
