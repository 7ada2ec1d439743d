"""Files and folders: for their owner alone, what killed processes left, and names that cannot be."""

import fcntl
import os
import shutil
import stat
import tempfile
from io import BufferedWriter
from pathlib import Path
from types import TracebackType
from typing import Self

LONGEST_NAME, LONGEST_PATH = 255, 4095
"""Bytes of a file's name and of a whole path that Linux takes."""
_PREFIX = "companion-"
_LOCK = "lock"
"""A file in each folder: locked for as long as a process that uses the folder lives."""


class Scratch:
    """A folder in the temporary directory that goes with this process, or, if it is killed, at a next start.

    A child process that inherits the file descriptor `lock` keeps it as long as it lives itself.
    """

    def __init__(self, name: str = "") -> None:
        self._folder = tempfile.TemporaryDirectory(prefix=_PREFIX + name, ignore_cleanup_errors=True)
        self.path = Path(self._folder.name)
        # Under its name the file is locked from the first moment on.
        draft = self.path / f".{_LOCK}"
        self._lock = draft.open("wb")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        draft.rename(self.path / _LOCK)

    @property
    def lock(self) -> int:
        """The file descriptor that says that the folder is in use."""
        return self._lock.fileno()

    def close(self) -> None:
        """Remove the folder and what is in it."""
        self._folder.cleanup()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def clear_left() -> None:
    """Remove the folders of this user's processes that were killed: those whose lock nobody holds."""
    for lock in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_LOCK}"):
        try:
            folder = lock.parent.lstat()
            if not stat.S_ISDIR(folder.st_mode) or folder.st_uid != os.getuid():
                continue
            held = os.open(lock, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            continue  # it has just gone, or it is none of ours
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue  # in use
        else:
            shutil.rmtree(lock.parent, ignore_errors=True)
        finally:
            os.close(held)


def new_private_file(path: Path) -> BufferedWriter:
    """A new file to write to, for its owner alone. FileExistsError, or another OSError."""
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")


def write_private(path: Path, data: bytes) -> None:
    """Write a file that its owner alone may read, also if it was there and was open to others."""
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(data)


def name_fault(text: str) -> str:
    """Why no file can have this path, in words; empty if one can."""
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return "a name with letters that are not UTF-8"
    if not text:
        return "the name is empty"
    if "\0" in text:
        return "no name of a file"
    if len(encoded) > LONGEST_PATH or max(map(len, encoded.split(b"/"))) > LONGEST_NAME:
        return f"a name of {len(text)} letters is too long for a file"
    return ""
