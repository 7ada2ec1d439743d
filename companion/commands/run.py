"""`companion run`: the engine alone, which watches a table for services or `companion play`."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from companion.commands.what_is_played import Played, journal_to_go_on_with, last_or_anew, what_is_played
from companion.core import process_tuning
from companion.core.child_python import companion_command
from companion.core.clock import Gate, RealClock
from companion.core.config import (
    Config,
    config_file,
    load_config,
    make_runtime_dir,
    shared_runtime_path,
    state_dir,
)
from companion.core.engine_command import at_words, screen_command
from companion.core.errors import BadInputError
from companion.core.language import localized, text, tr
from companion.core.last_start import forget_names as forget_last_names
from companion.core.option_types import FILE_PATH, at_option, names_option, players_named, record_options
from companion.core.printable import follow, printable, say
from companion.core.sensor_terms import sensor_name
from companion.core.settings_file import before, write_entries
from companion.core.table_names import own_name
from companion.session.journal.journal import read_opened, read_people, unread_in
from companion.session.journal.journal_lines import Opened
from companion.session.stream.stream import process_behind

if TYPE_CHECKING:
    from companion.core.address_card import AddressCard
    from companion.games.table_game import TableGame
    from companion.sensing.recorder import Recorder
    from companion.sensing.recording_folder import NoRecorder
    from companion.session.engine import Engine
    from companion.session.stream.events import SensorHealth


@click.command()
@click.option("--config", type=FILE_PATH, help="Settings file (TOML).")
@click.option("--rig", help="The rig profile of companion setup; the only one without it.")
@click.option("--game", help="Which game is on the table.")
@click.option("--variant", help="Which variant of it, e.g. basic or 5+.")
@click.option("--players", type=int, help="How many play.")
@names_option
@click.option("--camera", help="Device number, /dev/video0, URL, video file, picture folder, or csi.")
@click.option("--art", type=FILE_PATH, help="File of enrolled kinds: cards are known without stickers.")
@click.option("--port", help="Serial port of the board, a capture file, or auto.")
@click.option("--table", "address", type=FILE_PATH, help="Address card of a virtual table.")
@click.option("--table-pid", type=int, hidden=True, help="The process that will write the address card.")
@click.option("--journal", type=FILE_PATH, help="Journal file (.jsonl) or folder.")
@click.option("--resume", is_flag=True, help="Go on with the game in the journal file, or with the last one.")
@click.option("--home", type=FILE_PATH, hidden=True, help="Where the zones lie on a table without a mat.")
@click.option("--mended", default="", hidden=True, help="With --resume: the step of setup done meanwhile.")
@click.option("--socket", type=FILE_PATH, help="Where screens connect.")
@record_options
@at_option
def run(
    config: Path | None,
    rig: str | None,
    game: str | None,
    variant: str | None,
    players: int | None,
    names: tuple[str, ...] | None,
    camera: str | None,
    art: Path | None,
    port: str | None,
    address: Path | None,
    table_pid: int | None,
    journal: Path | None,
    resume: bool,
    home: Path | None,
    mended: str,
    socket: Path | None,
    record: Path | None,
    record_mb: int,
) -> None:
    """Watch a table without a screen; screens attach with `companion dashboard`."""
    from companion.games.registry import check_settings
    from companion.sensing.open_sources import open_sources
    from companion.session.engine import Engine
    from companion.session.machine_load import MachineLoad
    from companion.session.stream.stream import StreamServer, operator_path
    from companion.session.stream.table_attachment import TableAttachment
    from companion.session.table_signals import TableSignals

    settings = load_config(config)
    settings = settings if home is None else msgspec.structs.replace(settings, home=str(home))
    check_settings(settings)
    recalled = _recalled(journal, resume=resume, virtual=address is not None)
    clock = RealClock()
    card = _card_at(address, table_pid, clock)
    wanted = what_is_played(Played(game, variant, players, names), recalled.opened, card, recalled.people)
    settings = _completed(settings, recalled.opened, card, rig, wanted.game)
    art = _known_pictures(art, settings, card, rig)
    # At a virtual table its own camera and board count, whatever the settings say.
    camera, port, control = (card.camera, card.port, card.control) if card is not None else (camera, port, "")
    camera, port = camera or settings.camera, port or settings.port
    rules, variant, players = _game_of(wanted, settings)
    _check_named(camera, port)
    if settings.keep_days and not recalled.resumes:
        remove_old(settings.keep_days)
    recorder = _recorder(record, record_mb, rules, variant, players, settings, art, clock)
    gate = Gate(clock)
    from companion.session.stream.commands import Command, OperatorCommand
    from companion.session.stream.events import Event, OperatorEvent

    stream: StreamServer[Event, Command] = StreamServer(socket or make_runtime_dir() / "engine.sock", Command)
    operator: StreamServer[OperatorEvent, OperatorCommand] = StreamServer(
        operator_path(stream.path), OperatorCommand
    )
    attached = TableAttachment()

    def on_ready() -> None:
        gate.open()
        if control:
            attached.attach(Path(control), stream.path)

    process_tuning.freeze_garbage()  # a game that is resumed is replayed at once
    engine = Engine(
        rules,
        variant,
        players,
        stream=stream,
        operator=operator,
        journals=recalled.journal or state_dir() / "journals",
        clock=clock,
        assist=settings.assist,
        options=settings.options,
        names=settings.names,
        player_names=wanted.names or settings.player_names,
        buttons=settings.buttons,
        table=own_name(),
        virtual=card is not None,
        mends=card is None or bool(rig),
        resume=recalled.resumes,
        mended=mended,
        signals=TableSignals(lamps=settings.signals.lamps, beeper=settings.signals.beeper),
        load=MachineLoad(partial(_other_engines, stream.path), os.nice),
        on_ready=on_ready,
        on_followed=attached.follow,
        on_taken_back=attached.lay_back,
        on_game=recorder.game,
        on_party=partial(_forget_names, config),
        along=_reading(recalled.journal, stream.path),
    )
    try:
        engine.watch(
            open_sources(rules, variant, camera, port, settings, clock, gate, art, recalled.lying, recorder)
        )
    except BaseException:
        engine.give_up()
        recorder.abandon()
        raise
    _say_first(engine, rules.name, alone=bool(camera) and not port)
    _watch_until_stopped(engine, recorder, screen_command(stream.path, control), (camera, port))


class _Recalled(NamedTuple):
    """The engine's journal, and facts of the continued game.

    The journal tells them. `journal`: its file; None: a new one. `opened`: its first entry; None for a new
    game. `people`: names of the players. `lying`: positions of cards that the camera saw but could not read.
    """

    journal: Path | None
    opened: Opened | None = None
    people: tuple[str, ...] = ()
    lying: Mapping[str, tuple[tuple[float, float], ...]] = {}

    @property
    def resumes(self) -> bool:
        """True if the game in the journal goes on."""
        return self.opened is not None


def _recalled(journal: Path | None, *, resume: bool, virtual: bool) -> _Recalled:
    """Find the journal; read it if its game goes on.

    `journal`: file named by people; None with `resume`: that of the last game, or a new game without one.
    `resume`: the game goes on. `virtual`: at a virtual table. BadInputError if a named journal does not exist.
    """
    if resume and journal is None:
        journal = last_or_anew(virtual=virtual)
        resume = journal is not None
    if not resume:
        return _Recalled(journal)
    journal = journal_to_go_on_with(journal, virtual=virtual)
    return _Recalled(journal, read_opened(journal), read_people(journal), unread_in(journal))


def _card_at(address: Path | None, table_pid: int | None, clock: RealClock) -> "AddressCard | None":
    """Wait for a virtual table's address card; read it.

    The card is a file in which the table's process tells its camera, port and sockets. `address`: its path.
    Without one the table is real, and None is returned. `table_pid`: the table's process; the wait ends when
    the process ends.
    """
    if address is None:
        return None
    from companion.core.address_card import wait_for_card

    # Table and engine end with `companion play`, so a slow machine may take any time to start the table.
    starting = (lambda: False) if table_pid is None else process_tuning.parent_watch(table_pid)
    return wait_for_card(address, clock, starting)


def _completed(
    settings: Config, opened: Opened | None, card: "AddressCard | None", rig: str | None, game: str | None
) -> Config:
    """Complete settings by a rig, the game that goes on, and a virtual table's cards.

    `opened`: first entry of the journal; None for a new game. `card`: address card of a virtual table; None for
    a real one. `rig`: name of a profile; None: the usual one. `game`: its name.
    """
    from calibration.rig_store import configured_rig

    if card is None or rig:
        settings = configured_rig(settings, rig, game)
    if opened is not None:
        settings = msgspec.structs.replace(
            settings,
            options=opened.options,
            names=opened.names,
            parts={opened.game: opened.parts},
            buttons=opened.buttons,
        )
    if card is not None and not rig:
        settings = msgspec.structs.replace(
            settings, tags=card.tags, textures=card.textures, buttons=card.buttons
        )
    return settings


def _known_pictures(
    art: Path | None, settings: Config, card: "AddressCard | None", rig: str | None
) -> Path | None:
    """File of printed pictures by which the camera knows cards.

    It is `art`, else the virtual table's (`card`) unless a `rig` is named, else the one in `settings`. None if
    cards have stickers.
    """
    if card is not None and not rig:
        return art or (Path(card.art) if card.art else None)
    return art or (Path(settings.art) if settings.art else None)


def _game_of(wanted: Played, settings: Config) -> "tuple[TableGame[Any, Any], str, int]":
    """(game, variant, number of players) at the table.

    `wanted` counts before the settings. BadInputError if they contradict, or if the game does not exist.
    """
    from companion.games.registry import check_table, first_variant, give_names, load_configured

    rules = load_configured(wanted.game or settings.game, settings.parts)
    give_names(rules, settings.names)
    variant = wanted.variant or first_variant(rules, settings.variant)
    players = players_named(wanted.players, wanted.names, settings.players)
    check_table(rules, variant, players, settings.options)
    return rules, variant, players


def _reading(journal: Path | None, socket: Path) -> "Callable[[Sequence[Any]], Iterable[Any]]":
    """Function that passes on the lines of a journal, and shows how many were read.

    The count is shown in the terminal, or on the screens at `socket` if stderr is no terminal. `journal`: its
    file, which the terminal names; None: no name.
    """
    from companion.session.journal.resume_progress import noting

    if not sys.stderr.isatty():
        return noting(socket)
    return follow(tr("reading {journal}", journal=printable(journal.name if journal else "")))


def _watch_until_stopped(
    engine: "Engine", recorder: "Recorder | NoRecorder", screen: str, sources: tuple[str, str]
) -> None:
    """Run the engine until it ends or is stopped.

    SIGINT and SIGTERM stop it. `screen`: command that opens a screen on it, which is printed. `sources`:
    (camera, port), for errors. The recorder is closed in any case.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: engine.stop())
    say(f"companion: watching; attach a screen in another terminal: {screen}", err=True)
    alive = complaining(lambda: engine.session.screens.health, process_tuning.parent_watch())
    try:
        say(engine.run(_telling(recorder, lambda said: engine.session.tell(said, "notice"), alive)), err=True)
    except BadInputError as error:
        where = " and ".join(filter(None, sources))
        raise BadInputError(error.what, where=where, next_step=error.next_step) from None
    finally:
        recorder.close()


