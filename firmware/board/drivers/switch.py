# mypy: ignore-errors
"""Debounces push buttons and other two-state inputs: a change counts after several equal readings."""


class Switch:
    """Debounces by `count` equal readings in a row."""

    def __init__(self, count):
        self.state = False
        self._count = count
        self._run = 0

    def update(self, level):
        """Take a reading. Returns True if the debounced `state` changed."""
        if bool(level) == self.state:
            self._run = 0
            return False
        self._run += 1
        if self._run < self._count:
            return False
        self._run = 0
        self.state = not self.state
        return True
