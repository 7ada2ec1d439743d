"""`companion bench mat`: places of the mat in hostile pictures, against the truth; wrong, found, refused."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import click
import msgspec
import numpy as np

from companion.core.printable import say
from tests.benchmarks.mat_pictures import KINDS, MAT, HostilePicture, hostile_pictures
from vision.camera.frames import Frame
from vision.codes.sticker_set import Tags
from vision.mat.mat_finder import register
from vision.mat.registration import Registration
from vision.scene.camera_pipeline import Vision

WRONG_MM = 3.0
"""A mat that is farther off anywhere is wrong, mm."""
WAYS = ("alone", "last place", "live", "live start")
"""`alone`: one picture. `last place`: the mat was found in a clean picture before. `live`: the tracker found it
there and then watches the hostile one for two seconds. `live start`: the tracker sees nothing else."""
_FPS, _CALM_S, _WATCHED_S = 15, 2.0, 2.0
"""Frames a second of the live way; how long (s) it sees the clean picture first, and then the hostile one."""
_EXPOSURES = 3
"""Different exposures of a hostile picture that the live way gets in turn."""
_GRID = np.array([(x, y) for x in np.linspace(0, MAT.w, 9) for y in np.linspace(0, MAT.h, 6)])


@dataclass(slots=True)
class _Tally:
    """One kind of trouble, found in one way."""

    shown: int = 0
    found: int = 0
    wrong: list[tuple[int, float]] = field(default_factory=list)
    """Number of the picture, largest error in mm."""


def off_mm(found: Registration, picture: HostilePicture) -> float:
    """The largest distance (mm) between the truth and what was found, over what the picture shows of the mat;
    infinite if no place is true."""
    height, width = picture.gray.shape
    errors = []
    for truth in picture.truths:
        px = np.asarray(truth(_GRID), np.float64)
        shown = ((px >= 0) & (px < (width, height))).all(axis=1)
        off = np.linalg.norm(found.to_mm(px) - _GRID, axis=1)[shown]
        errors.append(float(off.max()) if len(off) else np.inf)
    return min(errors, default=np.inf)


def _live(picture: HostilePicture, calm: bool) -> Registration | None:
    """Where the tracker says that the mat lies, after it watched the hostile picture."""
    vision = Vision(MAT, Tags({}, {}))
    t, frames = 0.0, round(_CALM_S * _FPS) if calm else 0
    for _ in range(frames):
        vision.feed(Frame(t, picture.before))
        t += 1 / _FPS
    exposures = [picture.gray, *(picture.again() for _ in range(_EXPOSURES - 1))]
    for number in range(round(_WATCHED_S * _FPS)):
        vision.feed(Frame(t, exposures[number % _EXPOSURES]))
        t += 1 / _FPS
    return vision.registration if vision.found else None


def places(
    picture: HostilePicture, ways: tuple[str, ...], before: Registration | None
) -> dict[str, Registration | None]:
    """What each way finds in a picture; nothing for ways that need a place before and have none."""
    found: dict[str, Registration | None] = {}
    for way in ways:
        if way == "alone":
            found[way] = register(MAT, picture.gray)
        elif way == "last place" and before is not None:
            found[way] = register(MAT, picture.gray, before)
        elif way == "live start" or (way == "live" and before is not None):
            found[way] = _live(picture, calm=way == "live")
    return found


def tallied(
    pictures: Iterator[HostilePicture], every_live: int, ways: tuple[str, ...] = WAYS
) -> dict[tuple[str, str], _Tally]:
    """Tallies by kind and way; the live ways watch one picture of `every_live`."""
    tallies: dict[tuple[str, str], _Tally] = {}
    seen: tuple[object, Registration | None] = (None, None)
    for number, picture in enumerate(pictures):
        if seen[0] is not picture.before:
            seen = picture.before, register(MAT, picture.before)
        # Kinds come in turn: the pictures that are watched live move on by one a round.
        watched = (number % len(KINDS) + number // len(KINDS)) % every_live == 0
        chosen = tuple(way for way in ways if watched or not way.startswith("live"))
        for way, found in places(picture, chosen, seen[1]).items():
            tally = tallies.setdefault((picture.kind, way), _Tally())
            tally.shown += 1
            if found is not None:
                error = off_mm(found, picture)
                tally.found += error <= WRONG_MM
                if error > WRONG_MM:
                    tally.wrong.append((number, round(error, 1)))
    return tallies


@click.command()
@click.option(
    "--pictures", type=click.IntRange(1, 1_000_000), default=240, show_default=True, help="Drawn and searched."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of all that is drawn.")
@click.option(
    "--every-live",
    type=click.IntRange(1, 1_000_000),
    default=5,
    show_default=True,
    help="The live ways watch one picture of so many.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def mat(pictures: int, seed: int, every_live: int, as_json: bool) -> None:
    """Find the mat in hostile pictures: blurred, covered, mirrored, among copies and decoys.

    A place is wrong if it is more than 3 mm off anywhere on the mat.
    """
    tallies = tallied(hostile_pictures(pictures, seed), every_live)
    rows = [
        {
            "kind": kind,
            "way": way,
            "shown": one.shown,
            "found": one.found,
            "refused": one.shown - one.found - len(one.wrong),
            "wrong": len(one.wrong),
            "wrong_pictures": one.wrong,
        }
        for (kind, way), one in sorted(tallies.items())
    ]
    totals: dict[str, Any] = {}
    for way in WAYS:
        mine = [row for row in rows if row["way"] == way]
        for count in ("shown", "found", "wrong"):
            totals[f"{way.replace(' ', '_')}_{count}"] = sum(int(row[count]) for row in mine)  # type: ignore[call-overload]
    if as_json:
        click.echo(msgspec.json.encode({"bench": "mat", "seed": seed, **totals, "results": rows}))
        return
    for row in rows:
        say(
            f"{row['kind']:16} {row['way']:11} found {row['found']:4} of {row['shown']:4}"
            f"  refused {row['refused']:4}  wrong {row['wrong']:3}  {row['wrong_pictures'] or ''}"
        )
    say(", ".join(f"{name} {value}" for name, value in totals.items()))
