"""What setup measures on the virtual rig, against the truth: defects named, lens, pairs, weights, presses."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import click
import cv2
import msgspec
import numpy as np

from calibration.lens_calibration import measure_lens, sheet_view
from calibration.profile import RigProfile
from calibration.setup_bench import SetupBench
from calibration.setup_run import STATIONS, TAGS, TEXTURE, SetupReport, SetupRun
from calibration.steps.lens_step import TILTED, VIEWS
from calibration.virtual_rig.lens_sheet_picture import LensSheet
from calibration.virtual_rig.rig_defects import DEFECTS, defect
from calibration.virtual_rig.virtual_setup import SHEET_PLACES, TILT_RAD, VirtualSetup
from companion.core.printable import say
from companion.games.registry import DEFAULT_GAME, load_game, load_virtual
from companion.sensing.press_recogniser import TextureBook
from companion.virtual.render.camera_optics import HEIGHT, WIDTH, Lens
from companion.virtual.rig.matrix_presses import GAME_S, Matrix
from companion.virtual.rig.noise_profiles import profile
from firmware.host.messages import WeightEvent

VARIANT = "basic"
LENS_K1 = -0.3
CARDS_MOST = 15
"""CARDS_MOST: most cards on a scale whose count is tried."""
REST_S = 2.0
"""REST_S: time (s) that cards lie on a scale before its count is taken."""
HELD_OUT = 40
"""HELD_OUT: presses of each kind that are recognised by those of the setup."""


def a_run(seed: int, noise: str, wrong: str = "", *, camera: bool = True) -> SetupRun:
    """A setup of the virtual rig, not saved anywhere."""
    fault = defect(wrong)
    table = VirtualSetup(DEFAULT_GAME, VARIANT, seed=seed, noise=noise, defect=fault, has_camera=camera)
    known = RigProfile(tags=table.true_tags if fault.tags_swapped else {})
    game = load_game(DEFAULT_GAME)
    bench = SetupBench(game, VARIANT, table, table, table.clock, profile=known, patience_s=6.0, tick_s=1 / 30)
    return SetupRun(bench, machine=table.machine)


def whole_setup(seed: int, noise: str, wrong: str = "") -> SetupReport:
    """All steps by themselves; `seconds` is the machine's time."""
    begun = time.process_time()
    run = a_run(seed, noise, wrong)
    run.run()
    return run.report(time.process_time() - begun)


def lens_error_mm(seed: int, k1: float = LENS_K1) -> float:
    """Rms error (mm) over the whole mat of the lens that the steps' views measure, against the true one."""
    mat = load_game(DEFAULT_GAME).mat(VARIANT)
    noise = replace(profile("home"), lens_k1=k1)
    chance = Random(f"{seed} lens")
    lens = Lens(mat, noise, chance)
    ground = np.full((HEIGHT, WIDTH), 90, np.uint8)
    views = []
    for number, (u, v) in enumerate(SHEET_PLACES[:VIEWS]):
        at = (u * mat.w + chance.uniform(-15, 15), v * mat.h + chance.uniform(-10, 10))
        tilt = TILT_RAD if number >= VIEWS - TILTED else 0.0
        sheet = LensSheet(lens, at, chance.uniform(-0.15, 0.15), tilt, number % 2 == 1, noise)
        view = sheet_view(sheet.laid_on(ground))
        views += [view] if view is not None else []
    found = measure_lens(views, WIDTH, HEIGHT)
    if found is None:
        return float("inf")
    x, y = np.meshgrid(np.linspace(0, mat.w, 25), np.linspace(0, mat.h, 15))
    grid = np.column_stack([x.ravel(), y.ravel()])
    rays = found.lens.rays(lens.seen(grid))
    placed = cv2.perspectiveTransform(rays.reshape(-1, 1, 2), cv2.findHomography(rays, grid)[0]).reshape(-1, 2)
    return float(np.sqrt(np.mean(np.sum((placed - grid) ** 2, axis=1))))


def wrong_pairs(seed: int, noise: str) -> tuple[int, int]:
    """Cards that the pad paired with a tag, and how many of these pairs are wrong."""
    run = a_run(seed, noise)
    run.step(TAGS)
    table = run.bench.devices
    assert isinstance(table, VirtualSetup)
    found = run.bench.profile.tags
    return len(found), sum(table.true_tags[uid] != card for uid, card in found.items())


