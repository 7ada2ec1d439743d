"""One game rehearsed through observations alone: no pixels and no bytes, tens of milliseconds a game."""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from random import Random

import msgspec

from companion.core.clock import ManualClock
from companion.core.files import Scratch
from companion.games.api import AskableFact
from companion.games.registry import load_game
from companion.games.sleepless_princess.players.policies import make_policy
from companion.games.sleepless_princess.players.simulation import play_out
from companion.games.sleepless_princess.rules.actions import Action, Claim, Lay, Move, Open, Seat
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import ASLEEP, State
from companion.games.sleepless_princess.virtual.perfect_rig import PerfectRig
from companion.games.sleepless_princess.virtual.player_slips import Batch, Doing, with_player_slips
from companion.games.sleepless_princess.wording import askable_fact
from companion.rehearse.compare import compare, shown_waits
from companion.rehearse.outage import (
    Minder,
    OutageReport,
    cut,
    outage_faults,
    plan_outage,
    score_right,
    turns,
)
from companion.rehearse.pixels import AFTERMATH_S, RASHNESS, GameReport, new_folder
from companion.rehearse.restarts import AheadClock, plan_restarts, started_again
from companion.rehearse.table_parts import AWAY_S, parts_of, sensed
from companion.rehearse.watched_session import Pauses, Told, WatchedSession, Witness
from companion.sensing.observation import Observation, TagRead
from companion.session.events import Claim as ClaimKey
from companion.session.journal import Journal
from companion.session.relive import ROUND_S, pass_time
from companion.virtual.ground_truth import TruthEntry, TruthLog
from companion.virtual.rig.noise_profiles import Noise, profile
from companion.virtual.rig.sensor_faults import SensorFaults

BETWEEN_BATCHES_S, BETWEEN_ACTIONS_S = (0.8, 1.6), (1.5, 4.0)
"""The players' pace: within an action, and until the next one."""
LIFTED_S = (1.4, 2.2)
"""How long a mattress is off the scales: shorter nobody could tell it from a shaky hand."""
EMPTY_S = 3.0


def rehearse_observed(
    seed: int,
    variant: str,
    players: int,
    *,
    noise: str = "clean",
    rig: str = "full",
    deal: str = "pad",
    record: Path | None = None,
    rash: float = RASHNESS,
    restarts: int = 0,
    down_s: float = 0.0,
    outage: str | None = None,
    away_s: float = AWAY_S,
) -> GameReport:
    """Play one game by the rules; a rig with the mishaps of its profile tells the session of it.

    `record` is a folder for the journal and the ground truth. `rash` is how readily players claim (0 to 1): at
    1 a game is short. `restarts`: how often the program is killed; it starts again after `down_s` (s) in which
    the game goes on. `outage` (of OUTAGES) is away for `away_s` (s) once. The same arguments, the same report.
    """
    started = time.process_time()
    clock = ManualClock()
    game = load_game("sleepless-princess")
    rates, parts = profile(noise), parts_of(rig)
    dealt: State = RULES.setup(variant, players, Random(f"{seed} deal"))
    senses = PerfectRig(game.cards(variant), Random(f"{seed} rig"))
    doings, end = _act_out(dealt, senses, Random(f"{seed} players"), rash, tapped=deal == "pad")
    doings = with_player_slips(doings, rates.player_slips, Random(f"{seed} slips"))
    signs, truth, deeds = _in_time(doings, end, rates, Random(f"{seed} pace"))
    chance = Random(f"{seed} restarts")
    plan = plan_restarts(restarts, down_s, signs, chance) if restarts else []
    scratch = Scratch("rehearse-") if restarts and record is None else None
    folder = scratch.path / "game" if scratch else record
    journal = Journal(new_folder(folder) / "journal.jsonl", sync=False) if folder else None
    machine = AheadClock(clock)
    witness = Witness(lambda: pauses.done(deeds, clock.now()), Random(f"{seed} answers"))
    session = WatchedSession(game, variant, players, clock=machine, journal=journal, witness=witness)
    told, pauses = Told(), Pauses()
    at = 0.0

    def wait(seconds: float) -> None:
        for _ in range(round(seconds / ROUND_S)):
            clock.sleep(ROUND_S)
            session.take(clock.now(), [])
        pauses.add(at, seconds)

    sensor_faults = SensorFaults(
        rates, len(dealt.beds), Random(f"{seed} mishaps"), Random(f"{seed} hands"), seed
    )
    begin = next(entry.t for entry in truth.entries if entry.action.startswith("lay"))
    heard = list(sensor_faults.disturb(signs, begin, [(one.down, one.up) for one in plan]))
    minder: Minder | None = None
    if outage is not None:
        away = plan_outage(outage, away_s, begin, signs[-1].t, Random(f"{seed} outage"))
        heard = list(cut(heard, away))
        minder = Minder(session, away, turns(truth.entries, players), wait, end)
    shown = shown_waits(truth.entries, signs, heard)
    # What one picture shows comes together.
    for at, together in groupby(heard, key=lambda seen: seen.t):
        if minder is not None:
            minder.look(at)
        while plan and plan[0].up <= at:
            stop = plan.pop(0)
            pass_time(session, clock, stop.down + pauses.total)
            clock.sleep(max(0.0, stop.up + pauses.total - clock.now()))
            session = started_again(session, machine, stop)
            # A break is shorter for the session than for the machine; the table's time is the session's.
            rested = session.now() - clock.now()
            machine.ahead -= rested
            if rested > 0:
                pauses.add(stop.up, rested)
                clock.sleep(rested)
        t = round(at + pauses.total, 4)
        sensed_now = [sensed(parts, msgspec.structs.replace(seen, t=t + machine.ahead)) for seen in together]
        pass_time(session, clock, t)
        clock.sleep(t - clock.now())
        told.waiting += [seen for seen in sensed_now if isinstance(seen, Observation)]
        session.step([told], [key for key in sensed_now if isinstance(key, ClaimKey)])
        while session.tracker.claim_waits:
            # The cards are not turned up while the companion asks.
            wait(ROUND_S)
    pass_time(session, clock, clock.now() + AFTERMATH_S)
    followed = minder.end() if minder is not None else True
    truth.entries = [
        msgspec.structs.replace(one, t=pauses.after(one.t), t0=pauses.after(one.t0)) for one in truth.entries
    ]
    if journal:
        session.close()
    if record:
        truth.write(record / "truth.jsonl")
    if scratch:
        scratch.close()
    compared = compare(end, session.tracker.state, truth.entries, session.told, truth.claims, session.verdicts)
    report = None
    if minder is not None:
        compared = replace(compared, faults=outage_faults(end, session.tracker.state))
        report = OutageReport(minder.keys, followed, score_right(end, session.tracker.state))
    return GameReport(
        seed=seed,
        variant=variant,
        players=players,
        comparison=compared,
        outage=report,
        table_seconds=round(clock.now(), 3),
        keys_pressed=session.keys_pressed,
        questions=tuple(session.questions),
        shown_ms=tuple(shown),
        cpu_seconds=time.process_time() - started,
        batch_ms=tuple(session.batch_ms),
    )


