"""Rehearsal of a game through real pixels and real bytes.

Table and session advance together, round by round, on one simulated clock.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from calibration.profile import RigProfile, with_rig
from calibration.rig_store import virtual_rig
from companion.core.clock import ManualClock
from companion.core.config import Config
from companion.core.files import Scratch
from companion.games.registry import DEFAULT_GAME, load_game, load_virtual
from companion.rehearse.enrolled_art import enrolled
from companion.rehearse.game_recording import FRAME_S, Recording
from companion.rehearse.game_report import GameReport, not_begun
from companion.rehearse.learned_home import learned_home
from companion.rehearse.rehearsed_undos import LaidBackSteps
from companion.rehearse.stepped_devices import SteppedCamera, SteppedLink
from companion.rehearse.table_parts import Keys, board_with, differences_seen, parts_of
from companion.rehearse.truth_comparison import Sights, compare
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
from companion.virtual.companion_requests import Screen, Wanted
from companion.virtual.rehearsal_api import RehearsedGame
from companion.virtual.virtual_table import VirtualTable
from vision.art.art_book import book_bytes, book_of
from vision.art.art_recogniser import ArtBook
from vision.mat.remembered_table import Home, home_bytes, home_of

PATIENCE_S = 6.0
"""Longest wait (s) of setup for an act that it asked the virtual people for."""
NOT_PRINTED = "(nothing is printed at a virtual table)"
"""Name that setup shows for its printed paper, as a rehearsal prints nothing."""
AFTERMATH_S, OPEN_CLAIM_S = 4.0, 24.0
"""Time (s) for which the session goes on after table and session are over: AFTERMATH_S.

OPEN_CLAIM_S replaces it if a claim has no verdict yet, as its last card may stay hidden. People are asked 15 s
after such a claim, and answer within 5 s.
"""
LONGEST_GAME_S = 7200.0
"""Default time (s) on the table's clock after which an unfinished game is stopped."""
RASHNESS = 0.15
"""Default readiness (0 to 1) of virtual players to claim without knowing.

About a third of their claims are then wrong.
"""


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
    the companion knows what its guided way finds. Then `rig`, `cards`, `mat` and `profile` are ignored. A game
    whose cards were not all learned is not played: its report has that fault.

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
    if first_evening and set_up is not None and (why := _not_shown(set_up, rules, variant)):
        return not_begun(seed, variant, players, why, time.process_time() - started)
    deck = _deck(set_up, seed)
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
    if deck != seed:
        table.restart(seed)
    known = _known(table, plan.stations, set_up)
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
    journal = _journal(recording, record_as_played, recorder, clock)
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
        _close(*sources, table, recorder, journal, recording)
        if recording:
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


def _deck(set_up: RigProfile | None, seed: int) -> int:
    """Seed of the cards on the table: of the virtual table that was set up, else `seed`."""
    return seed if set_up is None or set_up.virtual_seed is None else set_up.virtual_seed


def _known(table: VirtualTable, buttons: tuple[str, ...], set_up: RigProfile | None) -> Config:
    """What the companion knows of a table: what setup found, or the truth without `set_up`."""
    if set_up is not None:
        return with_rig(Config(), set_up)
    return Config(tags=table.enrolment, textures=table.textures, buttons=buttons)


def _journal(
    recording: Recording | None, folder: Path | None, recorder: Recorder | None, clock: ManualClock
) -> Journal | None:
    """Journal of a `recording`, or of one like a real table's in `folder`. None if neither is made."""
    if recording:
        return recording.journal
    if folder is None or recorder is None:
        return None
    journal = Journal(folder / JOURNALS / "game.jsonl", sync=False)
    recorder.game(journal.path, clock.now(), 0.0)
    return journal


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


def _not_shown(set_up: RigProfile, rules: Any, variant: str) -> str:
    """Sentence on the kinds of cards that a first evening did not learn; "" if it knows all.

    `set_up`: what the guided way found. `rules`, `variant`: the game.
    """
    kinds = list(dict.fromkeys(card.kind for card in rules.cards(variant)))
    known = book_of(set_up.art, "the first evening").names if set_up.art else ()
    lacking = [kind for kind in kinds if kind not in known]
    learned = f"setup of the first evening learned {len(known)} of {len(kinds)} kinds of cards"
    return f"{learned}; not: {', '.join(lacking)}" if lacking else ""


def _close(*parts: Source | VirtualTable | Recorder | Journal | Recording | None) -> None:
    for part in parts:
        if part is not None:
            part.close()


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
