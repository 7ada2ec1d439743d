"""Reads the cards on the mat while a rig is set up, in whole pictures or one zone."""

from collections import Counter
from dataclasses import dataclass

from calibration.table_place import table_in
from calibration.wizard.setup_bench import Mark, SetupBench
from companion.sensing.vision_words import in_words
from vision.art.art_book import book_of
from vision.art.art_on_mat import LiveArt
from vision.camera.frames import Frame
from vision.codes.code_reader import Code, read_region
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import STICKER_MODULES, Gray, Tags
from vision.mat.registration import Registration
from vision.mat.straight_views import part_of
from vision.mat_geometry import Zone
from vision.photos.table_photo import TablePrint, stickers_on

LOOKS = 2
"""LOOKS: number of pictures in one photograph of the mat. A card is seen if one of them shows it. A code lies
on the mat twice if every picture shows it twice."""
SIDES_MM = (20.0, 30.0)
"""Sides (mm) of printed stickers that are tried, one after the other."""


@dataclass(frozen=True, slots=True)
class Photograph:
    """Cards that a photograph of the mat shows, by their codes.

    `twice`: codes that lie on the mat twice. `strangers`: texts of QR codes that belong to no card.
    """

    codes: frozenset[str]
    twice: frozenset[str]
    strangers: tuple[str, ...]


class CardReader:
    """Reader of one game's cards, by stickers or pictures, on a mat that does not move."""

    @in_words()
    def __init__(self, bench: SetupBench) -> None:
        self._bench = bench
        self._cards = Tags.of(bench.cards).payloads
        self._book = Codebook(frozenset(self._cards))
        self._printed = TablePrint(frozenset(self._cards), (bench.mat,), SIDES_MM)
        self._placed: Registration | None = None
        art = bench.profile.art
        self._art = LiveArt(book_of(art, "the rig's cards")) if art else None
        self._first_of: dict[str, str] = {}
        for card in bench.cards:
            self._first_of.setdefault(card.kind, card.code)
        self._mat_marks: tuple[Mark, ...] = ()

    def placed(self, gray: Gray) -> Registration | None:
        """Mat's place in the picture, found once, then kept.

        None while no mat is in sight.
        """
        if self._placed is None:
            self._placed = table_in(self._bench, gray)
            if self._placed is not None:
                self._bench.outline_mat(self._placed)
                self._mat_marks = self._bench.live.marks
        return self._placed

    def photograph(self) -> Photograph | None:
        """Read the cards on the whole mat, in two pictures.

        None if the mat is not in sight, or the camera gives no picture.
        """
        looks = []
        strangers: dict[str, None] = {}
        for frame in self._bench.frames(LOOKS):
            placed = self.placed(frame.gray)
            if placed is None:
                return None
            codes = stickers_on(frame.gray, self._bench.mat, placed, self._printed)
            self._bench.live.marks = (*self._mat_marks, *map(self._mark, codes))
            looks.append(Counter(card for code in codes if (card := self._cards.get(code.payload or ""))))
            strangers |= {code.text: None for code in codes if code.payload not in self._cards}
        if not looks:
            return None
        seen = frozenset[str]().union(*looks)
        return Photograph(
            seen, frozenset(code for code in seen if min(look[code] for look in looks) > 1), tuple(strangers)
        )

    def _mark(self, code: Code) -> Mark:
        return Mark(tuple((float(x), float(y)) for x, y in code.corners), code.payload in self._cards)

    def in_zone(self, frame: Frame, zone: str) -> frozenset[str]:
        """Codes of the cards in a zone of the mat.

        Empty if the mat is not in sight. A card recognised by its printed picture counts as the first card of
        its kind, because copies look alike. `zone`: its name.
        """
        gray = frame.gray
        placed = self.placed(gray)
        if placed is None:
            return frozenset()
        area = self._bench.mat.zone(zone)
        found = self._by_art(frame, area, placed) or self._by_sticker(gray, area, placed)
        corners = ((area.x, area.y), (area.x + area.w, area.y), (area.x + area.w, area.y + area.h),
                   (area.x, area.y + area.h))  # fmt: skip
        outline = tuple((float(x), float(y)) for x, y in placed.to_px(corners))
        self._bench.live.marks = (*self._mat_marks, Mark(outline, bool(found)))
        return frozenset(found)

    def _by_art(self, frame: Frame, area: Zone, placed: Registration) -> set[str]:
        if self._art is None:
            return set()
        look = self._art.look(frame.image, placed.zone_rect(area, 8.0), placed)
        return {self._first_of[card.kind] for card in look.cards if card.kind in self._first_of}

    def _by_sticker(self, gray: Gray, area: Zone, placed: Registration) -> set[str]:
        part = part_of(gray, placed.zone_rect(area, 8.0), placed)
        found: set[str] = set()
        for side in SIDES_MM:
            if side * part.scale / STICKER_MODULES < 1.0:
                continue
            reading = read_region(part.image, side * part.scale, self._book, markers=False)
            found |= {card for one in reading.codes if (card := self._cards.get(one.payload or ""))}
            if found:
                break
        return found
