"""The interface of a game: rules, notation, appearance to sensors, announcements, and words."""

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
"""The actor of a step that nobody chooses, such as a card turned up by chance."""


class IllegalError(ValueError):
    """An action that the rules refuse: a short code, the rulebook section, the cards concerned."""

    def __init__(self, code: str, section: str, text: str, cards: Sequence[str] = ()) -> None:
        self.code = code
        self.section = section
        self.text = text
        self.cards = tuple(cards)
        super().__init__(f"{text} ({code}; {section}{'; ' + ' '.join(cards) if cards else ''})")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a state: a short code, a sentence, the cards concerned."""

    code: str
    text: str
    cards: tuple[str, ...] = ()


class FaultyStateError(ValueError):
    """A question about a state that no game could reach; `faults` lists all that is wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(fault.text for fault in faults))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the score (None where nobody knows it), the highest possible score, and a sentence for
    the table."""

    score: int | None
    out_of: int
    text: str


class Verdict(StrEnum):
    """The verdict on a claim, never a guess."""

    PROVED = "proved"
    REFUTED = "refuted"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reasons in plain words, and what to show the camera if it stays open.

    All screens show them before any card is turned up: `reasons` and `show` must reveal nothing of hidden cards
    beyond the verdict.
    """

    verdict: Verdict
    reasons: tuple[str, ...]
    show: str
    counted: bool = False
    """Whether the number of cards alone settles it."""


@dataclass(frozen=True, slots=True)
class PhysicalCard:
    """A physical card: its code (unique), its kind (which the rules use), its QR payload.

    `marker` is the dictionary id of a thing that carries a fiducial instead of a sticker. `texture` is the
    class that a pressure matrix recognises, empty for a smooth card, None for a card that nobody presses.
    """

    code: str
    kind: str
    name: str
    payload: str = ""
    marker: int | None = None
    texture: str | None = None


CAMERA, BOARD = "camera", "board"
SENSES = frozenset({CAMERA, BOARD})
"""What can watch a table: the camera cards that lie open, the board cards that lie hidden."""

UNKNOWN_KIND = "?"
"""The kind of a card that nobody has seen."""
ANY_KINDS = ("*",)
"""In a sign that an action leaves: any cards."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the sensors should show while a state lasts.

    `zones`: zone name -> kinds of the cards visible there, sorted. A zone that is absent says nothing.
    `tops`: zone name -> kinds one of which lies on top of a pile, UNKNOWN_KIND among them if nobody saw it;
    empty for a pile that shows nothing.
    `counts`: station name -> cards on its load cell. A station that is absent says nothing.
    `begun`: zones in which more may lie already: the next action has begun, and its cards come one by one.
    `face_down`: zone name -> cards that lie there and cannot be read. A zone that is absent says nothing.
    """

    zones: Mapping[str, tuple[str, ...]]
    tops: Mapping[str, frozenset[str]]
    counts: Mapping[str, int]
    begun: frozenset[str] = frozenset()
    face_down: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Difference:
    """A place that differs from a state: the kinds too many, and the kinds that are missing.

    For a scale it is one card of no kind, whatever the difference is: players may not count.
    """

    place: str
    extra: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for everybody at the table. `id` identifies its content, `text` has the words.

    `at_once`: it asks people to do something, so it does not wait until its step is firm. Two messages are
    equal if their ids are.
    """

    id: str
    text: str = field(compare=False)
    at_once: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Survey:
    """The sensors' picture of a table at rest. A zone or station that is absent is not watched.

    `zones`: zone name -> kinds of the cards there, sorted. `counts`: station name -> cards on its load cell.
    `moved`: stations at which something unknown may have passed. `claimed`: stations that were turned up after
    their button was pressed, without a verdict. `shown`: zone name -> kinds that lay there last. `trusted`: the
    state published before whole turns may have passed unseen, None if none did. `face_down`: zone name -> cards
    there that cannot be read. `refuted`: subjects (from 0) of claims that players say failed unseen. `playing`:
    subjects that players say still play, whatever verdict there was.
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
"""No card was turned up anywhere."""