def _say_first(engine: "Engine", game: str, *, alone: bool) -> None:
    """Print what was repaired in a journal, if anything.

    `alone`: the table has a camera but no board; screens of a new game are told what this rig cannot prove.
    """
    from companion.games.registry import load_rig_table

    if engine.salvaged:
        say(f"companion: {engine.salvaged}", err=True)
    for rig in load_rig_table(game)[:1] if alone and not engine.resumed else ():
        engine.session.tell(text("This table cannot tell {what}.", what=rig.cannot), "notice")


def _recorder(
    folder: Path | None,
    most_mb: int,
    rules: Any,
    variant: str,
    players: int,
    settings: Config,
    art: Path | None,
    clock: RealClock,
) -> "Recorder | NoRecorder":
    """Recorder of pictures and the board's bytes into `folder`.

    None: one that records nothing. `most_mb`: largest size of the recording (MB). `rules`: the game. `art`:
    file of enrolled cards, which is copied into the folder. BadInputError if the folder has other files.
    """
    from companion.games.registry import printed_parts
    from companion.sensing.recording_folder import ART, HOME, NoRecorder, RecordedSettings, note_recording

    if folder is None:
        return NoRecorder()
    # With NumPy and OpenCV, which a table without a camera does not need.
    from companion.sensing.recorder import Recorder

    files = ({} if art is None else {ART: art}) | ({HOME: Path(settings.home)} if settings.home else {})
    known = RecordedSettings(
        rules.name,
        variant,
        players,
        tuple(sorted(settings.options)),
        printed_parts(rules),
        settings.tags,
        settings.textures,
        settings.stations,
        settings.wires,
        settings.buttons,
        settings.lens,
        art=ART in files,
        home=HOME in files,
    )
    recorder = Recorder(folder, known, clock, files=files, most_mb=most_mb)
    note_recording(folder)
    return recorder


