"""Private files, scratch folders, and checks of file names.

Scratch folders end with their process.
"""

import fcntl
import os
import shutil
import stat
import tempfile
from io import BufferedWriter
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.printable import printable
from companion.core.system_words import system_words

LONGEST_NAME, LONGEST_PATH = 255, 4095
"""Longest file name and longest path (bytes) on Linux."""
_PREFIX = "companion-"
_LOCK = "lock"
"""File in each scratch folder, locked as long as a process uses the folder."""


class Scratch:
    """Temporary folder that is removed when this process ends.

    If it is killed, `clear_left` does so later.

    A child process that inherits the file descriptor `lock` keeps the folder as long as it lives.
    """

    def __init__(self, name: str = "") -> None:
        self._folder = tempfile.TemporaryDirectory(prefix=_PREFIX + name, ignore_cleanup_errors=True)
        self.path = Path(self._folder.name)
        # The file gets its name only once it is locked.
        draft = self.path / f".{_LOCK}"
        self._lock = draft.open("wb")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        draft.rename(self.path / _LOCK)

    @property
    def lock(self) -> int:
        """File descriptor whose lock says: the folder is used."""
        return self._lock.fileno()

    def close(self) -> None:
        """Remove the folder with all that is in it."""
        self._folder.cleanup()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def clear_left() -> None:
    """Remove scratch folders left by killed processes of this user."""
    for lock in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_LOCK}"):
        try:
            folder = lock.parent.lstat()
            if not stat.S_ISDIR(folder.st_mode) or folder.st_uid != os.getuid():
                continue
            held = os.open(lock, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            continue  # just gone, or not ours
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue  # in use
        else:
            shutil.rmtree(lock.parent, ignore_errors=True)
        finally:
            os.close(held)


def new_private_file(path: Path) -> BufferedWriter:
    """Create a file readable by its owner alone.

    OSError, e.g. FileExistsError, if that fails.
    """
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")


def write_private(path: Path, data: bytes) -> None:
    """Write a file and make it readable by its owner alone, even if others could read it before."""
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(data)


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file, readable by its owner alone: at any time readers see the old content or the new.

    The new one is on the disk before it gets its name. OSError leaves the old one.
    """
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.unlink(missing_ok=True)  # may be a link that others put there
        with new_private_file(draft) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def name_fault(name: str) -> str:
    """Why no file can have this path; "" if possible."""
    try:
        encoded = name.encode()
    except UnicodeEncodeError:
        return text("a name with letters that are not UTF-8")
    if not name:
        return text("the name is empty")
    if "\0" in name:
        return text("no name of a file")
    if len(encoded) > LONGEST_PATH or max(map(len, encoded.split(b"/"))) > LONGEST_NAME:
        return text("a name of {number} letters is too long for a file", number=len(name))
    return ""


def read_start(path: Path, most: int = 1 << 16) -> bytes | None:
    """First `most` bytes of a file.

    None if it cannot be read.
    """
    try:
        # Non-blocking, because opening a pipe that nobody writes would block.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            return file.read(most)
    except OSError:
        return None


def exists_already(path: Path, option: str = "--out") -> BadInputError:
    """Error for a file that must not be written over.

    `option`: the command-line option that gave its path.
    """
    return BadInputError(
        text("exists already"),
        where=printable(str(path)),
        next_step=text("name another file with {option}, or add --force", option=option),
    )


def check_free(path: Path, *, overwrite: bool, option: str = "--out") -> None:
    """BadInputError if no file may be written at `path`.

    That is so if it is a folder or, unless `overwrite`, a file. `option`: what gave the path.
    """
    if path.is_dir():
        next_step = text("name another file with {option}", option=option)
        raise BadInputError(text("is a folder"), where=printable(str(path)), next_step=next_step)
    if path.exists() and not overwrite:
        raise exists_already(path, option)


def write_new(
    path: Path, data: bytes, *, overwrite: bool, option: str = "--out", private: bool = False
) -> None:
    """Write `data` to a new file.

    BadInputError if it exists (unless `overwrite`) or cannot be written.

    `option`: command-line option that gave the path. `private`: readable by its owner alone.
    """
    created = False
    try:
        check_free(path, overwrite=overwrite, option=option)
        with path.open("wb" if overwrite else "xb") as stream:
            created = not overwrite
            if private and path.is_file():
                os.fchmod(stream.fileno(), 0o600)
            stream.write(data)
    except FileExistsError:
        raise exists_already(path, option) from None
    except BadInputError:
        raise
    except (OSError, ValueError) as error:
        if created:
            path.unlink(missing_ok=True)  # half a file is worse than none
        words = system_words(error) if isinstance(error, OSError) else text("cannot be written")
        next_step = text("name another file with {option}", option=option)
        raise BadInputError(words, where=printable(str(path)), next_step=next_step) from None
