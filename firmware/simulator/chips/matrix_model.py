"""Velostat pressure matrix: the converter's reading at the selected crossing."""

from firmware.simulator.chips.model_time import Chance

SIZE = 16


class MatrixModel:
    """`press` sets a pattern of 0..1. Faults: `sigma`, `creep` (0..1), `dead`.

    `dead_rows` and `dead_cols`: numbers of lines with a broken wire, which read zero.
    """

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.sigma = 0.0
        self.creep = 0.0
        self.dead = False
        self.dead_rows: list[int] = []
        self.dead_cols: list[int] = []
        self.row = 0
        self.col = 0
        self._cells = [0.0] * (SIZE * SIZE)

    def press(self, cells: list[float]) -> None:
        """256 pressures 0..1, row by row."""
        if len(cells) != SIZE * SIZE:
            raise ValueError("a pattern has 16 rows of 16")
        self._cells = cells

    def read_u16(self) -> int:
        """The converter's reading at the selected crossing, 0..65535."""
        if self.dead or self.row in self.dead_rows or self.col in self.dead_cols:
            return 0
        value = self._cells[self.row * SIZE + self.col] + self.creep
        if self.sigma:
            value += self.chance.normal() * self.sigma
        if value <= 0:
            return 0
        return 65535 if value >= 1 else int(value * 65535)
