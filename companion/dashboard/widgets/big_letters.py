"""Big letters out of blocks, for words that are read from two metres.

By hand, because Textual's Digits has no letters, and no font of pyfiglet 1.0.4 fits. Its readable ones of
blocks in five rows (clr5x6, ansi_regular, future_8) take more than 80 columns for "PLAYER 2 CHECK", which
takes 53 here. In the narrow ones N looks like A (3x5) or like M (clr4x6).
"""

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
    "-": "... ... ### ... ...",
    " ": ".. .. .. .. ..",
}
_HALVES = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}


def _pixels(text: str) -> list[str]:
    """Five rows of `#` and `.`, a column between letters; an unknown sign becomes a question mark."""
    glyphs = [_GLYPHS.get(sign, _GLYPHS["?"]).split() for sign in text.upper()]
    return [".".join(glyph[row] for glyph in glyphs) for row in range(5)]


def big(text: str, scale: int = 0) -> list[str]:
    """`text` in big letters, one string a screen row, all of the same width.

    Scale 0 takes 3 rows (half blocks); scale n takes 5n rows and is 2n times as wide as scale 0.
    """
    rows = _pixels(text)
    if scale == 0:
        rows.append("." * len(rows[0]))
        return [
            "".join(_HALVES[upper + lower] for upper, lower in zip(rows[y], rows[y + 1], strict=True))
            for y in (0, 2, 4)
        ]
    wide = ["".join(("█" if sign == "#" else " ") * (2 * scale) for sign in row) for row in rows]
    return [row for row in wide for _ in range(scale)]


def big_width(text: str, scale: int = 0) -> int:
    """How many columns `big(text, scale)` takes."""
    return len(_pixels(text)[0]) * max(1, 2 * scale)
