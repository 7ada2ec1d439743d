"""The interface of a game: rules, notation, sensor view, claims and words.

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

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from companion.core.language import Text
from companion.games.askable_facts import AskableFact
from companion.games.signs import Sign, Verb
from vision.mat_geometry import Mat

CHANCE = -1
"""Actor of a step that no player chooses, such as a card drawn from the deck."""


class IllegalError(ValueError):
    """The rules refuse an action, for a reason.

    `code` names the reason for programs, `section` a section of the rulebook. `text` is a sentence, `cards`
    lists the kinds concerned.
    """

    def __init__(self, code: str, section: str, text: str, cards: Sequence[str] = ()) -> None:
        self.code = code
        self.section = section
        self.text = text
        self.cards = tuple(cards)
        super().__init__(f"{text} ({code}; {section}{'; ' + ' '.join(cards) if cards else ''})")


@dataclass(frozen=True, slots=True)
class Fault:
    """A contradiction within a state: a code for programs, a sentence, and the kinds concerned."""

    code: str
    text: str
    cards: tuple[str, ...] = ()


class FaultyStateError(ValueError):
    """The legal actions of an impossible state were asked for. `faults` lists the state's contradictions."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(fault.text for fault in faults))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game.

    `score` is None if nobody knows it. `out_of` is the highest possible score. `text` is a sentence.
    """

    score: int | None
    out_of: int
    text: str


class Verdict(StrEnum):
    """Answer to a claim. CANNOT_TELL if the known cards neither prove nor refute the claim."""

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
    """True if the number of cards alone decides the verdict."""


@dataclass(frozen=True, slots=True)
class PhysicalCard:
    """One printed card, tile or token of a game.

    `code` is unique. `kind` is what the rules and notation use. `name` is for people. `payload` is the text of
    its QR sticker.
    `marker` is the fiducial id of a thing without a sticker, None for others.
    `texture` is the class that the pressure matrix recognises. It is empty for a smooth card, None for a card
    never pressed.
    """

    code: str
    kind: str
    name: str
    payload: str = ""
    marker: int | None = None
    texture: str | None = None


CAMERA, BOARD = "camera", "board"
SENSES = frozenset({CAMERA, BOARD})
"""Groups of sensors. The camera watches open cards; the board (scales, readers, buttons) hidden ones."""

UNKNOWN_KIND = "?"
"""Kind of a card that nobody has seen."""
ANY_KINDS = ("*",)
"""Kinds of a `Sign` that stands for any cards."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the sensors should report if a given state is right.

    `zones`: zone name -> sorted kinds of the cards visible there.
    `tops`: zone name -> kinds that may lie on top of a pile. UNKNOWN_KIND is among them if nobody saw the
    top card. The set is empty for an empty pile.
    `counts`: station name -> number of cards on its scale.
    `begun`: zones that may already hold some cards of the next action. People lay its cards one by one.
    `face_down`: zone name -> number of unreadable cards there.
    A zone or station that is absent from a mapping is not predicted.
    """

    zones: Mapping[str, tuple[str, ...]]
    tops: Mapping[str, frozenset[str]]
    counts: Mapping[str, int]
    begun: frozenset[str] = frozenset()
    face_down: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """A place whose cards differ from the state: kinds lying there too many, and kinds missing.

    For a scale a list holds at most one card, of empty kind: players may not learn the number of cards.
    """

    place: str
    extra: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for everybody at the table.

    `id` identifies the content: messages with equal `id` count as equal. `text` has the words.
    `at_once`: True if the message asks people to act. It is then shown before its action is sure.
    """

    id: str
    text: str = field(compare=False)
    at_once: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Survey:
    """The cards of a table at rest, as sensors see them or players describe them.

    `zones`: zone name -> sorted kinds of the cards there.
    `counts`: station name -> number of cards on its scale.
    `moved`: stations at which an unknown action may have passed.
    `claimed`: stations whose cards were turned up after a press of their claim button, without a verdict.
    `shown`: zone name -> kinds that lay there last.
    `trusted`: the last state published before whole turns may have passed unseen. None if no turn did.
    `face_down`: zone name -> number of unreadable cards there.
    `refuted`: subjects (from 0) of claims that, as players say, failed while nobody watched.
    `playing`: subjects (from 0) that, as players say, still play, whatever a verdict said.
    A zone or station that is absent from a mapping is not watched.
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
"""Default for kinds turned up by place: no card was turned up."""

S = TypeVar("S")
A = TypeVar("A")
S_contra = TypeVar("S_contra", contravariant=True)
A_contra = TypeVar("A_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class TakenOver(Generic[S]):
    """The state adopted from the table as it lies, after the companion had lost track of the game.

    `lost`: numbers (as in `Observable.hidden_layout`) of hidden cards that nobody can identify any more.
    `open`: sentences for everybody, one for each question that stays open.
    `unseen`: (subject from 0, sentence) for each claim that may have failed while nobody watched.
    `judged`: (subject from 0, sentence) for each refuted claim that players perhaps never made.
    """

    state: S
    lost: tuple[int, ...] = ()
    open: tuple[str, ...] = ()
    unseen: tuple[tuple[int, str], ...] = ()
    judged: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal(Generic[S]):
    """What follows from turning up the cards of one subject (the thing claimed).

    `state` holds the revealed cards. `wrong` counts cards that differ from what was believed.
    `verdict` is what the cards prove by themselves; None if they prove nothing.
    """

    state: S
    wrong: int
    verdict: Verdict | None
    all_known: bool = field(default=True, compare=False)
    """True if every card of the subject was identified, False if some stay unknown."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A rule explained to people who play for the first time.

    `when` names the first moment the rule matters: `phase NAME` of the screen, `card KIND` lying open,
    `claim`, `verdict` or `last turns`.
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
    """Fixed sentences of a game, which do not depend on its state."""

    titles: tuple[str, ...]
    """Every `title` that the public screen can have while nobody is on turn."""
    turn_titles: tuple[str, ...] = ()
    """Every `title` that the public screen can have during a turn, without the player's name before it."""
    claim_title: str = ""
    """Heading above the choices of a person who wants to make a claim."""
    tell_title: str = ""
    """Heading above the choices of a person who tells what sensors cannot know."""
    help: tuple[str, ...] = ()
    """Lines of the help page."""
    losses: Mapping[str, str] = field(default_factory=dict)
    """Part of a sensor's name -> what players lose while that sensor fails. The first match counts."""
    verdicts: Mapping[Verdict, tuple[str, str]] = field(default_factory=dict)
    """Verdict -> (friendly sentence, `badge` shown afterwards at the subject's place)."""
    unnamed: tuple[str, ...] = ()
    """Names of the characters that the rulebook leaves unnamed, used until the family names them."""
    turned_up: str = ""
    """Reason given for a verdict that turned up cards alone have proved."""
    lessons: tuple[Lesson, ...] = ()
    """Lessons of a first game, the most important one first."""
    score_when: str = ""
    """Condition for scoring the game, as an answer to "does it end here?". Empty if scoring is always
    possible."""
    unclear: str = ""
    """Reason given for a claim that stays undecided although every sensor works."""
    way_back: tuple[str, str] = ("", "")
    """(zone, kind) of a token. Laid there after the companion lost track, it confirms the table as it lies."""
    unread: Mapping[str, Text] = field(default_factory=dict)
    """Zone in which cards lie open -> the sentence on an unread card there, whose {number} counts from the
    left."""


