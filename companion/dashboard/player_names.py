"""The players as people know them: names, signs and colours."""

import re
from dataclasses import dataclass

from companion.dashboard.themes import PLAYER_SIGNS

_ONE = re.compile(r"\b[Pp]layer (\d+)\b")
_TWO = re.compile(r"\b[Pp]layers (\d+) and (\d+)\b")


@dataclass(frozen=True, slots=True)
class PlayerNames:
    """Names from the first player on; who has none goes by number."""

    names: tuple[str, ...] = ()

    def name(self, player: int) -> str:
        """The name of a player (from 1)."""
        named = self.names[player - 1] if 0 < player <= len(self.names) else ""
        return named or f"Player {player}"

    def within(self, player: int) -> str:
        """The same in the middle of a sentence."""
        name = self.name(player)
        return name if name != f"Player {player}" else name.lower()

    def put_into(self, text: str) -> str:
        """A sentence of the engine, which counts the players, with their names."""
        if not self.names:
            return text
        text = _TWO.sub(lambda found: f"{self.within(int(found[1]))} and {self.within(int(found[2]))}", text)
        return _ONE.sub(self._in_place, text)

    def _in_place(self, found: re.Match[str]) -> str:
        player = int(found[1])
        return self.name(player) if found[0][0] == "P" else self.within(player)


def sign(player: int) -> str:
    """The sign of a player (from 1)."""
    return PLAYER_SIGNS[(player - 1) % len(PLAYER_SIGNS)]


def ground(player: int) -> str:
    """The name of a player's colour in the theme."""
    return f"p{(player - 1) % len(PLAYER_SIGNS) + 1}"
