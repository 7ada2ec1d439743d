"""What setup measures on the virtual rig, against the truth: lens, deck, pairs, weights, presses, defects."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import cos, pi, sin
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import click
import cv2
import msgspec
import numpy as np

from calibration.card_reading import CardReader
from calibration.profile import RigProfile
from calibration.rig_store import RigStore
from calibration.virtual_rig.rig_defects import DEFECTS, defect, virtual_store
from calibration.virtual_rig.virtual_setup import VirtualSetup
from calibration.wizard.screens.step_pages import PAGES, Page
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import ClearTable, ConfirmOrder, LampsBeside, LayRows, Request
from calibration.wizard.setup_run import LENS, STATIONS, STEP_NAMES, TAGS, TEXTURE, SetupReport, SetupRun
from calibration.wizard.step_result import Verdict
from calibration.wizard.steps.rehearsal_step import relayed_camera
from calibration.wizard.steps.stations_step import DRIFT_S, WEIGH_S
from companion.core.language import Text
from companion.core.printable import say
from companion.fusion.parameters.reading_costs import COSTS
from companion.games.registry import DEFAULT_GAME, load_game
from companion.sensing.camera_source import watch
from companion.sensing.card_weighing import Scales
from companion.sensing.observation import Count, Health
from companion.sensing.press_recogniser import TextureBook
from companion.virtual.parameters import PRESS
from companion.virtual.rig.noise_profiles import Noise, profile
from firmware.host.messages import WeightEvent
from tests.benchmarks.isolated_work import isolated
from vision.mat.lens_model import Lens

VARIANTS = ("basic", "5+")
LENS_K1 = -0.3
NUDGE_MM = 5.0
NUDGED_WITHIN_S = 10.0
"""NUDGED_WITHIN_S: time (s) after which a nudge counts as not reported."""
CARDS_MOST = 15
"""CARDS_MOST: most cards on a scale whose count is tried."""
REST_S = 2.0
"""REST_S: time (s) that cards lie on a scale before its count is taken."""
FREE_S = 1.0
"""FREE_S: time (s) without a hand after which a scale is at rest: the board's filter needs half of it."""
HELD_OUT = 20
"""HELD_OUT: presses of each kind that are recognised by those of the setup."""
TIMES = {"lens": 3, "nudges": 12, "decks": 4, "pairs": 4, "scales": 14, "presses": 3}
"""How often each number is measured, with another rig each time."""


def a_run(
    seed: int,
    noise: str | Noise,
    wrong: str = "",
    *,
    variant: str = "basic",
    store: RigStore | None = None,
    **parts: Any,
) -> SetupRun:
    """A setup of the virtual rig, saved in `store` if there is one. `parts`: as VirtualSetup takes them."""
    fault = defect(wrong)
    table = VirtualSetup(DEFAULT_GAME, variant, seed=seed, noise=noise, defect=fault, **parts)
    known = RigProfile(tags=table.true_tags if fault.tags_swapped else {})
    game = load_game(DEFAULT_GAME)
    bench = SetupBench(game, variant, table, table, table.clock, profile=known, patience_s=6.0, tick_s=1 / 30)
    return SetupRun(bench, "bench", store, table.machine)


def _table(run: SetupRun) -> VirtualSetup:
    assert isinstance(run.bench.devices, VirtualSetup)
    return run.bench.devices


def whole_setup(seed: int, noise: str, wrong: str = "", variant: str = "basic") -> SetupReport:
    """All steps by themselves; `seconds` is the machine's time."""
    begun = time.process_time()
    with TemporaryDirectory() as folder:
        run = a_run(seed, noise, wrong, variant=variant, store=virtual_store(defect(wrong), Path(folder)))
        run.run()
        _table(run).close()
        return run.report(time.process_time() - begun)


def lens_error_mm(seed: int, k1: float = LENS_K1) -> tuple[float, float]:
    """The residual (mm) that the lens step tells, and its true one: the rms error over the whole mat."""
    run = a_run(seed, replace(profile("home"), lens_k1=k1), has_board=False)
    told = run.step(LENS).number
    found, mat = run.bench.profile.lens, run.bench.mat
    if told is None or found is None:
        return float("inf"), float("inf")
    lens = Lens(found.width, found.height, found.focal, found.cx, found.cy, found.k)
    x, y = np.meshgrid(np.linspace(0, mat.w, 25), np.linspace(0, mat.h, 15))
    grid = np.column_stack([x.ravel(), y.ravel()])
    rays = lens.rays(_table(run).lens.seen(grid))
    placed = cv2.perspectiveTransform(rays.reshape(-1, 1, 2), cv2.findHomography(rays, grid)[0]).reshape(-1, 2)
    return told, float(np.sqrt(np.mean(np.sum((placed - grid) ** 2, axis=1))))


