"""Setup step: the camera's aim, focus, light and scale."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import cv2
import numpy as np

from calibration.table_place import CORNER_NAMES
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import ClearTable, LayCorners
from calibration.wizard.step_result import Check, StepResult, Verdict, rate, result_of, skipped
from companion.core.language import text
from companion.core.sensor_terms import place_name
from companion.games.registry import mats_by_marker
from companion.sensing.camera_source import FLICKER_HELP, measured
from companion.sensing.parameters import PICTURE
from companion.sensing.vision_words import FOCUS_HELP, MIRROR_HELP, MIRRORED, in_words, mat_title, words_of
from vision.camera.frames import Frame, Image
from vision.camera.settings_plan import Exposure
from vision.codes.sticker_set import STICKER_MODULES, Gray
from vision.mat.corner_cards import card_quality, register_cards
from vision.mat.marker_quality import MarkerQuality, marker_quality, sharpest_edges_px, uncovered
from vision.mat.mat_finder import is_mirrored, markers_in_sight, nudge, register, scales_in_sight
from vision.mat.registration import Registration
from vision.mat.remembered_table import Home, home_bytes
from vision.mat_geometry import Zone
from vision.scene.lamp_flicker import LampFlicker
from vision.scene.small_picture import SMALL_WIDTH

NAME = "camera"
BEND, BEND_MOST = "bend", 8.0
"""BEND: name of the check on how much the lens bends lines.

BEND_MOST: bend (%) up to which the mat's corners measure the lens well enough. Places were right to 0.49 mm
(rms, simulated pictures), with a bend of 12 % to 0.9 mm.
"""
TILTED = 1.3
"""Largest scale (px/mm) at a corner of the mat divided by the smallest. Above this bound the camera looks
from the side. Looking straight down it is below 1.1, even if the lens bends lines by 12 % (simulated)."""
TILT_HELP = text("hang the camera over the middle of the mat, looking straight down")
BENT_LENS = "bent lens"
"""Name of the fault if the lens must be measured before the mat can be found."""
FRAMES = 24
"""FRAMES: number of pictures that the camera step judges, one and a half seconds. Flicker needs 15."""
SHARP_PX = 2.6
"""Greatest width (px) of edges in a sharp picture; `PICTURE.soft_px` bounds a usable one."""
BLURRED_PX = 6.0
"""Width (px) of a picture's sharpest edges from which blur explains a missing mat. A guess."""
GLARE_LEVEL, GLARE_MM2 = 238, 150.0
"""GLARE_LEVEL: grey level from which a spot is a lamp's reflection. GLARE_MM2: least area (mm2) of a
reflection that can hide a sticker. Guesses."""
MEAN_OF, CORNERS = 4, 4
"""MEAN_OF: number of pictures whose mean is taken, which halves the noise. CORNERS: number of cards at the
corners of a table without a mat."""
LANDMARKS = 12
"""LANDMARKS: fewest distinct spots of a cloth by which a moved camera is noticed. A guess."""
DARK = 30.0
"""Mean grey level (0 to 255) below which darkness explains a missing mat. A guess."""
ONE_SIDE_MM = 12.0
SCALE_GOOD, SCALE_USABLE = 1.5, 1.1
"""Least scales (px/mm) at the worst corner of the mat of a good, or usable, picture.

Stickers of 20 mm are read from 1.6 on, of 30 mm from 1.1 on (rendered pictures).
"""
MODULE_PX = 1.3
"""Least pixels per sticker module (small square) for badly focused pictures (`print_sizes`)."""
UNSTEADY_MM = 0.5
"""Movement (mm on the mat) of the picture in the step from which the stand is loose. A guess."""