@dataclass(frozen=True, slots=True)
class Headline:
    """The result of a game in few words.

    `big` is shown large, e.g. "3 OF 5". `counted` says what this number counts. `line` has both in one line.
    """

    big: str
    counted: str
    line: str


class Rules(Protocol, Generic[S, A]):
    """The rules of a game. States and actions are immutable, chance is injected, no method does input or
    output."""

    name: str
    """Name of the game on the command line, e.g. sleepless-princess."""
    variants: Mapping[str, tuple[int, ...]]
    """Variant -> allowed numbers of players, ascending."""
    options: Mapping[str, str]
    """Option that a family may switch on -> its meaning in words."""

    def setup(self, variant: str, players: int, chance: Random) -> S:
        """Deal a game with every card known. ValueError names an unknown variant or an impossible number of
        players."""

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> S:
        """The state before any card lies on the table, all cards unknown.

        `options`: the names (keys of `Rules.options`) that are switched on. ValueError names an unknown one.
        """

    def legal_actions(self, state: S) -> tuple[A, ...]:
        """Every action that any player, or chance, can take now. Empty if the game is over."""

    def apply(self, state: S, action: A) -> S:
        """The state after an action. IllegalError says why the rules refuse it."""

    def actor(self, state: S) -> int:
        """The player (from 0) on turn, or CHANCE. Any player can make a claim at any time."""

    def outcome(self, state: S) -> Outcome | None:
        """The result of the game; None while it goes on."""

    def status(self, state: S) -> tuple[Fault, ...]:
        """Every contradiction within a state. Empty if some game can reach the state."""

    def view(self, state: S, player: int | None) -> Mapping[str, Any]:
        """Everything one player may know, as JSON values. For `player` None: everything everybody may know."""

    def write_state(self, state: S) -> str:
        """A state as one line of notation."""

    def read_state(self, line: str) -> S:
        """Parse a line that `write_state` wrote. ValueError says what is wrong and where."""

    def write_action(self, action: A) -> str:
        """An action in notation, e.g. `play 5 5 5`."""

    def read_action(self, text: str) -> A:
        """Parse a text that `write_action` wrote. ValueError says what is wrong and where."""


