"""Pictures of the cards of Sleeping Queens."""

from companion.games.appearance import PhysicalCard
from companion.games.queens.table import CARD
from companion.games.sleeping_queens.queens_cards import POWERS, QUEENS
from companion.virtual.games.queens.card_pictures import MAIN_BACK, Lettering, back, face
from companion.virtual.render.looks import Looks
from companion.virtual.render.printed_marks import Picture
from companion.virtual.world import DOWN

_POWER_HUES = {letters: 0.08 + 0.15 * at for at, (letters, _, _) in enumerate(POWERS)}
_LETTERS = Lettering(inset=42, corner_size=1.5, stroke=4, name_size=0.7)
_QUEENS_BACK = 0.36
"""Hue (0 to 1) of the backs of queens."""


class QueensLooks(Looks):
    """Sizes and pictures of the cards of Sleeping Queens."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        """Width and height (mm), which are equal for all cards."""
        return CARD

    def printed(self, card: PhysicalCard | None, code: str, side: str) -> tuple[Picture, Picture]:
        """Draw one side of a card: (picture, mask). Queens have green backs, other cards red ones.

        `card`: None for the back of a pile.
        """
        if card is None or side == DOWN:
            return back(_QUEENS_BACK if code[0] == "Q" else MAIN_BACK)
        if card.kind in QUEENS:
            hue, name = list(QUEENS).index(card.kind) / len(QUEENS), card.kind
            corners = str(QUEENS[card.kind])
        elif card.kind.isdigit():
            hue, name, corners = int(card.kind) / 11, "", card.kind
        else:
            hue, name, corners = _POWER_HUES[card.kind], card.name, card.kind
        return face(card.payload, hue, corners, name, _LETTERS)
