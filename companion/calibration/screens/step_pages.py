"""What each setup step is about, in words for its page before it begins."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.calibration.setup_run import CAMERA, CARDS, FIND, LENS, NAMES, REHEARSAL, STATIONS, TAGS, TEXTURE


@dataclass(frozen=True, slots=True)
class Page:
    """A step before it begins: two words in big letters, what happens, what has to be ready, and how long."""

    big: str
    text: str
    ready: str
    takes: str


PAGES: Mapping[str, Page] = {
    FIND: Page(
        "WHO IS THERE?",
        "Camera and board are looked for, and every part of the board is asked whether it answers.",
        "Plug in what you have. A webcam alone is enough to begin.",
        "half a minute",
    ),
    CAMERA: Page(
        "LOOK DOWN",
        "Is the whole mat in the picture, sharp, upright, evenly lit, and does the camera stand still?",
        "The mat, empty, below the camera; the lamps as in the evening when you play.",
        "half a minute",
    ),
    LENS: Page(
        "STRAIGHT LINES",
        "A printed sheet of squares tells how the lens bends lines. Without it the corners of the mat do.",
        "The lens sheet (companion sheets --only lens), flat on cardboard, and a box of a hand's breadth.",
        "two minutes, or skip it",
    ),
    CARDS: Page(
        "ALL CARDS",
        "The deck lies in rows and is photographed: what is missing, what is there twice, what is strange.",
        "All cards with stickers.",
        "two to four minutes",
    ),
    NAMES: Page(
        "WHO IS WHO?",
        "The rulebook leaves some characters without a name. Yours are used on every screen.",
        "Nothing.",
        "half a minute, or skip it",
    ),
    TAGS: Page(
        "ON THE PAD",
        "Each card lies on the pad once: its face, its tag and its raised picture are learned together.",
        "All cards with tags, one after the other.",
        "three to five minutes",
    ),
    TEXTURE: Page(
        "PRESS",
        "Are all raised pictures told apart? More presses are asked for only where two are mixed up.",
        "One card of each raised picture.",
        "a moment after the tags, else two minutes",
    ),
    STATIONS: Page(
        "WEIGH AND PUSH",
        "Scales, fingers, buttons and lamps are tried one after the other. Crossed wires are put right.",
        "Ten cards, and a free table for half a minute.",
        "four minutes",
    ),
    REHEARSAL: Page(
        "PLAY A LITTLE",
        "A mini-game: deal three, feel one, move one, claim truly, claim falsely, show three.",
        "Four cards, as the screen names them.",
        "two minutes",
    ),
}
"""The page of each step."""
