"""What each step of the live camera's cascade reads and costs, by itself and with the others."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from tests.benchmarks.vision_readers import OURS as COMPANION
from tests.benchmarks.vision_readers import TableReader
from tests.benchmarks.vision_scenes import SCENES, Scene, cards_of, grey, tags_of
from tests.benchmarks.vision_table import DAMAGED, OURS, STRANGER, CameraView, dealt, table
from tests.benchmarks.vision_tally import ReaderTally, judged, whole
from vision.codes.code_reader import CODEBOOK, ENLARGED, PLAIN, STEPS

_KINDS = (OURS, OURS, DAMAGED, STRANGER)
_SCENES = tuple(
    replace(SCENES[name], name=f"steps-{name}", kinds=_KINDS)
    for name in ("cards-15mm-1080p", "cards-20mm-1080p", "cards-15mm-4px")
)
"""1.15, 1.5 and 2.4 px a module."""
_SETS = {
    PLAIN: (PLAIN,),
    CODEBOOK: (CODEBOOK,),
    ENLARGED: (ENLARGED,),
    "without plain": (CODEBOOK, ENLARGED),
    "without enlarged": (PLAIN, CODEBOOK),
    COMPANION: STEPS,
}
_FRAMES = 2
"""Of each table."""


def cascade_steps(tables: int, seed: int, scenes: Sequence[Scene] = _SCENES) -> list[ReaderTally]:
    """A tally for each scene and set of steps, over `tables` tables: half whole, a quarter damaged.

    `damaged` is the share of damaged stickers read, `foreign_texts` how many texts of strangers were read.
    """
    return [tally for scene in scenes for tally in _steps(scene, tables, seed)]


def _steps(scene: Scene, tables: int, seed: int) -> list[ReaderTally]:
    cards = cards_of(scene)
    known = frozenset(tags_of(cards).payloads)
    readers = {label: TableReader(known, scene.side_mm, steps) for label, steps in _SETS.items()}
    tallies = {label: ReaderTally(scene.name, label) for label in readers}
    damaged_shown = 0
    damaged_read, foreign = dict.fromkeys(readers, 0), dict.fromkeys(readers, 0)
    for number in range(tables):
        rng = np.random.default_rng((seed, number))
        lying = table(
            dealt(cards, scene.side_mm, rng, scene.kinds, scene.dots_mm),
            CameraView.at_random(scene.width, scene.height, scene.px_per_mm, rng),
            scene.optics,
            rng,
        )
        expected = whole(lying)
        damaged = {k for k, one in enumerate(lying.lying) if one.kind == DAMAGED}
        frames = [grey(lying.frame(scene.optics, rng)) for _ in range(_FRAMES)]
        damaged_shown += len(damaged) * len(frames)
        for label, reader in readers.items():
            tally = tallies[label]
            reader.watch(lying, frames[0])
            for gray in frames:
                sightings = tally.timed(partial(reader.read, gray))
                found, named, wrong = judged(lying, sightings, known)
                tally.frames += 1
                tally.shown += len(expected)
                tally.found += len(found & expected)
                tally.reads += named
                tally.wrong += wrong
                damaged_read[label] += len(found & damaged)
                foreign[label] += sum(seen.tag not in known for seen in sightings)
    for label, tally in tallies.items():
        tally.extra["damaged"] = round(damaged_read[label] / damaged_shown, 4) if damaged_shown else None
        tally.extra["foreign_texts"] = foreign[label]
    return list(tallies.values())
