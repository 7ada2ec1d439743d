"""`companion setup`: from a box of parts to a tested rig, step by step or automatically."""

import json
import sys
import time
import zipfile
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.setup_shown import show_all, show_rig
from companion.core.config import Config, load_config, speak_as_set
from companion.core.errors import BadInputError
from companion.core.language import localized, plural, text
from companion.core.option_types import FILE_PATH, FiniteRange, at_option, force_option, language_option
from companion.core.printable import say
from companion.virtual.card_art import ART, CORNERS, NO_MAT, PRINTED, STICKERS, Art

if TYPE_CHECKING:
    from calibration.profile import RigProfile
    from calibration.rig_store import RigStore
    from calibration.wizard.setup_bench import Operator
    from calibration.wizard.setup_run import SetupReport, SetupRun
    from calibration.wizard.setup_walk import ScreenPerson

NOT_KEPT = text(
    "A virtual rig without a name keeps nothing. To keep it: companion setup --table virtual --rig NAME"
)
"""Note that a virtual rig without a name is not kept."""


@click.command()
@click.argument("step", required=False)
@click.option("--rig", metavar="NAME", help="Which rig; the only one, or a new one, without it.")
@click.option("--game", help="Whose mat and cards; the settings' without it.")
@click.option("--variant", help="Which variant of it.")
@click.option("--camera", help="Device number, /dev/video0, URL, or csi.")
@click.option("--port", help="Serial port of the board, or auto.")
@click.option("--table", type=click.Choice(["real", "virtual"]), default="real", show_default=True,
              help="virtual: a rig of pixels and bytes, and a person who does what is asked.")  # fmt: skip
@click.option("--auto", is_flag=True, help="Virtual table: every step by itself, without a screen.")
@click.option("--seed", type=int, default=1, show_default=True, help="Virtual table: cards and accidents.")
@click.option(
    "--noise",
    default="home",
    show_default=True,
    help="Virtual table: clean, home, unkind, evening, rough, hostile.",
)
@click.option("--cards", type=click.Choice([STICKERS, ART]), default=STICKERS, show_default=True,
              help="Virtual table: what its cards are known by.")  # fmt: skip
@click.option("--mat", type=click.Choice([PRINTED, CORNERS, NO_MAT]), default=PRINTED, show_default=True,
              help="Virtual table: a printed mat, corner cards that its people lay, or a cloth.")  # fmt: skip
@click.option("--photo", "photos", multiple=True, metavar="FILE", type=FILE_PATH,
              help="Step art: a photograph of rows, not the camera (can be given several times).")  # fmt: skip
@click.option("--short-mm", type=FiniteRange(10, 300), default=56.0, show_default=True,
              help="With --photo: the short side of the first card.")  # fmt: skip
@click.option("--defect", default="", help="Virtual table: what is wrong with it, e.g. 'soft lens'.")
@click.option("--show", is_flag=True, help="Say what is known of the rig; of several, a list.")
@click.option("--export", "export_to", metavar="FILE", type=FILE_PATH, help="Write the rig into one file.")
@click.option(
    "--import",
    "import_from",
    metavar="FILE",
    type=FILE_PATH,
    help="Take a rig over: an exported one, or a companion.toml of an older program.",
)
@click.option("--restore", metavar="DATE", help="Go back to a former version; `last` is the newest.")
@click.option("--drawing", metavar="FILE", type=FILE_PATH, help="Draw the wiring of the board as SVG.")
@click.option("--wiring", metavar="FILE", type=FILE_PATH,
              help="Rig file of the board to draw; the recommended wiring without it.")  # fmt: skip
