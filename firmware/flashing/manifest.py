"""Files that belong on a board, and their hash.

HELLO reports the hash.
"""

from binascii import crc32
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parents[1]
_SHARED = (
    "__init__.py",
    "wire/__init__.py",
    "wire/codec.py",
    "wire/acknowledged.py",
    "wire/hot_loops.py",
    "wire/hot_loops_python.py",
)
MAIN = "main.py"
"""File that runs when the board starts.
An installation writes it last."""
HASH = "firmware/hash"
"""File with the hash as eight hexadecimal digits.
It exists only while all other files are complete."""
CRASH = "firmware/crash.txt"
"""File with the traceback of the program's last crash, written by the board."""
RIG = "rig.json"
"""Owner's rig file.
Without it the board uses the recommended rig."""


def board_files() -> list[tuple[str, Path]]:
    """List the files of the board's program: pairs (path on the board, file here).

    The main program is the last.
    """
    sources = [_HERE / name for name in _SHARED]
    sources += sorted(path for path in (_HERE / "board").rglob("*.py") if path != _HERE / "board" / MAIN)
    listed = [(path.relative_to(_HERE.parent).as_posix(), path) for path in sources]
    return [*listed, (MAIN, _HERE / "board" / MAIN)]


@cache
def code_hash() -> int:
    """CRC-32 of all board files' names and contents, in order."""
    value = 0
    for name, path in board_files():
        value = crc32(name.encode() + b"\0" + path.read_bytes(), value)
    return value
