# mypy: ignore-errors
"""Push buttons and other two-state things, debounced: a change counts when it has lasted."""


class Switch:
    """Debounce by `count` equal readings in a row."""

    def __init__(self, count):
        self.state = False
        self._count = count
        self._run = 0

    def update(self, level):
        """True when the debounced `state` has just changed."""
        if bool(level) == self.state:
            self._run = 0
            return False
        self._run += 1
        if self._run < self._count:
            return False
        self._run = 0
        self.state = not self.state
        return True
