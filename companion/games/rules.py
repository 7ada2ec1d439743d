"""Rules of a game, free of input and output."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar, dataclass_transform

CHANCE = -1
"""Returned by `Rules.actor` when no player chooses the next step, e.g. a card drawn from the deck."""
S = TypeVar("S")
"""Type of a game's states."""
A = TypeVar("A")
"""Type of a game's actions."""
S_contra = TypeVar("S_contra", contravariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
C = TypeVar("C")


class IllegalError(ValueError):
    """The rules refuse an action.

    `code`: the reason for programs, e.g. "phase". `section`: title of the rulebook section. `text`: a
    sentence. `cards`: kinds of the cards concerned.
    """

    def __init__(self, code: str, section: str, text: str, cards: Sequence[str] = ()) -> None:
        self.code = code
        self.section = section
        self.text = text
        self.cards = tuple(cards)
        super().__init__(f"{text} ({code}; {section}{'; ' + ' '.join(cards) if cards else ''})")


@dataclass(frozen=True, slots=True)
class Fault:
    """Contradiction within a state, e.g. a card existing twice.

    `code`: short name for programs. `text`: a sentence for people. `cards`: kinds of the cards concerned.
    """

    code: str
    text: str
    cards: tuple[str, ...] = ()


class FaultyStateError(ValueError):
    """Legal actions were asked for in an unreachable state.

    `faults` lists its contradictions.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(fault.text for fault in faults))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a finished game.

    `score`: points reached, None if nobody knows them. `out_of`: the highest possible score. `text`: the
    result as a sentence.
    """

    score: int | None
    out_of: int
    text: str


@dataclass_transform(frozen_default=True)
def action(cls: type[C]) -> type[C]:
    """Class decorator for a game's actions: frozen dataclass with slots."""
    return dataclass(frozen=True, slots=True)(cls)


class PrintedParts(Protocol):
    """Parts of a game whose print differs from box to box, such as die faces, symbols or colours."""

    def take_parts(self, parts: Mapping[str, str]) -> None:
        """Replace the print of some parts: part name -> print.

        Other parts keep their defaults. ValueError names a wrong part.
        """

    def printed_parts(self) -> Mapping[str, str]:
        """Parts with other prints than the defaults: name -> print."""

    def all_parts(self) -> Mapping[str, str]:
        """Print of all parts, default or set: name -> print."""


class Rules(Protocol, Generic[S, A]):
    """Rules of a game, free of input and output.

    States and actions are immutable; chance is passed in.
    """

    name: str
    """Name of the game on the command line, e.g. sleepless-princess."""
    variants: Mapping[str, tuple[int, ...]]
    """Variant -> numbers of players that it allows, ascending."""
    options: Mapping[str, str] = MappingProxyType({})
    """House rules that a family may switch on: option -> its meaning in words."""
    box: PrintedParts | None = None
    """Parts whose print differs from box to box. None: the rulebook describes them all."""

    def setup(self, variant: str, players: int, chance: Random) -> S:
        """Deal a game with every card known.

        `chance`: decides the order of the cards. ValueError for an unknown variant or an impossible number of
        players.
        """

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> S:
        """The state before any card lies there, all cards unknown.

        `options`: the names (keys of `Rules.options`) that are switched on. ValueError names an unknown one.
        """

    def legal_actions(self, state: S) -> tuple[A, ...]:
        """Every action that any player, or chance, can take now.

        Empty if the game is over. FaultyStateError for a state that contradicts itself.
        """

    def apply(self, state: S, action: A) -> S:
        """The state after an action.

        IllegalError if the rules refuse it.
        """

    def actor(self, state: S) -> int:
        """The player (from 0) on turn, or CHANCE.

        Any player can make a claim at any time.
        """

    def outcome(self, state: S) -> Outcome | None:
        """Result of the finished game; None while it goes on."""

    def status(self, state: S) -> tuple[Fault, ...]:
        """Contradictions within a state.

        Empty if some game can reach it.
        """

    def view(self, state: S, player: int | None) -> Mapping[str, Any]:
        """All that one player (from 0) may know of a state, as JSON values.

        Player None: what everybody may know.
        """

    def write_state(self, state: S) -> str:
        """Write a state as one line of the game's notation."""

    def read_state(self, line: str) -> S:
        """Parse the line of `write_state`.

        ValueError says what is wrong and where.
        """

    def write_action(self, action: A) -> str:
        """Write an action in the game's notation.

        For example `play 5 5 5`.
        """

    def read_action(self, text: str) -> A:
        """Parse the text of `write_action`.

        ValueError says what is wrong and where.
        """
