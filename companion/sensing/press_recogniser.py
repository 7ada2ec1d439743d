"""Recognises a raised picture pressed on a pressure matrix, at any angle, or a smooth card.

A press is compared with enrolled presses by normalised correlation, at every angle and small shift (Lewis,
"Fast Normalized Cross-Correlation", 1995). Only pressed crossings count (masks of Padfield, CVPR 2010).
Correlations become likelihoods, which are summed over angles and shifts: a part of a card has fewer crossings,
so its correlations weigh less. In the literature 8 to 10 classes are recognised at 98 % on such matrices.
Pictures are 16 x 16, row by row.
"""

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.sensing.parameters import TEXTURE

Plane = NDArray[np.float32]

SIDE = 16
"""Number of rows, and of columns, of the pressure matrix."""


class Felt(NamedTuple):
    """What a press was recognised as: class of the raised picture (None: a smooth card), and its probability,
    0 to 1."""

    cls: str | None
    p: float


class TextureBook:
    """Enrolled presses by class, ready to be compared with others.

    A press has 256 bytes: pressures on any scale, less those of the empty matrix. ValueError for another
    size, or a press that shows nothing.
    """

    def __init__(self, presses: Mapping[str, Sequence[bytes]]) -> None:
        presses = {cls: those for cls, those in presses.items() if those}
        self.classes = tuple(presses)
        self._owner = np.repeat(np.arange(len(presses)), [len(those) for those in presses.values()])
        planes = [_plane(press) for those in presses.values() for press in those]
        reliefs = [_relief(plane) for plane in planes]
        for number, (_, weight) in enumerate(reliefs):
            if weight.sum() < TEXTURE.least_cells:
                raise ValueError(f"a press of {self.classes[self._owner[number]]} shows nothing")
        areas = [float(weight.sum()) for _, weight in reliefs]
        contrasts = [_contrast(plane, weight) for plane, (_, weight) in zip(planes, reliefs, strict=True)]
        self._whole = float(np.median(areas)) if areas else 1.0  # pressed crossings of a whole card
        self._contrast = float(np.median(contrasts)) if contrasts else TEXTURE.usual_contrast
        middles = [_middle(*one) for one in reliefs] or [((SIDE - 1) / 2,) * 2]
        y0, x0 = np.mean(middles, axis=0)
        self._place = round(y0 - (SIDE - 1) / 2), round(x0 - (SIDE - 1) / 2)
        empty = [np.empty((0, SIDE, SIDE), np.float32)]
        turned = np.concatenate([_turned(relief, y0, x0) for relief, _ in reliefs] or empty)
        self._values = np.ascontiguousarray(turned.reshape(-1, SIDE * SIDE).T)
        self._squares = self._values * self._values

    def of(self, picture: bytes, rest: bytes = bytes(SIDE * SIDE)) -> Felt | None:
        """Recognise the card in a press (256 bytes).

        That takes some milliseconds. None if it is too weak or too small.

        `rest`: picture of the empty matrix.
        """
        pressed = _plane(picture) - _plane(rest)
        relief, weight = _relief(pressed)
        if weight.sum() < TEXTURE.least_cells:
            return None
        evidence = self.by_class(self.evidence(relief, weight))
        match = match_of(evidence, self.share(weight), self.raised(_contrast(pressed, weight)))
        smooth = _logistic(float(np.dot(TEXTURE.smooth, (1.0, *match))))
        if smooth >= 0.5 or not self.classes:
            return (
                Felt(None, smooth) if smooth >= 0.5 and _eroded(weight).sum() >= TEXTURE.smooth_cells else None
            )
        sure = certainty(match)
        # `certainty` compares raised pictures alone, so it says nothing of a card that may be smooth.
        sure = min(sure, 1 - smooth) if smooth >= TEXTURE.doubtful else sure
        return Felt(self.classes[int(np.argmax(evidence))], sure)

    def raised(self, contrast: float) -> float:
        """Contrast on a scale from a smooth card (0) to the enrolled presses (1), at most `most_contrast`."""
        enrolled = max(self._contrast, TEXTURE.least_contrast) - TEXTURE.smooth_contrast
        return min(TEXTURE.most_contrast, (contrast - TEXTURE.smooth_contrast) / enrolled)

    def share(self, weight: Plane) -> float:
        """Pressed part of the card (0 to 1). `weight`: 1 for a pressed crossing, else 0."""
        return min(1.0, float(weight.sum()) / self._whole)

    def evidence(self, relief: Plane, weight: Plane) -> NDArray[np.float64]:
        """Log-likelihood ratio (nats) of each enrolled press against noise, over all angles and shifts.

        `relief`, `weight`: a press, 16 x 16, as from `_relief`.
        """
        looks, masks = _shifted(relief, _eroded(weight), self._place)
        total = masks.sum(axis=1, keepdims=True) + 1e-6
        mean = (looks * masks).sum(axis=1, keepdims=True) / total
        centred = (looks - mean) * masks
        spread = np.sqrt((centred * centred).sum(axis=1, keepdims=True))
        means = masks @ self._values / total
        spreads = np.sqrt(np.maximum(masks @ self._squares - total * means**2, 1e-6))
        score = np.clip((centred @ self._values) / (spread * spreads + 1e-6), 0.0, TEXTURE.most_score)
        # Normal noise of unknown size: the likelihood follows from the share of variance left unexplained.
        likelihood = -TEXTURE.independent / 2 * total * np.log(1 - score**2) + _PRIOR[:, None]
        each = likelihood.reshape(len(_SHIFTS), -1, TEXTURE.angles)
        return _log_sum(each, (0, 2)) - log(TEXTURE.angles)

    def by_class(self, evidence: NDArray[np.float64], without: int | None = None) -> NDArray[np.float64]:
        """Evidence (nats) of each class from `evidence` of enrolled presses.

        `without`: number of an enrolled press that is left out. A class without another one has minus
        infinity.
        """
        own = self._owner == np.arange(len(self.classes))[:, None]
        if without is not None:
            own[:, without] = False
        total = _log_sum(np.where(own, evidence, -np.inf), 1)
        return np.asarray(total - np.log(np.maximum(own.sum(axis=1), 1)))


