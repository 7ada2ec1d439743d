"""Counts what readers read against what was there."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, TypeVar

import numpy as np

from tests.benchmarks.vision_readers import Sighted
from tests.benchmarks.vision_table import OURS, Table

_T = TypeVar("_T")
NEAR_MM = 12.0
"""A sticker seen farther than this from where it lies is another one: cards lie 90 mm apart."""


@dataclass(slots=True)
class ReaderTally:
    """One reader on one scene. Shares are None where nothing of the kind was measured."""

    scene: str
    reader: str
    shown: int = 0
    found: int = 0
    shown_1s: int = 0
    found_1s: int = 0
    reads: int = 0
    wrong: int = 0
    frames: int = 0
    milliseconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    def timed(self, work: Callable[[], _T], runs: int = 1) -> _T:
        """What `work` returns; its time by the clock and by the processor (all threads) is noted, in ms: the
        least of some `runs`."""
        walls, busies = [], []
        for _ in range(runs):
            wall, busy = time.perf_counter(), time.process_time()
            outcome = work()
            walls.append(1000 * (time.perf_counter() - wall))
            busies.append(1000 * (time.process_time() - busy))
        self.milliseconds.append(min(walls))
        self.processor.append(min(busies))
        return outcome

    def result(self) -> dict[str, Any]:
        """The tally as plain values."""
        return {
            "scene": self.scene,
            "reader": self.reader,
            "recall_frame": round(self.found / self.shown, 4) if self.shown else None,
            "recall_1s": round(self.found_1s / self.shown_1s, 4) if self.shown_1s else None,
            "wrong": self.wrong,
            "reads": self.reads,
            "ms_mean": round(fmean(self.milliseconds), 2) if self.milliseconds else None,
            "ms_p95": round(float(np.percentile(self.milliseconds, 95)), 2) if self.milliseconds else None,
            "cpu_ms_mean": round(fmean(self.processor), 2) if self.processor else None,
            "shown": self.shown,
            "frames": self.frames,
            **self.extra,
        }


def judged(table: Table, sightings: Iterable[Sighted], tags: frozenset[str]) -> tuple[set[int], int, int]:
    """Sightings in px: which of `table.lying` were read, how many identities were named, and how many wrongly.

    Only texts among `tags`, the cards that exist, name an identity: another text is none of ours.
    """
    places = [table.place(one) for one in table.lying]
    near = NEAR_MM * table.view.px_per_mm
    found: set[int] = set()
    named = wrong = 0
    for seen in sightings:
        if seen.tag not in tags:
            continue
        named += 1
        at = next(
            (
                k
                for k, one in enumerate(table.lying)
                if one.tag == seen.tag and np.hypot(places[k][0] - seen.x, places[k][1] - seen.y) < near
            ),
            None,
        )
        if at is None:
            wrong += 1
        else:
            found.add(at)
    return found, named, wrong


def whole(table: Table) -> set[int]:
    """The numbers of what can be expected to be read: neither damaged nor a stranger's."""
    return {k for k, one in enumerate(table.lying) if one.kind == OURS}