@force_option
@click.option("--config", type=FILE_PATH, help="Settings file (TOML).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--lines", is_flag=True, hidden=True, help="The screens as lines of JSON, for companion host.")
@language_option
@at_option
def setup(
    step: str | None,
    rig: str | None,
    game: str | None,
    variant: str | None,
    camera: str | None,
    port: str | None,
    table: str,
    auto: bool,
    seed: int,
    noise: str,
    cards: str,
    mat: str,
    photos: tuple[Path, ...],
    short_mm: float,
    defect: str,
    show: bool,
    export_to: Path | None,
    import_from: Path | None,
    restore: str | None,
    drawing: Path | None,
    wiring: Path | None,
    force: bool,
    config: Path | None,
    as_json: bool,
    lines: bool,
) -> None:
    """Set a rig up: camera, lens, cards, tags, raised pictures, scales, buttons, and a rehearsal.

    STEP does one of them: find, camera, lens, cards, art, names, tags, texture, stations, rehearsal; or paper,
    which prints four corner cards for a cloth instead of a mat. What is found out is kept in the rig's profile,
    which `companion play` uses.
    """
    from calibration.rig_store import RigStore

    settings = load_config(config)
    speak_as_set(settings)
    named = rig or settings.rig
    if drawing is not None or wiring is not None:
        _draw(drawing, wiring, named, force, as_json)
        return
    managed = sum((show, export_to is not None, import_from is not None, restore is not None))
    virtual = table == "virtual"
    _check_together(managed, step, auto=auto, by_hand=not virtual, defect=defect, photos=photos)
    if managed:
        _manage(RigStore(), named, export_to, import_from, restore, force, as_json)
        return
    settings = with_options(settings, game, variant, camera, port)
    screens = lines or _on_screens(by_itself=auto or as_json or bool(step))
    kept = bool(rig) or not virtual
    with ExitStack() as stack:
        if not kept and not (as_json or lines):
            say(localized(NOT_KEPT))
        if virtual:
            run, person = _virtual_run(stack, settings, rig, seed, noise, defect, cards, mat, screens=screens)
        else:
            run, person = real_run(stack, settings, rig, screens=screens)
        if photos:
            _photographed(run, photos, short_mm)
        report = _walk(run, person, step, lines=lines)
    if report is not None:
        _tell(report, as_json=as_json, kept=kept)


def _on_screens(*, by_itself: bool) -> bool:
    """True if the setup shows screens: it is led by a person in a terminal.

    `by_itself`: the setup needs no person.
    """
    return not by_itself and sys.stdin.isatty() and sys.stdout.isatty()


def _tell(report: "SetupReport", *, as_json: bool, kept: bool) -> None:
    """Print a setup's report, and whether its rig is kept.

    `as_json`: as one JSON object. `kept`: the results are in a rig's profile. SystemExit with status 1 if the
    rig is not fit for a game.
    """
    if as_json:
        click.echo(json.dumps(report.plain()))
    else:
        _print(report)
        if not kept:
            say(localized(NOT_KEPT))
    if report.decision == "no_go":
        raise SystemExit(1)


def _check_together(
    managed: int, step: str | None, *, auto: bool, by_hand: bool, defect: str, photos: tuple[Path, ...]
) -> None:
    """Raise BadInputError if the options contradict each other.

    `managed`: how many of --show, --export, --import and --restore are given; only one of them may be, and
    without `step` and `auto`. `by_hand`: the table is a real one, which allows neither `auto` nor `defect`.
    `photos` are only for the step "art".
    """
    if managed > 1 or (managed and (step or auto)):
        raise BadInputError(
            text("one thing at a time"),
            where="setup",
            next_step=text("give a step, or --show, --export, --import, --restore"),
        )
    if managed:
        return
    if by_hand and (auto or defect):
        raise BadInputError(text("only a virtual table sets itself up"), next_step=text("add --table virtual"))
    if photos and step != "art":
        raise BadInputError(
            text("photographs are for one step"), where="--photo", next_step="companion setup art --photo FILE"
        )


def _photographed(run: "SetupRun", photos: tuple[Path, ...], short_mm: float) -> None:
    """Take photographs of rows of cards, not the camera, for the setup run's step "art".

    `photos`: picture files. `short_mm`: length (mm) of the short side of the first card.
    """
    from companion.sensing.vision_words import in_words
    from vision.photos.picture_files import load_picture

    with in_words():
        run.photographs = tuple(load_picture(photo).colour for photo in photos)
    run.short_mm = short_mm


