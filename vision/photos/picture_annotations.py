"""Draws outlines and names of things read in a picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.qr_payload import escaped
from vision.photos.picture_files import Colour, Picture, PictureReading

_LABEL_MOST = 24
"""_LABEL_MOST: most characters of a label."""


def annotated(picture: Picture, found: PictureReading) -> Colour:
    """Draw readings' outlines and names on a picture's copy.

    Codes are green, markers blue, cards red. A dot marks the first corner.
    """
    canvas = picture.colour.copy()
    thick = max(1, round(max(canvas.shape) / 900))
    labels = [(c.corners, one_line(c.text, _LABEL_MOST), (60, 160, 0)) for c in found.codes]
    labels += [(m.corners, str(m.id), (200, 80, 0)) for m in found.markers]
    labels += [(c.corners, one_line(c.name, _LABEL_MOST), (40, 40, 220)) for c in found.cards]
    for corners, text, colour in labels:
        outline = np.round(np.array(corners) * picture.scale).astype(np.int32)
        cv2.polylines(canvas, [outline], True, colour, 2 * thick, cv2.LINE_AA)
        # The first corner is the code's own upper left: the dot shows how it is turned.
        cv2.circle(canvas, outline[0].tolist(), 3 * thick, colour, -1, cv2.LINE_AA)
        _label(canvas, text.encode("ascii", "replace").decode(), outline, colour, thick)
    return canvas


def _label(
    canvas: Colour, text: str, outline: NDArray[np.int32], colour: tuple[int, int, int], thick: int
) -> None:
    """Write a text on a coloured plate above an outline.

    The plate stays within the picture. `thick`: width of lines (px), to which the letters are scaled.
    """
    font, size = cv2.FONT_HERSHEY_SIMPLEX, 0.4 * thick
    (w, h), below = cv2.getTextSize(text, font, size, thick)
    x = max(0, min(int(outline[:, 0].min()), canvas.shape[1] - w))
    y = max(h + below, int(outline[:, 1].min()) - 4 * thick)
    cv2.rectangle(canvas, (x, y - h - below), (x + w, y + below), colour, -1)
    cv2.putText(canvas, text, (x, y), font, size, (255, 255, 255), thick, cv2.LINE_AA)


def one_line(text: str, limit: int = 80) -> str:
    r"""Turn a text into one line of at most `limit` characters, safe for a terminal.

    Line breaks and cursor controls become escapes. A longer text ends in an ellipsis.

    >>> one_line("two\nlines")
    'two\\nlines'
    """
    clean = escaped(text[: limit + 1])
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
