"""One game rehearsed through observations alone: no pixels and no bytes, milliseconds instead of seconds."""

import time
from random import Random

from companion.clock import ManualClock
from companion.events import Claimed, Event
from companion.games.registry import load_game
from companion.games.sleepless_princess.actions import Claim
from companion.games.sleepless_princess.policies import make_policy
from companion.games.sleepless_princess.rules import RULES
from companion.games.sleepless_princess.state import ASLEEP, State
from companion.observation import Button, Observation
from companion.rehearse.compare import compare
from companion.rehearse.harness import AFTERMATH_S, RASHNESS, GameReport
from companion.session import Session
from companion.simulate import play_out
from companion.virtual.senses import PerfectRig
from companion.virtual.truth import ClaimTruth


def rehearse_observed(seed: int, variant: str, players: int) -> GameReport:
    """Play one game by the rules; a perfect rig tells the session of it. The same seed, the same report.

    Waits from card to event have no meaning here and are left out.
    """
    started = time.process_time()
    clock = ManualClock()
    game = load_game("sleepless-princess")
    state: State = RULES.setup(variant, players, Random(f"{seed} deal"))
    rig = PerfectRig(game.cards(variant), Random(f"{seed} rig"))
    verdicts: list[tuple[float, Claimed]] = []
    claims: list[ClaimTruth] = []

    def publish(event: Event) -> None:
        if isinstance(event, Claimed):
            verdicts.append((clock.now(), event))

    session = Session(game, variant, players, clock=clock, publish=publish)

    def tell(batch: list[Observation]) -> None:
        clock.sleep(rig.t - clock.now())
        session.take(rig.t, batch)

    for batch in rig.setup(state):
        tell(batch)
    for step in play_out(state, make_policy("sensible", rash=RASHNESS), Random(f"{seed} players")):
        state = step.after
        for batch in rig.notice(step.before, step.action, state):
            if isinstance(step.action, Claim) and isinstance(batch[0], Button):
                bed = step.action.bed
                claims.append(ClaimTruth(rig.t, bed + 1, state.fates[bed] == ASLEEP))
            tell(batch)
        rig.t += AFTERMATH_S
        tell([])
    return GameReport(
        seed=seed,
        variant=variant,
        players=players,
        comparison=compare(state, session.tracker.state, (), session.tracker.steps, claims, verdicts),
        table_seconds=round(clock.now(), 3),
        cpu_seconds=time.process_time() - started,
        keys_pressed=session.keys_pressed,
        questions_asked=session.questions_asked,
    )
