"""What a packed recording holds: without names, addresses and serial numbers, and a sheet of small pictures."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from companion.core.clock import ManualClock
from companion.core.errors import BadInputError, JournalError
from companion.core.files import Scratch
from companion.core.language import in_english, text
from companion.games.registry import load_game
from companion.sensing.observation import Health
from companion.sensing.recorded_pictures import RecordedPictures, load_frame, pasted
from companion.sensing.recording_folder import (
    ART,
    FRAMES,
    GAMES,
    HOME,
    JOURNALS,
    MARK,
    PORT,
    SETTINGS,
    VERSION,
    Mark,
    Part,
    StoredFrame,
    frame_name,
    read_parts,
)
from companion.session.journal.journal import Journal, Line, Noticed, Observed, Opened, read_good_lines
from companion.session.journal.recording_replay import STEP_S, camera_of, conclusions, unread_before
from firmware.host.masked_capture import board_ids, without_serials
from firmware.host.port_recording import write_capture
from vision.camera.frames import Image

CONCLUSIONS = "conclusions.json"
"""CONCLUSIONS: the file with what each journal has concluded."""
FOREARM_SHARE = 0.12
"""FOREARM_SHARE: share of the picture that one hand with its forearm covers at most: 0.05 to 0.10 of a mat of a
metre (a guess). More may be a head, or several people."""
_SMALL_QUALITY = 50
"""_SMALL_QUALITY: of JPEG (0 to 100) in a small archive."""
_PATCH_LEVELS, _PATCH_SHRINK, _PATCH_MARGIN = 10, 4, 8
"""What of a picture has changed: grey levels, factor by which it is reduced to find out, margin (px)."""
_PATCH_MOST = 0.6
"""_PATCH_MOST: a patch that covers more of a picture is a whole picture."""
_WHOLE_EVERY = 60
"""_WHOLE_EVERY: one of so many small pictures is whole: a damaged one spoils no more than those until then."""
_SHEET_PICTURES, _SHEET_COLUMNS, _SHEET_PX = 60, 6, 240
"""Most pictures on the contact sheet, how many a row, and their width (px)."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a recording is packed."""

    without_hands: bool = False
    """Leave out frames in which more than a forearm reaches in."""
    small: bool = False
    """Keep only what changes from picture to picture, and that less sharp."""


@dataclass(slots=True)
class Packed:
    """A recording that is ready to be packed."""

    parts: list[Part]
    left_out: dict[Path, list[StoredFrame]]
    """Folder of a part -> its frames that are left out."""
    journals: dict[str, str]
    """Name of a journal in the recording -> its name in the archive."""
    lines: dict[str, list[Line]]
    """Name in the archive -> masked lines."""
    missing: list[str]
    wish: Wish

    @property
    def frames(self) -> list[StoredFrame]:
        """All frames that are packed."""
        return [one for part in self.parts for one in self.kept(part)]

    def kept(self, part: Part) -> list[StoredFrame]:
        """The frames of a part that are packed."""
        out = {one.path for one in self.left_out.get(part.folder, ())}
        return [one for one in part.frames if one.path not in out]


def prepared(folder: Path, wish: Wish, mask: Callable[[str], str]) -> Packed:
    """What would be packed of a recording; `mask` takes names and addresses out of a sentence.

    BadInputError if the folder is none, or holds no game.
    """
    parts = read_parts(folder)
    packed = Packed(parts, {}, {}, {}, [fault for part in parts for fault in part.faults], wish)
    for part in parts:
        for game in part.games:
            if game.journal in packed.journals:
                continue
            name = f"game-{len(packed.journals) + 1}.jsonl"
            try:
                scan = read_good_lines(folder / JOURNALS / Path(game.journal).name)
            except JournalError as error:
                packed.missing.append(text("{journal}: {why}", journal=game.journal, why=error.what))
                continue
            packed.journals[game.journal] = name
            packed.lines[name] = [_masked(line, mask) for line in scan.lines]
    if not packed.lines and not packed.frames:
        raise BadInputError(
            text("there is nothing in this recording"), where=str(folder), next_step=text("record a game first")
        )
    if wish.without_hands:
        for part in parts:
            packed.left_out[part.folder] = _with_more_than_a_forearm(part, packed)
    return packed


def serials_in(folder: Path) -> list[str]:
    """The serial numbers of the boards in a recording, in hexadecimal digits."""
    return sorted(number.hex() for part in read_parts(folder) for number in board_ids(part.port))


