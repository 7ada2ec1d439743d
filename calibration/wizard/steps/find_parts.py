"""Setup step: find camera, board and their parts, and whether this user may open them."""

import getpass
import re
import shutil
from collections.abc import Iterator
from typing import Any, Protocol

from calibration.doctor.machine_checks import FREE_GOOD_MB, FREE_USABLE_MB
from calibration.wizard.setup_bench import MISWIRED, SetupBench
from calibration.wizard.setup_requests import ChooseCamera
from calibration.wizard.step_result import Check, StepResult, Verdict, rate, result_of
from companion.core.config import Fingerprints, rigs_dir
from companion.core.language import plural, text
from companion.core.sensor_terms import place_name, sensor_name
from companion.games.table_game import TableGame
from companion.sensing.board_words import parts_of
from companion.sensing.link_status import part_name
from firmware.flashing.manifest import code_hash
from vision.camera.camera_identity import camera_fingerprint

NAME = "find"
WIDTH_GOOD, WIDTH_USABLE = 1900, 1200
"""Least widths (px) of a picture at which the camera is good, or usable.

1920 give two pixels per mm over a mat; with 1280, stickers must be larger.
"""
_CLONE = text("it may miss tags; if it does, buy a board with a genuine MFRC522")
_PINS = text("mend the pins in the rig file, then: companion flash")
_TAKEN = re.compile(r"(pin|electrode) (\d+) is already used by (.+)")
"""Pattern of the board's warning that the rig file gives one pin to two parts."""
_ANOTHER_CAMERA = text("another camera than before: {now}")
_ANOTHER_BOARD = text("another board than before: {now}")
_DEAD = {"count": "dead scale", "reader": "dead reader", "texture": "dead matrix", "touch": "dead touch chip"}


class Machine(Protocol):
    """Computer of the rig, real or virtual."""

    def free_mb(self) -> float:
        """Free space (MB) on the disk where profiles are saved."""
        ...


class ThisMachine:
    """Computer on which this program runs."""

    def free_mb(self) -> float:
        """Free space (MB) on the disk where profiles are saved."""
        folder = rigs_dir()
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        return shutil.disk_usage(folder).free / (1 << 20)


def _keep(bench: SetupBench, known: Fingerprints) -> None:
    """Save the names of camera and port in the profile.

    Each once its part has answered; it keeps its name while it is away.
    """
    camera, port = bench.devices.specs
    before = bench.profile.fingerprints
    bench.update(
        fingerprints=Fingerprints(known.camera or before.camera, known.board or before.board),
        camera=(bench.live.frame is not None and camera) or bench.profile.camera,
        port=(bench.board.hello is not None and port) or bench.profile.port,
    )


def find_parts(bench: SetupBench, machine: Machine | None = None) -> StepResult:
    """Connect to camera and board, and report what works.

    The identities of both are saved in the profile. `machine` is asked for free disk space; None for this
    computer.
    """
    camera, board = camera_there(bench), list(_board(bench))
    disk = _disk(machine or ThisMachine())
    info, hello = bench.devices.camera, bench.board.hello
    camera_spec, _ = bench.devices.specs
    known = Fingerprints(
        "" if info is None else camera_fingerprint(camera_spec, info),
        "" if hello is None else hello.board_id,
    )
    others = _others(bench.profile.fingerprints, known)
    found = info is not None or hello is not None or bench.devices.refused is not None
    if disk.verdict is not Verdict.NOT_GOOD and found:
        _keep(bench, known)
    result = result_of(NAME, [*camera, *board, disk, *others])
    if found or result.verdict is not Verdict.GOOD:
        return result
    # A disk with room is no part of a rig.
    nothing = text("nothing found yet")
    return StepResult(NAME, Verdict.NOT_TESTED, said=nothing, fix=text("plug one in"), checks=result.checks)


def _disk(machine: Machine) -> Check:
    """Check of the free space for profiles and journals."""
    free = machine.free_mb()
    level = rate(free, FREE_GOOD_MB, FREE_USABLE_MB)
    full = level is Verdict.NOT_GOOD
    return Check(
        "disk",
        level,
        round(free),
        "MB",
        text("{n} MB free", n=f"{free:.0f}"),
        text("free some space in {folder}", folder=str(rigs_dir().parent)) if full else "",
        "full disk" if full else "",
    )


def _others(before: Fingerprints, now: Fingerprints) -> list[Check]:
    """Checks of parts that are others than were set up, one each.

    `before`, `now`: identities at setup and now.
    """
    parts = (
        ("camera", _ANOTHER_CAMERA, before.camera, now.camera),
        ("board", _ANOTHER_BOARD, before.board, now.board),
    )
    again = text("do its steps again")
    return [
        Check("identity", Verdict.USABLE, None, "", said.of(now=new), again, f"another {what}")
        for what, said, old, new in parts
        if old and new and old != new
    ]


def loss(game: TableGame[Any, Any], sensor: str) -> str:
    """Words for what a game cannot know without a sensor, as a part of a sentence.

    "" if it loses nothing.
    """
    told = game.words.losses.items()
    return next((lost for word, lost in told if word == sensor), "")


def _choose_camera(bench: SetupBench) -> None:
    """Show one camera's picture after another, until the person accepts one.

    If none is accepted, the last one is used.
    """
    for spec, name in bench.devices.choice:
        bench.devices.use_camera(spec)
        bench.live.frame = None
        if bench.frame() is not None and bench.ask(ChooseCamera(name)):
            return


