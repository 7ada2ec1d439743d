"""The form of the first screen: choices of game, players, table and storage made so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.core.config import LONGEST_NAME
from companion.core.language import localized, plural, text, tr
from companion.core.language import player as player_number
from companion.dashboard.widgets.rig_list import RigOffer

KEEP_DAYS = (0, 7, 30, 90, 365)
"""KEEP_DAYS: choices for how many days games are stored; 0: for ever."""


@dataclass(frozen=True, slots=True)
class GameOffer:
    """Game that the start screen offers.

    `variants`: name of a variant -> possible numbers of players.
    """

    name: str
    variants: Mapping[str, Sequence[int]]
    rigs: Sequence[RigOffer] = ()
    """Sets of sensors for this game, and what each can prove; () if a camera alone is used."""


@dataclass(slots=True)
class StartForm:
    """Start screen's form, with the choices made so far.

    `game`, `variant`, `table`: indices (from 0) of the chosen ones. `players`: number of players. `names`:
    their names, "" for none. `row`: number (from 0) of the current row, the one that keys change.
    """

    games: Sequence[GameOffer]
    game: int = 0
    variant: int = 0
    players: int = 3
    names: list[str] = field(default_factory=list)
    tables: Sequence[tuple[str, str]] = (("virtual", text("a virtual table")),)
    """Tables to choose from, as (value of `companion play --table`, words for it)."""
    table: int = 0
    seat: int = 0
    """Seat (from 1) that the person at the screen takes at a virtual table; 0: only watch."""
    asks: bool = False
    """True if the form asks what may be stored of an evening; that is asked only once."""
    record: bool = False
    """True if evenings at a real table may be recorded (camera pictures and bytes of the board)."""
    keep_days: int = 0
    """Days for which games are stored; 0 for ever."""
    last: str = ""
    """Last unfinished game at a real table, in words; "" if none can be resumed."""
    last_at: int = 0
    """Index (from 0) in `history` of the unfinished game `last`."""
    history: Sequence[str] = ()
    """Recent games, newest first, one line each."""
    evening: Sequence[str] = ()
    """Results of the newest evening, one line for each game."""
    row: int = 0
    told: str = ""
    """Sentence on why the last choice is not possible; "" if it is. Forgotten at the next key."""

    def __post_init__(self) -> None:
        self.names = [*self.names, *[""] * (max(self._counts()) - len(self.names))]
        self.settle()

    @property
    def offer(self) -> GameOffer:
        """Chosen game, with its variants and rigs."""
        return self.games[self.game]

    @property
    def variant_name(self) -> str:
        """Name of the chosen variant of the game."""
        return list(self.offer.variants)[self.variant]

    @property
    def given_names(self) -> tuple[str, ...]:
        """Names of the chosen number of players; () if all are empty."""
        names = tuple(name.strip() for name in self.names[: self.players])
        return names if any(names) else ()

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the form's rows, from the top.

        "game", "variant", "players", "name 1", "name 2", ..., "table", "you", "record", "keep". Rows without a
        choice are left out.
        """
        people = tuple(f"name {number}" for number in range(1, self.players + 1))
        choices = ["game"]
        choices += ["variant"] if len(self.offer.variants) > 1 else []
        choices += ["players", *people]
        choices += ["table"] if len(self.tables) > 1 else []
        choices += ["you"] if self.tables[self.table][0] == "virtual" else []
        choices += ["record", "keep"] if self.asks else []
        return tuple(choices)

    def move(self, step: int) -> None:
        """Make the row `step` rows further down the current one.

        Negative: up. After the last row comes the first.
        """
        self.row = (self.row + step) % len(self.rows)

    def change(self, step: int) -> None:
        """Set the next (`step` 1) or previous (-1) choice in the current row.

        After the last choice comes the first. A row with a player's name does not change.
        """
        here = self.rows[self.row]
        if here == "game":
            self.game = (self.game + step) % len(self.games)
            self.variant = 0
        elif here == "variant":
            self.variant = (self.variant + step) % len(self.offer.variants)
        elif here == "players":
            counts = list(self.offer.variants[self.variant_name])
            self.players = counts[(counts.index(self.players) + step) % len(counts)]
        elif here == "table":
            self.table = (self.table + step) % len(self.tables)
        elif here == "you":
            self.seat = (self.seat + step) % (self.players + 1)
        elif here == "record":
            self.record = not self.record
        elif here == "keep":
            days = sorted({*KEEP_DAYS, self.keep_days})
            self.keep_days = days[(days.index(self.keep_days) + step) % len(days)]
        self.settle()

    def write(self, letter: str) -> None:
        """Add a letter to the current row's player name.

        Ignored if the row has no name, if the name is LONGEST_NAME long, or for a comma.
        """
        number = self._named()
        if (
            number is not None
            and len(self.names[number]) < LONGEST_NAME
            and letter.isprintable()
            and letter != ","
        ):
            self.names[number] = (self.names[number] + letter).lstrip()

    def rub_out(self) -> None:
        """Delete the last letter of the current row's name.

        Ignored if the row has no name.
        """
        number = self._named()
        if number is not None:
            self.names[number] = self.names[number][:-1]

    def wrong(self) -> str:
        """Sentence on why no game can start with this form; "" if one can.

        Two players must not have the same name, capitals ignored.
        """
        given = [name.casefold() for name in self.given_names if name]
        return tr("Two players have the same name.") if len(set(given)) != len(given) else ""

    def _named(self) -> int | None:
        kind, _, number = self.rows[self.row].partition(" ")
        return int(number) - 1 if kind == "name" else None

    def _counts(self) -> list[int]:
        return [count for offer in self.games for counts in offer.variants.values() for count in counts]

    def settle(self) -> None:
        """Make the form's number of players, seat and row possible again.

        To be called after a change of game or variant. The number of players becomes the nearest possible one.
        """
        counts = self.offer.variants[self.variant_name]
        if self.players not in counts:
            self.players = min(counts, key=lambda count: abs(count - self.players))
        self.seat = min(self.seat, self.players)
        self.row = min(self.row, len(self.rows) - 1)

    def kept_in_words(self) -> str:
        """Storage time of games in words: "for ever", or "30 days"."""
        if not self.keep_days:
            return tr("for ever")
        return localized(plural("{n} day", "{n} days", n=self.keep_days))

    def seat_in_words(self) -> str:
        """What the person at the screen will do: "only watch", or "play as ..."."""
        if not self.seat:
            return tr("only watch")
        name = self.names[self.seat - 1].strip() or player_number(self.seat, within=True)
        return tr("play as {who}", who=name)