class Match(NamedTuple):
    """How well a press matches the enrolled classes.

    `ahead`: log odds (nats) of the best class against all others, at most `TEXTURE.most_ahead`.
    `share`: pressed part of the card, 0 to 1. `contrast`: 0 as of a smooth card, 1 as of enrolled presses.
    """

    ahead: float
    share: float = 1.0
    contrast: float = 1.0


def match_of(evidence: NDArray[np.float64], share: float = 1.0, contrast: float = 1.0) -> Match:
    """Match of a press from its evidence (nats) for each class."""
    ordered = np.sort(evidence)
    ahead = float(ordered[-1] - _log_sum(ordered[:-1], 0)) if len(evidence) else 0.0
    return Match(min(ahead, TEXTURE.most_ahead), share, contrast)


def certainty(match: Match) -> float:
    """Probability (0 to 1) that the best class is right."""
    return min(_logistic(float(np.dot(TEXTURE.fit, (1.0, *match)))), _logistic(match.ahead))


class Validated(NamedTuple):
    """How one enrolled press is recognised by all others.

    `cls`: its class. `found`: class recognised; None if none is likely. `p`: probability of the best class.
    `evidence`: class -> log-likelihood ratio (nats) of its other presses against noise.
    """

    cls: str
    found: str | None
    p: float
    evidence: dict[str, float]


def cross_validated(presses: Mapping[str, Sequence[bytes]]) -> list[Validated]:
    """Recognise each enrolled press by all others (leave-one-out).

    `presses`: class -> its presses. Classes with a single press are left out.
    """
    book = TextureBook(presses)
    owned = [(cls, press) for cls, those in presses.items() for press in those]
    found = []
    for number, (cls, press) in enumerate(owned):
        if len(presses[cls]) == 1:
            continue
        relief, weight = _relief(_plane(press))
        evidence = book.by_class(book.evidence(relief, weight), number)
        best = book.classes[int(np.argmax(evidence))]
        contrast = book.raised(_contrast(_plane(press), weight))
        p = certainty(match_of(evidence, book.share(weight), contrast))
        each = {one: float(value) for one, value in zip(book.classes, evidence, strict=True)}
        found.append(Validated(cls, best if p >= 0.5 else None, p, each))
    return found


def as_enrolled(picture: bytes, rest: bytes) -> bytes:
    """Press to enrol: `picture` less empty matrix `rest`, 256 bytes.

    ValueError if it shows no raised picture, or only a part of one.
    """
    pressed = np.maximum(_plane(picture) - _plane(rest), 0)
    _, weight = _relief(pressed)
    if _eroded(weight).sum() < TEXTURE.even_cells:
        raise ValueError(text("press all of it, and more strongly"))
    if _contrast(pressed, weight) < TEXTURE.least_contrast:
        raise ValueError(text("no raised picture is felt"))
    return np.asarray(np.round(pressed * 255), np.uint8).tobytes()


def read_book(presses: Mapping[str, Sequence[str]]) -> TextureBook | None:
    """The presses in the settings, ready to compare: class -> presses of 512 hex digits.

    None if `presses` is empty. BadInputError if an entry is no press.
    """
    if not presses:
        return None
    try:
        return TextureBook({cls: [bytes.fromhex(press) for press in those] for cls, those in presses.items()})
    except ValueError as error:
        raise BadInputError(str(error), where="textures", next_step=text("enrol it anew")) from None


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-max(-50.0, min(50.0, x))))