class PrintedParts(Protocol):
    """A game with parts that the rulebook does not describe: die faces, symbols or colours differ by box."""

    def take_parts(self, parts: Mapping[str, str]) -> None:
        """Set printed parts: part name -> print. Others keep their defaults. ValueError names a wrong part."""

    def printed_parts(self) -> Mapping[str, str]:
        """Parts whose print differs from the game's defaults: part name -> print."""

    def all_parts(self) -> Mapping[str, str]:
        """Print of every part, defaults included: part name -> print."""


@dataclass(frozen=True, slots=True)
class PartQuestion:
    """A question about one printed part. `name` is its key in `PrintedParts.take_parts`."""

    name: str
    text: str


class PartEnrolment(Protocol):
    """Contents of a game's module `part_enrolment`: learns printed parts from a person or photographs."""

    QUESTIONS: tuple[PartQuestion, ...]
    """One question for every printed part, in the order of asking."""
    ROWS: str
    """Instruction to the person who photographs cards in rows: which cards to lay, and what a row means."""

    def read_rows(self, rows: Sequence[Sequence[str]]) -> Mapping[str, str]:
        """Printed parts (name -> print) found from rows of card codes. ValueError says what is wrong with the
        rows."""


class RigRow(Protocol):
    """One rig (a set of sensors), with what it can prove of a game and what it cannot."""

    @property
    def name(self) -> str:
        """Name of the rig, for people."""

    @property
    def parts(self) -> str:
        """Parts to buy beyond those of the next smaller rig, in words."""

    @property
    def proves(self) -> str:
        """What this rig proves of a game, in words."""

    @property
    def cannot(self) -> str:
        """What this rig cannot prove of a game, in words."""

    @property
    def counted(self) -> str:
        """Result of rehearsed games with this rig, in words."""


class RigTable(Protocol):
    """Contents of a game's module `rig_table`, for a game that several rigs can follow."""

    @property
    def RIG_TABLE(self) -> Sequence[RigRow]:  # noqa: N802 - a module's constant
        """Every rig that can follow the game, the smallest first."""


class Observable(Protocol, Generic[S, A]):
    """How a game's states and actions look to sensors, and what sensor reports mean for the game."""

    def mat(self, variant: str) -> Mat:
        """The printed mat of a variant, with its zones."""

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of a variant."""

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """Name of the mat zone where a player secretly shows a hand to the camera. Empty if there is none.

        `options`: the game's options that are on. Cards seen in the zone serve only hints to that player.
        """

    def expected_view(self, state: S) -> Expectation:
        """Predict what the sensors report while the table looks like `state`."""

    def signs(self, state: S, action: A) -> tuple[Sign, ...]:
        """The signs (`Sign`) that sensors should notice, in order, while `action` changes `state`.

        Cards that stay where the action laid them need no sign: `expected_view` of the next state has them.
        """

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        """All (verb, zone or station) pairs whose signs need an action as cause. Other signs are ignored."""

    def already_known(self, state: S, sign: Sign) -> bool:
        """True if a sign needs no action as its cause, because the state already explains it."""

    def propose(
        self,
        state: S,
        zones: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, int],
        signs: Sequence[Sign],
    ) -> Iterable[A]:
        """Candidate actions that may explain what the sensors show.

        `zones`: zone name -> kinds that lie there. `counts`: station name -> cards on its scale. `signs`:
        signs without a cause so far.
        A superset of the explaining actions is enough, because illegal actions are skipped.
        """

    def adopt(self, state: S, found: Survey) -> TakenOver[S]:
        """The state that fits the surveyed table `found` with the fewest changes to `state`.

        ValueError says what is impossible, and what to do.
        """

    def at_turn(self, state: S, player: int, *, missed: bool) -> S:
        """The state at the start of a turn of `player` (from 0), whatever happened before.

        If turns may have passed unseen (`missed`), it is the player's next turn, else the nearest one. The
        nearest turn may be an earlier one. ValueError says why the turn cannot start.
        """

    def ended(self, state: S, found: Survey) -> TakenOver[S]:
        """End the game with the table as surveyed in `found`. ValueError says why it cannot end."""

    def hidden_layout(self, state: S) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Secret: station -> hidden cards there, the bottom one first. Only those who run the table see it.

        Each card is (number, name). The number stays with the card when it moves.
        """