def names_in(folder: Path) -> list[str]:
    """The names of people, and the family's names for characters, in a recording's journals."""
    names: set[str] = set()
    for path in sorted((folder / JOURNALS).glob("*.jsonl")):
        try:
            opened = read_good_lines(path).lines[0]
        except JournalError:
            continue
        if isinstance(opened, Opened):
            names |= {*opened.people, *opened.names}
    return sorted(filter(None, names))


def files_of(packed: Packed) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file of the archive."""
    yield MARK, msgspec.json.encode(Mark(VERSION))
    yield CONCLUSIONS, msgspec.json.encode(_conclusions(packed), enc_hook=in_english) + b"\n"
    with Scratch("pack-") as scratch:
        for name, lines in packed.lines.items():
            journal = Journal(scratch.path / name, sync=False)
            journal.write(lines)
            journal.close()
            yield f"{JOURNALS}/{name}", (scratch.path / name).read_bytes()
        for number, part in enumerate(packed.parts, 1):
            for name, data in _files_of_part(part, packed, scratch.path / f"{number}.cap"):
                yield f"part-{number}/{name}", data


def _files_of_part(part: Part, packed: Packed, capture: Path) -> Iterator[tuple[str, bytes]]:
    if part.settings is not None:
        left_out = [round(1000 * one.t) for one in packed.left_out.get(part.folder, ())]
        settings = msgspec.structs.replace(part.settings, left_out=(*part.settings.left_out, *left_out))
        yield SETTINGS, msgspec.json.encode(settings)
        for name, there in ((ART, part.settings.art), (HOME, part.settings.home)):
            if there and (part.folder / name).is_file():
                yield name, (part.folder / name).read_bytes()
    games = [
        msgspec.structs.replace(game, journal=packed.journals.get(game.journal, game.journal))
        for game in part.games
    ]
    yield GAMES, b"".join(msgspec.json.encode(game) + b"\n" for game in games)
    if part.port:
        write_capture(capture, without_serials(part.port))
        yield PORT, capture.read_bytes()
    frames = packed.kept(part)
    # Small pictures are laid on each other: all of them, or none.
    if packed.wish.small or any(one.patch for one in part.frames):
        yield from _small_frames(part, frames)
        return
    for one in frames:
        try:
            yield f"{FRAMES}/{one.path.name}", one.path.read_bytes()
        except OSError:
            continue


def _small_frames(part: Part, kept: Sequence[StoredFrame]) -> Iterator[tuple[str, bytes]]:
    """The frames with what has changed since it was shown last alone, and less sharp."""
    wanted = {one.path for one in kept}
    now: Image | None = None
    shown: Image | None = None  # of each pixel, what the frames so far were made of
    since = 0
    for one in part.frames:
        now = pasted(one, now)
        if now is None or one.path not in wanted:
            continue
        rect = None if shown is None or since >= _WHOLE_EVERY else _changed(now, shown)
        since = 0 if rect is None else since + 1
        left, top, right, bottom = rect or _kept_rectangle(one, now)
        shown = now.copy() if rect is None or shown is None else shown
        shown[top:bottom, left:right] = now[top:bottom, left:right]
        data = cv2.imencode(".jpg", now[top:bottom, left:right], [cv2.IMWRITE_JPEG_QUALITY, _SMALL_QUALITY])[1]
        name = frame_name(one.t, left, top, one.width, one.height, patch=rect is not None)
        yield f"{FRAMES}/{name}", data.tobytes()


def _kept_rectangle(stored: StoredFrame, whole: Image) -> tuple[int, int, int, int]:
    """The rectangle (left, top, right, bottom) of a frame; all of the picture for a patch."""
    cut = None if stored.patch else load_frame(stored)
    if cut is None:
        return 0, 0, whole.shape[1], whole.shape[0]
    return stored.left, stored.top, stored.left + cut.shape[1], stored.top + cut.shape[0]


def _changed(now: Image, shown: Image) -> tuple[int, int, int, int] | None:
    """The rectangle (left, top, right, bottom) that has changed; None if most of the picture has."""
    if now.shape != shown.shape:
        return None
    height, width = now.shape[:2]
    size = (width // _PATCH_SHRINK, height // _PATCH_SHRINK)
    small = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (now, shown))
    apart = cv2.absdiff(*small)
    mask = (apart if apart.ndim == 2 else apart.max(axis=2)) > _PATCH_LEVELS
    ys, xs = np.nonzero(mask)
    if not len(xs):
        return 0, 0, _PATCH_MARGIN, _PATCH_MARGIN
    left = max(0, int(xs.min()) * _PATCH_SHRINK - _PATCH_MARGIN)
    top = max(0, int(ys.min()) * _PATCH_SHRINK - _PATCH_MARGIN)
    right = min(width, (int(xs.max()) + 1) * _PATCH_SHRINK + _PATCH_MARGIN)
    bottom = min(height, (int(ys.max()) + 1) * _PATCH_SHRINK + _PATCH_MARGIN)
    if (right - left) * (bottom - top) > _PATCH_MOST * width * height:
        return None
    return left, top, right, bottom


def contact_sheet(packed: Packed) -> bytes:
    """A JPEG with small frames in rows, evenly from the whole recording, each with its time (minutes)."""
    chosen = _evenly(packed.frames, _SHEET_PICTURES)
    tiles: list[Image] = []
    for part in packed.parts:
        whole: Image | None = None
        for one in part.frames:
            if one.patch or one in chosen:
                whole = pasted(one, whole)
            if whole is None or one not in chosen:
                continue
            shown = whole if one.patch else load_frame(one)
            if shown is not None:
                tiles.append(_tile(shown, one.t - part.frames[0].t))
    tiles = tiles or [np.full((_SHEET_PX // 2, _SHEET_PX, 3), 255, np.uint8)]
    high = max(one.shape[0] for one in tiles)
    tiles += [np.full((high, _SHEET_PX, 3), 255, np.uint8)] * (-len(tiles) % _SHEET_COLUMNS)
    filled = [
        cv2.copyMakeBorder(one, 0, high - one.shape[0], 0, 0, cv2.BORDER_CONSTANT, value=(255, 255, 255))
        for one in tiles
    ]
    rows = [np.hstack(filled[at : at + _SHEET_COLUMNS]) for at in range(0, len(filled), _SHEET_COLUMNS)]
    return bytes(cv2.imencode(".jpg", np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 80])[1])


def _evenly(frames: Sequence[StoredFrame], most: int) -> list[StoredFrame]:
    return [frames[at * len(frames) // most] for at in range(most)] if len(frames) > most else list(frames)


def _tile(picture: Image, t: float) -> Image:
    """A small picture with its time."""
    height = max(1, round(picture.shape[0] * _SHEET_PX / picture.shape[1]))
    small = cv2.resize(picture, (_SHEET_PX, height), interpolation=cv2.INTER_AREA)
    coloured = cv2.cvtColor(small, cv2.COLOR_GRAY2BGR) if small.ndim == 2 else small
    said = f"{int(t) // 60}:{int(t) % 60:02}"
    for width, level in ((3, 0), (1, 255)):
        cv2.putText(
            coloured, said, (4, height - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (level,) * 3, width, cv2.LINE_AA
        )
    return np.asarray(coloured, np.uint8)


def _with_more_than_a_forearm(part: Part, packed: Packed) -> list[StoredFrame]:
    """The frames in which more than a forearm reaches in, and those before the mat is found: nobody knows."""
    games = [game for game in part.games if game.journal in packed.journals]
    if part.settings is None or not part.frames:
        return list(part.frames)
    shift = games[0].ahead if games else 0.0
    clock = ManualClock(part.frames[0].t - STEP_S)
    game = load_game(part.settings.game, part.settings.parts)
    lines = packed.lines[packed.journals[games[0].journal]] if games else []
    pictures = RecordedPictures(part.frames, clock, part.settings.left_out)
    new: list[StoredFrame] = []
    pictures.shown = new.append
    lying = unread_before(lines, clock.now() - shift)
    camera = camera_of(part, part.settings, pictures, clock, game, lying, packed.missing)
    out: list[StoredFrame] = []
    while clock.now() < part.frames[-1].t + STEP_S:
        clock.sleep(STEP_S)
        camera.poll()
        out += [one for one in new if camera.reaching > FOREARM_SHARE]
        new.clear()
    return out


def _masked(line: Line, mask: Callable[[str], str]) -> Line:
    """A line of a journal without names and addresses."""
    match line:
        case Opened():
            return msgspec.structs.replace(line, people=(), names=())
        case Noticed():
            return msgspec.structs.replace(line, detail=mask(line.detail))
        case Observed(_, seen):
            return msgspec.structs.replace(
                line,
                o=tuple(
                    msgspec.structs.replace(one, detail=mask(one.detail)) if isinstance(one, Health) else one
                    for one in seen
                ),
            )
    return line


def _conclusions(packed: Packed) -> list[dict[str, Any]]:
    """What each journal has concluded at its end."""
    found = []
    for name, lines in packed.lines.items():
        opened = lines[0]
        assert isinstance(opened, Opened)
        last = conclusions(load_game(opened.game, opened.parts), opened, lines)[-1]
        found.append(
            {"journal": name, "final_state": last.state, "verdicts": last.verdicts, "score": last.score}
        )
    return found
