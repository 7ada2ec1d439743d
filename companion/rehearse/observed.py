"""One game rehearsed through observations alone: no pixels and no bytes, tens of milliseconds a game."""

import time
from collections.abc import Iterator
from itertools import groupby
from random import Random

import msgspec

from companion.clock import ManualClock
from companion.events import Claimed, Event
from companion.games.registry import load_game
from companion.games.sleepless_princess.actions import Action, Claim, Lay, Move, Open, Seat
from companion.games.sleepless_princess.cards import KIND_TEXT
from companion.games.sleepless_princess.policies import make_policy
from companion.games.sleepless_princess.rules import RULES
from companion.games.sleepless_princess.state import ASLEEP, State
from companion.observation import Button, Observation
from companion.rehearse.compare import compare
from companion.rehearse.harness import AFTERMATH_S, RASHNESS, GameReport
from companion.session import Session
from companion.simulate import play_out
from companion.virtual.mishaps import Mishaps
from companion.virtual.noise import Noise, profile
from companion.virtual.senses import PerfectRig
from companion.virtual.slips import Batch, Doing, with_slips
from companion.virtual.truth import ClaimTruth, TruthEntry

BETWEEN_BATCHES_S, BETWEEN_ACTIONS_S = (0.8, 1.6), (1.5, 4.0)
"""The players' pace: within an action, and until the next one."""
LIFTED_S = (1.4, 2.2)
"""How long a mattress is off the scales: shorter nobody could tell it from a shaky hand."""
ROUND_S = 0.25
"""How often the session looks while nothing is reported, and for how long after a report."""
ROUNDS = 12
EMPTY_S = 3.0


def rehearse_observed(seed: int, variant: str, players: int, *, noise: str = "clean") -> GameReport:
    """Play one game by the rules; a rig with the mishaps of its profile tells the session of it.

    The same arguments, the same report.
    """
    started = time.process_time()
    clock = ManualClock()
    game = load_game("sleepless-princess")
    rates = profile(noise)
    dealt: State = RULES.setup(variant, players, Random(f"{seed} deal"))
    rig = PerfectRig(game.cards(variant), Random(f"{seed} rig"))
    doings, end = _act_out(dealt, rig, Random(f"{seed} players"))
    doings = with_slips(doings, rates.player_slips, Random(f"{seed} slips"))
    told, entries, claims = _in_time(doings, end, rates, Random(f"{seed} pace"))
    verdicts: list[tuple[float, Claimed]] = []

    def publish(event: Event) -> None:
        if isinstance(event, Claimed):
            verdicts.append((clock.now(), event))

    session = Session(game, variant, players, clock=clock, publish=publish)
    mattresses = [card.code for card in game.cards(variant) if card.code.startswith("M")]
    mishaps = Mishaps(rates, mattresses, len(dealt.beds), Random(f"{seed} mishaps"))
    begin = next(entry.t for entry in entries if entry.action.startswith("lay"))
    # What one picture shows comes together.
    for t, together in groupby(mishaps.disturb(told, begin), key=lambda seen: seen.t):
        _rounds(session, clock, t)
        clock.sleep(t - clock.now())
        session.take(t, list(together))
    _rounds(session, clock, clock.now() + AFTERMATH_S)
    return GameReport(
        seed=seed,
        variant=variant,
        players=players,
        comparison=compare(end, session.tracker.state, entries, session.tracker.steps, claims, verdicts),
        table_seconds=round(clock.now(), 3),
        cpu_seconds=time.process_time() - started,
        keys_pressed=session.keys_pressed,
        questions_asked=session.questions_asked,
    )


def _act_out(dealt: State, rig: PerfectRig, chance: Random) -> tuple[list[Doing], State]:
    """The whole game from the empty table, and its true end."""
    doings = [Doing(action, batches) for action, batches in _setting_up(dealt, rig)]
    end = dealt
    for step in play_out(dealt, make_policy("sensible", rash=RASHNESS), chance):
        end = step.after
        batches = [tuple(batch) for batch in rig.notice(step.before, step.action, end)]
        doings.append(Doing(step.action, batches))
    return doings, end


def _setting_up(dealt: State, rig: PerfectRig) -> Iterator[tuple[Action, list[Batch]]]:
    actions: list[Action] = [Seat(bed, princess) for bed, princess in enumerate(dealt.princesses)]
    actions += [Lay(bed, dealt.faces[slot]) for bed, slots in enumerate(dealt.beds) for slot in slots]
    for action in actions:
        yield action, [tuple(batch) for batch in rig.notice(dealt, action, dealt)]
    for kind in dealt.row:
        yield Open(kind), [tuple(rig.lay_open(KIND_TEXT[kind]))]


def _in_time(
    doings: list[Doing], end: State, noise: Noise, chance: Random
) -> tuple[list[Observation], list[TruthEntry], list[ClaimTruth]]:
    """Everything at its time: what a perfect rig reports, when each action was done, who claimed what."""
    told: list[Observation] = []
    entries: list[TruthEntry] = []
    claims: list[ClaimTruth] = []
    t = EMPTY_S
    for doing in doings:
        for batch in doing.batches:
            if noise.linger and chance.random() < 0.5:
                t += chance.uniform(0, noise.linger)
            least, most = LIFTED_S if isinstance(doing.action, Move) else BETWEEN_BATCHES_S
            t = round(t + chance.uniform(least, most), 4)
            told += [msgspec.structs.replace(seen, t=t) for seen in batch]
            if isinstance(doing.action, Claim) and isinstance(batch[0], Button):
                bed = doing.action.bed
                claims.append(ClaimTruth(t, bed + 1, end.fates[bed] == ASLEEP))
        if doing.action is not None:
            entries.append(TruthEntry(t, RULES.write_action(doing.action), "", t))
            t += chance.uniform(*BETWEEN_ACTIONS_S)
    return told, entries, claims


def _rounds(session: Session, clock: ManualClock, until: float) -> None:
    """Nothing is reported until then: the session looks all the same, for as long as time may still matter."""
    for _ in range(ROUNDS):
        if clock.now() + ROUND_S >= until:
            return
        clock.sleep(ROUND_S)
        session.take(clock.now(), [])
