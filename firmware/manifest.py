"""What belongs on a board: the list of its files, and the hash it reports in HELLO."""

from binascii import crc32
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


def board_files() -> list[tuple[str, Path]]:
    """(path on the board, file here): the package as it stands, and its main program at the root."""
    sources = [_HERE / "__init__.py", _HERE / "wire.py", _HERE / "sequence.py"]
    sources += sorted((_HERE / "board").rglob("*.py"))
    listed = [(f"firmware/{path.relative_to(_HERE).as_posix()}", path) for path in sources]
    return [*listed, ("main.py", _HERE / "board" / "main.py")]


@cache
def code_hash() -> int:
    """CRC-32 over names and contents of all board files."""
    value = 0
    for name, path in board_files():
        value = crc32(name.encode() + b"\0" + path.read_bytes(), value)
    return value
