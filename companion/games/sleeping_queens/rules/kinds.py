"""Kinds of hand cards, and queens with their points.

Rulebook, "79 cards" and "Ending the Game". A kind is a number: 0 an unseen card, 1 to 10 the number cards, 11
to 16 the power cards.
"""

from companion.games.signs import UNKNOWN_KIND
from companion.games.sleeping_queens.queens_cards import POWERS, QUEENS

UNKNOWN = 0
KING, JESTER, KNIGHT, POTION, WAND, DRAGON = range(11, 17)
NUMBERS = range(1, 11)
KIND_TEXT = (UNKNOWN_KIND, *map(str, NUMBERS), *(letters for letters, _, _ in POWERS))
"""Text of each kind (the index) in the notation: "?", "1" to "10", then letters of power cards."""
KIND_OF_TEXT = {text: kind for kind, text in enumerate(KIND_TEXT)}
COPIES = (0, *(4 for _ in NUMBERS), *(count for _, _, count in POWERS))
"""Number of cards of each kind (the index) in the box."""
HAND_CARDS = sum(COPIES)
HAND = 5
"""Number of cards in a full hand."""

ROSE, CAT, DOG = (list(QUEENS).index(name) for name in ("Rose", "Cat", "Dog"))
QUEEN_NAMES = tuple(QUEENS)
"""Queens' names. The index (0 to 11) is a queen's number."""
POINTS = tuple(QUEENS.values())
UNKNOWN_QUEEN, EMPTY = -1, -2
"""Contents of a grid place: a queen that nobody has seen (UNKNOWN_QUEEN), or none (EMPTY)."""
CELLS = len(QUEEN_NAMES)
ANSWER_TO = {KNIGHT: DRAGON, POTION: WAND}
"""Attacking card -> the card that stops it."""
ENEMY = {CAT: DOG, DOG: CAT}
"""Queens who may not be awake before the same player: Cat -> Dog, Dog -> Cat."""
