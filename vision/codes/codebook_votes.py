"""Accumulates the evidence of several looks at a sticker that no single look was sure of."""

from vision.codes.codebook import SURE
from vision.scene.camera_reports import CardSeen
from vision.scene.sighting_assignment import same_place

_STRANGER = 0.55
"""_STRANGER: more evidence than any stranger gave. A look adds its excess over this, or subtracts its deficit.

A stranger looks the same in every frame, so its evidence must not add up.
"""


class Votes:
    """A sequential test (Wald 1945) for every doubtful card in a zone while nothing moves there."""

    def __init__(self) -> None:
        self._cast: list[tuple[CardSeen, float]] = []

    def add(self, card: CardSeen, evidence: float) -> bool:
        """Count one look (see Match.evidence). True if the looks at this card in this place now suffice."""
        before = next((total for other, total in self._cast if same_place(card, other)), 0.0)
        self._cast = [(other, total) for other, total in self._cast if not same_place(card, other)]
        total = max(0.0, before + evidence - _STRANGER)
        self._cast.append((card, total))
        return total >= SURE - _STRANGER
