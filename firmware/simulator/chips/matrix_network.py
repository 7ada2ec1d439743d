"""Resistor network of a 16 x 16 matrix between multiplexers.

It is a pressure matrix, and there are two multiplexers. Rows that are not selected float, so current detours
through other pressed crossings. Nodal analysis finds these detours: 32 strips are nodes, 256 crossings are
resistors. The nodal matrix without multiplexers is inverted once a picture. The selected row and column are an
update of rank 2, in closed form for each crossing.

MicroPython subset without NumPy, because real MicroPython runs the same models.
"""

# MicroPython's zip has no keyword.
# ruff: noqa: B905

SIZE = 16


class MatrixCircuit:
    """Circuit of one matrix: fields with unit and source.

    Both stand beside each field. A maker solders `row_ohm`, `col_ohm` and `sig_ohm`. All other fields are
    properties of bought parts.
    """

    supply_v = 3.3  # the Pico's 3V3 pin
    row_ohm = 470  # from each row to ground, 0 for no resistor: nodal analysis, 100 % of presses right
    col_ohm = 0  # from each column to ground, 0 for no resistor
    sig_ohm = 2200  # from the column multiplexer's SIG to ground: nodal analysis
    switch_ohm = 85.0  # a closed switch of the 74HC4067 at 3.3 V: 70 to 100, data sheet
    leak_ohm = 1e9  # an open switch and the board's surface: 3 nA at 3.3 V, typical in the data sheet
    pressed_ohm = 12400.0  # a crossing of 9 mm2 at pressure 1: 7,000 for 16 mm2, as simulated from literature
    curve = 1.0  # exponent of conductance over pressure: Velostat, 0.7 to 1.2 in literature
    idle_ohm = 2e6  # a crossing nobody presses: sheets that barely touch, a guess
    strip_pf = 100.0  # a copper strip 160 mm long to all others: HARDWARE figures
    sig_pf = 60.0  # the SIG line: 50 pF of the multiplexer's common pin (data sheet) and the wire
    adc_bits = 12  # RP2040 data sheet, chapter 4.9
    adc_noise_lsb = 2.9  # 8.7 effective bits of 12: RP2040 data sheet, table of the converter
    adc_hold_us = 0.5  # sampling ends so long after a reading starts: 96 cycles at 48 MHz hold 25 % of them

    def changed(self, **fields: float) -> "MatrixCircuit":
        """Copy the circuit with other values for some fields; AttributeError for an unknown field."""
        other = MatrixCircuit()
        for field in dir(self):
            if field[0] != "_" and field != "changed" and getattr(self, field) != getattr(other, field):
                setattr(other, field, getattr(self, field))
        for field, value in fields.items():
            getattr(self, field)
            setattr(other, field, value)
        return other


def as_drawn_without_row_resistors() -> MatrixCircuit:
    """Circuit of a maker without the 16 row resistors, with 10 k at SIG."""
    return MatrixCircuit().changed(row_ohm=0, sig_ohm=10000)


def crossing_siemens(circuit: MatrixCircuit, pressure: float) -> float:
    """Conductance (S) of a crossing at pressure 0 to 1."""
    idle = 1.0 / circuit.idle_ohm
    if pressure <= 0:
        return idle
    return float(idle + min(pressure, 1.0) ** circuit.curve / circuit.pressed_ohm)


