"""Model of a Velostat pressure matrix behind two multiplexers."""

# MicroPython's zip has no keyword.
# ruff: noqa: B905

from math import exp, sqrt

from firmware.simulator.chips.matrix_network import SIZE, MatrixCircuit, MatrixNetwork, crossing_siemens
from firmware.simulator.chips.model_time import Chance, ModelTime

FULL_SCALE = 65535


class MatrixModel:
    """Pressure matrix with its multiplexers and converter.

    Faults: `sigma` is noise of the sheet, as a share of the conductance at pressure 1. `creep` is a pressure (0
    to 1) on every crossing. `spread` (0 to 1) makes crossings differ. `dead`: nothing is read.

    `dead_rows` and `dead_cols` list lines with a broken wire. `shorted_rows` and `shorted_cols` list pairs of
    lines that touch, `shorted_crossings` pairs of a row and a column. A fault is felt from the next selected
    line on.
    """

    def __init__(self, time: ModelTime, chance: Chance, circuit: MatrixCircuit | None = None) -> None:
        self.time = time
        self.chance = chance
        self.circuit = circuit or MatrixCircuit()
        self.sigma = 0.0
        self.creep = 0.0
        self.spread = 0.0
        self.dead = False
        self.dead_rows: list[int] = []
        self.dead_cols: list[int] = []
        self.shorted_rows: list[tuple[int, int]] = []
        self.shorted_cols: list[tuple[int, int]] = []
        self.shorted_crossings: list[tuple[int, int]] = []
        self.row = 0
        self.col = 0
        self._cells = [0.0] * (SIZE * SIZE)
        self._picture = 0
        self._solved_for: tuple[object, ...] | None = None
        self._network: MatrixNetwork | None = None
        self._settled: list[tuple[float, float] | None] = []
        self._selected: tuple[float, float] | None = None
        self._deviations: list[float] = []
        self._full = 0.0
        self._switched_us = 0
        self._sig_volts = 0.0

    def press(self, cells: list[float]) -> None:
        """Set the pressure on every crossing of the sheet.

        `cells`: 256 pressures (0 to 1), row by row; ValueError for another number.
        """
        if len(cells) != SIZE * SIZE:
            raise ValueError("a pattern has 16 rows of 16")
        self._cells = cells
        self._picture += 1
        self._selected = None

    def select_row(self, channel: int) -> None:
        """Connect a row (0 to 15) of the pressure matrix.

        The row is connected with 3.3 V.
        """
        self._switch()
        self.row = channel

    def select_col(self, channel: int) -> None:
        """Connect column 0 to 15 of the pressure matrix with SIG, the measured line."""
        self._switch()
        self.col = channel

    def volts(self) -> float:
        """Voltage (V) of SIG now, without the converter's noise.

        SIG is the measured line.
        """
        # 256 crossings a scan come here twice each: when they are read, and when the next one is selected.
        selected = self._selected
        if selected is None:
            selected = self._selected = self._crossing()
        final, seconds = selected
        passed = (self.time.us - self._switched_us) * 1e-6
        left = exp(-passed / seconds) if passed < 20 * seconds else 0.0
        return final + (self._sig_volts - final) * left

    def read_u16(self) -> int:
        """Read SIG, the measured line of the matrix, with the converter: 0 to 65535."""
        if self.dead:
            return 0
        circuit = self.circuit
        value = self.volts() / circuit.supply_v
        steps = 1 << circuit.adc_bits
        # Noise of the sheet and of the converter: the sum of two normal numbers is one.
        sheet, converter = self.sigma * self._full, circuit.adc_noise_lsb / steps
        if sheet or converter:
            value += self.chance.normal() * sqrt(sheet * sheet + converter * converter)
        step = max(0, min(steps - 1, int(value * steps)))
        return step * FULL_SCALE // (steps - 1)

    def _switch(self) -> None:
        # SIG keeps its charge. The strip that is connected next brings it to another voltage.
        self._sig_volts = self.volts()
        self._switched_us = self.time.us
        self._selected = None

    def _crossing(self) -> tuple[float, float]:
        """Final voltage (V) of SIG at the selected crossing, and its time constant (s)."""
        faults = (
            self.dead_rows,
            self.dead_cols,
            self.shorted_rows,
            self.shorted_cols,
            self.shorted_crossings,
        )
        state = (
            self._picture,
            self.creep,
            self.spread,
            self.circuit,
            tuple([tuple(one) for one in faults]) if any(faults) else (),
        )
        if self._solved_for != state:
            self._solved_for = state
            self._solve()
        at = self.row * SIZE + self.col
        found = self._settled[at]
        if found is None and self._network is not None:
            found = self._settled[at] = self._network.settled(self.row, self.col)
        return found or (0.0, 1e-9)

    def _solve(self) -> None:
        """Recompute the resistor network for present pressures and faults."""
        circuit = self.circuit
        if self.spread and not self._deviations:
            self._deviations = [self.chance.normal() for _ in range(SIZE * SIZE)]
        crossings = [crossing_siemens(circuit, cell + self.creep) for cell in self._cells]
        if self.spread:
            crossings = [g * exp(self.spread * d) for g, d in zip(crossings, self._deviations)]
        shorts = list(self.shorted_rows)
        shorts += [(SIZE + a, SIZE + b) for a, b in self.shorted_cols]
        shorts += [(row, SIZE + col) for row, col in self.shorted_crossings]
        self._network = MatrixNetwork(circuit, crossings, self.dead_rows, self.dead_cols, shorts)
        self._settled = [None] * (SIZE * SIZE)
        # Noise of the sheet is noise of conductances, so neighbours take as much of it as of the strongest
        # crossing.
        strongest = max(crossings)
        at = crossings.index(strongest)
        volts = self._network.settled(at // SIZE, at % SIZE)[0]
        left = min(1.0, volts / (circuit.supply_v * self._alone(strongest)))
        self._full = left * self._alone(1.0 / circuit.pressed_ohm)

    def _alone(self, siemens: float) -> float:
        """Share of the supply that one crossing (`siemens`, S) reads if no other crossing conducts."""
        sig_ohm = self.circuit.sig_ohm
        return sig_ohm / (sig_ohm + 2 * self.circuit.switch_ohm + 1.0 / siemens)
