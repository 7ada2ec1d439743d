"""`companion play`: table, engine and dashboard together."""

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any

import click
import msgspec
from click.core import ParameterSource

from companion.commands.first_evening import at_virtual_table
from companion.commands.play_break import mend
from companion.commands.played_game import (
    PlayedGame,
    PlayOptions,
    again_words,
    asked_first,
    engine_words,
    game_to_play,
    gone_on_with,
    led_on_first_evening,
    own_part_words,
    world_words,
)
from companion.commands.screen_terminal import check_screen_terminal
from companion.commands.sitting import Sitting, new_journal
from companion.commands.what_is_played import how_to_go_on
from companion.core.address_card import CONTROL_NAME
from companion.core.child_python import companion_command
from companion.core.config import (
    SoundConfig,
    config_file,
    journals_of,
    load_config,
    make_runtime_dir,
    speak_as_set,
    state_dir,
    with_switch,
)
from companion.core.engine_command import engine_command
from companion.core.errors import BadInputError, CompanionError
from companion.core.files import Scratch, clear_left
from companion.core.language import localized, text, tr
from companion.core.option_types import (
    FILE_PATH,
    FiniteRange,
    at_option,
    names_option,
    plain_options,
    record_options,
    screen_options,
)
from companion.core.optional_packages import install_step
from companion.core.printable import confirm, say, say_passing
from companion.core.supervised_process import Part
from companion.core.table_names import own_name
from companion.games.registry import load_configured
from companion.session.stream.stream import make_room
from companion.virtual.card_art import ART, STICKERS

if TYPE_CHECKING:
    from companion.dashboard.app import Dashboard
    from companion.dashboard.plain.plain_screen import PlainScreen


@click.command()
@click.option("--table", type=click.Choice(["auto", "virtual", "real"]), default="auto", show_default=True,
              help="auto: virtual when no camera and no board is named.")  # fmt: skip
@click.option("--game", help="Which game is on the table.")
@click.option("--variant", help="basic or 5+.")
@click.option("--players", type=int, help="How many play.")
@names_option
@click.option("--camera", help="Device number, /dev/video0, URL, video file, picture folder, or csi.")
@click.option("--port", help="Serial port of the board, a capture file, or auto.")
@click.option(
    "--seed", type=int, help="Virtual table: cards and players of an earlier game; else others each time."
)
@click.option("--speed", type=FiniteRange(0.25, 8), default=1.0, show_default=True,
              help="Virtual table: how fast they play.")  # fmt: skip
@click.option("--cards", type=click.Choice([STICKERS, ART]), default=STICKERS, show_default=True,
              help="Known by stickers, or by printed pictures alone (companion enrol --kinds).")  # fmt: skip
@click.option("--art", type=FILE_PATH, help="File of enrolled kinds, if not the usual; means --cards art.")
@click.option("--noise", type=click.Choice(["clean", "home", "evening", "rough", "hostile"]),
              help="Virtual table: how badly everything behaves; else clean, with --rig home.")  # fmt: skip
@click.option(
    "--show-truth",
    is_flag=True,
    help="Virtual table: key v and companion dashboard --truth show what really lies where.",
)
@click.option("--journal", type=FILE_PATH, help="Journal file (.jsonl) or folder.")
@click.option(
    "--resume", is_flag=True, help="At a real table: go on with the game in the journal file, or the last."
)
@click.option("--serve", is_flag=True, help="Also in browsers and on phones: F3 shows the address.")
@click.option("--config", type=FILE_PATH, help="Settings file (TOML).")
@click.option("--rig", metavar="NAME", help="The rig profile of companion setup; the only one without it. "
              "A virtual table can also have the parts of camera, camera+pad, judge or full.")  # fmt: skip
@click.option("--first-evening", is_flag=True, help="The guided way of a camera without a rig, once more; "
              "at a virtual table its people print, lay and show what is asked.")  # fmt: skip
