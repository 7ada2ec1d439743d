"""Adds up several uncertain readings of a sticker, none of which identified it for certain."""

from dataclasses import replace

from vision.codes.codebook import CERTAIN, SURE
from vision.scene.camera_reports import CardSeen
from vision.scene.sighting_assignment import same_place

_STRANGER = 0.55
"""_STRANGER: evidence (see `Match`) that is subtracted from each reading before readings are added up. Unknown
stickers never reached it. They look alike in every frame, so their evidence must not add up."""


class Votes:
    """Evidence for stickers that are hard to read.

    The evidence is added up over several frames. Nothing may move in the zone meanwhile. A sequential test
    (Wald 1945).
    """

    def __init__(self) -> None:
        self._cast: list[tuple[CardSeen, float, int]] = []
        """Card, sum of its evidence beyond _STRANGER, and number of readings."""

    def add(self, card: CardSeen, evidence: float) -> bool:
        """Count a reading of `card`; True once it is identified.

        One reading identifies it from an evidence of 1.1 on, else two that agree. `evidence`: see `Match`. A
        reading of another card in this place starts from zero.
        """
        before, looks = next(
            ((total, looks) for other, total, looks in self._cast if same_place(card, other)), (0.0, 0)
        )
        here = [one for one in self._cast if same_place(card, replace(one[0], code=card.code))]
        self._cast = [one for one in self._cast if one not in here]
        total = max(0.0, before + evidence - _STRANGER)
        self._cast.append((card, total, looks + 1))
        return evidence >= CERTAIN or (looks > 0 and total >= SURE - _STRANGER)