S = TypeVar("S")
A = TypeVar("A")
S_contra = TypeVar("S_contra", contravariant=True)
A_contra = TypeVar("A_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class TakenOver(Generic[S]):
    """A state that a person settled: the state; the numbers (see `Observable.hidden_layout`) of hidden cards
    whose identity nobody knows any more; what is open, a sentence each for everybody; and what only players can
    tell, each with a sentence that says it: `unseen`, subjects (from 0) whose claim may have failed unseen,
    and `judged`, subjects that may still play although a verdict says otherwise, because nobody meant that
    claim."""

    state: S
    lost: tuple[int, ...] = ()
    open: tuple[str, ...] = ()
    unseen: tuple[tuple[int, str], ...] = ()
    judged: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal(Generic[S]):
    """The content of cards that were turned up: a state with them, how many differ from what was believed,
    and the verdict that they settle by themselves, if any. Some cards of the place may stay hidden."""

    state: S
    wrong: int
    verdict: Verdict | None
    all_known: bool = field(default=True, compare=False)
    """Whether it was known of each card there what it is."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A rule for people who play for the first time.

    `when` it first matters: `phase NAME` (of the screen), `card KIND` (an open one), `claim`, `verdict`, or
    `last turns`.
    """

    when: str
    title: str
    text: str
    section: str
    """Where the rulebook says it."""
    variants: tuple[str, ...] = ()
    """Variants of the game that play so; empty for all."""


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences of a game for the screens, independent of its state."""

    titles: tuple[str, ...]
    """Every `title` of a screen while it is nobody's turn."""
    turn_titles: tuple[str, ...] = ()
    """The same while it is somebody's turn; the player is named before it."""
    claim_title: str = ""
    """Question to somebody who wants to claim something."""
    tell_title: str = ""
    """Question to somebody who wants to tell what only players can know."""
    help: tuple[str, ...] = ()
    """Lines of the help page."""
    losses: Mapping[str, str] = field(default_factory=dict)
    """A word in a sensor's name -> what is lost with that sensor; the first that fits counts."""
    verdicts: Mapping[Verdict, tuple[str, str]] = field(default_factory=dict)
    """Verdict -> a friendly sentence, and the `badge` of the subject's place after it."""
    unnamed: tuple[str, ...] = ()
    """What characters are called that the rulebook leaves without a name, until the family names them."""
    turned_up: str = ""
    """The reason of a verdict that turned up cards alone give."""
    lessons: tuple[Lesson, ...] = ()
    """The rules for a first game, in the order of their weight."""
    score_when: str = ""
    """What has to be true before the game can be scored, as an answer to whether it ends here; empty if it can
    be scored at any time."""
    unclear: str = ""
    """Why a claim stays open although no sensor fails."""
    way_back: tuple[str, str] = ("", "")
    """Zone and kind of a token that, laid there while the game is lost, says what `table_is_right` says."""


@dataclass(frozen=True, slots=True)
class Headline:
    """The end of a game in a few words: big words, what they count, and both in one line."""

    big: str
    counted: str
    line: str


class Rules(Protocol, Generic[S, A]):
    """A game. States and actions are immutable; chance is injected; nothing here does input or output."""

    name: str
    """The game's name on the command line, e.g. sleepless-princess."""
    variants: Mapping[str, tuple[int, ...]]
    """Variant -> numbers of players it allows."""
    options: Mapping[str, str]
    """What may be switched on: name -> words for people."""

    def setup(self, variant: str, players: int, chance: Random) -> S:
        """A dealt game with every card known. ValueError names a variant or number that does not exist."""
        ...

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> S:
        """The state before anything lies on the table, nothing known: what a companion starts from.

        `options`: those that are on, of the names in `options`. ValueError for another.
        """
        ...

    def legal_actions(self, state: S) -> tuple[A, ...]:
        """Every action possible now, by anybody, chance included. Empty when the game is over."""
        ...

    def apply(self, state: S, action: A) -> S:
        """The state after `action`; IllegalError says why not."""
        ...

    def actor(self, state: S) -> int:
        """The player whose turn it is, or CHANCE. Claims may come from anybody all the same."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """The result, or None while the game goes on."""
        ...

    def status(self, state: S) -> tuple[Fault, ...]:
        """Every fault of a state at once; empty for a possible one."""
        ...

    def view(self, state: S, player: int | None) -> Mapping[str, Any]:
        """What one player, or (None) everybody, may know: plain values ready for JSON, no secret."""
        ...

    def write_state(self, state: S) -> str:
        """The state as one line."""
        ...

    def read_state(self, line: str) -> S:
        """The exact inverse of write_state; ValueError says what is wrong where."""
        ...

    def write_action(self, action: A) -> str:
        """The action as a few words."""
        ...

    def read_action(self, text: str) -> A:
        """The exact inverse of write_action; ValueError says what is wrong where."""
        ...


class PrintedParts(Protocol):
    """What a rulebook leaves to the printed parts, for a game that has such: die faces, symbols, colours."""

    def take_parts(self, parts: Mapping[str, str]) -> None:
        """Name of a part -> what is printed, for those that differ from the defaults; ValueError says what is
        wrong where."""
        ...

    def printed_parts(self) -> Mapping[str, str]:
        """The parts that differ from the defaults, as `take_parts` reads them."""
        ...

    def all_parts(self) -> Mapping[str, str]:
        """The same of every part."""
        ...


@dataclass(frozen=True, slots=True)
class PartQuestion:
    """A printed part that a person is asked for: its name in `take_parts`, and the question."""

    name: str
    text: str


class PartEnrolment(Protocol):
    """How printed parts are read off: the module `part_enrolment` in the folder of a game with PrintedParts."""

    QUESTIONS: tuple[PartQuestion, ...]
    """Every part, in the order in which they are asked for."""
    ROWS: str
    """What photographs show: which cards lie in rows, and what a row means."""

    def read_rows(self, rows: Sequence[Sequence[str]]) -> Mapping[str, str]:
        """The parts that rows of cards (codes) tell; ValueError says what is wrong with the rows."""
        ...


class RigRow(Protocol):
    """What a rig proves of a game and what it does not, in words; `parts` come on top of the rig before."""

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
        """What rehearsed games showed."""
        ...


class RigTable(Protocol):
    """Rigs compared: the module `rig_table` in the folder of a game that can be followed with several."""

    @property
    def RIG_TABLE(self) -> Sequence[RigRow]:  # noqa: N802 - a module's constant
        """From the smallest rig to the whole."""
        ...


class Observable(Protocol, Generic[S, A]):
    """How states and actions of a game look on a real table."""

    def mat(self, variant: str) -> Mat:
        """The mat with its zones."""
        ...

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        """Every physical card of the variant, with stickers and markers."""
        ...

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """The zone where one player may show the camera a hand behind a cover; empty for none.

        `options`: those that are on. What lies there reaches nothing of the game but a hint to that player.
        """
        ...

    def expected_view(self, state: S) -> Expectation:
        """What the sensors should show while `state` lasts."""
        ...

    def signs(self, state: S, action: A) -> tuple[Sign, ...]:
        """The passing signs of `action` done in `state`, in their order."""
        ...

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        """The (verb, place) pairs of signs that mean something; others are ignored."""
        ...

    def already_known(self, state: S, sign: Sign) -> bool:
        """Whether the state already explains a sign, so that it needs no cause."""
        ...

    def propose(
        self,
        state: S,
        zones: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, int],
        signs: Sequence[Sign],
    ) -> Iterable[A]:
        """The actions worth trying when these kinds lie in the zones, so many cards on the scales, and these
        signs have no cause yet.

        A superset of the legal actions that could explain them is enough; illegal ones are passed over.
        """
        ...

    def adopt(self, state: S, found: Survey) -> TakenOver[S]:
        """The state nearest to `state` that agrees with what was found on the table; ValueError says what of
        it is impossible, and what to do."""
        ...

    def at_turn(self, state: S, player: int, *, missed: bool) -> S:
        """The state at the beginning of a turn of `player` (from 0), whatever was done before: the next one if
        turns may have been `missed`, else the nearest. ValueError says why that cannot be."""
        ...

    def ended(self, state: S, found: Survey) -> TakenOver[S]:
        """The end of the game as the table lies; ValueError says why there is none."""
        ...

    def hidden_layout(self, state: S) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """What lies hidden at each place (by its station), bottom first: a number that stays with the
        card, and its name. Secret: for those who run the table."""
        ...


class Announcements(Protocol, Generic[S, A_contra]):
    """What players may claim of things that nobody can see, and how that is judged.

    The subject of a claim has a number from 0: the place in the order of `places` of the screen.
    """

    claims_wins: bool
    """Whether all that is claimed is that a player has won, by what lies open at their place: that is believed,
    however it came there."""

    def claim_of(self, action: A_contra) -> tuple[int, bool | None] | None:
        """The subject (from 0) that an action claims and the outcome it carries; None for another action."""
        ...

    def subject_at(self, state: S, place: str) -> int | None:
        """The subject (from 0) whose claim button, and whose cards, are at this station."""
        ...

    def claimable(self, state: S, subject: int) -> str | None:
        """Why nothing can be claimed of this subject (from 0) now, or None if it can."""
        ...

    def judge(self, state: S, subject: int) -> Judgement:
        """What can be said of a claim in a state with hidden cards."""
        ...

    def judge_unread(self, state: S, subject: int, cards: int) -> Judgement | None:
        """What can be said of a claim while so many more cards lie open at its place than the state has; None
        if they change nothing."""
        ...

    def reveal(self, state: S, subject: int, kinds: tuple[str, ...]) -> Reveal[S] | None:
        """What cards of these kinds, turned up at the subject (from 0), say; None if they cannot lie there."""
        ...

    def claim_station(self, state: S, subject: int) -> str:
        """The station whose button claims this subject (from 0): the inverse of `subject_at`."""
        ...


class Narrator(Protocol, Generic[S_contra, A_contra]):
    """A game in words, for everybody at the table."""

    words: Words

    def take_names(self, names: Sequence[str]) -> None:
        """The family's names for characters that the rulebook leaves without one; ValueError if too many, too
        long, or one twice."""
        ...

    def screen(
        self,
        state: S_contra,
        assist: str,
        senses: Set[str] = SENSES,
        turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
    ) -> Mapping[str, Any]:
        """What everybody may see, with the fields of `companion.session.stream.events.Table`.

        `senses`: what of SENSES watches the table now; nobody is asked to show something to the others.
        `turned_up`: place of a claim -> kinds of the cards that the camera has seen there face up.
        """
        ...

    def hand_cards(self, state: S_contra) -> Sequence[Mapping[str, Any]]:
        """Every kind of card a hidden hand may have, with the fields of `CardView` on the stream:
        from them a player tells a hand by touch. Empty if all hands lie open."""
        ...

    def difference(self, state: S_contra, found: Difference) -> str:
        """What lies otherwise than it should, as one sentence that a child understands, no secret."""
        ...

    def askable_fact(self, before: S_contra, action: A_contra) -> AskableFact | None:
        """An action as those at the table may be asked about it; None for what nobody may know, and for what is
        neither a claim nor moves anything hidden."""
        ...

    def proved_fact(self, state: S_contra, subject: int) -> AskableFact | None:
        """That the turned up cards of a subject (from 0) proved its claim, as those may be asked who saw them;
        None if nothing is claimed."""
        ...

    def claimed_fact(self, state: S_contra, subject: int) -> AskableFact | None:
        """That a claim about a subject (from 0) whose turned up cards were not seen was meant; None if nothing
        is claimed."""
        ...

    def proof(self, state: S_contra, subject: int) -> tuple[str, ...]:
        """The kinds of the cards that prove a claim about a subject (from 0), sorted."""
        ...

    def message(self, before: S_contra, action: A_contra, after: S_contra) -> Message | None:
        """What happened, for the people at the table, no secret; None if not worth a line."""
        ...

    def untold(self, before: S_contra, action: A_contra) -> str:
        """What an action was that had no line, for whoever takes it back, no secret; empty for no words."""
        ...

    def headline(self, outcome: Outcome) -> Headline:
        """The end of a game in a few words."""
        ...

    def corrected(self, state: S_contra, subject: int, verdict: Verdict) -> str:
        """Cards that were turned up gave another verdict on a subject (from 0) than was told: a sentence."""
        ...

    def wants_hint(self, zone: str, cards: Collection[str]) -> bool:
        """Whether these cards (codes) in a zone are a sign that somebody at the table wants a hint."""
        ...


class TableGame(Rules[S, A], Observable[S, A], Announcements[S, A], Narrator[S, A], Protocol[S, A]):
    """A game as a companion needs it."""
