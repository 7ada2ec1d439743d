"""How the cards and the mat of a virtual table are known: by stickers or art, printed or corners alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.games.api import PhysicalCard

if TYPE_CHECKING:
    from companion.virtual.render.art_looks import ArtLooks
    from companion.virtual.render.looks import Looks

STICKERS, ART = "stickers", "art"
PRINTED, CORNERS, NO_MAT = "printed", "corners", "none"
"""What lies on the table: a printed mat, a plain cloth with its four corner markers, or a tablecloth alone."""
_STYLES = ("framed", "full bleed", "portrait", "playing cards")


@dataclass(frozen=True, slots=True)
class Art:
    """Cards with drawn pictures: the style of their deck, the pictures' seed, and whether all are sleeved."""

    style: str
    seed: int
    sleeved: bool

    @classmethod
    def of(cls, seed: int) -> "Art":
        """The art of a table: each seed the next style, every third one sleeved."""
        return cls(_STYLES[seed % len(_STYLES)], seed, seed % 3 == 0)

    def looks(self, looks: "Looks", cards: Sequence[PhysicalCard]) -> "ArtLooks":
        """What the things of a game look like; draws with OpenCV, which loads when it is needed."""
        from companion.virtual.render.art_looks import ArtLooks

        return ArtLooks(looks, cards, self.style, self.seed, sleeved=self.sleeved)
