"""The players as people know them: names, signs and colours."""

import re
from dataclasses import dataclass
from functools import cache

from companion.core.language import Language, current, localized
from companion.core.language import player as player_number
from companion.dashboard.themes import PLAYER_SIGNS


@cache
def _numbered(language: Language) -> re.Pattern[str]:
    """Pattern for players called by number ("player 7") in a language.

    Group 1 has the number at the beginning of a sentence ("Player 7"), group 2 within one ("player 7").
    """
    forms = (language.say(player_number(7, within=within)) for within in (False, True))
    return re.compile("|".join(rf"\b{re.escape(form).replace('7', '([0-9]+)')}\b" for form in forms))


@dataclass(frozen=True, slots=True)
class PlayerNames:
    """Names of the players, the first player's first.

    A player whose name is "" or missing is called by number.
    """

    names: tuple[str, ...] = ()

    def name(self, player: int) -> str:
        """Player's name, or "Player 3" in the reader's language.

        `player`: number from 1.
        """
        named = self.names[player - 1] if 0 < player <= len(self.names) else ""
        return named or localized(player_number(player))

    def within(self, player: int) -> str:
        """Player's name for the middle of a sentence, or "player 3".

        `player`: number from 1.
        """
        name = self.name(player)
        return name if name in self.names else localized(player_number(player, within=True))

    def put_into(self, text: str) -> str:
        """Sentence with players' names in place of "player 1", "Player 2", ....

        Players without a name keep their number.
        """
        if not self.names:
            return text
        return _numbered(current()).sub(self._in_place, text)

    def _in_place(self, found: re.Match[str]) -> str:
        player = int(found[1] or found[2])
        return self.name(player) if found[1] else self.within(player)


NOBODY_NAMED = PlayerNames()
"""NOBODY_NAMED: all players are called by number."""


def sign(player: int) -> str:
    """Sign of a player, one of PLAYER_SIGNS, for example "♥".

    `player`: number from 1; after the last sign, the first follows again.
    """
    return PLAYER_SIGNS[(player - 1) % len(PLAYER_SIGNS)]


def ground(player: int) -> str:
    """Name of a player's theme colour, "p1" to "p5".

    `player`: number from 1; player 6 has "p1" again.
    """
    return f"p{(player - 1) % len(PLAYER_SIGNS) + 1}"