def _walk(
    run: "SetupRun", person: "ScreenPerson | None", step: str | None, *, lines: bool
) -> "SetupReport | None":
    """Do the setup; report what each step found out.

    `person`: who sits before the screens; None: the setup runs by itself. `step`: the only step; None: all.
    `lines`: the screens are printed as lines of JSON, and the result is None.
    """
    if lines:
        from calibration.wizard.setup_lines import setup_by_lines

        assert person is not None
        setup_by_lines(run, person, sys.stdin.fileno(), sys.stdout)
        return None
    if person is None:
        return _by_itself(run, step)
    from calibration.wizard.screens.setup_app import SetupApp

    SetupApp(run, person).run()
    return run.report()


def _draw(drawing: Path | None, wiring: Path | None, rig: str, force: bool, as_json: bool) -> None:
    """Write a drawing of a board's wiring into an SVG file.

    `drawing`: the file; BadInputError if None. `wiring`: rig file of the board; None: the recommended wiring.
    `rig`: name of the profile that knows which wires are crossed; these are drawn crossed. "": the only
    profile, if there is one. `force`: an existing file is replaced. `as_json`: the result is printed as JSON.
    """
    from calibration.drawings.wiring_drawing import draw_rig, recommended_rig
    from calibration.profile import RigProfile
    from calibration.rig_store import DamagedRigError, RigStore
    from companion.core.files import write_new
    from companion.sensing.board_words import in_words
    from firmware.flashing.flash_board import read_rig

    if drawing is None:
        raise BadInputError(
            text("nothing to draw to"), where="--wiring", next_step=text("add --drawing FILE.svg")
        )
    with in_words():
        wired = json.loads(read_rig(wiring)) if wiring else recommended_rig()
    store = RigStore()
    drawn_for = store.usual(rig) if rig or len(store.names()) == 1 else ""
    profile = RigProfile()
    try:
        profile = store.load(drawn_for) if drawn_for else profile
    except DamagedRigError as error:
        if rig:
            raise
        say(text("companion: {error}", error=error.told), err=True)
    title = f"Wiring of {wiring.name if wiring else 'the recommended rig'}"
    drawn = draw_rig(wired, title, profile.wires or None)
    write_new(drawing, drawn.encode(), overwrite=force, option="--drawing")
    if as_json:
        click.echo(json.dumps({"drawing": str(drawing)}))
    else:
        say(text("{file}: drawn", file=str(drawing)))


def with_options(
    settings: Config, game: str | None, variant: str | None, camera: str | None, port: str | None
) -> Config:
    """Settings with game, variant, camera and port replaced by options.

    An option that is None or "" leaves its setting as it is.
    """
    import msgspec

    given = {"game": game, "variant": variant, "camera": camera, "port": port}
    return msgspec.structs.replace(settings, **{key: value for key, value in given.items() if value})


