"""A whole game by the rules, as a perfect rig reports it."""

from collections.abc import Iterator
from random import Random

from companion.games.sleepless_princess.game import SleeplessPrincessTable
from companion.games.sleepless_princess.players.policies import make_policy
from companion.games.sleepless_princess.players.simulation import next_step
from companion.games.sleepless_princess.rules.actions import Action, Lay, Open, Seat
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import State
from companion.sensing.observation import TagRead
from companion.virtual.games.sleepless_princess.perfect_rig import PerfectRig
from companion.virtual.games.sleepless_princess.player_slips import at_once, refilled_late, swept_by_next
from companion.virtual.games.sleepless_princess.world_habits import NO_HABITS, Habits, People
from companion.virtual.rehearsal_api import ActedGame, Batch, Doing


def act_out(
    seed: int, variant: str, players: int, rash: float, *, tapped: bool, habits: Habits = NO_HABITS
) -> ActedGame:
    """Play the game of a seed with sensible players, and report it as a perfect rig would.

    `rash`: chance (0 to 1) of a claim without proof at the end of a turn. `tapped`: True if mattresses are
    pressed on the pad while they are dealt. `habits`: habits of the people at the table.
    """
    state: State = RULES.setup(variant, players, Random(f"{seed} deal"))
    cards = SleeplessPrincessTable().cards(variant)
    people = People(cards, habits, Random(f"{seed} rig"), Random(f"{seed} habits"))
    laying_out = [Doing(None, [tuple(people.rig.glass())])]
    laying_out += [
        Doing(action, [batch for batch in batches if tapped or not isinstance(batch[0], TagRead)])
        for action, batches in _laying_out(state, people.rig)
    ]
    playing = list[Doing]()
    policy, chance = make_policy("sensible", rash=rash), Random(f"{seed} players")
    policy.start(RULES.view(state, state.turn))
    while RULES.legal_actions(state):
        done, state = people.besides(state)
        playing += done
        step = next_step(state, policy, chance)
        playing += people.needed(state, step.action, step.after)
        done, state = people.do(state, step.action, step.after)
        playing += done
    left, times = swept_by_next(playing, habits.played_left, Random(f"{seed} played cards"))
    slips = Random(f"{seed} shared habits")
    late = refilled_late(left, habits.refill_forgotten, slips)
    mixed = list(at_once(late, habits.at_once, slips))
    return ActedGame(laying_out, mixed, state, people.happened + times + _moved(left, mixed))


def _moved(before: list[Doing], after: list[Doing]) -> int:
    """Number of actions that have another position in `after` than in `before`."""
    return sum(one.action is not other.action for one, other in zip(before, after, strict=False))


def _laying_out(dealt: State, rig: PerfectRig) -> Iterator[tuple[Action, list[Batch]]]:
    actions: list[Action] = [Seat(bed, princess) for bed, princess in enumerate(dealt.princesses)]
    actions += [Lay(bed, dealt.faces[slot]) for bed, slots in enumerate(dealt.beds) for slot in slots]
    for action in actions:
        yield action, [tuple(batch) for batch in rig.notice(dealt, action, dealt)]
    for kind in dealt.row:
        yield Open(kind), [tuple(rig.lay_open(KIND_TEXT[kind]))]
