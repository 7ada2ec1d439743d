"""`companion play`: virtual table, engine and dashboard together, as one program."""

import contextlib
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING

import click
import msgspec
from click.core import ParameterSource

from companion.commands.first_evening import Plan, at_virtual_table, evening
from companion.commands.mending import hold_players, mend
from companion.commands.played_rig import rung_named, set_up_virtually, with_rig
from companion.commands.what_is_played import Played, journal_to_go_on_with, what_is_played
from companion.core.address_card import CONTROL_NAME, wait_for_card
from companion.core.child_python import companion_command
from companion.core.clock import RealClock
from companion.core.config import (
    Config,
    art_file,
    config_file,
    journals_of,
    load_config,
    make_runtime_dir,
    speak_as_set,
    state_dir,
    with_switch,
)
from companion.core.engine_command import at_words, engine_command
from companion.core.errors import BadInputError, CompanionError
from companion.core.extras import install_step
from companion.core.files import Scratch, clear_left, new_private_file
from companion.core.language import localized, text, tr
from companion.core.option_types import (
    FILE_PATH,
    PLAYER_NAMES,
    FiniteRange,
    at_option,
    plain_options,
    players_named,
    record_options,
    screen_options,
)
from companion.core.printable import erase_passing, say, say_passing
from companion.core.supervised_process import DEATHS, Part
from companion.core.table_names import own_name
from companion.games.registry import check_table, first_variant, load_configured
from companion.session.journal.journal_order import by_writing, note_begun
from companion.session.stream.stream import make_room
from companion.virtual.card_art import ART, NO_MAT, STICKERS

if TYPE_CHECKING:
    from companion.core.address_card import AddressCard
    from companion.dashboard.app import Dashboard
    from companion.dashboard.model import WorldModel
    from companion.dashboard.plain.plain_screen import PlainScreen
    from companion.session.entries.table_break import TableBreak


@click.command()
@click.option("--table", type=click.Choice(["auto", "virtual", "real"]), default="auto", show_default=True,
              help="auto: virtual when no camera and no board is named.")  # fmt: skip