def _act_out(
    dealt: State, rig: PerfectRig, chance: Random, rash: float, *, tapped: bool
) -> tuple[list[Doing], State]:
    """The whole game from the empty table, and its true end; the mattresses are `tapped` on the pad or not."""
    doings = [Doing(None, [tuple(rig.glass())])]
    doings += [
        Doing(action, [batch for batch in batches if tapped or not isinstance(batch[0], TagRead)])
        for action, batches in _setting_up(dealt, rig)
    ]
    end = dealt
    for step in play_out(dealt, make_policy("sensible", rash=rash), chance):
        end = step.after
        batches = [tuple(batch) for batch in rig.notice(step.before, step.action, end)]
        doings.append(Doing(step.action, batches, askable_fact(step.before, step.action)))
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
) -> tuple[list[Observation], TruthLog, list[tuple[float, AskableFact]]]:
    """Everything at its time: what a perfect rig reports, what was done when, and what of it people remember.

    Of the true states the log has the last one alone.
    """
    signs: list[Observation] = []
    truth = TruthLog()
    deeds: list[tuple[float, AskableFact]] = []
    t = EMPTY_S
    for doing in doings:
        claim = doing.action if isinstance(doing.action, Claim) else None
        begun: float | None = None
        for batch in doing.batches:
            if noise.linger and chance.random() < 0.5:
                t += chance.uniform(0, noise.linger)
            least, most = LIFTED_S if isinstance(doing.action, Move) else BETWEEN_BATCHES_S
            t = round(t + chance.uniform(least, most), 4)
            begun = t if begun is None else begun
            signs += [msgspec.structs.replace(seen, t=t) for seen in batch]
        if doing.fact is not None:
            deeds.append((t, doing.fact))
        if doing.action is not None:
            bed, asleep = (claim.bed + 1, end.fates[claim.bed] == ASLEEP) if claim else (0, None)
            text = RULES.write_action(doing.action)
            truth.entries.append(TruthEntry(t, text, "", t if begun is None else begun, bed, asleep))
            t += chance.uniform(*BETWEEN_ACTIONS_S)
    last = truth.entries.pop()
    truth.entries.append(msgspec.structs.replace(last, state=RULES.write_state(end)))
    return signs, truth, deeds
