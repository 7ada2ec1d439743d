"""`companion run`: the engine alone, which watches a table for services or `companion play`."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from companion.commands.what_is_played import Played, journal_to_go_on_with, last_or_anew, what_is_played
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
from companion.core.option_types import FILE_PATH, PLAYER_NAMES, at_option, players_named, record_options
from companion.core.printable import follow, printable, say
from companion.core.process_tuning import parent_watch
from companion.core.sensor_terms import sensor_name
from companion.core.settings_file import before, write_entries
from companion.core.table_names import own_name
from companion.session.journal.journal import read_opened, read_people, unread_in
from companion.session.stream.stream import process_behind

if TYPE_CHECKING:
    from companion.games.api import RigRow
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
@click.option(
    "--names",
    type=PLAYER_NAMES,
    help="Their names, with commas between them; without --players they are counted.",
)
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
    """Watch a table without a screen; screens attach with `companion dashboard`.

    The engine reads camera and board, follows the game, judges claims and keeps a journal, until it is stopped.
    """
    from calibration.profile import configured_rig
    from companion.games.registry import (
        check_settings,
        check_table,
        first_variant,
        give_names,
        load_configured,
        load_rig_table,
    )
    from companion.sensing.open_sources import open_sources
    from companion.session.engine import Engine
    from companion.session.journal.resume_progress import noting
    from companion.session.machine_load import MachineLoad
    from companion.session.stream.stream import StreamServer, operator_path
    from companion.session.stream.table_attachment import TableAttachment
    from companion.session.table_signals import TableSignals

    settings = load_config(config)
    settings = settings if home is None else msgspec.structs.replace(settings, home=str(home))
    check_settings(settings)
    lying: dict[str, tuple[tuple[float, float], ...]] = {}
    opened = card = None
    people: tuple[str, ...] = ()
    if resume and journal is None:
        journal = last_or_anew(virtual=address is not None)
        resume = journal is not None
    if resume:
        journal = journal_to_go_on_with(journal, virtual=address is not None)
        opened, people, lying = read_opened(journal), read_people(journal), unread_in(journal)
    clock = RealClock()
    if address is not None:
        from companion.core.address_card import wait_for_card

        # Table and engine end with `companion play`, so a slow machine may take any time to start the table.
        starting = (lambda: False) if table_pid is None else parent_watch(table_pid)
        card = wait_for_card(address, clock, starting)
    wanted = Played(game, variant, players, names)
    game, variant, players, names = what_is_played(wanted, opened, card, people)
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
    control = ""
    if card is not None:
        control, camera, port = card.control, card.camera, card.port
        if not rig:
            settings = msgspec.structs.replace(
                settings, tags=card.tags, textures=card.textures, buttons=card.buttons
            )
            art = Path(card.art) if card.art and art is None else art
    rules = load_configured(game or settings.game, settings.parts)
    give_names(rules, settings.names)
    variant = variant or first_variant(rules, settings.variant)
    players = players_named(players, names, settings.players)
    check_table(rules, variant, players, settings.options)
    _check_named(camera or settings.camera, port or settings.port)
    if (card is None or rig) and art is None and settings.art:
        art = Path(settings.art)
    if settings.keep_days and not resume:
        _remove_old(settings.keep_days)
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

    engine = Engine(
        rules,
        variant,
        players,
        stream=stream,
        operator=operator,
        journals=journal or state_dir() / "journals",
        clock=clock,
        assist=settings.assist,
        options=settings.options,
        names=settings.names,
        player_names=names or settings.player_names,
        buttons=settings.buttons,
        table=own_name(),
        virtual=card is not None,
        mends=card is None or bool(rig),
        resume=resume,
        mended=mended,
        signals=TableSignals(lamps=settings.signals.lamps, beeper=settings.signals.beeper),
        load=MachineLoad(partial(_other_engines, stream.path), os.nice),
        on_ready=on_ready,
        on_followed=attached.follow,
        on_taken_back=attached.lay_back,
        on_game=recorder.game,
        on_party=partial(_forget_names, config),
        along=follow(tr("reading {journal}", journal=printable(journal.name if journal else "")))
        if sys.stderr.isatty()
        else noting(stream.path),
    )
    try:
        engine.watch(
            open_sources(
                rules,
                variant,
                camera or settings.camera,
                port or settings.port,
                settings,
                clock,
                gate,
                art,
                lying,
                recorder,
            )
        )
    except BaseException:
        engine.give_up()
        recorder.abandon()
        raise
    alone = not resume and bool(camera or settings.camera) and not (port or settings.port)
    _say_first(engine, load_rig_table(rules.name)[:1] if alone else ())
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: engine.stop())
    say(
        f"companion: watching; attach a screen in another terminal: {screen_command(stream.path, control)}",
        err=True,
    )
    alive = complaining(lambda: engine.session.health, parent_watch())
    try:
        say(engine.run(_telling(recorder, lambda said: engine.session.tell(said, "notice"), alive)), err=True)
    except BadInputError as error:
        raise BadInputError(
            error.what, where=" and ".join(filter(None, (camera, port))), next_step=error.next_step
        ) from None
    finally:
        recorder.close()


def _say_first(engine: "Engine", rigs: "Sequence[RigRow]") -> None:
    """Say what was repaired, and what the table cannot prove.

    The first is about the journal, and printed; the second goes to the screens. `rigs`: kinds of rig whose
    limits hold for this table; empty for none.
    """
    if engine.salvaged:
        say(f"companion: {engine.salvaged}", err=True)
    for rig in rigs:
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
    """Recorder into `folder`, or one that records nothing.

    None as `folder` means no recording. `most_mb`: greatest size of the recording (MB). `art`: file of enrolled
    cards, which is copied. BadInputError if files of other programs lie in the folder.
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
    """Wrap `alive` in a function that also passes on recorder's news.

    A call of the function prints news on stderr, gives them to `tell` for the screens, and returns `alive()`.
    """

    def still() -> bool:
        for said in recorder.news():
            say(f"companion: {localized(said)}", err=True)
            tell(said)
        return alive()

    return still


