"""The wizard as lines of JSON: its state in every language, its pictures, and what a person does there."""

import base64
import io
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.rig_store import RigStore
from calibration.virtual_rig.virtual_setup import VirtualSetup
from calibration.wizard import setup_lines
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_lines import setup_by_lines
from calibration.wizard.setup_requests import ClearTable
from calibration.wizard.setup_run import CAMERA, FIND, NAMES, STATIONS, STEP_NAMES, SetupRun
from calibration.wizard.setup_walk import ScreenPerson
from companion.core.language import LANGUAGES
from companion.games.registry import give_names, load_game

GAME, VARIANT = "sleepless-princess", "5+"


class Face:
    """Another program's end of the lines."""

    def __init__(self, run: SetupRun, person: ScreenPerson) -> None:
        lines, self.typed = os.pipe()
        self.out = io.StringIO()
        self.run = run
        self.thread = threading.Thread(target=setup_by_lines, args=(run, person, lines, self.out), daemon=True)
        self.thread.start()

    def do(self, **act: str) -> None:
        os.write(self.typed, json.dumps(act).encode() + b"\n")

    def told(self, key: str) -> Any:
        """The newest line with this key."""
        lines = [json.loads(line) for line in self.out.getvalue().splitlines(keepends=True) if line[-1] == "\n"]
        return next((line[key] for line in reversed(lines) if key in line), None)

    def until(self, true: Callable[[dict[str, Any]], object], code: str = "en") -> dict[str, Any]:
        end = time.monotonic() + 60
        while True:
            state = self.told("state")
            if state is not None and true(state[code]):
                found: dict[str, Any] = state[code]
                return found
            assert time.monotonic() < end, state and state[code]
            time.sleep(0.05)

    def close(self) -> None:
        os.close(self.typed)
        self.thread.join(20)
        assert not self.thread.is_alive()


@pytest.fixture
def face(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Face]:
    camera = getattr(request, "param", False)
    table = VirtualSetup(GAME, VARIANT, seed=5, noise="clean", has_camera=camera, has_board=not camera)
    person = ScreenPerson(table)
    game = load_game(GAME)
    bench = SetupBench(game, VARIANT, table, person, table.clock, patience_s=6.0, tick_s=1 / 30)
    one = Face(SetupRun(bench, "kitchen", RigStore(tmp_path), machine=table.machine), person)
    yield one
    one.close()
    give_names(game, ())


def test_a_step_is_begun_and_its_result_told_in_every_language(face: Face) -> None:
    before = face.until(lambda state: state["chosen"] == FIND)
    assert [one["name"] for one in before["steps"]] == list(STEP_NAMES)
    assert before["big"] == "WHO IS THERE?"
    face.do(act="enter")
    after = face.until(lambda state: state["result"])
    assert after["chosen"] == NAMES, "without a camera the steps that need one are passed over"
    looks = {one["name"]: one["look"] for one in after["steps"]}
    assert (looks[FIND] != "", looks[CAMERA]) == (True, "muted")
    titles = {face.until(lambda state: state["result"], code)["title"] for code in LANGUAGES}
    assert len(titles) >= 3


def test_what_is_asked_waits_for_an_answer_and_a_step_can_be_left(face: Face) -> None:
    face.do(act="choose", name=STATIONS)
    face.until(lambda state: state["chosen"] == STATIONS)
    face.do(act="enter")
    asked = face.until(lambda state: state["asked"])
    assert asked["lines"][0] == str(ClearTable().sentence)
    face.do(act="choose", name=FIND)  # not while a step runs
    face.do(act="no")  # this request has no such answer
    face.do(act="leave")
    left = face.until(lambda state: not state["running"])
    assert "nothing of it was kept" in left["lines"][0]
    assert left["chosen"] == STATIONS


def test_a_name_is_typed_and_the_result_is_told_after_the_last_step(face: Face) -> None:
    face.do(act="choose", name=NAMES)
    face.do(act="enter")
    face.until(lambda state: state["typed"])
    face.do(act="enter", text=" Nora\x1b ")
    face.until(
        lambda state: (state["typed"] and "princess 8" in state["lines"][0].lower()) or not state["running"]
    )
    face.do(act="enter")
    face.until(lambda state: not state["running"])
    assert face.run.bench.profile.names[0] == "Nora?"
    face.do(act="choose", name=STEP_NAMES[-1])
    face.do(act="skip")
    report = face.until(lambda state: state["report"])["report"]
    assert report["says"]
    assert report["left"]


def test_lines_that_are_no_acts_are_passed_over(face: Face) -> None:
    os.write(face.typed, b'\xff\xfe\n{}\n[]\n{"act": 3}\n{"act": "fly"}\n{"act": "choose", "name": "../x"}\n\n')
    os.write(face.typed, b'{"act": "cho')
    os.write(face.typed, b'ose", "name": "texture"}\n')
    assert face.until(lambda state: state["chosen"] == "texture")


@pytest.mark.parametrize("face", [True], indirect=True)
def test_what_the_camera_sees_is_sent_as_a_small_picture(face: Face) -> None:
    face.until(lambda _state: face.told("picture"))
    data = np.frombuffer(base64.b64decode(face.told("picture")), np.uint8)
    assert len(data) < 100_000
    picture = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    assert max(picture.shape) == 640
    assert picture.std() > 5, "a table, not a grey square"


def test_raw_values_are_told_before_a_step_of_the_board_and_not_in_others(
    face: Face, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup_lines, "VALUES_S", 0.05)

    def told(state: dict[str, Any]) -> bool:
        face.run.bench.clock.sleep(0.1)
        return bool(state["values"]) and all("value -" not in one["says"] for one in state["values"])

    face.do(act="choose", name=STATIONS)
    state = face.until(told)
    assert len(state["values"]) == 18
    assert state["values"][0]["says"].startswith("bed 1, scale: value ")
    assert {one["look"] for one in state["values"]} == {""}
    german = face.until(lambda state: state["values"], "de")["values"][1]["says"]
    assert german.startswith("Bett 1, ")
    face.do(act="choose", name=NAMES)
    assert face.until(lambda state: state["chosen"] == NAMES and not state["values"])
