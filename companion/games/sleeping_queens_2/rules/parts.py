"""Printed parts: die faces, symbols, knight colours.

The rulebook does not describe them. The defaults are guesses with which every rule can be played. A family
reads the real ones off its box, into the settings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.sleeping_queens_2.rules.kinds import COMPANIONS, QUEENS

DRAGON = 4
"""Number that stands for the dragon among the faces of the die, beside 1, 2 and 3."""
ANY = "*"
"""Symbol of the companion that fits every queen (the All-Porpoise Tool)."""
FACES = (1, 2, 3, DRAGON)
FACE_TEXT = {1: "1", 2: "2", 3: "3", DRAGON: "dragon"}
KNIGHTS = 6
SIDES = 6
"""Number of die sides."""
PART_NAMES = ("die", "queens", "companions", "colours", "names")
"""Names of the printed parts in the settings.

Die faces, symbols of queens, symbols of companions, colours of knights, names of symbols.
"""
LONGEST_NAME = 12
"""Largest number of letters in a symbol's name: more do not fit into choices and hints."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What is printed on the parts of one box.

    ValueError for values that no box can have.
    """

    die: tuple[int, ...] = (1, 1, 2, 2, 3, DRAGON)
    """The six die faces (1, 2, 3 or DRAGON), ascending. A guess: high faces are rarer."""
    queens: str = "aaaabbbbcccc"
    """Symbol of each of the twelve queens, one letter each. A guess: three symbols, four queens each."""
    companions: str = "aaabbbccc*"
    """Symbol of each of the ten companions, one letter each. `*` fits every queen. A guess."""
    colours: tuple[str, ...] = ("red", "black", "blue", "yellow", "white", "green")
    """Colour of each knight, in the order of `Knight`. Black, white and green are from the rulebook, the rest
    guesses."""

    names: tuple[str, ...] = ()
    """The family's names for symbols, in the order of their letters. Symbols without one are called by
    letter."""

    def __post_init__(self) -> None:
        if not self.die or not set(self.die) <= set(FACES) or set(self.die) == {DRAGON}:
            raise ValueError("die: faces are 1, 2, 3 and dragon, not dragons alone")
        if self.die != tuple(sorted(self.die)):
            raise ValueError("die: faces are given ascending, the dragon last")
        if len(self.queens) != len(QUEENS) or not _are_letters(self.queens):
            raise ValueError(f"queens: {len(QUEENS)} small letters are wanted")
        if len(self.companions) != len(COMPANIONS) or not _are_letters(self.companions.replace(ANY, "a")):
            raise ValueError(f"companions: {len(COMPANIONS)} small letters or {ANY} are wanted")
        if len(set(self.colours)) != KNIGHTS or not all(map(_are_letters, self.colours)):
            raise ValueError(f"colours: {KNIGHTS} different words of small letters are wanted")
        if len(set(self.names)) != len(self.names) or not all(map(_is_name, self.names)):
            raise ValueError(f"names: different words of 1 to {LONGEST_NAME} letters are wanted")

    def __hash__(self) -> int:
        # Hashing has to be fast, because caches look up millions of states. Boxes differ in symbols.
        return hash((self.queens, self.companions))

    def fits(self, queen: int, companion: int) -> bool:
        """True if a queen and a companion together rescue a king (rulebook, "How to Rescue a King")."""
        symbol = self.companions[companion - COMPANIONS.start]
        return symbol in (ANY, self.queens[queen - QUEENS.start])


def symbol_name(letter: str, parts: Parts) -> str:
    """The family's name for a symbol, or else the symbol's letter; "" for ANY.

    `letter`: of the symbol. `parts`: printed parts of the box, with the family's names.
    """
    letters = sorted({*parts.queens, *parts.companions} - {ANY})
    named: dict[str, str] = dict(zip(letters, parts.names, strict=False))
    return named.get(letter, letter)


def read_parts(texts: Mapping[str, str]) -> Parts:
    """Parse printed parts: part name (of PART_NAMES) -> text.

    Missing parts get defaults. ValueError names the wrong part.
    """
    strange = sorted(set(texts) - set(PART_NAMES))
    if strange:
        raise ValueError(f"no part is called {strange[0]!r}; there are {', '.join(PART_NAMES)}")
    read: dict[str, Any] = {}
    for name, text in texts.items():
        words = tuple(word.strip() for word in text.split(",")) if text.strip() else ()
        if name == "die":
            read["die"] = tuple(sorted(_face(word) for word in words))
            if len(words) != SIDES:
                raise ValueError(f"die: {SIDES} faces are wanted, not {len(words)}")
        elif name == "colours":
            read["colours"] = words
        elif name == "names":
            read["names"] = words
        else:
            read[name] = text
    return Parts(**read)


def _face(text: str) -> int:
    face = next((face for face, word in FACE_TEXT.items() if word == text), None)
    if face is None:
        raise ValueError(f"die: {text!r} is no face; faces are {', '.join(FACE_TEXT.values())}")
    return face


def _is_name(text: str) -> bool:
    return text.isalpha() and len(text) <= LONGEST_NAME


def _are_letters(text: str) -> bool:
    return text.isascii() and text.isalpha() and text.islower()


DEFAULT_PARTS = Parts()


class Box:
    """Printed parts of the family's box, replaceable from the settings (see `games.rules.PrintedParts`)."""

    def __init__(self, parts: Parts = DEFAULT_PARTS) -> None:
        self.parts = parts

    def take_parts(self, parts: Mapping[str, str]) -> None:
        """Replace printed parts: part name -> text.

        All others go back to their defaults. ValueError names a wrong part.
        """
        self.parts = read_parts(parts)

    def printed_parts(self) -> dict[str, str]:
        """Parts that differ from the defaults: part name -> text.

        Inverse of `take_parts`.
        """
        usual = Box().all_parts()
        return {name: text for name, text in self.all_parts().items() if text != usual[name]}

    def all_parts(self) -> dict[str, str]:
        """Every part, default or not: part name -> text, in the form that `take_parts` accepts."""
        parts = self.parts
        die = ",".join(FACE_TEXT[face] for face in parts.die)
        texts = (die, parts.queens, parts.companions, ",".join(parts.colours), ",".join(parts.names))
        return dict(zip(PART_NAMES, texts, strict=True))
