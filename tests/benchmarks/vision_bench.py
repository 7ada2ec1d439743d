"""`companion bench vision`: our camera code beside the stock decoders, on the same made pictures in one run."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.core.option_types import FILE_PATH
from companion.core.printable import say
from tests.benchmarks.hostile_stickers import hostile_stickers
from tests.benchmarks.vision_costs import exposure, hands, idle, one_card, still, two_cards
from tests.benchmarks.vision_photos import REAL_GAIN, REAL_RATE, made_photos, photos_in
from tests.benchmarks.vision_readers import (
    OURS,
    PhotoReader,
    Reader,
    WholeReader,
    ZxingReader,
    ZxingTriesReader,
    stock_readers,
)
from tests.benchmarks.vision_scenes import SCENES, grey, run_scene
from tests.benchmarks.vision_steps import cascade_steps
from tests.benchmarks.vision_tally import ReaderTally
from vision.codes.sticker_set import Gray
from vision.photos.picture_files import load_picture

_STRANGERS, _PHOTOS, _STILL, _TWO = "strangers-15mm-1080p", "photographs", "still-1080p", "two-cards-1080p"
_STEPS = "steps"
_HOSTILE = {"hostile-15mm": 15.0, "hostile-20mm": 20.0}
"""_HOSTILE: scene -> side of the stickers (mm), each of which has a trouble."""
_IDLE, _ONE, _HANDS, _EXPOSURE = "idle-jpeg", "one-card-jpeg", "hands-jpeg", "exposure-jpeg"
_ALL = (*SCENES, *_HOSTILE, _STEPS, _PHOTOS, _STILL, _TWO, _IDLE, _ONE, _HANDS, _EXPOSURE)
_STICKERS, _MADE = "cards-15mm-1080p", "photographs-made"
_BY_ALL = 48
"""_BY_ALL: made photographs that every reader gets. The others are for `companion read` and zxing-cpp, whose
rates and times are watched: the few pictures in which nothing is read cost most, and a small set depends on
them."""
_TIMED_RUNS = 2
"""_TIMED_RUNS: readings of a photograph by each of these two. The quicker one counts, so that neither gains by
finding the picture in the processor's cache because the other one has just read it."""
_BY_SEED = {_ONE: one_card, _HANDS: hands, _EXPOSURE: exposure}
_COLUMNS = (
    "scene",
    "reader",
    "recall_frame",
    "recall_1s",
    "wrong",
    "reads",
    "ms_mean",
    "ms_p95",
    "cpu_ms_mean",
)