def check_camera(bench: SetupBench) -> StepResult:
    """Judge the camera's picture of the empty mat; each fault comes with a fix."""
    if bench.devices.camera is None:
        return skipped(NAME, text("no camera"), text("plug one in, then: companion setup camera"))
    bench.ask(ClearTable())
    frames = bench.frames(FRAMES)
    if not frames:
        check = Check(
            "picture", Verdict.NOT_GOOD, None, "", text("no picture"), text("check its cable"), "dead camera"
        )
        return result_of(NAME, [check])
    gray = frames[-1].gray
    with in_words():
        found = register(bench.mat, gray, measured=measured(bench.profile.lens))
    if found is None:
        without = bare_table(bench, frames)
        checks = [why_not_found(bench, gray)] if without is None else without
        return result_of(NAME, checks)
    if bench.profile.home:
        bench.update(home=b"")
    bench.say(words_of(found.summary))
    bench.outline_mat(found)
    markers = found.laid or bench.mat.markers
    picture = list(_picture(marker_quality(markers, gray, found)))
    soft = any(check.fault == "soft lens" for check in picture)
    # A marker too blurred to be read is not covered.
    in_sight = max(found.markers, uncovered(markers, gray, found)) if soft else found.markers
    checks = [*_aim(found, bench, in_sight), *picture, *_light(frames, found, bench), _scale(bench, found)]
    checks.append(_bend(found))
    if all(check.verdict is not Verdict.NOT_GOOD for check in picture):
        checks.append(_steady(bench, frames, found))  # corners of a blurred picture are inexact
    return result_of(NAME, checks)


def _other_mat(bench: SetupBench, names: Mapping[int, str], ids: Collection[int]) -> Check | None:
    """Check that says which other game's mat lies there; None if none does.

    `names`: marker id -> mat with this marker. `ids`: markers in sight.
    """
    others = Counter(names[one] for one in ids if names.get(one, bench.mat.name) != bench.mat.name)
    for other, markers in others.most_common(1):
        if markers >= 2:
            said = text("this is the mat of {game}", game=mat_title(other))
            fix = text("lay the mat of {game}, or choose that game", game=mat_title(bench.mat.name))
            return Check("mat", Verdict.NOT_GOOD, 0, "markers", said, fix, "another mat")
    return None


def why_not_found(bench: SetupBench, gray: Gray) -> Check:
    """Check that says why no mat is found in a picture.

    Another game's mat, darkness, blur, lens, mirror, or aim.
    """
    ids = markers_in_sight(gray)
    names = mats_by_marker()
    if other := _other_mat(bench, names, ids):
        return other
    if float(gray.mean()) < DARK:
        return Check(
            "light",
            Verdict.NOT_GOOD,
            round(float(gray.mean())),
            "",
            text("it is dark"),
            text("switch a lamp on"),
            "too dark",
        )
    edges = sharpest_edges_px(gray)
    if edges > BLURRED_PX:
        return Check(
            "focus",
            Verdict.NOT_GOOD,
            round(edges, 1),
            "px",
            text("the picture is blurred"),
            FOCUS_HELP,
            "soft lens",
        )
    wanted = {marker.id for marker in bench.mat.markers}
    seen = len(wanted & ids)
    places = zip(CORNER_NAMES, bench.mat.markers, strict=True)
    missing = tuple(name for name, marker in places if marker.id not in ids)
    if seen == len(wanted):
        scales = scales_in_sight(bench.mat, gray)
        if scales and (tilted := tilt(scales)):
            return Check("mat", Verdict.NOT_GOOD, seen, "markers", tilted, TILT_HELP, "tilted camera")
        said = text(
            "all {seen} corner markers are in sight, but a flat mat looks otherwise: the lens bends lines",
            seen=seen,
        )
        fix = text(
            "lay the mat flat, measure the lens with the printed sheet (companion setup lens), then look again"
        )
        return Check("mat", Verdict.NOT_GOOD, seen, "markers", said, fix, BENT_LENS)
    if not ids and is_mirrored(gray, {*names, *wanted}):
        return Check("mat", Verdict.NOT_GOOD, 0, "markers", MIRRORED, MIRROR_HELP, "mirrored picture")
    said = text("{seen} of {all} corner markers in sight", seen=seen, all=len(wanted))
    fix = text("aim the camera so that all corners of the mat are in the picture; nothing may cover them")
    if seen:
        said = text(
            "{seen} of {all} corner markers in sight, missing: {places}",
            seen=seen,
            all=len(wanted),
            places=missing,
        )
    return Check("mat", Verdict.NOT_GOOD, seen, "markers", said, fix, "mat not whole")