def _log_sum(values: NDArray[np.float64], axis: int | tuple[int, ...]) -> NDArray[np.float64]:
    """Logarithm of the sum of exponentials along axes; minus infinity without values."""
    return np.asarray(np.logaddexp.reduce(values, axis=axis, initial=-np.inf))


def _plane(press: bytes) -> Plane:
    if len(press) != SIDE * SIDE:
        raise ValueError("a picture of a press has 16 rows of 16")
    return np.asarray(np.frombuffer(press, np.uint8).reshape(SIDE, SIDE) / 255, np.float32)


def _blur(sigma: float) -> Plane:
    cells = np.arange(SIDE)
    weights = np.exp(-(((cells[:, None] - cells[None, :]) / sigma) ** 2) / 2)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


def _moments(sigma: float) -> NDArray[np.float64]:
    """Matrices (6 x 256 x 256) that sum a picture's values around each crossing.

    They weigh a neighbour's value by a Gaussian of its distance (`sigma` crossings), and by 1, y, x, yy, yx or
    xx of that distance. A row is the crossing at the centre, a column the neighbour.
    """
    y, x = (axis.ravel() for axis in np.mgrid[:SIDE, :SIDE].astype(np.float64))
    dy, dx = y[None] - y[:, None], x[None] - x[:, None]
    near = np.exp(-(dy**2 + dx**2) / (2 * sigma**2))
    return np.array([near, near * dy, near * dx, near * dy * dy, near * dy * dx, near * dx * dx])


_NEAR, _EVEN, _AROUND = _blur(0.8), _moments(TEXTURE.even), _moments(TEXTURE.around)


def _contrast(picture: Plane, weight: Plane) -> float:
    """Contrast of a press.

    It is the standard deviation over the crossings two within its edge, one in a small press. 0 if there are
    none. Each pressure of `picture` is first divided by that of its neighbourhood. `weight`: 1 for a pressed
    crossing, else 0.
    """
    edge = _eroded(weight)
    within = _eroded(edge)
    if within.sum() < TEXTURE.inner_cells:
        within = edge
    if not within.any():
        return 0.0
    pressures = np.maximum(picture, 0)
    level = _level(_EVEN, pressures.astype(np.float64), weight)
    return float((pressures / np.maximum(level, TEXTURE.least_pressure / 2))[within].std())


def _smoothed(blur: Plane, plane: Plane) -> Plane:
    """A picture blurred along both axes. `blur`: 16 x 16 weights. `plane`: 16 x 16."""
    # OpenBLAS's kernels for ARM processors with SME compute unused lanes, too, and raise their floating-point
    # flags: NumPy then warns of an overflow although every result is right. Emulators have SME, no Pi has it.
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return np.asarray(blur @ plane @ blur.T)


def _relief(picture: Plane) -> tuple[Plane, Plane]:
    """Relief and weight of each crossing of a press, both 16 x 16.

    All 0 for a press below `TEXTURE.least_pressure`.

    Relief: logarithm of pressure minus that of its neighbourhood (0: equal). Weight: 1 if pressed, else 0.

    A palm's pressure falls off towards its edge. A plane fitted to the logarithms around each crossing follows
    that; their mean alone would take the slope beside the edge for a picture.
    """
    picture = np.maximum(picture, 0)
    near = _smoothed(_NEAR, picture)
    strongest = float(near.max())
    if strongest < TEXTURE.least_pressure:
        return np.zeros_like(picture), np.zeros_like(picture)
    least = TEXTURE.pressed_share * strongest
    weight = (near > least).astype(np.float32)
    for side, turned in ((weight, picture), (weight.T, picture.T)):
        side[[0, -1]] *= _beyond(turned) > least
    logs = np.log(np.maximum(picture.astype(np.float64), TEXTURE.faint))
    relief = np.clip(logs - _level(_AROUND, logs, weight), -TEXTURE.steepest, TEXTURE.steepest) * weight
    return np.asarray(relief, np.float32), weight


def _beyond(picture: Plane) -> Plane:
    """Pressures expected beyond the first and last row (2 x 16), by a straight line through two rows.

    A card that ends at the edge of the matrix has none there. The blur of a picture hides this.
    """
    beyond = 2 * picture[[0, -1]] - picture[[1, -2]]
    return np.asarray(np.einsum("rc,dc->rd", beyond, _NEAR))  # blurred along the edge: less noise


