"""The interface of a game: rules, appearance, claims, sentences, and what only some games can do.

A game is loaded by its name:

>>> from random import Random
>>> from companion.games.registry import load_game
>>> game = load_game("sleeping-queens")
>>> state = game.setup("basic", 2, Random(1))
>>> game.status(state), game.actor(state)
((), 0)
>>> action = game.legal_actions(state)[0]
>>> game.write_action(action)
'king'
>>> game.write_state(game.apply(state, action)).split()[2]
'phase=wake'
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar, dataclass_transform

from companion.core.language import Text, text
from companion.games.askable_facts import AskableFact
from companion.games.signs import Sign, Verb
from vision.mat_geometry import Mat

CHANCE = -1
"""Returned by `Rules.actor` when no player chooses the next step, e.g. a card drawn from the deck."""


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


class Verdict(StrEnum):
    """Companion's answer to a claim, e.g. "this princess sleeps".

    CANNOT_TELL: the known cards neither prove nor refute the claim.
    """

    PROVED = "proved"
    REFUTED = "refuted"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a claim, with reasons for people.

    Screens show `reasons` and `show` before any card is turned up. Both must reveal nothing of hidden cards
    beyond the verdict. `show` asks for the card that would decide an open claim; empty if none is needed.
    """

    verdict: Verdict
    reasons: tuple[str, ...]
    show: str
    counted: bool = False
    """True if the number of cards alone decides the verdict, whatever their kinds."""


@dataclass(frozen=True, slots=True)
class PhysicalCard:
    """One printed card, tile or token of a game.

    `code`: unique name, e.g. "H07A". `kind`: what rules and notation call it, e.g. "7"; copies share a
    kind. `name`: for people.
    `payload`: text of its QR sticker. `marker`: id of its fiducial if it has no sticker, else None.
    `texture`: class of surface that the pressure matrix tells apart. Empty: smooth. None: never pressed on
    the matrix.
    """

    code: str
    kind: str
    name: str
    payload: str = ""
    marker: int | None = None
    texture: str | None = None


CAMERA, BOARD = "camera", "board"
"""Name of each of the two groups of sensors."""
SENSES = frozenset({CAMERA, BOARD})
"""The two groups of sensors: CAMERA sees open cards, BOARD (scales, readers, buttons) feels hidden ones."""

UNKNOWN_KIND = "?"
"""Kind of a card whose face is not known."""
ANY_KINDS = ("*",)
"""Kinds of a `Sign` that matches cards of whatever kind."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the sensors should report if a state is right.

    A zone is a field of the mat, seen by the camera; a station is a scale. Those left out are not predicted.
    `zones`: zone name -> sorted kinds of the cards visible there. `tops`: zone of a pile -> kinds that may lie
    on top; it contains UNKNOWN_KIND if nobody saw the top card, and is empty for no pile. `counts`: station
    name -> number of cards on its scale. `begun`: zones where the next action may be half done, because people
    lay its cards one by one. `face_down`: zone name -> number of unreadable cards there.
    """

    zones: Mapping[str, tuple[str, ...]]
    tops: Mapping[str, frozenset[str]]
    counts: Mapping[str, int]
    begun: frozenset[str] = frozenset()
    face_down: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """A place whose cards differ from the state.

    `place`: zone or station. `extra`: kinds too many there. `missing`: kinds too few. For a scale each holds at
    most one "", because players may not learn how many cards lie there.
    """

    place: str
    extra: tuple[str, ...]
    missing: tuple[str, ...]


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
class Survey:
    """Cards on a table at rest, from sensors or players.

    Zones and stations left out are not watched. `zones`: zone name -> sorted kinds of the cards there.
    `face_down`: zone name -> number of unreadable cards there. `shown`: zone name -> kinds that lay there last.
    `counts`: station name -> number of cards on its scale. `moved`: stations at which a card may have been
    moved unseen. `claimed`: stations whose claim was made and whose cards were turned up, but which got no
    verdict. `trusted`: last published state before whole turns may have passed unseen; None: no turn was
    missed. `refuted`: subjects (from 0) of claims that, players say, failed while nobody watched. `playing`:
    subjects (from 0) that, players say, are still in the game, whatever a verdict said.
    """

    zones: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, int]
    moved: frozenset[str] = frozenset()
    claimed: frozenset[str] = frozenset()
    shown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trusted: Any = None
    face_down: Mapping[str, int] = field(default_factory=dict)
    refuted: frozenset[int] = frozenset()
    playing: frozenset[int] = frozenset()


