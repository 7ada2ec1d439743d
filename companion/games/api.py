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

from companion.core.mat_geometry import Mat
from companion.games.askable_facts import AskableFact
from companion.games.signs import Sign, Verb

CHANCE = -1
"""Actor of a step that no player chooses, such as a card drawn from the deck."""


class IllegalError(ValueError):
    """An action that the rules refuse, with the reason.

    `code` names the reason for programs, `section` the rulebook section. `text` is a sentence, `cards` lists
    the kinds concerned.
    """

    def __init__(self, code: str, section: str, text: str, cards: Sequence[str] = ()) -> None:
        self.code = code
        self.section = section
        self.text = text
        self.cards = tuple(cards)
        super().__init__(f"{text} ({code}; {section}{'; ' + ' '.join(cards) if cards else ''})")


@dataclass(frozen=True, slots=True)
class Fault:
    """One contradiction within a state: a code for programs, a sentence, the kinds of the cards concerned."""

    code: str
    text: str
    cards: tuple[str, ...] = ()


class FaultyStateError(ValueError):
    """A state that no game can reach was asked for its legal actions. `faults` lists every contradiction."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(fault.text for fault in faults))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game.

    `score` is None if nobody knows it, `out_of` is the highest possible score. `text` is a sentence for the
    players.
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
    """The verdict on a claim, with reasons in plain words.

    Screens show `reasons` and `show` before any card is turned up. Both must reveal nothing of hidden cards
    beyond the verdict.
    `show` asks for the card that would decide an open claim; empty if no card is needed.
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
"""Groups of sensors. The camera watches open cards; the board (scales, readers, buttons) watches hidden
cards."""

UNKNOWN_KIND = "?"
"""Kind of a card that nobody has seen."""
ANY_KINDS = ("*",)
"""Kinds of a sign that fits any cards."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """The sensor view that a state predicts.

    `zones`: zone name -> sorted kinds of the cards visible there.
    `tops`: zone name -> kinds that may lie on top of a pile. UNKNOWN_KIND is among them if nobody saw the top
    card. The set is empty for an empty pile.
    `counts`: station name -> number of cards on its scale.
    `begun`: zones that may already hold cards of the next action, because its cards are laid one by one.
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
    """A place whose cards differ from the state: kinds too many, kinds missing.

    For a scale each list holds at most one card of empty kind, whatever the difference. Players may not count
    beds.
    """

    place: str
    extra: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for everybody at the table.

    `id` identifies the content; messages with equal `id` are equal. `text` has the words.
    If `at_once`, the message asks people to act and is not delayed until its step is firm.
    """

    id: str
    text: str = field(compare=False)
    at_once: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Survey:
    """The sensor view of a table at rest, or what players said of it.

    `zones`: zone name -> sorted kinds of the cards there.
    `counts`: station name -> number of cards on its scale.
    `moved`: stations at which an unknown action may have passed.
    `claimed`: stations whose cards were turned up after their claim button was pressed, without a verdict.
    `shown`: zone name -> kinds that lay there last.
    `trusted`: the last state published before whole turns may have passed unseen; None if no turn did.
    `face_down`: zone name -> number of unreadable cards there.
    `refuted`: subjects (from 0) whose claims failed unseen, as players say.
    `playing`: subjects (from 0) that still play, as players say, whatever the verdict was.
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
    """A state that a person set right after the companion was lost.

    `lost`: numbers (as in `Observable.hidden_layout`) of hidden cards that nobody can identify any more.
    `open`: sentences for everybody, one for each question that stays open.
    `unseen`: (subject from 0, sentence) for each claim that may have failed unseen.
    `judged`: (subject from 0, sentence) for each verdict on a claim that perhaps nobody meant. Players say
    whether that subject still plays.
    """

    state: S
    lost: tuple[int, ...] = ()
    open: tuple[str, ...] = ()
    unseen: tuple[tuple[int, str], ...] = ()
    judged: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal(Generic[S]):
    """The result of turning up the cards of one subject.

    `state` holds the revealed cards. `wrong` counts cards that differ from what was believed.
    `verdict` is what the cards prove by themselves; None if they prove nothing.
    """

    state: S
    wrong: int
    verdict: Verdict | None
    all_known: bool = field(default=True, compare=False)
    """True if every card of the place was identified, False if some stay hidden."""


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
    """Variants of the game that have this rule. Empty for all."""


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences of a game that do not depend on its state."""

    titles: tuple[str, ...]
    """Every `title` that a screen can have while nobody is on turn."""
    turn_titles: tuple[str, ...] = ()
    """Every `title` that a screen can have while a player is on turn. The player's name stands before it."""
    claim_title: str = ""
    """Question to a person who wants to claim something."""
    tell_title: str = ""
    """Question to a person who wants to tell what only players can know."""
    help: tuple[str, ...] = ()
    """Lines of the help page."""
    losses: Mapping[str, str] = field(default_factory=dict)
    """Word in a sensor's name -> what players lose while that sensor fails. The first matching word counts."""
    verdicts: Mapping[Verdict, tuple[str, str]] = field(default_factory=dict)
    """Verdict -> a friendly sentence, and the `badge` shown at the subject's place afterwards."""
    unnamed: tuple[str, ...] = ()
    """Names of the characters that the rulebook leaves unnamed, used until the family names them."""
    turned_up: str = ""
    """Reason given for a verdict that follows from the turned up cards alone."""
    lessons: tuple[Lesson, ...] = ()
    """Lessons of a first game, the most important one first."""
    score_when: str = ""
    """Condition for scoring the game, as an answer to "does it end here?". Empty if scoring is always
    possible."""
    unclear: str = ""
    """Reason given for a claim that stays open although every sensor works."""
    way_back: tuple[str, str] = ("", "")
    """(zone, kind) of a token: laid there while the companion is lost, it says that the table is right."""


