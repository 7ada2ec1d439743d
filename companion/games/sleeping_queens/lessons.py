"""The rules for a first game, each when it first matters. Source: the rulebook, by its sections."""

from companion.games.api import Lesson

LESSONS = (
    Lesson(
        "phase play",
        "Your turn",
        "Play one power card, or discard to draw: one card, a pair of equal numbers, or three and more "
        "numbers that make an addition, e.g. 2 + 3 = 5. Then draw up to five cards again.",
        "Rulebook: Discard one or more cards to draw new cards",
    ),
    Lesson(
        "phase wake",
        "A queen awakes",
        "Turn up any sleeping queen and lay her in front of you. She counts as many points as are printed "
        "on her.",
        "Rulebook: Kings",
    ),
    Lesson(
        "phase answer",
        "Dragons and wands",
        "A dragon stops a knight, a wand stops a sleeping potion: lay it at once, or it is too late.",
        "Rulebook: Dragons; Wands; Queenly Questions",
    ),
    Lesson(
        "phase jester",
        "The jester",
        "Turn up the top card of the pile. A power card is yours, and you have another turn. A number is "
        "counted round the players, beginning with you: where it ends, that player wakes a queen.",
        "Rulebook: Play a Jester card and take a chance",
    ),
    Lesson(
        "phase sleep",
        "Back to sleep",
        "A queen hit by a sleeping potion goes back to the middle, face down.",
        "Rulebook: Sleeping Potions",
    ),
)
