"""Rehearsal of a game through real pixels and real bytes.

Table and session advance together, round by round, on one simulated clock.
"""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from calibration.profile import RigProfile, virtual_rig, with_rig
from companion.core.clock import ManualClock
from companion.core.config import Config
from companion.core.errors import BadInputError, SourceError
from companion.core.files import Scratch, new_private_file, write_private
from companion.fusion.explain.sign_rates import SignCount
from companion.games.registry import DEFAULT_GAME, load_game, load_virtual
from companion.games.signs import Verb
from companion.rehearse.board_comparison import Rests
from companion.rehearse.enrolled_art import enrolled
from companion.rehearse.laid_back import LaidBackSteps
from companion.rehearse.learned_home import learned_home
from companion.rehearse.outage import OutageReport
from companion.rehearse.pulled_cable import LinkReport
from companion.rehearse.table_parts import Keys, board_with, differences_seen, parts_of
from companion.rehearse.truth_comparison import Comparison, Sights, compare
from companion.rehearse.watched_session import WatchedSession, Witness
from companion.sensing.board_source import BoardSource
from companion.sensing.camera_source import watch
from companion.sensing.press_recogniser import read_book
from companion.sensing.recorder import Recorder
from companion.sensing.recording_folder import ART as ART_FILE
from companion.sensing.recording_folder import HOME as HOME_FILE
from companion.sensing.recording_folder import JOURNALS, RecordedSettings
from companion.sensing.source import Source
from companion.sensing.vision_words import in_words
from companion.session.journal.journal import Journal
from companion.virtual.card_art import ART, CORNERS, NO_MAT, PRINTED, STICKERS, Art
from companion.virtual.prompts import Screen, Wanted
from companion.virtual.rehearsal_api import RehearsedGame
from companion.virtual.virtual_table import VirtualTable
from firmware.host.link import Link
from firmware.host.messages import Message
from firmware.host.port_recording import CaptureWriter, PortRecorder
from firmware.simulator import lockstep
from firmware.simulator.virtual_board import VirtualBoard
from vision.art.art_book import book_bytes, book_of
from vision.art.art_recogniser import ArtBook
from vision.camera.frames import Image
from vision.camera.open_camera import CameraInfo, CameraStatus, Frame
from vision.camera.recorded_camera import times_bytes, times_file
from vision.mat.home import Home, home_bytes, home_of

FRAME_S = 1 / 15
"""Time (s) of one round, in which table and session advance: the time between two frames."""
PATIENCE_S = 6.0
"""Longest wait (s) of setup for an act that it asked the virtual people for."""
NOT_PRINTED = "(nothing is printed at a virtual table)"
"""Name that setup shows for its printed paper, as a rehearsal prints nothing."""
VIDEO_PX, VIDEO_EVERY = (1440, 810), 2
"""VIDEO_PX: width and height (px) of a recorded picture.

VIDEO_EVERY: only each second picture may be recorded.
"""
AFTERMATH_S, OPEN_CLAIM_S = 4.0, 12.0
"""Time (s) for which the session goes on after table and session are over: AFTERMATH_S.

OPEN_CLAIM_S replaces it if a claim has no verdict yet, as its last card may stay hidden.
"""
LONGEST_GAME_S = 7200.0
"""Default time (s) on the table's clock after which an unfinished game is stopped."""
RASHNESS = 0.15
"""Default readiness (0 to 1) of virtual players to claim without knowing.

About a third of their claims are then wrong.
"""