@dataclass(frozen=True, slots=True)
class Headline:
    """The end of a game in few words.

    `big` is shown large, `counted` says what the number counts, `line` has both.
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
        """The player (from 0) on turn, or CHANCE. Claims are open to every player at any time."""

    def outcome(self, state: S) -> Outcome | None:
        """The result of the game; None while it goes on."""

    def status(self, state: S) -> tuple[Fault, ...]:
        """All faults of a state. Empty if a game can reach it."""

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
    """A game whose rulebook leaves die faces, symbols or colours to the printed parts."""

    def take_parts(self, parts: Mapping[str, str]) -> None:
        """Set printed parts that differ from the defaults: part name -> what is printed on it. ValueError says
        what is wrong and where."""

    def printed_parts(self) -> Mapping[str, str]:
        """Printed parts that differ from the defaults: part name -> what is printed on it."""

    def all_parts(self) -> Mapping[str, str]:
        """All printed parts, defaults included: part name -> what is printed on it."""


@dataclass(frozen=True, slots=True)
class PartQuestion:
    """A question that asks a person for one printed part. `name` is its key in `PrintedParts.take_parts`."""

    name: str
    text: str


class PartEnrolment(Protocol):
    """The module `part_enrolment` in a game's folder: how printed parts are learned from a person or
    photographs."""

    QUESTIONS: tuple[PartQuestion, ...]
    """One question for every printed part, in the order of asking."""
    ROWS: str
    """Instruction for the photographs: which cards to lay in rows, and the meaning of a row."""

    def read_rows(self, rows: Sequence[Sequence[str]]) -> Mapping[str, str]:
        """Printed parts (name -> print) found from rows of card codes. ValueError says what is wrong with the
        rows."""


class RigRow(Protocol):
    """One rig (a set of sensors): what it proves of a game and what it cannot prove.

    `parts` names the parts added to the rig of the row before.
    """

    @property
    def name(self) -> str: ...

    @property
    def parts(self) -> str: ...

    @property
    def proves(self) -> str: ...

    @property
    def cannot(self) -> str: ...

    @property
    def counted(self) -> str:
        """Result of rehearsed games with this rig, in words."""


class RigTable(Protocol):
    """The module `rig_table` in the folder of a game that several rigs can follow."""

    @property
    def RIG_TABLE(self) -> Sequence[RigRow]:  # noqa: N802 - a module's constant
        """All rigs, the smallest first."""


class Observable(Protocol, Generic[S, A]):
    """The look of a game's states and actions to the sensors."""

    def mat(self, variant: str) -> Mat:
        """The printed mat and its zones."""

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of a variant."""

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """Name of the zone where a player secretly shows a hand to the camera. Empty if the mat has none.

        `options`: the names that are switched on. Cards seen there serve a hint to that player and nothing
        else.
        """

    def expected_view(self, state: S) -> Expectation:
        """The sensor view that a state predicts."""

    def signs(self, state: S, action: A) -> tuple[Sign, ...]:
        """The passing signs that an action leaves when applied to `state`, in order."""

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        """All (verb, place) pairs whose signs matter in a variant. Other signs are ignored."""

    def already_known(self, state: S, sign: Sign) -> bool:
        """True if the state already explains the sign. Such a sign needs no action as its cause."""

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
        """The state nearest to `state` that agrees with the table. ValueError says what is impossible and what
        to do."""

    def at_turn(self, state: S, player: int, *, missed: bool) -> S:
        """The state at the start of a turn of `player` (from 0), whatever happened before.

        If `missed`, turns may have passed unseen: then the player's next turn is meant, else the nearest one.
        ValueError says why the turn cannot start.
        """

    def ended(self, state: S, found: Survey) -> TakenOver[S]:
        """The end of the game with the table as it lies. ValueError says why the game cannot end."""

    def hidden_layout(self, state: S) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Secret: station -> hidden cards there, the bottom one first. Only those who run the table see it.

        Each card is (number, name). The number stays with the card when it moves.
        """


