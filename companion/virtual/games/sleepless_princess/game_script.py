"""One game of Sleepless Princess on the virtual table, from the empty table to the last bed."""

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.core.errors import BadInputError
from companion.games.hidden_cards import AskableFact
from companion.games.sleepless_princess.players.policies import make_policy
from companion.games.sleepless_princess.rules.actions import Action, Claim, Lay, Open, Seat
from companion.games.sleepless_princess.rules.card_kinds import KIND_OF_TEXT
from companion.games.sleepless_princess.rules.player_view import told
from companion.games.sleepless_princess.rules.rulebook import RULES, SILENT
from companion.games.sleepless_princess.rules.state import ASLEEP, State
from companion.session.stream.virtual_table_events import YourTurn
from companion.virtual.game_api import Reins
from companion.virtual.games.sleepless_princess.action_movements import Scripts
from companion.virtual.games.sleepless_princess.card_ledger import Ledger
from companion.virtual.games.sleepless_princess.seat_view import choice_of, learned_from
from companion.virtual.games.sleepless_princess.truth_words import facts_so_far, truth_in_words
from companion.virtual.hand_movements import Script, Stage
from companion.virtual.played_game import PlayedGame
from companion.virtual.seated_players import Players
from companion.virtual.world import EDGE

_DEALER = 0


class GameScript(PlayedGame):
    """Virtual Sleepless Princess: true state, physical cards and players."""

    def __init__(self, dealt: State, ledger: Ledger, stage: Stage, players: Players, reins: Reins) -> None:
        super().__init__(RULES, dealt, stage, players, reins)
        self._ledger = ledger
        self._scripts = Scripts(stage, ledger)

    @property
    def askable_facts(self) -> set[AskableFact]:
        """Facts about all actions so far that people can confirm or deny."""
        return facts_so_far(self.truth.entries)

    def truth_lines(self) -> list[str]:
        """Words for the true beds, hands and next cards, one sentence a line."""
        entries = self.truth.entries
        return truth_in_words(self.state, entries[-1].action if entries else "")

    def _play(self, before: State, action: Action, after: State) -> Script:
        return self._scripts.play(before, action, after)

    def _places(self) -> tuple[Any, ...]:
        ledger = self._ledger
        return (
            ledger.deck,
            ledger.hands,
            ledger.row,
            ledger.played,
            ledger.pile,
            self._scripts.beds.loads,
        )

    def _choice(self, player: int, options: tuple[Action, ...], *, on_turn: bool) -> YourTurn:
        return choice_of(self.state, player, options, self._learned, on_turn=on_turn)

    def _tells(self, before: State, action: Action, after: State, player: int | None) -> tuple[str, ...]:
        return learned_from(before, action, after, player)

    def _still_so(self, before: State, after: State) -> bool:
        """True if every mattress lies in `after` where it lay in `before`."""
        return before.beds == after.beds

    def _claim(self, bed: int) -> Action:
        return Claim(bed)

    def _claimed(self, action: Action, after: State) -> tuple[int, bool] | None:
        return (action.bed, after.fates[action.bed] == ASLEEP) if isinstance(action, Claim) else None

    def _can_show(self, bed: int) -> bool:
        """True if the tile of `bed` (from 0) stands at its head.

        Then a hand can lay it flat.
        """
        tile = self._stage.world.things.get(f"P{self.state.princesses[bed]}A")
        return tile is not None and tile.side == EDGE

    def _show(self, bed: int) -> Script:
        return self._scripts.beds.show_tile(_DEALER, bed, self.state.princesses[bed])

    def _straighten(self, zone: str) -> Script:
        return self._scripts.straighten(_DEALER, zone)

    def _lay_out(self) -> Script:
        """Movements that lay out the empty table up to the first turn.

        The log records only what people see: hands and deck are hidden.
        """
        dealt, stage, scripts = self.state, self._stage, self._scripts
        known = RULES.empty_table(
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
            known = RULES.apply(known, action)
            self._log(begun, action, known)

    def _setup_steps(self) -> Iterator[tuple[Action, Script]]:
        """Actions of laying out, with their movements, in the order of dealing."""
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
    """Deal a game that is played on `stage`.

    `reins`: hold and move the players. `policy`: name of how they play; BadInputError for an unknown one.
    `rash`: probability (0 to 1) of a claim without proof. Cards, copies and players have separate random
    streams from `seed`.
    """
    dealt = RULES.setup(variant, players, Random(f"{seed} deal"))
    ledger = Ledger.of(dealt, stage.cards, Random(f"{seed} copies"))
    try:
        team = make_policy(policy, rash=rash)
    except ValueError as error:
        raise BadInputError(str(error), where="policy") from None
    everybody = Players(RULES, dealt, players, team, Random(f"{seed} players"), told)
    return GameScript(dealt, ledger, stage, everybody, reins)
