"""Identifies stickers of a known set by comparing pictures.

Stickers that are too small to be decoded can still be identified.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.codes.codebook_finders import CENTRE, LENS_PX, Pose, Poses, distances, find_poses
from vision.codes.codebook_templates import BLURS, Templates, alike, sampled, telling
from vision.codes.sticker_set import QUIET_MODULES, STICKER_MODULES, Gray

SURE = 0.8
"""Evidence (see `Match`) from which one photograph identifies a sticker. Unknown stickers never
exceeded 0.5."""
CERTAIN = 1.1
"""Evidence (see `Match`) from which one live frame identifies a sticker. With less a second frame must agree.
Six of seven stickers that were read beneath spots, shadows and covers have more."""

_LIKE = 0.7
"""_LIKE: least correlation with which a sticker is identified, however far behind the second best is."""
_FRAMED = 0.6
"""_FRAMED: least correlation of a place with the patterns that all codes share; with less it shows no code."""
_MODULE_MOST = 1.6
"""Pixels per module (cell of a code) to which larger pictures are reduced. More pixels add no information."""
_FRAME_STEPS, _CODE_STEPS = 3, 2
"""Numbers of steps that refine a pose: _FRAME_STEPS by the patterns that all codes share, then _CODE_STEPS by
the cells of one code."""
_SCALE_SLACK = 0.35
"""_SCALE_SLACK: share by which refinement may change a pose's scale. A pose that changes more has gone astray,
and is dropped."""
_APART = 10.0
"""Least distance between the centres of two stickers, in modules (cells of a code), even if one covers the
other."""


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """Place in a picture with a code of unknown text.

    `pose`: maps modules (cells of the code) to px. `frame`: correlation (-1 to 1) with the patterns that all
    codes share. `blur`: blur (modules) at which this correlation is greatest.
    """

    pose: Pose
    frame: float
    blur: float


@dataclass(frozen=True, slots=True)
class Match:
    """Place in a picture that looks like a QR code, with the sticker most similar to it.

    `payload`: text of this sticker, believed or not; None if an unknown sticker fits better. `likeness`:
    correlation with the sticker (-1 to 1). `frame`: correlation with the patterns that all codes share (-1 to
    1). `evidence`: log of the unexplained variance under the second-best sticker, divided by that under the
    best; 0 is a tie. `corners`: of the code in px, clockwise from its own upper left.
    """

    payload: str | None
    corners: tuple[tuple[float, float], ...]
    likeness: float
    evidence: float
    frame: float

    @property
    def believed(self) -> bool:
        """True if this picture alone identifies the sticker.

        The sticker is a known one, with evidence of 0.8 and likeness of 0.7 or more.
        """
        return self.payload is not None and self.evidence >= SURE and self.likeness >= _LIKE


class Codebook:
    """All stickers of a set, prepared for comparison with pictures.

    `payloads`: their texts, each once, sorted.
    """

    def __init__(self, payloads: Iterable[str]) -> None:
        """Prepare `payloads`, the texts of all stickers, in any order.

        UnusableError if one fits no sticker.
        """
        self.payloads = tuple(sorted(set(payloads)))
        self._templates = Templates(self.payloads)

    def read(self, gray: Gray, module: float, explained: Sequence[tuple[float, float]] = ()) -> list[Match]:
        """Find all places in a grey picture that look like codes, with the sticker most similar to each.

        `module`: expected size (px) of one cell of the code. Places near the points `explained` (px) are left
        out. Empty for a picture smaller than ten modules.

        >>> from vision.codes.sticker_set import sticker
        >>> picture = cv2.copyMakeBorder(sticker("P07", px=30), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=90)
        >>> [match.payload for match in Codebook(["P07", "Q12"]).read(picture, module=1.2)]
        ['P07']
        """
        if min(gray.shape[:2]) < _APART * module:
            return []
        shrink = min(1.0, _MODULE_MOST / module)
        if shrink < 1:
            gray = np.asarray(
                cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
            )
            module *= shrink
        poses = find_poses(gray, module)
        for at in explained:
            poses = poses[distances(poses @ CENTRE, np.multiply(at, shrink)) > _APART * module]
        return [self._identified(gray, pose, shrink) for pose in self._placed(gray, poses, module)]

    def _placed(self, gray: Gray, poses: Poses, module: float) -> list[_Placed]:
        """Refine guessed poses by the patterns that all codes share.

        Returns the best pose of each place; poses that fit no code are dropped. `module`: size (px) of one
        cell of the code.
        """
        expected = self._templates.blurred(min(BLURS, key=lambda blur: abs(np.log(blur * module / LENS_PX))))
        for _ in range(_FRAME_STEPS):
            poses = poses @ expected.frame_step(sampled(gray, poses))
            scale = np.sqrt(np.abs(np.linalg.det(np.nan_to_num(poses[:, :, :2])))) / module
            poses = poses[np.abs(scale - 1) < _SCALE_SLACK]
        if not len(poses):
            return []
        shared = alike(sampled(gray, poses))
        frames = np.stack([self._templates.blurred(blur).frame_likeness(shared) for blur in BLURS])
        best = frames.max(axis=0)
        order = np.argsort(-best, kind="stable")
        chosen: list[_Placed] = []
        for k in order[best[order] >= _FRAMED]:
            centre = poses[k] @ CENTRE
            if all(np.hypot(*(centre - other.pose @ CENTRE)) > _APART * module for other in chosen):
                chosen.append(_Placed(poses[k], float(best[k]), BLURS[int(frames[:, k].argmax())]))
        return chosen

    def _identified(self, gray: Gray, placed: _Placed, shrink: float) -> Match:
        """Refine the pose of a code by all its cells, and name the most similar sticker.

        `gray`: the reduced picture. `shrink`: factor (1 or less) by which it was reduced.
        """
        pose, blur = placed.pose, placed.blur
        # A code is as blurred as its frame. Seen through a stronger blur, many a stain resembles some code.
        near = BLURS[max(0, BLURS.index(blur) - 1) : BLURS.index(blur) + 2]
        samples = sampled(gray, pose[None])
        scores = self._templates.blurred(blur).likeness(telling(samples))[:, 0]
        for _ in range(_CODE_STEPS):
            refined = pose @ self._templates.blurred(blur).step(int(scores.argmax()), samples)[0]
            if not np.isfinite(refined).all():
                break
            pose, samples = refined, sampled(gray, refined[None])
            told = telling(samples)
            tried = [(b, self._templates.blurred(b).likeness(told)[:, 0]) for b in near]
            blur, scores = max(tried, key=lambda one: float(one[1].max()))
        second, best = np.sort(scores)[-2:]
        winner = int(scores.argmax())
        return Match(
            self.payloads[winner] if winner < len(self.payloads) else None,
            tuple((float(x), float(y)) for x, y in ((pose @ _CORNERS).T + 0.5) / shrink - 0.5),
            float(best),
            float(np.log(_unexplained(second) / _unexplained(best))),
            placed.frame,
        )


_CORNERS = np.array(
    [
        (QUIET_MODULES, STICKER_MODULES - QUIET_MODULES, STICKER_MODULES - QUIET_MODULES, QUIET_MODULES),
        (QUIET_MODULES, QUIET_MODULES, STICKER_MODULES - QUIET_MODULES, STICKER_MODULES - QUIET_MODULES),
        (1, 1, 1, 1),
    ],
    np.float64,
)


def _unexplained(likeness: float) -> float:
    """Share of variance that a correlation (-1..1) leaves unexplained.

    At least 0.0001, so that its logarithm is finite.
    """
    return max(1e-4, 1 - max(0.0, likeness) ** 2)