def right_counts(seed: int, noise: str) -> tuple[int, int]:
    """Readings at rest of 0 to CARDS_MOST cards on every scale after a setup, and how many counts are right."""
    run = a_run(seed, noise, camera=False)
    run.step(STATIONS)
    bench = run.bench
    table = bench.devices
    assert isinstance(table, VirtualSetup)
    total = right = 0
    for cards in range(CARDS_MOST + 1):
        for station in bench.stations("count"):
            table.load(station, cards)
        bench.wait(REST_S)
        last: Mapping[str, float] = {
            one.station: one.grams for one in bench.weights if isinstance(one, WeightEvent)
        }
        for station in bench.stations("count"):
            scale = bench.profile.stations.get(station)
            if scale is not None and station in last:
                total += 1
                right += round((last[station] - scale.zero_g) / scale.card_g) == cards
    return total, right


def held_out(seed: int, noise: str, age: float) -> tuple[int, int, int]:
    """Fresh presses of each kind `age` seconds into a game: number, recognised rightly, wrongly.

    They are pressed on the matrix of the setup, by the same people.
    """
    run = a_run(seed, noise, camera=False)
    run.step(TEXTURE)
    book = TextureBook(run.bench.profile.presses)
    raised = load_virtual(DEFAULT_GAME).rig(VARIANT).raised
    matrix = Matrix(raised, profile(noise), Random(f"{seed} held out"))
    total = right = wrong = 0
    for kind, picture in raised.pictures.items():
        for _ in range(HELD_OUT):
            felt = book.of(*matrix.picture((picture,), age))
            total += 1
            if felt is not None and felt.p >= 0.9:
                right += felt.cls == kind
                wrong += felt.cls != kind
    return total, right, wrong


def defects_named(seed: int, noise: str, names: Iterable[str]) -> dict[str, Any]:
    """How many defects are named rightly with no other fault named, and what was named instead."""
    wrong = {}
    tried = 0
    for name in names:
        tried += 1
        named = whole_setup(seed, noise, name).faults
        if named != (DEFECTS[name].fault,):
            wrong[name] = named
    return {"defects": tried, "named_rightly_and_alone": tried - len(wrong), "named_otherwise": wrong}


@click.command("calibration")
@click.option("--seed", type=int, default=1, show_default=True, help="Cards, people and accidents.")
@click.option("--noise", default="home", show_default=True, help="clean, home, rough or hostile.")
@click.option("--defect", "names", multiple=True, help="Only this defect (can be given several times).")
@click.option("--skip-defects", is_flag=True, help="Everything but the defects, which take ten minutes.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def calibration(seed: int, noise: str, names: tuple[str, ...], skip_defects: bool, as_json: bool) -> None:
    """What setup measures on the virtual rig, against the truth."""
    result: dict[str, Any] = {"bench": "calibration", "seed": seed, "profile": noise}
    if not names:
        sound = whole_setup(seed, noise)
        result |= {
            "sound_verdict": str(sound.decision),
            "sound_faults": sound.faults,
            "sound_seconds": round(sound.seconds, 1),
            "lens_k1": LENS_K1,
            "lens_rms_mm": [round(lens_error_mm(seed + n), 3) for n in range(5)],
        }
        pairs = [wrong_pairs(seed + n, "rough") for n in range(2)]
        result |= {"paired_under_rough": sum(n for n, _ in pairs), "wrong_pairs": sum(n for _, n in pairs)}
        counts = [right_counts(seed + n, noise) for n in range(5)]
        result |= {"counts_at_rest": sum(n for n, _ in counts), "counts_right": sum(n for _, n in counts)}
        for key, age in (("presses", 0.0), ("presses_after_a_game", GAME_S)):
            total, right, wrong = held_out(seed, noise, age)
            result |= {key: total, f"{key}_right": right, f"{key}_wrong": wrong}
    if names or not skip_defects:
        result |= defects_named(seed, noise, names or DEFECTS)
    if as_json:
        click.echo(msgspec.json.encode(result))
        return
    for name, value in result.items():
        say(f"{name}: {value}")