NOTHING_SHOWN: Mapping[str, tuple[str, ...]] = MappingProxyType({})
"""Default of `turned_up` (place -> kinds seen face up): no card was turned up."""

S = TypeVar("S")
"""Type of a game's states."""
A = TypeVar("A")
"""Type of a game's actions."""
S_contra = TypeVar("S_contra", contravariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
C = TypeVar("C")


@dataclass_transform(frozen_default=True)
def action(cls: type[C]) -> type[C]:
    """Class decorator for a game's actions: frozen dataclass with slots."""
    return dataclass(frozen=True, slots=True)(cls)


@dataclass(frozen=True, slots=True)
class TakenOver(Generic[S]):
    """Game taken over from the cards on the table, after the companion lost track.

    `state`: the game from now on. `lost`: numbers (see `Appearance.hidden_layout`) of hidden cards that nobody
    can identify any more. `open`: a sentence for each question that stays open. `unseen`: (subject from 0,
    sentence) for each claim that may have failed while nobody watched. `judged`: (subject from 0, sentence) for
    each refuted claim that players perhaps never made.
    """

    state: S
    lost: tuple[int, ...] = ()
    open: tuple[str, ...] = ()
    unseen: tuple[tuple[int, str], ...] = ()
    judged: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal(Generic[S]):
    """The state after a claim's cards were all turned up.

    `state`: the game with those cards known. `wrong`: number of cards that differ from what was believed.
    `verdict`: what these cards alone prove about the claim; None if nothing.
    """

    state: S
    wrong: int
    verdict: Verdict | None
    all_known: bool = field(default=True, compare=False)
    """True if every card of the subject was identified, False if some stay unknown."""


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


class Appearance(Protocol, Generic[S, A]):
    """How a game looks to camera and board, and how a state is found from a table."""

    def mat(self, variant: str) -> Mat:
        """The printed mat of a variant, with its zones."""

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of a variant."""

    def expected_view(self, state: S) -> Expectation:
        """What sensors should report while the table looks like `state`."""

    def signs(self, state: S, action: A) -> tuple[Sign, ...]:
        """Traces (`Sign`) that `action` in `state` leaves for sensors.

        They come in the order in which they happen. Cards that stay where the action laid them are no sign:
        `expected_view` of the next state contains them.
        """

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        """Signs that only actions cause, as (verb, zone or station).

        Other signs also occur without an action, and are ignored.
        """

    def already_known(self, state: S, sign: Sign) -> bool:
        """True if `state` explains a sign: no action needs to.

        By default False.
        """
        return False

    def propose(
        self,
        state: S,
        zones: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, int],
        signs: Sequence[Sign],
    ) -> Iterable[A]:
        """Actions that may explain what the sensors report.

        Illegal ones are allowed; the caller skips them. `zones`: zone name -> kinds that lie there. `counts`:
        station name -> number of cards on its scale. `signs`: signs that no action explains yet.
        """

    def adopt(self, state: S, found: Survey) -> TakenOver[S]:
        """State that fits table `found` with fewest changes to `state`.

        ValueError says what is impossible, and what people should do.
        """

    def at_turn(self, state: S, player: int, *, missed: bool) -> S:
        """The state at the start of a turn of `player` (from 0), whatever was going on before.

        `missed`: whole turns may have passed unseen, so it is the player's next turn. Else it is the
        nearest one, perhaps an earlier one.
        ValueError says why the turn cannot start.
        """

    def ended(self, state: S, found: Survey) -> TakenOver[S]:
        """The finished game, for people who end it with the cards that lie on the table (`found`).

        ValueError says why it cannot end.
        """

    def hidden_layout(self, state: S) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Secret: station -> hidden cards there as (number, name).

        The bottom card comes first. Only for people who run the table.

        A card keeps its number when it moves. By default no card is hidden.
        """
        return {}


class Claims(Protocol, Generic[S_contra, A_contra]):
    """What players can claim, and the verdicts on it.

    By default nothing. A claim's subject is what the claim is about: an index (from 0) into `places` of the
    public screen.
    """

    def claim_of(self, action: A_contra) -> tuple[int, bool | None] | None:
        """(subject from 0, outcome) of a claim; None for other actions.

        Outcome: True or False as the action says that the claim was right or wrong; None if it says
        neither.
        """
        return None

    def subject_at(self, state: S_contra, place: str) -> int | None:
        """The subject (from 0) whose cards and claim button are at the station `place`.

        None if there is none.
        """
        return None

    def claim_station(self, state: S_contra, subject: int) -> str:
        """Station whose button claims a subject (from 0).

        Inverse of `subject_at`. "" if nothing can be claimed.
        """
        return ""

    def claimable(self, state: S_contra, subject: int) -> str | None:
        """Why a subject (from 0) cannot be claimed now.

        A sentence for people; None if it can be claimed.
        """
        return text("Nothing is claimed in this game.")

    def judge(self, state: S_contra, subject: int) -> Judgement:
        """Decide a claim about a subject (from 0).

        Only the cards known in `state` count. By default the verdict is CANNOT_TELL.
        """
        return Judgement(Verdict.CANNOT_TELL, (), "")


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

    def headline(self, outcome: Outcome) -> Headline:
        """The result of a finished game in a few words, for large letters and for one line."""


class HiddenStacks(Protocol, Generic[S, A_contra]):
    """Stacks of hidden cards: players make claims about them, and turned up cards decide a claim."""

    def reveal(self, state: S, subject: int, kinds: tuple[str, ...]) -> Reveal[S] | None:
        """Enter a claim's turned up cards into the state.

        `subject`: from 0. `kinds`: kinds of the cards seen, sorted. None if they cannot have lain there.
        """

    def proof(self, state: S, subject: int) -> tuple[str, ...]:
        """Sorted kinds of the cards that would prove a claim about a subject (from 0)."""

    def corrected(self, state: S, subject: int, verdict: Verdict) -> str:
        """Sentence for people: turned up cards changed a claim's verdict.

        `subject`: what was claimed, from 0. `verdict`: the new verdict.
        """

    def askable_fact(self, before: S, action: A_contra) -> AskableFact | None:
        """Yes-or-no question: was `action` really done in state `before`?

        Players are asked. None if no player may know, or if the action is neither a claim nor a move of
        hidden cards.
        """

    def proved_fact(self, state: S, subject: int) -> AskableFact:
        """Yes-or-no question: did unseen cards prove a claim?

        The camera missed or perhaps misread them. Players are asked. `subject`: what was claimed, from 0.
        """

    def claimed_fact(self, state: S, subject: int) -> AskableFact:
        """Yes-or-no question: did anybody mean to claim a subject?

        Players are asked. Subjects count from 0. Asked if the companion judged a claim but saw no card
        turned up.
        """


class OpenRealms(Protocol, Generic[S_contra]):
    """Game part: each player's cards lie open, and the only claim is to have won.

    The win can be read off the open cards.
    """

    def judge_unread(self, state: S_contra, subject: int, cards: int) -> Judgement | None:
        """Judge a claimed win while some cards are unread.

        The cards are the player's. `subject`: the player (from 0). `cards`: number of cards that the camera has
        not read. None if they cannot change the verdict of `Claims.judge`.
        """


class HiddenHands(Protocol, Generic[S_contra]):
    """Hands of cards that only their players see."""

    def hand_cards(self, state: S_contra) -> Sequence[Mapping[str, Any]]:
        """Every kind that hidden hands may hold, as `CardView` fields.

        A touch screen lists them to pick from.
        """

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """Mat zone where the camera alone sees a player's hand.

        Empty if there is none.

        `options`: switched on options of the game. Cards seen there are used for that player's hints only.
        """
        return ""


class TableGame(Rules[S, A], Appearance[S, A], Claims[S, A], Narrator[S, A], Protocol[S, A]):
    """A complete game: rules, appearance, claims and sentences.

    `stacks`, `realms` and `hands` are None in a game without them.
    """

    stacks: HiddenStacks[S, A] | None = None
    realms: OpenRealms[S] | None = None
    hands: HiddenHands[S] | None = None
    name_characters: Callable[[Sequence[str]], None] | None = None
    """Function that gives the characters in `Words.unnamed` the family's names.

    ValueError for too many names, one that is too long, or one given twice.
    """


def revealed(game: TableGame[S, A], state: S, subject: int, kinds: tuple[str, ...]) -> Reveal[S] | None:
    """Enter turned up cards of a claim's subject (from 0) into the state, by `HiddenStacks.reveal`.

    `kinds`: kinds seen, sorted. None if they cannot have lain there, or if the game has no hidden stacks.
    """
    return game.stacks.reveal(state, subject, kinds) if game.stacks else None


def askable_fact(game: TableGame[S, A], before: S, action: A) -> AskableFact | None:
    """Yes-or-no question: was `action` really done in state `before`?

    Players are asked. None if nobody may be asked (see `HiddenStacks.askable_fact`), or if the game has no
    hidden stacks.
    """
    return game.stacks.askable_fact(before, action) if game.stacks else None
