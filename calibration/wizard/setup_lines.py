"""Setup wizard for another program: its state and a person's acts as lines of JSON.

Each line out is an object: `state` has the page in every language, `picture` the view of a sensor (JPEG in
base64). Each line in is an `Act`.
"""

import base64
import contextlib
import json
import os
import queue
import select
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TextIO

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.doctor.check_words import VERDICTS, measured
from calibration.watch.live_values import Reading
from calibration.watch.value_lines import line
from calibration.wizard.screens.report_screen import MARKS, decision_words
from calibration.wizard.screens.step_pages import PAGES
from calibration.wizard.setup_run import FIND, STATIONS, STEP_NAMES, TEXTURE, TITLES, SetupRun
from calibration.wizard.setup_walk import ScreenPerson, SetupWalk
from calibration.wizard.step_result import StepResult
from companion.core.language import LANGUAGES, localized, speaking, text, tr
from companion.core.printable import printable
from companion.core.sensor_terms import place_name

LOOK_S, PICTURE_S = 0.1, 0.5
"""LOOK_S: time (s) between two looks at acts and sensors.

PICTURE_S: least time (s) between two sent pictures. Guesses.
"""
VALUES_S, WATCHED = 1.0, (FIND, STATIONS)
"""VALUES_S: time (s) between two readings of all sensors, a guess. WATCHED: steps before whose beginning
these readings are shown."""
PICTURE_PX, QUALITY = 640, 70
"""PICTURE_PX: longest side (px) of a sent picture. QUALITY: JPEG quality of the picture. Guesses."""
LONGEST_TEXT = 40
"""Longest text (letters) that a person may type, as on the wizard's own screens."""
_FOUND, _READ = (255, 200, 90), (120, 255, 120)
"""Colours (blue, green, red) of outlines: of things found on the mat, and of cards whose sticker was read."""
PRACTICE = text("This is a practice on a virtual rig: nothing is kept.")


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Person's act at the other program, read from a line.

    `act`: "enter" (with the typed `text`), "no", "skip", "leave", or "choose" (the step `name`).
    """

    act: str
    text: str = ""
    name: str = ""


def setup_by_lines(run: SetupRun, person: ScreenPerson, lines: int, out: TextIO) -> None:
    """Run the setup for another program.

    That program shows it to a person. It ends with the setup or the input. States and pictures are written to
    `out`. Acts are read from the file descriptor `lines`.
    """
    due: queue.Queue[Callable[[], None]] = queue.Queue()
    over = False

    def moved(last: bool) -> None:
        nonlocal over
        over = last

    walk = SetupWalk(run, person, due.put, moved)
    shown, seen, pictured, read = "", b"", 0.0, 0.0
    readings: list[Reading] = []
    try:
        for acts in _acts(lines):
            for act in acts:
                over = False
                _do(walk, act)
            with contextlib.suppress(queue.Empty):
                while True:
                    due.get_nowait()()
            watched = not walk.running and walk.chosen in WATCHED
            if not walk.running:
                (run.bench.watch if watched else run.bench.idle)()
            if not watched or time.monotonic() - read >= VALUES_S:
                readings = run.bench.values.readings(run.bench.clock.now()) if watched else []
                read = time.monotonic()
            state = _line({"state": state_of(walk, over=over, readings=readings)})
            if state != shown:
                shown = state
                out.write(state)
            if time.monotonic() - pictured >= PICTURE_S and (picture := picture_of(walk)) != seen:
                seen, pictured = picture, time.monotonic()
                out.write(_line({"picture": base64.b64encode(picture).decode()}))
            out.flush()
    except BrokenPipeError:
        pass  # the program that looked has gone
    finally:
        walk.end()


def _acts(lines: int) -> Iterator[list[Act]]:
    """Read acts of the person: at each step of the iterator, those that came meanwhile.

    `lines`: file descriptor. The iterator waits at most 0.1 s. It ends with the input. Lines that are no act
    are ignored.
    """
    rest = b""
    while True:
        acts = []
        if select.select([lines], [], [], LOOK_S)[0]:
            data = os.read(lines, 1 << 16)
            if not data:
                return
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError):
                    acts.append(msgspec.json.decode(line, type=Act))
        yield acts


def _do(walk: SetupWalk, act: Act) -> None:
    match act.act:
        case "enter":
            walk.go_on(printable(act.text[:LONGEST_TEXT]).strip())
        case "no" if walk.person.request is not None and walk.person.request.no:
            walk.say_no()
        case "skip":
            walk.skip()
        case "leave":
            walk.leave()
        case "choose" if act.name in STEP_NAMES and not walk.running:
            walk.chosen, walk.said = act.name, ""


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def state_of(walk: SetupWalk, *, over: bool = False, readings: Sequence[Reading] = ()) -> dict[str, Any]:
    """State of the wizard for JSON: language -> everything that a screen shows.

    `over`: the report is due. `readings`: raw values of the sensors.
    """
    found = {}
    for code in LANGUAGES:
        with speaking(code):
            found[code] = _state(walk, over=over) | {"values": [_value(one) for one in readings]}
    return found


def _before_start(walk: SetupWalk) -> list[str]:
    """Lines on the screen until the chosen step begins."""
    if walk.running or walk.said:
        return []
    practice = [localized(PRACTICE)] if walk.run.store is None else []
    return [tr("Takes {time}.", time=PAGES[walk.chosen].takes), *practice]


def _weights(weights: Mapping[str, float]) -> list[dict[str, str]]:
    """What each scale shows. `weights`: place -> grams."""
    return [
        {"place": localized(place_name(name)), "grams": f"{round(grams)} g"}
        for name, grams in sorted(weights.items())
    ]


def _state(walk: SetupWalk, *, over: bool) -> dict[str, Any]:
    run, request = walk.run, walk.person.request
    big, said = walk.headline()
    result = walk.result()
    live = run.bench.live
    felt = tuple(map(place_name, sorted(live.fingers)))
    return {
        "steps": [
            {"name": name, "says": localized(TITLES[name]), "look": _look(walk, name)} for name in STEP_NAMES
        ],
        "chosen": walk.running or walk.chosen,
        "title": localized(TITLES[walk.running or walk.chosen]),
        "running": bool(walk.running),
        "done": walk.chosen in run.results,
        "asked": request is not None,
        "typed": request is not None and request.typed,
        "question": request is not None and request.question,
        "no": localized(request.no) if request is not None and request.no else "",
        "big": localized(big),
        "lines": [*(localized(one) for one in said if one), *_before_start(walk)],
        "result": _result(result) if result is not None else None,
        "report": _report(run) if over else None,
        "weights": _weights(live.weights),
        "felt": tr("felt: {places}", places=felt) if felt else "",
        "blind": _blind(walk),
    }


def _value(one: Reading) -> dict[str, str]:
    return {"says": line(one), "look": "bad" if one.fault else ""}


def _look(walk: SetupWalk, name: str) -> str:
    """Name of the colour of a step in the list of steps.

    "good", "warn", "bad", "muted", or "" if it was not done yet.
    """
    result = walk.run.results.get(name)
    if result is not None:
        return MARKS[result.verdict][1]
    return "muted" if walk.spare(name) else ""


def _result(result: StepResult) -> dict[str, Any]:
    fixes = [{"said": localized(one.said), "fix": localized(one.fix)} for one in result.checks if one.fix]
    alone = not fixes and result.said
    number = measured(result.number, result.unit)
    words = f"{localized(TITLES[result.name])}: {localized(VERDICTS[result.verdict])}"
    return {
        "look": MARKS[result.verdict][1],
        "says": f"{words} ({number})" if number else words,
        "fixes": [{"said": localized(result.said), "fix": localized(result.fix)}] if alone else fixes,
    }


def _report(run: SetupRun) -> dict[str, Any]:
    report = run.report()
    return {
        "says": localized(decision_words(report)),
        "left": [localized(TITLES[name]) for name in report.left],
        "unproved": [localized(one) for one in report.unproved],
    }


def _blind(walk: SetupWalk) -> str:
    """Sentence on how long no picture has come.

    "" while pictures come, or without a camera.
    """
    blind_s = walk.run.bench.live.blind_s
    return tr("no picture for {seconds} s", seconds=f"{blind_s:.0f}") if blind_s else ""


def picture_of(walk: SetupWalk) -> bytes:
    """Picture of the sensor that a step uses, as JPEG.

    b"" if there is none, or it is old.
    """
    live = walk.run.bench.live
    if (walk.running or walk.chosen) == TEXTURE:
        pressed = np.frombuffer(live.pressed, np.uint8).reshape(16, 16)
        return _jpeg(np.asarray(np.kron(pressed, np.ones((20, 20), np.uint8)), np.uint8))
    if live.frame is None or live.blind_s:
        return b""
    gray = live.frame.gray
    scale = min(1.0, PICTURE_PX / max(gray.shape))
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    drawn = np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR), np.uint8)
    for mark in live.marks:
        points = np.round(np.asarray(mark.outline, np.float64) * scale).astype(np.int32)
        cv2.polylines(drawn, [points.reshape(-1, 1, 2)], True, _READ if mark.read else _FOUND, 2)
    return _jpeg(drawn)


def _jpeg(picture: NDArray[np.uint8]) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
