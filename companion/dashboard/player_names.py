"""The players as people know them: names, signs and colours."""

import re
from dataclasses import dataclass
from functools import cache

from companion.core.language import Language, current, localized
from companion.core.language import player as player_number
from companion.dashboard.themes import PLAYER_SIGNS


@cache
def _numbered(language: Language) -> re.Pattern[str]:
    """How players stand by number in the sentences of a language."""
    forms = (language.say(player_number(7, within=within)) for within in (False, True))
    return re.compile("|".join(rf"\b{re.escape(form).replace('7', '([0-9]+)')}\b" for form in forms))


@dataclass(frozen=True, slots=True)
class PlayerNames:
    """Names from the first player on; who has none goes by number."""

    names: tuple[str, ...] = ()

    def name(self, player: int) -> str:
        """The name of a player (from 1)."""
        named = self.names[player - 1] if 0 < player <= len(self.names) else ""
        return named or localized(player_number(player))

    def within(self, player: int) -> str:
        """The same in the middle of a sentence."""
        name = self.name(player)
        return name if name in self.names else localized(player_number(player, within=True))

    def put_into(self, text: str) -> str:
        """A sentence of the engine, which counts the players, with their names."""
        if not self.names:
            return text
        return _numbered(current()).sub(self._in_place, text)

    def _in_place(self, found: re.Match[str]) -> str:
        player = int(found[1] or found[2])
        return self.name(player) if found[1] else self.within(player)


NOBODY_NAMED = PlayerNames()
"""All players go by number."""


def sign(player: int) -> str:
    """The sign of a player (from 1)."""
    return PLAYER_SIGNS[(player - 1) % len(PLAYER_SIGNS)]


def ground(player: int) -> str:
    """The name of a player's colour in the theme."""
    return f"p{(player - 1) % len(PLAYER_SIGNS) + 1}"