def _aim(found: Registration, bench: SetupBench, in_sight: int) -> Iterator[Check]:
    mat = bench.mat
    ends = found.to_px([(0, mat.h / 2), (mat.w, mat.h / 2)])
    along = ends[1] - ends[0]
    turn = math.degrees(math.atan2(float(along[1]), float(along[0])))
    if abs(turn) > 135:
        yield Check(
            "upright",
            Verdict.NOT_GOOD,
            round(turn),
            "degrees",
            text("the mat lies upside down"),
            text("turn the mat, or the camera, by half a turn"),
            "mat upside down",
        )
    elif abs(turn) > 20:
        yield Check(
            "upright",
            Verdict.USABLE,
            round(turn),
            "degrees",
            text("the mat is turned by {turn} degrees", turn=f"{turn:.0f}"),
            text("turn the camera until the mat lies straight in the picture"),
            "mat turned",
        )
    whole = in_sight == len(mat.markers) and found.shows_all_of(
        Zone("", ONE_SIDE_MM, ONE_SIDE_MM, mat.w - 2 * ONE_SIDE_MM, mat.h - 2 * ONE_SIDE_MM)
    )
    said = text("mat found by {markers} markers, {words}", markers=found.markers, words=words_of(found.summary))
    if whole:
        yield Check("mat", Verdict.GOOD, in_sight, "markers", said)
    else:
        fix = text("aim the camera so that all four corners are in the picture and nothing covers them")
        yield Check("mat", Verdict.USABLE, in_sight, "markers", said, fix, "mat not whole")


def bare_table(bench: SetupBench, frames: list[Frame]) -> list[Check] | None:
    """Check a table without a mat, at whose corners four cards are laid.

    None if the table has a mat after all: a marker is in sight, or the person says so. None also in darkness,
    or without pictures. `frames`: pictures of the table.
    """
    gray = frames[-1].gray
    if markers_in_sight(gray) or float(gray.mean()) < DARK:
        return None  # a cloth does not show blur, the cards' edges do
    if not bench.ask(LayCorners(round(bench.mat.w / 10), round(bench.mat.h / 10))):
        return None
    laid = bench.frames(MEAN_OF)
    if not laid:
        return None
    with in_words():
        cards = register_cards(bench.mat, _mean(laid), _mean(frames[-MEAN_OF:]), measured(bench.profile.lens))
    if cards is None:
        said = text("four cards at the corners were not found")
        fix = text(
            "take them away and look again: one card in each corner, upright, wholly in the picture, "
            "nothing else on the cloth, no sleeve"
        )
        return [Check("mat", Verdict.NOT_GOOD, 0, "cards", said, fix, "mat not whole")]
    found = cards.registration
    bench.say(words_of(found.summary))
    bench.outline_mat(found)
    picture = list(_picture(card_quality(cards, laid[-1].gray)))
    bench.ask(ClearTable())
    empty = bench.frames(FRAMES)
    if not empty:
        return None
    home = Home.of(found, empty[-1].gray)
    bench.update(home=home_bytes(home))
    told = text("no mat: the place is known by four cards, {words}", words=words_of(found.summary))
    mat = Check("mat", Verdict.GOOD, CORNERS, "cards", told)
    margin = Zone("", ONE_SIDE_MM, ONE_SIDE_MM, bench.mat.w - 2 * ONE_SIDE_MM, bench.mat.h - 2 * ONE_SIDE_MM)
    if not found.shows_all_of(margin):
        fix = text("aim the camera so that the whole space between the cards is in the picture")
        mat = Check("mat", Verdict.USABLE, CORNERS, "cards", told, fix, "mat not whole")
    return [mat, *picture, *_light(empty, found, bench), _scale(bench, found), _bend(found), _watched(home)]


def _watched(home: Home) -> Check:
    """Check that the cloth has enough distinct spots by which a moved camera is noticed."""
    count = sum(one.unique for one in home.spots)
    if count >= LANDMARKS:
        said = text("{count} spots of the cloth show whether the camera is moved", count=count)
        return Check("cloth", Verdict.GOOD, count, "spots", said)
    said = text("the cloth looks alike everywhere: only what lies on it shows whether the camera is moved")
    fix = text("begin each evening with four cards at the corners, or take a cloth with a pattern")
    return Check("cloth", Verdict.USABLE, count, "spots", said, fix)


