"""How a virtual table's cards and mat are recognised."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.games.api import PhysicalCard

if TYPE_CHECKING:
    from companion.virtual.render.art_looks import ArtLooks
    from companion.virtual.render.looks import Looks

STICKERS, ART = "stickers", "art"
"""How a camera recognises cards: by QR stickers, or by their printed pictures."""
PRINTED, CORNERS, NO_MAT = "printed", "corners", "none"
"""Mat on the table: a printed one, four corner markers on a plain cloth, or only a tablecloth."""
_STYLES = ("framed", "full bleed", "portrait", "playing cards")
"""Styles of decks, as `art_faces.DECKS`, which would load OpenCV."""


@dataclass(frozen=True, slots=True)
class Art:
    """Art of a table's cards, instead of stickers.

    `style`: one of `art_faces.DECKS`. `seed`: decides the pictures. `sleeved`: whether all cards are in
    sleeves.
    """

    style: str
    seed: int
    sleeved: bool

    @classmethod
    def of(cls, seed: int) -> "Art":
        """Choose the art of table `seed`: styles take turns, and every third seed has sleeves."""
        return cls(_STYLES[seed % len(_STYLES)], seed, seed % 3 == 0)

    def looks(self, looks: "Looks", cards: Sequence[PhysicalCard]) -> "ArtLooks":
        """Dress a game's cards in this art.

        `looks`: the looks with stickers, kept for everything else. OpenCV is loaded only here.
        """
        from companion.virtual.render.art_looks import ArtLooks

        return ArtLooks(looks, cards, self.style, self.seed, sleeved=self.sleeved)
