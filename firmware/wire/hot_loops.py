"""Hot loops of the board: machine code on the Pico, plain Python elsewhere, same results.

MicroPython subset: board and host run the same file.
"""

import sys

try:
    from micropython import const  # type: ignore[import-not-found]
except ImportError:

    def const(value: int) -> int:
        """Mark a constant that MicroPython's compiler inlines.

        Constants whose name begins with an underscore take no memory on the board.
        """
        return value


def pulse_cells(sck, douts, words, hal) -> None:  # type: ignore[no-untyped-def]
    """Clock 25 pulses; read load cells' data pins after each.

    `sck`, `douts`: clock pin and data pins. `hal`: switches interrupts off around each pulse. Bit i of
    `words[n]` becomes the level of `douts[i]` in pulse n, 0 to 23. The data pins are read while SCK is low,
    because a level lasts until the next rising edge.
    """
    count = len(douts)
    for pulse in range(25):
        # SCK high for 60 us puts the converters to sleep (HX711 data sheet), so no interrupt may come between.
        state = hal.lock()
        sck.value(1)
        sck.value(0)
        hal.unlock(state)
        if pulse < 24:
            word = 0
            for at in range(count):
                word |= douts[at].value() << at
            words[pulse] = word


def scan_matrix(adc, rows, cols, frame: bytearray) -> int:  # type: ignore[no-untyped-def]
    """Read 16 x 16 crossings of a pressure matrix into `frame`, and return the highest value.

    `frame`: 256 bytes, row by row. `adc`: the converter at SIG, the measured line. `rows`, `cols`:
    multiplexers. Values are 0 to 255; 255 is a quarter of the supply. With 2.2 kilohm at SIG a strong press
    stays below that.
    """
    at = 0
    for row in range(16):
        rows.select(row)
        for col in range(16):
            cols.select(col)
            value = adc.read_u16() >> 6
            frame[at] = min(value, 255)
            at += 1
    return max(frame)


# The viper loops hold register addresses of the RP2040. Other chips use pin objects.
POKES = False
poke_cells = poke_matrix = None

try:
    from firmware.board import viper as code

    poke_cells, poke_matrix = code.poke_cells, code.poke_matrix
    POKES = "RP2040" in getattr(sys.implementation, "_machine", "")
except (ImportError, SyntaxError):
    from firmware.wire import hot_loops_python as code  # type: ignore[no-redef]

cobs_encode = code.cobs_encode
cobs_decode = code.cobs_decode
crc_a = code.crc_a
raise_to = code.raise_to
