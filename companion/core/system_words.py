"""Errors of the operating system in the reader's language."""

import errno

from companion.core.language import text

_WORDS = {
    errno.ENOENT: text("No such file or directory"),
    errno.ENOTDIR: text("Not a directory"),
    errno.EISDIR: text("Is a directory"),
    errno.EEXIST: text("File exists"),
    errno.ENAMETOOLONG: text("File name too long"),
    errno.EACCES: text("Permission denied"),
    errno.EPERM: text("Operation not permitted"),
    errno.EROFS: text("Read-only file system"),
    errno.ENOSPC: text("No space left on device"),
    errno.EIO: text("Input/output error"),
    errno.EADDRINUSE: text("Address already in use"),
    errno.EADDRNOTAVAIL: text("Cannot assign requested address"),
    errno.ECONNREFUSED: text("Connection refused"),
}
"""Error number of the operating system -> its words (English: those of Linux)."""
READ_ONLY_FIX = text(
    "restart the computer, which checks the card or disk (fsck); if it stays read-only, replace it"
)
"""Help for a disk that became read-only, as Linux makes it after a disk error."""


def system_words(error: OSError) -> str:
    """What went wrong in an operating system error: a translated sentence, or the system's own words."""
    own = error.strerror or str(error) or type(error).__name__
    words = _WORDS.get(error.errno or 0)
    return words if words == own else own