@dataclass(slots=True)
class GameReport:
    """Result of one rehearsed game, compared with the truth.

    `seed`, `variant`, `players`: which game it was. `comparison`: faults, claims and verdicts.
    `table_seconds`: duration (s) on the table's clock. `keys_pressed`: number of keys that people pressed at
    the companion. `cpu_seconds`: processor time (s) of the rehearsal.
    """

    seed: int
    variant: str
    players: int
    comparison: Comparison
    table_seconds: float
    keys_pressed: int
    questions: tuple[str, ...]
    """Questions that the companion asked, in words."""
    retractions: int = 0
    """Number of sentences in which the companion corrected an earlier sentence."""
    followed: bool | None = None
    """Whether all public facts, such as open cards, are right at the end; None without a world."""
    happened: int = 0
    """How often people or sensors did what is unusual in the game's world; 0 without a world."""
    judged: tuple[tuple[float, bool], ...] = ()
    """Pairs (probability stated for a verdict, 0 to 1; whether it was right); only through observations."""
    rates: dict[Verb, SignCount] = field(default_factory=dict)
    """Verb (kind of sign, such as a press) -> counts of its signs.

    Empty unless a game through observations was asked to count them.
    """
    shown_ms: tuple[float, ...] = ()
    """Time (ms) from each action's last card at rest until the sensors had reported the action.

    Empty except for a game through observations.
    """
    link: LinkReport | None = None
    """What became of the board's events and the cable's pulls; None except for a game through bytes."""
    outage: OutageReport | None = None
    """How the companion followed the game after an outage; None without an outage."""
    rests: Rests | None = None
    """Counts of rests (times without movement) and of the host's errors in them.

    None except for a game through bytes. The host is the computer that runs the engine.
    """
    cpu_seconds: float = field(default=0.0, compare=False)
    batch_ms: tuple[float, ...] = field(default=(), compare=False)
    """Processor time (ms) of the session for each batch of observations."""
    undone: int = 0
    """Number of steps that people took back by undo; only through pixels hands lay the cards back."""
    made_up: int = 0
    """Number of actions that the companion believes at the end and that never happened.

    0 except for a game through observations.
    """
    same_end: bool | None = field(default=None, compare=False)
    """Whether the game has equal faults at its end as without restarts; None without restarts."""

    @property
    def troubles(self) -> tuple[str, ...]:
        """All faults, troubles of claims, and questions ("asked: ...") in words; empty for a perfect game."""
        return (
            *self.comparison.faults,
            *self.comparison.troubles,
            *(f"asked: {text}" for text in self.questions),
        )


class SteppedCamera:
    """Virtual camera that gives the table's present picture at once.

    `table`: the virtual table that it sees. Every picture is offered to `recorder`, if there is one.
    """

    def __init__(self, table: VirtualTable, recorder: "VideoRecorder | None" = None) -> None:
        self._table = table
        self._recorder = recorder
        self.finished = False
        self.state = CameraStatus(True)
        self.info = CameraInfo(1920, 1080, 1 / FRAME_S, "virtual table")
        self.rate_hz = self.info.fps

    def read(self) -> Frame | None:
        """Return a picture of the table now; never None.

        A coloured table is drawn in colour only when needed; any other gives a grey picture.
        """
        table = self._table
        picture = Frame(table.clock.now(), ColourOnDemand(table) if table.coloured else table.grey())
        if self._recorder:
            self._recorder.look(self._table)
        return picture

    def close(self) -> None:
        """Do nothing, because the virtual camera holds nothing open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class ColourOnDemand:
    """Picture of the virtual table, coloured only when needed.

    The grey picture is drawn at once. `height`, `width`: size (px) of both.
    """

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self._grey = table.grey()
        self.height, self.width = self._grey.shape

    @cached_property
    def image(self) -> Image:
        """The picture in colour, (height, width, 3) in the order B, G, R, uint8; drawn once.

        Read it before the table moves on: it shows the table at the moment of drawing.
        """
        return self._table.frame()

    @property
    def reduced(self) -> Image:
        """The picture in grey, (height, width), uint8; in full size despite its name."""
        return self._grey


class SteppedLink:
    """Real link to a virtual board, over a real pseudo-terminal.

    Each poll waits until the board has sent everything, so that equal games read equal bytes. `clock`: the
    table's clock. `capture` records the bytes; None records nothing.
    """

    def __init__(self, board: VirtualBoard, clock: ManualClock, capture: PortRecorder | None) -> None:
        self._board = board
        self._clock = clock
        self._link = Link(board.path, clock, capture=capture)
        self.finished = False

    def poll(self) -> list[Message]:
        """Let the board work up to the present time, and return its new messages."""
        return lockstep.step(self._board, self._link, self._clock.now())

    def configure(self, setting: int, station: str | None, value: int) -> None:
        """Send a setting to the board through the real link.

        `setting`: number of the setting, one of the constants `CONF_*` of `firmware.wire.codec`. `station`:
        name of a station; None for all. `value`: in the setting's unit.
        """
        self._link.configure(setting, station, value)

    def close(self) -> None:
        """Close the port of the real link."""
        self._link.close()


class VideoRecorder:
    """Writer of a rehearsal's video, in pictures of VIDEO_PX.

    `path`: the video, a new file. Only pictures in which something changed are written. A file beside the
    video holds the time of each picture, see `vision.camera.recorded_camera.times_file`. SourceError if the
    video cannot be written.
    """

    def __init__(self, path: Path) -> None:
        import cv2

        self._shrink = partial(cv2.resize, dsize=VIDEO_PX, interpolation=cv2.INTER_AREA)
        self._path = path
        self._looks = self._seen = 0
        self._times: list[float] = []
        rate = 1 / FRAME_S / VIDEO_EVERY
        new_private_file(path).close()
        self._writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), rate, VIDEO_PX)
        if not self._writer.isOpened():
            raise SourceError("the video cannot be written", where=str(path), next_step="is the disk full?")

    def look(self, table: VirtualTable) -> None:
        """Offer the table's present picture to the video; call it once each round.

        Of each VIDEO_EVERY pictures one is considered. It is written if something changed since the last
        written one.
        """
        if self._looks % VIDEO_EVERY == 0 and table.camera.changes != self._seen:
            self._writer.write(self._shrink(table.frame()))
            self._seen = table.camera.changes
            self._times.append(self._looks * FRAME_S)
        self._looks += 1

    def close(self) -> None:
        """Finish the video; write the file with its pictures' times."""
        self._writer.release()
        write_private(times_file(self._path), times_bytes([*self._times, self._looks * FRAME_S]))


