"""One game on the virtual table, from the empty table to the last bed, as a script that never ends."""

from collections.abc import Iterator
from random import Random

from companion.core.errors import BadInputError
from companion.games.api import AskableFact
from companion.games.sleepless_princess.rules.actions import Action, Claim, Lay, Open, Seat
from companion.games.sleepless_princess.rules.card_kinds import KIND_OF_TEXT
from companion.games.sleepless_princess.rules.rulebook import RULES, SILENT
from companion.games.sleepless_princess.rules.state import ASLEEP, Phase, State
from companion.games.sleepless_princess.virtual.action_movements import Scripts
from companion.games.sleepless_princess.virtual.card_ledger import Ledger
from companion.games.sleepless_princess.virtual.choosers import Players
from companion.games.sleepless_princess.virtual.seat_view import Choice, choice_of, learned_from
from companion.games.sleepless_princess.virtual.truth_words import deeds, truth_in_words
from companion.virtual.game_api import Reins
from companion.virtual.ground_truth import TruthEntry, TruthLog
from companion.virtual.prompts import SETUP, Wanted
from companion.virtual.stage import Script, Stage
from companion.virtual.world import EDGE

_THINK_S, _THINK_FLOOR_S = 1.6, 0.4
_EMPTY_S = 2.0
"""The table is empty so long before anything is laid out."""
_WAIT_S = 0.1
"""How often a held or waiting table looks whether it may go on."""
_READ_S, _READ_FLOOR_S = 2.5, 1.5
"""How long people take to read what the companion asks for; a slow machine has seen by then what lay there."""
_TRIES = 5
"""So often people do what is asked before the first turn, one time after another; later once an action."""
_DEALER = 0


