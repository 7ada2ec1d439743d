"""The address card of a virtual table: the addresses of its camera, its board and its control socket."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.core.clock import Clock
from companion.core.errors import BadInputError, SourceError
from companion.core.files import read_start, replace_file
from companion.core.language import text

CONTROL_NAME = "world.sock"
"""The control socket of a virtual table, in the folder of its address card."""
LONGEST_CARD = 1 << 24
"""LONGEST_CARD: most bytes of a card; one with every press of every card has 1 MB."""
_WAIT_S = 20.0


class AddressCard(msgspec.Struct, frozen=True):
    """Written by the table when it is ready; read by engine and dashboard."""

    camera: str
    """URL of the camera's picture stream."""
    port: str
    """Serial port of the board."""
    control: str
    """Unix socket of the world's controls."""
    tags: dict[str, str]
    """RFID tag (hex) -> card code: the enrolment of this set of cards."""
    variant: str
    players: int
    game: str = ""
    """Name of the game; empty for the first of the registry."""
    textures: dict[str, list[str]] = {}
    """Kind -> presses of it (hex): the enrolment of its raised pictures."""
    buttons: tuple[str, ...] = ()
    """Stations whose claim button is theirs."""
    art: str = ""
    """File of the kinds that are known by their printed pictures; empty where cards have stickers."""


def write_card(path: Path, card: AddressCard) -> None:
    """Write the card atomically: readers see all of it or nothing."""
    replace_file(path, msgspec.json.encode(card))


def card_in(path: Path) -> AddressCard | None:
    """The card in a file; None if there is none."""
    try:
        return msgspec.json.decode(read_start(path, LONGEST_CARD) or b"", type=AddressCard)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def is_free(path: Path) -> bool:
    """Whether a card may be written there: nothing is there, an empty file, or another card."""
    return not path.exists() or (path.is_file() and (not path.stat().st_size or card_in(path) is not None))


def remove_card(path: Path, control: str) -> None:
    """Remove the card that names this control socket; a card of another table, or another file, stays."""
    card = card_in(path)
    if card is not None and card.control == control:
        path.unlink(missing_ok=True)


def wait_for_card(path: Path, clock: Clock, starting: Callable[[], bool] = lambda: False) -> AddressCard:
    """The card, as soon as the table has written it; `starting` says whether the table's process lives.

    SourceError if there is none after _WAIT_S and no process that may still write it.
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
