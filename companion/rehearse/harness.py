"""One rehearsed game: the virtual table and the engine's session in lock step on one clock."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from firmware.link import open_link
from vision.capture import CameraInfo, CameraStatus, Frame
from vision.tracker import Vision

from companion.clock import ManualClock
from companion.errors import SourceError
from companion.events import Claimed, Event
from companion.games.registry import load_game
from companion.journal import Journal
from companion.rehearse.compare import Comparison, compare
from companion.session import Session
from companion.sources import BoardSource, CameraSource, Source
from companion.virtual.table import VirtualTable
from vision.stickers import Tags

FRAME_S = 1 / 15
"""One round of the lock step: the time between two pictures."""
AFTERMATH_S = 4.0
"""How long the companion may go on looking after the players have finished."""
LONGEST_GAME_S = 7200.0


@dataclass(slots=True)
class GameReport:
    """What came of one rehearsed game."""

    seed: int
    variant: str
    players: int
    comparison: Comparison
    table_seconds: float
    cpu_seconds: float
    keys_pressed: int
    questions_asked: int
    tracker_ms: list[float] = field(default_factory=list)


class TableCamera:
    """The virtual table's camera, in lock step: every call gives the picture of this moment."""

    def __init__(self, table: VirtualTable, recorder: "VideoRecorder | None" = None) -> None:
        self._table = table
        self._recorder = recorder
        self.finished = False
        self.state = CameraStatus(True, "")
        self.info = CameraInfo(1920, 1080, 1 / FRAME_S)

    def read(self) -> Frame | None:
        image = self._table.frame()
        if self._recorder:
            self._recorder.write(image)
        return Frame(self._table.clock.now(), image)

    def close(self) -> None:
        """Nothing to let go."""


class VideoRecorder:
    """Writes the pictures of a rehearsal to a video file."""

    def __init__(self, path: Path) -> None:
        import cv2

        self._writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), 1 / FRAME_S, (1920, 1080))
        if not self._writer.isOpened():
            raise SourceError("the video cannot be written", where=str(path), next_step="is the disk full?")

    def write(self, image: np.ndarray) -> None:
        self._writer.write(image)

    def close(self) -> None:
        self._writer.release()


def rehearse_game(
    seed: int,
    variant: str,
    players: int,
    *,
    noise: str = "clean",
    record: Path | None = None,
    pace: float = 1.0,
) -> GameReport:
    """Play one game to its end, through real pixels and real bytes.

    `record` is a folder for video, serial capture, journal and ground truth. The same arguments give the
    same game and the same report, times of the machine apart.
    """
    started = time.process_time()
    clock = ManualClock()
    game = load_game("sleepless-princess")
    table = VirtualTable(seed=seed, variant=variant, players=players, noise=noise, clock=clock, pace=pace)
    capture = video = journal = None
    if record is not None:
        record.mkdir(parents=True, exist_ok=True)
        capture, video, journal = (
            record / "serial.cap",
            VideoRecorder(record / "table.mp4"),
            Journal(record / "journal.jsonl"),
        )
    link = open_link(table.board.path, clock, capture=capture)
    camera = CameraSource(
        TableCamera(table, video), Vision(game.mat(variant), Tags.of(game.cards(variant))), clock
    )
    sources: list[Source] = [BoardSource(link, table.enrolment), camera]
    events: list[tuple[float, Event]] = []
    session = Session(
        game,
        variant,
        players,
        clock=clock,
        publish=lambda event: events.append((clock.now(), event)),
        journal=journal,
    )
    times: list[float] = []
    until = LONGEST_GAME_S
    try:
        while clock.now() < until:
            clock.sleep(FRAME_S)
            table.step(clock.now())
            table.wait_for_bytes(link)
            session.step(sources)
            if table.over and until == LONGEST_GAME_S:
                until = clock.now() + AFTERMATH_S
    finally:
        for source in sources:
            source.close()
        table.close()
        if video:
            video.close()
        if journal:
            journal.close()
    if record is not None:
        table.write_truth(record / "truth.jsonl")
    return GameReport(
        seed,
        variant,
        players,
        compare(game, table, session.tracker, claims_of(events)),
        clock.now(),
        time.process_time() - started,
        session.keys_pressed,
        session.questions_asked,
        times,
    )


def claims_of(events: list[tuple[float, Event]]) -> list[tuple[float, Claimed]]:
    """The verdicts among the events, with the time they were published."""
    return [(t, event) for t, event in events if isinstance(event, Claimed)]


__all__: list[Any] = ["FRAME_S", "GameReport", "rehearse_game"]
