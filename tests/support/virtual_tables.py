"""A virtual table without a board, and time that passes at it."""

from companion.core.clock import ManualClock
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.virtual_table import VirtualTable

TICK = 1 / 15


def a_table(seed: int = 1, variant: str = "basic", players: int = 2, **options) -> VirtualTable:
    options.setdefault("board", NoBoard())
    return VirtualTable(seed, variant, players, clock=ManualClock(), **options)


def run(table: VirtualTable, seconds: float) -> None:
    until = table.clock.now() + seconds
    while table.clock.now() < until and not table.over:
        table.clock.sleep(TICK)
        table.step(table.clock.now())


def run_until(table: VirtualTable, condition, limit: float = 400.0) -> None:
    until = table.clock.now() + limit
    while not condition():
        assert table.clock.now() < until, "it never happened"
        run(table, TICK)
