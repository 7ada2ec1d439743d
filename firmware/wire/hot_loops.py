"""The board's hot loops: machine code on the Pico, plain Python elsewhere, with the same results.

MicroPython subset, run on both ends.
"""

import sys

try:
    from micropython import const  # type: ignore[import-not-found]
except ImportError:

    def const(value: int) -> int:
        """A constant that MicroPython's compiler inlines; names with an underscore disappear."""
        return value


def pulse_cells(sck, douts, words, hal) -> None:  # type: ignore[no-untyped-def]
    """25 clock pulses over pin objects; `words[n]` holds in bit i the level of `douts[i]` in pulse n.

    A level lasts until the next rising edge. SCK is low while the lines are read: plain Python takes 15 us for
    each.
    """
    count = len(douts)
    for pulse in range(25):
        # SCK high for 60 us puts the chips to sleep, so nothing may interrupt.
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
    """Read 16 x 16 crossings through two selectors into `frame`, 0..255 row by row. Returns the strongest.

    255 is a quarter of the supply: with 2.2 kilohm at SIG a strong press reads less than that.
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


# Register addresses in the viper loops are the RP2040's. Other chips use pin objects.
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
