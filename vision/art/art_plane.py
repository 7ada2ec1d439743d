"""A card's art: its printed picture, straightened, as pixels and in perceptual colours."""

import cv2
import numpy as np
from numpy.typing import NDArray

Art = NDArray[np.uint8]
"""Printed picture of a card, straightened: TALL x WIDE x 3, BGR. A fine art has FINE times as many rows and
columns."""
Matrix = NDArray[np.float64]
"""Pose of a card: 3 x 3 homography that maps px of its printed picture (`Art`) to px of a camera's picture."""

WIDE, TALL, FINE = 32, 48, 2
"""WIDE, TALL: size (px) of an `Art`, enough to find and align a card. FINE: factor of the larger size that is
needed to tell cards of one deck apart."""
_OPPONENT = np.array([[1, 1, 1], [0, -3.6, 3.6], [3.6, -1.8, -1.8]], np.float32) / 3
"""Matrix from blue, green, red to lightness, red against green, and blue against yellow. Colour has 1.2 times
the weight of lightness."""
_OUTLINE = np.array(
    [(-0.5, -0.5), (WIDE - 0.5, -0.5), (WIDE - 0.5, TALL - 0.5), (-0.5, TALL - 0.5)], np.float32
)
TO_ART = np.array([[WIDE, 0, (WIDE - 1) / 2], [0, WIDE, (TALL - 1) / 2], [0, 0, 1]], np.float64)
"""Matrix (3 x 3) from card coordinates to px of an `Art`. A card has its middle at 0 and a width of 1."""
TO_CARD = np.linalg.inv(TO_ART)
"""Matrix (3 x 3) from px of an `Art` to card coordinates."""


def card_sides(corners: NDArray[np.float32]) -> tuple[float, float]:
    """Lengths (px) of a card's two directions, from its corners (4 x 2 px).

    The first is the mean of the first and third side, the second that of the other two sides.
    """
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2


def pose_of(corners: NDArray[np.float32]) -> Matrix:
    """Pose of a card from its corners: maps px of its printed picture to px of the camera's.

    `corners`: 4 x 2 px, clockwise from the card's upper left as printed.
    """
    return np.asarray(cv2.getPerspectiveTransform(_OUTLINE, corners.astype(np.float32)), np.float64)


def corners_of(pose: Matrix) -> NDArray[np.float32]:
    """Corners (4 x 2 px) of a card at `pose`, clockwise from its upper left as printed."""
    return np.asarray(cv2.perspectiveTransform(_OUTLINE[None], pose)[0], np.float32)


def moved_pose(pose: Matrix, numbers: NDArray[np.float64]) -> Matrix:
    """A pose after one step of an alignment.

    `numbers` (8): the step, as a homography of card coordinates less the identity, row by row.
    """
    a, b, c, d, e, f, g, h = numbers
    moved = pose @ TO_ART @ np.linalg.inv([[1 + a, b, c], [d, 1 + e, f], [g, h, 1]]) @ TO_CARD
    return np.asarray(moved / moved[2, 2], np.float64)


def without_detail(
    picture: NDArray[np.uint8], corners: NDArray[np.float32], times: int = 1
) -> NDArray[np.uint8]:
    """Blur a picture to the resolution of card comparison.

    `corners`: the card's place (4 x 2 px). `times`: 1 for 32 x 48 px a card (`Art`), FINE for 64 x 96. The
    picture is returned as it is if the card has no more px than that.
    """
    across, down = card_sides(corners)
    step = max(across / WIDE, down / TALL) / times
    sigma = float(np.sqrt(max(0.0, (0.5 * step) ** 2 - 0.25)))
    return picture if sigma < 0.3 else np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def art_at(picture: NDArray[np.uint8], pose: Matrix, times: int = 1) -> Art:
    """Cut a card's straightened picture out of a camera's picture.

    `picture`: BGR, without finer detail than the result (see `without_detail`). `pose`: where the card lies.
    `times`: 1 for 48 x 32 x 3 (an `Art`), FINE for 96 x 64 x 3.
    """
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    off = (1 / times - 1) / 2
    finer = np.array([[1 / times, 0, off], [0, 1 / times, off], [0, 0, 1]])
    size = (times * WIDE, times * TALL)
    art = cv2.warpPerspective(picture, pose @ finer, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(art, np.uint8)


def shrunk(plane: NDArray[np.float32], shrink: int, blur: float) -> NDArray[np.float32]:
    """Blur a card's picture; reduce it by factor `shrink`.

    `blur`: sigma (px), before the reduction.
    """
    soft = cv2.GaussianBlur(plane, (0, 0), blur)
    if shrink > 1:
        soft = cv2.resize(soft, (WIDE // shrink, TALL // shrink), interpolation=cv2.INTER_AREA)
    return np.asarray(soft, np.float32)


def perceived(art: Art) -> NDArray[np.float32]:
    """Turn a card's picture (BGR) into lightness, red-green and blue-yellow.

    The shape stays; white has a lightness of 100.
    """
    return np.asarray(cv2.transform(art.astype(np.float32) * (100 / 255), _OPPONENT), np.float32)


def coded(linear: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turn linear light (3 x px, 0 to 1) into lightness, red-green and blue-yellow.

    White is 100. A square root stands for sRGB's curve.
    """
    return np.asarray((100 * _OPPONENT) @ np.sqrt(linear), np.float32)


def planes(art: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turn a card's picture (rows x columns x 3) into 3 rows of all its px.

    Sums over such rows are many times faster.
    """
    return np.ascontiguousarray(art.reshape(-1, 3).T)


_CODES = np.arange(256) / 255
LINEAR = np.where(_CODES <= 0.04045, _CODES / 12.92, ((_CODES + 0.055) / 1.055) ** 2.4).astype(np.float32)
"""Level (0 to 255) of sRGB -> linear light, 0 to 1 (IEC 61966-2-1)."""
