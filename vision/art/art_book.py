"""File of enrolled cards, read and replaced only whole."""

import math
import os
import tempfile
from pathlib import Path

import msgspec
import numpy as np

from vision.art.art_match import ArtView
from vision.art.art_plane import FINE, TALL, WIDE
from vision.art.art_recogniser import ArtBook
from vision.errors import UnusableError
from vision.reasons import BookDamaged, BookUnreadable, BookUnwritable, Simple

VERSION = 3
"""VERSION: number of the file format that this program writes."""
_OLDER = 2
"""_OLDER: number of an older format that is read as well. Its cards have no size."""
_KIND = "companion-art"
_MOST_BYTES = 200_000_000
_MOST_NAME = 60
"""_MOST_NAME: most characters of a card's name. A guess."""
_MOST_MM = 300.0
"""_MOST_MM: a file whose card has a longer short side (mm) is refused. A guess."""


class _StoredView(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Enrolled picture of one card, as stored in the file.

    `aspect`: short side divided by long side. `art`: BGR bytes of the printed picture, row by row, 96 rows of
    64 px. `hidden`: 48 x 32 bits, 1 under a sticker. `short_mm`: the card's short side (mm); 0 if unknown.
    """

    name: str
    aspect: float
    art: bytes
    hidden: bytes
    short_mm: float = 0.0


class _StoredBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Content of the file: one MessagePack map."""

    kind: str
    version: int
    views: list[_StoredView]


def check_name(name: str) -> str:
    """Return a card's name if it is valid: 1 to 60 printable characters, no space at its ends.

    Else UnusableError.
    """
    if not 1 <= len(name) <= _MOST_NAME or not name.isprintable() or name != name.strip():
        raise UnusableError(Simple.BAD_CARD_NAME, repr(name[:80]))
    return name


def load_book(path: Path) -> ArtBook:
    """Read a file's enrolled cards; an empty book without file.

    UnusableError if the file is damaged, too large or unreadable. It is left as it is.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UnusableError(Simple.BOOK_TOO_LARGE, str(path))
        data = path.read_bytes()
    except FileNotFoundError:
        return ArtBook()
    except OSError as error:
        raise UnusableError(BookUnreadable(error.strerror or ""), str(path)) from error
    return book_of(data, str(path))


def book_of(data: bytes, where: str) -> ArtBook:
    """Decode the enrolled cards from the bytes of a file.

    UnusableError, which names `where`, if the bytes are damaged or of another version.
    """
    try:
        stored = msgspec.msgpack.decode(data, type=_StoredBook)
        if stored.kind != _KIND:
            raise ValueError("of another kind")
        if stored.version not in (_OLDER, VERSION):
            raise ValueError(f"of version {stored.version}, not {VERSION}")
        return ArtBook(tuple(_view(view) for view in stored.views))
    except (msgspec.DecodeError, ValueError) as error:
        why = error.at if isinstance(error, UnusableError) else str(error)
        raise UnusableError(BookDamaged(why), where) from None


def book_bytes(book: ArtBook) -> bytes:
    """Encode enrolled cards as a file's content, for `book_of`."""
    views = [
        _StoredView(
            view.name, view.aspect, view.art.tobytes(), np.packbits(view.hidden).tobytes(), view.short_mm
        )
        for view in book.views
    ]
    return msgspec.msgpack.encode(_StoredBook(_KIND, VERSION, views))


def save_book(path: Path, book: ArtBook) -> None:
    """Write enrolled cards to a new file that replaces `path`.

    UnusableError if that fails; `path` then stays as it was.
    """
    data = book_bytes(book)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(draft).replace(path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UnusableError(BookUnwritable(error.strerror or ""), str(path)) from error


def _view(stored: _StoredView) -> ArtView:
    shape = (FINE * TALL, FINE * WIDE, 3)
    if len(stored.art) != math.prod(shape):
        raise ValueError(f"{stored.name!r} has {len(stored.art)} bytes of art, not {math.prod(shape)}")
    if len(stored.hidden) != TALL * WIDE // 8:
        raise ValueError(f"{stored.name!r} has {len(stored.hidden)} bytes of stickers, not {TALL * WIDE // 8}")
    if not 0.1 <= stored.aspect <= 1.0:
        raise ValueError(f"{stored.name!r} has proportions of {stored.aspect:.3g}")
    if not 0.0 <= stored.short_mm <= _MOST_MM:
        raise ValueError(f"{stored.name!r} has a side of {stored.short_mm:.3g} mm")
    art = np.frombuffer(stored.art, np.uint8).reshape(shape)
    hidden = np.unpackbits(np.frombuffer(stored.hidden, np.uint8)).reshape(TALL, WIDE).astype(bool)
    return ArtView(check_name(stored.name), stored.aspect, art, hidden, stored.short_mm)