def _telling(
    recorder: "Recorder | NoRecorder", tell: Callable[[str], None], alive: Callable[[], bool]
) -> Callable[[], bool]:
    """Wrap `alive` so that it passes on the recorder's news.

    The news are sentences about the recording. Each call of the result prints them on stderr, passes each to
    `tell`, and returns `alive()`.
    """

    def still() -> bool:
        for said in recorder.news():
            say(f"companion: {localized(said)}", err=True)
            tell(said)
        return alive()

    return still


def _check_named(camera: str, port: str) -> None:
    """Raise BadInputError if a table with a name (`--at`) has neither camera nor port.

    Each is "" if there is none. A table without a name is never refused.
    """
    if own_name() and not camera and not port:
        raise BadInputError(
            text("this table has no rig, no camera and no board"),
            where=own_name(),
            next_step=shlex.join(["companion", "setup", *at_words()]),
        )


def _other_engines(own: Path) -> list[bool]:
    """For each other engine of this user on this machine: True if it began earlier.

    `own`: socket of this engine, which is not counted.
    """
    folder = shared_runtime_path()
    sockets = {*folder.glob("engine.sock"), *folder.glob("*/engine.sock")} - {own}
    mine = _began(os.getpid())
    return [_began(pid) < mine for pid in map(process_behind, sockets) if pid is not None]


