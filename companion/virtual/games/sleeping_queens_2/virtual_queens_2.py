"""Sleeping Queens 2 as a `RehearsedGame` of the virtual table."""

from collections.abc import Mapping, Sequence
from random import Random

from companion.games.sleeping_queens_2.players.policies import play_sensibly
from companion.games.sleeping_queens_2.players.simulation import make_policy, play_out
from companion.games.sleeping_queens_2.queens_2_cards import catalogue
from companion.games.sleeping_queens_2.rules import actions as do
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.hidden_state import hide
from companion.games.sleeping_queens_2.rules.parts import DEFAULT_PARTS, Parts, read_parts
from companion.games.sleeping_queens_2.rules.rulebook import SleepingQueens2
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.virtual.game_api import Reins
from companion.virtual.games.sleeping_queens_2.perfect_camera import PerfectRig, mistakes, taken_back
from companion.virtual.games.sleeping_queens_2.queens_2_play import Queens2Play, TableRules
from companion.virtual.games.sleeping_queens_2.thing_ledger import ThingLedger
from companion.virtual.hand_movements import Stage
from companion.virtual.rehearsal_api import ActedGame, Doing, RehearsedGame, differing, with_mistakes
from companion.virtual.render.looks import Looks
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.seated_players import Players, WithoutMemory

_NAMED = "QRKD"
"""First letters of codes that screens show: queens, companions, kings, knights, die sides."""
_LAID = (do.Steal, do.Take, do.Swap, do.Equation, do.Pair, do.Book, do.Rescue, do.PutBack, do.Discard, do.Roll)


class VirtualQueens2(RehearsedGame):
    """Sleeping Queens 2 for the virtual table and rehearsals.

    The game has no board. `parts`: printed parts of the box.
    """

    def __init__(self, parts: Parts = DEFAULT_PARTS) -> None:
        self._parts = parts

    def with_parts(self, parts: Mapping[str, str]) -> "VirtualQueens2":
        """Copy the game with the printed parts of another box.

        `parts`: name of a part (of PART_NAMES) -> text printed on it. ValueError names a wrong part.
        """
        return VirtualQueens2(read_parts(parts))

    @property
    def looks(self) -> Looks:
        """Look of the things; imports OpenCV, which loads slowly."""
        from companion.virtual.games.sleeping_queens_2.queens_2_looks import Queens2Looks

        return Queens2Looks()

    def rig(self, variant: str) -> RigPlan:
        """Sensors of the table: a camera alone.

        Screens show the codes of queens, companions, kings, knights and die sides.
        """
        return RigPlan(on_screen=lambda code: code[0] in _NAMED)

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> Queens2Play:
        """Deal a game that is played on `stage`.

        `reins`: hold and move the players. `policy`: how they play, a name of `players.policies`. `rash` is
        ignored, because these players claim nothing. Cards, copies and players have separate random streams
        from `seed`.
        """
        rules = TableRules(Random(f"{seed} chance"), self._parts)
        dealt = rules.setup(variant, players, Random(f"{seed} deal"))
        things = ThingLedger(catalogue(dealt.parts), Random(f"{seed} copies"))
        chance = Random(f"{seed} players")
        everybody = Players(rules, dealt, players, WithoutMemory(make_policy(policy)), chance)
        return Queens2Play(rules, dealt, stage, everybody, reins, things)

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """Let sensible players play game `seed`, as a perfect camera would report it.

        `rash` and `tapped` are ignored, because these players claim nothing and the game has no pad.
        """
        dealt = SleepingQueens2(self._parts).setup(variant, players, Random(f"{seed} deal"))
        rig = PerfectRig(catalogue(dealt.parts), Random(f"{seed} rig"))
        *before, last = [tuple(batch) for batch in rig.setup(dealt)]
        laying_out = [Doing(None, before), Doing(do.Open(dealt.discard[-1]), [last])]
        playing = []
        end = dealt
        chance, turn = Random(f"{seed} mistakes"), 0
        for step in play_out(dealt, [play_sensibly] * players, Random(f"{seed} players")):
            end = step.after
            wrong = list(mistakes(step.before, chance)) if step.before.turns > turn else []
            turn = step.before.turns if wrong else turn
            made = [taken_back(rig, step.before, one, chance) for one in wrong]
            batches = [tuple(batch) for batch in rig.notice(step.before, step.action, end)]
            playing.append(Doing(step.action, batches, mistakes=made))
        return ActedGame(laying_out, playing, end)

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """Add mistakes to a game's actions (`doings`).

        Players take them back. `rate`: their probability in each turn.
        """
        return list(with_mistakes(doings, rate, chance))

    def in_sight(self, action: Action) -> Action | None:
        """Part of an action that everybody can see.

        Hidden cards have no names in it. None if the action lays nothing in sight.
        """
        match action:
            case do.Draw():
                return do.Draw()
            case do.Fetch(cell, _):
                return do.Fetch(cell)
        return action if isinstance(action, _LAID) else None

    def begins_turn(self, action: Action) -> bool:
        """True if the next turn begins after the action.

        So it does after the end of a turn, or of laying out.
        """
        return isinstance(action, do.Open | do.End)

    def awaits(self, state: State, player: int) -> bool:
        """True if `player`'s turn (from 0) begins in `state`."""
        return state.phase is Phase.ROLL and state.turn == player

    def differences(self, truth: State, tracked: State) -> tuple[str, ...]:
        """Facts that the tracked state has wrong, in words.

        Empty if none. Hidden cards are not compared.
        """
        fields = "phase turn turns realms asleep companions kings knights drawn"
        return differing(
            {
                **{name: (getattr(truth, name), getattr(tracked, name)) for name in fields.split()},
                "grid": (hide(truth).cells, hide(tracked).cells),
                "discard": (sorted(truth.discard), sorted(tracked.discard)),
                "deck": (len(truth.deck), len(tracked.deck)),
            }
        )

    def outage_faults(self, truth: State, tracked: State) -> tuple[str, ...]:
        """Wrong facts of a companion that missed a part of the game, in words.

        Only phase and kings are compared.
        """
        return differing({"phase": (truth.phase, tracked.phase), "kings": (truth.kings, tracked.kings)})

    def score_right(self, truth: State, tracked: State) -> bool:
        """True if the tracked state has the true end, winner and kings of everybody."""
        if tracked.phase is not Phase.OVER:
            return False
        return truth.kings == tracked.kings and winner(truth) == winner(tracked)
