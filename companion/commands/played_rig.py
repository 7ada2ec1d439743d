"""Rig that a game is played with: a profile of `companion setup`, or the parts of a virtual table."""

from companion.core.config import Config
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.printable import say


def with_rig(settings: Config, rig: str | None, game: str | None, *, needed: bool) -> Config:
    """The settings with a rig's profile.

    If the rig is not `needed`, a damaged profile, or several of which none is named, is only said. The virtual
    table then plays. Otherwise BadInputError.
    """
    from calibration.profile import configured_rig  # with NumPy, which an only virtual table's parent lacks

    try:
        return configured_rig(settings, rig, game)
    except BadInputError as error:
        if needed:
            raise
        say(text("companion: {error}", error=error.told), err=True)
        return settings


def set_up_virtually(
    name: str | None, table: str, game: str | None, variant: str | None
) -> tuple[list[str], str | None, str | None]:
    """Option `--rig` for a virtual table with this rig, and the game and variant that are played on it.

    The list is empty if no rig is named, or a real one. BadInputError if a rig of real parts is named for a
    virtual table.
    """
    if name is None or table == "real":
        return [], game, variant
    from calibration.profile import RigStore, virtual_rig

    store = RigStore()
    found = store.load(store.usual(name))
    if table != "virtual" and found.virtual_seed is None:
        return [], game, variant
    virtual_rig(name, game or found.game, variant or found.variant)
    return ["--rig", name], game or found.game, variant or found.variant


def rung_named(
    name: str | None, table: str, camera: str | None, port: str | None
) -> tuple[str | None, str | None]:
    """Find what `--rig` names: (rig of RIGS, None), (None, saved profile), or (None, None) without a name.

    A rig of RIGS says which parts a virtual table has. A table named real, a camera or a port means a profile.
    """
    if name is None or table == "real" or camera or port:
        return None, name
    from calibration.profile import RigStore
    from companion.rehearse.table_parts import is_rung

    return (name, None) if is_rung(name, RigStore().names()) else (None, name)
