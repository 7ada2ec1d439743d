"""What setup found out about one rig, and the settings that a rig completes."""

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.wizard.step_result import Verdict
from companion.core.config import OF_A_GAME, Config, TableSettings
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.table_names import own_plain_name

VERSION = 1
"""VERSION: number of the rig profile's file format; files of another version are refused."""
PRESS_CELLS = 256
"""Number of readings in one press: 16 x 16 crossings of the pressure matrix, row by row."""
CARDS_KNOWN = ("cards", "art")
"""Setup steps by which the camera learns the cards; one of them is enough.

"cards" reads stickers, "art" printed pictures.
"""


def default_name() -> str:
    """Name for a rig that nobody named.

    The table's name (`--at`), or "table".
    """
    return own_plain_name() or "table"


Press = NDArray[np.uint8]
"""Press of a card on the pressure matrix: PRESS_CELLS readings from 0 to 255."""


class StepRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Setup step's last result, recorded in a rig profile.

    `verdict`: on the step. `number`, `unit`: what it measured; None and "" for nothing. `at`: time (ISO 8601).
    """

    verdict: Verdict
    at: str
    number: float | None = None
    unit: str = ""


class RigProfile(TableSettings, frozen=True, forbid_unknown_fields=True):
    """Profile of one rig: everything that setup found out.

    Unknown fields are empty.
    """

    version: int = VERSION
    made: str = ""
    """Time of the profile's last change (ISO 8601). Empty before the first."""
    presses: dict[str, tuple[bytes, ...]] = msgspec.field(default_factory=dict)
    """Kind of a card with a raised picture -> its presses (PRESS_CELLS bytes each).

    Kept in a file beside the TOML file.
    """
    art: bytes = b""
    """Cards known by their printed pictures, as `vision.art.art_book` writes them; b"" for none.

    Kept in a file beside the TOML file.
    """
    home: bytes = b""
    """Where the zones of a table without a mat lie (`vision.mat.remembered_table`); b"" with a mat.

    Kept in a file beside the TOML file.
    """
    steps: dict[str, StepRecord] = msgspec.field(default_factory=dict)
    """Name of a setup step -> its last result."""
    virtual_seed: int | None = None
    """Seed of the virtual table that was set up; None for a real rig."""

    def has_done(self, step: str) -> bool:
        """True if the last result of the setup step `step` was good or usable."""
        record = self.steps.get(step)
        return record is not None and record.verdict is not Verdict.NOT_GOOD

    def __post_init__(self) -> None:
        if any(len(press) != PRESS_CELLS for those in self.presses.values() for press in those):
            raise ValueError(f"a press has {PRESS_CELLS} crossings")


def migrated(settings: Config) -> RigProfile:
    """Make a rig profile of what the settings file says about a rig.

    BadInputError if a press in the settings has not 256 bytes.
    """
    try:
        presses = {
            kind: tuple(bytes.fromhex(press) for press in those) for kind, those in settings.textures.items()
        }
        known = {name: getattr(settings, name) for name in TableSettings.__struct_fields__}
        return RigProfile(**known, presses=presses)
    except ValueError as error:
        raise BadInputError(str(error), where="textures", next_step=text("enrol it anew")) from None


def with_rig(settings: Config, profile: RigProfile) -> Config:
    """Complete the settings by a rig's profile.

    Where both know something, the profile wins, except for the game: one rig can play several.
    """
    game = settings.game or profile.game
    textures = {kind: [press.hex() for press in those] for kind, those in profile.presses.items()}
    names = profile.names if profile.names and game == profile.game else settings.names
    parts = {
        field: _joined(getattr(settings, field), getattr(profile, field))
        for field in TableSettings.__struct_fields__
        if field not in OF_A_GAME
    }
    return msgspec.structs.replace(
        settings, **parts, game=game, names=names, textures=settings.textures | textures
    )


def _joined(typed: Any, found: Any) -> Any:
    """Prefer what setup found (`found`) to what people typed (`typed`).

    Tables are joined entry by entry.
    """
    return typed | found if isinstance(found, dict) else found or typed
