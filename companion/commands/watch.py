"""`companion watch`: values of every sensor of the rig now, and a bench test of each part."""

import json
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.clock import Clock, RealClock
from companion.core.config import Config, load_config, speak_as_set
from companion.core.errors import BadInputError, SourceError
from companion.core.language import localized, text
from companion.core.option_types import FILE_PATH, FiniteRange, at_option, language_option
from companion.core.plugged_in import cameras
from companion.core.printable import say
from companion.core.sensor_terms import place_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.watch.bench_tests import BenchResult, Board
    from calibration.watch.camera_values import CameraValues
    from calibration.watch.virtual_bench import VirtualBench
    from firmware.host.messages import Connected

MEASURED_S = 3.0
"""Time (s) for which --json measures if --seconds is not given. A guess."""
TICK_S, LINES_S = 0.02, 1.0
"""TICK_S: time (s) between two readings of board and camera. LINES_S: between two lines about a sensor."""
_PARTS = ("scale", "touch", "matrix", "reader", "button", "camera")
_EPILOG = """With --bench each part is tested alone, before it is glued in: follow the lines, and mind the
count-down. What comes too soon is asked for again. Exit status 0 only if every number is in its range,
else 1."""


@click.command(epilog=_EPILOG)
@click.argument("part", required=False, type=click.Choice(_PARTS))
@click.option("--bench", is_flag=True, help="Test each sensor alone, against the range in which it must be.")
@click.option("--station", default="", help="Only the sensors of this station of the rig.")
@click.option("--grams", type=FiniteRange(5, 2000), default=100.0, show_default=True,
              help="With --bench: weight of what you lay on a scale; 100 g is a bar of chocolate.")  # fmt: skip
@click.option("--port", default="", help="Serial port of the board; the configured or only one otherwise.")
@click.option("--camera", default="", help="Camera to watch; the configured or first one for `camera`.")
@click.option("--rig", help="The rig profile of companion setup; the only one without it.")
@click.option("--config", type=FILE_PATH, help="Settings file (TOML).")
@click.option("--seconds", type=FiniteRange(0.5, 3600), help="End after so long; with --json measure so long.")
@click.option("--lines", is_flag=True, help="Lines of text once a second, not bars.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--table", type=click.Choice(["real", "virtual"]), default="real", help="virtual: a board without parts."
)
@click.option(
    "--defect", metavar="NAME", default="", help="Of the virtual board: something that is wrong with it."
)
@language_option
@at_option
def watch(
    part: str | None,
    bench: bool,
    station: str,
    grams: float,
    port: str,
    camera: str,
    rig: str | None,
    config: Path | None,
    seconds: float | None,
    lines: bool,
    as_json: bool,
    table: str,
    defect: str,
) -> None:
    """Show each sensor's raw value, its rest, the threshold, the noise and the rate, live.

    PART shows one kind: scale, touch, matrix, reader, button or camera. In a terminal each sensor has a bar,
    whose middle is the threshold; what is wrong is said below it.
    """
    from calibration.rig_store import configured_rig

    settings = load_config(config)
    speak_as_set(settings)
    settings = configured_rig(settings, rig)
    if table == "real" and defect:
        raise BadInputError(text("only a virtual board has defects"), next_step=text("add --table virtual"))
    clock = RealClock()
    with ExitStack() as stack:
        watched = _Watched(stack, settings, clock, part or "", port, camera, table, defect)
        if station and watched.board is not None:
            watched.check_station(station)
        if bench:
            _bench(watched, station, grams, as_json)
        elif as_json:
            _wait(watched, seconds or MEASURED_S)
            click.echo(json.dumps(watched.plain(station), default=str))
        elif lines or seconds or not (sys.stdin.isatty() and sys.stdout.isatty()):
            _lines(watched, station, seconds)
        else:
            _screen(watched, station)


