"""The state of a game of Sleepless Princess: one immutable tuple that may contain hidden cards."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

AWAKE, ASLEEP, OUT = 0, 1, 2
"""Fate of a princess: awake, asleep after a proved claim, or out after a refuted one."""


class Phase(IntEnum):
    """Part of a game or turn: says what can follow."""

    SETUP = 0
    """Tiles, mattresses and the first open row are laid out."""
    PLAY = 1
    """The player on turn plays three groups, discards or skips."""
    CHECK = 2
    """After a play, the player on turn touches, looks at and moves mattresses, in any order."""
    DRAW = 3
    """The player on turn draws cards one by one, from the open row or the deck, until the hand is full."""
    LAY = 4
    """Chance turns deck cards into the open row until it has five."""
    FINAL = 5
    """The last turn is over. Chance turns up every bed still awake."""
    OVER = 6


@dataclass(frozen=True, slots=True)
class Variant:
    """What differs between the basic game and 5+ (rulebook, "Setup").

    `players`: numbers of players allowed, ascending. `beds`: number of beds, with `mattresses_per_bed` each.
    `helpers_up_to`: highest helper. `addition`: groups may be sums. `glass`: looks through the glass are
    allowed.
    """

    name: str
    players: tuple[int, ...]
    beds: int
    mattresses_per_bed: int
    helpers_up_to: int
    witches: tuple[int, ...]
    """Number of witches for each number of players, in the order of `players`."""
    smooth: bool
    """Each princess has one smooth (enchanted) mattress."""
    addition: bool
    glass: bool

    def __hash__(self) -> int:
        # Hashing has to be fast, because caches look up millions of states. The name tells variants apart.
        return hash(self.name)


BASIC = Variant("basic", (2, 3, 4, 5), 5, 3, 10, (4, 3, 2, 1), smooth=True, addition=True, glass=True)
FIVE_PLUS = Variant("5+", (2, 3, 4), 4, 2, 5, (2, 1, 0), smooth=False, addition=False, glass=False)
VARIANTS = {variant.name: variant for variant in (BASIC, FIVE_PLUS)}


@dataclass(frozen=True, slots=True)
class Game:
    """What stays the same during a whole game: variant, number of players, and options."""

    variant: Variant
    players: int
    silent: bool = False
    """True if players keep secret what they felt or saw. False: the team may talk about it."""

    def __hash__(self) -> int:
        return hash((self.variant.name, self.players, self.silent))


class State(NamedTuple):
    """One position of a game of Sleepless Princess: cards, beds, and whose turn it is.

    Beds, players and mattresses count from 0 here, from 1 in notation. A mattress is known by its slot: its
    number in the order of dealing. `beds` says where each slot lies, `faces` what it is. So a move never
    changes what is known of a mattress.
    """

    game: Game
    phase: Phase
    turn: int
    """Player on turn, 0 to players - 1."""
    hands: tuple[tuple[int, ...], ...]
    """Kinds of each hand, ascending; unknown cards (0) come first."""
    row: tuple[int, ...]
    """Kinds of the open row, ascending."""
    deck: tuple[int, ...]
    """Kinds of the draw deck, next card last. Unknown cards are 0."""
    discard: tuple[int, ...]
    """Kinds of the discard pile, newest card last."""
    fresh: int
    """Number of cards that came onto the discard pile together last. Any of them may lie on top."""
    played: tuple[int, ...]
    """Kinds of the cards in the play zone, ascending. Empty except in CHECK, after `Later`, and in OVER if a
    claim ended the game in CHECK."""
    beds: tuple[tuple[int, ...], ...]
    """Mattress slots of each bed, the bottom one first."""
    faces: tuple[int, ...]
    """Face of each mattress slot, UNKNOWN_FACE (-1) if nobody knows it."""
    princesses: tuple[int, ...]
    """Princess type (0 to 9) of each bed, -1 as long as no princess is there."""
    fates: tuple[int, ...]
    """AWAKE, ASLEEP or OUT for each bed. AWAKE in phase OVER: people ended the game, so nobody knows whether
    she sleeps."""
    touches: int
    """Touches left this turn, 0 or 1."""
    looks: int
    """Looks through the glass left this turn, 0 to 2."""
    checked: tuple[tuple[int, bool], ...]
    """(slot, True if looked at) of each mattress checked this turn and not moved since, in the order of
    checks."""
    shown: tuple[int, ...]
    """Slots whose face a claim or the final check showed to everybody, ascending."""
    last: int
    """Turns left once the end of the game was triggered, the running one included. -1 before that."""
    skips: int
    """Number of turns skipped in a row."""
    turns: int
    """Number of turns begun, the running one included."""
