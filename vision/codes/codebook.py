"""Reads stickers of a closed set by matching, far below the size at which a code can be decoded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.codes.codebook_finders import CENTRE, LENS_PX, Pose, Poses, distances, find_poses
from vision.codes.codebook_templates import BLURS, Templates, alike, sampled, telling
from vision.codes.sticker_set import QUIET_MODULES, STICKER_MODULES, Gray

SURE = 0.8
"""SURE: evidence at which a photograph is believed. Strangers never exceeded 0.5."""
CERTAIN = 1.1
"""CERTAIN: evidence at which one frame of the live camera is enough; below, a second one has to agree. Of
stickers beneath spots, shadows and covers that were read, six in seven have more."""

_LIKE = 0.7
"""_LIKE: least correlation with a sticker, however far behind the next candidate is."""
_FRAMED = 0.6
"""_FRAMED: least correlation with the patterns that all codes share. With less, the place shows no code."""
_MODULE_MOST = 1.6
"""_MODULE_MOST: pixels per module to which larger pictures are reduced. More add no information."""
_FRAME_STEPS, _CODE_STEPS = 3, 2
_SCALE_SLACK = 0.35
"""_SCALE_SLACK: largest relative deviation of a refined pose's scale. Beyond it the refinement has diverged."""
_APART = 10.0
"""_APART: least distance (modules) between the centres of two stickers, even if one covers the other."""


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """A pose, its correlation with the frame that all codes share, and the blur at which that is greatest."""

    pose: Pose
    frame: float
    blur: float


@dataclass(frozen=True, slots=True)
class Match:
    """A place that looks like a code, and the sticker that it resembles most.

    `evidence`: logarithm of the ratio of the variances that the second best and the best candidate leave
    unexplained. `likeness`: correlation with the best. `frame`: correlation with what all codes share.
    `payload`: the best candidate, believed or not; None for a stranger. `corners` of the code in px, clockwise
    from its own upper left.
    """

    payload: str | None
    corners: tuple[tuple[float, float], ...]
    likeness: float
    evidence: float
    frame: float

    @property
    def believed(self) -> bool:
        """Whether this one look is enough to identify the sticker."""
        return self.payload is not None and self.evidence >= SURE and self.likeness >= _LIKE


class Codebook:
    """The existing stickers, prepared for matching."""

    def __init__(self, payloads: Iterable[str]) -> None:
        """`payloads` of all existing stickers, in any order; BadInputError if one fits no sticker."""
        self.payloads = tuple(sorted(set(payloads)))
        self._templates = Templates(self.payloads)

    def read(self, gray: Gray, module: float, explained: Sequence[tuple[float, float]] = ()) -> list[Match]:
        """Every place in `gray` that looks like a code with modules of about `module` px, each once.

        Places around the points `explained` (px) are left out.
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
        """Poses refined by what all codes share, the best of each place."""
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
        """The sticker that fits best, after refining the pose by all of its modules."""
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
    """The share of a patch's variance that a code of this likeness leaves unexplained."""
    return max(1e-4, 1 - max(0.0, likeness) ** 2)
