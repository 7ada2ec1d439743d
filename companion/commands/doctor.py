"""`companion doctor`: what works on this machine and what does not, with the fix, one line each."""

import shutil
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.core.config import Config, speak_as_set
from companion.core.errors import BadInputError
from companion.core.language import in_english, localized, text
from companion.core.option_types import FILE_PATH, at_option, force_option, language_option
from companion.core.plugged_in import cameras
from companion.core.printable import say

if TYPE_CHECKING:
    from calibration.doctor.all_checks import Examination
    from calibration.wizard.setup_bench import Devices, Operator
    from calibration.wizard.setup_run import SetupRun
    from calibration.wizard.step_result import Check
    from companion.core.clock import Clock

_EPILOG = """Nothing is changed, but --rehearse keeps its result in the rig. No fix is run. Exit status 1 if
anything is not good."""


@click.command(epilog=_EPILOG)
@click.option("--config", type=FILE_PATH, help="Settings file (TOML).")
@click.option("--rig", metavar="NAME", default="", help="Rig profile; the configured or only one otherwise.")
@click.option("--camera", default="", help="Camera to try; the configured one otherwise.")
@click.option("--port", default="", help="Port to try; the configured one otherwise.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--bundle", metavar="FILE", type=FILE_PATH, help="Write a support archive (tar.gz), names masked."
)
@click.option("--with-pictures", is_flag=True, help="Add a picture of the table; it may show people.")
@click.option(
    "--with-hidden", is_flag=True, help="Add the last game with its hidden cards: not for its players."
)
@force_option
@click.option(
    "--rehearse", is_flag=True, help="Also play the mini-game of companion setup, and keep its result."
)
@language_option
@at_option
def doctor(
    config: Path | None,
    rig: str,
    camera: str,
    port: str,
    as_json: bool,
    bundle: Path | None,
    with_pictures: bool,
    with_hidden: bool,
    force: bool,
    rehearse: bool,
) -> None:
    """Say what works, what does not, and how to mend it."""
    _check_bundle(bundle, force=force, filled=with_pictures or with_hidden)
    try:
        from calibration.doctor.all_checks import Asked, Examination, examine, or_none
        from calibration.doctor.probes import Probes
        from calibration.wizard.step_result import Verdict
    except ImportError as error:
        fix = f"{sys.executable} -m pip install --force-reinstall companion"
        what = text("a library does not load ({why})", why=str(error))
        raise BadInputError(what, where="packages", next_step=fix) from None

    examination = Examination(Asked(config, camera, port, rig), Probes())
    settings = or_none(lambda: examination.settings) or Config()
    speak_as_set(settings)
    checks = [*examine(examination)] if as_json else _said_at_once(examination)
    if rehearse:
        rehearsed = _rehearsal(examination)
        checks += rehearsed
        for check in () if as_json else rehearsed:
            _say(check)
    files: list[str] = []
    if bundle is not None:
        from calibration.doctor.support_bundle import Wanted, write_bundle

        wanted, now = Wanted(with_pictures, with_hidden), examination.probes.now()
        files = write_bundle(bundle, examination, checks, wanted, now, overwrite=force)
    if as_json:
        found = {"checks": checks, "board": examination.known_board, "bundle": files}
        click.echo(msgspec.json.encode(found, enc_hook=in_english))
    elif bundle is not None:
        say(f"{bundle}: {', '.join(files)}")
    if any(check.verdict is Verdict.NOT_GOOD for check in checks):
        raise SystemExit(1)


def _said_at_once(examination: "Examination") -> list["Check"]:
    """Check all parts of this machine, and print each result as soon as it is known.

    Checks that need another check to pass first are printed last, in one line. Returns all checks, in the order
    in which they were made.
    """
    from calibration.doctor.all_checks import NEEDS, examine
    from calibration.wizard.step_result import Verdict

    bare = examination.bare
    checks, waiting = [], []
    for check in examine(examination):
        checks.append(check)
        if check.said.startswith(NEEDS):
            waiting.append(check)
        elif not (bare and check.verdict is Verdict.NOT_TESTED):
            _say(check)
    _say_untested(waiting, bare=bare)
    return checks


def _check_bundle(bundle: Path | None, *, force: bool, filled: bool) -> None:
    """Check that the support archive can be written.

    `bundle`: file of the archive; None: none is wanted. `force`: an existing file may be replaced. `filled`:
    the archive is to contain pictures or hidden cards. BadInputError if the file exists without `force`, or if
    `filled` or `force` is given without `bundle`.
    """
    if bundle is None:
        if filled or force:
            raise BadInputError(
                text("there is no archive"), where="doctor", next_step=text("add --bundle FILE")
            )
    elif bundle.exists() and not force:
        next_step = text("name another file, or add --force")
        raise BadInputError(text("exists already"), where=str(bundle), next_step=next_step)