def _virtual_run(
    stack: ExitStack,
    settings: Config,
    rig: str | None,
    seed: int,
    noise: str,
    defect: str,
    cards: str,
    mat: str,
    *,
    screens: bool,
) -> "tuple[SetupRun, ScreenPerson | None]":
    """(setup run, person before its screens) at a virtual table.

    The person is None without `screens`. `rig`: name of the profile in which results are kept; None: they are
    not kept. `seed`: of cards and accidents. `noise`: name of a noise profile. `defect`: what is wrong with the
    table; "": nothing. `cards`, `mat`: kinds of cards and mat. `stack` closes the table.
    """
    import msgspec

    from calibration.virtual_rig.rig_defects import defect as named
    from calibration.virtual_rig.rig_defects import virtual_store
    from calibration.virtual_rig.virtual_setup import VirtualSetup
    from calibration.wizard.setup_bench import SetupBench
    from calibration.wizard.setup_run import SetupRun
    from companion.games.registry import first_variant, load_configured

    rules = load_configured(settings.game, settings.parts)
    variant = first_variant(rules, settings.variant)
    wrong = named(defect)
    art = Art.of(seed) if cards == ART else None
    table = VirtualSetup(
        rules.name, variant, seed=seed, noise=noise, defect=wrong, live=screens, art=art, mat=mat
    )
    stack.callback(table.close)
    profile = _virtual_profile(rig, rules.name, variant, seed)
    if wrong.tags_swapped:
        profile = msgspec.structs.replace(profile, tags=table.true_tags)
    person = _person(table) if screens else None
    operator = person or table
    bench = SetupBench(
        rules, variant, table, operator, table.clock, profile=profile, patience_s=6.0, tick_s=1 / 30
    )
    return SetupRun(bench, rig or "", virtual_store(wrong) if rig else None, table.machine), person


def _virtual_profile(rig: str | None, game: str, variant: str, seed: int) -> "RigProfile":
    """What is known of the virtual rig `rig`.

    An empty profile if `rig` is None or unknown, or if it was set up with another game, variant or seed.
    BadInputError if the name belongs to a rig of real parts.
    """
    from calibration.profile import RigProfile
    from calibration.rig_store import RigStore

    store = RigStore()
    known = store.load(rig) if rig and rig in store.names() else None
    if known is not None and known.virtual_seed is None:
        raise BadInputError(
            text("is a rig of real parts"), where=rig or "", next_step=text("choose another name with --rig")
        )
    of_these = known is not None and (known.game, known.variant, known.virtual_seed) == (game, variant, seed)
    return known if known and of_these else RigProfile(game=game, variant=variant, virtual_seed=seed)


def _person(table: "Operator | None") -> "ScreenPerson":
    """The person before the screens. `table`: does what is asked; None: a real person."""
    from calibration.wizard.setup_walk import ScreenPerson

    return ScreenPerson(table)


def real_run(
    stack: ExitStack, settings: Config, rig: str | None, *, screens: bool, board: bool = True
) -> "tuple[SetupRun, ScreenPerson | None]":
    """(setup run, person) with real camera and board.

    The person is the one before its screens. The person is None without `screens`. Camera and board are those
    of `settings`, else those of the rig's profile, else what is plugged in. `rig`: name of the profile; None:
    the usual or a new one. `board`: False if no board is searched for. `stack` closes both.
    """
    import msgspec

    from calibration.profile import default_name
    from calibration.real_devices import RealDevices, Terminal
    from calibration.rig_store import RigStore
    from calibration.sheets.evening_file import printed_page
    from calibration.wizard.setup_bench import SetupBench
    from calibration.wizard.setup_run import SetupRun, known
    from companion.core.clock import RealClock
    from companion.games.registry import first_variant, load_configured

    store = RigStore()
    name = rig or settings.rig or (store.usual() or default_name())
    profile, complaint = known(store, name)
    if complaint:
        say(f"companion: {complaint}", err=True)
    rules = load_configured(settings.game or profile.game, settings.parts)
    variant = first_variant(rules, settings.variant)
    clock = RealClock()
    devices = RealDevices(settings.camera or profile.camera, settings.port or profile.port, clock, board=board)
    stack.callback(devices.close)
    profile = msgspec.structs.replace(profile, game=rules.name, variant=variant)
    person = _person(None) if screens else None
    bench = SetupBench(rules, variant, devices, person or Terminal(), clock, profile=profile)
    page = partial(printed_page, bench.mat, rules.name, variant)
    return SetupRun(bench, name, store, print_paper=page), person


