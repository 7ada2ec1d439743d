"""What is remembered of a mat zone between frames."""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.codebook_votes import Votes
from vision.codes.sticker_set import Gray
from vision.mat.registration import Rect
from vision.mat_geometry import Zone
from vision.scene.camera_reports import CardSeen
from vision.scene.unread_cards import Look, Outline

SETTLE = 2
"""SETTLE: number of frames without motion after which a zone is at rest."""
MEAN_OF = 4
"""MEAN_OF: number of frames that are averaged for a reading. Four halve the noise, and do not smear slow
movements."""
AGAIN_S = 2.0
"""AGAIN_S: time (s) after which a sticker that could not be read is tried again, at first."""


@dataclass(slots=True)
class ZoneState:
    """Memory of one zone (area of the mat) between frames.

    `index`: its number on the mat. `sent`: cards last reported; None before the first report. `covered`: a
    hand is over it. `quiet`: frames without motion. `tries`: readings since it came to rest; `tries_anew`: all
    readings since it counts as new. `strangers`: outlines of cards without a readable sticker.
    """

    zone: Zone
    index: int
    sent: tuple[CardSeen, ...] | None = None
    anew: bool = True  # nothing seen earlier is taken over: read all of it
    doubtful: bool = False  # something lies in the way: cards may come, none may go
    covered: bool = False
    reached_at: float = -math.inf  # when a hand was seen over it last (s)
    missed_at: float = math.inf  # since when cards are missing that no hand was seen to take (s)
    waits_until: float = -math.inf  # not read again before this time (s)
    in_picture: bool = True  # some of it, at least
    quiet: int = 0
    tries: int = 0
    tries_anew: int = 0
    union: dict[str, list[CardSeen]] = field(default_factory=dict)
    votes: Votes = field(default_factory=Votes)
    mean: tuple[Rect, NDArray[np.float32]] | None = None  # what was read, the mean of all tries
    strangers: tuple[Outline, ...] = ()
    looks: tuple[Look, ...] = ()  # of each of the strangers
    again_at: float = math.inf
    again_after: float = AGAIN_S

    @property
    def at_rest(self) -> bool:
        """True if no hand covers the zone, and nothing has moved in it for 2 frames."""
        return not self.covered and self.quiet >= SETTLE

    def restart(self) -> None:
        """Forget the readings since the zone came to rest."""
        self.tries = 0
        self.union = {}
        self.votes = Votes()
        self.mean = None

    def steadied(self, rect: Rect, gray: Gray) -> Gray:
        """Copy a frame, with the part `rect` (px) replaced by the mean of its last readings.

        The part then has less noise. `gray`: the frame.
        """
        left, top, right, bottom = rect
        new = gray[top:bottom, left:right]
        if self.mean is None or self.mean[0] != rect or not new.size:
            self.mean = rect, new.astype(np.float32)
            return gray
        mean = self.mean[1]
        cv2.accumulateWeighted(new, mean, 1 / min(self.tries + 1, MEAN_OF))
        steadied = gray.copy()
        steadied[top:bottom, left:right] = np.rint(mean)
        return steadied
