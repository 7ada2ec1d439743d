"""Rehearsal of a game through bytes between board and computer.

They are real bytes. The camera is not simulated: what it would report is given to the session as observations.
"""

import dataclasses
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.clock import ManualClock
from companion.games.hidden_cards import AskableFact
from companion.games.registry import DEFAULT_GAME, load_game, load_virtual
from companion.rehearse.board_comparison import Felt
from companion.rehearse.game_report import GameReport
from companion.rehearse.games_in_pixels import AFTERMATH_S, RASHNESS
from companion.rehearse.pulled_cable import Cable, WatchedLink, plan_pulls
from companion.rehearse.stepped_devices import BoardLink
from companion.rehearse.table_parts import Keys, board_with, parts_of
from companion.rehearse.truth_comparison import compare
from companion.rehearse.watched_session import Pauses, Told, WatchedSession, Witness
from companion.sensing.board_source import BoardSource
from companion.sensing.observation import Button, Count, Observation, Reach, Sighting, TagRead, Touch
from companion.sensing.press_recogniser import TextureBook
from companion.sensing.source import Source
from companion.virtual.ground_truth import ClaimTruth
from companion.virtual.rehearsal_api import RehearsedGame
from companion.virtual.rig.board_readings import PAD, RoughRig, enrol_cards
from companion.virtual.rig.hovering_hands import reaches
from companion.virtual.rig.noise_profiles import profile
from firmware.host.messages import Message
from firmware.simulator.virtual_port import MemoryEnd

ROUND_S = 0.02
"""Time (s) of one round, in which table and session advance.

The engine polls the board's port as often.
"""
EMPTY_S = 3.0
"""Time (s) for which the table stays empty at first.

Meanwhile the scales find their zero.
"""
PATIENCE_S = 10.0
"""Longest wait (s) at the game's end for the host to acknowledge the board's events."""
PRESS_S = 0.3
"""Time (s) that a claim button is held. A guess."""
UNHURRIED_S = 0.5
"""Extra time (s) that a lifted card stays off the scales.

A shorter lift could be taken for a shaky hand. A guess.
"""


@dataclass(frozen=True, slots=True)
class ScriptedMoment:
    """Moment `t` (s) of a game: the camera reports, or a person acts.

    `seen`: the camera's reports; empty if it reports nothing. `felt`: what a perfect sensor reports of the
    person's act; None without an act.
    """

    t: float
    seen: tuple[Observation, ...] = ()
    felt: TagRead | Count | Touch | Button | None = None
    released: bool = False
    """Whether the finger leaves the button of `felt`. False: the finger presses the button, or no button is
    meant."""


@dataclass(slots=True)
class Script:
    """A whole game as moments in time order, with its claims, askable facts and true end.

    `claims`: each claim of a player, and whether it was true. `askable_facts`: each fact that the companion may
    ask about, with the time (s) from which on it is true. `end`: the game's true last state.
    """

    moments: list[ScriptedMoment]
    claims: list[ClaimTruth]
    askable_facts: list[tuple[float, AskableFact]]
    end: Any
    begin: float
    """Time (s) of the first card that a scale reports; 0 if none does."""


class RelayedLink(BoardLink):
    """Link to the board, whose messages two checks also see.

    `link`: the real link. `cable` checks that no event is lost. `felt` compares the reported values with the
    true table. `clock`: the table's clock, which dates the messages.
    """

    def __init__(self, link: WatchedLink, cable: Cable, felt: Felt, clock: ManualClock) -> None:
        super().__init__(link)
        self._cable = cable
        self._felt = felt
        self._clock = clock

    def poll(self) -> list[Message]:
        """Return the board's new messages, after both checks saw them."""
        messages = self._link.poll()
        now = self._clock.now()
        self._cable.heard(now, messages)
        self._felt.heard(messages)
        return messages