@click.option("--game", help="Which game is on the table.")
@click.option("--variant", help="basic or 5+.")
@click.option("--players", type=int, help="How many play.")
@click.option(
    "--names",
    type=PLAYER_NAMES,
    help="Their names, with commas between them; without --players they are counted.",
)
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
    "--show-truth", is_flag=True, help="Virtual table: allow a second view of what really lies where."
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
def play(
    ctx: click.Context,
    table: str,
    game: str | None,
    variant: str | None,
    players: int | None,
    names: tuple[str, ...] | None,
    camera: str | None,
    port: str | None,
    seed: int | None,
    speed: float,
    cards: str,
    art: Path | None,
    noise: str | None,
    show_truth: bool,
    journal: Path | None,
    resume: bool,
    serve: bool,
    config: Path | None,
    rig: str | None,
    first_evening: bool,
    plain: bool,
    aloud: bool,
    record: Path | None,
    record_mb: int,
    theme: str | None,
    switch: str | None,
    calm: bool,
    big: bool,
    children: bool,
) -> None:
    """Play a game with the companion beside it. Without parts of your own, a virtual table plays.

    Without options a first screen asks what is played, and by whom.
    """
    settings = load_config(config)
    speak_as_set(settings)
    settings = with_switch(settings, switch)
    seat, may_record = 0, False
    if not plain:
        say_passing(text("One moment ..."))  # the screens take a while to load
    if _nothing_asked(ctx):
        from companion.commands.first_screen import ask_first

        chosen = ask_first(settings, theme, config_file())
        if chosen is None:
            return
        theme, seat = chosen.theme, chosen.seat
        table, game, variant, players = chosen.table, chosen.game, chosen.variant, chosen.players
        names, journal, resume = chosen.names, chosen.journal, chosen.journal is not None
        may_record = chosen.record
    if resume:
        from companion.session.journal.journal import read_opened, read_people

        kind = _known_virtual(settings, rig, table, camera, port)
        journal = journal_to_go_on_with(journal, virtual=kind)
        wanted = Played(game, variant, players, names)
        opened, people = read_opened(journal), read_people(journal)
        game, variant, players, names = what_is_played(wanted, opened, None, people)
    load_configured(game or settings.game, settings.parts)  # a game that does not exist is told first
    others = bool(port or settings.port or resume or art or cards != STICKERS)
    plan = Plan(table, game, variant, players, names, theme, camera, seat, may_record)
    led = plan if others else evening(settings, plan, rig, plain=plain, anew=first_evening)
    if led is None:
        return
    table, game, variant, players, names, theme, camera, seat, may_record = msgspec.structs.astuple(led)
    rung, rig = rung_named(rig, table, camera, port)
    table = "virtual" if rung else table
    if table != "virtual":
        asked = rig or settings.rig or table == "real" or camera or port or settings.camera or settings.port
        settings = with_rig(settings, rig, game, needed=bool(asked))
    own, game, variant = set_up_virtually(rig, table, game, variant)
    players = players_named(players, names, settings.players)
    camera, port = camera or settings.camera, port or settings.port
    rules = load_configured(game or settings.game, settings.parts)
    variant = variant or first_variant(rules, settings.variant)
    check_table(rules, variant, players)
    virtual = _plays_virtual(table, camera, port)
    if may_record and not virtual:
        record = state_dir() / "recordings" / time.strftime("%Y-%m-%d")
    _check_parts(virtual=virtual, resume=resume, table=table, camera=camera, port=port, cards=cards, art=art)
    if not plain and not sys.stdout.isatty():
        raise BadInputError(
            text("the dashboard needs a terminal"),
            next_step=text("run it without a pipe, or: {command}", command=engine_command()),
        )
    if virtual and table == "auto" and not rig and sys.stdin.isatty():
        _offer_setup()
    dealt = SystemRandom().randrange(1, SEEDS) if seed is None else seed
    clear_left()
    with Scratch() as scratch, contextlib.ExitStack() as stack:
        home = scratch.path
        # A table with a name is found by other screens and in the list of tables.
        socket = (make_runtime_dir() if own_name() else home) / "engine.sock"
        make_room(socket)
        from companion.bridges.tables.on_this_machine import listed_here

        stack.enter_context(listed_here(home))
        card = home / "table.json"
        parts = []
        folder = state_dir() / "journals"
        log = journal or stack.enter_context(new_journal(folder, home / "journals"))
        unkept = "" if journal or log.parent == folder else UNKEPT.of(folder=str(folder))
        engine = ["run", "--game", rules.name, "--variant", variant, "--players", str(players)]
        engine += ["--socket", str(socket)]
        engine += [] if config is None else ["--config", str(config)]
        engine += _recorded(record, record_mb)
        if virtual:
            world = [
                "table",
                "--game",
                rules.name,
                "--variant",
                variant,
                "--players",
                str(players),
                "--seed",
                str(dealt),
            ]
            world += ["--speed", str(speed), "--cards", cards, "--address", str(card)]
            world += [] if noise is None else ["--noise", noise]
            world += [] if config is None else ["--config", str(config)]
            world += own or (["--rig", rung] if rung else [])
            world += ["--cards", ART, "--mat", NO_MAT, "--camera-alone"] if first_evening else []
            parts.append(stack.enter_context(Part(world, home / "table.log", keep=scratch.lock)))
            led_here = partial(at_virtual_table, parts[0], card, settings, theme, plain=plain)
            engine += led_here() if first_evening else own
            engine += ["--table", str(card), "--table-pid", str(parts[0].pid)]
        else:
            engine += ["--rig", rig] if rig else []
            engine += ["--camera", camera] if camera else []
            engine += ["--art", str(art or art_file())] if art or cards == ART else []
            engine += ["--port", port] if port else []
        page = stack.enter_context(_page(scratch, socket, calm=calm)) if serve else None

        started = ["engine"]
        started += ["camera"] if virtual or camera else []
        started += ["board"] if port or (virtual and not first_evening and rung != "camera") else []
        sound = msgspec.structs.replace(settings.sound, lines=settings.sound.lines or aloud)
        stack.enter_context(_spoken_errors(aloud=plain and sound.lines))
        looks_back = partial(_evening, log.parent if log.suffix == ".jsonl" else log)

        def screen() -> "Dashboard | PlainScreen":
            control = home / CONTROL_NAME if virtual else None
            if plain:
                from companion.dashboard.plain.plain_screen import PlainScreen

                return PlainScreen(socket, control, started=started, seat=seat, sound=sound, evening=looks_back)
            # Textual takes a while to load: the others start meanwhile.
            from companion.dashboard.app import Dashboard
            from companion.dashboard.display_settings import look_of

            look = look_of(
                settings.screen,
                theme,
                calm=calm,
                big=big,
                children=children,
                sound=sound,
                file=config or config_file(),
            )
            app = Dashboard(
                socket,
                control,
                show_truth,
                started=started,
                seat=seat,
                look=look,
                evening=looks_back,
                mends=bool(own) or not virtual,
            )
            app.model.notice, app.model.unkept = localized(unkept), bool(unkept)
            return app

        given = {"game": rules.name, "variant": variant, "camera": camera, "port": port}
        told: dict[str, str | None] = {"--rig": rig or rung, "--config": str(config) if config else None}
        if virtual:
            told |= {"--game": rules.name, "--variant": variant, "--players": str(players)}
        else:
            told |= {"--table": "real", "--camera": camera, "--port": port}
        words = [word for name, value in told.items() if value for word in (name, value)]
        command = ("companion", "play", *at_words(), *words)
        before = journals_of(log)
        sitting = _Sitting(
            scratch,
            socket,
            engine,
            parts,
            page,
            before,
            card if virtual else None,
            dealt,
            command,
            unkept,
            names or (),
        )
        mended = ""
        while step := sitting.play(screen, log, resume=resume, mended=mended):
            log, resume, sitting.names = sitting.log, True, ()
            done = mend(step, rig, config, given, sitting.theme, sitting.table)
            mended = step if done else ""
        _say_recorded(record)


