"""Runs setup steps in order, saves their findings, and decides whether people can play with the rig."""

import errno
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

from calibration.profile import RigProfile, StepRecord
from calibration.rig_store import DamagedRigError, RigStore
from calibration.wizard.setup_bench import PartLostError, SetupBench
from calibration.wizard.step_result import Check, Decision, StepResult, Verdict, result_of, skipped
from calibration.wizard.steps.art_step import enrol_art
from calibration.wizard.steps.camera_step import BEND, BEND_MOST, BENT_LENS, check_camera
from calibration.wizard.steps.cards_step import read_deck
from calibration.wizard.steps.find_parts import Machine, find_parts, loss
from calibration.wizard.steps.lens_step import measure
from calibration.wizard.steps.names_step import name_characters
from calibration.wizard.steps.pairing_step import pair_cards
from calibration.wizard.steps.paper_step import lay_paper
from calibration.wizard.steps.rehearsal_step import rehearse
from calibration.wizard.steps.stations_step import check_stations
from calibration.wizard.steps.texture_step import enrol_textures
from companion.core.errors import BadInputError
from companion.core.language import in_english, text
from companion.core.system_words import READ_ONLY_FIX, system_words
from vision.camera.frames import Image

FIND, CAMERA, LENS, CARDS, ART, NAMES, TAGS, TEXTURE, STATIONS, REHEARSAL = STEP_NAMES = (
    "find",
    "camera",
    "lens",
    "cards",
    "art",
    "names",
    "tags",
    "texture",
    "stations",
    "rehearsal",
)
"""Names of the setup steps, in the order in which they are done."""
PAPER = "paper"
"""Name of the setup step with four printed corner cards.

A whole setup leaves it out, because it uses a printed mat.
"""
EVENING = (PAPER, CAMERA, ART)
"""Setup steps for a first evening with only a camera."""
TITLES: Mapping[str, str] = {
    FIND: text("What is there"),
    PAPER: text("Four corner cards"),
    CAMERA: text("Camera: aim, focus, light"),
    LENS: text("Lens, with the printed sheet"),
    CARDS: text("Cards, in rows"),
    ART: text("Printed pictures"),
    NAMES: text("Names"),
    TAGS: text("Tags: each card on the pad"),
    TEXTURE: text("Raised pictures"),
    STATIONS: text("Scales, touch, buttons"),
    REHEARSAL: text("Rehearsal of two minutes"),
}
KEEPS_PROGRESS = frozenset({ART, TAGS})
"""Setup steps whose findings are kept even if the step is left, or breaks off."""
_SEES = (LENS, CARDS, ART, TAGS)
"""Setup steps that need a camera rated good or usable."""
_LOOKS, _FEELS = frozenset({PAPER, CAMERA, *_SEES}), frozenset({TAGS, TEXTURE, STATIONS})
"""_LOOKS: setup steps that need a camera. _FEELS: setup steps that need a board."""
_STOPS = frozenset({"full disk", "not saved", "wrong verdict"})
"""Names of faults with which nobody should play."""
_SENSES = {
    CAMERA: ("camera",),
    LENS: ("camera",),
    CARDS: ("camera",),
    ART: ("camera",),
    TAGS: ("reader",),
    TEXTURE: ("texture",),
}


@dataclass(slots=True)
class SetupReport:
    """Report on a setup: the decision, and all steps' results.

    `without`: sensors and checks that do not count. `profile`: path of the saved rig, "" if nothing was saved.
    `seconds`: processor time (s), 0.0 if it was not measured.
    """

    decision: Decision
    without: tuple[str, ...]
    steps: tuple[StepResult, ...]
    profile: str = ""
    seconds: float = 0.0
    unproved: tuple[str, ...] = ()
    """Sentences on what a game cannot follow or prove, because a sensor is missing or fails."""
    left: tuple[str, ...] = ()
    """Names of steps that were never done well, although the parts for them are there."""

    @property
    def faults(self) -> tuple[str, ...]:
        """Names of all faults that were recognised, each once, in order of steps."""
        return tuple(dict.fromkeys(fault for step in self.steps for fault in step.faults))

    def plain(self) -> dict[str, Any]:
        """Report as values for JSON."""
        return {
            "verdict": str(self.decision),
            "without": self.without,
            "faults": self.faults,
            "unproved": self.unproved,
            "left": self.left,
            "steps": [msgspec.to_builtins(step, enc_hook=in_english) for step in self.steps],
            "profile": self.profile,
            "seconds": round(self.seconds, 2),
        }


