"""What is known of one zone while it is watched, from frame to frame."""

import math
from dataclasses import dataclass, field

from companion.core.mat_geometry import Zone
from vision.codes.codebook_votes import Votes
from vision.scene.camera_reports import CardSeen
from vision.scene.unread_cards import Outline

SETTLE = 2
"""Frames without motion after which a zone is at rest."""
AGAIN_S = 2.0
"""Something sticker-like that could not be read is tried again after this (s)."""


@dataclass(slots=True)
class ZoneState:
    """What is known of a zone: `sent` is None until it was reported once."""

    zone: Zone
    index: int
    sent: tuple[CardSeen, ...] | None = None
    anew: bool = True  # nothing seen earlier is taken over: read all of it
    doubtful: bool = False  # something lies in the way: cards may come, none may go
    covered: bool = False
    in_picture: bool = True  # some of it, at least
    quiet: int = 0
    tries: int = 0
    union: dict[str, list[CardSeen]] = field(default_factory=dict)
    votes: Votes = field(default_factory=Votes)
    strangers: tuple[Outline, ...] = ()
    again_at: float = math.inf
    again_after: float = AGAIN_S

    @property
    def at_rest(self) -> bool:
        """Whether nothing is in the way, and nothing has moved for a moment."""
        return not self.covered and self.quiet >= SETTLE

    def restart(self) -> None:
        """Forget what was read of it since it came to rest."""
        self.tries = 0
        self.union = {}
        self.votes = Votes()
