"""Kinds of cards (rulebook, "Contents"), and powers of knights ("Knights").

A kind is a number: 0 an unseen card, then numbers, queens, spell book, instant cards, companions. Kings are
only counted, because all are equal.
"""

from enum import IntEnum

from companion.games.signs import UNKNOWN_KIND

EMPTY = -1
"""A grid place without a companion."""
UNKNOWN = 0
NUMBERS = range(1, 11)
QUEENS = range(11, 23)
BOOK, GNOME, WITCH, WILLOW = range(23, 27)
INSTANTS = range(GNOME, WILLOW + 1)
MAIN_DECK = range(1, 27)
COMPANIONS = range(27, 37)

KIND_TEXT = (
    UNKNOWN_KIND,
    *map(str, NUMBERS),
    *(f"Q{n:02d}" for n in range(1, len(QUEENS) + 1)),
    *("SB", "WG", "SW", "WI"),
    *(f"RC{n:02d}" for n in range(1, len(COMPANIONS) + 1)),
)
"""Text of each kind (the index) in the notation, equal to the codes on stickers, e.g. "SB"."""
KIND_OF_TEXT = {text: kind for kind, text in enumerate(KIND_TEXT)}
COPIES = (0, *(4 for _ in NUMBERS), *(1 for _ in QUEENS), 4, 6, 5, 5, *(1 for _ in COMPANIONS))
"""Number of cards of each kind (the index) in the box."""
DECK_CARDS = sum(COPIES[kind] for kind in MAIN_DECK)
"""Number of cards of the main deck."""
CELLS = len(COMPANIONS)
"""Number of grid places."""
KINGS = 10
LIMIT = 5
"""Largest number of cards in a realm at the end of a turn (rulebook, "How to Play", step 5)."""


class Knight(IntEnum):
    """A knight, named by what it allows or prevents."""

    UNKNOWN = -1
    """A knight that nobody has named yet."""
    MATH = 0
    """The player may change one card of an equation by 1."""
    WITCH = 1
    """Witches cannot swap this player's cards. Not used with two players."""
    REROLL = 2
    """The player may roll a 1 again."""
    DRAW = 3
    """The player draws one card more than the die shows."""
    WILLOW = 4
    """Willows cannot put this player's queens to sleep."""
    SIX = 5
    """The player may keep six cards, not five."""


def knights_for(players: int) -> tuple[Knight, ...]:
    """Knights used in a game of `players`.

    Rulebook, "Set Up", step 5.
    """
    return tuple(
        knight
        for knight in Knight
        if knight is not Knight.UNKNOWN and (players > 2 or knight is not Knight.WITCH)
    )


def kings_to_win(players: int) -> int:
    """Number of rescued kings with which a player wins.

    Rulebook, "Ending the Game".
    """
    return 4 if players == 2 else 3 if players < 5 else 2