class Announcements(Protocol, Generic[S, A_contra]):
    """The claims that players make about hidden cards, and their judgement.

    A subject is what a claim is about: an index (from 0) into `places` of the screen.
    """

    claims_wins: bool
    """True if a claim can only say that a player has won. The open cards that prove it are always believed."""

    def claim_of(self, action: A_contra) -> tuple[int, bool | None] | None:
        """(subject, outcome) of a claim. None if the action is no claim. The outcome is None if the action
        carries none."""

    def subject_at(self, state: S, place: str) -> int | None:
        """The subject (from 0) whose cards and claim button are at a station. None if the station has none."""

    def claimable(self, state: S, subject: int) -> str | None:
        """Reason why nobody can claim this subject (from 0) now. None if a claim is possible."""

    def judge(self, state: S, subject: int) -> Judgement:
        """The verdict that the known cards of `state` allow on a claim."""

    def judge_unread(self, state: S, subject: int, cards: int) -> Judgement | None:
        """The verdict on a claim while the state lags behind the table.

        `cards` more cards lie open at the subject's place than the state has. None if they change no verdict.
        """

    def reveal(self, state: S, subject: int, kinds: tuple[str, ...]) -> Reveal[S] | None:
        """The state after cards of these kinds were turned up at a subject (from 0). None if they cannot lie
        there."""

    def claim_station(self, state: S, subject: int) -> str:
        """The station whose button claims this subject (from 0). Inverse of `subject_at`."""


class Narrator(Protocol, Generic[S_contra, A_contra]):
    """The sentences that tell a game to everybody at the table."""

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
        """The screen content for everybody: the fields of `companion.session.stream.events.Table`.

        `senses`: the groups of SENSES that work now. While one watches, no player is asked to show cards to
        the others.
        `turned_up`: place of a claim -> kinds that the camera has seen there face up.
        """

    def hand_cards(self, state: S_contra) -> Sequence[Mapping[str, Any]]:
        """Every kind that a hidden hand may hold: the fields of `CardView`. Empty if all hands lie open.

        A player picks the own cards from this list by touch.
        """

    def difference(self, state: S_contra, found: Difference) -> str:
        """One sentence that asks to put right a place that differs from the state. Names no hidden card."""

    def askable_fact(self, before: S_contra, action: A_contra) -> AskableFact | None:
        """The yes-or-no question whether an action was done.

        None if no player may know it, or if the action is no claim and moves no hidden card.
        """

    def proved_fact(self, state: S_contra, subject: int) -> AskableFact | None:
        """The yes-or-no question whether turned up cards proved the claim of a subject (from 0). None for a
        game without claims."""

    def claimed_fact(self, state: S_contra, subject: int) -> AskableFact | None:
        """The yes-or-no question whether a claim about a subject (from 0) was meant. None for a game without
        claims.

        Asked if the companion did not see the turned up cards.
        """

    def proof(self, state: S_contra, subject: int) -> tuple[str, ...]:
        """Kinds of the cards that prove a claim about a subject (from 0), sorted."""

    def message(self, before: S_contra, action: A_contra, after: S_contra) -> Message | None:
        """The line that tells an action to the players. None if the action needs no line. Names no hidden
        card."""

    def untold(self, before: S_contra, action: A_contra) -> str:
        """Words for an action that had no line, needed when a player takes it back. Empty if the action has no
        words."""

    def headline(self, outcome: Outcome) -> Headline: ...

    def corrected(self, state: S_contra, subject: int, verdict: Verdict) -> str:
        """Sentence after turned up cards changed the verdict on a subject (from 0) to `verdict`."""

    def wants_hint(self, zone: str, cards: Collection[str]) -> bool:
        """True if cards (codes) laid into a zone ask for a hint."""


class TableGame(Rules[S, A], Observable[S, A], Announcements[S, A], Narrator[S, A], Protocol[S, A]):
    """A complete game: rules, sensor view, claims and words."""
