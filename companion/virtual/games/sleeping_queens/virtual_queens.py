"""Sleeping Queens as a `RehearsedGame` of the virtual table."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from companion.games.sleeping_queens.players.policies import play_sensibly
from companion.games.sleeping_queens.players.simulation import make_policy, play_out
from companion.games.sleeping_queens.queens_cards import catalogue
from companion.games.sleeping_queens.rules.actions import Action, Defend, Discard, Power, PutToSleep, Wake
from companion.games.sleeping_queens.rules.equations import Cards
from companion.games.sleeping_queens.rules.game_end import points, winners
from companion.games.sleeping_queens.rules.hidden_state import hide
from companion.games.sleeping_queens.rules.kinds import UNKNOWN
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.virtual.game_api import Reins
from companion.virtual.games.sleeping_queens.card_copies import CardCopies
from companion.virtual.games.sleeping_queens.perfect_camera import PerfectRig, mistakes
from companion.virtual.games.sleeping_queens.queens_play import QueensPlay, TableRules
from companion.virtual.hand_movements import Stage
from companion.virtual.rehearsal_api import ActedGame, Doing, RehearsedGame, differing, lingering, with_mistakes
from companion.virtual.render.looks import Looks
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.seated_players import Players, WithoutMemory

SLIPS = 1 / 3
"""Factor on the noise profile's rate of player slips (a probability for each turn).

A guess: in this game a turn is a single play, so it has fewer occasions than a turn of other games.
"""


class VirtualQueens(RehearsedGame):
    """Sleeping Queens for the virtual table and rehearsals.

    The game has no board.
    """

    @property
    def looks(self) -> Looks:
        """Look of the cards; imports OpenCV, which loads slowly."""
        from companion.virtual.games.sleeping_queens.queens_looks import QueensLooks

        return QueensLooks()

    def rig(self, variant: str) -> RigPlan:
        """Sensors of the table: a camera alone.

        Screens show the codes of awake queens.
        """
        return RigPlan(on_screen=lambda code: code[0] == "Q", counted_unread=("play",))

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> QueensPlay:
        """Deal a game that is played on `stage`.

        `reins`: hold and move the players. `policy`: how they play, a name of `players.policies`. `rash` is
        ignored, because these players claim nothing. Cards, copies and players have separate random streams
        from `seed`.
        """
        rules = TableRules(Random(f"{seed} shuffles"))
        dealt = rules.setup(variant, players, Random(f"{seed} deal"))
        copies = CardCopies(catalogue(), Random(f"{seed} copies"))
        chance = Random(f"{seed} players")
        everybody = Players(rules, dealt, players, WithoutMemory(make_policy(policy)), chance)
        return QueensPlay(rules, dealt, stage, everybody, reins, copies)

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """Let sensible players play game `seed`, as a perfect camera would report it.

        `rash` and `tapped` are ignored, because these players claim nothing and the game has no pad.
        """
        dealt = RULES.setup(variant, players, Random(f"{seed} deal"))
        rig = PerfectRig(catalogue(), Random(f"{seed} rig"))
        laying_out = [Doing(None, [tuple(batch) for batch in rig.setup(dealt)])]
        playing = []
        end = dealt
        chance = Random(f"{seed} mistakes")
        for step in play_out(dealt, [play_sensibly] * players, Random(f"{seed} players")):
            end = step.after
            wrong = list(mistakes(step.before, end, chance))
            taken_back = [lingering(rig.lay(cards), rig.take_back(len(cards)), chance) for cards in wrong]
            batches = [tuple(batch) for batch in rig.notice(step.before, step.action, end)]
            playing.append(Doing(step.action, batches, mistakes=taken_back))
        return ActedGame(laying_out, playing, end)

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """Add mistakes to a game's actions (`doings`).

        Players take them back. Their probability in each turn is a third of `rate`.
        """
        return list(with_mistakes(doings, SLIPS * rate, chance))

    def in_sight(self, action: Action) -> Action | None:
        """Part of an action that everybody can see.

        A woken queen has no name in it. None if the action lays no card in sight.
        """
        if isinstance(action, Wake):
            return Wake(action.cell)
        return action if isinstance(action, Power | Discard | Defend | PutToSleep) else None

    def begins_turn(self, action: Action) -> bool:
        """True if the action begins a turn: a power card or a discard."""
        return isinstance(action, Power | Discard)

    def awaits(self, state: State, player: int) -> bool:
        """True if `player`'s turn (from 0) begins in `state`."""
        return state.phase is Phase.PLAY and state.turn == player

    def differences(self, truth: State, tracked: State) -> tuple[str, ...]:
        """Facts that the tracked state has wrong, in words.

        Empty if none. Hidden and unread cards are not compared.
        """
        return differing(
            {
                "phase": (truth.phase, tracked.phase),
                "turns": (truth.turns, tracked.turns),
                "awake": (truth.awake, tracked.awake),
                "grid": (hide(truth).cells, hide(tracked).cells),
                "played": _lying(truth.played, tracked.played),
                "discard": _lying(truth.discard, tracked.discard),
                "deck": (len(truth.deck), len(tracked.deck)),
                "hands": ([len(hand) for hand in truth.hands], [len(hand) for hand in tracked.hands]),
            }
        )

    def outage_faults(self, truth: State, tracked: State) -> tuple[str, ...]:
        """Wrong facts of a companion that missed a part of the game, in words.

        Only phase and awake queens are compared.
        """
        return differing({"phase": (truth.phase, tracked.phase), "awake": (truth.awake, tracked.awake)})

    def score_right(self, truth: State, tracked: State) -> bool:
        """True if the tracked end, winners and points are right."""
        if tracked.phase is not Phase.OVER:
            return False
        scores = [[points(queens) for queens in state.awake] for state in (truth, tracked)]
        return scores[0] == scores[1] and winners(truth) == winners(tracked)


def _lying(truth: Cards, tracked: Cards) -> tuple[Cards, Cards]:
    """True and tracked kinds of a pile, each sorted, for comparison.

    Two empty tuples if they differ in unread cards alone.
    """
    unread = Counter(truth) - Counter(tracked)
    read = [kind for kind in tracked if kind != UNKNOWN]
    guessed = tracked.count(UNKNOWN)
    if guessed == unread.total() and not Counter(read) - Counter(truth):
        return (), ()
    return tuple(sorted(truth)), tuple(sorted(tracked))