class Recording:
    """New folder with all recorded files of one game.

    The files are table.mp4 and its times, serial.cap, journal.jsonl, companion.toml and truth.jsonl.
    `companion play --config FOLDER/companion.toml` plays the recording again. BadInputError if the folder
    exists.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = new_folder(folder)
        self.video = VideoRecorder(folder / "table.mp4")
        self.capture = CaptureWriter(folder / "serial.cap")
        self.journal = Journal(folder / "journal.jsonl", sync=False)

    def write_settings(
        self,
        variant: str,
        players: int,
        tags: Mapping[str, str],
        textures: Mapping[str, Sequence[str]],
        buttons: Sequence[str] = (),
    ) -> None:
        """Write companion.toml, by which `companion play` plays the recording again.

        `variant`, `players`: the game's variant and number of players. `tags`: UID of a tag (hex) -> card.
        `textures`: kind of card -> recorded presses, as strings. `buttons`: stations with a claim button.
        """
        camera, port = json.dumps(str(self.folder / "table.mp4")), json.dumps(str(self.folder / "serial.cap"))
        lines = [
            f"variant = {json.dumps(variant)}",
            f"players = {players}",
            f"camera = {camera}",
            f"port = {port}",
            f"buttons = {json.dumps(buttons)}",
        ]
        lines += ["[tags]", *(f"{uid} = {json.dumps(card)}" for uid, card in tags.items())]
        lines += ["[textures]", *(f"{kind} = {json.dumps(presses)}" for kind, presses in textures.items())]
        write_private(self.folder / "companion.toml", ("\n".join(lines) + "\n").encode())

    def close(self) -> None:
        """Finish the files of video, serial capture and journal."""
        self.video.close()
        self.capture.close()
        self.journal.close()


def new_folder(folder: Path) -> Path:
    """Make a folder that only its owner can read, and return its path.

    Missing parent folders are made as well. BadInputError if `folder` exists or cannot be made.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700)  # what is recorded tells every hidden card
    except FileExistsError:
        raise BadInputError("exists already", where=str(folder), next_step="record into a new folder") from None
    except OSError as error:
        raise BadInputError(f"cannot be made ({error.strerror})", where=str(folder)) from None
    return folder


