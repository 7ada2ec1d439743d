"""A folder of real photographs of cards: ours beside a perceptual hash, ORB and SIFT on the same cut-outs."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import BadInputError
from vision.art.art_recogniser import ArtBook, enrol, recognise
from vision.errors import UnusableError
from vision.photos.picture_files import load_picture

LABELS = "labels.json"
"""LABELS: the file of a folder that says which card each of its photographs shows."""
_RATIO, _OFF_PX, _INLIERS = 0.75, 5.0, 15
"""The usual settings of a match of key points: Lowe's ratio test, RANSAC's tolerance, least inliers."""
_ORB_POINTS = 1000
_HASH_SIDE, _HASH_BITS = 32, 8
_HASH_MOST = 10
"""_HASH_MOST: most of 64 bits in which hashes of one picture differ, as users of pHash have it."""

Image = NDArray[np.uint8]


class Label(msgspec.Struct, frozen=True):
    """One photograph: its card, the box around it (x0, y0, x1, y1 in px), and what it is for."""

    card: str
    box: tuple[int, int, int, int]
    use: Literal["enrol", "recognise"]


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A photograph (BGR), its label, and the card cut out of it."""

    label: Label
    image: Image

    @property
    def cut_out(self) -> Image:
        x0, y0, x1, y1 = self.label.box
        return self.image[max(0, y0) : y1, max(0, x0) : x1]


@dataclass(slots=True)
class _Tally:
    """What one reader said of the photographs, and its CPU times (ms)."""

    named: int = 0
    refused: int = 0
    wrong: int = 0
    strangers_named: int = 0
    besides: int = 0
    look_ms: list[float] = field(default_factory=list)
    known_ms: list[float] = field(default_factory=list)
    enrol_ms: list[float] = field(default_factory=list)

    def count(self, card: str, *, known: bool, said: Sequence[str]) -> None:
        """Count what was said of the card whose look was timed last."""
        if not known:
            self.strangers_named += bool(said)
            return
        self.known_ms.append(self.look_ms[-1])
        if not said:
            self.refused += 1
        else:
            self.named += set(said) == {card}
            self.wrong += set(said) != {card}

    def row(self) -> dict[str, Any]:
        return {
            "named": self.named,
            "refused": self.refused,
            "wrong": self.wrong,
            "strangers_named": self.strangers_named,
            "named_besides": self.besides,
            "ms": _mean(self.look_ms),
            "ms_known": _mean(self.known_ms),
            "ms_enrol": _mean(self.enrol_ms),
        }


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 1) if values else 0.0


class _Reader(Protocol):
    """Learns cards from cut-outs, then names the card in another one; None if none is sure."""

    def learn(self, name: str, image: Image) -> None: ...
    def look(self, image: Image) -> str | None: ...


def bench_real(shots: Sequence[Shot]) -> dict[str, Any]:
    """Counts of named, refused and wrong cards, and CPU times (ms) of looks and enrolments, for each reader.

    `named_besides` counts names beside the labelled card.
    """
    kinds = {shot.label.card for shot in shots if shot.label.use == "enrol"}
    shown = [shot.label.card for shot in shots if shot.label.use == "recognise"]
    known = sum(card in kinds for card in shown)
    readers: dict[str, Callable[[], _Reader]] = {
        "hash": _Hash,
        "orb": lambda: _Points(cv2.ORB.create(_ORB_POINTS), cv2.NORM_HAMMING),
        "sift": lambda: _Points(cv2.SIFT.create(), cv2.NORM_L2),
        "ours": _Ours,
    }
    rows = {name: _cut_outs(shots, make()).row() for name, make in readers.items()}
    return {
        "kinds": len(kinds),
        "known": known,
        "strangers": len(shown) - known,
        **rows,
        "ours, whole photographs": _whole(shots).row(),
    }


def shots_in(folder: Path) -> Iterator[Shot]:
    """The photographs of a folder with LABELS; BadInputError if it has none, or a box holds nothing."""
    try:
        labels = msgspec.json.decode((folder / LABELS).read_bytes(), type=dict[str, Label])
    except (OSError, msgspec.DecodeError) as error:
        raise BadInputError(
            f"has no {LABELS} that can be read ({error})",
            where=str(folder),
            next_step='write file -> {"card": NAME, "box": [x0, y0, x1, y1], "use": "enrol" or "recognise"}',
        ) from None
    for name, label in sorted(labels.items()):
        shot = Shot(label, load_picture(folder / name).colour)
        if min(shot.cut_out.shape[:2]) < 1:
            raise BadInputError(
                f"the box of {name} lies beside it", where=str(folder / LABELS), next_step="mend the box"
            )
        yield shot


