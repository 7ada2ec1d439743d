"""Guided way of `companion play` from a camera without a rig to the first game.

People print one page with four corner cards, lay them on a cloth, and show their cards, which need no stickers.
"""

import re
import shlex
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.core.clock import RealClock
from companion.core.config import Config, config_file, rigs_dir
from companion.core.errors import BadInputError, CompanionError
from companion.core.language import localized, text, tr
from companion.core.plugged_in import cameras
from companion.core.printable import confirm, say
from companion.core.supervised_process import Part
from companion.games.registry import load_configured

if TYPE_CHECKING:
    from calibration.profile import RigProfile
    from calibration.wizard.setup_run import SetupRun
    from calibration.wizard.setup_walk import ScreenPerson

_LIVE = re.compile(r"\d{1,3}|/dev/.+|csi|https?://.+", re.ASCII | re.IGNORECASE)
"""Values of --camera that show a table now: a device, an address or csi. Files and folders are recordings."""


class Plan(msgspec.Struct, frozen=True):
    """What is played, where, by whom, and on which screen.

    A field is None, or "" or 0 by default, where nobody has said it yet. `table`: "auto", "real" or "virtual".
    `names`: the players', in order of seats. `theme`: name of the screen's colours. `camera`: value of
    --camera. `seat`: seat (from 1) of the person at the screen; 0: the person only watches.
    """

    table: str
    game: str | None
    variant: str | None
    players: int | None
    names: tuple[str, ...] | None
    theme: str | None
    camera: str | None
    seat: int = 0
    record: bool = False
    """The evening at a real table is recorded."""


def evening(settings: Config, plan: Plan, rig: str | None, *, plain: bool, anew: bool) -> Plan | None:
    """Lead people with only a camera to their first game.

    Returns what to play then; None if people left before the end. `plan` is returned unchanged at a virtual
    table, without a terminal or a live camera, and if a complete rig is known. If people decline the guided
    evening, only the camera is filled in. `rig`: name of the rig's profile; None: the usual one. `plain`: lines
    instead of screens. `anew`: every step is done again, even with a known rig.
    """
    if plan.table == "virtual" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return plan
    found = _camera_without_rig(settings, plan, rig, anew=anew)
    if found is None:
        return plan
    camera, known = found
    if not begins(camera, known):
        return msgspec.structs.replace(plan, camera=camera)
    settings = msgspec.structs.replace(settings, camera=camera)
    if not (plain or plan.players or plan.names or plan.variant):
        from companion.commands.chosen_start import ask_first

        chosen = ask_first(settings, plan.theme, config_file(), plan.game)
        if chosen is None:
            return None
        plan = Plan(
            chosen.table,
            chosen.game,
            chosen.variant,
            chosen.players,
            chosen.names,
            chosen.theme,
            camera,
            chosen.seat,
            chosen.record,
        )
    if plan.table == "virtual":
        return plan
    given = {"game": plan.game or settings.game, "variant": plan.variant or settings.variant}
    if not lead(msgspec.structs.replace(settings, **given), rig, plan.theme, plain=plain, anew=anew):
        again = shlex.join(["companion", "play", "--camera", camera, *_said(plan, plain=plain)])
        say(text("What was shown so far is kept. To go on: {command}", command=again))
        return None
    return msgspec.structs.replace(plan, table="real", camera=camera)


def _said(plan: Plan, *, plain: bool) -> list[str]:
    """Options of `companion play` that make this plan again."""
    said = {"--game": plan.game, "--variant": plan.variant, "--players": plan.players}
    named = ",".join(plan.names or ())
    said["--names"] = named if named.strip(",") else None
    options = [word for option, value in said.items() if value for word in (option, str(value))]
    return [*options, "--plain"] if plain else options


def _camera_without_rig(
    settings: Config, plan: Plan, rig: str | None, *, anew: bool
) -> "tuple[str, RigProfile] | None":
    """(live camera, unfinished rig profile) of people who have only a camera.

    None if no live camera is named or found, or if a complete rig is known. `anew`: the profile is empty,
    whatever is known.
    """
    camera = plan.camera or settings.camera
    if not camera and plan.table != "real" and not any(rigs_dir().glob("*.toml")):
        return None  # a virtual table: nothing that only real parts need is loaded
    known = unfinished(settings, rig, anew=anew)
    if known is None:
        return None
    camera = camera or known.camera
    if plan.table == "real" and not camera:
        camera = next((device for device, _ in cameras()), "")
    return (camera, known) if is_live(camera) else None


def is_live(camera: str) -> bool:
    """True if `camera`, a value of --camera, shows a table now.

    That is a device number of at most three digits, a path below /dev, "csi", or an http(s) address. False for
    a recording, a picture, or "".
    """
    return _LIVE.fullmatch(camera) is not None


def unfinished(settings: Config, rig: str | None, *, anew: bool = False) -> "RigProfile | None":
    """The profile of a rig that has only a camera and is not ready for a game.

    An empty profile if nothing is known, or if `anew`. None, because no guided first evening is needed, if the
    cards are known, or the profile has stickers, a board or a virtual table. None also for a profile that
    cannot be read. `rig`: its name; None: the settings'.
    """
    from calibration.profile import CARDS_KNOWN, RigProfile
    from calibration.rig_store import RigStore

    if anew:
        return RigProfile()
    store = RigStore()
    named = rig or settings.rig
    try:
        name = named if named and named not in store.names() else store.usual(named)
        profile = store.load(name) if name in store.names() else RigProfile()
    except BadInputError:
        return None  # the error is told when the rig is used
    whole = any(map(profile.has_done, CARDS_KNOWN))
    return None if whole or profile.port or profile.tags or profile.virtual_seed is not None else profile