def _check_parts(
    *, virtual: bool, resume: bool, table: str, camera: str, port: str, cards: str, art: Path | None
) -> None:
    """Check that options about parts fit together; BadInputError if not.

    `virtual`: whether a virtual table plays. `table`: "auto", "real" or "virtual". `camera`, `port`: "" if no
    part is named. `cards`: STICKERS or ART. `art`: file of enrolled cards, if named.
    """
    if virtual and resume:
        raise BadInputError(
            text("a game at a virtual table can be watched again, not gone on with"),
            where="--resume",
            next_step=text("companion replay JOURNAL; at a real table add --camera or --port"),
        )
    if virtual and art is not None:
        raise BadInputError(
            text("the virtual table enrols its own cards"), where="--art", next_step="--cards art"
        )
    if not virtual and cards == ART and not camera:
        raise BadInputError(text("only a camera sees art"), next_step=text("add --camera 0"))
    if table == "real" and not camera and not port:
        raise BadInputError(
            text("no camera and no board is named"), next_step=text("add --camera 0 or --port auto")
        )


@dataclass(slots=True)
class _Sitting:
    """Engine and screen together, until people leave them.

    `engine`: arguments of the engine. `parts`: other processes without which the game ends. `page`: process
    that serves phones, or None. `card`: file with the address of a virtual table; None at a real one. `log`:
    newest journal. `theme`: name of the screen's colours.
    """

    scratch: Scratch
    socket: Path
    """File of the socket on which the engine listens for screens."""
    engine: list[str]
    parts: list[Part]
    page: Part | None
    before: Mapping[Path, int]
    """Journals that existed before this evening -> their sizes (bytes)."""
    card: Path | None
    dealt: int
    """Seed of the first game at a virtual table."""
    command: tuple[str, ...]
    """Words of `companion play` that choose this table again, without seed and journal."""
    unkept: str = ""
    """Why the game is not kept, in words. "" if it is kept."""
    names: tuple[str, ...] = ()
    """Names of the players at the start. An engine that goes on takes the names entered last from the
    journal."""
    log: Path = Path()
    theme: str = ""
    table: "tuple[AddressCard, TableBreak] | None" = None
    """Address of a virtual table, and the break of its players. None before a break, and at a real table."""

    def play(
        self, screen: "Callable[[], Dashboard | PlainScreen]", log: Path, *, resume: bool, mended: str
    ) -> str:
        """Run engine and screen until people leave the screen.

        `log`: the game's journal. `resume`: go on with the game in `log`. `mended`: setup step that was done
        before this call, or "". Returns the setup step that people want to do before the game goes on; "" for
        none. CompanionError if a process of the game failed.
        """
        # Loaded before the screen, because an update of the checkout during the game may move the module.
        from companion.dashboard.exit_summary import farewell, stop_and_hear

        recorded = [*self.engine, *self._named, "--journal", str(log)]
        output = self.scratch.path / "engine.log"
        begins = [*recorded, "--resume", *(["--mended", mended] if mended else [])] if resume else recorded
        with Part(begins, output, partial(self._goes_on, log), keep=self.scratch.lock) as engine:
            app = screen()
            failed = partial(app.call_from_thread, app.exit)
            for part in self.parts:
                part.tell_when_failed(failed)
            engine.tell_when_failed(failed, well=app.engine_ended)
            _tell_if_unserved(self.page, app)
            erase_passing()
            app.run()
            complaints = [complaint for part in (*self.parts, engine) if (complaint := part.complaint())]
            journals = self._written(log)
            # Said before the other processes end, as nobody should look at an empty terminal.
            if (app.model.table is not None or not complaints) and not app.mend:
                if app.model.unwritten:
                    stop_and_hear(app.model, self.socket)
                again = [same_cards(self.dealt, app.world)] if self.card is not None else []
                kept = [] if self.unkept else journals
                told = [*filter(None, [self.unkept]), *unserved(self.page)]
                for line in [*again, *farewell(app.model, kept), *told]:
                    say(line)
            if app.mend and self.card is not None:
                address = wait_for_card(self.card, RealClock())
                self.table = address, hold_players(address)
        self.log = self._newest(log)
        if engine.gave_up:
            raise CompanionError(
                text("the engine died {n} times within a minute: {why}", n=DEATHS, why=complaints[-1]),
                next_step=text("to go on: {command}", command=self._command()),
            )
        if complaints:
            raise CompanionError(complaints[0])
        self.theme = app.theme
        return app.mend

    def _goes_on(self, log: Path) -> list[str]:
        """Arguments of a new engine that goes on with this evening's newest game after another engine died."""
        newest = self._newest(log)
        begun = newest.is_file() and newest.stat().st_size
        known = ["--resume"] if begun else self._named
        return [*self.engine, "--journal", str(newest), *known]

    @property
    def _named(self) -> list[str]:
        """Words `--names A,B,...` for an engine's command line; empty without names."""
        return ["--names", ",".join(self.names)] if self.names else []

    def _newest(self, log: Path) -> Path:
        """Journal of this evening that was written last.

        `log` if no journal was written this evening.
        """
        return next(iter(by_writing(self._written(log))), log)

    def _written(self, log: Path) -> list[Path]:
        """Journals that were begun or continued this evening, unordered.

        `log`: the journal, whose folder is searched.
        """
        return [path for path, size in journals_of(log).items() if size != self.before.get(path, 0)]

    def _command(self) -> str:
        """Command in words that goes on with the newest game. At a virtual table it plays equal cards again."""
        if self.card is not None:
            return shlex.join([*self.command, "--table", "virtual", "--seed", str(self.dealt)])
        return shlex.join([*self.command, "--resume", "--journal", str(self.log)])