def _cut_outs(shots: Sequence[Shot], reader: _Reader) -> _Tally:
    tally = _Tally()
    for shot in _used(shots, "enrol"):
        with _timed(tally.enrol_ms):
            reader.learn(shot.label.card, shot.cut_out)
    kinds = {shot.label.card for shot in _used(shots, "enrol")}
    for shot in _used(shots, "recognise"):
        with _timed(tally.look_ms):
            said = reader.look(shot.cut_out)
        card = shot.label.card
        tally.count(card, known=card in kinds, said=[] if said is None else [said])
    return tally


def _whole(shots: Sequence[Shot]) -> _Tally:
    """What `companion enrol` and `companion read` make of the photographs as they are."""
    tally, ours = _Tally(), _Ours()
    for shot in _used(shots, "enrol"):
        with _timed(tally.enrol_ms):
            ours.learn(shot.label.card, shot.image)
    kinds = {shot.label.card for shot in _used(shots, "enrol")}
    for shot in _used(shots, "recognise"):
        with _timed(tally.look_ms):
            seen = recognise(shot.image, ours.book)
        x0, y0, x1, y1 = shot.label.box
        middles = [(one.name, np.mean(one.corners, axis=0)) for one in seen]
        here = [name for name, (x, y) in middles if x0 <= x <= x1 and y0 <= y <= y1]
        tally.count(shot.label.card, known=shot.label.card in kinds, said=here)
        tally.besides += len(middles) - len(here)
    return tally


def _used(shots: Sequence[Shot], use: str) -> list[Shot]:
    return [shot for shot in shots if shot.label.use == use]


@contextmanager
def _timed(times: list[float]) -> Iterator[None]:
    """Append the CPU time (ms) of the block to a list."""
    started = time.process_time()
    yield
    times.append(1e3 * (time.process_time() - started))


class _Ours:
    """The functions of `companion enrol` and `companion read`."""

    def __init__(self) -> None:
        self.book = ArtBook()

    def learn(self, name: str, image: Image) -> None:
        try:
            self.book = self.book.with_views([enrol(name, image)])
        except UnusableError:
            return  # a card that cannot be made out will not be named either

    def look(self, image: Image) -> str | None:
        seen = recognise(image, self.book)
        return seen[0].name if seen else None


class _Points:
    """Key points, a ratio test, and the inliers of a homography."""

    def __init__(self, detector: Any, norm: int) -> None:
        self._detector, self._matcher = detector, cv2.BFMatcher(norm)
        self._cards: list[tuple[str, Any, Any]] = []

    def learn(self, name: str, image: Image) -> None:
        self._cards.append((name, *self._points(image)))

    def look(self, image: Image) -> str | None:
        places, words = self._points(image)
        votes = [(self._inliers(places, words, *card), name) for name, *card in self._cards]
        best, name = max(votes, default=(0, ""))
        return name if best >= _INLIERS else None

    def _points(self, image: Image) -> tuple[Any, Any]:
        points, words = self._detector.detectAndCompute(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), None)
        return np.array([point.pt for point in points], np.float32), words

    def _inliers(self, places: Any, words: Any, card_places: Any, card_words: Any) -> int:
        if words is None or card_words is None or min(len(words), len(card_words)) < 2:
            return 0
        pairs = self._matcher.knnMatch(words, card_words, k=2)
        good = [one for one, next_ in pairs if one.distance < _RATIO * next_.distance]
        if len(good) < 4:
            return 0
        here = places[[one.queryIdx for one in good]]
        there = card_places[[one.trainIdx for one in good]]
        mask = cv2.findHomography(there, here, cv2.RANSAC, _OFF_PX)[1]
        return 0 if mask is None else int(mask.sum())


class _Hash:
    """The 64 lowest frequencies of a card, each above their median or not, upright and upside down."""

    def __init__(self) -> None:
        self._cards: list[tuple[str, NDArray[np.bool_]]] = []

    def learn(self, name: str, image: Image) -> None:
        self._cards.append((name, self._bits(self._upright(image))))

    def look(self, image: Image) -> str | None:
        upright = self._upright(image)
        seen = [self._bits(upright), self._bits(np.ascontiguousarray(upright[::-1, ::-1]))]
        ranked = sorted((min(int((bits != one).sum()) for one in seen), name) for name, bits in self._cards)
        return ranked[0][1] if ranked and ranked[0][0] <= _HASH_MOST else None

    def _upright(self, image: Image) -> Image:
        return image if image.shape[0] >= image.shape[1] else np.ascontiguousarray(np.rot90(image))

    def _bits(self, image: Image) -> NDArray[np.bool_]:
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(gray, (_HASH_SIDE, _HASH_SIDE), interpolation=cv2.INTER_AREA)
        low = cv2.dct(small.astype(np.float32))[:_HASH_BITS, :_HASH_BITS].ravel()
        return np.asarray(low > np.median(low))
