# mypy: ignore-errors
"""Debounces buttons and other two-state inputs."""


class Switch:
    """Debounced on/off input: `state` changes after `count` equal readings in a row."""

    def __init__(self, count):
        self.state = False
        self._count = count
        self._run = 0

    def update(self, level):
        """Debounce a reading of the input; True if `state` changed.

        `level`: the reading, 0 or 1.
        """
        if bool(level) == self.state:
            self._run = 0
            return False
        self._run += 1
        if self._run < self._count:
            return False
        self._run = 0
        self.state = not self.state
        return True
