"""Rig that a game is played with: a profile of `companion setup`, or parts of a virtual table."""

from companion.core.config import Config
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.printable import say


def with_rig(settings: Config, rig: str | None, game: str | None, *, needed: bool) -> Config:
    """Complete settings by a rig profile's cards and sensors.

    `rig`: the profile's name; None: the configured or only one. `game`: its name. If the profile is damaged, or
    if several exist and none is named, BadInputError is raised if `needed`. Else the error is printed, and the
    settings are returned unchanged.
    """
    from calibration.rig_store import configured_rig

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
    """(options for the table, game, variant) of a rig set up at a virtual table.

    The options are ["--rig", name], or [] if no rig or a rig of real parts is named. `name`: value of --rig.
    `table`: "auto", "real" or "virtual". A given `game` or `variant` overrides the rig's. BadInputError if
    `table` is "virtual" and the rig has real parts.
    """
    if name is None or table == "real":
        return [], game, variant
    from calibration.rig_store import RigStore, virtual_rig

    store = RigStore()
    found = store.load(store.usual(name))
    if table != "virtual" and found.virtual_seed is None:
        return [], game, variant
    virtual_rig(name, game or found.game, variant or found.variant)
    return ["--rig", name], game or found.game, variant or found.variant


def rung_named(
    name: str | None, table: str, camera: str | None, port: str | None
) -> tuple[str | None, str | None]:
    """Tell whether `--rig` names built-in sensors or a profile.

    Built-in sensors are a set, a profile is saved. (name, None): built-in, one of RIGS, which only a virtual
    table has. (None, name): a profile. (None, None): `name` is None. With `table` "real", a camera or a port it
    is a profile.
    """
    if name is None or table == "real" or camera or port:
        return None, name
    from calibration.rig_store import RigStore
    from companion.rehearse.table_parts import is_rung

    return (name, None) if is_rung(name, RigStore().names()) else (None, name)