@dataclass(slots=True)
class SetupRun:
    """Setup of one rig, step by step.

    Its profile is saved in `store` under `name`; without a store nothing is saved. `machine` is asked for free
    disk space; None for this computer.
    """

    bench: SetupBench
    name: str = ""
    store: RigStore | None = None
    machine: Machine | None = None
    photographs: tuple[Image, ...] = ()
    """Photographs of cards in rows, used for the step `art` in place of the rig's camera."""
    short_mm: float = 0.0
    """Short side (mm) of the first card in the first photograph; 0.0 if unknown."""
    print_paper: Callable[[], str] = str
    """Function that writes the PDF with the corner cards, and returns its path."""
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    results: dict[str, StepResult] = field(default_factory=dict)
    unsaved: OSError | None = None
    """Error because of which the profile could not be saved; None if it was saved."""
    _saved: bool = False
    _passed_over: set[str] = field(default_factory=set)
    """Names of steps that the person skipped."""

    def __post_init__(self) -> None:
        self.bench.keep = self._keep

    def run(self, names: Iterable[str] = STEP_NAMES) -> list[StepResult]:
        """Do some setup steps in order, as far as needed; return their results.

        BadInputError and StepLeftError as in `step`.
        """
        done = []
        for name in names:
            why = self.not_needed(name)
            done.append(self.note(skipped(name, why)) if why else self.step(name))
            if name == LENS and self.looks_again:
                done.append(self.step(CAMERA))
        return done

    @property
    def looks_again(self) -> bool:
        """True if the camera step must be repeated.

        The lens hid the mat then, and is measured now.
        """
        return self._lens_hid_mat and self.bench.profile.lens is not None

    @property
    def _lens_hid_mat(self) -> bool:
        camera = self.results.get(CAMERA)
        return camera is not None and BENT_LENS in camera.faults

    def not_needed(self, name: str) -> str:
        """Reason why a step that was not done yet can be left out.

        "" if it is needed.
        """
        if name == LENS and name not in self.results and LENS not in self.bench.profile.steps:
            camera = self.results.get(CAMERA)
            bends = [one.number for one in camera.checks if one.name == BEND] if camera is not None else []
            if bends and abs(bends[0] or 0.0) <= BEND_MOST:
                return text("the corners of the mat tell the lens well enough")
        read = self.results.get(CARDS)
        if (
            name == ART
            and name not in self.results
            and read is not None
            and read.verdict is not Verdict.NOT_TESTED
        ):
            return text("the cards are known by their stickers")
        return ""

    def impossible(self, name: str) -> bool:
        """True if a part that the step needs was not found."""
        found = self.results.get(FIND)
        if found is None or found.verdict is Verdict.NOT_TESTED:
            return False
        devices, board = self.bench.devices, self.bench.board.hello
        felt = {TAGS: "reader", TEXTURE: "texture"}.get(name)
        if board is not None and felt and not self.bench.stations(felt):
            return True
        return (name in _LOOKS and devices.camera is None) or (name in _FEELS and devices.link is None)

    def step(self, name: str) -> StepResult:
        """Do one setup step; return its result.

        If an earlier result shows that it cannot work, it is skipped with the reason. BadInputError for an
        unknown step, StepLeftError if the person leaves it.
        """
        if name not in (*STEP_NAMES, PAPER):
            raise BadInputError(
                text("there is no step {name}", name=repr(name)),
                where="setup",
                next_step=text("choose one of: {names}", names=(*STEP_NAMES, PAPER)),
            )
        before = self.bench.profile
        self._passed_over.discard(name)
        self.bench.begin()
        try:
            self.bench.connect()
            blind = self._failed(CAMERA) and not (name == LENS and self._lens_hid_mat)
            if name in _SEES and blind and not (name == ART and self.photographs):
                result = skipped(name, text("the camera comes first"), "companion setup camera")
            else:
                result = self._do(name)
        except PartLostError as error:
            self._go_back(name, before)
            fault = lost_fault(error.part)
            check = Check(error.part, Verdict.NOT_GOOD, None, "", error.what, error.next_step, fault)
            result = result_of(name, [check])
        except BaseException:
            self._go_back(name, before)
            raise
        finally:
            self.bench.as_wired = False
        return self.note(result)

    def answers_again(self, result: StepResult) -> bool:
        """True if a step broke off because a part was lost, and that part answers again."""
        bench = self.bench
        camera = bench.live.frame is not None and not bench.live.blind_s
        board = bench.board.hello is not None and bench.board.down is None
        return (camera and lost_fault("camera") in result.faults) or (
            board and lost_fault("board") in result.faults
        )

    def skip(self, name: str) -> None:
        """Skip a step because the person wants to.

        A result from before stays.
        """
        if name not in self.results:
            self._passed_over.add(name)
            self.note(skipped(name, text("skipped")))

    def _go_back(self, name: str, before: RigProfile) -> None:
        """Restore the rig profile from before an unfinished step.

        Steps that keep their progress are left as they are. `name`: of the step. `before`: that profile.
        """
        if name not in KEEPS_PROGRESS and self.bench.profile is not before:
            self.bench.profile = before
            self._keep(before)

    def note(self, result: StepResult) -> StepResult:
        """Keep a step's result; save and return it.

        The result is saved in the profile. Results of skipped steps are kept, but not saved. An error of saving
        becomes part of the result.
        """
        if result.verdict is not Verdict.NOT_TESTED:
            record = StepRecord(
                result.verdict, self.now().isoformat(timespec="seconds"), result.number, result.unit
            )
            self.bench.update(steps=self.bench.profile.steps | {result.name: record})
        if self.unsaved is not None and "full disk" not in result.faults:
            result = result_of(result.name, [_unsaved(self.unsaved), *result.checks])
        self.results[result.name] = result
        return result

    def _do(self, name: str) -> StepResult:
        bench = self.bench
        match name:
            case "find":
                return find_parts(bench, self.machine)
            case "paper":
                return lay_paper(bench, self.print_paper)
            case "art":
                return enrol_art(bench, self.photographs, self.short_mm)
            case "rehearsal":
                return rehearse(bench, self.failing)
            case "texture":
                return enrol_textures(bench, anew=TEXTURE in bench.profile.steps and TAGS not in self.results)
        steps: dict[str, Callable[[SetupBench], StepResult]] = {
            CAMERA: check_camera,
            LENS: measure,
            CARDS: read_deck,
            NAMES: name_characters,
            TAGS: pair_cards,
            STATIONS: check_stations,
        }
        return steps[name](bench)

    def _failed(self, name: str) -> bool:
        result = self.results.get(name)
        return result is not None and result.verdict is Verdict.NOT_GOOD

    @property
    def failing(self) -> frozenset[str]:
        """Sensors that some step rated not good."""
        senses = {sense for name, those in _SENSES.items() if self._failed(name) for sense in those}
        for check in self.results[STATIONS].checks if STATIONS in self.results else ():
            if check.verdict is Verdict.NOT_GOOD:
                senses |= {sense for word, sense in _STATION_WORDS.items() if word in check.name}
        return frozenset(senses)

    def _stops(self, results: Sequence[StepResult]) -> bool:
        """True if a fault of some step, or the rehearsal, forbids a game."""
        faults = {fault for result in results for fault in result.faults}
        return bool(faults & _STOPS) or self._failed(REHEARSAL)

    def report(self, seconds: float = 0.0) -> SetupReport:
        """Decide on the rig by all steps done so far; return the report.

        `seconds`: processor time (s) that the setup took.
        """
        results = tuple(self.results[name] for name in (PAPER, *STEP_NAMES) if name in self.results)
        bad = [result for result in results if result.verdict is Verdict.NOT_GOOD]
        left = self._left
        camera, board = self.bench.devices.camera is not None, self.bench.board.hello is not None
        sees = camera and not self._failed(CAMERA)
        decision = Decision.GO if all((camera, board, not bad, not left)) else Decision.GO_WITHOUT
        if self._stops(results) or not (sees or board):
            decision = Decision.NO_GO
        lost = () if decision is Decision.GO else self._lost(bad, sees=sees, board=board)
        path = str(self.store.folder / f"{self.name}.toml") if self.store is not None and self._saved else ""
        return SetupReport(decision, lost, results, path, seconds, self._unproved(lost), left)

    def _lost(self, bad: Sequence[StepResult], *, sees: bool, board: bool) -> tuple[str, ...]:
        """Names of parts and senses that a game has to do without, sorted.

        `bad`: results that are not good. `sees`: the camera works. `board`: a board answers.
        """
        there = {"camera": sees, "board": board, REHEARSAL: self._rehearsed}
        without = {*self.failing, *(name for name, works in there.items() if not works)}
        for result in bad:
            if result.name == REHEARSAL:
                without |= {check.name for check in result.checks if check.verdict is Verdict.NOT_GOOD}
        for name in self._left:
            without |= set(_SENSES.get(name, ()))
        return tuple(sorted(without))

    @property
    def _left(self) -> tuple[str, ...]:
        """Names of steps that are possible and needed, but were not done well.

        The step of names is never needed. The rehearsal is left unless it was done with the rig as it is now.
        """
        good = {name for name, one in self.bench.profile.steps.items() if one.verdict is not Verdict.NOT_GOOD}
        done = good | {NAMES} | (self.results.keys() - self._passed_over)
        done |= {CARDS} if ART in good else set()
        done -= set() if self._rehearsed else {REHEARSAL}
        return tuple(
            name
            for name in STEP_NAMES
            if name not in done and not self.not_needed(name) and not self.impossible(name)
        )

    @property
    def _rehearsed(self) -> bool:
        result = self.results.get(REHEARSAL)
        return result is not None and result.verdict is not Verdict.NOT_TESTED

    def _unproved(self, without: tuple[str, ...]) -> tuple[str, ...]:
        game = self.bench.game
        named = [_SENSORS.get(sense, sense) for sense in without]
        if "board" in named:  # without the board all its parts are missing
            named = [one for one in named if one in ("board", "camera", REHEARSAL)]
        lost = (UNREHEARSED if one == REHEARSAL else loss(game, one) for one in named)
        return tuple(dict.fromkeys(text("{Loss}.", loss=one) for one in lost if one))

    def _keep(self, profile: RigProfile) -> None:
        if self.store is None:
            return
        try:
            self.store.save(self.name, profile, self.now(), backup=not self._saved)
            self._saved, self.unsaved = True, None
        except OSError as error:
            self.unsaved = error


