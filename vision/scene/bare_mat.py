"""Knows the mat with nothing on it, and tells whether something hides it.

The bare mat is learned where it was seen empty. A hand about as bright as the mat makes no change that stands
out. But a mat never loses its printed lines. And a hand that reaches in from the picture's border differs a
little from what it covers.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import Gray
from vision.scene.small_picture import SmallPicture

_WEAK = 3.0
"""_WEAK: difference (grey levels) of means of 5 x 5 px above which they differ by more than noise, which
leaves 0.2."""
_LIKE = 8
"""_LIKE: greatest difference (grey levels) from the bare mat of a pixel that shows it. Shadows of people stay
below."""
_LIKE_AROUND = 12
"""Greatest difference (grey levels) from the surrounding bare mat of a pixel that shows the mat, where it was
never seen bare."""
_AROUND_PX = 61
_JOIN_PX = 9
"""_JOIN_PX: greatest gap (px) between parts that count as one hand."""
_HIDES = 0.2
"""_HIDES: share of a place that looks otherwise than the bare mat, above which the place is hidden."""
_MAT_GRAY = 30
"""Grey levels around the median within which the cloth lies. Light falls off towards the rim."""
_BLOB_PX = 9
"""Width (px) from which something is no printed line. It is a third of a card's width."""
_RIM_PX = 19
"""_RIM_PX: twice the width (px) of the rim and shadow of a pile of cards, which shift as the pile becomes
lower."""
_FEW = 0.03
"""_FEW: greatest share of a place's px that look otherwise, or are unknown, if the mat lies bare there."""
_MOSTLY = 0.7
"""_MOSTLY: least share of a changed area that shows the cloth, if a thing has gone from there. Also
the least share of a line that is out of sight, if all of it was taken."""
_LINE = 24.0
"""_LINE: least steepness of an edge that is a printed line: grey levels a px, times eight (see
`steepness`)."""
_FLATTER = 0.5
"""_FLATTER: greatest share of its steepness that a printed line keeps when it is hidden."""
_LINE_PX = 12
"""_LINE_PX: number of px of hidden lines that are no accident. It is the width of two fingers."""