@plain_options
@record_options
@screen_options
@click.pass_context
@at_option
def play(ctx: click.Context, /, **given: Any) -> None:
    """Play a game with the companion beside it. Without parts of your own, a virtual table plays.

    Without options a first screen asks what is played, and by whom.
    """
    options = PlayOptions(**given)
    settings = load_config(options.config)
    speak_as_set(settings)
    settings = with_switch(settings, options.switch)
    if not options.plain:
        say_passing(text("One moment ..."))  # the screens take a while to load
    wanted: PlayOptions | None = options
    if _nothing_asked(ctx):
        check_screen_terminal()
        wanted = asked_first(settings, options)
    if wanted is not None and wanted.resume:
        wanted = gone_on_with(settings, wanted)
    if wanted is not None:
        # A game that does not exist is told before anything else is asked.
        load_configured(wanted.game or settings.game, settings.parts)
        wanted = led_on_first_evening(settings, wanted)
    if wanted is None:
        return  # people have left
    played = game_to_play(settings, wanted)
    _check_terminal(played)
    clear_left()
    _play_evening(played)
    if not played.virtual and (further := how_to_go_on()):
        say(further)


def _check_terminal(played: PlayedGame) -> None:
    """Raise BadInputError if screens are wanted and no terminal can draw them.

    In a terminal, if neither table nor rig is named and a camera or board is plugged in, setup is offered.
    """
    if not played.options.plain:
        check_screen_terminal(engine_command())
    if played.virtual and played.table == "auto" and not played.rig and sys.stdin.isatty():
        _offer_setup()


def _play_evening(played: PlayedGame) -> None:
    """Start table, engine and screen, and play until people leave.

    CompanionError if one of them fails.
    """
    options, settings = played.options, played.settings
    dealt = SystemRandom().randrange(1, SEEDS) if options.seed is None else options.seed
    with Scratch() as scratch, contextlib.ExitStack() as stack:
        home = scratch.path
        # A table with a name is found by other screens and in the list of tables.
        socket = (make_runtime_dir() if own_name() else home) / "engine.sock"
        make_room(socket)
        from companion.bridges.tables.on_this_machine import listed_here

        stack.enter_context(listed_here(home))
        folder = state_dir() / "journals"
        log = options.journal or stack.enter_context(new_journal(folder, home / "journals"))
        unkept = "" if options.journal or log.parent == folder else UNKEPT.of(folder=str(folder))
        engine, parts = engine_words(played, socket), list[Part]()
        card = home / "table.json" if played.virtual else None
        if card is not None:
            world = Part(world_words(played, dealt, card), home / "table.log", keep=scratch.lock)
            parts.append(stack.enter_context(world))
            led = partial(at_virtual_table, world, card, settings, options.theme, plain=options.plain)
            engine += led() if options.first_evening else played.own
            engine += ["--table", str(card), "--table-pid", str(world.pid)]
        else:
            engine += own_part_words(played)
        page = stack.enter_context(_page(scratch, socket, calm=options.calm)) if options.serve else None
        sound = msgspec.structs.replace(settings.sound, lines=settings.sound.lines or options.aloud)
        stack.enter_context(_spoken_errors(aloud=options.plain and sound.lines))
        screen = partial(
            _screen, played, sound, socket, home / CONTROL_NAME if played.virtual else None, log, unkept
        )
        sitting = Sitting(
            scratch,
            socket,
            engine,
            parts,
            page,
            journals_of(log),
            card,
            dealt,
            again_words(played),
            played.record,
            unkept,
            options.names or (),
        )
        _play_on(played, sitting, screen, log)


def _play_on(
    played: PlayedGame, sitting: Sitting, screen: "Callable[[], Dashboard | PlainScreen]", log: Path
) -> None:
    """Play a game with its screen until people leave.

    If people choose to repeat a setup step, the game stops, the step is done, and the game goes on. `screen`:
    makes the screen. `log`: the journal.
    """
    given = {
        "game": played.rules.name,
        "variant": played.variant,
        "camera": played.camera,
        "port": played.port,
    }
    resume, mended = played.options.resume, ""
    while step := sitting.play(screen, log, resume=resume, mended=mended):
        log, resume, sitting.names = sitting.log, True, ()
        done = mend(step, played.rig, played.options.config, given, sitting.theme, sitting.table)
        mended = step if done else ""


