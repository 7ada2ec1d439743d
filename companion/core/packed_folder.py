"""Packs a folder into a tar.gz file, or unpacks it.

It is unpacked for a while.
"""

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.core.errors import BadInputError
from companion.core.files import Scratch, new_private_file, read_start
from companion.core.language import text
from companion.core.system_words import system_words

_GZIP = b"\x1f\x8b"
_MOST_BYTES, _MOST_FILES = 20_000_000_000, 500_000
"""Largest archive that is unpacked, in bytes and files: ten times a usual recording."""


def is_packed(path: Path) -> bool:
    """True if a file's first bytes are those of gzip."""
    return path.is_file() and (read_start(path, 2) or b"") == _GZIP


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Context that gives a folder: `path` itself, or what the archive `path` contains, unpacked until the end.

    BadInputError for an archive that is damaged, or contains anything but files and folders.
    """
    if path.is_dir():
        yield path
        return
    if not path.exists():
        raise BadInputError(
            text("there is no such recording"),
            where=str(path),
            next_step=text("name a folder that --record wrote"),
        )
    with Scratch("unpacked-") as scratch:
        folder = scratch.path / "content"
        folder.mkdir()
        try:
            with tarfile.open(path, "r:gz") as archive:
                _unpack(archive, folder)
        except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
            raise BadInputError(
                text("cannot be unpacked ({why})", why=_why(error)),
                where=str(path),
                next_step=text("copy it again"),
            ) from None
        within = [one for one in folder.iterdir() if one.is_dir()]
        yield within[0] if len(within) == 1 else folder


def _why(error: BaseException) -> str:
    """Why a file was not unpacked, without system error numbers."""
    return system_words(error) if isinstance(error, OSError) and error.errno else str(error)


def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Unpack only files and folders that lie inside `folder`."""
    size = 0
    for number, entry in enumerate(archive):
        size += entry.size
        if size > _MOST_BYTES or number > _MOST_FILES:
            raise tarfile.TarError("too large")
        if not entry.isfile():
            continue
        target = (folder / entry.name).resolve()
        if not target.is_relative_to(folder.resolve()):
            raise tarfile.TarError(f"{entry.name} lies outside")
        content = archive.extractfile(entry)
        assert content is not None
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.read())


def pack(path: Path, folder: str, files: Iterable[tuple[str, bytes]]) -> None:
    """Pack files (name, content) as `folder` into a new archive that its owner alone may read.

    Equal files give equal bytes. OSError leaves no archive behind.
    """
    try:
        with (
            new_private_file(path) as file,
            gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as zipped,
            tarfile.open(fileobj=zipped, mode="w") as archive,
        ):
            for name, data in files:
                entry = tarfile.TarInfo(f"{folder}/{name}")
                entry.size, entry.mode = len(data), 0o600
                archive.addfile(entry, io.BytesIO(data))
    except FileExistsError:
        raise
    except BaseException:
        path.unlink(missing_ok=True)
        raise
