"""Rehearsal of a game through observations alone.

There are neither pixels nor bytes. A game takes tens of milliseconds.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.core.clock import ManualClock
from companion.core.files import Scratch
from companion.fusion.explain.sign_rates import count_signs
from companion.games.hidden_cards import AskableFact
from companion.games.registry import DEFAULT_GAME, load_game, load_virtual
from companion.games.table_game import TableGame
from companion.rehearse.game_recording import new_folder
from companion.rehearse.game_report import GameReport
from companion.rehearse.games_in_pixels import AFTERMATH_S, OPEN_CLAIM_S, RASHNESS
from companion.rehearse.outage import Minder, cut, plan_outage, turns
from companion.rehearse.restarts import AheadClock, Restart, plan_restarts, started_again
from companion.rehearse.seen_by_art import known_by
from companion.rehearse.table_parts import AWAY_S, Parts, differences_seen, parts_of, sensed
from companion.rehearse.truth_comparison import Sights, compare, judged
from companion.rehearse.watched_session import Pauses, Told, WatchedSession, Witness
from companion.rehearse.worlds import world_of
from companion.sensing.observation import Button, Count, Observation
from companion.session.journal.journal import Journal
from companion.session.journal.journal_replay import ROUND_S, pass_time
from companion.session.stream.commands import Claim as ClaimKey
from companion.session.stream.commands import Command, Undo
from companion.virtual.card_art import STICKERS
from companion.virtual.ground_truth import ClaimTruth, TruthEntry, TruthLog
from companion.virtual.rehearsal_api import ActedGame, Doing
from companion.virtual.rehearsal_world import GameOfWorlds, RehearsalWorld, noise_there, stream
from companion.virtual.rig.noise_profiles import Noise, profile
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.rig.sensor_faults import SensorFaults
from companion.virtual.rig.unusual_sensors import Crossed, Place, Span, under_laws

BETWEEN_BATCHES_S, BETWEEN_ACTIONS_S = (0.8, 1.6), (1.5, 4.0)
"""Ranges of the players' pace (s): BETWEEN_BATCHES_S between the reports within one action, BETWEEN_ACTIONS_S
between two actions. Guesses."""
LIFTED_S = (1.4, 2.2)
"""Range of the time (s) for which a lifted card is off the scales.

Longer than a shaky hand lifts a card. A guess.
"""
EMPTY_S = 3.0
"""Time (s) for which the table stays empty before the first card."""
UNENDED_S = 45.0
"""Longest wait (s) for the companion to notice the game's end.

Counted from the players' last action.
"""
CHILD_S = (0.2, 0.9)
"""Range of the time (s) from one button to the next, when a child presses all.

A guess.
"""
FROZEN_S = 1.2
"""Time (s) for which the camera's picture stays frozen after an action that it missed.

