"""Text from outside is shown letter by letter: never as markup, never as a command to the terminal."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import main
from companion.commands import run
from companion.core.board_state import BoardState
from companion.core.errors import BadInputError
from companion.core.printable import printable
from companion.dashboard.screens.position_screen import PositionScreen
from companion.dashboard.screens.truth_screen import TruthScreen, TruthView
from companion.dashboard.screens.verdict_and_score import ScoreScreen, VerdictScreen
from companion.dashboard.screens.why_screen import WhyView
from companion.session.stream.events import (
    Accepted,
    Event,
    Explained,
    Goodbye,
    Names,
    Position,
    Refused,
    SensorHealth,
    SensorView,
    Signals,
    StatementView,
    StationView,
    ZoneView,
)
from companion.session.stream.virtual_table_events import Arranged, TableState, Truth, WorldEvent
from tests.dashboard.test_dashboard_app import Desk, desk
from tests.dashboard.test_dashboard_hints import COACH
from tests.dashboard.test_dashboard_text import ASK, CLAIMED, HEARD, SAID, SCORE, TABLE, TURN, WELCOME
from tests.support.sources import ROOT, modules
from tests.support.terminal_text import strips_of

EVIL = "EVIL[/b][@click=app.bell]a[$x]\\[b] \x1b[31m\x9b2J\u202e\r\n\x07\x7f"
BOARD = BoardState("lost", "gone", 3, 1, 1, 1, ("bed 1 scale",), True, "barked")
STATE = TableState(7, 1.0, False, 2, parts=("camera", "scale"), broken=("scale",))
PUBLIC = (
    WELCOME,
    TABLE,
    SAID[0],
    SensorHealth("camera", False, "dark"),
    BOARD,
    Names(("Anna", "", "Cleo")),
    Signals(True, True),
    ASK,
    COACH,
)
"""What a screen hears at once; the rest comes in the course of the test."""
POSITION = Position(1, TABLE.places, TABLE.rows, ("off",), (StatementView("2", "gone"),))
SENSED = SensorView(0, 0, "", (ZoneView("row", ("3",)),), (StationView("pad", 1.0),))
LATER = (HEARD, CLAIMED, SCORE, POSITION, SENSED, Refused("no"), Accepted(), Goodbye("bye"))
WORLD = (STATE, TURN, Truth(("bed 1: Bats",)), Arranged(True))


def evil(value: Any, kept: tuple[str, ...] = ()) -> Any:
    """The event with every text in it hostile, but for the fields `kept`, without which a screen is empty."""
    match value:
        case str():
            return EVIL
        case tuple():
            return tuple(evil(one, kept) for one in value)
        case msgspec.Struct():
            fields = {name: getattr(value, name) for name in value.__struct_fields__ if name not in kept}
            return msgspec.structs.replace(value, **{name: evil(one, kept) for name, one in fields.items()})
    return value


def unharmed(one: Desk) -> None:
    """The screen as it would be written: printable, and nothing on it acts as the text wants."""
    for strip in strips_of(one.app):
        assert strip.text.isprintable(), repr(strip.text)
        for segment in strip:
            action = segment.style.meta.get("@click") if segment.style else None
            assert "EVIL" not in repr(action)
            assert "bell" not in repr(action)


async def shown(one: Desk) -> None:
    await one.shows("EVIL")
    unharmed(one)


def test_the_samples_hold_every_event() -> None:
    assert {type(event) for event in PUBLIC + LATER} == set(get_args(Event))
    assert {type(event) for event in WORLD} | {Refused, Goodbye} == set(get_args(WorldEvent))


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    "kept", [(), ("phase", "fate", "verdict", "options", "kind", "state")], ids=["all", "free"]
)
async def test_no_field_of_any_event_is_read_as_markup(tmp_path: Path, kept: tuple[str, ...]) -> None:
    async with desk(tmp_path, truth=True) as one:
        engine = one.engine(*(evil(event, kept) for event in PUBLIC))
        table = one.table(*(evil(event, kept) for event in WORLD))
        await one.until(lambda: one.app.model.advice and one.app.world.turn)
        await shown(one)
        for size in ((160, 48), (200, 60), (80, 24)):
            await one.pilot.resize_terminal(*size)
            await shown(one)
        one.app.model.advice = None
        one.app.view.changed()
        await shown(one)
        for action in ("log", "claim", "felt", "seat", "fault"):
            await one.app.run_action(f"app.{action}")
            await one.pilot.pause()
            unharmed(one)
            await one.press("escape")
        await one.app.run_action("app.table_is_right")
        await one.until(lambda: isinstance(one.app.screen, PositionScreen))
        for found in (POSITION, msgspec.structs.replace(POSITION, problem="no")):
            engine.server.send(evil(found, (*kept, "id")))
            await one.until(lambda: one.app.screen.position is not None)
            await shown(one)
        await one.press("escape")
        await one.app.run_action("app.truth")
        await one.until(lambda: isinstance(one.app.screen, TruthScreen))
        await shown(one)
        await one.press("v")
        for event, screen in ((CLAIMED, VerdictScreen), (SCORE, ScoreScreen)):
            engine.server.send(evil(event, kept))
            await one.until(lambda screen=screen: isinstance(one.app.screen, screen))
            await shown(one)
            await one.press("escape")
        table.server.send(evil(Refused("no")))
        await one.until(lambda: one.app.model.notice)
        await shown(one)
        engine.server.send(evil(Goodbye("bye")))
        await one.until(lambda: one.app.model.goodbye)
        one.stop(engine)
        await shown(one)


async def test_no_view_of_its_own_reads_markup(tmp_path: Path) -> None:
    async with desk(tmp_path, app=TruthView(tmp_path / "t")) as one:
        one.table(evil(WORLD[2]))
        await shown(one)
    async with desk(tmp_path, app=WhyView(tmp_path / "e")) as one:
        one.engine(evil(Explained(1, ("why", "why")), ("bed",)))
        await shown(one)


@given(st.text())
def test_printable_text_is_one_line_of_printable_letters(text: str) -> None:
    clean = printable(text)
    assert clean.isprintable()
    assert all(new in (old, " ", "?") for old, new in zip(text, clean, strict=True))
    assert printable(clean) == clean


def test_errors_are_one_line_whatever_they_name() -> None:
    error = BadInputError(EVIL, where=EVIL, next_step=EVIL)
    assert str(error).isprintable()
    assert all(text.isprintable() for text in (error.what, error.where, error.next_step))


@pytest.mark.parametrize("arguments", [["replay", f"/no/{EVIL}"], [f"--{EVIL}"], [EVIL], ["read", f"/{EVIL}"]])
def test_an_argument_reaches_the_terminal_as_letters_alone(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["companion", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert "EVIL" in said.err
    assert (said.out + said.err).replace("\n", "").isprintable()


def test_a_failing_sensor_is_told_in_letters_alone(capsys: pytest.CaptureFixture[str]) -> None:
    run.complaining(lambda: {"board": SensorHealth(EVIL, False, EVIL)}, lambda: True)()
    assert capsys.readouterr().err.rstrip("\n").isprintable()


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Every call with the last part of what is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func
            yield (name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")), node


def test_no_screen_hands_text_to_markup() -> None:
    faults = []
    for path in sorted((ROOT / "companion" / "dashboard").rglob("*.py")):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            written = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
            if written and node.attr in ("border_title", "border_subtitle", "tooltip"):
                faults.append(f"{path.name}:{node.lineno}: write_edge() writes on borders, and tells why")
        for name, call in calls(tree):
            first = ast.unparse(call.args[0]) if call.args else ""
            plain = not first or first == "''" or first.startswith("Content") or name != "Static"
            if name in ("notify", "Label", "Button") or not plain:
                faults.append(f"{path.name}:{call.lineno}: {name} reads markup; give Static a Content")
            if name == "from_markup" and first != "localized(HELP)":
                faults.append(f"{path.name}:{call.lineno}: only words of our own may be markup")
            if any(word.arg == "markup" and ast.unparse(word.value) != "False" for word in call.keywords):
                faults.append(f"{path.name}:{call.lineno}: markup=False")
    assert faults == []


def test_every_line_for_the_terminal_goes_through_say() -> None:
    """JSON goes out as it is: an encoder escapes what controls a terminal. A Pico prints plain lines."""
    faults = []
    for path in modules():
        if path.is_relative_to(ROOT / "firmware" / "board"):
            continue
        source = path.read_text()
        if not re.search(r"\b(?:echo|print|secho)\(", source):
            continue
        for name, call in calls(ast.parse(source)):
            text = ast.unparse(call.args[0]) if call.args else ""
            json = text.startswith(("json.dumps", "msgspec.json.encode", "card_line"))
            if name in ("echo", "print", "secho") and not json and path.name != "printable.py":
                faults.append(
                    f"{path.relative_to(ROOT)}:{call.lineno}: companion.core.printable.say prints lines"
                )
    assert faults == []