def nudge_waits(seed: int, noise: str, times: int) -> list[float]:
    """Times (s) from a push of the camera by NUDGE_MM to the report of it; infinite without one."""
    run = a_run(seed, noise, has_board=False)
    bench, table = run.bench, _table(run)
    bench.ask(ClearTable())
    source = watch(bench.game, bench.variant, relayed_camera(bench), bench.clock)

    def lost(seconds: float) -> float:
        begun = bench.clock.now()
        for _ in bench.ticks(seconds):
            for seen in source.poll():
                if isinstance(seen, Health) and seen.source == "camera" and not seen.ok:
                    return bench.clock.now() - begun
        return float("inf")

    waits = []
    chance = Random(f"{seed} nudges")
    lost(4.0)
    middle = (bench.mat.w / 2, bench.mat.h / 2)
    for _ in range(times):
        way = chance.uniform(0, 2 * pi)
        ends = table.lens.seen([middle, (middle[0] + NUDGE_MM * cos(way), middle[1] + NUDGE_MM * sin(way))])
        table.nudge(*(ends[1] - ends[0]).tolist())
        waits.append(lost(NUDGED_WITHIN_S))
        lost(4.0)
    return waits


def deck_read(seed: int, noise: str, variant: str) -> tuple[int, int, int, int]:
    """A deck in rows: its cards, those read, readings of a card that does not lie there, photographs."""
    run = a_run(seed, noise, variant=variant, has_board=False)
    bench, table = run.bench, _table(run)
    bench.ask(ClearTable())
    reader = CardReader(bench)
    frame = bench.frame()
    assert frame is not None
    reader.placed(frame.gray)
    seen: set[str] = set()
    wrong = photos = 0
    while bench.ask(LayRows(photos + 1)):
        photos += 1
        photo = reader.photograph()
        if photo is not None:
            wrong += len(photo.codes - table.in_sight)
            seen |= photo.codes & table.in_sight
    return sum(bool(card.payload) for card in bench.cards), len(seen), wrong, photos


def wrong_pairs(seed: int, noise: str, variant: str) -> tuple[int, int]:
    """Cards that the pad paired with a tag, and how many of these pairs are wrong."""
    run = a_run(seed, noise, variant=variant)
    run.step(TAGS)
    found = run.bench.profile.tags
    return len(found), sum(_table(run).true_tags[uid] != card for uid, card in found.items())


def counts(seed: int, noise: str) -> Counter[str]:
    """Readings of 0 to CARDS_MOST cards on every scale after a setup, by the code that counts in a game.

    `at_rest`: in truth no hand leaned on the scale in the last FREE_S; the rest is `under_a_hand`. Each with
    how many were right, without and with hands taken for cards; and under a hand, how many told another
    count than that before and that after the last card.
    """
    run = a_run(seed, noise, has_camera=False)
    run.step(STATIONS)
    bench, table = run.bench, _table(run)
    scales = Scales(bench.profile.stations), Scales(bench.profile.stations, leaning_s=0.0)
    told: tuple[dict[str, int], ...] = ({}, {})
    hello = bench.board.hello
    assert hello is not None
    assert bench.link is not None
    for station in hello.stations:
        for setting, value in scales[0].settings(station):
            bench.link.configure(setting, station.name, value)
    found: Counter[str] = Counter()
    heard = 0
    for cards in range(CARDS_MOST + 1):
        for name in bench.stations("count"):
            table.load(name, cards)
        bench.wait(REST_S)
        for one in bench.weights[heard:]:
            if isinstance(one, WeightEvent):
                for counting, counted in zip(scales, told, strict=True):
                    late = counting.rested(one.t)
                    new = [*late, *counting.weigh(one.t, one.station, one.grams)]
                    counted |= {count.station: count.n for count in new if isinstance(count, Count)}
        heard = len(bench.weights)
        for name in bench.stations("count"):
            when = "at_rest" if table.free_for(name) >= FREE_S else "under_a_hand"
            ours, plain = (counted.get(name, 0) for counted in told)
            found[when] += 1
            found[f"{when}_right"] += ours == cards
            found[f"{when}_right_hands_as_cards"] += plain == cards
            found[f"{when}_false"] += ours not in (cards, max(0, cards - 1))
    table.close()
    return found


