"""Accumulates the evidence of several looks at a sticker that no single look was certain of."""

from dataclasses import replace

from vision.codes.codebook import CERTAIN, SURE
from vision.scene.camera_reports import CardSeen
from vision.scene.sighting_assignment import same_place

_STRANGER = 0.55
"""_STRANGER: more evidence than any stranger gave. A look adds its excess over this, or subtracts its deficit.

A stranger looks the same in every frame, so its evidence must not add up.
"""


class Votes:
    """A sequential test (Wald 1945) for every doubtful card in a zone while nothing moves there."""

    def __init__(self) -> None:
        self._cast: list[tuple[CardSeen, float, int]] = []
        """Card, sum of its evidence beyond a stranger's, number of looks."""

    def add(self, card: CardSeen, evidence: float) -> bool:
        """Count one look (see Match.evidence). True if the looks at this card in this place now suffice.

        One look suffices from CERTAIN on. Otherwise two must agree: a look at another card here starts anew.
        """
        before, looks = next(
            ((total, looks) for other, total, looks in self._cast if same_place(card, other)), (0.0, 0)
        )
        here = [one for one in self._cast if same_place(card, replace(one[0], code=card.code))]
        self._cast = [one for one in self._cast if one not in here]
        total = max(0.0, before + evidence - _STRANGER)
        self._cast.append((card, total, looks + 1))
        return evidence >= CERTAIN or (looks > 0 and total >= SURE - _STRANGER)
