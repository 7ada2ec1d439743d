"""`companion doctor`: what works on this machine, what does not, and the fix, a line each."""

import ctypes.util
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from companion.clock import RealClock
from companion.config import Config, config_file, load_config, runtime_dir, state_dir
from companion.errors import CompanionError


class Finding(NamedTuple):
    """One thing looked at: its name, ok / missing / broken, what was found, and the fix if one is needed."""

    name: str
    state: str
    detail: str
    fix: str = ""


@click.command()
@click.option("--config", type=click.Path(path_type=Path), help="Settings file (TOML).")
@click.option("--camera", help="Camera to try; the configured one otherwise.")
@click.option("--port", help="Port to try; the configured one otherwise.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(config: Path | None, camera: str | None, port: str | None, as_json: bool) -> None:
    """Say what works, what does not, and how to mend it."""
    findings = list(examine(config, camera, port))
    if as_json:
        click.echo(msgspec.json.encode({"findings": [finding._asdict() for finding in findings]}))
    else:
        marks = {"ok": "ok     ", "missing": "missing", "broken": "BROKEN "}
        for finding in findings:
            click.echo(f"{marks[finding.state]}  {finding.name}: {finding.detail}")
            if finding.fix:
                click.echo(f"         -> {finding.fix}")
    if any(finding.state == "broken" for finding in findings):
        raise SystemExit(1)


def examine(config: Path | None, camera: str | None, port: str | None) -> Iterator[Finding]:
    """Look at everything the program needs, one finding after another."""
    yield Finding("python", "ok", sys.version.split()[0])
    yield Finding("opencv", "ok", metadata.version("opencv-python-headless"))
    yield Finding("zxing-cpp", "ok", metadata.version("zxing-cpp"))
    if ctypes.util.find_library("zbar"):
        yield Finding("libzbar0", "ok", "a second opinion on stickers")
    else:
        yield Finding("libzbar0", "missing", "no second opinion on stickers", "sudo apt install libzbar0")
    settings = Config()
    try:
        settings = load_config(config)
        yield Finding(
            "settings", "ok", str(config or config_file()) if (config or config_file()).exists() else "defaults"
        )
    except CompanionError as error:
        yield Finding("settings", "broken", error.what, error.next_step)
    yield from (
        _writable(name, folder) for name, folder in (("journals", state_dir()), ("sockets", runtime_dir()))
    )
    yield _tried("camera", camera or settings.camera, _try_camera, "name one: --camera 0")
    yield _tried("board", port or settings.port, _try_board, "plug it in and name it: --port auto")
    colours = os.environ.get("COLORTERM") or os.environ.get("TERM", "unknown")
    size = shutil.get_terminal_size()
    small = size.columns < 80 or size.lines < 24
    fix = "make the window at least 80 x 24" if small and sys.stdout.isatty() else ""
    yield Finding("terminal", "ok", f"{size.columns} x {size.lines}, {colours}", fix)


def _writable(name: str, folder: Path) -> Finding:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return Finding(name, "broken", f"{folder}: {error.strerror}", "free the path or set XDG_STATE_HOME")
    free = shutil.disk_usage(folder).free
    if not os.access(folder, os.W_OK):
        return Finding(
            name, "broken", f"{folder} is not writable", f"chown it to {os.environ.get('USER', 'you')}"
        )
    if free < 50 << 20:
        return Finding(name, "broken", f"{folder}: only {free >> 20} MB free", "free some space")
    return Finding(name, "ok", f"{folder}, {free >> 30} GB free")


def _tried(name: str, spec: str, attempt: Callable[[str], str], next_step: str) -> Finding:
    if not spec:
        return Finding(name, "missing", "none is named: the virtual table is used", next_step)
    try:
        return Finding(name, "ok", f"{spec}: {attempt(spec)}")
    except CompanionError as error:
        return Finding(name, "broken", str(error.args[0]), error.next_step)


def _try_camera(spec: str) -> str:
    from companion.errors import SourceError
    from vision.capture import open_camera

    clock = RealClock()
    with open_camera(spec, clock) as camera:
        until = clock.now() + 5
        while clock.now() < until:
            frame = camera.read()
            if frame is not None:
                height, width = frame.image.shape[:2]
                return f"{width} x {height}, {camera.info.kind}"
            clock.sleep(0.05)
        raise SourceError(
            camera.state.detail or "no picture in five seconds", where=spec, next_step="check the cable"
        )


def _try_board(spec: str) -> str:
    from companion.errors import SourceError
    from firmware.link import open_link
    from firmware.messages import Connected, Disconnected

    clock = RealClock()
    link = open_link(spec, clock)
    until, said = clock.now() + 3, ""
    try:
        while clock.now() < until:
            for message in link.poll():
                if isinstance(message, Connected):
                    return f"firmware {message.firmware}, {len(message.stations)} stations"
                if isinstance(message, Disconnected):
                    said = message.reason
            clock.sleep(0.02)
    finally:
        link.close()
    raise SourceError(
        said or "no answer in three seconds", where=spec, next_step="is the board's program on it?"
    )