def camera_there(bench: SetupBench) -> list[Check]:
    """Check that the camera delivers pictures, and how wide they are.

    If there are several cameras, the person chooses first.
    """
    _choose_camera(bench)
    refused = bench.devices.refused
    if refused is not None:
        fault = "no permission" if "permission" in refused.what else "dead camera"
        return [Check("camera", Verdict.NOT_GOOD, None, "", refused.what, refused.next_step, fault)]
    if bench.devices.camera is None:
        said = text("no camera: {loss}", loss=loss(bench.game, "camera") or text("cards are not seen"))
        return [Check("camera", Verdict.NOT_TESTED, None, "", said, text("plug one in"))]
    frame = bench.frame(5.0)
    if frame is None:
        return [
            Check(
                "camera",
                Verdict.NOT_GOOD,
                None,
                "",
                text("no picture in five seconds"),
                text("check its cable; is another program using it?"),
                "dead camera",
            )
        ]
    height, width = frame.size
    level = rate(width, WIDTH_GOOD, WIDTH_USABLE)
    low = level is not Verdict.GOOD
    better = text("choose a camera, or a setting, of 1920 x 1080")
    size = f"{width} x {height} px"
    return [Check("camera", level, width, "px", size, better if low else "", "low resolution" if low else "")]


def _board(bench: SetupBench) -> Iterator[Check]:
    if bench.link is None:
        said = text("no board: {loss}", loss=loss(bench.game, "board") or text("this game needs none"))
        yield Check(
            "board", Verdict.NOT_TESTED, None, "", said, text("plug one in, then: companion setup find")
        )
        return
    hello = bench.connect()
    if hello is None:
        yield _no_answer(bench)
        return
    if hello.code_hash != code_hash():
        said = text(
            "it runs {version}, code {code}; this is {ours}",
            version=hello.firmware,
            code=f"{hello.code_hash:08x}",
            ours=f"{code_hash():08x}",
        )
        yield Check("firmware", Verdict.NOT_GOOD, None, "", said, "companion flash", "old firmware")
    tested = [result for station in hello.stations if (result := bench.selftest(station.name))]
    complaints = list(_complaints([*bench.board.warnings, *tested]))
    yield from complaints
    told = {check.name for check in complaints}
    silent = [check for check in _silent(bench) if check.name not in told]
    yield from silent
    working = len(hello.stations) - len({check.name for check in silent})
    names = tuple(place_name(one.name) for one in hello.stations)
    said = plural("{n} station: {names}", "{n} stations: {names}", n=len(hello.stations), names=names)
    yield Check("board", Verdict.GOOD, working, "stations", said)


def _no_answer(bench: SetupBench) -> Check:
    down = bench.board.down
    reason = text("nothing on this port answers") if down is None else parts_of(down.reason)[0]
    if "no permission" in reason:
        fix = text("{command}; then log out and in again", command=f"sudo usermod -aG dialout {_user()}")
        return Check("board", Verdict.NOT_GOOD, None, "", reason, fix, "no permission")
    if down is not None and "protocol" in reason:
        return Check("firmware", Verdict.NOT_GOOD, None, "", reason, "companion flash", "old firmware")
    fix = text("check the cable; a new board needs: companion flash")
    return Check("board", Verdict.NOT_GOOD, None, "", reason, fix, "dead board")


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "$USER"


def _complaints(told: list[str]) -> Iterator[Check]:
    """Checks from the board's warnings, each named after its part."""
    for line in told:
        name = line.split(":")[0].split(" (")[0]
        part = sensor_name(name)
        if "clone" in line:
            said = text("{part}: the chip is a copy of the MFRC522", part=part)
            yield Check(name, Verdict.USABLE, None, "", said, _CLONE, "clone reader")
        elif any(words in line for words in MISWIRED):
            yield Check(name, Verdict.NOT_GOOD, None, "", _miswired(part, line), _PINS, "wrong pin")


def _miswired(part: str, line: str) -> str:
    """Sentence that the rig file wires `part` wrongly, made from the board's warning `line`."""
    taken = _TAKEN.search(line)
    if taken is None:
        return text("{part}: the rig file cannot be right: {why}", part=part, why=line.partition(": ")[2])
    said = text("{part}: its pin {number} is that of another part, too: {other}")
    if taken[1] == "electrode":
        said = text("{part}: its electrode {number} is that of another part, too: {other}")
    return said.of(part=part, number=taken[2], other=sensor_name(taken[3]))


def _silent(bench: SetupBench) -> Iterator[Check]:
    hello = bench.board.hello
    told = set()
    for part in bench.board.silent:
        told.add(part_name(part))
        capability = part.capabilities[0]
        what = _DEAD.get(capability, f"dead {capability}")
        if part in bench.board.broken_wires:
            yield Check(
                part_name(part),
                Verdict.NOT_GOOD,
                None,
                "",
                text("{part}: it reads numbers that no weight makes", part=sensor_name(part_name(part))),
                text("a wire between cell and amplifier is broken: check red, black, white, green"),
                "broken bridge wire",
            )
            continue
        yield Check(
            part_name(part),
            Verdict.NOT_GOOD,
            None,
            "",
            text("no answer: {part}", part=sensor_name(part_name(part))),
            text("check its power and its wires against the drawing"),
            what,
        )
    for station in () if hello is None else hello.stations:
        for capability in sorted(station.missing):
            name = f"{station.name} {'scale' if capability == 'count' else capability}"
            if name not in told and not any(
                part.serves(station.name, capability) for part in bench.board.silent
            ):
                what = _DEAD.get(capability, f"dead {capability}")
                yield Check(
                    name,
                    Verdict.NOT_GOOD,
                    None,
                    "",
                    text("no answer: {part}", part=sensor_name(name)),
                    text("check its power and its wires against the drawing"),
                    what,
                )
