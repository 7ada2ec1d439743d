"""Recordings of the virtual table, made as those of real tables are; as a program: the one in tests/recordings.

python -m tests.support.recorded_table
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from companion.commands.pack import pack
from companion.rehearse.game_report import GameReport
from companion.rehearse.games_in_pixels import LONGEST_GAME_S, rehearse_game
from companion.virtual.card_art import PRINTED, STICKERS

RECORDINGS = Path(__file__).parents[1] / "recordings"
SEED, PLAYERS, PACE, RASH = 7, 2, 0.3, 1.0
"""Players who claim after every check, and quickly: much happens in a minute."""
BEGINNING_S = 50.0


def recorded(
    folder: Path,
    seconds: float = LONGEST_GAME_S,
    seed: int = SEED,
    *,
    rig: str = "full",
    cards: str = STICKERS,
    mat: str = PRINTED,
) -> GameReport:
    """Record so many seconds of a game into a new folder; `rig`, `cards` and `mat` as in `rehearse_game`."""
    return rehearse_game(
        seed,
        "5+",
        PLAYERS,
        rig=rig,
        pace=PACE,
        rash=RASH,
        cards=cards,
        mat=mat,
        record_as_played=folder,
        longest_s=seconds,
    )


def packed(folder: Path, out: Path, *options: str) -> str:
    """Pack a recording; what the command says."""
    done = CliRunner().invoke(pack, [str(folder), "-o", str(out), "--yes", *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


if __name__ == "__main__":
    with TemporaryDirectory() as scratch:
        recorded(Path(scratch) / "evening", BEGINNING_S)
        made = Path(scratch) / "beginning.tar.gz"
        packed(Path(scratch) / "evening", made, "--small")
        shutil.move(made, RECORDINGS / "sleepless-princess-beginning.tar.gz")
