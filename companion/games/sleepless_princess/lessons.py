"""The rules for a first game, each when it first matters. Source: the rulebook, by its sections."""

from companion.games.api import Lesson

LESSONS = (
    Lesson(
        "phase setup",
        "What it is about",
        "You all play together. Each princess wants her own three mattresses, and nobody may look at "
        "them: they are felt. Look at each one and touch it for about a minute first; then lay it all "
        "out, as the screen says.",
        "Rulebook: Setup, 1 to 6",
    ),
    Lesson(
        "phase play",
        "Your turn",
        "Either discard one or two cards and draw as many, or play three equal numbers to feel a "
        "mattress. Addition counts, and a blanket makes one card smaller: it covers some of the helpers "
        "on it.",
        "Rulebook: How to play; Play 3 or more cards to check a mattress",
    ),
    Lesson(
        "phase check",
        "Feel, guess, carry",
        "Touch the bottom mattress of one bed, without looking. If you think you know whose it is, lay it "
        "on top of her bed, face down. If not, leave it there. Remember: you may not count the mattresses "
        "of a bed.",
        "Rulebook: Play 3 or more cards to check a mattress, Important",
    ),
    Lesson(
        "phase draw",
        "Back to five cards",
        "Draw up to five cards, open ones or from the deck as you like. Then the open row is filled up to "
        "five.",
        "Rulebook: Example, at the end of your turn",
    ),
    Lesson(
        "card W",
        "The witch",
        "A witch from the deck sweeps all open cards away with her, at once. Five new cards are laid open.",
        "Rulebook: Watch out for the witch",
    ),
    Lesson(
        "claim",
        "Lulling a princess to sleep",
        "At any time somebody may say that a bed has the three right mattresses and no other. Turn them "
        "up: if all is right, she sleeps sweetly. If not, the princess leaves her bed for the rest of the "
        "game.",
        "Rulebook: It's time to lull the princess to sleep",
    ),
    Lesson(
        "last turns",
        "The end is near",
        "The deck is used up, and somebody could not draw up to five cards: the last turns are played.",
        "Rulebook: End of the game",
    ),
)
