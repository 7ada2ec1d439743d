"""Which cards lie together in a row on a photograph, by their stickers."""

from collections.abc import Sequence
from statistics import median

from companion.games.appearance import PhysicalCard
from companion.sensing.parameters import PICTURE
from vision.codes.code_reader import Corners, centre_of
from vision.photos.picture_files import PictureReading


def rows_of(found: PictureReading, cards: Sequence[PhysicalCard]) -> list[list[str]]:
    """Codes of `cards` whose stickers were read in a photograph, grouped into rows, the top row first.

    A row may slope by `PICTURE.row_sides` sticker sides from one card to the next. A code read twice counts
    where it was read first.
    """
    names = {card.payload: card.code for card in cards if card.payload}
    places: dict[str, tuple[float, float]] = {}
    sides = []
    for code in found.codes:
        if code.payload in names and names[code.payload] not in places:
            places[names[code.payload]] = centre_of(code.corners)
            sides.append(_side(code.corners))
    if not places:
        return []
    apart = PICTURE.row_sides * median(sides)
    rows: list[list[str]] = []
    for name, (_, y) in sorted(places.items(), key=lambda item: item[1]):
        near = [(abs(y - places[row[-1]][1]), at) for at, row in enumerate(rows)]
        distance, at = min(near, default=(apart, 0))
        if distance < apart:
            rows[at].append(name)
        else:
            rows.append([name])
    return sorted(rows, key=lambda row: min(places[name][1] for name in row))


def _side(corners: Corners) -> float:
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return max(max(xs) - min(xs), max(ys) - min(ys))