def begins(camera: str, known: "RigProfile") -> bool:
    """Ask whether the guided first evening begins, or goes on.

    False if they prefer to play at once. `camera`: value of --camera. `known`: profile with what was done so
    far.
    """
    if known.steps or known.art:
        say(
            text(
                "Camera {camera}: its first evening is not finished; it goes on where it was left.",
                camera=camera,
            )
        )
        return confirm(tr("Go on? (No: play at once)"), default=True)
    say(
        text(
            "Camera {camera} has no rig yet. Its first evening takes one printed page, four cuts and a quarter "
            "of an hour; cards need no stickers.",
            camera=camera,
        )
    )
    return confirm(tr("Begin? (No: play at once, with printed stickers and mat)"), default=True)


def lead(settings: Config, rig: str | None, theme: str | None, *, plain: bool, anew: bool) -> bool:
    """Lead people through the setup steps that are left.

    Each result is kept in the rig's profile at once. `settings`: with the evening's game, variant and camera.
    `rig`: name of the profile; None: the usual one. `theme`: name of the screen's colours. `plain`: lines
    instead of screens. `anew`: all steps, also those done before. Returns False if people left before the end.
    """
    from calibration.wizard.setup_run import ART, CAMERA, EVENING, PAPER
    from companion.commands.setup import real_run

    with ExitStack() as stack:
        run, person = real_run(stack, settings, rig, screens=not plain, board=False)
        bench = run.bench
        judged = bench.profile.has_done(CAMERA)
        # Without printed cards the camera step has found the place of the table, and need not ask again.
        left = (ART,) if judged and bench.profile.home else (PAPER, ART) if judged else EVENING
        return _done(run, person, EVENING if anew else left, theme)


def at_virtual_table(
    table: Part, address: Path, settings: Config, theme: str | None, *, plain: bool
) -> list[str]:
    """Lead the first evening at a virtual table, whose virtual people do what is asked.

    Returns options for the engine, as `what_was_shown` does. `table`: the virtual table's process. `address`:
    file in which this process tells its camera and its sockets; what people showed is written beside this file.
    `theme`: name of the screen's colours. `plain`: lines instead of screens. SystemExit if somebody left,
    CompanionError if the table's process ended.
    """
    from calibration.profile import RigProfile
    from calibration.real_devices import RealDevices, Terminal
    from calibration.sheets.evening_file import printed_page
    from calibration.wizard.setup_bench import SetupBench
    from calibration.wizard.setup_run import EVENING, SetupRun
    from calibration.wizard.setup_walk import ScreenPerson
    from companion.core.address_card import wait_for_card
    from companion.session.entries.table_break import TableBreak

    say(text("The virtual table is laid..."))
    clock = RealClock()
    card = wait_for_card(address, clock, lambda: True)
    rules = load_configured(card.game, settings.parts)
    with ExitStack() as stack:
        pause = TableBreak(Path(card.control))
        stack.callback(pause.end)
        pause.begin()
        devices = RealDevices(card.camera, "", clock, board=False)
        stack.callback(devices.close)
        person = None if plain else ScreenPerson(pause)
        profile = RigProfile(game=rules.name, variant=card.variant)
        bench = SetupBench(rules, card.variant, devices, person or Terminal(pause), clock, profile=profile)
        run = SetupRun(bench, print_paper=partial(printed_page, bench.mat, rules.name, card.variant))
        if not (_done(run, person, EVENING, theme, table) and bench.profile.art):
            if why := table.complaint():
                raise CompanionError(why)
            raise SystemExit(0)
        return what_was_shown(bench.profile, address.parent)


def what_was_shown(profile: "RigProfile", folder: Path) -> list[str]:
    """Write what people showed to the camera into `folder`.

    Returns options for the engine, e.g. `--art FILE`.

    The files are shown.art (pictures of the cards) and shown.home (place of the table), each only if it is
    known.
    """
    options = []
    for name, data in (("art", profile.art), ("home", profile.home)):
        if data:
            file = folder / f"shown.{name}"
            file.write_bytes(data)
            options += [f"--{name}", str(file)]
    return options


def _done(
    run: "SetupRun",
    person: "ScreenPerson | None",
    steps: tuple[str, ...],
    theme: str | None,
    table: Part | None = None,
) -> bool:
    """Lead a person through the setup steps `steps`.

    True if all were done, always True for printed lines. `person`: who sits before the screens; None: printed
    lines instead of screens. `theme`: name of the colours. The screens end when the process of a virtual
    `table` ends.
    """
    if person is None:
        return _line_by_line(run, steps)
    from calibration.wizard.screens.setup_app import SetupApp
    from companion.dashboard.themes import DEFAULT_THEME

    app = SetupApp(run, person, guided=steps, theme=theme or DEFAULT_THEME)
    if table is not None:
        table.tell_when_failed(partial(app.call_from_thread, app.exit))
    app.run()
    return app.walk.done


def _line_by_line(run: "SetupRun", steps: tuple[str, ...]) -> bool:
    """Lead a person through setup steps by printed lines.

    A failed step can be repeated or skipped. Always True.
    """
    from calibration.wizard.step_result import Verdict

    run.bench.speak = lambda said: say(localized(said), err=True)
    for name in steps:
        while (result := run.step(name)).verdict is Verdict.NOT_GOOD:
            say(text("{what}. {next_step}", what=result.said, next_step=result.fix), err=True)
            if not confirm(tr("Once more? (No: the next step)"), default=True, err=True):
                break
        for check in result.checks:
            if check.fix and result.verdict is not Verdict.NOT_GOOD:
                say(text("{what}. {next_step}", what=check.said, next_step=check.fix), err=True)
    return True