def _mean(frames: list[Frame]) -> Image:
    mean = np.mean([frame.image for frame in frames], axis=0, dtype=np.float32)
    return np.asarray(mean.round(), np.uint8)


def _picture(quality: MarkerQuality | None) -> Iterator[Check]:
    """Checks of focus and exposure of the camera's picture.

    Focus by the width of edges, exposure by the white of markers or cards. `quality`: these measures; None if
    they failed.
    """
    if quality is None:
        yield Check(
            "light",
            Verdict.NOT_GOOD,
            None,
            "",
            text("black and white cannot be told apart"),
            text("more light"),
            "too dark",
        )
        return
    exposure = Exposure(quality.black, quality.white)
    level = rate(quality.edge_px, SHARP_PX, PICTURE.soft_px)
    if exposure.clipped:
        # Overexposed edges bleed, so their width says nothing about the lens.
        level = Verdict.NOT_TESTED
    soft = level in (Verdict.USABLE, Verdict.NOT_GOOD)
    edge = round(quality.edge_px, 2)
    said = text("edges are {edge} px wide", edge=round(float(edge), 1))
    yield Check("focus", level, edge, "px", said, FOCUS_HELP if soft else "", "soft lens" if soft else "")
    white = round(quality.white)
    levels = text("black {black}, white {white} of 255", black=f"{quality.black:.0f}", white=white)
    if exposure.clipped:
        fix = text("less light, or a shorter exposure (v4l2-ctl -c exposure_time_absolute=N)")
        yield Check(
            "exposure",
            Verdict.NOT_GOOD,
            white,
            "",
            text("overexposed: {levels}", levels=levels),
            fix,
            "overexposed",
        )
    elif exposure.dim:
        yield Check("exposure", Verdict.NOT_GOOD, white, "", levels, text("more light"), "too dark")
    else:
        yield Check("exposure", Verdict.GOOD, white, "", levels)


def _light(frames: list[Frame], found: Registration, bench: SetupBench) -> Iterator[Check]:
    """Checks of lamp flicker and reflections in camera pictures.

    Flicker over all `frames`, reflections in the last one. `found`: place of the mat.
    """
    flicker = LampFlicker()
    before: Gray | None = None
    for frame in frames:
        small = _reduced(frame.gray)
        if before is not None:
            flicker.level(small, before)
        before = small
    strength = 100 * flicker.strength
    level = Verdict.GOOD if strength < 1 else Verdict.USABLE if strength < 3 else Verdict.NOT_GOOD
    bad = level is not Verdict.GOOD
    said = (
        text("bands of {strength} % run through the picture", strength=round(float(strength), 1))
        if bad
        else text("the light is steady")
    )
    yield Check(
        "flicker", level, round(strength, 1), "%", said, FLICKER_HELP if bad else "", "flicker" if bad else ""
    )
    area, zone = reflection(frames[-1].gray, found, bench)
    if area >= GLARE_MM2:
        where = place_name(zone) if zone else text("the play area")
        yield Check(
            "glare",
            Verdict.NOT_GOOD,
            round(area),
            "mm2",
            text("a lamp is reflected here: {where}", where=where),
            text("move the lamp until the spot is outside of the play area, or gone"),
            "glare",
        )
    else:
        yield Check("glare", Verdict.GOOD, round(area), "mm2", text("no reflection"))


