"""A whole game by the rules, as a perfect rig tells of it."""

from collections.abc import Iterator
from random import Random

from companion.games.sleepless_princess.game import SleeplessPrincessTable
from companion.games.sleepless_princess.players.policies import make_policy
from companion.games.sleepless_princess.players.simulation import play_out
from companion.games.sleepless_princess.rules.actions import Action, Claim, Lay, Move, Open, Seat
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import ASLEEP, State
from companion.games.sleepless_princess.virtual.perfect_rig import PerfectRig
from companion.games.sleepless_princess.wording import askable_fact
from companion.sensing.observation import TagRead
from companion.virtual.rehearsal_api import ActedGame, Batch, Doing


def act_out(seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
    """The game of this seed; the mattresses are `tapped` on the pad as they are dealt or not."""
    dealt: State = RULES.setup(variant, players, Random(f"{seed} deal"))
    rig = PerfectRig(SleeplessPrincessTable().cards(variant), Random(f"{seed} rig"))
    laying_out = [Doing(None, [tuple(rig.glass())])]
    laying_out += [
        Doing(action, [batch for batch in batches if tapped or not isinstance(batch[0], TagRead)])
        for action, batches in _laying_out(dealt, rig)
    ]
    playing = []
    end = dealt
    for step in play_out(dealt, make_policy("sensible", rash=rash), Random(f"{seed} players")):
        end = step.after
        batches = [tuple(batch) for batch in rig.notice(step.before, step.action, end)]
        doing = Doing(step.action, batches, askable_fact(step.before, step.action))
        doing.lifted = isinstance(step.action, Move)
        if isinstance(step.action, Claim):
            doing.claim = (step.action.bed, end.fates[step.action.bed] == ASLEEP)
        playing.append(doing)
    return ActedGame(laying_out, playing, end)


def _laying_out(dealt: State, rig: PerfectRig) -> Iterator[tuple[Action, list[Batch]]]:
    actions: list[Action] = [Seat(bed, princess) for bed, princess in enumerate(dealt.princesses)]
    actions += [Lay(bed, dealt.faces[slot]) for bed, slots in enumerate(dealt.beds) for slot in slots]
    for action in actions:
        yield action, [tuple(batch) for batch in rig.notice(dealt, action, dealt)]
    for kind in dealt.row:
        yield Open(kind), [tuple(rig.lay_open(KIND_TEXT[kind]))]
