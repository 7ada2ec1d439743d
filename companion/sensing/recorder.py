"""The recorder: writes what is sensed of an evening into a folder, within bounds, and never stops the game."""

import os
import queue
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.core.clock import Clock
from companion.core.errors import BadInputError
from companion.core.files import new_private_file, write_private
from companion.core.language import text
from companion.core.system_words import system_words
from companion.sensing.board_words import in_words
from companion.sensing.recording_folder import (
    FRAMES,
    GAMES,
    JOURNALS,
    PORT,
    SETTINGS,
    RecordedGame,
    RecordedSettings,
    claim_folder,
    frame_name,
    new_part,
)
from firmware.host.port_recording import CaptureWriter
from vision.camera.frames import Frame
from vision.mat.mat_finder import Rect, Registration
from vision.mat_geometry import Zone
from vision.scene.camera_pipeline import Vision
from vision.scene.small_picture import SmallPicture, differ, small_picture

CHANGES_S, AT_LEAST_S = 0.33, 1.0
"""CHANGES_S: shortest time (s) between two recorded pictures. AT_LEAST_S: after this a picture is recorded
although nothing has changed."""
_CHANGED, _CHANGED_COLOUR, _CHANGED_PX = 10, 8, 6
"""Thresholds of a change in a recorded picture, compared in small size (grey levels and colours, 0 to 255).

It has changed if at least _CHANGED_PX of its px differ by _CHANGED grey levels, or _CHANGED_COLOUR levels of a
colour. Vision uses these values to see a zone stir.
"""
_MARGIN_MM = 40.0
"""So much (mm) around the mat is recorded too, because hand-laid corner markers lie beside it."""
_QUALITY = 80
"""JPEG quality (0 to 100) of recorded pictures.

At 70, stickers of 2 px a module are still read (on the virtual table).
"""
_WAITING = 4
"""Pictures that may wait for a slow disk. Further ones are not recorded. A guess."""
_KEPT_FREE = 300 << 20
"""Bytes of the disk that stay free for journals and the system."""
_LOOK_BYTES = 4 << 20
"""The disk's free space is checked whenever so many bytes were written."""
_GUESSED_RATE = 400_000.0
"""Bytes per second assumed until the rate is measured: 1.8 pictures of 1080p (virtual table)."""
_MEASURED_S = 120.0
"""After this time (s) the measured rate replaces _GUESSED_RATE."""
_LITTLE_MIN = 10
"""People are warned when there is room for fewer minutes."""
MEGABYTE = 1_000_000


@dataclass(slots=True)
class _Copy:
    """Copy of another disk's journal, which grows with it.

    `size`: bytes copied so far.
    """

    source: Path
    target: Path
    size: int = 0


