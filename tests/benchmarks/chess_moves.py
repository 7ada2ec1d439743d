"""Random moves of python-chess: what the speed of rules is measured beside."""

import time
from random import Random
from typing import Any

from companion.core.errors import BadInputError


class ChessMoves:
    """Random games of chess, one after another. BadInputError if python-chess is not installed."""

    def __init__(self, chance: Random) -> None:
        try:
            import chess
        except ImportError:
            raise BadInputError(
                "python-chess is not installed", where="bench", next_step="make dev installs it"
            ) from None
        self._chess: Any = chess
        self._board = chess.Board()
        self._chance = chance
        self.seconds = 0.0
        """Time taken so far (s)."""
        self.moves = 0
        self.version: str = chess.__version__

    @property
    def per_second(self) -> float:
        """Moves a second so far."""
        return self.moves / self.seconds

    def play(self, seconds: float) -> None:
        """Go on for about so many seconds."""
        random, began = self._chance.random, time.perf_counter()
        now = began
        while now < began + seconds:
            for _ in range(50):
                legal = list(self._board.legal_moves)
                board = self._board
                if not legal or board.is_insufficient_material() or board.halfmove_clock >= 150:
                    self._board = self._chess.Board()
                    continue
                self.moves += 1
                board.push(legal[int(random() * len(legal))])
            now = time.perf_counter()
        self.seconds += now - began