def _began(pid: int) -> int:
    """When a process began, in clock ticks since the machine's start. 0 if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0


def _forget_names(config: Path | None) -> None:
    """Remove the players' names from settings and last start.

    `config`: settings file; None: the usual one. Errors are ignored, so that the game goes on.
    """
    file = config or config_file()
    with contextlib.suppress(BadInputError, OSError):
        forget_last_names()
        if load_config(config).player_names:
            write_entries(file, {("player_names",): []})
            before(file).unlink(missing_ok=True)


def remove_old(days: int) -> None:
    """Remove games begun more than `days` days ago.

    If that fails a message says so, and the game begins.

    A process of its own does it, because the engine has no use for the modules that read the history.
    """
    oldest = datetime.now().date() - timedelta(days)  # noqa: DTZ005 # the family's day
    forget = companion_command("forget", "--before", oldest.isoformat(), "--yes", "--own")
    done = subprocess.run(forget, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        say(text("companion: old games were not removed: {why}", why=printable(done.stderr.strip())), err=True)


def complaining(
    health: Callable[[], Mapping[str, "SensorHealth"]], alive: Callable[[], bool]
) -> Callable[[], bool]:
    """Wrap `alive` so that it prints failed and recovered sensors.

    Each change is printed once on stderr. `health()`: name of a sensor -> its state. The result returns
    `alive()`.
    """
    failing: dict[str, str] = {}

    def still() -> bool:
        for name, one in health().items():
            if not one.ok and failing.get(name) != one.detail:
                failing[name] = one.detail
                said = one.detail or tr("no word from it")
                say(f"companion: {localized(sensor_name(name))}: {localized(said)}", err=True)
            elif one.ok and failing.pop(name, None) is not None:
                say("companion: " + tr("{sensor} is back", sensor=sensor_name(name)), err=True)
        return alive()

    return still