class Recorder:
    """Records one run into a folder: frames, bytes of the board's port, journals as links or copies.

    A thread of its own writes, so that a slow disk delays no game. `at_once`: the caller's thread writes,
    for a simulated clock. A disk error ends the recording, not the game; `news` reports it.
    """

    def __init__(
        self,
        folder: Path,
        settings: RecordedSettings,
        clock: Clock,
        *,
        files: Mapping[str, Path] | None = None,
        most_mb: int = 2000,
        at_once: bool = False,
    ) -> None:
        """Begin a recording in `folder`.

        `files`: file name in the recording -> file to copy. `most_mb`: largest size of the folder (MB).
        `at_once`: the caller's thread writes. BadInputError if the folder contains anything but a recording, or
        cannot be written.
        """
        claim_folder(folder)
        self._folder, self._clock, self._at_once = folder, clock, at_once
        self._most = most_mb * MEGABYTE
        self._linked: list[Path] = []
        self._copies: list[_Copy] = []
        self._news: list[str] = []
        self._frames_end = self._bytes_end = self._little_told = False
        self._last: SmallPicture | None = None
        self._last_at = float("-inf")
        self._placed: Registration | None = None
        self._rect: Rect = (0, 0, 0, 0)
        try:
            (folder / JOURNALS).mkdir(mode=0o700, exist_ok=True)
            self._used = self._before = _size_of(folder)
            self._part = new_part(folder)
            for name, source in (files or {}).items():
                write_private(self._part / name, source.read_bytes())
            write_private(self._part / SETTINGS, msgspec.json.encode(settings))
            self._games = new_private_file(self._part / GAMES)
        except OSError as error:
            raise BadInputError(
                system_words(error), where=str(folder), next_step=text("name another folder with --record")
            ) from None
        with in_words():
            self._capture = CaptureWriter(self._part / PORT)
        self._looked_at = self._used
        self._began = clock.now()
        self._jobs: queue.Queue[Callable[[], None] | None] = queue.Queue()
        self._frames_given = self._frames_done = 0
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)
        self._news.append(self.what_is_kept())
        if not at_once:
            self._thread.start()

    @property
    def minutes_left(self) -> int:
        """Estimated minutes until `most_mb` or the disk is full."""
        passed = self._clock.now() - self._began
        written = self._used - self._before
        rate = written / passed if passed > _MEASURED_S and written else _GUESSED_RATE
        return int(max(0, self._room()) / rate / 60)

    def what_is_kept(self) -> str:
        """Sentence for people: what is recorded, and for how many minutes there is room."""
        return text(
            "Recording into {folder}: the game, what the board says, and pictures of the mat with the hands "
            "above it; room for about {minutes} minutes. Nothing is sent anywhere.",
            folder=str(self._folder),
            minutes=self.minutes_left,
        )

    def news(self) -> list[str]:
        """Sentences for people about the recording, new since the last call; [] for none.

        They say that little room is left, or that the recording has ended.
        """
        told, self._news = self._news, []
        return told

    def game(self, journal: Path, begins: float, ahead: float) -> None:
        """A game began or went on: link its journal into the recording.

        `begins`: clock time (s). `ahead`: clock time minus journal time (s).
        """
        try:
            name = self._linked_journal(journal)
            line = msgspec.json.encode(RecordedGame(name, round(begins, 4), round(ahead, 4)))
            self._games.write(line + b"\n")
            self._games.flush()
        except OSError as error:
            self._end(error)

    def look(self, frame: Frame, vision: Vision) -> None:
        """Record the frame if the mat is found in it, and it has changed or the last recorded one is old.

        `vision` knows where the mat lies in it.
        """
        since = frame.t - self._last_at
        if self._frames_end or not vision.found or since < CHANGES_S:
            return
        if self._frames_given - self._frames_done >= _WAITING:
            return
        small = small_picture(frame)
        if since < AT_LEAST_S and not self._changed(small):
            return
        assert vision.registration is not None
        if vision.registration is not self._placed:
            self._placed, self._rect = vision.registration, _mat_rectangle(vision, vision.registration)
        left, top, right, bottom = self._rect
        if left >= right or top >= bottom:
            return
        self._last, self._last_at = small, frame.t
        self._frames_given += 1
        self._do(lambda rect=self._rect: self._write_frame(frame, rect))  # type: ignore[misc]

    def record(self, t: float, data: bytes) -> None:
        """Record bytes read from the board's port at `t` (s)."""
        if not self._bytes_end:
            self._do(lambda: self._write_bytes(t, data))

    def abandon(self) -> None:
        """Delete this run's recording, because the table did not open."""
        self.close()
        shutil.rmtree(self._part, ignore_errors=True)
        for journal in self._linked:
            journal.unlink(missing_ok=True)

    def close(self) -> None:
        """Write what waits (at most 5 s); close all files."""
        if self._thread.is_alive():
            self._jobs.put(None)
            self._thread.join(5.0)
        self._follow()
        self._frames_end = self._bytes_end = True
        for file in (self._capture, self._games):
            try:
                file.close()
            except OSError:
                continue

    def _changed(self, small: SmallPicture) -> bool:
        """True if a small picture differs from that of the last recorded frame.

        At least _CHANGED_PX pixels must differ, by _CHANGED in grey or _CHANGED_COLOUR in colour. True, too,
        for the first picture and after a change of size.
        """
        last = self._last
        if last is None or last.gray.shape != small.gray.shape:
            return True
        return differ(small, last, _CHANGED, _CHANGED_COLOUR)[0] >= _CHANGED_PX

    def _linked_journal(self, journal: Path) -> str:
        """Link or copy a journal into the recording.

        A journal on another disk is copied. Returns its file name there.
        """
        number = 1
        while True:
            name = journal.name if number == 1 else f"{journal.stem}-{number}{journal.suffix}"
            target = self._folder / JOURNALS / name
            if target.exists() and target.samefile(journal):
                return name
            if not target.exists():
                break
            number += 1
        try:
            target.hardlink_to(journal)
        except OSError:
            new_private_file(target).close()
            self._copies.append(_Copy(journal, target))
            self._follow()
        self._linked.append(target)
        return name

    def _follow(self) -> None:
        """Copy the new lines of journals that lie on other disks into the recording."""
        for copy in self._copies:
            try:
                size = copy.source.stat().st_size
                if size < copy.size:  # half a line was cut off
                    os.truncate(copy.target, size)
                    copy.size = size
                with copy.source.open("rb") as source, copy.target.open("ab") as target:
                    source.seek(copy.size)
                    target.write(source.read())
                    copy.size = target.tell()
            except OSError:
                continue  # the rest of the recording may still be worth something

    def _do(self, job: Callable[[], None]) -> None:
        if self._at_once:
            job()
        else:
            self._jobs.put(job)

    def _work(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=1.0)
            except queue.Empty:
                self._follow()
                continue
            if job is None:
                return
            job()

    def _write_frame(self, frame: Frame, rect: Rect) -> None:
        import cv2

        try:
            left, top, right, bottom = rect
            whole = frame.coloured
            height, width = whole.shape[:2]
            good, data = cv2.imencode(
                ".jpg", whole[top:bottom, left:right], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
            )
            if not good or self._frames_end or self._full(len(data)):
                return
            path = self._part / FRAMES / frame_name(frame.t, left, top, width, height)
            draft = path.with_suffix(".part")
            write_private(draft, data.tobytes())
            draft.replace(path)
            self._used += len(data)
        except OSError as error:
            self._end(error)
        except (ValueError, cv2.error):
            return  # a damaged picture: nobody could read it either
        finally:
            self._frames_done += 1

    def _write_bytes(self, t: float, data: bytes) -> None:
        try:
            self._capture.record(t, data)
            if not self._part.exists():
                raise FileNotFoundError(2, os.strerror(2))
            self._used += len(data)
        except OSError as error:
            self._bytes_end = True
            self._end(error)

    def _room(self) -> int:
        """Bytes that may still be written.

        Negative if a limit is exceeded.
        """
        try:
            free = shutil.disk_usage(self._folder).free - _KEPT_FREE
        except OSError:
            free = 0
        return min(self._most - self._used, free)

    def _full(self, more: int) -> bool:
        """True if a frame of `more` bytes does not fit.

        News warn once beforehand, and once then.
        """
        if self._used + more <= self._most and self._used - self._looked_at < _LOOK_BYTES:
            return False
        self._looked_at = self._used
        if self._room() < more:
            self._frames_end = True
            self._news.append(
                text("The recording is full: no more pictures are kept. The game goes on, with its journal.")
            )
            return True
        left = self.minutes_left
        if left < _LITTLE_MIN and not self._little_told:
            self._little_told = True
            self._news.append(text("Room for about {minutes} more minutes of recording.", minutes=left))
        return False

    def _end(self, error: OSError) -> None:
        """End the recording of frames after a disk error, which is reported once."""
        if not self._frames_end:
            self._frames_end = True
            why = system_words(error)
            self._news.append(text("The recording ends here ({why}). The game goes on.", why=why))


def _mat_rectangle(vision: Vision, placed: Registration) -> Rect:
    """Rectangle of the picture (px) that holds the mat, its corner markers and a margin.

    `placed`: where the mat lies. All 0 if it lies outside.
    """
    mat = vision.mat
    squares = [(0.0, 0.0, mat.w, mat.h)]
    for marker in placed.laid or mat.markers:
        half = marker.side / 2
        squares.append((marker.x - half, marker.y - half, marker.side, marker.side))
    rects = [placed.zone_rect(Zone("", *square), _MARGIN_MM) for square in squares]
    rects = [rect for rect in rects if rect[0] < rect[2] and rect[1] < rect[3]]
    if not rects:
        return 0, 0, 0, 0
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _size_of(folder: Path) -> int:
    """Total size (bytes) of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