def lost_fault(part: str) -> str:
    """Name of the fault that a part (camera or board) stopped answering during a step."""
    return f"{part} lost"


def _unsaved(error: OSError) -> Check:
    """Check that says why the rig's profile could not be saved."""
    said = text("the rig cannot be saved: {why}", why=system_words(error))
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Check("disk", Verdict.NOT_GOOD, None, "", said, text("free some space"), "full disk")
    fix = READ_ONLY_FIX if error.errno == errno.EROFS else text("let companion doctor look at the folders")
    return Check("disk", Verdict.NOT_GOOD, None, "", said, fix, "not saved")


UNREHEARSED = text("no rehearsal has shown yet that all of it works together, as it is now")
_SENSORS = {"count": "scale", "texture": "pressure matrix"}
"""Capability -> the sensor's name in a game's list of losses, where the two differ."""
_STATION_WORDS = {"scale": "count", "electrode": "touch", "button": "button"}


def known(store: RigStore, name: str) -> tuple[RigProfile, str]:
    """Load the saved profile of a rig, and a sentence if its files are damaged.

    The sentence is "" otherwise. A new or damaged rig begins with an empty profile. Damaged files are kept as
    a backup.
    """
    if name not in store.names():
        return RigProfile(), ""
    try:
        return store.load(name), ""
    except DamagedRigError as error:
        if store.backups(name):
            anew = text("{error}; else it is set up anew, and the damaged file is kept in backups")
            return RigProfile(), anew.of(error=error.told)
        anew = text("{error}; it is set up anew, and the damaged file is kept in backups")
        return RigProfile(), anew.of(error=text("{where}: {what}", where=error.where, what=error.what))
