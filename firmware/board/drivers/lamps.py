# mypy: ignore-errors
"""WS2812 lamps in one chain, written at colour changes."""


class Lamps:
    """Colours of `count` lamps, from 0 along the chain."""

    def __init__(self, strip, count):
        self._strip = strip
        self._data = bytearray(3 * count)
        self._changed = True

    def set(self, index, red, green, blue):
        """Set the colour of lamp number `index`: `red`, `green` and `blue`, 0 to 255 each.

        The next `show` sends it.
        """
        at = 3 * index
        # A WS2812 expects green first (data sheet).
        self._data[at] = green
        self._data[at + 1] = red
        self._data[at + 2] = blue
        self._changed = True

    def show(self):
        """Send the colours of all lamps if one changed since the last call."""
        if self._changed:
            self._changed = False
            self._strip.write(self._data)