class _Watched:
    """Board and camera that are watched, with their latest values.

    `board` or `camera` is None if not asked for, or not found. `part`: kind of sensor; "": all kinds. `port`,
    `camera`: named devices; "": the configured ones. `table`: "real" or "virtual". `defect`: what is wrong with
    a virtual board; "": nothing. `stack` closes both. SourceError if a part asked for is missing.
    """

    def __init__(
        self,
        stack: ExitStack,
        settings: Config,
        clock: Clock,
        part: str,
        port: str,
        camera: str,
        table: str,
        defect: str,
    ) -> None:
        from calibration.watch.live_values import LiveValues

        self.part, self.clock = part, clock
        # Thresholds are as in a game with this rig.
        self.values = LiveValues(partial(_settings_of, settings))
        self.board: Board | None = None
        self.virtual: VirtualBench | None = None
        self.camera: CameraValues | None = None
        spec = camera or ("" if table == "virtual" else settings.camera)
        if part == "camera" and not spec:
            spec = next((device for device, _ in cameras()), "")
            if not spec:
                raise SourceError(
                    text("no camera found"), where="watch", next_step=text("name it with --camera")
                )
        if spec and part in ("", "camera"):
            self.camera = _camera(stack, spec, clock)
        if part != "camera":
            self._open_board(stack, settings, port, table, defect)

    def _open_board(self, stack: ExitStack, settings: Config, port: str, table: str, defect: str) -> None:
        """Open the virtual board, or the one at `port`.

        SourceError if none is found, unless a camera is watched and no port is named.
        """
        from companion.sensing import board_words
        from firmware.host.link import open_link

        if table == "virtual":
            from calibration.watch.virtual_bench import VirtualBench

            self.virtual = VirtualBench(self.clock, defect=defect)
            stack.callback(self.virtual.close)
            self.board = self.virtual
            return
        try:
            with board_words.in_words():
                link = open_link(
                    port or settings.port or "auto", self.clock, expected=settings.fingerprints.board
                )
        except SourceError:
            if self.camera is None or port:
                raise
            return  # a rig of a camera alone
        stack.callback(link.close)
        self.board = _RealBoard(link)

    def look(self) -> None:
        """Receive the board's messages, and read the camera once.

        To be called every TICK_S.
        """
        if self.board is not None:
            self.values.ask(self.board.link, self.clock.now())
            self.values.take(self.board.poll())
        if self.camera is not None:
            self.camera.look()

    def check_station(self, station: str) -> None:
        """BadInputError if the rig has no such station, SourceError if no board is found."""
        self.connect()
        names = tuple(one.name for one in self.values.stations)
        if station not in names:
            raise BadInputError(
                text("no such station"), where=station, next_step=text("choose one of: {names}", names=names)
            )

    def connect(self) -> None:
        """Wait for the board's greeting and first values.

        Nothing without a board, or if it has greeted.

        SourceError if no suitable board answers.
        """
        from calibration.watch.bench_tests import Bench

        if self.board is not None and self.values.met is None:
            one = Bench(self.board, self.clock, _to_person)
            one.values = self.values
            one.connect()

    def plain(self, station: str) -> dict[str, Any]:
        """Values of all sensors for JSON.

        Keys: "board" (id, firmware and protocol; None without a board), "sensors" (a dict each), "not_reached"
        (station -> rows and columns of its pressure matrix that never reacted) and "camera" (None without one).
        `station`: only this station's sensors; "": all.
        """
        met = self.values.met
        board = (
            None if met is None else {"id": met.board_id, "firmware": met.firmware, "protocol": met.protocol}
        )
        readings = self.values.readings(self.clock.now(), self.part, station)
        return {
            "board": board,
            "sensors": [one.plain() for one in readings],
            "not_reached": {
                name: {"rows": self.values.lines(name)[0], "columns": self.values.lines(name)[1]}
                for name, part in self.values.sensors(self.part, station)
                if part == "matrix"
            },
            "camera": None if self.camera is None else self.camera.plain(),
        }


def _settings_of(settings: Config, met: "Connected") -> "Iterator[tuple[int, str, int]]":
    """Board's settings in a game: (number, station, value).

    The number is one of `CONF_*` of `firmware.wire.codec`. `met`: the board's greeting, which tells its
    sensors.
    """
    from companion.sensing.board_source import board_settings
    from companion.sensing.card_weighing import Scales

    return board_settings(met, Scales(settings.stations), settings.electrodes, settings.wires)