def _level(moments: NDArray[np.float64], values: NDArray[np.float64], weight: Plane) -> NDArray[np.float64]:
    """Height at each crossing (16 x 16) of the plane fitted to the values around it (local linear regression).

    `moments`: as from `_moments`. `values`: 16 x 16. `weight`: 1 for a crossing that counts, else 0.
    """
    pressed = weight.ravel().astype(np.float64)
    m1, my, mx, myy, myx, mxx = moments @ pressed
    normal = np.array([[m1, my, mx], [my, myy, myx], [mx, myx, mxx]]).transpose(2, 0, 1) + 1e-6 * np.eye(3)
    level = np.linalg.solve(normal, (moments[:3] @ (pressed * values.ravel())).T[..., None])
    return np.asarray(level[:, 0, 0].reshape(SIDE, SIDE))


def _eroded(weight: NDArray[Any]) -> NDArray[np.bool_]:
    """Crossings that are pressed together with all neighbours: at its edge a card presses unevenly.

    A card that reaches beyond the matrix goes on there: no edge of it lies at the matrix's edge.
    """
    padded = np.pad(weight > 0, 1, mode="edge")
    within = np.ones((SIDE, SIDE), bool)
    for dy in range(3):
        for dx in range(3):
            within &= padded[dy : dy + SIDE, dx : dx + SIDE]
    return within


def _turned(relief: Plane, y0: float, x0: float) -> Plane:
    """An enrolled press (`relief`) turned to each of `TEXTURE.angles` angles: angles x 16 x 16.

    It turns around row `y0` and column `x0`, which come to the middle.
    """
    along = np.arange(SIDE) - (SIDE - 1) / 2
    x, y = np.meshgrid(along, along)
    turn = (np.arange(TEXTURE.angles) * 2 * np.pi / TEXTURE.angles)[:, None, None]
    at_x = x * np.cos(turn) + y * np.sin(turn) + x0
    at_y = y * np.cos(turn) - x * np.sin(turn) + y0
    return _sampled(relief, at_y, at_x)


def _middle(relief: Plane, weight: Plane) -> tuple[float, float]:
    """Centre (row, column) of a press's raised crossings.

    `relief`: the press. `weight`: 1 for a pressed crossing, else 0.
    """
    raised = np.maximum(relief, 0) * weight
    total = float(raised.sum()) or 1.0
    cells = np.arange(SIDE)
    return float((raised.sum(axis=1) * cells).sum() / total), float((raised.sum(axis=0) * cells).sum() / total)


def _sampled(plane: Plane, y: NDArray[np.float64], x: NDArray[np.float64]) -> Plane:
    """Values of `plane` between its crossings, by bilinear interpolation.

    `plane`: a picture. `y`, `x`: rows and columns, not whole. 0 beyond the edge.
    """
    padded = np.pad(plane, 1)
    y, x = np.clip(y + 1, 0, SIDE), np.clip(x + 1, 0, SIDE)
    top, left = y.astype(int), x.astype(int)
    dy, dx = y - top, x - left
    above = padded[top, left] * (1 - dx) + padded[top, left + 1] * dx
    below = padded[top + 1, left] * (1 - dx) + padded[top + 1, left + 1] * dx
    return np.asarray(above * (1 - dy) + below * dy, np.float32)


def _shifts() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Shifts (rows, columns) of a press within `TEXTURE.reach`, and the logarithm of their probabilities."""
    along = np.arange(-TEXTURE.reach, TEXTURE.reach + 1)
    every = np.stack(np.meshgrid(along, along, indexing="ij"), axis=-1).reshape(-1, 2)
    far = np.hypot(*every.T)
    every, far = every[far <= TEXTURE.reach + 0.5], far[far <= TEXTURE.reach + 0.5]
    slipped = np.exp(-((far / TEXTURE.slip) ** 2) / 2)
    return every, np.log((1 - TEXTURE.beside) * slipped / slipped.sum() + TEXTURE.beside / len(far))


_SHIFTS, _PRIOR = _shifts()


def _shifted(relief: Plane, within: NDArray[np.bool_], place: tuple[int, int]) -> tuple[Plane, Plane]:
    """Press, moved by `place` (rows, columns) and every shift of `_SHIFTS`.

    `within`: crossings that count. Returns (values, weights), a row of 256 for each shift.
    """
    wide = SIDE + TEXTURE.reach
    values, counts = np.pad(relief, wide), np.pad(within.astype(np.float32), wide)
    looks, masks = [], []
    for dy, dx in _SHIFTS + wide + np.array(place):
        looks.append(values[dy : dy + SIDE, dx : dx + SIDE].ravel())
        masks.append(counts[dy : dy + SIDE, dx : dx + SIDE].ravel())
    return np.array(looks), np.array(masks)
