"""A packed recording's contents, without names and serial numbers.

A sheet of small pictures gives an overview.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
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
from companion.sensing.board_words import in_words
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
from companion.session.journal.journal import Journal, read_good_lines
from companion.session.journal.journal_lines import Line, Noticed, Observed, Opened
from companion.session.journal.recorded_timeline import STEP_S
from companion.session.journal.recording_replay import camera_of, conclusions, unread_before
from firmware.host.masked_capture import board_ids, without_serials
from firmware.host.port_recording import write_capture
from vision.camera.frames import Image

CONCLUSIONS = "conclusions.json"
"""Name of the packed file with each game's final state, verdicts and score."""
FOREARM_SHARE = 0.12
"""Largest share (0 to 1) of a picture that a reaching forearm covers.

More may be a head or several people. A guess: a forearm covers 0.05 to 0.10 of a mat of a metre.
"""
_SMALL_QUALITY = 50
"""JPEG quality (0 to 100) of pictures in a small package. A guess."""
_PATCH_LEVELS, _PATCH_SHRINK, _PATCH_MARGIN = 10, 4, 8
"""_PATCH_LEVELS: least difference (grey levels) of a pixel that counts as changed.

_PATCH_SHRINK: factor by which pictures are reduced before they are compared. _PATCH_MARGIN: margin (px) that
is stored around changed pixels. Guesses.
"""
_PATCH_MOST = 0.6
"""Largest share (0 to 1) of a picture that is stored as a changed rectangle; beyond it the whole is.

A guess.
"""
_WHOLE_EVERY = 60
"""In a small package, most pictures in a row that store only what changed. The next one is whole. A guess.

A damaged picture spoils only the following ones until the next whole one.
"""
_SHEET_PICTURES, _SHEET_COLUMNS, _SHEET_PX = 60, 6, 240
"""The sheet of small pictures. _SHEET_PICTURES: most pictures on it.

_SHEET_COLUMNS: pictures in a row. _SHEET_PX: width of a picture (px).
"""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the person who packs a recording has chosen."""

    without_hands: bool = False
    """True: leave out camera pictures in which more than a forearm reaches over the mat."""
    small: bool = False
    """True: store only what changes between camera pictures, in lower JPEG quality."""


@dataclass(slots=True)
class Packed:
    """A package's contents before writing, chosen and freed of names.

    `parts`: the recorded runs of the program. `missing`: sentences about lost or damaged files. `wish`:
    choices of the person who packs.
    """

    parts: list[Part]
    left_out: dict[Path, list[StoredFrame]]
    """Folder of a recorded run -> its camera pictures that are not packed."""
    journals: dict[str, str]
    """Name of a journal's file in the recording -> its new name in the package."""
    lines: dict[str, list[Line]]
    """Name of a journal's file in the package -> its lines, without names."""
    missing: list[str]
    wish: Wish

    @property
    def frames(self) -> list[StoredFrame]:
        """Camera pictures that are packed, of the whole recording."""
        return [one for part in self.parts for one in self.kept(part)]

    def kept(self, part: Part) -> list[StoredFrame]:
        """Camera pictures that are packed, of the one run `part` of the program."""
        out = {one.path for one in self.left_out.get(part.folder, ())}
        return [one for one in part.frames if one.path not in out]


