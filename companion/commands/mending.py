"""A break in `companion play`: a setup step on its screens, with the sensors that the engine released."""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.config import Config, load_config
from companion.core.errors import CompanionError
from companion.core.language import text
from companion.core.printable import say

if TYPE_CHECKING:
    from calibration.wizard.setup_run import SetupRun
    from calibration.wizard.setup_walk import ScreenPerson
    from companion.core.address_card import AddressCard
    from companion.session.entries.table_break import TableBreak

SEEN_S = 3.0
"""Time (s) in which the engine sees and records the last thing that the players did."""


def hold_players(card: "AddressCard") -> "TableBreak":
    """Hold a virtual table's players until nothing moves.

    The engine has then seen the table at rest. Returns their break. `card`: the table's address card.
    """
    from companion.session.entries.table_break import TableBreak

    say(text("The players finish what they are doing..."))
    pause = TableBreak(Path(card.control))
    pause.begin()
    time.sleep(SEEN_S)
    return pause


def mend(
    step: str,
    rig: str | None,
    config: Path | None,
    options: Mapping[str, str | None],
    theme: str,
    virtual: "tuple[AddressCard, TableBreak] | None",
) -> bool:
    """Do a setup step; keep the result in the rig.

    Returns False if a part is missing; this is said, and the game goes on without it. `options`: game, variant,
    camera and port of the game. `virtual`: address card and break of a virtual table; None at a real table.
    """
    from calibration.wizard.screens.setup_app import SetupApp
    from companion.commands.setup import real_run, with_options

    settings = with_options(load_config(config), **options)
    try:
        with ExitStack() as stack:
            if virtual is None:
                run, person = real_run(stack, settings, rig, screens=True)
            else:
                stack.callback(virtual[1].end)
                run, person = _virtual_run(stack, settings, rig or "", *virtual)
            assert person is not None
            SetupApp(run, person, theme=theme, mends=step).run()
    except CompanionError as error:
        say(text("companion: {error}", error=error.told), err=True)
        return False
    return True


def _virtual_run(
    stack: ExitStack, settings: Config, rig: str, card: "AddressCard", pause: "TableBreak"
) -> "tuple[SetupRun, ScreenPerson]":
    """Setup run with the camera and the board of a virtual table, and the person before its screens."""
    from calibration.profile import RigStore
    from calibration.real_devices import RealDevices
    from calibration.wizard.setup_bench import SetupBench
    from calibration.wizard.setup_run import SetupRun
    from calibration.wizard.setup_walk import ScreenPerson
    from companion.core.clock import RealClock
    from companion.games.registry import load_configured

    store, clock = RigStore(), RealClock()
    devices = RealDevices(card.camera, card.port, clock)
    stack.callback(devices.close)
    person = ScreenPerson(pause)
    rules = load_configured(card.game, settings.parts)
    bench = SetupBench(rules, card.variant, devices, person, clock, profile=store.load(rig))
    return SetupRun(bench, rig, store), person