def _plays_virtual(table: str, camera: str | None, port: str | None) -> bool:
    """Whether a virtual table plays: it is chosen, or `table` is "auto" and no part is named.

    `camera` and `port` are "" or None if no part is named.
    """
    return table == "virtual" or (table == "auto" and not camera and not port)


def _known_virtual(settings: Config, rig: str | None, table: str, camera: str | None, port: str | None) -> bool:
    """Whether a virtual table plays, before the game is known.

    True if `table` is "virtual". Also true if it is "auto" and neither the options, the rig `rig` nor the
    settings name a camera or port. A damaged rig counts as none here.
    """
    from calibration.profile import configured_rig

    with contextlib.suppress(BadInputError):  # the error is told when the rig is used
        settings = configured_rig(settings, rig)
    return _plays_virtual(table, camera or settings.camera, port or settings.port)


def _recorded(folder: Path | None, most_mb: int) -> list[str]:
    """Options of an engine that records into `folder`.

    Empty if `folder` is None. `most_mb`: greatest size of the recording (MB). BadInputError if files of other
    programs lie in the folder.
    """
    if folder is None:
        return []
    from companion.sensing.recording_folder import claim_folder

    claim_folder(folder)
    return ["--record", str(folder.absolute()), "--record-mb", str(most_mb)]


def _say_recorded(folder: Path | None) -> None:
    if folder is not None:
        packed = shlex.join(["companion", "pack", str(folder)])
        say(text("Recorded in {folder}. To send it: {command}", folder=str(folder), command=packed))