def prepared(
    folder: Path,
    wish: Wish,
    mask: Callable[[str], str],
    along: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> Packed:
    """Choose a package's contents from a recording, and remove names.

    `folder`: the recording. `mask`: function that removes names and addresses from a sentence. `along`: yields
    the steps of a search for hands one by one, e.g. to show progress. BadInputError if `folder` is no
    recording, or if nothing is recorded there.
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
            packed.left_out[part.folder] = _with_more_than_a_forearm(part, packed, along)
    return packed


def serials_in(folder: Path) -> list[str]:
    """Serial numbers (hexadecimal) of a recording's boards, sorted."""
    return sorted(number.hex() for part in read_parts(folder) for number in board_ids(part.port))


def names_in(folder: Path) -> list[str]:
    """Names of players and characters in a recording's journals, sorted."""
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
    """Yield name and content of each file of a package."""
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
        with in_words():
            write_capture(capture, without_serials(part.port))
        yield PORT, capture.read_bytes()
    frames = packed.kept(part)
    # A patch needs the frames before it, so either all frames are small or none is.
    if packed.wish.small or any(one.patch for one in part.frames):
        yield from _small_frames(part, frames)
        return
    for one in frames:
        try:
            yield f"{FRAMES}/{one.path.name}", one.path.read_bytes()
        except OSError:
            continue


def _small_frames(part: Part, kept: Sequence[StoredFrame]) -> Iterator[tuple[str, bytes]]:
    """Yield (file name, JPEG) of each packed camera picture of a run, for a small package.

    `kept`: the pictures to pack. Most files hold only the rectangle that changed since the previous picture.
    """
    wanted = {one.path for one in kept}
    now: Image | None = None
    shown: Image | None = None  # the picture that the frames yielded so far add up to
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
    """Rectangle (left, top, right, bottom; px) that a stored camera picture covers.

    If it stores only a change, the rectangle of the `whole` picture.
    """
    cut = None if stored.patch else load_frame(stored)
    if cut is None:
        return 0, 0, whole.shape[1], whole.shape[0]
    return stored.left, stored.top, stored.left + cut.shape[1], stored.top + cut.shape[0]


def _changed(now: Image, shown: Image) -> tuple[int, int, int, int] | None:
    """Rectangle (left, top, right, bottom; px) in which two pictures differ.

    None if most of the picture differs, or the size does. `shown`: the earlier picture.
    """
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
    """Draw a recording's sheet of small camera pictures, as JPEG.

    The pictures are evenly spread. Each shows its time (minutes:seconds) since its run of the program began.
    """
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
    """Shrink a picture, and write time `t` (s) on it."""
    height = max(1, round(picture.shape[0] * _SHEET_PX / picture.shape[1]))
    small = cv2.resize(picture, (_SHEET_PX, height), interpolation=cv2.INTER_AREA)
    coloured = cv2.cvtColor(small, cv2.COLOR_GRAY2BGR) if small.ndim == 2 else small
    said = f"{int(t) // 60}:{int(t) % 60:02}"
    for width, level in ((3, 0), (1, 255)):
        cv2.putText(
            coloured, said, (4, height - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (level,) * 3, width, cv2.LINE_AA
        )
    return np.asarray(coloured, np.uint8)


def _with_more_than_a_forearm(
    part: Part, packed: Packed, along: Callable[[Sequence[int]], Iterable[int]]
) -> list[StoredFrame]:
    """Find the camera pictures of a run in which more than a forearm reaches over the mat.

    Pictures before the mat was found are included, because nobody can tell. `part`: the run. `packed`: the
    package so far. Its journals tell which cards lay unread when the run began; unreadable files are added to
    its `missing`.
    """
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
    for _ in along(range(ceil((part.frames[-1].t + STEP_S - clock.now()) / STEP_S))):
        clock.sleep(STEP_S)
        camera.poll()
        out += [one for one in new if camera.reaching > FOREARM_SHARE]
        new.clear()
    return out


def _masked(line: Line, mask: Callable[[str], str]) -> Line:
    """Remove the names of people, and what `mask` removes from sentences, from a journal line."""
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
    """Each packed game's final state, verdicts and score, JSON-ready."""
    found = []
    for name, lines in packed.lines.items():
        opened = lines[0]
        assert isinstance(opened, Opened)
        last = conclusions(load_game(opened.game, opened.parts), opened, lines)[-1]
        found.append(
            {"journal": name, "final_state": last.state, "verdicts": last.verdicts, "score": last.score}
        )
    return found