def rehearse_game(
    seed: int,
    variant: str,
    players: int,
    *,
    game: str = DEFAULT_GAME,
    noise: str = "clean",
    rig: str = "full",
    deal: str = "pad",
    pace: float = 1.0,
    record: Path | None = None,
    rash: float = RASHNESS,
    cards: str = STICKERS,
    mat: str = PRINTED,
    profile: str = "",
    first_evening: bool = False,
    record_as_played: Path | None = None,
    longest_s: float = LONGEST_GAME_S,
    undos: int = 0,
) -> GameReport:
    """Rehearse one game through real pixels, and perhaps real bytes.

    Bytes are real with a board. `seed`: decides cards, players and errors. `variant`: a variant of `game`.
    `players`: number of players. `noise`: name of a noise profile, which says how often sensors err. `rig`: a
    name that `parts_of` accepts. `deal`: "pad" taps each tagged card on the pad, "hand" taps none. `pace`:
    factor on people's usual times; 2 is half as fast. `rash`: how readily players claim without knowing (0 to
    1); at 1 a game is short. `cards`: STICKERS, or ART, whose style and sleeves follow from the seed. `mat`:
    PRINTED, CORNERS (its corners alone on a cloth) or NO_MAT (setup learned the place from four cards).
    `longest_s`: time (s) after which the game is stopped. `undos`: how often somebody takes the last step back,
    and hands lay the cards back.

    `profile` names a rig that `companion setup --table virtual --rig NAME` set up. Its cards and sensors are
    then on the table, and the companion knows only what setup found, pictures of cards too. With "" the
    companion knows the truth. `first_evening`: a camera alone, cards by art, four corner cards on a cloth, and
    the companion knows what its guided way finds. Then `rig`, `cards`, `mat` and `profile` are ignored.

    `record`: folder for video, serial capture, journal and ground truth, only for the full rig.
    `record_as_played`: folder for a recording like a real table's (`companion play --record`); not together
    with `record`. None records nothing. Equal arguments give equal games and reports, apart from computing
    times.
    """
    started = time.process_time()
    clock = ManualClock()
    rules = load_game(game)
    virtual: RehearsedGame = load_virtual(game)
    plan = virtual.rig(variant)
    parts, keys = parts_of("camera" if first_evening else rig), Keys(plan.stations)
    set_up, cards, mat = _set_up(rules.name, variant, seed, noise, cards, mat, profile, first_evening)
    deck = seed if set_up is None or set_up.virtual_seed is None else set_up.virtual_seed
    board = board_with(plan, parts, clock, deck, keys) if parts.board else None
    table = VirtualTable(
        deck,
        variant,
        players,
        clock=clock,
        game=game,
        noise=noise,
        pace=pace,
        rash=rash,
        board=board or keys,
        deal=deal,
        art=Art.of(deck) if cards == ART else None,
        mat=mat,
    )
    known = Config(tags=table.enrolment, textures=table.textures, buttons=plan.stations)
    if set_up is not None:
        if deck != seed:
            table.restart(seed)
        known = with_rig(Config(), set_up)
    recording = Recording(record.absolute()) if record else None
    if recording:
        recording.write_settings(variant, players, table.enrolment, table.textures, known.buttons)
    kinds, home = _seen_before(table, mat, profile, set_up) if parts.camera else (None, None)
    recorder = _recorder(record_as_played, rules, table, known, clock, kinds, home)
    sources: list[Source] = []
    if board is not None:
        link = SteppedLink(board, clock, recording.capture if recording else recorder)
        sources.append(_board_source(link, known, clock))
    if parts.camera:
        camera = SteppedCamera(table, recording.video if recording else None)
        seen = watch(rules, variant, camera, clock, known.lens, book=kinds, home=home)
        seen.recorder = recorder
        sources.append(seen)
    journal = recording.journal if recording else None
    if record_as_played is not None and recorder is not None:
        journal = Journal(record_as_played / JOURNALS / "game.jsonl", sync=False)
        recorder.game(journal.path, clock.now(), 0.0)
    screen = Screen(virtual.wanted_by)
    session = WatchedSession(
        rules,
        variant,
        players,
        clock=clock,
        journal=journal,
        witness=Witness(lambda: table.askable_facts, Random(f"{seed} answers")),
        screen=screen,
        buttons=known.buttons,
    )
    steps_back = LaidBackSteps(undos, session, table, Random(f"{seed} undos"))
    try:
        for now in _rounds(table, session, clock, longest_s):
            session.step(sources, [*keys.read(), *steps_back.commands(now)])
            table.asked = session.tracker.claim_waits
            # Nobody straightens cards here, because the camera's misses are to be measured.
            table.wanted = Wanted(screen.wanted.places)
    finally:
        for source in sources:
            source.close()
        table.close()
        if recorder is not None and journal is not None:
            recorder.close()
            journal.close()
        if recording:
            recording.close()
            table.write_truth(recording.folder / "truth.jsonl")
    log = table.truth
    return GameReport(
        seed=seed,
        variant=variant,
        players=players,
        comparison=compare(
            differences_seen(virtual, parts)(table.state, session.tracker.state),
            rules.outcome(table.state),
            Sights(rules, virtual, log.entries).event_waits(session.told),
            log.claims,
            session.verdicts,
            session.asked_spans,
        ),
        table_seconds=round(clock.now(), 3),
        keys_pressed=session.keys_pressed,
        questions=tuple(session.questions),
        retractions=session.retractions,
        cpu_seconds=time.process_time() - started,
        batch_ms=tuple(session.batch_ms),
        undone=steps_back.taken_back,
    )


