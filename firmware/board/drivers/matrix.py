# mypy: ignore-errors
"""16x16 Velostat pressure matrix behind two 74HC4067 multiplexers and one ADC channel."""

from array import array

from firmware.wire import hot_loops

SIZE = 16
FIRST_ADC_PIN = 26


class Matrix:
    """One multiplexer drives a row, the other connects a column to the converter.

    Pins by number, the multiplexer's lowest bit first. The hal raises ValueError for a wrong pin.
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
        """Read all crossings into `frame`, 0..255 each, row by row. Returns the strongest."""
        if self._pins is not None:
            return hot_loops.poke_matrix(self._pins, self.frame)
        return hot_loops.scan_matrix(self._adc, self._rows, self._cols, self.frame)
