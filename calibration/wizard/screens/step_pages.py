"""Pages that the wizard shows before each setup step."""

from collections.abc import Mapping
from dataclasses import dataclass

from calibration.wizard.setup_run import (
    ART,
    CAMERA,
    CARDS,
    FIND,
    LENS,
    NAMES,
    PAPER,
    REHEARSAL,
    STATIONS,
    TAGS,
    TEXTURE,
)
from companion.core.language import term, text


@dataclass(frozen=True, slots=True)
class Page:
    """Page that is shown before a setup step.

    `big`: headline in big letters. `ready`: what must be ready. `takes`: how long the step takes.
    """

    big: str
    text: str
    ready: str
    takes: str


PAGES: Mapping[str, Page] = {
    FIND: Page(
        term("request", "WHO IS THERE?"),
        text("Camera and board are looked for, and every part of the board is asked whether it answers."),
        text("Plug in what you have. A webcam alone is enough to begin."),
        text("half a minute"),
    ),
    PAPER: Page(
        term("request", "FOUR CORNERS"),
        text("Four printed cards at the corners of a cloth tell the camera where everything lies."),
        text("A printer and scissors, or four cards of the game, and a plain cloth below the camera."),
        text("three minutes"),
    ),
    CAMERA: Page(
        term("request", "LOOK DOWN"),
        text("Is the play area whole in the picture, sharp, upright, evenly lit, and the camera still?"),
        text("The mat, or a plain cloth, empty below the camera; the lamps as in the evening."),
        text("half a minute"),
    ),
    LENS: Page(
        term("request", "STRAIGHT LINES"),
        text(
            "A printed sheet of squares tells how the lens bends lines. Without it the corners of the mat do."
        ),
        text(
            "The lens sheet (companion sheets --only lens), flat on cardboard, and a box of a hand's breadth."
        ),
        text("two minutes, or skip it"),
    ),
    CARDS: Page(
        term("request", "ALL CARDS"),
        text(
            "The deck lies in rows and is photographed: what is missing, what is there twice, what is strange."
        ),
        text("All cards with stickers. None? Skip, then printed pictures."),
        text("two to four minutes"),
    ),
    ART: Page(
        term("request", "PICTURES"),
        text("Cards without stickers are known by what is printed on them: one of each kind, in rows."),
        text("The empty mat or cloth, and one card of each kind. With stickers: skip."),
        text("four minutes, or skip it"),
    ),
    NAMES: Page(
        term("request", "WHO IS WHO?"),
        text("The rulebook leaves some characters without a name. Yours are used on every screen."),
        text("Nothing."),
        text("half a minute, or skip it"),
    ),
    TAGS: Page(
        term("request", "ON THE PAD"),
        text("Each card lies on the pad once: its face, its tag and its raised picture are learned together."),
        text("All cards with tags, one after the other."),
        text("three to five minutes"),
    ),
    TEXTURE: Page(
        term("request", "PRESS"),
        text("Are all raised pictures told apart? More presses are asked for only where two are mixed up."),
        text("One card of each raised picture."),
        text("a moment after the tags, else two minutes"),
    ),
    STATIONS: Page(
        term("request", "WEIGH AND PUSH"),
        text("Scales, fingers, buttons and lamps are tried one after the other. Crossed wires are put right."),
        text("Ten cards, and a free table for half a minute."),
        text("four minutes"),
    ),
    REHEARSAL: Page(
        term("request", "PLAY A LITTLE"),
        text("A mini-game: deal three, feel one, move one, claim truly, claim falsely, show three."),
        text("Four cards, as the screen names them."),
        text("two minutes"),
    ),
}
"""Name of a setup step -> its page."""