def _by_itself(run: "SetupRun", step: str | None) -> "SetupReport":
    """Do one setup step, or all for None, without a person; the report.

    `run`: the setup. A known step but "find" is preceded by "find". KeyboardInterrupt passes on; what was done
    is kept.
    """
    from calibration.wizard.setup_run import FIND, STEP_NAMES

    begun = time.process_time()
    with_find = step != FIND and step in STEP_NAMES
    names = STEP_NAMES if step is None else (FIND, step) if with_find else (step,)
    try:
        run.run(names)
    except KeyboardInterrupt:
        file = run.report().profile
        kept = text("left; what was done is kept in {file}", file=file)
        say(kept if file else text("left; nothing new is kept"), err=True)
        raise
    return run.report(time.process_time() - begun)


def _print(report: "SetupReport") -> None:
    """Print each step's verdict, what to mend, and whether the rig is fit for a game."""
    from calibration.doctor.check_words import VERDICTS, check_called, measured
    from calibration.wizard.setup_run import TITLES
    from calibration.wizard.step_result import Decision

    for result in report.steps:
        found = filter(None, (measured(result.number, result.unit), localized(result.said)))
        title = TITLES.get(result.name, result.name)
        say(f"{localized(title)} ({result.name}): {'; '.join((localized(VERDICTS[result.verdict]), *found))}")
        for check in result.checks:
            if check.fix:
                say(f"    {localized(check.said)}")
                say(f"    -> {localized(check.fix)}")
        if not result.checks and result.fix:
            say(f"    -> {localized(result.fix)}")
    without = report.without if report.decision is Decision.GO_WITHOUT else ()
    ends = {Decision.GO: text("go"), Decision.NO_GO: text("no go")}
    if report.decision is Decision.NO_GO or not report.left:
        say(ends.get(report.decision, text("go without {parts}", parts=tuple(map(check_called, without)))))
    for lost in report.unproved:
        say(f"    {localized(lost)}")
    if report.left:
        left = plural("not finished: {n} step left", "not finished: {n} steps left", n=len(report.left))
        say(localized(left))
        for name in report.left:
            say(f"    {localized(TITLES[name])} ({name})")
    if report.profile:
        say(report.profile)


def _manage(
    store: "RigStore",
    rig: str,
    export_to: Path | None,
    import_from: Path | None,
    restore: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show, export, import or restore a rig's profile.

    `rig`: its name; "": the only one. `export_to`: file to write. `import_from`: file to read. `restore`: date
    of a former version, or "last". At most one of the three is given; without them the profile is shown.
    `force`: an existing file is replaced. `as_json`: the result is printed as JSON.
    """
    from calibration.profile import default_name

    now = datetime.now().astimezone()
    if import_from is not None:
        name = rig or default_name()
        store.save(name, _imported(import_from), now)
        show_rig(store, name, as_json, text("{rig}: taken over from {file}", rig=name, file=str(import_from)))
        return
    if not rig and not store.names():
        raise BadInputError(text("no rig was set up yet"), where="setup", next_step="companion setup")
    if not rig and export_to is None and restore is None:
        show_all(store, as_json)
        return
    name = store.usual(rig)
    if export_to is not None:
        store.export(name, export_to, overwrite=force)
        show_rig(store, name, as_json, text("{rig}: written to {file}", rig=name, file=str(export_to)))
    elif restore is not None:
        profile = store.restore(name, "" if restore == "last" else restore, now)
        show_rig(
            store, name, as_json, text("{rig}: as it was, saved again {date}", rig=name, date=profile.made)
        )
    else:
        show_rig(store, name, as_json)


def _imported(file: Path) -> "RigProfile":
    """The rig profile in an exported file, or in a settings file of an older program.

    BadInputError if it tells nothing of a rig.
    """
    from calibration.profile import migrated
    from calibration.rig_store import read_exported

    if file.is_file() and zipfile.is_zipfile(file):
        return read_exported(file)
    profile = migrated(load_config(file, "--import"))
    if not (
        profile.camera or profile.port or profile.tags or profile.presses or profile.stations or profile.lens
    ):
        raise BadInputError(
            text("tells nothing of a rig"),
            where=str(file),
            next_step=text("name a file of companion setup --export, or a companion.toml"),
        )
    return profile
