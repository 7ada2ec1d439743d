"""What the cards of Sleeping Queens are: kinds of the hand cards, queens with their points.

Rulebook, "79 cards" and "Ending the Game". A kind of a hand card is a small number: 0 is a card nobody has
seen, 1 to 10 are the number cards, then the powers.
"""

from companion.games.api import UNKNOWN_KIND
from companion.games.sleeping_queens.queens_cards import POWERS, QUEENS

UNKNOWN = 0
KING, JESTER, KNIGHT, POTION, WAND, DRAGON = range(11, 17)
NUMBERS = range(1, 11)
KIND_TEXT = (UNKNOWN_KIND, *map(str, NUMBERS), *(letters for letters, _, _ in POWERS))
"""Kind as text; the index is the kind."""
KIND_OF_TEXT = {text: kind for kind, text in enumerate(KIND_TEXT)}
COPIES = (0, *(4 for _ in NUMBERS), *(count for _, _, count in POWERS))
"""How many cards of each kind exist."""
HAND_CARDS = sum(COPIES)
HAND = 5
"""Cards in a full hand."""

ROSE, CAT, DOG = (list(QUEENS).index(name) for name in ("Rose", "Cat", "Dog"))
QUEEN_NAMES = tuple(QUEENS)
"""Queens by number, from 0."""
POINTS = tuple(QUEENS.values())
UNKNOWN_QUEEN, EMPTY = -1, -2
"""A sleeping queen that nobody has seen; a place of the grid where none lies."""
CELLS = len(QUEEN_NAMES)
ANSWER_TO = {KNIGHT: DRAGON, POTION: WAND}
"""A card that attacks -> the card that defends."""
ENEMY = {CAT: DOG, DOG: CAT}
"""Two queens whom nobody has together."""
