"""The recording of a rehearsed game: video, serial bytes, journal, settings."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from companion.core.errors import BadInputError, SourceError
from companion.core.files import new_private_file, write_private
from companion.session.journal.journal import Journal
from companion.virtual.virtual_table import VirtualTable
from firmware.host.port_recording import CaptureWriter
from vision.camera.recorded_camera import times_bytes, times_file

FRAME_S = 1 / 15
"""Time (s) of one round, in which table and session advance: the time between two frames."""
VIDEO_PX, VIDEO_EVERY = (1440, 810), 2
"""VIDEO_PX: width and height (px) of a recorded picture.

VIDEO_EVERY: only each second picture may be recorded.
"""


class VideoRecorder:
    """Writer of a rehearsal's video, in pictures of VIDEO_PX.

    `path`: the video, a new file. Only pictures in which something changed are written. A file beside the
    video holds the time of each picture, see `vision.camera.recorded_camera.times_file`. SourceError if the
    video cannot be written.
    """

    def __init__(self, path: Path) -> None:
        import cv2

        self._shrink = partial(cv2.resize, dsize=VIDEO_PX, interpolation=cv2.INTER_AREA)
        self._path = path
        self._looks = self._seen = 0
        self._times: list[float] = []
        rate = 1 / FRAME_S / VIDEO_EVERY
        new_private_file(path).close()
        self._writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), rate, VIDEO_PX)
        if not self._writer.isOpened():
            raise SourceError("the video cannot be written", where=str(path), next_step="is the disk full?")

    def look(self, table: VirtualTable) -> None:
        """Offer the table's present picture to the video; call it once each round.

        Of each VIDEO_EVERY pictures one is considered. It is written if something changed since the last
        written one.
        """
        if self._looks % VIDEO_EVERY == 0 and table.camera.changes != self._seen:
            self._writer.write(self._shrink(table.frame()))
            self._seen = table.camera.changes
            self._times.append(self._looks * FRAME_S)
        self._looks += 1

    def close(self) -> None:
        """Finish the video; write the file with its pictures' times."""
        self._writer.release()
        write_private(times_file(self._path), times_bytes([*self._times, self._looks * FRAME_S]))


class Recording:
    """New folder with all recorded files of one game.

    The files are table.mp4 and its times, serial.cap, journal.jsonl, companion.toml and truth.jsonl.
    `companion play --config FOLDER/companion.toml` plays the recording again. BadInputError if the folder
    exists.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = new_folder(folder)
        self.video = VideoRecorder(folder / "table.mp4")
        self.capture = CaptureWriter(folder / "serial.cap")
        self.journal = Journal(folder / "journal.jsonl", sync=False)

    def write_settings(
        self,
        variant: str,
        players: int,
        tags: Mapping[str, str],
        textures: Mapping[str, Sequence[str]],
        buttons: Sequence[str] = (),
    ) -> None:
        """Write companion.toml, by which `companion play` plays the recording again.

        `variant`, `players`: the game's variant and number of players. `tags`: UID of a tag (hex) -> card.
        `textures`: kind of card -> recorded presses, as strings. `buttons`: stations with a claim button.
        """
        camera, port = json.dumps(str(self.folder / "table.mp4")), json.dumps(str(self.folder / "serial.cap"))
        lines = [
            f"variant = {json.dumps(variant)}",
            f"players = {players}",
            f"camera = {camera}",
            f"port = {port}",
            f"buttons = {json.dumps(buttons)}",
        ]
        lines += ["[tags]", *(f"{uid} = {json.dumps(card)}" for uid, card in tags.items())]
        lines += ["[textures]", *(f"{kind} = {json.dumps(presses)}" for kind, presses in textures.items())]
        write_private(self.folder / "companion.toml", ("\n".join(lines) + "\n").encode())

    def close(self) -> None:
        """Finish the files of video, serial capture and journal."""
        self.video.close()
        self.capture.close()
        self.journal.close()


def new_folder(folder: Path) -> Path:
    """Make a folder that only its owner can read, and return its path.

    Missing parent folders are made as well. BadInputError if `folder` exists or cannot be made.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700)  # what is recorded tells every hidden card
    except FileExistsError:
        raise BadInputError("exists already", where=str(folder), next_step="record into a new folder") from None
    except OSError as error:
        raise BadInputError(f"cannot be made ({error.strerror})", where=str(folder)) from None
    return folder
