"""Break in `companion play`: people repeat a setup step.

They do so on screens. The engine has released its sensors meanwhile.
"""

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
"""Time (s) that the engine gets to see and record what players did last. A guess."""


def hold_players(card: "AddressCard") -> "TableBreak":
    """Let the players of a virtual table finish what they do, then hold them.

    Returns the break, which the caller must end. The call lasts SEEN_S longer, so that the engine has seen the
    table at rest. `card`: file content that names the table's control socket.
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
    """Have people repeat a setup step on screens.

    The result is kept in the rig's profile. Returns False, and tells people, if a part such as the camera is
    missing; the game then goes on without the step. `step`: its name. `rig`: name of the profile; None: the
    usual one. `config`: settings file; None: the usual one. `options`: "game", "variant", "camera" and "port"
    of the game. `theme`: name of the colours. `virtual`: address card and break of a virtual table; None at a
    real table.
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
    """(setup run, person before its screens) at a virtual table.

    The run uses the table's camera and board; `stack` closes them. `rig`: name of an existing profile, in which
    results are kept. `card`: address card of the table. `pause`: break in which its players are held.
    """
    from calibration.real_devices import RealDevices
    from calibration.rig_store import RigStore
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
