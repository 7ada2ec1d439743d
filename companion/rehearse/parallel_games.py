"""Many rehearsed games, several at a time: which tables they have, and in which way they are played."""

import contextlib
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TextIO

from companion.core import process_tuning
from companion.core.clock import Clock, RealClock
from companion.core.errors import BadInputError
from companion.games.registry import DEFAULT_GAME, check_table, load_game
from companion.rehearse.sensitivity import Factors, scaled
from companion.virtual.card_art import PRINTED, STICKERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.rehearse.game_report import GameReport

EVERY_S = 1.0
"""Time (s) between two updates of the progress line."""


class Way(NamedTuple):
    """How games are rehearsed: the options of `companion rehearse`.

    `through`: "observations", "bytes" or "pixels". `noise`, `deal`, `restarts`, `undos`, `children`, `world`
    and `cards` are those of `rehearse_observed`; `down` and `away` its `down_s` and `away_s`. `outage`:
    "camera", "board", "all", or None. `profile`: name of a rig that setup made; "" for none. `pace`, `mat`,
    `profile` and `first_evening` are described at `rehearse_game`, `unplug` at `rehearse_wired`. A field that
    does not suit `through` is ignored.
    """

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
    """Constants of the fusion (what combines the sensors), each with a factor; empty scales none."""


class Progress:
    """Terminal line that shows how many games are done.

    Use it in a `with` block. Once a second (EVERY_S) the line overwrites itself; at the block's end it is
    cleared. `games`: number of all games. `clock`: measures the time passed; None: the real clock. `stream`:
    where the line goes; None: stderr. Nothing is shown if the stream is no terminal.
    """

    def __init__(self, games: int, clock: Clock | None = None, stream: TextIO | None = None) -> None:
        self._games = games
        self._clock = clock or RealClock()
        self._stream = stream or sys.stderr
        self._done = 0
        self._began = self._clock.now()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if self._stream.isatty():
            self._thread = threading.Thread(target=self._show, name="progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._write("")

    def game_done(self) -> None:
        """Count one more finished game."""
        self._done += 1

    @property
    def words(self) -> str:
        """Text of the line: games done, time passed, and a guess of the time left (s)."""
        passed = self._clock.now() - self._began
        line = f"{self._done} of {self._games} games, {passed:.0f} s"
        if 0 < self._done < self._games:
            line += f", about {passed / self._done * (self._games - self._done):.0f} s to go"
        return line

    def _show(self) -> None:
        self._write(self.words)
        while not self._over.wait(EVERY_S):
            self._write(self.words)

    def _write(self, line: str) -> None:
        # Go back to the start of the line, and clear it.
        self._stream.write(f"\r\x1b[K{line}")
        self._stream.flush()


def tables_for(variant: str | None, players: int | None, name: str = DEFAULT_GAME) -> list[tuple[str, int]]:
    """List the (variant, number of players) that a game allows.

    `variant`, `players`: keep only pairs with this one; None keeps all. `name`: the game. BadInputError if the
    game has no such table.
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
    """Rehearse every game of a plan, several at a time.

    An entry of `plan` is (seed, variant, number of players). Returns the reports in the order of `plan`.
    `way`: one way for all games, or one for each. `record`: folder for recordings, with a subfolder for each
    game if there are several; None records nothing. `jobs`: games played at a time; None: one for each core.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

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
    """Rehearse one game in a worker process, with scaled constants.

    `work`: (seed, variant, number of players, way, folder for recordings or None).
    """
    way = work[3]
    process_tuning.freeze_garbage()
    with scaled(way.scaled):
        return _played(*work)


def _played(seed: int, variant: str, players: int, way: Way, record: Path | None) -> "GameReport":
    """Rehearse one game, and return its report.

    `way`: options of the rehearsal, e.g. whether pictures or observations are played. `record`: folder for
    recordings; None records nothing. With restarts, a game through observations is played once more without
    them; `same_end` of the report says whether both end with equal faults.
    """
    given: Any = {"game": way.game, "noise": way.noise, "rig": way.rig, "deal": way.deal}
    if way.through == "observations":
        from companion.rehearse.games_in_observations import rehearse_observed

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
        from companion.rehearse.games_in_bytes import rehearse_wired

        return rehearse_wired(seed, variant, players, unplug=way.unplug, **given)
    import cv2

    from companion.rehearse.games_in_pixels import rehearse_game

    cv2.setNumThreads(1)  # games already run in parallel
    given |= {"cards": way.cards, "mat": way.mat, "profile": way.profile, "first_evening": way.first_evening}
    return rehearse_game(seed, variant, players, pace=way.pace, record=record, **given)
