"""Looks of things without stickers or markers: a drawn picture for each kind, with or without a sleeve."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import BadInputError
from companion.games.appearance import PhysicalCard
from companion.virtual.render.art_faces import DECKS, deck_faces
from companion.virtual.render.looks import Looks
from companion.virtual.render.printed_marks import PX_MM, Picture, outline
from companion.virtual.world import UP
from vision.mat_geometry import Zone

_SLEEVE_MM = 2
"""Width (mm) of a sleeve's rim around its card."""
_RIM, _RIM_COVERS, _SHEEN = (176, 180, 178), 105, 0.04
"""_RIM: colour (BGR) of a sleeve's rim. _RIM_COVERS: its opacity (0 to 255).

_SHEEN: share of white that the film adds to the card's picture.
"""
_PHOTO_PX_MM, _GAP_MM, _COLUMNS = 3.0, 14.0, 6
"""Enrolment photograph: px per mm, gap between cards (mm), and cards in a row."""
_CLOTH = (176, 60, 186)
"""Colour (BGR) of the cloth in an enrolment photograph."""


class ArtLooks:
    """Look of a game whose cards have drawn pictures instead of stickers or markers.

    `style`: one of DECKS; BadInputError for another. Everything else is as in `looks`. `sleeved`: all cards
    are in sleeves, except things that otherwise carry a marker (tiles, tokens). `seed` decides the pictures.
    """

    def __init__(
        self, looks: Looks, cards: Iterable[PhysicalCard], style: str, seed: int, *, sleeved: bool
    ) -> None:
        if style not in DECKS:
            raise BadInputError("no such style of art", where=style, next_step=f"use {', '.join(DECKS)}")
        self._looks = looks
        there = tuple(cards)
        self._by_code = {card.code: card for card in there}
        self._cards = {card.kind: card for card in there}
        self._style, self._seed, self._sleeved = style, seed, sleeved
        self._printed: dict[tuple[str, str], tuple[Picture, Picture]] = {}
        self._faces: dict[str, Picture] = {}

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        """Width and height (mm) of the thing `code` when it lies on `side`, sleeve included."""
        w, h = self._looks.size_of(code, side)
        rim = 2 * _SLEEVE_MM if self._in_sleeve(code) else 0
        return w + rim, h + rim

    def printed(self, card: PhysicalCard | None, code: str, side: str) -> tuple[Picture, Picture]:
        """Draw one side of a thing, perhaps in a sleeve: its picture and outline.

        Arguments as for `Looks.printed`. Cards that lie face up show their drawn picture.
        """
        face = card is not None and side == UP
        key = (card.kind if face and card else code, side)
        if key not in self._printed:
            if face and card is not None:
                picture = self.faces[card.kind]
                mask = outline(picture.shape[:2], 3, round_thing=False)
            else:
                picture, mask = self._looks.printed(card, code, side)
            self._printed[key] = _in_sleeve(picture, mask) if self._in_sleeve(code) else (picture, mask)
        return self._printed[key]

    def is_glossy(self, code: str) -> bool:
        """Whether the thing `code` is a card; things that otherwise carry a marker reflect no lamp."""
        card = self._by_code.get(code)
        return card is None or card.marker is None

    def draw_zone(self, sheet: Picture, zone: Zone) -> None:
        """Draw a zone of the mat on its sheet, as the game's other look does.

        `sheet`: picture of the mat. Only cards have drawn pictures.
        """
        self._looks.draw_zone(sheet, zone)

    def draw_instead(self, faces: Mapping[str, Picture]) -> None:
        """Replace the drawn pictures by `faces` (kind of card -> picture of any size).

        Call it before anything is drawn.
        """
        self._faces = dict(faces)

    @cached_property
    def faces(self) -> dict[str, Picture]:
        """Kind of card -> printed picture, at PX_MM px per mm."""
        drawn: dict[str, Picture] = {}
        for number, kinds in enumerate(self.sizes().values()):
            deck = deck_faces(self._style, len(kinds), 100 * self._seed + number)
            for kind, usual in zip(kinds, deck, strict=True):
                face = self._faces.get(kind, usual)
                w, h = self._looks.size_of(self._cards[kind].code, UP)
                upright = face if w <= h else np.rot90(face)
                size = (round(w * PX_MM), round(h * PX_MM))
                drawn[kind] = np.asarray(cv2.resize(upright, size, interpolation=cv2.INTER_AREA), np.uint8)
        return drawn

    def sizes(self) -> dict[tuple[float, float], list[str]]:
        """Size of a thing (width, height in mm) -> kinds with this size.

        Kinds come in the order of the cards.
        """
        sizes: dict[tuple[float, float], list[str]] = {}
        for kind, card in self._cards.items():
            sizes.setdefault(self._looks.size_of(card.code, UP), []).append(kind)
        return sizes

    def in_rows(self, kinds: Sequence[str], seed: int) -> NDArray[np.uint8]:
        """Take an enrolment photograph (BGR): one card of each kind, in rows on a plain cloth.

        Equal seeds give equal photographs.
        """
        rng = np.random.default_rng(seed)
        scale = _PHOTO_PX_MM / PX_MM
        small = [
            np.asarray(cv2.resize(self.faces[kind], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
            for kind in kinds
        ]
        h, w = np.max([face.shape[:2] for face in small], axis=0) + round(_GAP_MM * _PHOTO_PX_MM)
        columns, rows = min(_COLUMNS, len(small)), -(-len(small) // _COLUMNS)
        picture = np.empty((h * rows + h // 2, w * columns + w // 2, 3), np.float32)
        picture[:] = _CLOTH
        for number, face in enumerate(small):
            top = h // 4 + number // columns * h + int(rng.integers(h // 12)) + (h - face.shape[0]) // 2
            left = w // 4 + number % columns * w + int(rng.integers(w // 12)) + (w - face.shape[1]) // 2
            picture[top : top + face.shape[0], left : left + face.shape[1]] = face
        slope = np.linspace(0.94, 1.04, picture.shape[1], dtype=np.float32)[None, :, None]
        lit = np.asarray(cv2.GaussianBlur(picture * slope, (0, 0), 0.8), np.float32)
        noisy = lit + rng.normal(0, 2.5, lit.shape)
        return np.asarray(np.clip(noisy, 0, 255), np.uint8)

    def _in_sleeve(self, code: str) -> bool:
        card = self._by_code.get(code)
        return self._sleeved and card is not None and card.marker is None


def _in_sleeve(picture: Picture, mask: Picture) -> tuple[Picture, Picture]:
    """Put a card's picture and mask into a clear sleeve.

    Both become larger. The cloth shows through the rim, and the film lightens the card.
    """
    rim = _SLEEVE_MM * PX_MM
    h, w = picture.shape[:2]
    sleeve = np.empty((h + 2 * rim, w + 2 * rim, 3), np.uint8)
    sleeve[:] = _RIM
    film = picture * (1 - _SHEEN) + 255 * _SHEEN
    inside = mask[:, :, None] / 255
    middle = sleeve[rim:-rim, rim:-rim]
    middle[:] = (middle * (1 - inside) + film * inside).astype(np.uint8)
    cover = np.full(sleeve.shape[:2], _RIM_COVERS, np.uint8)
    cover[rim:-rim, rim:-rim] = np.maximum(mask, _RIM_COVERS)
    return sleeve, cover
