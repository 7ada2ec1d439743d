"""The state of a game of Sleepless Princess: one immutable tuple, hidden cards allowed."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

AWAKE, ASLEEP, OUT = 0, 1, 2
"""What became of a princess."""


class Phase(IntEnum):
    """Where in a turn the game stands."""

    SETUP = 0
    """Tiles, mattresses and the first open row are being laid out."""
    PLAY = 1
    """The player whose turn it is plays three equal groups, discards, or skips."""
    CHECK = 2
    """Cards were played: touch, looks and moves, in any order, until `done`."""
    DRAW = 3
    """The hand is filled up, one card at a time, from the row or the deck."""
    LAY = 4
    """Chance lays deck cards open until the row has five again."""
    FINAL = 5
    """Every last turn is over; the beds still in play wait for the final check."""
    OVER = 6


@dataclass(frozen=True, slots=True)
class Variant:
    """What differs between the basic game and 5+ (rulebook, "Setup")."""

    name: str
    players: tuple[int, ...]
    beds: int
    mattresses_per_bed: int
    helpers_up_to: int
    witches: tuple[int, ...]
    """Number of witches for each entry of `players`."""
    smooth: bool
    """One mattress of each princess is enchanted (smooth)."""
    addition: bool
    glass: bool

    def __hash__(self) -> int:
        # States are looked up by the million: no other field is needed to tell two variants apart.
        return hash(self.name)


BASIC = Variant("basic", (2, 3, 4, 5), 5, 3, 10, (4, 3, 2, 1), smooth=True, addition=True, glass=True)
FIVE_PLUS = Variant("5+", (2, 3, 4), 4, 2, 5, (2, 1, 0), smooth=False, addition=False, glass=False)
VARIANTS = {variant.name: variant for variant in (BASIC, FIVE_PLUS)}


@dataclass(frozen=True, slots=True)
class Game:
    """What stays the same through one game."""

    variant: Variant
    players: int
    silent: bool = False
    """What a player felt or saw is theirs alone (RULES 12); otherwise the team may talk."""

    def __hash__(self) -> int:
        return hash((self.variant.name, self.players, self.silent))


class State(NamedTuple):
    """One position. Beds, players and mattresses are counted from 0 here, from 1 in all text.

    A mattress is a slot number (the order in which it was dealt); `beds` move slots about, `faces` say
    what a slot is. So a move never changes what is believed of a mattress, nor the other way round.
    """

    game: Game
    phase: Phase
    turn: int
    """The player to act, 0 to players - 1."""
    hands: tuple[tuple[int, ...], ...]
    """Each hand's kinds, ascending; unknown cards (0) first."""
    row: tuple[int, ...]
    """The open cards' kinds, ascending."""
    deck: tuple[int, ...]
    """The draw deck, the next card last; unknown cards are 0."""
    discard: tuple[int, ...]
    """The discard pile, the newest card last."""
    fresh: int
    """How many cards came to the discard pile together last: any of them may lie on top."""
    played: tuple[int, ...]
    """Kinds of the cards in the play zone, ascending: in CHECK, and in OVER if a claim ended the game there."""
    beds: tuple[tuple[int, ...], ...]
    """For each bed its mattress slots, the bottom one first."""
    faces: tuple[int, ...]
    """For each mattress slot its face, UNKNOWN_FACE (-1) while nobody knows."""
    princesses: tuple[int, ...]
    """For each bed the type (0 to 9) of its princess, -1 before she is seated."""
    fates: tuple[int, ...]
    """For each bed AWAKE, ASLEEP or OUT. AWAKE in OVER: people ended the game, and nobody knows whether she
    sleeps."""
    touches: int
    """Touches left this turn, 0 or 1."""
    looks: int
    """Looks through the glass left this turn, 0 to 2."""
    checked: tuple[tuple[int, bool], ...]
    """Mattresses checked this turn and not moved since: (slot, looked at), in the order of checking."""
    shown: tuple[int, ...]
    """Slots whose face everybody has seen (after a claim or the final check), ascending."""
    last: int
    """Turns left after the end was triggered (the running one included), -1 before."""
    skips: int
    """Turns skipped in a row."""
    turns: int
    """Turns begun so far."""
