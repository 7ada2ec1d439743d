"""Sentences and screens of a game."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, Protocol

from companion.core.language import Text
from companion.games.appearance import Difference
from companion.games.claims import Verdict
from companion.games.rules import A_contra, Outcome, S_contra

CAMERA, BOARD = "camera", "board"
"""Name of each of the two groups of sensors."""
SENSES = frozenset({CAMERA, BOARD})
"""The two groups of sensors: CAMERA sees open cards, BOARD (scales, readers, buttons) feels hidden ones."""
NOTHING_SHOWN: Mapping[str, tuple[str, ...]] = MappingProxyType({})
"""Default of `turned_up` (place -> kinds seen face up): no card was turned up."""


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for everybody at the table.

    `id`: messages with equal `id` count as equal, whatever their words. `text`: the words.
    `at_once`: the message asks people to act, so it is shown before the companion is sure of the action.
    """

    id: str
    text: str = field(compare=False)
    at_once: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Rule, explained to people in their first game.

    `when`: the moment to show it: "phase NAME" (phase of the screen), "card KIND" (it lies open), "claim",
    "verdict" or "last turns". `title`: a few words. `text`: the rule in sentences.
    """

    when: str
    title: str
    text: str
    section: str
    """Section of the rulebook that states the rule."""
    variants: tuple[str, ...] = ()
    """Variants of the game to which this rule belongs. Empty: all."""


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences of a game that are equal in every state."""

    titles: tuple[str, ...]
    """Every `title` that the public screen may show while no player is on turn."""
    turn_titles: tuple[str, ...] = ()
    """Every `title` that the public screen may show during a turn, after the player's name."""
    claim_title: str = ""
    """Heading above the list of what can be claimed. Empty: nothing."""
    tell_title: str = ""
    """Heading above the list of what a person may tell the companion, because no sensor notices it."""
    help: tuple[str, ...] = ()
    """Lines of text on the screen's help page."""
    losses: Mapping[str, str] = field(default_factory=dict)
    """Part of a sensor's name -> what players lose while the sensor fails.

    Keys are tried in order; the first that occurs in the name counts.
    """
    verdicts: Mapping[Verdict, tuple[str, str]] = field(default_factory=dict)
    """Verdict -> (sentence for everybody, badge).

    The badge is the key of a short word that stands from then on at the subject's place.
    """
    unnamed: tuple[str, ...] = ()
    """Default names of characters that the rulebook leaves nameless. The family may replace them."""
    turned_up: str = ""
    """Sentence that gives the reason for a verdict which rests on turned up cards alone."""
    lessons: tuple[Lesson, ...] = ()
    """Lessons of a first game, the most important one first."""
    score_when: str = ""
    """When the game may be scored, e.g. "yes: somebody has won". "": at any time.

    It is the answer offered to the question whether the game ends here.
    """
    unclear: str = ""
    """Sentence that gives the reason for a verdict CANNOT_TELL while every sensor works."""
    way_back: tuple[str, str] = ("", "")
    """(zone, token's kind) by which people say that the table is right as it lies.

    They lay the token there after the companion lost track. ("", ""): the game has none.
    """
    unread: Mapping[str, Text] = field(default_factory=dict)
    """Zone with open cards -> sentence: a card there cannot be read.

    `{number}` is the card's place, from 1 at the left.
    """
    hint_call: tuple[str, str] = ("", "")
    """(zone, card's code) by which people ask for a hint.

    No rule lays this card there. ("", ""): the game has none.
    """


@dataclass(frozen=True, slots=True)
class Headline:
    """The result of a game in few words.

    `big`: shown large, e.g. "3 OF 5". `counted`: what this number counts. `line`: both in one line.
    """

    big: str
    counted: str
    line: str


class Narrator(Protocol, Generic[S_contra, A_contra]):
    """Sentences and screens that tell everybody how the game goes."""

    words: Words

    def screen(
        self,
        state: S_contra,
        assist: str,
        senses: Set[str] = SENSES,
        turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
    ) -> Mapping[str, Any]:
        """The public screen as JSON values.

        They are the fields of `companion.session.stream.events.Table`. `assist`: the family's level of help, a
        name of companion.games.advice.LEVELS, or "". `senses`: groups of SENSES that work now; while one works,
        nobody is asked to show cards to others. `turned_up`: claimed place -> kinds that the camera has seen
        there face up.
        """

    def difference(self, state: S_contra, found: Difference) -> str:
        """Sentence that asks people to put right a place's cards.

        It names no hidden card. `found`: the place, and what is wrong there.
        """

    def message(self, before: S_contra, action: A_contra, after: S_contra) -> Message | None:
        """Sentence that tells everybody of an action; None for none.

        It names no hidden card. `before`, `after`: states around the action.
        """

    def untold(self, before: S_contra, action: A_contra) -> str:
        """Words for an action without `message`; "" if none.

        They are shown when a player takes the action back.
        """
        return ""

    def tells_step_before(self, before: S_contra, action: A_contra) -> bool:
        """True if `message` tells of the step before the action, which has none of its own.

        A player who takes the action back then takes both back. `before`: state before the action.
        """
        return False

    def headline(self, outcome: Outcome) -> Headline:
        """The result of a finished game in a few words, for large letters and for one line."""
