"""The players as people know them: names, signs and colours."""

import re
from dataclasses import dataclass
from functools import cache

from companion.core.language import Language, current, localized
from companion.core.language import player as player_number
from companion.dashboard.themes import PLAYER_SIGNS


@cache
def _numbered(language: Language) -> re.Pattern[str]:
    """Pattern of a numbered player ("player 7") in a language.

    Group 1 matches at the beginning of a sentence, group 2 within one.
    """
    forms = (language.say(player_number(7, within=within)) for within in (False, True))
    return re.compile("|".join(rf"\b{re.escape(form).replace('7', '([0-9]+)')}\b" for form in forms))


@dataclass(frozen=True, slots=True)
class PlayerNames:
    """Names of the players, from the first on; "" or a missing name: the player is called by number."""

    names: tuple[str, ...] = ()

    def name(self, player: int) -> str:
        """Player's name, or "Player 3" in the reader's language.

        `player` counts from 1.
        """
        named = self.names[player - 1] if 0 < player <= len(self.names) else ""
        return named or localized(player_number(player))

    def within(self, player: int) -> str:
        """Name of a player (from 1) for the middle of a sentence, or "player 3"."""
        name = self.name(player)
        return name if name in self.names else localized(player_number(player, within=True))

    def put_into(self, text: str) -> str:
        """Sentence with players' names in place of their numbers."""
        if not self.names:
            return text
        return _numbered(current()).sub(self._in_place, text)

    def _in_place(self, found: re.Match[str]) -> str:
        player = int(found[1] or found[2])
        return self.name(player) if found[1] else self.within(player)


NOBODY_NAMED = PlayerNames()
"""NOBODY_NAMED: all players are called by number."""


def sign(player: int) -> str:
    """Sign of a player (from 1), one of PLAYER_SIGNS."""
    return PLAYER_SIGNS[(player - 1) % len(PLAYER_SIGNS)]


def ground(player: int) -> str:
    """Theme name of a player's colour: "p1" to "p5"."""
    return f"p{(player - 1) % len(PLAYER_SIGNS) + 1}"