def _screen(
    played: PlayedGame, sound: SoundConfig, socket: Path, control: Path | None, log: Path, unkept: str
) -> "Dashboard | PlainScreen":
    """The screen for a game, not yet running.

    It is a Dashboard, or a PlainScreen with --plain. `sound`: sound settings. `socket`: where the engine is
    reached. `control`: control socket of a virtual table; None at a real one. `log`: the journal, or the folder
    for it. `unkept`: why the game is not kept; "" if it is.
    """
    options = played.options
    looks_back = partial(_evening, log.parent if log.suffix == ".jsonl" else log)
    if options.plain:
        from companion.dashboard.plain.plain_screen import PlainScreen

        return PlainScreen(
            socket,
            control,
            started=played.started,
            seat=options.seat,
            sound=sound,
            evening=looks_back,
            file=options.config or config_file(),
            teach=played.settings.screen.teach,
            hints_always=played.settings.screen.hints_always,
        )
    # Textual takes a while to load: the others start meanwhile.
    from companion.dashboard.app import Dashboard
    from companion.dashboard.display_settings import look_of

    look = look_of(
        played.settings.screen,
        options.theme,
        calm=options.calm,
        big=options.big,
        children=options.children,
        sound=sound,
        file=options.config or config_file(),
    )
    app = Dashboard(
        socket,
        control,
        options.show_truth,
        started=played.started,
        seat=options.seat,
        look=look,
        evening=looks_back,
        mends=bool(played.own) or not played.virtual,
    )
    app.model.notice, app.model.unkept = localized(unkept), bool(unkept)
    return app


@contextlib.contextmanager
def _spoken_errors(*, aloud: bool) -> Iterator[None]:
    """Context that speaks a CompanionError before it ends the game.

    It speaks only if `aloud`. The error is raised again in any case.
    """
    try:
        yield
    except CompanionError as error:
        if aloud:
            from companion.dashboard.voice.speaker import speak_once

            speak_once(localized(error.told))
        raise


def _evening(journals: Path) -> list[str]:
    """Lines about the games that were played this evening, for the end of the program.

    `journals`: folder of their journals.
    """
    # Loaded late: the first screen must not wait for the database and the rules.
    from companion.history.evening import this_evening

    return this_evening(journals)


def _page(scratch: Scratch, socket: Path, *, calm: bool) -> Part:
    """Start the process that serves the table's page for browsers.

    A failure of this process does not end the game. `scratch`: folder for its log. `socket`: where the engine
    is reached. `calm`: the page shows no motion. BadInputError if the package for pages is not installed.
    """
    if find_spec("aiohttp") is None:
        raise BadInputError(text("pages need a package"), where="--serve", next_step=install_step("aiohttp"))
    page = ["serve", "--socket", str(socket), *(["--calm"] if calm else [])]
    return Part(page, scratch.path / "serve.log", lambda: page, keep=scratch.lock)


UNKEPT = text(
    "Nothing can be written in {folder}: this game is played and not kept. To keep one: "
    "companion play --journal FILE"
)
"""Sentence for people: the game is played but not kept.

It is shown if nothing can be written in {folder}.
"""
SEEDS = 10_000
"""Random seeds for virtual tables are from 1 to SEEDS - 1: short enough to be typed."""
LOOKS = ("theme", "calm", "big", "children", "aloud", "switch", "serve")
"""Options about screens and sound, which do not choose a game."""


def _nothing_asked(ctx: click.Context) -> bool:
    """True if the command was typed in a terminal with no option but those in LOOKS."""
    asked = (name for name in ctx.params if name not in LOOKS)
    if any(ctx.get_parameter_source(name) is not ParameterSource.DEFAULT for name in asked):
        return False
    return sys.stdout.isatty() and sys.stdin.isatty()


def _offer_setup() -> None:
    """Offer setup if a camera or board is plugged in and no rig exists.

    If people accept, setup runs, and SystemExit with its exit status follows.
    """
    from companion.core.config import rigs_dir
    from companion.core.plugged_in import boards, cameras

    parts = [text("camera {name}", name=name) for _, name in cameras()]
    parts += [text("board {name}", name=path) for path in boards()]
    if not parts or any(rigs_dir().glob("*.toml")):
        return
    say(text("Found: {parts}; no rig is set up yet.", parts=tuple(parts)))
    if confirm(tr("Set it up now? (No: a virtual table plays)"), default=True):
        raise SystemExit(subprocess.call(companion_command("setup")))
