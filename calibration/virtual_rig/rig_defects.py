"""Defects of a virtual rig, and the fault by which setup must name each."""

import errno
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.rig_store import RigStore
from companion.core.errors import BadInputError
from companion.core.files import replace_file
from companion.games.appearance import PhysicalCard
from firmware.simulator.chips.matrix_network import as_drawn_without_row_resistors
from vision.codes.sticker_set import Gray

Look = Callable[[Gray, int, Any], Gray]
"""Function (picture, number of the frame, virtual camera) -> the picture with a defect."""


@dataclass(frozen=True, slots=True)
class Defect:
    """Defect of a virtual rig that setup must find.

    `fault` is the name by which setup must report it. Each other field says what is changed; the defaults
    change nothing.
    """

    fault: str
    look: Look | None = None
    """Function that changes each picture of the camera; None if the pictures stay as they are."""
    zoom: float = 1.0
    """Camera's scale (px/mm), as a multiple of the usual one."""
    other_mat: bool = False
    """True if the mat of another game lies on the table."""
    no_permission: bool = False
    old_firmware: bool = False
    free_mb: float = 50_000.0
    chips: tuple[tuple[str, int, str, object], ...] = ()
    """Faults of chip models: (part, number of the station, name of the fault, value).

    The pad has number -1.
    """
    crossed: dict[str, dict[int, int]] = field(default_factory=dict)
    """Capability -> number of a station -> number of the station that its wire leads to.

    A number below 0 cuts the wire.
    """
    creep_g_s: float = 0.0
    """Speed (g/s) at which the load cell of the second station creeps."""
    pin: bool = False
    """True if the rig file gives one pin to two scales."""
    loose_pin: bool = False
    """True if the rig file gives a scale a pin to which no wire leads."""
    disk_fills: bool = False
    """True if the disk is full after ROOM files."""
    alike: bool = False
    """True if two raised pictures are nearly equal."""
    tags_swapped: bool = False
    """True if two cards have swapped their sleeves, which carry the tags, since the last setup."""
    tag_twice: bool = False
    sticker_twice: bool = False
    lost_card: bool = False

    def lost_of(self, cards: Sequence[PhysicalCard]) -> str:
        """Code of the card of `cards` that is lost; "" if none is.

        A card with a sticker is lost.
        """
        return [card.code for card in cards if card.payload][7] if self.lost_card else ""


def _soft(gray: Gray, _number: int, _camera: Any) -> Gray:
    return np.asarray(cv2.GaussianBlur(gray, (0, 0), 2.8), np.uint8)


def _mirrored(gray: Gray, _number: int, _camera: Any) -> Gray:
    return np.asarray(cv2.flip(gray, 1), np.uint8)


def _upside_down(gray: Gray, _number: int, _camera: Any) -> Gray:
    return np.asarray(cv2.rotate(gray, cv2.ROTATE_180), np.uint8)


def _flicker(gray: Gray, number: int, _camera: Any) -> Gray:
    rows = np.arange(gray.shape[0]) / gray.shape[0]
    wave = 1 + 0.06 * np.sin(2 * np.pi * (1.7 * rows + 0.37 * number))
    return np.asarray(np.clip(gray * wave[:, None] + 0.5, 0, 255), np.uint8)


def _glare(gray: Gray, _number: int, camera: Any) -> Gray:
    zone = camera.mat.zones[1]
    x, y = camera.lens.seen([zone.centre])[0]
    shine = np.zeros(gray.shape, np.float32)
    cv2.ellipse(shine, (round(float(x)), round(float(y))), (60, 34), 20, 0, 360, 1.0, -1)
    shine = np.asarray(cv2.GaussianBlur(shine, (0, 0), 8.0), np.float32)
    return np.clip(gray + shine * (250.0 - gray), 0, 255).astype(np.uint8)


def _overexposed(gray: Gray, _number: int, _camera: Any) -> Gray:
    return np.asarray(np.clip(gray * 1.7, 0, 255), np.uint8)


def _dim(gray: Gray, _number: int, _camera: Any) -> Gray:
    return np.asarray(np.clip(gray * 0.3, 0, 255), np.uint8)


def _low(gray: Gray, _number: int, _camera: Any) -> Gray:
    return np.asarray(cv2.resize(gray, (854, 480), interpolation=cv2.INTER_AREA), np.uint8)


def _covered(gray: Gray, _number: int, camera: Any) -> Gray:
    if not camera.mat.markers:
        return gray
    marker = camera.mat.markers[2]
    x, y = camera.lens.seen([(marker.x, marker.y)])[0]
    seen = gray.copy()
    cv2.circle(seen, (round(float(x)), round(float(y))), 60, (120,), -1)
    return seen


def _high(gray: Gray, _number: int, _camera: Any) -> Gray:
    small = cv2.resize(gray, None, fx=0.52, fy=0.52, interpolation=cv2.INTER_AREA)
    seen = np.full(gray.shape, 95, np.uint8)
    top, left = (gray.shape[0] - small.shape[0]) // 2, (gray.shape[1] - small.shape[1]) // 2
    seen[top : top + small.shape[0], left : left + small.shape[1]] = small
    return seen


def _tilted(gray: Gray, _number: int, _camera: Any) -> Gray:
    height, width = gray.shape
    whole = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    seen = np.array([(0.27, 0.16), (0.73, 0.16), (1.0, 1.0), (0.0, 1.0)], np.float32) * (width, height)
    matrix = cv2.getPerspectiveTransform(whole, seen.astype(np.float32))
    beside = cv2.warpPerspective(gray, matrix, (width, height), borderValue=(95,))
    return np.asarray(beside, np.uint8)