class BareMat:
    """Look of the mat with nothing on it, as far as it was seen bare.

    `shape`: height and width (px) of the small picture.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self._gray = np.zeros(shape, np.uint8)
        self._known = np.zeros(shape, np.bool_)

    def learn(self, small: SmallPicture, where: NDArray[np.bool_]) -> None:
        """Learn the mat's look from a picture, where it seems bare.

        `where`: mask (h x w) of the places in which nothing was found; a thing may still lie there unnoticed.
        What now looks otherwise than learned before is not learned, unless it looks as the cloth around: then
        a thing had been taken for the mat, and has gone.
        """
        other = self._known & (cv2.absdiff(small.gray, self._gray) > _LIKE)
        # Here and there a thing and its rim are as bright as the mat beneath.
        new = where & ~other & ~(self._known & _wide(other))
        if np.count_nonzero(where & other) > _BLOB_PX**2:
            new |= where & self._laid_bare(small, other)
        np.copyto(self._gray, small.gray, where=new)
        self._known |= new

    def learn_anew(self, small: SmallPicture, where: NDArray[np.bool_], bare: NDArray[np.bool_]) -> None:
        """Forget how the mat looks in some places, because a hand lay there when they were learned.

        `where`: mask (h x w) of the places. Those that are also in `bare` (mask) are learned from the picture.
        """
        self._known &= ~where
        self.learn(small, where & bare)

    def _laid_bare(self, small: SmallPicture, other: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Mask (h x w) of things wrongly learned as mat.

        The picture now shows the cloth there. `other`: mask of where the picture differs from what is known. A
        card that was not read, or the back of a pile, may have been taken for the mat.
        """
        cloth = self._known & (np.abs(self._gray - np.median(self._gray[self._known])) <= _MAT_GRAY)
        # A back that is little darker than the cloth is not the cloth around it.
        cloth &= cv2.dilate(other.astype(np.uint8), np.ones((_BLOB_PX, _BLOB_PX), np.uint8)) == 0
        share = cv2.blur(cloth.astype(np.float32), (_AROUND_PX, _AROUND_PX))
        gray = np.where(cloth, self._gray, 0).astype(np.float32)
        around = cv2.blur(gray, (_AROUND_PX, _AROUND_PX)) / np.maximum(share, 1e-3)
        # Printed lines are thinner than the median filter.
        thing = np.abs(cv2.medianBlur(self._gray, _BLOB_PX) - around) > _LIKE_AROUND
        thing = cv2.dilate(thing.astype(np.uint8), np.ones((_BLOB_PX, _BLOB_PX), np.uint8)) > 0
        like = (np.abs(small.gray - around) <= _LIKE_AROUND) & (share > 0)
        gone = _mostly(other, thing & like).astype(np.uint8)
        # What is left of its rim and shadow, in specks and lines, is no print.
        beside = cv2.dilate(gone, np.ones((_RIM_PX, _RIM_PX), np.uint8)) > 0
        return np.asarray((gone > 0) | (beside & other & like), np.bool_)

    def looks_bare(self, small: SmallPicture) -> NDArray[np.bool_]:
        """Mask (h x w) of pixels like the bare mat.

        Where the mat was never seen bare, its surroundings count.
        """
        gray = small.gray
        share = cv2.blur(self._known.astype(np.float32), (_AROUND_PX, _AROUND_PX))
        known = np.where(self._known, self._gray, 0).astype(np.float32)
        around = cv2.blur(known, (_AROUND_PX, _AROUND_PX)) / np.maximum(share, 1e-3)
        off = np.abs(gray - np.where(self._known, self._gray, around))
        return np.asarray(np.where(self._known, off <= _LIKE, (off <= _LIKE_AROUND) & (share > 0)), np.bool_)

    def things(self, settled: SmallPicture) -> NDArray[np.bool_]:
        """Mask (h x w) of things on the mat that are wider than a printed line.

        `settled`: how each zone looked when it was last read (see `Scene`). Rims of things are included.
        """
        return _wide(self._known & (cv2.absdiff(settled.gray, self._gray) > _LIKE))

    def shown(self, settled: SmallPicture, where: NDArray[np.bool_]) -> bool:
        """True if an area of the mat shows only cloth and thin lines.

        `settled`: the picture to examine. `where`: mask of the area (h x w). False also where the cloth is
        largely unknown.
        """
        known = where & self._known
        count = int(np.count_nonzero(where))
        if not count or np.count_nonzero(known) < (1 - _FEW) * count:
            return False
        plain = cv2.medianBlur(self._gray, _BLOB_PX)
        thing = np.abs(plain - np.median(plain[where])) > _LIKE_AROUND
        return bool(np.count_nonzero((thing | self.things(settled)) & where) <= _FEW * count)

    def hidden(
        self,
        small: SmallPicture,
        settled: SmallPicture,
        change: Gray,
        places: NDArray[np.bool_],
        printed: NDArray[np.bool_],
    ) -> bool:
        """True if something may lie over some places of the mat and hide cards there.

        `small`: the picture now. `settled`: the picture when the places were read. `change`: mask of what has
        changed for certain. `places`: mask of the places. `printed`: mask of where only print can have
        vanished. All masks are h x w. Either a change unlike the bare mat reaches from the places to the
        picture's border, or printed lines have vanished.
        """
        soft = [cv2.blur(one.gray.astype(np.float32), (5, 5)) for one in (small, settled)]
        other = (np.abs(soft[0] - soft[1]) > _WEAK) | (change > 0)
        other &= ~self.looks_bare(small)
        if np.count_nonzero(other & places) > _HIDES * np.count_nonzero(places):
            joined = cv2.dilate(other.astype(np.uint8), np.ones((_JOIN_PX, _JOIN_PX), np.uint8))
            _, labels = cv2.connectedComponents(joined, connectivity=8)
            edges = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
            if np.isin(labels[places & other], edges[edges > 0]).any():
                return True
        vanished = printed & self._known & (cv2.absdiff(small.gray, self._gray) > _LIKE)
        if np.count_nonzero(vanished) < _LINE_PX:
            return False
        vanished &= self._flattened(small, settled) & ~self._lines_taken(small, settled)
        return bool(np.count_nonzero(vanished) >= _LINE_PX)

    def _flattened(self, small: SmallPicture, settled: SmallPicture) -> NDArray[np.bool_]:
        """Mask (h x w) of the mat's printed lines that a picture does not show.

        `settled` tells the lines where the bare mat is not known.
        """
        near = np.ones((5, 5), np.uint8)
        mat = np.where(self._known, self._gray, settled.gray)
        now, then = (cv2.dilate(steepness(gray), near) for gray in (small.gray, mat))
        return np.asarray((then >= _LINE) & (now < _FLATTER * then), np.bool_)

    def _lines_taken(self, small: SmallPicture, settled: SmallPicture) -> NDArray[np.bool_]:
        """Mask (h x w) of lines that are gone from end to end: they were no print.

        A tile that stood on its edge when the mat was seen first looks like a line, and is taken away. A hand
        that hides a printed line leaves a part of it in sight. `settled`: see `_flattened`.
        """
        mat = np.where(self._known, self._gray, settled.gray)
        line = self._known & (cv2.absdiff(mat, cv2.medianBlur(mat, _BLOB_PX)) > _LIKE)
        taken = _mostly(line, self._known & (cv2.absdiff(small.gray, self._gray) > _LIKE))
        return cv2.dilate(taken.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0


def _mostly(areas: NDArray[np.bool_], gone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Keep of `gone` (mask, h x w) only areas of which most has gone.

    `areas`: mask whose connected parts are judged. Single parts prove nothing: on a checked cloth any square
    may look like a thing, and dark parts of a card like the cloth.
    """
    _, labels = cv2.connectedComponents(areas.astype(np.uint8), connectivity=8)
    share = np.bincount(labels.ravel(), gone.ravel()) / np.maximum(1, np.bincount(labels.ravel()))
    return np.asarray(areas & gone & (share >= _MOSTLY)[labels], np.bool_)


def _wide(other: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Keep the parts of a mask (h x w) that are wider than a printed line.

    Single pixels may be missing in them. The rim is included.
    """
    # What a median filter leaves of a mask, in a tenth of its time.
    size = (_BLOB_PX, _BLOB_PX)
    count = cv2.boxFilter(other.astype(np.uint8), -1, size, normalize=False, borderType=cv2.BORDER_REPLICATE)
    wide = (count > _BLOB_PX**2 // 2).astype(np.uint8)
    return np.asarray(cv2.dilate(wide, np.ones((_BLOB_PX, _BLOB_PX), np.uint8)) > 0, np.bool_)


def steepness(gray: Gray) -> NDArray[np.float32]:
    """Grey picture's steepness at each pixel (grey levels/px, times eight).

    It is the length of the gradient (Sobel).
    """
    return np.asarray(
        cv2.magnitude(cv2.Sobel(gray, cv2.CV_32F, 1, 0), cv2.Sobel(gray, cv2.CV_32F, 0, 1)), np.float32
    )


def discs(
    shape: tuple[int, int], centres: Sequence[tuple[float, float]], radii: Sequence[float]
) -> NDArray[np.bool_]:
    """Mask (h x w) of the pixels in some discs.

    `shape`: h and w. `centres`: (x, y) in px. `radii`: px, one for each centre.
    """
    mask = np.zeros(shape, np.uint8)
    for (x, y), radius in zip(centres, radii, strict=True):
        cv2.circle(mask, (round(x), round(y)), max(1, round(radius)), 255, -1)
    return mask > 0
