"""What the rulebook leaves to the printed parts: faces of the die, symbols, colours of the knights.

The defaults are assumptions, made so that every rule can be played; whoever has the box reads the real ones off
the parts, into the settings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.sleeping_queens_2.rules.kinds import COMPANIONS, QUEENS

DRAGON = 4
"""The face of the die with the dragon; the others are their numbers."""
ANY = "*"
"""The symbol of a companion that fits every queen: the All-Porpoise Tool."""
FACES = (1, 2, 3, DRAGON)
FACE_TEXT = {1: "1", 2: "2", 3: "3", DRAGON: "dragon"}
KNIGHTS = 6
SIDES = 6
"""Sides of the die."""
PART_NAMES = ("die", "queens", "companions", "colours", "names")
"""Names of the parts in settings: faces of the die, symbols, colours of the knights, names of the symbols."""
LONGEST_NAME = 12
"""LONGEST_NAME: most letters of a symbol's name: choices and hints have room for so many."""


@dataclass(frozen=True, slots=True)
class Parts:
    """One box. ValueError for parts with which nobody can play."""

    die: tuple[int, ...] = (1, 1, 2, 2, 3, DRAGON)
    """The faces of the die (1, 2, 3, DRAGON), ascending. Default: the higher, the rarer."""
    queens: str = "aaaabbbbcccc"
    """One letter for the symbol of each of the twelve queens. Default: three symbols, four queens each."""
    companions: str = "aaabbbccc*"
    """The same of the ten companions, `*` for the one that fits every queen."""
    colours: tuple[str, ...] = ("red", "black", "blue", "yellow", "white", "green")
    """The colour of each knight, in the order of `Knight`. Black, white and green are the rulebook's."""

    names: tuple[str, ...] = ()
    """What the family calls the symbols, in the order of their letters; those left out go by their letter."""

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
        # States are looked up by the million: two boxes seldom differ in colours or die alone.
        return hash((self.queens, self.companions))

    def fits(self, queen: int, companion: int) -> bool:
        """Whether a queen rescues a king with this companion (rulebook, "How to Rescue a King")."""
        symbol = self.companions[companion - COMPANIONS.start]
        return symbol in (ANY, self.queens[queen - QUEENS.start])


def symbol_name(letter: str, parts: Parts) -> str:
    """What the family calls a symbol, else its letter; ANY has no name."""
    letters = sorted({*parts.queens, *parts.companions} - {ANY})
    named: dict[str, str] = dict(zip(letters, parts.names, strict=False))
    return named.get(letter, letter)


def read_parts(texts: Mapping[str, str]) -> Parts:
    """The parts of a box from those of PART_NAMES that differ from the defaults; ValueError names the part."""
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


def write_parts(parts: Parts) -> dict[str, str]:
    """The inverse: the parts that differ from the defaults."""
    usual = part_texts(DEFAULT_PARTS)
    return {name: text for name, text in part_texts(parts).items() if text != usual[name]}


def part_texts(parts: Parts) -> dict[str, str]:
    """Every part, as `read_parts` reads it."""
    die = ",".join(FACE_TEXT[face] for face in parts.die)
    texts = (die, parts.queens, parts.companions, ",".join(parts.colours), ",".join(parts.names))
    return dict(zip(PART_NAMES, texts, strict=True))


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
