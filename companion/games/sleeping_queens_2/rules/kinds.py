"""What the cards of Sleeping Queens 2 are (rulebook, "Contents"), and what knights can do ("Knights").

A kind is a small number: 0 is a card nobody has seen, then numbers, queens, spell book, the three instant
action cards, rescue companions. Kings are only counted: one is as good as another.
"""

from enum import IntEnum

from companion.games.api import UNKNOWN_KIND

EMPTY = -1
"""A place of the grid on which no companion lies."""
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
"""Kind as text, as on the stickers; the index is the kind."""
KIND_OF_TEXT = {text: kind for kind, text in enumerate(KIND_TEXT)}
COPIES = (0, *(4 for _ in NUMBERS), *(1 for _ in QUEENS), 4, 6, 5, 5, *(1 for _ in COMPANIONS))
"""How many cards of each kind exist."""
DECK_CARDS = sum(COPIES[kind] for kind in MAIN_DECK)
"""Cards of the main deck."""
CELLS = len(COMPANIONS)
"""Places of the grid."""
KINGS = 10
LIMIT = 5
"""Cards in a realm at the end of a turn, at most."""


class Knight(IntEnum):
    """A knight by what it does for the player who has it."""

    UNKNOWN = -1
    """Nobody has told which."""
    MATH = 0
    """One more or one less on one card of an equation."""
    WITCH = 1
    """Shield against the switch witch; not for two players."""
    REROLL = 2
    """A rolled 1 may be rolled again."""
    DRAW = 3
    """One card more than rolled."""
    WILLOW = 4
    """Shield against sleeping willows."""
    SIX = 5
    """Six cards may be kept."""


def knights_for(players: int) -> tuple[Knight, ...]:
    """The knights that take part (rulebook, set-up, step 5)."""
    return tuple(
        knight
        for knight in Knight
        if knight is not Knight.UNKNOWN and (players > 2 or knight is not Knight.WITCH)
    )


def kings_to_win(players: int) -> int:
    """Rescued kings that win (rulebook, "Ending the Game")."""
    return 4 if players == 2 else 3 if players < 5 else 2