class GameScript:
    """True state, physical ledger and players of one game; `life` moves it."""

    def __init__(
        self, dealt: State, ledger: Ledger, stage: Stage, players: Players, reins: Reins, truth: TruthLog
    ) -> None:
        self.state = dealt
        self.players = players
        self.truth = truth
        self.finished = False
        """The game is over and everything lies still."""
        self._busy = True
        self._dealt = self._begun = False
        self._called: Claim | None = None
        self._learned: tuple[str, ...] = ()
        self._obeyed: set[str] = set()
        """Texts of the screen for which cards were put straight."""
        self._ledger = ledger
        self._stage = stage
        self._reins = reins
        self._scripts = Scripts(stage, ledger)

    def life(self) -> Iterator[float]:
        """The whole game; yields the seconds until the next movement, at the end for ever."""
        yield _EMPTY_S
        yield from self._set_up()
        self._dealt = True
        while self.state.phase is not Phase.OVER:
            self._busy = False
            yield from self._may_go_on()
            yield from self._do_as_asked()
            self._begun = True
            called, self._called = self._called, None
            legal = called is not None and called in RULES.legal_actions(self.state)
            action = called if legal else self.players.next_action(self.state)
            if action is None:
                yield _WAIT_S
                continue
            self._busy = True
            yield from self._do(action)
        self._busy = True
        self.finished = True
        while True:
            yield 1.0
            yield from self._do_as_asked()

    @property
    def seat(self) -> int | None:
        """The player a person plays, from 0; None without one."""
        return self.players.seat

    @property
    def deeds(self) -> set[AskableFact]:
        """Everything that was done so far and that people may be asked about."""
        return deeds(self.truth.entries)

    def truth_lines(self) -> list[str]:
        """What really lies where, in words."""
        entries = self.truth.entries
        return truth_in_words(self.state, entries[-1].action if entries else "")

    def take_seat(self, player: int | None) -> None:
        """A person takes a player's place (from 0) or gives it back."""
        self.players.take_seat(player)
        self._learned = ()

    def choice(self) -> Choice | None:
        """What the person in the seat sees and may choose now; None without a person."""
        seat = self.players.seat
        if seat is None:
            return None
        options = () if self._busy else self.players.options(self.state)
        on_turn = self._dealt and RULES.actor(self.state) == seat
        return choice_of(self.state, seat, options, self._learned, on_turn=on_turn)

    def choose(self, index: int) -> None:
        """The person's choice; BadInputError if it is not possible now."""
        if self._busy:
            raise BadInputError("it is not your turn", where="choice", next_step="wait for your actions")
        self.players.wish(self.state, index)

    def call_claim(self, subject: int) -> None:
        """Somebody claims a bed (from 0), after the running action; BadInputError if nobody may."""
        if not self._dealt or Claim(subject) not in RULES.legal_actions(self.state):
            raise BadInputError(f"nobody can claim bed {subject + 1} now", where="claim")
        self._called = Claim(subject)

    def _may_go_on(self) -> Script:
        while self._reins.paused and not self._reins.steps and self._called is None:
            yield _WAIT_S
        if self._called is None:
            self._reins.steps = max(0, self._reins.steps - 1)

    def _do_as_asked(self) -> Script:
        """What the companion's screen asks for, if it still does when people have read it.

        The chance of what they do over again is its own: all that comes after is the same without it.
        """
        stage = self._stage
        for again in range(1 if self._begun else _TRIES):
            if not self._possible():
                return
            yield stage.lasting(_READ_S, _READ_FLOOR_S)
            wanted = self._possible()
            chance = stage.chance.getstate()
            stage.chance.seed(f"{chance[1][:8]} {again}")
            for bed in wanted.places:
                yield from self._scripts.beds.show_tile(_DEALER, bed, self.state.princesses[bed])
            for zone in wanted.zones:
                yield from self._scripts.straighten(_DEALER, zone)
            stage.chance.setstate(chance)
            if wanted.zones and wanted.text != SETUP:
                self._obeyed.add(wanted.text)

    def _possible(self) -> Wanted:
        """What of all that is wanted people can do: show a tile that stands there, or put cards straight which
        they have not put straight for this text yet."""
        things, wanted = self._stage.world.things, self._reins.wanted
        standing = [
            bed
            for bed in wanted.places
            if (tile := things.get(f"P{self.state.princesses[bed]}A")) and tile.side == EDGE
        ]
        stale = wanted.text in self._obeyed or (wanted.text == SETUP and self._begun)
        zones = wanted.zones if self._dealt and not stale else ()
        return Wanted(tuple(standing), zones, wanted.text)

    def _do(self, action: Action) -> Script:
        stage, players = self._stage, self.players
        before = self.state
        after = RULES.apply(before, action)
        actor = RULES.actor(before)
        if actor >= 0 and actor != players.seat:
            yield stage.lasting(_THINK_S * stage.chance.uniform(0.5, 1.5), _THINK_FLOOR_S)
        begun = stage.now
        yield from self._scripts.play(before, action, after)
        if isinstance(action, Claim):
            begun = stage.claimed
        self.state = after
        players.saw(before, action)
        self._learned = learned_from(before, action, after, players.seat) or self._learned
        self._log(begun, action, after)

    def _log(self, begun: float, action: Action, after: State) -> None:
        bed, asleep = 0, None
        if isinstance(action, Claim):
            bed, asleep = action.bed + 1, after.fates[action.bed] == ASLEEP
        entry = TruthEntry(
            round(max(begun, self._stage.settled), 4),
            RULES.write_action(action),
            RULES.write_state(after),
            round(begun, 4),
            bed,
            asleep,
        )
        self.truth.entries.append(entry)

    def _set_up(self) -> Script:
        """From an empty table to the first turn; the log follows it on a table that hides hands and deck."""
        dealt, stage, scripts = self.state, self._stage, self._scripts
        told = RULES.empty_table(
            dealt.game.variant.name, dealt.game.players, (SILENT,) if dealt.game.silent else ()
        )
        yield from stage.reach(_DEALER, stage.mat.zone("deck").centre)
        yield 0.2
        scripts.lay_deck()
        if dealt.game.variant.glass:
            yield from stage.reach(_DEALER, stage.mat.zone("glass").centre)
            scripts.place_glass()
        yield from stage.withdraw()
        yield from stage.rest()
        seated = False
        for action, script in self._setup_steps():
            yield from self._may_go_on()
            if not seated and not isinstance(action, Seat):
                seated = True
                yield from self._do_as_asked()
            begun = stage.now
            yield from script
            told = RULES.apply(told, action)
            self._log(begun, action, told)

    def _setup_steps(self) -> Iterator[tuple[Action, Script]]:
        """In the order of the mattresses' numbers, so that the log's numbers are those of the true state."""
        dealt, beds = self.state, self._scripts.beds
        for bed, princess in enumerate(dealt.princesses):
            yield Seat(bed, princess), beds.seat(_DEALER, bed, princess)
        for bed, slots in enumerate(dealt.beds):
            for slot in slots:
                yield Lay(bed, dealt.faces[slot]), beds.deal(_DEALER, bed, slot)
        for _ in dealt.row:
            kind = KIND_OF_TEXT[self._ledger.kinds[self._ledger.deck[-1]]]
            yield Open(kind), self._scripts.open_from_hand(_DEALER)


def begin(
    variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
) -> GameScript:
    """Deal a game; cards, copies and players each have a random stream of their own."""
    dealt = RULES.setup(variant, players, Random(f"{seed} deal"))
    ledger = Ledger.of(dealt, stage.cards, Random(f"{seed} copies"))
    team = Players(dealt, Random(f"{seed} players"), policy, rash)
    return GameScript(dealt, ledger, stage, team, reins, TruthLog())