def rehearse_wired(
    seed: int,
    variant: str,
    players: int,
    *,
    game: str = DEFAULT_GAME,
    noise: str = "clean",
    rig: str = "full",
    deal: str = "pad",
    unplug: int = 0,
    rash: float = RASHNESS,
) -> GameReport:
    """Rehearse one game through board program, bytes and link.

    The board reports tags, weights and fingers as real bytes. The camera's part comes as observations. `seed`:
    decides cards, players and errors. `variant`: a variant of `game`. `players`: number of players. `noise`:
    name of a noise profile, which says how often sensors err. `rig`: name of a rig with a board, see
    `parts_of`. `deal`: "pad" taps each tagged card on the pad, "hand" taps none. The cable is pulled `unplug`
    times, plus as often as the noise profile says. `rash`: how readily players claim without knowing (0 to 1);
    at 1 a game is short. The report has no delays of single actions (its `comparison.event_ms` is empty).
    Equal arguments give equal reports, apart from computing times.
    """
    started = time.process_time()
    clock = ManualClock()
    rules = load_game(game)
    virtual: RehearsedGame = load_virtual(game)
    rates = profile(noise)
    parts = parts_of(rig)
    script = write_script(virtual, seed, variant, players, deal, rash)
    end, keys = MemoryEnd(), Keys(virtual.rig(variant).stations)
    board = board_with(virtual.rig(variant), parts, clock, seed, keys, end)
    link = WatchedLink(clock, end, session=seed & 0xFFFFFFFF | 1)
    tags = enrol_cards(rules.cards(variant), seed)
    # A board has the scales of all variants together.
    plan = dataclasses.replace(virtual.rig(variant), stations=tuple(sorted(board.chips.cells)))
    senses = RoughRig(board, tags, plan, rates, Random(f"{seed} rig"))
    chance = Random(f"{seed} cable")
    accidents = int(rates.unplugs_per_game) + (chance.random() < rates.unplugs_per_game % 1)
    last = script.moments[-1].t
    cable = Cable(board, link, plan_pulls(unplug + accidents, script.begin, last, chance))
    felt = Felt(board, senses, cable)
    camera = Told()
    relayed = RelayedLink(link, cable, felt, clock)
    known = {uid.hex(): code for code, uid in tags.items()}
    book = TextureBook(plan.raised.enrolled(seed)) if plan.raised.pictures else None
    sources: list[Source] = [camera, BoardSource(relayed, known, book=book, clock=clock)]
    pauses = Pauses()
    witness = Witness(lambda: pauses.done(script.askable_facts, clock.now()), Random(f"{seed} answers"))
    session = WatchedSession(rules, variant, players, clock=clock, witness=witness, buttons=plan.stations)
    moments = iter([*script.moments, ScriptedMoment(last + 2 * AFTERMATH_S)])
    moment = next(moments, None)
    # After the game, wait until no event is on its way, at most PATIENCE_S.
    while moment is not None or not (
        cable.idle or clock.now() > last + pauses.total + 2 * AFTERMATH_S + PATIENCE_S
    ):
        clock.sleep(ROUND_S)
        now = clock.now()
        if session.tracker.claim_waits:
            # People turn no card up while the companion asks, but the finger leaves the button.
            pauses.add(now - pauses.total, ROUND_S)
        while moment is not None and moment.t + (0.0 if moment.released else pauses.total) <= now:
            seen = [replace(one, t=one.t + pauses.total) for one in moment.seen]
            camera.waiting += seen if parts.camera else ()
            if moment.felt is not None:
                felt.moved(now)
                _do(senses, moment.felt, moment.released)
            moment = next(moments, None)
        cable.step(now)
        senses.step(now)
        session.step(sources, keys.read())
        felt.look(now)
    felt.moved(clock.now())
    board.close()
    claims = [ClaimTruth(pauses.after(one.t), one.subject, one.true) for one in script.claims]
    return GameReport(
        seed=seed,
        variant=variant,
        players=players,
        comparison=compare(
            virtual.differences(script.end, session.tracker.state),
            rules.outcome(script.end),
            (),
            claims,
            session.verdicts,
            session.asked_spans,
        ),
        table_seconds=round(clock.now(), 3),
        keys_pressed=session.keys_pressed,
        questions=tuple(session.questions),
        retractions=session.retractions,
        link=cable.report(),
        rests=felt.rests,
        cpu_seconds=time.process_time() - started,
        batch_ms=tuple(session.batch_ms),
    )


def write_script(
    game: RehearsedGame, seed: int, variant: str, players: int, deal: str = "pad", rash: float = RASHNESS
) -> Script:
    """Play game `seed`, and write down what people do and perfect sensors report.

    All times are in s. `variant`: a variant of `game`. `players`: number of players. `deal`: "pad" taps each
    tagged card on the pad, "hand" taps none. `rash`: how readily players claim without knowing (0 to 1). The
    moments of the script are in time order.
    """
    acted = game.act_out(seed, variant, players, rash, tapped=deal == "pad")
    script = Script([], [], [], acted.end, 0.0)
    done: list[Observation] = []
    t = late = EMPTY_S
    doings = [(doing, 0.0) for doing in acted.laying_out]
    doings += [(doing, AFTERMATH_S) for doing in acted.playing]
    for doing, rest in doings:
        for told in doing.batches:
            batch = [replace(seen, t=seen.t + late) for seen in told]
            t = max(seen.t for seen in batch)
            if doing.claim is not None and isinstance(batch[0], Button):
                script.claims.append(ClaimTruth(t, doing.claim[0] + 1, doing.claim[1]))
            if not script.begin and any(isinstance(seen, Count) for seen in batch):
                script.begin = t
            done += batch
            script.moments += _moments(t, batch)
            if doing.lifted:
                late += UNHURRIED_S
        script.askable_facts += [(t + UNHURRIED_S * doing.lifted, fact) for fact in doing.facts]
        late += rest
    hands = reaches(done, game.rig(variant), Random(f"{seed} hands"), {})
    script.moments += [ScriptedMoment(seen.t, (seen,)) for seen in hands]
    script.moments.sort(key=lambda moment: moment.t)
    return script


def _moments(t: float, batch: list[Observation]) -> Iterator[ScriptedMoment]:
    """Split an act's observations into moments of a script.

    `t`: time (s) of the camera's sightings and reaches, which become one moment. Each tag, count, touch and
    button becomes a moment at its own time. PRESS_S (s) after a button the finger leaves it, in one more
    moment.
    """
    seen = tuple(one for one in batch if isinstance(one, Sighting | Reach))
    if seen:
        yield ScriptedMoment(t, seen)
    for one in batch:
        if isinstance(one, TagRead | Count | Touch | Button):
            yield ScriptedMoment(one.t, felt=one)
            if isinstance(one, Button):
                yield ScriptedMoment(one.t + PRESS_S, felt=one, released=True)


def _do(rig: RoughRig, felt: TagRead | Count | Touch | Button, released: bool) -> None:
    """Act on the virtual sensors so that they feel what a script says.

    `rig`: the sensors. `felt`: what a perfect sensor would report: a tag laid on the pad or, with None, all
    tags taken away; a number of cards on a scale; a touch; a button. `released`: True if the finger leaves the
    button, False if it presses.
    """
    match felt:
        case TagRead(_, _, None):
            for code in sorted(rig.on_pad):
                rig.tag_off(code)
        case TagRead(_, station, str(code)) if station == PAD:
            rig.tag_on(code)
        case Count(_, station, n):
            rig.load(station, n)
        case Touch(_, station, pressed):
            rig.finger(station, pressed)
        case Button(_, station):
            rig.button(station, not released)
