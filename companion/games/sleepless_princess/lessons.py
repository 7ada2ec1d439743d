"""Rulebook lessons for a first game of Sleepless Princess."""

from companion.core.language import text
from companion.games.narrator import Lesson

_BASIC, _FIVE_PLUS = ("basic",), ("5+",)
_FROM_FIVE = text("Rulebook: Game rules for 2 to 4 players from 5 years on")
LESSONS = (
    Lesson(
        "phase setup",
        text("What it is about"),
        text(
            "You all play together. Each princess wants her own three mattresses, and nobody may look at "
            "them: they are felt. Look at each one and touch it for about a minute first; then lay it all "
            "out, as the screen says."
        ),
        text("Rulebook: Setup, 1 to 6"),
        _BASIC,
    ),
    Lesson(
        "phase setup",
        text("What it is about"),
        text(
            "You all play together. Each of the four princesses wants her own two mattresses, and nobody may "
            "look at them: they are felt. Leave the smooth mattresses and the looking glass in the box."
        ),
        _FROM_FIVE,
        _FIVE_PLUS,
    ),
    Lesson(
        "phase play",
        text("Your turn"),
        text(
            "Either discard one or two cards and draw as many, or play three equal numbers to feel a "
            "mattress. Addition counts, and a blanket makes one card smaller: it covers some of the helpers "
            "on it."
        ),
        text("Rulebook: How to play; Play 3 or more cards"),
        _BASIC,
    ),
    Lesson(
        "phase play",
        text("Your turn"),
        text(
            "Either discard one or two cards and draw as many, or play three equal cards to feel a mattress. A "
            "blanket makes one card smaller: it covers some of the helpers on it."
        ),
        _FROM_FIVE,
        _FIVE_PLUS,
    ),
    Lesson(
        "phase check",
        text("Feel, guess, carry"),
        text(
            "Touch the bottom mattress of one bed, without looking. If you think you know whose it is, lay it "
            "on top of her bed, face down. If not, leave it there. Remember: you may not count the mattresses "
            "of a bed."
        ),
        text("Rulebook: Play 3 or more cards, Important"),
    ),
    Lesson(
        "phase check",
        text("Smooth mattresses, looking glass"),
        text(
            "One mattress of each princess is smooth: fingers cannot tell whose it is. The looking glass can. "
            "Who adds cards up may look under a bed through it, before or after feeling; who adds twice looks "
            "twice."
        ),
        text("Rulebook: Play 3 or more cards, Use addition"),
        _BASIC,
    ),
    Lesson(
        "phase draw",
        text("Back to five cards"),
        text(
            "Draw until you have five cards, open ones or from the deck as you like. Then the open row is "
            "filled up to five."
        ),
        text("Rulebook: Example, at the end of your turn"),
    ),
    Lesson(
        "card W",
        text("The witch"),
        text(
            "A witch from the deck sweeps all open cards away with her, at once. Five new cards are laid open."
        ),
        text("Rulebook: Watch out for the witch"),
    ),
    Lesson(
        "claim",
        text("Lulling a princess to sleep"),
        text(
            "At any time somebody may say that a bed has the three right mattresses and no other. Turn them "
            "up: if all is right, she sleeps sweetly. If not, the princess leaves her bed for the rest of the "
            "game."
        ),
        text("Rulebook: It's time to lull the princess"),
        _BASIC,
    ),
    Lesson(
        "claim",
        text("Lulling a princess to sleep"),
        text(
            "At any time somebody may say that a bed has the two right mattresses and no other. Turn them up: "
            "if both are right, she sleeps sweetly. If not, the princess leaves her bed for the rest of the "
            "game."
        ),
        _FROM_FIVE,
        _FIVE_PLUS,
    ),
    Lesson(
        "last turns",
        text("The end is near"),
        text("The deck is used up, and somebody could not draw up to five cards: the last turns are played."),
        text("Rulebook: End of the game"),
    ),
)
