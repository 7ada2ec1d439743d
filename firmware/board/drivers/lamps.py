# mypy: ignore-errors
"""WS2812 lamps in one chain. Colours are buffered and sent only if one changed."""


class Lamps:
    """`count` lamps on one data pin."""

    def __init__(self, strip, count):
        self._strip = strip
        self._data = bytearray(3 * count)
        self._changed = True

    def set(self, index, red, green, blue):
        """Set a colour (0..255 each), which the next `show` sends."""
        at = 3 * index
        # The chips expect green first.
        self._data[at] = green
        self._data[at + 1] = red
        self._data[at + 2] = blue
        self._changed = True

    def show(self):
        """Send the chain if anything changed."""
        if self._changed:
            self._changed = False
            self._strip.write(self._data)
