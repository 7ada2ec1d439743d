"""How a virtual table's cards and mat are recognised."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.games.appearance import PhysicalCard

if TYPE_CHECKING:
    from companion.virtual.render.art_looks import ArtLooks
    from companion.virtual.render.looks import Looks

STICKERS, ART = "stickers", "art"
"""How a camera recognises the cards: by QR stickers, or by their printed pictures."""
PRINTED, CORNERS, NO_MAT = "printed", "corners", "none"
"""Mat on the table: a printed one, four corner markers on a plain cloth, or only a tablecloth."""
_STYLES = ("framed", "full bleed", "portrait", "playing cards")
"""Styles of drawn decks, as in `art_faces.DECKS`, which would load OpenCV."""


@dataclass(frozen=True, slots=True)
class Art:
    """Drawn pictures of a table's cards, in place of stickers.

    `style`: of the deck, one of `art_faces.DECKS`. `seed`: decides the pictures. `sleeved`: whether all cards
    are in sleeves.
    """

    style: str
    seed: int
    sleeved: bool

    @classmethod
    def of(cls, seed: int) -> "Art":
        """Choose the drawn pictures of table number `seed`.

        Styles take turns, and every third seed has sleeves.
        """
        return cls(_STYLES[seed % len(_STYLES)], seed, seed % 3 == 0)

    def looks(self, looks: "Looks", cards: Sequence[PhysicalCard]) -> "ArtLooks":
        """Give a game's cards these drawn pictures.

        `looks`: how things look with stickers, kept for everything else. OpenCV is loaded only here.
        """
        from companion.virtual.render.art_looks import ArtLooks

        return ArtLooks(looks, cards, self.style, self.seed, sleeved=self.sleeved)