@click.command()
@click.option("--scenes", metavar="NAME,NAME", default=",".join(_ALL), help=f"Of {', '.join(_ALL)}; all.")
@click.option("--tables", type=click.IntRange(1, 10_000), default=1, show_default=True, help="Dealt per scene.")
@click.option(
    "--reads",
    type=click.IntRange(0, 10_000_000),
    default=500,
    show_default=True,
    help="Among strangers and in hostile scenes, go on until our reader has named so many identities.",
)
@click.option(
    "--made", type=click.IntRange(1, 100_000), default=176, show_default=True, help="Photographs made."
)
@click.option(
    "--photos",
    metavar="DIR",
    type=FILE_PATH,
    help="Real photographs besides; each NAME.jpg with its texts in NAME.txt, one a line.",
)
@click.option(
    "--frames", type=click.IntRange(10, 1_000_000), default=300, show_default=True, help="Watched at rest."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of all that is made.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def vision(
    scenes: str, tables: int, reads: int, made: int, photos: Path | None, frames: int, seed: int, as_json: bool
) -> None:
    """Read stickers, markers and photographs; time a table at rest and two cards put down.

    recall_frame is the share read in a frame by itself, recall_1s within a second; wrong counts identities
    or texts that were not there. ms_mean and ms_p95 are wall clock and include what else the machine does,
    cpu_ms_mean is what this process computed, on all its threads.
    """
    names = [name.strip() for name in scenes.split(",")]
    for name in names:
        if name not in _ALL:
            raise click.BadParameter(f"{name!r} is none of {', '.join(_ALL)}", param_hint="--scenes")
    results: list[dict[str, Any]] = []
    if not as_json:
        _print(dict(zip(_COLUMNS, _COLUMNS, strict=True)))
    for name in names:
        for tally in _run(name, tables, reads, made, photos, frames, seed):
            results.append(tally.result())
            if not as_json:
                _print(results[-1])
    if as_json:
        told = {"bench": "vision", "seed": seed, **_numbers(results), "results": results}
        click.echo(msgspec.json.encode(told))
    else:
        say(", ".join(f"{name} {value}" for name, value in _numbers(results).items() if value is not None))


def _numbers(results: Iterable[dict[str, Any]]) -> dict[str, float | None]:
    """The numbers that are watched from version to version; None for scenes that were not run.

    Times are of the processor; `photo_time_ratio` is that of the whole command by zxing-cpp's. `photo_gain`:
    the share of codes that we read beyond zxing-cpp. How much larger this and zxing-cpp's own share are than
    in real photographs is said by `..._off`.
    """
    told = {(one["scene"], one["reader"]): one for one in results}

    def of(scene: str, reader: str, number: str) -> Any:
        return told.get((scene, reader), {}).get(number)

    rate, plain = (of(_MADE, reader, "recall_frame") for reader in (WholeReader.name, ZxingReader.name))
    told_rates = rate is not None and plain is not None
    ours, stock = (of(_MADE, reader, "cpu_ms_mean") for reader in (WholeReader.name, ZxingReader.name))
    return {
        "stickers_rate": of(_STICKERS, OURS, "recall_frame"),
        "stickers_wrong": of(_STICKERS, OURS, "wrong"),
        "photo_rate": rate,
        "photo_rate_zxing_off": round(plain - REAL_RATE, 3) if told_rates else None,
        "photo_gain": round(rate - plain, 3) if told_rates else None,
        "photo_gain_off": round(rate - plain - REAL_GAIN, 3) if told_rates else None,
        "photo_wrong": of(_MADE, WholeReader.name, "wrong"),
        "photo_time_ratio": round(ours / stock, 2) if ours and stock else None,
        "idle_frame_ms": of(_IDLE, OURS, "cpu_ms_mean"),
        "one_card_ms": of(_ONE, OURS, "cpu_ms_mean"),
        "hands_ms": of(_HANDS, OURS, "cpu_ms_mean"),
        "exposure_ms": of(_EXPOSURE, OURS, "cpu_ms_mean"),
    }


def _run(
    name: str, tables: int, reads: int, made: int, photos: Path | None, frames: int, seed: int
) -> list[ReaderTally]:
    if name == _STILL:
        return [still(frames, seed)]
    if name == _IDLE:
        return [idle(frames, seed)]
    if name in _BY_SEED:
        return [_BY_SEED[name](seed)]
    if name == _TWO:
        return [two_cards(seed)]
    if name in _HOSTILE:
        return hostile_stickers(_HOSTILE[name], reads, seed)
    if name == _STEPS:
        return cascade_steps(tables, seed)
    if name == _PHOTOS:
        shots = ((grey(p.image), p.texts) for p in made_photos(made, seed))
        tallies = photographs("photographs-made", shots, _BY_ALL)
        if photos is not None:
            found = ((load_picture(path).gray, texts) for path, texts in photos_in(photos))
            tallies += photographs("photographs", found)
        return tallies
    return run_scene(SCENES[name], tables, reads if name == _STRANGERS else 0, seed)


def photographs(
    scene: str, pictures: Iterable[tuple[Gray, tuple[str, ...]]], by_all: int | None = None
) -> list[ReaderTally]:
    """Every reader's tally over pictures and the texts that are in them; a text twice counts twice.

    `by_all`: how many of the pictures are read by others than `companion read` and zxing-cpp; all without it.
    `read_by` of our reader counts what each step of the cascade read, `lost` what zxing-cpp read and it did
    not. The last tally is of what any of the other readers read, in the pictures that all of them read.
    """
    whole = WholeReader()
    readers: list[Reader] = [PhotoReader(), whole, *stock_readers(), ZxingTriesReader()]
    together = ReaderTally(scene, "stock together")
    tallies = [ReaderTally(scene, reader.name) for reader in readers]
    steps: dict[str, Counter[str]] = {reader.name: Counter() for reader in readers}
    lost: Counter[str] = Counter()
    for number, (gray, texts) in enumerate(pictures):
        there, stock = Counter(texts), Counter[str]()
        by_reader: dict[str, Counter[str]] = {}
        whole.show(gray)
        all_read = by_all is None or number < by_all
        for reader, tally in zip(readers, tallies, strict=True):
            watched = reader.name in (WholeReader.name, ZxingReader.name)
            if not all_read and not watched:
                continue
            sightings = tally.timed(partial(reader.read, gray), _TIMED_RUNS if watched else 1)
            read = by_reader[reader.name] = Counter(seen.tag for seen in sightings)
            _count(tally, read, there)
            if reader.name not in (OURS, WholeReader.name):
                stock |= read
            steps[reader.name].update(seen.stage for seen in sightings if seen.stage and seen.tag in there)
        for name in (OURS, WholeReader.name):
            if name in by_reader:
                lost[name] += (by_reader.get(ZxingReader.name, Counter()) - by_reader[name]).total()
        if all_read:
            _count(together, stock, there)
    for tally in tallies:
        if steps[tally.reader]:
            tally.extra["read_by"] = dict(steps[tally.reader])
        if tally.reader in lost:
            tally.extra["lost"] = lost[tally.reader]
    return [*tallies, together]


def _count(tally: ReaderTally, read: "Counter[str]", there: "Counter[str]") -> None:
    """One photograph: texts that were read, and those that are there."""
    tally.frames += 1
    tally.shown += there.total()
    tally.found += (read & there).total()
    tally.reads += read.total()
    tally.wrong += sum(count for text, count in read.items() if text not in there)


def _print(result: dict[str, Any]) -> None:
    cells = ["-" if result[column] is None else str(result[column]) for column in _COLUMNS]
    more = [f"{name} {value}" for name, value in result.items() if name not in (*_COLUMNS, "shown", "frames")]
    say(f"{cells[0]:24} {cells[1]:17}" + "".join(f"{cell:>13}" for cell in cells[2:]) + "  " + ", ".join(more))
