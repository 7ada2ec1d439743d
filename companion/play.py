"""`companion play`: a table, the engine and the dashboard together."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from companion.config import load_config
from companion.errors import BadInputError
from companion.games.registry import check_table, load_game


@click.command()
@click.option("--table", type=click.Choice(["auto", "virtual", "real"]), default="auto", show_default=True,
              help="auto: virtual when no camera and no board is named.")  # fmt: skip
@click.option("--game", help="Which game is on the table.")
@click.option("--variant", help="basic or 5+.")
@click.option("--players", type=int, help="How many play.")
@click.option("--camera", help="Device number, /dev/video0, URL, video file, picture folder, or csi.")
@click.option("--port", help="Serial port of the board, a capture file, or auto.")
@click.option("--seed", type=int, default=1, show_default=True, help="Virtual table: cards and players.")
@click.option("--speed", type=click.FloatRange(0.25, 8), default=1.0, show_default=True,
              help="Virtual table: how fast they play.")  # fmt: skip
@click.option("--noise", default="clean", show_default=True, help="Virtual table: clean, home, rough, hostile.")
@click.option(
    "--show-truth", is_flag=True, help="Virtual table: allow a second view of what really lies where."
)
@click.option("--journal", type=click.Path(path_type=Path), help="Journal file (.jsonl) or folder.")
@click.option("--config", type=click.Path(path_type=Path), help="Settings file (TOML).")
def play(
    table: str,
    game: str | None,
    variant: str | None,
    players: int | None,
    camera: str | None,
    port: str | None,
    seed: int,
    speed: float,
    noise: str,
    show_truth: bool,
    journal: Path | None,
    config: Path | None,
) -> None:
    """Play a game with the companion beside it. Without parts of your own, a virtual table plays."""
    settings = load_config(config)
    game, variant, players = game or settings.game, variant or settings.variant, players or settings.players
    camera, port = camera or settings.camera, port or settings.port
    check_table(load_game(game), variant, players)
    virtual = table == "virtual" or (table == "auto" and not camera and not port)
    if table == "real" and not camera and not port:
        raise BadInputError("no camera and no board is named", next_step="add --camera 0 or --port auto")
    with tempfile.TemporaryDirectory(prefix="companion-") as folder, contextlib.ExitStack() as stack:
        home = Path(folder)
        engine = ["run", "--game", game, "--variant", variant, "--players", str(players)]
        engine += ["--socket", str(home / "engine.sock")]
        engine += [] if config is None else ["--config", str(config)]
        engine += [] if journal is None else ["--journal", str(journal)]
        if virtual:
            card = home / "table.json"
            world = ["table", "--variant", variant, "--players", str(players), "--seed", str(seed)]
            world += ["--speed", str(speed), "--noise", noise, "--address", str(card)]
            stack.enter_context(_process(world, home / "table.log"))
            engine += ["--table", str(card)]
        else:
            engine += ["--camera", camera] if camera else []
            engine += ["--port", port] if port else []
        stack.enter_context(_process(engine, home / "engine.log"))
        # Textual takes half a second to load: the others start meanwhile.
        from companion.dashboard.app import Dashboard

        control = home / "world.sock" if virtual else None
        Dashboard(engine=home / "engine.sock", table=control, show_truth=show_truth).run()


@contextlib.contextmanager
def _process(arguments: list[str], log: Path) -> Iterator[None]:
    """Another part of the program beside this one; it ends when this one does."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", *arguments],
            stdin=subprocess.PIPE,  # its end of file tells the part that we are gone, even if we were killed
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # Ctrl-C in the terminal is the dashboard's business
        )
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