def held_out(seed: int, noise: str) -> Iterator[tuple[str, int, int, int]]:
    """Fresh presses of each kind, at the begin of a game and after it: number, told rightly, told wrongly.

    They are pressed by the same people on the same matrix, and as careless as under the noise profile. What a
    game would not believe is told neither rightly nor wrongly.
    """
    run = a_run(seed, noise, has_camera=False)
    run.step(TEXTURE)
    book = TextureBook(run.bench.profile.presses)
    for key, age in (("presses", 0.0), ("presses_after_a_game", PRESS.drift_s)):
        total = right = wrong = 0
        for kind in book.classes:
            for _ in range(HELD_OUT):
                felt = book.of(*_table(run).pressed(kind, age))
                total += 1
                if felt is not None and felt.p >= COSTS.sure_texture:
                    right += felt.cls == kind
                    wrong += felt.cls != kind
        yield key, total, right, wrong
    _table(run).close()


def named(name: str, seed: int, noise: str, variant: str = "basic") -> tuple[str, ...]:
    """The faults that a whole setup names of a rig with this defect."""
    return whole_setup(seed, noise, name, variant).faults


def defects_named(
    seed: int, noise: str, names: Iterable[str], jobs: int, tell: Callable[[str], None]
) -> dict[str, Any]:
    """How many defects are named rightly with no other fault named, and what was named instead.

    Each is told as soon as it was tried. One whose process was killed was not named.
    """
    tried = tuple(names)
    wrong: dict[str, tuple[str, ...]] = {}
    for name, faults in isolated(partial(named, seed=seed, noise=noise), tried, jobs):
        if faults == (DEFECTS[name].fault,):
            tell(f"{name}: named alone")
            continue
        wrong[name] = ("its process was killed",) if faults is None else faults
        tell(f"{name}: {', '.join(wrong[name]) or 'nothing was named'}")
    return {"defects": len(tried), "named_rightly_and_alone": len(tried) - len(wrong), "named_otherwise": wrong}


def _sound(seed: int, noise: str) -> dict[str, Any]:
    found = [whole_setup(seed + n, noise, variant=VARIANTS[n % 2]) for n in range(2)]
    return {
        "sound_verdicts": [str(one.decision) for one in found],
        "sound_faults": [one.faults for one in found],
        "sound_seconds": [round(one.seconds, 1) for one in found],
    }


def _lens(seed: int, _noise: str) -> dict[str, Any]:
    found = [lens_error_mm(seed + n) for n in range(TIMES["lens"])]
    return {
        "lens_k1": LENS_K1,
        "lens_residual_mm": [round(told, 3) for told, _ in found],
        "lens_true_rms_mm": [round(true, 3) for _, true in found],
    }


def _nudges(seed: int, noise: str) -> dict[str, Any]:
    waits = nudge_waits(seed, noise, TIMES["nudges"])
    return {"nudges": len(waits), "nudge_reported_most_s": round(max(waits), 2)}


def _decks(seed: int, noise: str) -> dict[str, Any]:
    found = [deck_read(seed + n, noise, VARIANTS[n % 2]) for n in range(TIMES["decks"])]
    return {
        "deck_cards": [one[0] for one in found],
        "deck_read": [one[1] for one in found],
        "deck_wrong": sum(one[2] for one in found),
        "deck_photographs": [one[3] for one in found],
    }


def _pairs(seed: int, _noise: str) -> dict[str, Any]:
    found = [wrong_pairs(seed + n, "rough", VARIANTS[n % 2]) for n in range(TIMES["pairs"])]
    return {"paired_under_rough": [n for n, _ in found], "wrong_pairs": sum(n for _, n in found)}


def _scales(seed: int, noise: str) -> dict[str, Any]:
    weighed = sum((counts(seed + n, noise) for n in range(TIMES["scales"])), Counter[str]())
    return {f"counts_{name}": number for name, number in sorted(weighed.items())}


def _presses(seed: int, noise: str) -> dict[str, Any]:
    result: dict[str, int] = {}
    for n in range(TIMES["presses"]):
        for key, total, right, wrong in held_out(seed + n, noise):
            for name, number in ((key, total), (f"{key}_right", right), (f"{key}_wrong", wrong)):
                result[name] = result.get(name, 0) + number
    return result


WORDS_A_MINUTE, KEY_S = 200, 2.0
"""WORDS_A_MINUTE: how fast a slow reader reads. KEY_S: time (s) for a key."""
GESTURE_S, AGAIN_S = 20.0, 5.0
"""GESTURE_S: time (s) for the first movement of its kind in a step. AGAIN_S: for each that follows; set, not
measured."""
WAITS = {STATIONS: DRIFT_S + 6 * WEIGH_S}
"""WAITS: time (s) of a step in which nobody may move."""