def _rehearsal(examination: "Examination") -> "tuple[Check, ...]":
    """Play `companion setup`'s mini-game with the real camera and board.

    These are the ones that `companion play` would use. Returns the checks that the mini-game made; if it made
    none, one check with its verdict.
    """
    from calibration.real_devices import RealDevices, Terminal
    from calibration.wizard.setup_run import REHEARSAL
    from calibration.wizard.step_result import Check
    from companion.core.clock import RealClock

    clock = RealClock()
    known = examination.used.fingerprints.board
    devices = RealDevices(examination.camera, examination.port, clock, known)
    try:
        result = rehearsal_run(examination, devices, Terminal(), clock).step(REHEARSAL)
    finally:
        devices.close()
    return result.checks or (Check(REHEARSAL, result.verdict, said=result.said, fix=result.fix),)


def rehearsal_run(
    examination: "Examination", devices: "Devices", operator: "Operator", clock: "Clock"
) -> "SetupRun":
    """A setup run for the rig that this machine has.

    Its results are kept in the rig's profile. Without a known rig it has an empty profile and keeps nothing.
    `examination`: tells rig, game and settings. `devices`: camera and board. `operator`: the person who is
    asked to do something.
    """
    from calibration.profile import RigProfile
    from calibration.wizard.setup_bench import SetupBench
    from calibration.wizard.setup_run import SetupRun
    from companion.games.registry import first_variant, load_configured

    used, rig = examination.used, examination.known_rig
    game = load_configured(used.game, used.parts)
    profile = rig.profile if rig else RigProfile()
    bench = SetupBench(game, first_variant(game, used.variant), devices, operator, clock, profile=profile)
    store = examination.probes.rigs() if rig else None
    return SetupRun(bench, rig.name if rig else "", store, now=examination.probes.now)


def _say_first_steps() -> None:
    """Print how to begin on a machine without any setup."""
    found = cameras()
    camera = found[0][0] if found else "0"
    say("")
    say(text("Nothing is set up yet. To begin, from the simplest to the full rig:"))
    for way in (
        text(
            "without any parts, a game at the virtual table: {command}",
            command="companion play --table virtual",
        ),
        text(
            "a webcam, one printed page and a quarter of an hour: {command}",
            command=f"companion play --camera {camera}",
        ),
        text("camera and board, step by step: {command}", command="companion setup"),
    ):
        for line in _lines(localized(way), 4):
            say(f"  {line}")


def _say_untested(waiting: "list[Check]", *, bare: bool) -> None:
    """Print the checks that wait for others to pass.

    All stand in one line. `waiting`: these checks; nothing is printed for an empty list. `bare`: nothing is
    set up on this machine, so the first steps are printed instead.
    """
    if bare:
        _say_first_steps()
        return
    from calibration.doctor.check_words import VERDICTS, check_called
    from calibration.wizard.step_result import Verdict

    named = tuple(text("{check} ({why})", check=check_called(one.name), why=one.said) for one in waiting)
    told = f"{localized(VERDICTS[Verdict.NOT_TESTED]):<10}  {localized(text('{checks}', checks=named))}"
    for line in _lines(told, 12) if waiting else ():
        say(line)


def _lines(words: str, indent: int) -> list[str]:
    """Break a text at spaces into lines of terminal width.

    Every line but the first begins with `indent` spaces. The text stays one line if stdout is no terminal, or
    if the terminal is narrower than twice `indent`.
    """
    width = shutil.get_terminal_size().columns
    if not sys.stdout.isatty() or width < 2 * indent:
        return [words]
    below = " " * indent
    return textwrap.wrap(words, width, subsequent_indent=below, break_long_words=False, break_on_hyphens=False)


def _say(check: "Check") -> None:
    """Print a check: result, name, number and words; below them how to mend it, if known."""
    from calibration.doctor.check_words import VERDICTS, check_called, measured

    told = "; ".join(filter(None, (measured(check.number, check.unit), localized(check.said))))
    name = text("{check}:", check=check_called(check.name))
    first = f"{localized(VERDICTS[check.verdict]):<10}  {localized(name):<19} "
    for line in _lines(f"{first}{told}", len(first)):
        say(line)
    if check.fix:
        say(f"{'':<10}  -> {localized(check.fix)}")