A guess.
"""


def rehearse_observed(
    seed: int,
    variant: str,
    players: int,
    *,
    game: str = DEFAULT_GAME,
    noise: str = "clean",
    rig: str = "full",
    deal: str = "pad",
    record: Path | None = None,
    rash: float = RASHNESS,
    restarts: int = 0,
    down_s: float = 0.0,
    undos: int = 0,
    children: int = 0,
    outage: str | None = None,
    away_s: float = AWAY_S,
    world: str | None = None,
    cards: str = STICKERS,
) -> GameReport:
    """Rehearse one game through observations, with a noise profile's faults.

    `seed`: decides cards, players and errors. `variant`: a variant of `game`. `players`: number of players.
    `noise`: name of a noise profile, which says how often sensors err. `rig`: a name that `parts_of` accepts.
    `deal`: "pad" taps each tagged card on the pad, "hand" taps none. `record`: folder for the journal and the
    ground truth; None keeps neither. `rash`: how readily players claim without knowing (0 to 1); at 1 a game
    is short. `cards`: STICKERS or ART, by which the camera recognises cards. `world`: name of one of the
    game's worlds, tables with unusual people or sensors; None for a usual table. A world's way to deal
    replaces `deal`.

    `restarts`: how often the program is killed; it starts again after `down_s` (s), while the game goes on.
    `outage`: "camera", "board" or "all", the sensors that are away once for `away_s` (s); None for no outage.
    `undos`: how often somebody presses undo by mistake. `children`: how often a child presses every button.
    Equal arguments give equal reports, apart from computing times.
    """
    started = time.process_time()
    clock = ManualClock()
    rules = load_game(game)
    virtual: GameOfWorlds = load_virtual(game)
    there = world_of(game, world) if world is not None else None
    parts, rates = _sensors(there, rig, noise)
    plan = virtual.rig(variant)
    acted = _acted(virtual, there, (seed, variant, players, rash), deal)
    slips = virtual.with_slips([*acted.laying_out, *acted.playing], rates.player_slips, Random(f"{seed} slips"))
    pace = 1.0 if there is None else there.pace
    signs, truth, askable_facts, unseen = _in_time(rules, slips, acted.end, rates, Random(f"{seed} pace"), pace)
    begin, last = next((seen.t for seen in signs if isinstance(seen, Count)), signs[0].t), signs[-1].t
    stops = plan_restarts(restarts, down_s, signs, Random(f"{seed} restarts"))
    kept = ExitStack()
    journal = kept.enter_context(_journal(record, scratch=restarts > 0))
    machine, pauses = AheadClock(clock), Pauses()
    watched = _WatchedGame(
        WatchedSession(
            rules,
            variant,
            players,
            clock=machine,
            journal=journal,
            witness=Witness(lambda: pauses.done(askable_facts, clock.now()), Random(f"{seed} answers")),
            buttons=_known_buttons(there, plan),
        ),
        clock,
        machine,
        pauses,
        stops,
        _times(undos, signs[0].t, last, Random(f"{seed} undos")),
    )
    place = Place(plan, begin, last)
    heard, happened = _sensed(signs, there, rates, place, unseen, stops, seed)
    floods = _floods(plan.stations, children, (begin, last), Random(f"{seed} children"))
    heard = sorted([*heard, *floods], key=lambda seen: seen.t)
    minder: Minder | None = None
    if outage is not None:
        away = plan_outage(outage, away_s, begin, last, Random(f"{seed} outage"))
        heard = list(cut(heard, away))
        turns_begun = turns(rules, virtual, truth.entries, players)
        minder = Minder(watched.session, virtual, away, turns_begun, watched.wait, acted.end, truth.claims)
    shown = Sights(rules, virtual, truth.entries).shown_waits(signs, heard)
    # Observations of one picture arrive together.
    for at, together in groupby(known_by(cards, heard, rules, variant), key=lambda seen: seen.t):
        if minder is not None:
            watched.pass_until(at)  # people see the screen as it is now
            minder.look(at)
        watched.take(at, [sensed(parts, plan.stations, seen) for seen in together])
    watched.look_on()
    report = minder.report() if minder is not None else None
    session = watched.session
    _delay(truth, pauses)
    if journal:
        session.close()
    if record:
        truth.write(record / "truth.jsonl")
    kept.close()
    tracked = session.tracker.state
    check = virtual.outage_faults if minder is not None else differences_seen(virtual, parts)
    sights = Sights(rules, virtual, truth.entries)
    claims = sorted([*truth.claims, *truth.presses], key=lambda one: one.t)
    return GameReport(
        seed=seed,
        variant=variant,
        players=players,
        comparison=compare(
            check(acted.end, tracked),
            rules.outcome(acted.end),
            sights.event_waits(session.told),
            claims,
            session.verdicts,
            session.asked_spans,
        ),
        outage=report,
        table_seconds=round(clock.now(), 3),
        keys_pressed=session.keys_pressed,
        questions=tuple(session.questions),
        retractions=session.retractions,
        followed=None if there is None else not virtual.public_differences(acted.end, tracked),
        happened=acted.happened + happened,
        undone=watched.undone,
        made_up=sights.made_up(session.told),
        judged=judged(session.tracker.posteriors, claims, session.verdicts),
        rates=count_signs(session.tracker),
        shown_ms=tuple(shown),
        cpu_seconds=time.process_time() - started,
        batch_ms=tuple(session.batch_ms),
    )


class _WatchedGame:
    """Game and its watching session, while players wait, undo, or the program is killed.

    Every parameter `at` is a planned time of the game (s). The actual time is later by all pauses so far.
    `session`: the present session; each restart replaces it. `undone`: number of undone steps.
    """

    def __init__(
        self,
        session: WatchedSession,
        clock: ManualClock,
        machine: AheadClock,
        pauses: Pauses,
        stops: list[Restart],
        mistaken: list[float],
    ) -> None:
        """Start to watch a game that has just begun.

        `session`: the session that watches it. `clock`: the table's clock. `machine`: the session's clock,
        which differs after a restart. `pauses`: collects the times in which players wait. `stops`: planned
        kills and restarts of the program. `mistaken`: planned times (s) of undos by mistake. Both are
        ascending.
        """
        self.session = session
        self.undone = 0
        self._clock = clock
        self._machine = machine
        self._pauses = pauses
        self._stops = stops
        self._mistaken = mistaken
        self._told = Told()
        self._at = 0.0

    def wait(self, seconds: float) -> None:
        """Let `seconds` pass while the players wait for the companion.

        The session goes on without reports. The pause delays everything that is planned for later.
        """
        for _ in range(round(seconds / ROUND_S)):
            self._clock.sleep(ROUND_S)
            self.session.take(self._clock.now(), [])
        self._pauses.add(self._at, seconds)

    def pass_until(self, at: float) -> None:
        """Let the session run until planned time `at` (s).

        No sensor reports anything meanwhile.
        """
        self._at = at
        pass_time(self.session, self._clock, at + self._pauses.total)

    def take(self, at: float, reports: Sequence[Observation | Command | None]) -> None:
        """Give the session what sensors report at `at` (s).

        `at`: planned time. `reports`: observations, or claims made by keys of the screen; None is ignored.
        Kills and undos that are due by `at` happen first. While the companion asks about a claim, players wait.
        """
        while self._stops and self._stops[0].up <= at:
            self._restart(self._stops.pop(0))
        while self._mistaken and self._mistaken[0] <= at:
            self.pass_until(self._mistaken.pop(0))
            self.undone += not self.session.step([], [Undo()])
        self._at = at
        t = round(at + self._pauses.total, 4)
        pass_time(self.session, self._clock, t)
        self._clock.sleep(max(0.0, t - self._clock.now()))
        self._told.waiting += [
            msgspec.structs.replace(seen, t=t + self._machine.ahead)
            for seen in reports
            if isinstance(seen, Observation)
        ]
        self.session.step([self._told], [key for key in reports if isinstance(key, ClaimKey)])
        while self.session.tracker.claim_waits:
            self.wait(ROUND_S)  # people turn no card up while the companion asks

    def look_on(self) -> None:
        """Let time pass after the players' last move, for the companion's last questions.

        Ends once the companion has noticed the game's end and no claim is open. With a claim open it ends
        after OPEN_CLAIM_S (s), without a noticed end after UNENDED_S (s).
        """
        session, clock = self.session, self._clock
        until, latest = clock.now() + OPEN_CLAIM_S, clock.now() + UNENDED_S
        pass_time(session, clock, clock.now() + AFTERMATH_S)
        while clock.now() < (until if session.over else latest) and (
            session.tracker.open_claims or not session.over
        ):
            clock.sleep(ROUND_S)
            session.take(clock.now(), [])

    def _restart(self, stop: Restart) -> None:
        """Kill the session at `stop.down`; restart it at `stop.up` (s).

        The new session knows only the journal. Afterwards the machine's clock and the players' plan are moved,
        so that the table's time is again the session's.
        """
        self.pass_until(stop.down)
        clock, pauses = self._clock, self._pauses
        clock.sleep(max(0.0, stop.up + pauses.total - clock.now()))
        self.session = started_again(self.session, self._machine, stop)
        # A break is shorter for the session than for the machine. The table's time is the session's.
        rested = self.session.now() - clock.now()
        self._machine.ahead -= rested
        if rested > 0:
            pauses.add(stop.up, rested)
            clock.sleep(rested)


@contextmanager
def _journal(record: Path | None, *, scratch: bool) -> Iterator[Journal | None]:
    """Open the journal in the folder `record`. None: in a temporary folder if `scratch`, else no journal."""
    if record is not None:
        yield Journal(new_folder(record) / "journal.jsonl", sync=False)
    elif scratch:
        with closing(Scratch("rehearse-")) as made:
            yield Journal(new_folder(made.path / "game") / "journal.jsonl", sync=False)
    else:
        yield None


def _acted(
    virtual: GameOfWorlds, there: RehearsalWorld | None, dealt: tuple[int, str, int, float], deal: str
) -> ActedGame:
    """Let virtual players play a game to its end.

    `there`: world of the game; None for a usual table. `dealt`: seed, variant, number of players, and how
    readily they claim (0 to 1). `deal`: one of DEALS, used without a world.
    """
    seed, variant, players, rash = dealt
    if there is None:
        return virtual.act_out(seed, variant, players, rash, tapped=deal == "pad")
    return virtual.act_in(there, seed, variant, players, rash, tapped=there.deal == "pad")


def _known_buttons(there: RehearsalWorld | None, plan: RigPlan) -> Sequence[str]:
    """Stations of whose claim buttons a session in this world is told.

    None if two buttons are wired to each other's station, because setup would find them.
    """
    laws = () if there is None else there.laws
    crossed = any(isinstance(law, Crossed) and law.what is Button for law in laws)
    return () if crossed else plan.stations


def _sensors(there: RehearsalWorld | None, rig: str, noise: str) -> tuple[Parts, Noise]:
    """Sensors of the rig, and how often they err; both as a world changes them. `there`: None: no world."""
    parts, rates = parts_of(rig), profile(noise)
    if there is None:
        return parts, rates
    return replace(parts, buttons=there.buttons), noise_there(there, rates)


def _sensed(
    signs: Sequence[Observation],
    there: RehearsalWorld | None,
    rates: Noise,
    place: Place,
    unseen: Sequence[Span],
    stops: Sequence[Restart],
    seed: int,
) -> tuple[list[Observation], int]:
    """Report what sensors make of a perfect rig's reports `signs`, in time order.

    Returns the reports, and how often a law of the world changed one. `rates`: how often sensors err. `unseen`:
    spans (s) for which the camera is frozen. `stops`: while the program is killed, nothing is reported.
    """
    faults = SensorFaults(rates, place.plan, Random(f"{seed} mishaps"), Random(f"{seed} hands"), seed)
    heard = list(faults.disturb(signs, place.begin, [(one.down, one.up) for one in stops]))
    if there is None:
        return heard, 0
    return under_laws(there.laws, heard, unseen, place, stream(seed, there))


def _delay(truth: TruthLog, pauses: Pauses) -> None:
    """Move all times of the truth by the pauses before them."""
    truth.entries = [
        msgspec.structs.replace(one, t=pauses.after(one.t), t0=pauses.after(one.t0)) for one in truth.entries
    ]
    truth.presses = [replace(one, t=pauses.after(one.t)) for one in truth.presses]


def _times(number: int, begin: float, end: float, chance: Random) -> list[float]:
    """Draw `number` random times (s) between `begin` and `end`.

    The times are in ascending order.
    """
    return sorted(chance.uniform(begin, end) for _ in range(number))


def _floods(stations: Sequence[str], number: int, span: Span, chance: Random) -> Iterator[Button]:
    """Yield a child's presses: every button once, in random order, `number` times.

    `stations`: those with a button. `span`: begin and end (s) of the time in which a round of presses begins.
    """
    for _ in range(number):
        t = chance.uniform(*span)
        for station in chance.sample(stations, len(stations)):
            t = round(t + chance.uniform(*CHILD_S), 4)
            yield Button(t, station)


def _in_time(
    rules: TableGame[Any, Any],
    doings: list[Doing],
    end: Any,
    noise: Noise,
    chance: Random,
    pace: float = 1.0,
) -> tuple[list[Observation], TruthLog, list[tuple[float, AskableFact]], list[Span]]:
    """Give every action its time (s), and write the truth log.

    `doings`: what people do, in order. `end`: the true last state, which becomes the log's last entry. `noise`:
    gives the longest extra wait. `pace`: factor on people's usual times; 2 is half as fast. Returns four
    values: what a perfect rig reports; the truth log; (time in s, askable fact) each; and (begin, end) in s of
    each time in which the camera is frozen.
    """
    signs: list[Observation] = []
    truth = TruthLog()
    askable_facts: list[tuple[float, AskableFact]] = []
    unseen: list[Span] = []
    t = EMPTY_S
    for doing in doings:
        begun: float | None = None
        since = t
        for n, batch in enumerate(doing.batches):
            if noise.linger and chance.random() < 0.5:
                t += chance.uniform(0, noise.linger)
            least, most = LIFTED_S if doing.lifted else BETWEEN_BATCHES_S
            t = round(t + doing.gaps.get(n, pace * chance.uniform(least, most)), 4)
            begun = t if begun is None else begun
            signs += [msgspec.structs.replace(seen, t=t) for seen in batch]
        askable_facts += [(t, fact) for fact in doing.facts]
        if doing.unseen:
            unseen.append((since, t + FROZEN_S))
        at = t if begun is None else begun
        if doing.press is not None:
            truth.presses.append(ClaimTruth(at, doing.press[0] + 1, doing.press[1], meant=False))
        if doing.action is not None:
            subject, true = (doing.claim[0] + 1, doing.claim[1]) if doing.claim else (0, None)
            text = rules.write_action(doing.action)
            truth.entries.append(TruthEntry(t, text, "", at, subject, true))
            t += pace * chance.uniform(*BETWEEN_ACTIONS_S)
    last = truth.entries.pop()
    truth.entries.append(msgspec.structs.replace(last, state=rules.write_state(end)))
    return signs, truth, askable_facts, unseen
