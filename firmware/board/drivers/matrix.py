# mypy: ignore-errors
"""16x16 Velostat pressure matrix behind two 74HC4067 multiplexers and one ADC channel."""

SIZE = 16


class Matrix:
    """One multiplexer drives a row, the other leads a column to the converter."""

    def __init__(self, adc, rows, cols):
        self._adc = adc
        self._rows = rows
        self._cols = cols
        self.frame = bytearray(SIZE * SIZE)

    def scan(self):
        """Read all crossings into `frame`, 0..255 each, row by row; returns the strongest."""
        select = self._cols.select
        read = self._adc.read_u16
        frame = self.frame
        high = 0
        at = 0
        for row in range(SIZE):
            self._rows.select(row)
            for col in range(SIZE):
                select(col)
                value = read() >> 8
                frame[at] = value
                if value > high:
                    high = value
                at += 1
        return high