def _check_named(camera: str, port: str) -> None:
    """Check that a named table has a camera or board.

    `--at` names a table. BadInputError if `camera` and `port` are both "". Tables without a name are not
    checked.
    """
    if own_name() and not camera and not port:
        raise BadInputError(
            text("this table has no rig, no camera and no board"),
            where=own_name(),
            next_step=shlex.join(["companion", "setup", *at_words()]),
        )


def _other_engines(own: Path) -> list[bool]:
    """For each other engine of this user on this machine: True if it began before this process.

    `own`: socket of this engine.
    """
    folder = shared_runtime_path()
    sockets = {*folder.glob("engine.sock"), *folder.glob("*/engine.sock")} - {own}
    mine = _began(os.getpid())
    return [_began(pid) < mine for pid in map(process_behind, sockets) if pid is not None]


def _began(pid: int) -> int:
    """Start of a process, in clock ticks since the machine's.

    0 if the process is gone.
    """
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0


def _forget_names(config: Path | None) -> None:
    """Remove players' names from settings and last start.

    `config`: settings file; None: the usual one. If this fails, the game goes on.
    """
    file = config or config_file()
    with contextlib.suppress(BadInputError, OSError):
        forget_last_names()
        if load_config(config).player_names:
            write_entries(file, {("player_names",): []})
            before(file).unlink(missing_ok=True)


def _remove_old(days: int) -> None:
    """Remove games that began more than `days` days ago.

    If this fails, a message says so and the game begins. A separate process does it, as the engine has no use
    for the modules that read the history.
    """
    oldest = datetime.now().date() - timedelta(days)  # noqa: DTZ005 # the family's day
    forget = companion_command("forget", "--before", oldest.isoformat(), "--yes", "--own")
    done = subprocess.run(forget, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        say(text("companion: old games were not removed: {why}", why=printable(done.stderr.strip())), err=True)


def complaining(
    health: Callable[[], Mapping[str, "SensorHealth"]], alive: Callable[[], bool]
) -> Callable[[], bool]:
    """Wrap `alive` in a function that also reports failing sensors.

    A call of the function looks at `health()` (name of a sensor -> its state), and returns `alive()`. A failure
    is printed on stderr once, until its reason changes; a recovery is printed, too.
    """
    failing: dict[str, str] = {}

    def still() -> bool:
        for name, one in health().items():
            if not one.ok and failing.get(name) != one.detail:
                failing[name] = one.detail
                said = one.detail or tr("no word from it")
                say(f"companion: {sensor_name(name)}: {localized(said)}", err=True)
            elif one.ok and failing.pop(name, None) is not None:
                say("companion: " + tr("{sensor} is back", sensor=sensor_name(name)), err=True)
        return alive()

    return still
