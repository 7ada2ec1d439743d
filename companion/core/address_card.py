"""Address card of a virtual table: a file with the addresses of its camera, board and control socket."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.core.clock import Clock
from companion.core.errors import BadInputError, SourceError
from companion.core.files import read_start, replace_file
from companion.core.language import text

CONTROL_NAME = "world.sock"
"""File name of a virtual table's control socket, in the folder of its address card."""
LONGEST_CARD = 1 << 24
"""Larger files (bytes) are not read as an address card. With the presses of every playing card one has 1 MB."""
_WAIT_S = 20.0  # longest wait (s) for a card: a guess


class AddressCard(msgspec.Struct, frozen=True):
    """Where a virtual table is reached, and its cards' enrolment.

    The table writes it when it is ready.
    """

    camera: str
    """URL of the camera's picture stream."""
    port: str
    """Serial port of the board."""
    control: str
    """Unix socket through which the table is paused and its cards are moved."""
    tags: dict[str, str]
    """RFID tag (hex) -> card code."""
    variant: str
    players: int
    game: str = ""
    """Name of the game, "" for the registry's first."""
    textures: dict[str, list[str]] = {}
    """Kind of card -> recorded presses of its raised picture on the pressure matrix (hex)."""
    buttons: tuple[str, ...] = ()
    """Stations whose claim button works, and is wired under the station's own name."""
    art: str = ""
    """File with the printed pictures by which cards are recognised. "" if cards have stickers."""


def write_card(path: Path, card: AddressCard) -> None:
    """Write an address card.

    Readers see the old file or the new one.
    """
    replace_file(path, msgspec.json.encode(card))


def card_in(path: Path) -> AddressCard | None:
    """Read the address card in a file.

    None if the file is missing, or no address card.
    """
    try:
        return msgspec.json.decode(read_start(path, LONGEST_CARD) or b"", type=AddressCard)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def is_free(path: Path) -> bool:
    """True if an address card may be written to `path`: nothing is there, an empty file, or another address
    card."""
    return not path.exists() or (path.is_file() and (not path.stat().st_size or card_in(path) is not None))


def remove_card(path: Path, control: str) -> None:
    """Delete address card `path` if it names this control socket.

    Any other file stays.
    """
    card = card_in(path)
    if card is not None and card.control == control:
        path.unlink(missing_ok=True)


def wait_for_card(path: Path, clock: Clock, starting: Callable[[], bool] = lambda: False) -> AddressCard:
    """Wait up to 20 s until a virtual table has written its address card.

    Longer while `starting` returns True.

    `starting`: whether the table's process still lives. SourceError if no card came. BadInputError if the
    file is something else.
    """
    until = clock.now() + _WAIT_S
    while not path.exists():
        if clock.now() > until and not starting():
            raise SourceError(
                text("the virtual table did not start"), where=str(path), next_step=text("try: companion table")
            )
        clock.sleep(0.02)
    try:
        return msgspec.json.decode(path.read_bytes(), type=AddressCard)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInputError(
            text("not the address card of a table ({error})", error=str(error)), where=str(path)
        ) from None