def _rig_of_first_evening(game: str, variant: str, seed: int, noise: str) -> RigProfile:
    """Set up a virtual first evening: a camera, four corner cards, cards by art.

    Returns the rig profile that setup made.
    """
    # Only these rehearsals load the setup steps.
    from calibration.virtual_rig.virtual_setup import VirtualSetup
    from calibration.wizard.setup_bench import SetupBench
    from calibration.wizard.setup_run import EVENING, SetupRun

    table = VirtualSetup(game, variant, seed=seed, noise=noise, has_board=False, art=Art.of(seed), mat=CORNERS)
    bench = SetupBench(
        load_game(game), variant, table, table, table.clock, patience_s=PATIENCE_S, tick_s=FRAME_S / 2
    )
    SetupRun(bench, print_paper=lambda: NOT_PRINTED).run(EVENING)
    table.close()
    return bench.profile


def _rounds(
    table: VirtualTable, session: WatchedSession, clock: ManualClock, longest_s: float
) -> Iterator[float]:
    """Move the table on by FRAME_S a round, and yield each round's time (s).

    Ends AFTERMATH_S after table and session are over, or OPEN_CLAIM_S if a claim has no verdict yet.
    `longest_s` (s) ends an unfinished game.
    """
    until = longest_s
    while clock.now() < until and not (table.over and session.over):
        clock.sleep(FRAME_S)
        table.step(clock.now())
        yield clock.now()
        if table.over and until == longest_s:
            until = clock.now() + (OPEN_CLAIM_S if session.tracker.open_claims else AFTERMATH_S)


def _set_up(
    game: str,
    variant: str,
    seed: int,
    noise: str,
    cards: str,
    mat: str,
    profile: str,
    first_evening: bool,
) -> tuple[RigProfile | None, str, str]:
    """Run or load setup, and choose the cards and the mat of the table.

    Returns (what setup found, kind of cards, mat). The first is None without `profile` and `first_evening`.
    `game`: name of the game. Other arguments are those of `rehearse_game`.
    """
    if first_evening:
        set_up, mat = _rig_of_first_evening(game, variant, seed, noise), CORNERS
    elif profile:
        set_up = virtual_rig(profile, game, variant)
    else:
        return None, cards, mat
    return set_up, ART if set_up.art else cards, NO_MAT if set_up.home else mat


def _board_source(link: "SteppedLink", known: Config, clock: ManualClock) -> BoardSource:
    """Turn the messages of `link` into observations.

    `known`: what setup found of the board, such as its tags and scales.
    """
    book = read_book(known.textures)
    return BoardSource(
        link, known.tags, known.stations, book, known.wires, clock=clock, electrodes=known.electrodes
    )


@in_words()
def _seen_before(
    table: VirtualTable, mat: str, profile: str, set_up: RigProfile | None
) -> tuple[ArtBook | None, Home | None]:
    """What setup has learned: the cards' art, and the place of a table without a mat.

    `mat`: PRINTED, CORNERS or NO_MAT. `profile`: name of the rig, for errors. `set_up`: its profile; what it
    lacks is learned from `table`. The art is None for cards with stickers, the place for a table with a mat.
    """
    own = book_of(set_up.art, profile) if set_up is not None and set_up.art else None
    own_home = home_of(set_up.home, profile) if set_up is not None and set_up.home else None
    return own or enrolled(table), own_home or learned_home(table, mat)


def _recorder(
    folder: Path | None,
    rules: Any,
    table: VirtualTable,
    known: Config,
    clock: ManualClock,
    kinds: ArtBook | None,
    home: Home | None,
) -> Recorder | None:
    """Open a table's recorder, as `companion play --record` does.

    Returns None without a `folder`. `rules`: the game. `known`: settings of the table. `kinds`: learned art of
    its cards. `home`: learned place of the table. Both are None if not needed.
    """
    if folder is None:
        return None
    settings = RecordedSettings(
        rules.name,
        table.variant,
        table.players,
        tags=known.tags,
        textures=known.textures,
        stations=known.stations,
        wires=known.wires,
        buttons=known.buttons,
        lens=known.lens,
        art=kinds is not None,
        home=home is not None,
    )
    with Scratch("rehearsal-") as scratch:
        files = {}
        if kinds is not None:
            files[ART_FILE] = scratch.path / ART_FILE
            files[ART_FILE].write_bytes(book_bytes(kinds))
        if home is not None:
            files[HOME_FILE] = scratch.path / HOME_FILE
            files[HOME_FILE].write_bytes(home_bytes(home))
        return Recorder(folder, settings, clock, files=files, at_once=True)
