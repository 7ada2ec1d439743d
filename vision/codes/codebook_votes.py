"""Adds up several uncertain readings of a sticker, none of which identified it for certain."""

from dataclasses import replace

from vision.codes.codebook import CERTAIN, SURE
from vision.scene.camera_reports import CardSeen
from vision.scene.sighting_assignment import same_place

_STRANGER = 0.55
"""A reading counts by how far its evidence is above this, which unknown stickers never reached.

An unknown sticker looks alike in every frame, so its evidence must not add up.
"""


class Votes:
    """Adds up the evidence of several frames for cards that are hard to read, in a zone where nothing moves.

    A sequential test (Wald 1945).
    """

    def __init__(self) -> None:
        self._cast: list[tuple[CardSeen, float, int]] = []
        """Card, sum of its evidence beyond _STRANGER, and number of readings."""

    def add(self, card: CardSeen, evidence: float) -> bool:
        """Count a reading of `card`.

        True once it is identified: by one reading from CERTAIN on, else by two that agree.

        `evidence`: see `Match`. A reading of another card in this place starts from zero.
        """
        before, looks = next(
            ((total, looks) for other, total, looks in self._cast if same_place(card, other)), (0.0, 0)
        )
        here = [one for one in self._cast if same_place(card, replace(one[0], code=card.code))]
        self._cast = [one for one in self._cast if one not in here]
        total = max(0.0, before + evidence - _STRANGER)
        self._cast.append((card, total, looks + 1))
        return evidence >= CERTAIN or (looks > 0 and total >= SURE - _STRANGER)