class _Reader:
    """Does what the virtual person does, and counts what a slow reader reads, presses and moves."""

    def __init__(self, table: VirtualSetup) -> None:
        self._table = table
        self.count: Counter[str] = Counter()
        self._read: set[str] = set()
        self._moved: set[str] = set()

    def ask(self, request: Request) -> None:
        self._table.ask(request)
        words = request.sentence
        known = words.id if isinstance(words, Text) else words
        self.reads(request.headline, *(() if known in self._read else (words,)))
        self._read.add(known)
        self.count["keys"] += request.confirmed
        if self._table.answered() is False or request.typed or isinstance(request, ConfirmOrder | LampsBeside):
            return
        again = known in self._moved
        self._moved.add(known)
        self.count["again" if again else "first"] += 1

    def answered(self) -> bool | None:
        return self._table.answered()

    def typed(self) -> str:
        return self._table.typed()

    def reads(self, *sentences: str) -> None:
        """Count the words of these sentences as read."""
        self.count["words"] += sum(len(one.split()) for one in sentences)

    def begins(self, page: Page) -> None:
        """The page of another step."""
        self._moved.clear()
        self.reads(page.big, page.text, page.ready, page.takes)
        self.count["keys"] += 1

    @property
    def seconds(self) -> float:
        """The time of all that."""
        count = self.count
        moves = GESTURE_S * count["first"] + AGAIN_S * count["again"]
        return 60 * count["words"] / WORDS_A_MINUTE + KEY_S * count["keys"] + moves


def effort(seed: int, noise: str, *, has_board: bool = True) -> dict[str, Any]:
    """What a whole setup asks of somebody who reads every sentence, and how long that takes."""
    run = a_run(seed, noise, has_board=has_board)
    table = _table(run)
    reader = _Reader(table)
    run.bench.operator = reader
    steps: dict[str, float] = {}
    waits = 0.0
    for name in STEP_NAMES:
        if run.not_needed(name) or run.impossible(name):
            continue
        before = reader.seconds
        reader.begins(PAGES[name])
        result = run.step(name)
        if result.verdict is Verdict.NOT_TESTED:
            reader.count["keys"] += 1  # it is passed over
        reader.reads(result.said, result.fix)
        waits += WAITS.get(name, 0.0) if result.verdict is not Verdict.NOT_TESTED else 0.0
        steps[name] = round(reader.seconds - before)
    table.close()
    moves = reader.count["first"] + reader.count["again"]
    return {
        **{key: reader.count[key] for key in ("words", "keys")},
        "gestures": moves,
        "first_gestures": reader.count["first"],
        "seconds_of_steps": steps,
        "minutes": round((reader.seconds + waits) / 60, 1),
        "minutes_if_each_gesture_is_the_first": round(
            (reader.seconds + waits + reader.count["again"] * (GESTURE_S - AGAIN_S)) / 60, 1
        ),
    }


def _pace(seed: int, noise: str) -> dict[str, Any]:
    return {"pace": effort(seed, noise), "pace_webcam_alone": effort(seed, noise, has_board=False)}


PARTS: Mapping[str, Callable[[int, str], dict[str, Any]]] = {
    "sound": _sound,
    "pace": _pace,
    "lens": _lens,
    "nudges": _nudges,
    "decks": _decks,
    "pairs": _pairs,
    "scales": _scales,
    "presses": _presses,
}
"""What can be measured alone, by its name on the command line."""


def measured(seed: int, noise: str, parts: Iterable[str] = PARTS) -> dict[str, Any]:
    """These numbers; all but the defects if nothing else is said."""
    return {name: number for part in parts for name, number in PARTS[part](seed, noise).items()}


@click.command("calibration")
@click.option("--seed", type=int, default=1, show_default=True, help="Cards, people and accidents.")
@click.option("--noise", default="home", show_default=True, help="clean, home, rough or hostile.")
@click.option("--part", "parts", multiple=True, type=click.Choice([*PARTS]), help="These numbers alone.")
@click.option("--defects", is_flag=True, help="Instead: every defect of the virtual rig through all steps.")
@click.option("--defect", "names", multiple=True, help="Instead: this one (can be given several times).")
@click.option("--jobs", type=click.IntRange(1, 8), default=2, show_default=True, help="Defects at one time.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def calibration(
    seed: int,
    noise: str,
    parts: tuple[str, ...],
    defects: bool,
    names: tuple[str, ...],
    jobs: int,
    as_json: bool,
) -> None:
    """What setup measures on the virtual rig, against the truth; or (--defects) what it says is wrong."""
    for name in names:
        defect(name)
    result: dict[str, Any] = {"bench": "calibration", "seed": seed, "profile": noise}
    if defects or names:
        result |= defects_named(seed, noise, names or DEFECTS, jobs, partial(click.echo, err=as_json))
    else:
        result |= measured(seed, noise, parts or PARTS)
    if as_json:
        click.echo(msgspec.json.encode(result))
        return
    for name, value in result.items():
        say(f"{name}: {value}")