class Announcements(Protocol, Generic[S, A_contra]):
    """Claims that players make about hidden cards, and the verdicts on them.

    The subject of a claim is what the claim is about: an index (from 0) into `places` of the public screen.
    """

    claims_wins: bool
    """True if players can claim nothing but a win. Open cards that prove a win are always believed."""

    def claim_of(self, action: A_contra) -> tuple[int, bool | None] | None:
        """(subject from 0, outcome) if an action is a claim, else None.

        The outcome is True if the claim proved right, False if wrong, None if the action does not tell.
        """

    def subject_at(self, state: S, place: str) -> int | None:
        """The subject (from 0) whose cards and claim button are at a station. None if it has none."""

    def claimable(self, state: S, subject: int) -> str | None:
        """Reason, in words, why a subject (from 0) cannot be claimed now. None: it can be claimed."""

    def judge(self, state: S, subject: int) -> Judgement:
        """Decide a claim about a subject (from 0) from the known cards of `state`."""

    def judge_unread(self, state: S, subject: int, cards: int) -> Judgement | None:
        """Judge a claim although `cards` open cards at the subject's place are not yet in `state`.

        None if those cards cannot change the verdict of `judge`.
        """

    def reveal(self, state: S, subject: int, kinds: tuple[str, ...]) -> Reveal[S] | None:
        """Enter cards turned up at a subject (from 0) into the state. None if they cannot lie there."""

    def claim_station(self, state: S, subject: int) -> str:
        """The station whose button claims this subject (from 0). Inverse of `subject_at`."""


class Narrator(Protocol, Generic[S_contra, A_contra]):
    """Sentences that tell the course of a game to everybody at the table."""

    words: Words

    def take_names(self, names: Sequence[str]) -> None:
        """Set the family's names for characters that the rulebook leaves unnamed.

        ValueError for too many names, a name that is too long, or a name given twice.
        """

    def screen(
        self,
        state: S_contra,
        assist: str,
        senses: Set[str] = SENSES,
        turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
    ) -> Mapping[str, Any]:
        """The public screen as JSON values: the fields of `companion.session.stream.events.Table`.

        `assist`: the family's level of help, out of companion.games.advice.LEVELS, or empty.
        `senses`: the groups of SENSES that work now. While one works, nobody is asked to show cards to
        others.
        `turned_up`: name of a claimed place -> kinds that the camera has seen there face up.
        """

    def hand_cards(self, state: S_contra) -> Sequence[Mapping[str, Any]]:
        """Every kind of card that a hidden hand may hold, each as the fields of `CardView`.

        A player picks the own cards from this list on a touch screen. Empty if all hands lie open.
        """

    def difference(self, state: S_contra, found: Difference) -> str:
        """A sentence that asks people to correct a place that differs from `state`. Names no hidden card."""

    def askable_fact(self, before: S_contra, action: A_contra) -> AskableFact | None:
        """The yes-or-no question whether `action` was done in state `before`.

        None if no player may know it, or if the action is no claim and moves no hidden card.
        """

    def proved_fact(self, state: S_contra, subject: int) -> AskableFact | None:
        """The yes-or-no question whether turned up cards proved a subject's claim. None without claims."""

    def claimed_fact(self, state: S_contra, subject: int) -> AskableFact | None:
        """The yes-or-no question whether a subject's claim was meant. None in a game without claims.

        Asked if the companion judged a claim but did not see the cards turned up.
        """

    def proof(self, state: S_contra, subject: int) -> tuple[str, ...]:
        """Kinds of the cards that prove a claim about a subject (from 0), sorted."""

    def message(self, before: S_contra, action: A_contra, after: S_contra) -> Message | None:
        """The line that tells everybody of an action. None if the action needs no line. Names no hidden
        card."""

    def untold(self, before: S_contra, action: A_contra) -> str:
        """Words for an action without a `message`, for a player who takes it back. Empty if it has none."""

    def headline(self, outcome: Outcome) -> Headline:
        """The result of a finished game in few words."""

    def corrected(self, state: S_contra, subject: int, verdict: Verdict) -> str:
        """Sentence that a verdict on a subject (from 0) changed to `verdict`, because of turned up cards."""

    def wants_hint(self, zone: str, cards: Collection[str]) -> bool:
        """True if cards (codes) laid into a zone are the players' way of asking for a hint."""


class TableGame(Rules[S, A], Observable[S, A], Announcements[S, A], Narrator[S, A], Protocol[S, A]):
    """A complete game: its rules, sensor view, claims and sentences."""
