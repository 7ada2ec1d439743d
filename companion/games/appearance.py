"""How a game looks to camera and board: mat, cards, expected views and the signs of its actions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol

from companion.games.rules import A, S
from companion.games.signs import Sign, Verb
from vision.mat_geometry import Mat


@dataclass(frozen=True, slots=True)
class PhysicalCard:
    """One printed card, tile or token of a game.

    `code`: unique name, e.g. "H07A". `kind`: what rules and notation call it, e.g. "7"; copies share a
    kind. `name`: for people.
    `payload`: text of its QR sticker. `marker`: id of its fiducial if it has no sticker, else None.
    `texture`: class of surface that the pressure matrix tells apart. Empty: smooth. None: never pressed on
    the matrix. `small`: True for a die, or another thing much smaller than a card.
    """

    code: str
    kind: str
    name: str
    payload: str = ""
    marker: int | None = None
    texture: str | None = None
    small: bool = False


@dataclass(frozen=True, slots=True)
class Expectation:
    """Sensor reports to be expected in a state of the game.

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