def same_cards(dealt: int, world: "WorldModel") -> str:
    """Sentence about how to get the last virtual game's cards again.

    `dealt`: seed of the first game, which counts if the screen (`world`) knows no later one.
    """
    seed = dealt if world.seed is None else world.seed
    return tr("The same cards and players again: --seed {seed}", seed=seed)


@contextlib.contextmanager
def new_journal(folder: Path, spare: Path | None = None) -> Iterator[Path]:
    """Make a new, empty journal for a `with` block.

    The file is named by the present time and exists at once, so that no other game takes its name. If it is
    still empty at the end, the file is removed. If `folder` cannot be written, the journal is made in `spare`.
    Without `spare`, only the path is given, and the engine reports the error.
    """
    while True:
        path = folder / f"{time.strftime('%Y-%m-%d-%H%M%S')}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            new_private_file(path).close()
            if spare is not None:
                note_begun(path)
        except OSError:
            if path.exists():
                time.sleep(WAIT_S)
                continue
            if spare is not None:
                folder, spare = spare, None
                continue
        break
    try:
        yield path
    finally:
        with contextlib.suppress(OSError):
            if not path.stat().st_size:
                path.unlink()


@contextlib.contextmanager
def _spoken_errors(*, aloud: bool) -> Iterator[None]:
    """Speak an error that ends the game, if `aloud`, and raise it."""
    try:
        yield
    except CompanionError as error:
        if aloud:
            from companion.dashboard.voice.speaker import speak_once

            speak_once(localized(error.told))
        raise


def _evening(journals: Path) -> list[str]:
    # Loaded late: the first screen must not wait for the database and the rules.
    from companion.history.evening import this_evening

    return this_evening(journals)


def _tell_if_unserved(page: Part | None, app: "Dashboard | PlainScreen") -> None:
    """Show on the screen why the page for browsers failed, once it fails.

    Does nothing if `page` is None.
    """
    if page is not None:
        page.tell_when_failed(lambda: app.call_from_thread(app.notice, " ".join(unserved(page))))


def unserved(page: Part | None) -> list[str]:
    """Sentence about why the page for browsers failed.

    Empty while the page is served, or if no page was wanted.
    """
    why = page.complaint() if page is not None else ""
    return [tr("No page for phones: {why}", why=why)] if why else []


def _page(scratch: Scratch, socket: Path, *, calm: bool) -> Part:
    """Start the process that serves the table's page for browsers.

    If it fails later, the game goes on without it. `calm`: no motion on the page. BadInputError if the package
    for pages is not installed.
    """
    if find_spec("aiohttp") is None:
        raise BadInputError(text("pages need a package"), where="--serve", next_step=install_step("aiohttp"))
    page = ["serve", "--socket", str(socket), *(["--calm"] if calm else [])]
    return Part(page, scratch.path / "serve.log", lambda: page, keep=scratch.lock)


UNKEPT = text(
    "Nothing can be written in {folder}: this game is played and not kept. To keep one: "
    "companion play --journal FILE"
)
"""Sentence for people whose game cannot be kept, because the folder of journals cannot be written."""
WAIT_S = 0.1
"""Wait (s) before a name for a journal is tried again. The name is the time in seconds, so it soon changes."""
SEEDS = 10_000
"""Random seeds of virtual tables are below this number, so that they are short to type."""
LOOKS = ("theme", "calm", "big", "children", "aloud", "switch", "serve")
"""Options about screens and sound. They do not choose a game, so the first screen is still shown with them."""


def _nothing_asked(ctx: click.Context) -> bool:
    """Whether the first screen is wanted: a terminal, and no option except those in LOOKS."""
    asked = (name for name in ctx.params if name not in LOOKS)
    if any(ctx.get_parameter_source(name) is not ParameterSource.DEFAULT for name in asked):
        return False
    return sys.stdout.isatty() and sys.stdin.isatty()


def _offer_setup() -> None:
    """Offer setup to people if parts are plugged in and no rig was ever set up.

    SystemExit with the status of setup after it was done.
    """
    from companion.core.config import rigs_dir
    from companion.core.plugged_in import boards, cameras

    parts = [text("camera {name}", name=name) for _, name in cameras()]
    parts += [text("board {name}", name=path) for path in boards()]
    if not parts or any(rigs_dir().glob("*.toml")):
        return
    say(text("Found: {parts}; no rig is set up yet.", parts=tuple(parts)))
    if click.confirm(tr("Set it up now? (No: a virtual table plays)"), default=True):
        raise SystemExit(subprocess.call(companion_command("setup")))
