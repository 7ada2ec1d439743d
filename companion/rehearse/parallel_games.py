"""Many rehearsed games: at which tables, in which way, and several at a time."""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import BadInputError
from companion.core.process_tuning import freeze_garbage
from companion.games.registry import DEFAULT_GAME, check_table, load_game
from companion.rehearse.sensitivity import Factors, scaled
from companion.virtual.card_art import PRINTED, STICKERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.rehearse.pixels import GameReport


class Way(NamedTuple):
    """Way to rehearse games: options of `companion rehearse`."""

    through: str
    noise: str
    rig: str
    deal: str
    unplug: int
    restarts: int
    down: float
    undos: int
    children: int
    outage: str | None
    away: float
    pace: float
    game: str = DEFAULT_GAME
    world: str | None = None
    cards: str = STICKERS
    mat: str = PRINTED
    profile: str = ""
    first_evening: bool = False
    scaled: Factors = ()
    """Constants of the fusion with their factors. Empty except for sensitivity."""


def tables_for(variant: str | None, players: int | None, name: str = DEFAULT_GAME) -> list[tuple[str, int]]:
    """All pairs (variant, players) of the game `name` that fit the arguments, of which None fits all.

    BadInputError if none fits.
    """
    game = load_game(name)
    if variant is not None and players is not None:
        check_table(game, variant, players)
    elif variant is not None:
        check_table(game, variant, game.variants.get(variant, (2,))[0])
    elif players is not None and not any(players in allowed for allowed in game.variants.values()):
        raise BadInputError(f"no variant is for {players} players", next_step="--players 2 to 5")
    return [
        (name, number)
        for name, allowed in game.variants.items()
        for number in allowed
        if variant in (None, name) and players in (None, number)
    ]


def rehearse_all(
    plan: Sequence[tuple[int, str, int]],
    way: Way | Sequence[Way],
    record: Path | None = None,
    jobs: int | None = None,
) -> list["GameReport"]:
    """Rehearse the games of a plan (seed, variant, players).

    Returns reports in its order. `way`: one for all games, or one for each. `record`: folder for recordings.
    `jobs`: games played at a time; None: one for each core.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from companion.rehearse.progress import Progress

    folders = [record / f"game-{seed}" if record and len(plan) > 1 else record for seed, _, _ in plan]
    ways = [way] * len(plan) if isinstance(way, Way) else way
    work = [(*table, one, folder) for table, one, folder in zip(plan, ways, folders, strict=True)]
    workers = min(jobs or os.cpu_count() or 1, len(work))
    with Progress(len(work)) as progress, contextlib.ExitStack() as stack:
        games: Iterable[GameReport]
        if workers > 1:
            # Fresh processes: OpenCV's threads do not survive a fork.
            spawn = get_context("spawn")
            pool = stack.enter_context(ProcessPoolExecutor(workers, mp_context=spawn))
            games = pool.map(_play_one, work)
        else:
            games = map(_play_one, work)
        reports = []
        for report in games:
            reports.append(report)
            progress.game_done()
        return reports


def _play_one(work: tuple[int, str, int, Way, Path | None]) -> "GameReport":
    way = work[3]
    freeze_garbage()
    with scaled(way.scaled):
        return _played(*work)


def _played(seed: int, variant: str, players: int, way: Way, record: Path | None) -> "GameReport":
    given: Any = {"game": way.game, "noise": way.noise, "rig": way.rig, "deal": way.deal}
    if way.through == "observations":
        from companion.rehearse.observations import rehearse_observed

        report = rehearse_observed(
            seed,
            variant,
            players,
            record=record,
            restarts=way.restarts,
            down_s=way.down,
            undos=way.undos,
            children=way.children,
            outage=way.outage,
            away_s=way.away,
            world=way.world,
            cards=way.cards,
            **given,
        )
        if way.restarts:
            without = rehearse_observed(seed, variant, players, **given)
            report.same_end = report.comparison.faults == without.comparison.faults
        return report
    if way.through == "bytes":
        from companion.rehearse.bytes import rehearse_wired

        return rehearse_wired(seed, variant, players, unplug=way.unplug, **given)
    import cv2

    from companion.rehearse.pixels import rehearse_game

    cv2.setNumThreads(1)  # games already run in parallel
    given |= {"cards": way.cards, "mat": way.mat, "profile": way.profile, "first_evening": way.first_evening}
    return rehearse_game(seed, variant, players, pace=way.pace, record=record, **given)
