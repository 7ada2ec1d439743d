"""Rulebook lessons for a first game of Sleeping Queens."""

from companion.core.language import text
from companion.games.narrator import Lesson

LESSONS = (
    Lesson(
        "phase play",
        text("Your turn"),
        text(
            "Play one power card, or discard to draw: one card, a pair of equal numbers, or three and more "
            "numbers that make an addition, e.g. 2 + 3 = 5. Then draw until you have five cards again."
        ),
        text("Rulebook: Discard one or more cards"),
    ),
    Lesson(
        "phase wake",
        text("A queen awakes"),
        text(
            "Turn up any sleeping queen and lay her in front of you. She counts as many points as are printed "
            "on her."
        ),
        text("Rulebook: Kings"),
    ),
    Lesson(
        "phase answer",
        text("Dragons and wands"),
        text("A dragon stops a knight, a wand stops a sleeping potion: lay it at once, or it is too late."),
        text("Rulebook: Dragons; Wands; Queenly Questions"),
    ),
    Lesson(
        "phase jester",
        text("The jester"),
        text(
            "Turn up the top card of the pile. A power card is yours, and you have another turn. A number is "
            "counted round the players, beginning with you: where it ends, that player wakes a queen."
        ),
        text("Rulebook: Play a Jester"),
    ),
    Lesson(
        "phase sleep",
        text("Back to sleep"),
        text("A queen hit by a sleeping potion goes back to the middle, face down."),
        text("Rulebook: Sleeping Potions"),
    ),
)