def _reduced(gray: Gray) -> Gray:
    height = round(gray.shape[0] * SMALL_WIDTH / gray.shape[1])
    return np.asarray(cv2.resize(gray, (SMALL_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)


def reflection(gray: Gray, found: Registration, bench: SetupBench) -> tuple[float, str]:
    """Find the largest reflection of a lamp on the empty mat: area (mm2) and zone.

    (0.0, "") without one; the zone is "" beside all zones. `found`: place of the mat in the picture.
    """
    mat = bench.mat
    width, height = round(mat.w), round(mat.h)
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    px = found.to_px(np.stack([x.ravel() + 0.5, y.ravel() + 0.5], axis=1)).astype(np.float32)
    flat = cv2.remap(gray, px[:, 0].reshape(height, width), px[:, 1].reshape(height, width), cv2.INTER_LINEAR)
    bright = (np.asarray(flat) >= GLARE_LEVEL).astype(np.uint8)
    for marker in found.laid or mat.markers:
        half = round(0.9 * marker.side)
        bright[
            max(0, round(marker.y) - half) : round(marker.y) + half,
            max(0, round(marker.x) - half) : round(marker.x) + half,
        ] = 0
    bright = np.asarray(cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    count, _, stats, centres = cv2.connectedComponentsWithStats(bright)
    if count < 2:
        return 0.0, ""
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    at_x, at_y = centres[largest]
    zone = mat.zone_at(float(at_x), float(at_y))
    return float(stats[largest, cv2.CC_STAT_AREA]), zone.name if zone else ""


def _scale(bench: SetupBench, found: Registration) -> Check:
    """Check of the picture's scale (px/mm) at the worst corner of the mat.

    It names the smallest sticker that can be read there. `found`: place of the mat.
    """
    mat = bench.mat
    scales = [found.px_per_mm(marker.x, marker.y) for marker in mat.markers]
    worst = min(scales)
    least = math.ceil(STICKER_MODULES * MODULE_PX / worst)
    level = rate(worst, SCALE_GOOD, SCALE_USABLE)
    said = text(
        "{scale} px per mm; stickers from {least} mm on are read", scale=round(float(worst), 2), least=least
    )
    if level is Verdict.GOOD or bench.devices.camera is None:
        return Check("scale", level, round(worst, 2), "px/mm", said)
    if bench.devices.camera.width < 1200:
        # The step that finds parts names the cause. A lower camera would not see the whole mat.
        return Check(
            "scale", level, round(worst, 2), "px/mm", said, text("a camera of 1920 x 1080"), "low resolution"
        )
    if tilted := tilt(scales):
        return Check("scale", level, round(worst, 2), "px/mm", tilted, TILT_HELP, "tilted camera")
    return Check(
        "scale", level, round(worst, 2), "px/mm", said, text("hang the camera lower"), "camera too high"
    )


def tilt(scales: Sequence[float]) -> str:
    """Sentence for a camera tilted against the mat.

    "" for one that looks straight down. `scales`: px/mm at the mat's corners. If all are good, the sentence is
    "", too.
    """
    worst, most = min(scales), max(scales)
    if worst >= SCALE_GOOD or most <= TILTED * worst:
        return ""
    return text(
        "{scale} px per mm at one side of the mat, {most} at another: the camera looks from the side",
        scale=round(float(worst), 2),
        most=round(float(most), 2),
    )


def _bend(found: Registration) -> Check:
    """Check of how much the lens bends lines.

    It says whether the lens must be measured.
    """
    percent = round(100 * found.lens.bent_by, 1)
    few = abs(percent) <= BEND_MOST
    said = text("the lens bends lines by {percent} %: the step lens measures it", percent=f"{percent:.0f}")
    if few:
        said = text("the lens bends lines by {percent} %: no step for it is needed", percent=f"{percent:.0f}")
    return Check(BEND, Verdict.GOOD, percent, "%", said)


def _steady(bench: SetupBench, frames: list[Frame], found: Registration) -> Check:
    """Check of how far (mm on the mat) the camera's picture moved during the step."""
    scale = found.px_per_mm(bench.mat.w / 2, bench.mat.h / 2)
    moves = [nudge(found.laid or bench.mat.markers, frame.gray, found) for frame in frames[::3]]
    most = max((moved.px for moved in moves if moved is not None), default=0.0) / scale
    level = rate(most, UNSTEADY_MM, 2 * UNSTEADY_MM)
    bad = level is not Verdict.GOOD
    fix = text("fasten the stand; nothing on the table may touch it") if bad else ""
    said = text("the picture moved by {most} mm", most=round(float(most), 1))
    return Check("steady", level, round(most, 2), "mm", said, fix, "loose stand" if bad else "")
