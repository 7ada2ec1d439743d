"""A first evening at a virtual table: people print, lay and show cards, and a rig profile results."""

from calibration.profile import RigProfile
from calibration.virtual_rig.virtual_setup import VirtualSetup
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_run import EVENING, SetupRun
from companion.games.registry import load_game
from companion.rehearse.pixels import FRAME_S
from companion.virtual.card_art import CORNERS, Art

PATIENCE_S = 6.0
"""Longest wait (s) for something that the virtual people were asked to do. A guess."""
NOT_PRINTED = "(nothing is printed at a virtual table)"
"""Text that stands for the printed file's name, because a rehearsal prints nothing."""


def rig_of_first_evening(game: str, variant: str, seed: int, noise: str) -> RigProfile:
    """Set up a virtual table as on a first evening.

    Returns the rig profile. The table has a camera and no board, four corner cards on a cloth, and cards
    without stickers, which are known by their art. `noise`: name of a noise profile, which says how often
    sensors err.
    """
    table = VirtualSetup(game, variant, seed=seed, noise=noise, has_board=False, art=Art.of(seed), mat=CORNERS)
    bench = SetupBench(
        load_game(game), variant, table, table, table.clock, patience_s=PATIENCE_S, tick_s=FRAME_S / 2
    )
    SetupRun(bench, print_paper=lambda: NOT_PRINTED).run(EVENING)
    table.close()
    return bench.profile
