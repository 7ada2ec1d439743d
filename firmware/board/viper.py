# mypy: ignore-errors
"""Hot loops as machine code for the Pico.

`wire.hot_loops_python` has them in Python.

Registers: RP2040 data sheet, 2.3.1.7 (SIO) and 4.9.6 (ADC).
"""

# Only viper knows the names ptr8 and ptr32.
# ruff: noqa: F821

import micropython


@micropython.viper
def _stuff(data: ptr8, size: int, out: ptr8) -> int:
    code = 0
    to = 1
    for at in range(size):
        byte = data[at]
        if byte:
            out[to] = byte
            to += 1
        if byte == 0 or to - code == 255:
            out[code] = to - code
            code = to
            to += 1
    out[code] = to - code
    return to


def cobs_encode(data):
    """Encode `data` without zero bytes, as `hot_loops_python.cobs_encode` does."""
    size = len(data)
    out = bytearray(size + size // 254 + 1)
    used = _stuff(data, size, out)
    return bytes(memoryview(out)[:used])


@micropython.viper
def _unstuff(chunk: ptr8, size: int, out: ptr8) -> int:
    at = 0
    to = 0
    while at < size:
        code = chunk[at]
        end = at + code
        if code == 0 or end > size:
            return -1
        at += 1
        while at < end:
            out[to] = chunk[at]
            to += 1
            at += 1
        if code < 255 and at < size:
            out[to] = 0
            to += 1
    return to


def cobs_decode(chunk):
    """Decode COBS bytes, as `hot_loops_python.cobs_decode` does; ValueError if damaged."""
    out = bytearray(len(chunk))
    size = _unstuff(chunk, len(chunk), out)
    if size < 0:
        raise ValueError("cobs")
    return bytes(memoryview(out)[:size])


@micropython.viper
def crc_a(buffer: ptr8, start: int, end: int) -> int:
    """CRC_A of `buffer[start:end]`, as `hot_loops_python.crc_a` computes it."""
    crc = 0x6363
    for at in range(start, end):
        mixed = buffer[at] ^ (crc & 0xFF)
        mixed ^= (mixed << 4) & 0xFF
        crc = (crc >> 8) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)
    return crc


@micropython.viper
def raise_to(peak: ptr8, frame: ptr8):
    """Raise bytes of `peak` to those of `frame` where these are higher, 256 each."""
    for at in range(256):
        if frame[at] > peak[at]:
            peak[at] = frame[at]


@micropython.viper
def poke_cells(words: ptr32, clock: int):
    """Clock 25 pulses and read all pins after each, by the RP2040's registers.

    `clock` is the bit mask of SCK. Bit p of `words[n]` is the level of GPp in pulse n. Takes about 50 us; call
    it with interrupts off.
    """
    sio = ptr32(0xD0000000)
    for pulse in range(25):
        sio[5] = clock  # GPIO_OUT_SET
        # HX711 data sheet: DOUT follows within 0.1 us, each level lasts 0.2 us or more. Long wires need more.
        pause = 0
        while pause < 10:
            pause += 1
        sio[6] = clock  # GPIO_OUT_CLR
        pause = 0
        while pause < 10:
            pause += 1
        # DOUT keeps its level until the next rising edge.
        if pulse < 24:
            words[pulse] = sio[1]  # GPIO_IN


@micropython.viper
def poke_matrix(pins: ptr32, frame: ptr8) -> int:
    """Read 16 x 16 crossings into `frame` by the RP2040's registers. Returns the highest value.

    Same values as `hot_loops.scan_matrix`. `pins` holds the ADC channel, then the bit masks of four row and
    four column lines.
    """
    sio = ptr32(0xD0000000)
    adc = ptr32(0x4004C000)
    start = (pins[0] << 12) | 5  # AINSEL, START_ONCE, EN
    high = 0
    for at in range(256):
        up = 0
        down = 0
        for line in range(4):
            if (at >> 4 >> line) & 1:
                up |= pins[1 + line]
            else:
                down |= pins[1 + line]
            if (at >> line) & 1:
                up |= pins[5 + line]
            else:
                down |= pins[5 + line]
        sio[5] = up
        sio[6] = down
        value = 0
        # The first of two conversions only gives the crossing 2 us to settle.
        for _ in range(2):
            adc[0] = start
            limit = 0
            while (adc[0] & 0x100) == 0 and limit < 1000:  # READY
                limit += 1
            value = adc[1] >> 2  # RESULT, 12 bits: 255 is a quarter of the supply
        if value > 255:
            value = 255
        frame[at] = value
        if value > high:
            high = value
    return high