def _loose(gray: Gray, number: int, _camera: Any) -> Gray:
    shift = np.array([[1.0, 0, 5.0 * np.sin(number / 9)], [0, 1.0, 0]])
    return np.asarray(
        cv2.warpAffine(gray, shift, (gray.shape[1], gray.shape[0]), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


PAD = -1
ROOM = 2
"""ROOM: number of files that the filling disk takes before it is full."""


class FillingDisk:
    """Disk of a virtual machine that takes two files, then is full.

    The next write ends half-way and raises ENOSPC. `write(path, data)` writes the first files.
    """

    def __init__(self, write: Callable[[Path, bytes], None]) -> None:
        self._write = write
        self._room = ROOM

    def write(self, path: Path, data: bytes) -> None:
        """Replace file `path`; OSError once the disk is full."""
        if self._room <= 0:
            draft = path.with_name(f".{path.name}.part")
            draft.write_bytes(data[: len(data) // 2])
            draft.unlink()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._room -= 1
        self._write(path, data)


DEFECTS: dict[str, Defect] = {
    "soft lens": Defect("soft lens", look=_soft),
    "mirrored picture": Defect("mirrored picture", look=_mirrored),
    "mat upside down": Defect("mat upside down", look=_upside_down),
    "another mat": Defect("another mat", other_mat=True),
    "flicker": Defect("flicker", look=_flicker),
    "glare": Defect("glare", look=_glare),
    "overexposed": Defect("overexposed", look=_overexposed),
    "too dark": Defect("too dark", look=_dim),
    "camera of 480p": Defect("low resolution", look=_low),
    "covered corner": Defect("mat not whole", look=_covered),
    "camera too high": Defect("camera too high", look=_high),
    "camera too low": Defect("mat not whole", zoom=1.2),
    "tilted camera": Defect("tilted camera", look=_tilted),
    "loose stand": Defect("loose stand", look=_loose),
    "tags swapped": Defect("tags swapped", tags_swapped=True),
    "tag twice": Defect("tag twice", tag_twice=True),
    "sticker twice": Defect("sticker twice", sticker_twice=True),
    "lost card": Defect("card missing", lost_card=True),
    "alike textures": Defect("alike textures", alike=True),
    "dead HX711": Defect("dead scale", chips=(("count", 2, "dead", True),)),
    "broken bridge wire": Defect("broken bridge wire", chips=(("count", 2, "wire", "high"),)),
    "loose bridge wire": Defect("broken bridge wire", chips=(("count", 2, "wire", "stuck"),)),
    "reversed cell": Defect("reversed cell", chips=(("count", 2, "reversed", True),)),
    "no row resistors": Defect(
        "rows float", chips=(("texture", PAD, "circuit", as_drawn_without_row_resistors()),)
    ),
    "noisy cell": Defect("noisy scale", chips=(("count", 2, "sigma", 5.0),)),
    "creeping cell": Defect("creeping scale", creep_g_s=0.12),
    "weak reader": Defect(
        "weak reader", chips=(("reader", PAD, "miss_one", 0.72), ("reader", PAD, "miss_more", 0.72))
    ),
    "dead reader": Defect("dead reader", chips=(("reader", PAD, "dead", True),)),
    "clone MFRC522": Defect("clone reader", chips=(("reader", PAD, "version", 0x12),)),
    "dead matrix line": Defect("dead matrix line", chips=(("texture", PAD, "dead_rows", [6]),)),
    "crossed scales": Defect("crossed scales", crossed={"count": {1: 2, 2: 1}}),
    "crossed buttons": Defect("crossed buttons", crossed={"button": {0: 3, 3: 0}}),
    "crossed electrodes": Defect("crossed electrodes", crossed={"touch": {0: 2, 2: 0}}),
    "dead electrode": Defect("dead electrode", crossed={"touch": {2: -2}}),
    "foil too large": Defect("large electrode", chips=(("electrode", 1, "pf", 62.0),)),
    "foil without a wire": Defect("open electrode", chips=(("electrode", 1, "wire", "open"),)),
    "foil on ground": Defect("shorted electrode", chips=(("electrode", 1, "wire", "ground"),)),
    "dead button": Defect("dead button", crossed={"button": {2: -2}}),
    "crossed lamps": Defect("crossed lamps", crossed={"lamp": {1: 3, 3: 1}}),
    "dead lamp": Defect("dead lamp", crossed={"lamp": {2: -2}}),
    "no permission": Defect("no permission", no_permission=True),
    "wrong pin": Defect("wrong pin", pin=True),
    "pin without a wire": Defect("dead scale", loose_pin=True),
    "old firmware": Defect("old firmware", old_firmware=True),
    "full disk": Defect("full disk", free_mb=3.0),
    "disk fills up": Defect("full disk", disk_fills=True),
}
"""Name on the command line -> defect of a virtual rig."""
SOUND = Defect("")
"""SOUND: no defect, as of a sound rig."""


def virtual_store(wrong: Defect, folder: Path | None = None) -> RigStore:
    """Open a folder's rig profiles, by default the user's.

    If the defect `wrong` says so, the disk fills up while they are written.
    """
    return RigStore(folder, FillingDisk(replace_file).write if wrong.disk_fills else replace_file)


def defect(name: str) -> Defect:
    """Look up a defect by its name; SOUND for "".

    BadInputError, which lists all names, for an unknown one.
    """
    if not name:
        return SOUND
    if name not in DEFECTS:
        raise BadInputError(f"no defect {name!r}", where="defect", next_step=f"use {', '.join(DEFECTS)}")
    return DEFECTS[name]
