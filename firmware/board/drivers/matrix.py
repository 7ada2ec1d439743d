# mypy: ignore-errors
"""Pressure matrix of 16 x 16 Velostat crossings behind two 74HC4067 multiplexers."""

from array import array

from firmware.wire import hot_loops

SIZE = 16
FIRST_ADC_PIN = 26  # GP26 is ADC channel 0 (RP2040 data sheet)


class Matrix:
    """Matrix of one station: a multiplexer drives a row, another connects a column to the ADC.

    `adc` is a GP number. `rows` and `cols` are four select pins each, lowest bit first. ValueError for a wrong
    pin. `frame` holds the last picture.
    """

    def __init__(self, adc, rows, cols, hal):
        if len(rows) != 4 or len(cols) != 4:
            raise ValueError("a multiplexer has 4 select pins")
        self._adc = hal.adc(adc)
        self._rows = hal.selector(rows)
        self._cols = hal.selector(cols)
        self._pins = None
        if hot_loops.POKES:
            self._pins = array("I", [adc - FIRST_ADC_PIN] + [1 << pin for pin in list(rows) + list(cols)])
        self.frame = bytearray(SIZE * SIZE)

    def scan(self):
        """Read all crossings into `frame` (0 to 255, row by row), and return the highest value."""
        if self._pins is not None:
            return hot_loops.poke_matrix(self._pins, self.frame)
        return hot_loops.scan_matrix(self._adc, self._rows, self._cols, self.frame)
