"""Printed parts that the rulebook does not describe: die faces, symbols, knight colours.

The defaults are guesses with which every rule can be played. A family reads the real ones off its box, into
the settings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.sleeping_queens_2.rules.kinds import COMPANIONS, QUEENS

DRAGON = 4
"""Number that stands for the die face with the dragon. Other faces stand for themselves."""
ANY = "*"
"""Symbol of the companion that fits every queen (the All-Porpoise Tool)."""
FACES = (1, 2, 3, DRAGON)
FACE_TEXT = {1: "1", 2: "2", 3: "3", DRAGON: "dragon"}
KNIGHTS = 6
SIDES = 6
"""Number of die sides."""
PART_NAMES = ("die", "queens", "companions", "colours", "names")
"""Names of the printed parts in the settings: die faces, symbols of queens, symbols of companions, knight
colours, names of symbols."""
LONGEST_NAME = 12
"""Longest name of a symbol, in letters: the room in choices and hints."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What is printed on the parts of one box. ValueError for parts that no box can have."""

    die: tuple[int, ...] = (1, 1, 2, 2, 3, DRAGON)
    """Numbers of the six die faces (1, 2, 3, DRAGON), ascending. The default is a guess: high faces are
    rarer."""
    queens: str = "aaaabbbbcccc"
    """The symbol of each of the twelve queens, as one letter. The default is a guess: three symbols, four
    queens each."""
    companions: str = "aaabbbccc*"
    """The symbol of each of the ten companions, as one letter; `*` fits every queen. The default is a
    guess."""
    colours: tuple[str, ...] = ("red", "black", "blue", "yellow", "white", "green")
    """Colour of each knight, in the order of `Knight`. Black, white and green are from the rulebook, the
    others are guesses."""

    names: tuple[str, ...] = ()
    """Names that the family gave to symbols, in the order of their letters. Symbols without a name go by
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
    """Name that the family gave to a symbol, or its letter. ANY has no name."""
    letters = sorted({*parts.queens, *parts.companions} - {ANY})
    named: dict[str, str] = dict(zip(letters, parts.names, strict=False))
    return named.get(letter, letter)


def read_parts(texts: Mapping[str, str]) -> Parts:
    """Parse printed parts: part name (of PART_NAMES) -> text. Parts that are missing get their defaults.

    ValueError names the wrong part.
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
    """A family's box (see `PrintedParts` in companion.games.api): what is printed on its parts."""

    def __init__(self, parts: Parts = DEFAULT_PARTS) -> None:
        self.parts = parts

    def take_parts(self, parts: Mapping[str, str]) -> None:
        """Set printed parts: part name -> text. Others get their defaults. ValueError names a wrong part."""
        self.parts = read_parts(parts)

    def printed_parts(self) -> dict[str, str]:
        """The parts that differ from the defaults: part name -> text. Inverse of `take_parts`."""
        usual = Box().all_parts()
        return {name: text for name, text in self.all_parts().items() if text != usual[name]}

    def all_parts(self) -> dict[str, str]:
        """All parts, defaults included: part name -> text, as `take_parts` takes it."""
        parts = self.parts
        die = ",".join(FACE_TEXT[face] for face in parts.die)
        texts = (die, parts.queens, parts.companions, ",".join(parts.colours), ",".join(parts.names))
        return dict(zip(PART_NAMES, texts, strict=True))