class MatrixNetwork:
    """Voltages that SIG, the measured line of a pressure matrix, takes for one picture.

    `crossings` are 256 conductances (S), row by row. `open_rows` and `open_cols` have a broken wire: their
    strips float, with their resistors. `shorts` are pairs of connected nodes, 0 to 15 for rows and 16 to 31 for
    columns.
    """

    def __init__(
        self,
        circuit: MatrixCircuit,
        crossings: list[float],
        open_rows: list[int],
        open_cols: list[int],
        shorts: list[tuple[int, int]],
    ) -> None:
        self._circuit = circuit
        self._open_rows = open_rows
        self._open_cols = open_cols
        self._inverse = _inverse_of_strips(circuit, crossings, open_rows, open_cols)
        for a, b in shorts:
            _join(self._inverse, a, b, 1.0)

    def settled(self, row: int, col: int) -> tuple[float, float]:
        """Voltage of SIG, the measured line, when one crossing has been selected for long.

        `row`, `col`: 0 to 15. Returns (final voltage in V, time constant in s until then).
        """
        circuit = self._circuit
        sig_pf = circuit.sig_pf * 1e-12
        if col in self._open_cols:
            return 0.0, circuit.sig_ohm * sig_pf
        inverse = self._inverse
        node = SIZE + col
        own, other, mutual = inverse[row][row], inverse[node][node], inverse[row][node]
        determinant = own * other - mutual * mutual
        drive = 0.0 if row in self._open_rows else 1.0 / circuit.switch_ohm
        load = 1.0 / (circuit.switch_ohm + circuit.sig_ohm)
        whole = 1.0 + load * other + drive * own + determinant * drive * load
        volts = mutual * drive * circuit.supply_v / whole
        source_ohm = (other + determinant * drive) / whole
        return volts * circuit.sig_ohm * load, source_ohm * (circuit.strip_pf * 1e-12 + sig_pf)


def _inverse_of_strips(
    circuit: MatrixCircuit, crossings: list[float], open_rows: list[int], open_cols: list[int]
) -> list[list[float]]:
    """Inverse (32 x 32, ohm) of the nodal matrix of all strips, all switches open.

    Columns touch rows alone, so their block is diagonal and is eliminated first (Schur complement).
    """
    sizes = range(SIZE)
    leak = 1.0 / circuit.leak_ohm
    row_ground = leak + (1.0 / circuit.row_ohm if circuit.row_ohm else 0.0)
    col_ground = leak + (1.0 / circuit.col_ohm if circuit.col_ohm else 0.0)
    rows = [crossings[SIZE * row : SIZE * row + SIZE] for row in sizes]
    cols = [crossings[col::SIZE] for col in sizes]
    col_ohm = [1.0 / (sum(cols[col]) + (leak if col in open_cols else col_ground)) for col in sizes]
    # Conductance from a row to each column, as a share of what holds that column.
    shares = [[g * ohm for g, ohm in zip(row, col_ohm)] for row in rows]
    schur = []
    for a in sizes:
        line = [-sum([x * y for x, y in zip(shares[a], rows[b])]) for b in sizes]
        line[a] += sum(rows[a]) + (leak if a in open_rows else row_ground)
        schur.append(line)
    top = _inverted(schur)
    across = [[sum([x * y for x, y in zip(top[a], column)]) for column in zip(*shares)] for a in sizes]
    inverse = [top[a] + across[a] for a in sizes]
    transposed = [list(column) for column in zip(*across)]
    for a in sizes:
        by_row = [crossings[SIZE * row + a] * col_ohm[a] for row in sizes]
        line = [sum([x * y for x, y in zip(by_row, column)]) for column in transposed]
        line[a] += col_ohm[a]
        inverse.append(transposed[a] + line)
    return inverse


def _inverted(matrix: list[list[float]]) -> list[list[float]]:
    """Invert a symmetric positive definite matrix by Gauss and Jordan, without pivoting."""
    size = len(matrix)
    lines = [list(matrix[a]) + [1.0 if a == b else 0.0 for b in range(size)] for a in range(size)]
    for a in range(size):
        scale = 1.0 / lines[a][a]
        pivot = [x * scale for x in lines[a]]
        lines[a] = pivot
        for b in range(size):
            factor = lines[b][a]
            if b != a and factor:
                lines[b] = [x - factor * y for x, y in zip(lines[b], pivot)]
    return [line[size:] for line in lines]


def _join(inverse: list[list[float]], a: int, b: int, ohm: float) -> None:
    """Connect two nodes of a resistor network by a resistor.

    `inverse`: inverse of the nodal matrix (ohm), changed in place by an update of rank 1 (Sherman and
    Morrison). `a`, `b`: numbers of the nodes. `ohm`: the resistor.
    """
    column = [line[a] - line[b] for line in inverse]
    scale = 1.0 / (ohm + column[a] - column[b])
    for at in range(len(inverse)):
        factor = column[at] * scale
        inverse[at] = [x - factor * y for x, y in zip(inverse[at], column)]