class _RealBoard:
    """Board at a real port, as bench tests use a board: its link, and a function to poll it."""

    def __init__(self, link: Any) -> None:
        self.link = link
        self.poll = link.poll


def _camera(stack: ExitStack, spec: str, clock: Clock) -> "CameraValues":
    """Open a camera, whose values are to be watched.

    `spec`: value of --camera. `stack` closes the camera. SourceError if it cannot be opened.
    """
    from calibration.watch.camera_values import CameraValues
    from companion.sensing.vision_words import in_words
    from vision.camera.open_camera import open_camera

    with in_words():
        opened = open_camera(spec, clock)
    stack.callback(opened.close)
    return CameraValues(opened, clock)


def _to_person(line: str) -> None:
    """Print an instruction for a person on stderr.

    stdout holds the results.
    """
    say(line, err=True)


def _wait(watched: _Watched, seconds: float) -> None:
    """Receive values for `seconds`. SourceError without the board's answer."""
    watched.connect()
    until = watched.clock.now() + seconds
    while watched.clock.now() < until:
        watched.look()
        watched.clock.sleep(TICK_S)


def _lines(watched: _Watched, station: str, seconds: float | None) -> None:
    """Print a line about each sensor every LINES_S.

    `station`: only this station's sensors; "": all. `seconds`: end after this time; None: never. SourceError if
    the board is unplugged.
    """
    from calibration.watch.value_lines import line

    until = float("inf") if seconds is None else watched.clock.now() + seconds
    watched.connect()
    while watched.clock.now() < until:
        _wait(watched, min(LINES_S, until - watched.clock.now()))
        if watched.values.down:
            raise SourceError(watched.values.down, where="watch", next_step=text("plug it in again"))
        for one in watched.values.readings(watched.clock.now(), watched.part, station):
            say(line(one))
        if watched.camera is not None:
            say(watched.camera.line())
        say("")
        sys.stdout.flush()


def _screen(watched: _Watched, station: str) -> None:
    """Show live values on a screen until people leave. `station`: only its sensors; "": all."""
    from calibration.watch.values_screen import ValuesScreen, WatchApp

    screen = ValuesScreen(watched.values, watched.clock, watched.look, watched.part, station, watched.camera)
    WatchApp(screen).run()


def _bench(watched: _Watched, station: str, grams: float, as_json: bool) -> None:
    """Test every sensor asked for, and print each result.

    A person follows instructions meanwhile. `station`: only its sensors; "": all. `grams`: weight (g) that the
    person lays on a scale. SystemExit with status 1 unless all pass.
    """
    from calibration.watch.bench_tests import Bench

    results: list[BenchResult] = []
    tell = partial(_told, results, as_json)
    if watched.board is not None:
        hands = {} if watched.virtual is None else {"do": watched.virtual.do}
        one = Bench(watched.board, watched.clock, _to_person, grams=grams, **hands)
        one.values = watched.values
        watched.connect()
        sensors = watched.values.sensors(watched.part, station)
        if not sensors:
            raise BadInputError(
                text("the rig has no such part"), where=watched.part, next_step="companion doctor"
            )
        for name, part in sensors:
            tell(one.test(name, part))
    if watched.camera is not None:
        tell(watched.camera.test())
    if as_json:
        passed = all(one.passed for one in results)
        click.echo(json.dumps({"passed": passed, "tests": [one.plain() for one in results]}))
    if not all(one.passed for one in results):
        raise SystemExit(1)


def _told(results: "list[BenchResult]", as_json: bool, one: "BenchResult") -> None:
    """Add the result of a sensor's test to `results`, and print it unless `as_json`."""
    from calibration.watch.value_lines import CALLED

    results.append(one)
    if as_json:
        return
    verdict = text("passed") if one.passed else text("NOT PASSED")
    if one.part == "camera":
        say(text("{part}: {verdict}", part=CALLED[one.part], verdict=verdict))
    else:
        say(
            text(
                "{place}, {part}: {verdict}",
                place=place_name(one.station),
                part=CALLED[one.part],
                verdict=verdict,
            )
        )
    for said in (*(number.said for number in one.numbers), one.fault, one.note):
        if said:
            say(f"    {localized(said)}")
