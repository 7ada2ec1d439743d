"""Drawings of rigs: they show what the board's own code claims, every wire meets its pin, nothing overlaps."""

import importlib
import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from calibration.camera_height import camera_height
from calibration.drawings.table_drawing import draw_table
from calibration.drawings.wired_parts import wired_parts
from calibration.drawings.wiring_drawing import draw_rig, recommended_rig
from companion.cli import cli
from companion.core.clock import RealClock
from companion.core.errors import BadInputError
from companion.games.registry import first_variant, load_configured
from companion.rehearse.table_parts import RIGS as RIGS_BY_NAME
from companion.rehearse.table_parts import with_parts
from firmware.flashing.flash_board import RIGS_FOLDER, read_rig
from firmware.simulator.virtual_board import VirtualBoard
from vision.mat_geometry import Mat, Zone, corner_markers

DOCS = Path(__file__).parents[2] / "docs"
PAD = json.loads(read_rig(Path("pad")))
JUDGE = json.loads(read_rig(Path("judge")))
SLOTS = {
    "spi": {"id": 0, "sck": 18, "mosi": 19, "miso": 16},
    "scales": {"sck": 11},
    "lamps": {"pin": 22},
    "stations": [
        {"name": f"slot {n}", "reader": {"chip": "pn5180", "cs": cs, "busy": busy, "reset": reset},
         "button": {"pin": button}, "count": {"dout": dout}, "lamp": n}
        for n, (cs, busy, reset, button, dout) in enumerate([(20, 9, 8, 10, 0), (17, 12, 13, 14, 1)])
    ],
}  # fmt: skip
RIGS = {"full": recommended_rig(), "pad": PAD, "judge": JUDGE, "slots": SLOTS}


class Wire(NamedTuple):
    part: str
    terminal: str
    gp: int
    points: list[tuple[int, int]]


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def wires_of(root: ElementTree.Element) -> list[Wire]:
    return [
        Wire(one.attrib["data-part"], one.attrib["data-terminal"], int(one.attrib["data-gp"]),
             [(int(x), int(y)) for x, y in re.findall(r"(-?\d+) (-?\d+)", one.attrib["d"])])
        for one in root.iter("{http://www.w3.org/2000/svg}path") if "data-gp" in one.attrib
    ]  # fmt: skip


def boxes_of(root: ElementTree.Element) -> dict[str, tuple[int, int, int, int]]:
    """Title -> left, top, right, bottom."""
    found = {}
    for one in root.iter("{http://www.w3.org/2000/svg}rect"):
        if "data-box" in one.attrib:
            x, y, w, h = (int(one.attrib[name]) for name in ("x", "y", "width", "height"))
            found[one.attrib["data-box"]] = (x, y, x + w, y + h)
    return found


def claimed_by_the_board(rig: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, set[int]]:
    """Owner -> pins, as the board's own code claims them when it builds its parts from this rig."""
    builder = importlib.import_module("firmware.board.parts.wiring")._Builder
    claims: dict[str, set[int]] = {}
    claim = builder._claim

    def noted(self: Any, who: str, *pins: int) -> None:
        claim(self, who, *pins)
        claims.setdefault(who, set()).update(pins)

    monkeypatch.setattr(builder, "_claim", noted)
    board = VirtualBoard(clock=RealClock(), seed=1, rig=rig)
    board.close()
    return claims


@pytest.mark.parametrize("name", RIGS)
def test_the_drawing_shows_the_pins_that_the_board_claims(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claims = claimed_by_the_board(RIGS[name], monkeypatch)
    assert claims
    drawn: dict[str, set[int]] = {}
    for wire in wires_of(parsed(draw_rig(RIGS[name], name))):
        drawn.setdefault(wire.part, set()).add(wire.gp)
    assert set().union(*drawn.values()) == set().union(*claims.values())
    for owner, pins in claims.items():
        of_owner = set().union(*(gps for part, gps in drawn.items() if part_of(part, owner)))
        assert pins <= of_owner, (owner, drawn)


def part_of(title: str, owner: str) -> bool:
    """Whether a drawn part belongs to what the board calls `owner`, e.g. `slot 1 reader` or `spi`."""
    buses = {"spi": "tag reader", "i2c": "MPR121", "scales": "HX711", "lamps": "WS2812", "beeper": "beeper"}
    if owner in buses:
        return buses[owner] in title
    return owner.startswith(title.split(":")[0] + " ")


def some_rigs() -> Iterator[Any]:
    """Rigs with scales, buttons and lamps at pins by chance."""
    for seed in range(25):
        chance = Random(seed)
        pins = [*range(23), 26, 27, 28]
        chance.shuffle(pins)
        stations = [
            {"name": f"place {n}", "count": {"dout": pins.pop()}, "button": {"pin": pins.pop()}, "lamp": n}
            for n in range(chance.randint(1, 7))
        ]
        yield {"scales": {"sck": pins.pop()}, "lamps": {"pin": pins.pop()}, "stations": stations}


@pytest.mark.parametrize("rig", [*RIGS.values(), *some_rigs()])
def test_wires_meet_their_pins_and_nothing_lies_on_anything(rig: Any) -> None:
    root = parsed(draw_rig(rig, "any"))
    pins = {
        one.attrib["data-pin"]: (int(one.attrib["cx"]), int(one.attrib["cy"]))
        for one in root.iter("{http://www.w3.org/2000/svg}circle") if "data-pin" in one.attrib
    }  # fmt: skip
    wires, boxes = wires_of(root), boxes_of(root)
    expected = [(part.title, one.name, one.gp) for part in wired_parts(rig) for one in part.terminals]
    assert sorted((wire.part, wire.terminal, wire.gp) for wire in wires) == sorted(expected)
    for wire in wires:
        left, top, right, bottom = boxes[wire.part]
        x, y = wire.points[0]
        assert x in (left, right)
        assert top < y < bottom
        assert wire.points[-1] == pins[f"GP{wire.gp}"]
    for one, other in combinations(boxes.values(), 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    assert all(0 < x < width and 0 < y < height for wire in wires for x, y in wire.points)
    assert all(box[2] < width and box[3] < height for box in boxes.values())
    for one, other in combinations(wires, 2):
        if one.gp != other.gp:
            assert not any(along(a, b) for a in runs(one) for b in runs(other)), (one, other)


def runs(wire: Wire) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    return ((min(a, b), max(a, b)) for a, b in zip(wire.points, wire.points[1:], strict=False) if a != b)


def along(one: tuple[tuple[int, int], tuple[int, int]], other: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    """Whether two straight runs lie on each other for some of their length."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    if ax == bx == cx == dx:
        return min(by, dy) > max(ay, cy)
    return ay == by == cy == dy and min(bx, dx) > max(ax, cx)


@pytest.mark.parametrize("name", ["full", "pad"])
def test_words_fit_into_their_boxes(name: str) -> None:
    root = parsed(draw_rig(RIGS[name], name))
    boxes = boxes_of(root)
    for one in root.iter("{http://www.w3.org/2000/svg}text"):
        x, y = int(one.attrib["x"]), int(one.attrib["y"])
        for left, top, right, bottom in boxes.values():
            if left <= x <= right and top <= y <= bottom and one.attrib.get("text-anchor") != "end":
                size = int(one.attrib.get("font-size", 12))
                wide = 0.68 if one.attrib.get("font-weight") == "bold" else 0.6
                assert x + wide * size * len(one.text or "") < right + 4, one.text


def test_each_part_says_its_supply_and_what_its_wires_need() -> None:
    notes = {part.title: " ".join(part.notes) for part in wired_parts(recommended_rig())}
    readers = [part for part in wired_parts(SLOTS) if "PN5180" in part.title]
    assert {title for title, said in notes.items() if "VBUS" in said} == {"lamps WS2812, one chain"}
    assert all("5V to VBUS" in " ".join(part.notes) for part in readers)
    wanted = {
        "lamps": ("470 uF", "74AHCT125", "330 Ohm", "GND, OE"),
        "tag reader": ("beside the strips", "20 cm"),
        "MPR121": ("4.7 kOhm", "1 kOhm", "60 cm", "50 cm"),
        "multiplexer": ("100 nF",),
        "HX711": ("22 kOhm", "1.2 m"),
        "beeper": ("220 Ohm",),
    }
    for part, words in wanted.items():
        found = [said for title, said in notes.items() if part in title]
        assert found
        assert all(word in said for said in found for word in words), (part, found)


def test_crossed_wires_are_named_by_their_true_place() -> None:
    renamed = {"count": {"bed 3": "bed 4", "bed 4": "bed 3"}}
    drawn = {wire.part: wire.gp for wire in wires_of(parsed(draw_rig(recommended_rig(), "", renamed)))
             if wire.terminal == "DT"}  # fmt: skip
    assert drawn["bed 4 (wired as bed 3): load cell with HX711"] == 8
    assert drawn["bed 1: load cell with HX711"] == 6


def test_a_rig_with_faults_is_not_drawn() -> None:
    twice = {"beeper": {"pin": 21}, "lamps": {"pin": 21}, "stations": [{"name": "a", "lamp": 0}]}
    with pytest.raises(BadInputError, match="GP21 is already used"):
        draw_rig(twice, "")
    with pytest.raises(BadInputError, match="GP25 is not on the header"):
        draw_rig({"beeper": {"pin": 25}, "stations": [{"name": "a"}]}, "")


def test_the_pictures_of_the_guide_are_those_of_today() -> None:
    game = load_configured("", {})
    mat = game.mat(first_variant(game, "basic"))
    for name, text in (
        ("wiring-full", draw_rig(recommended_rig(), "Wiring of the full rig")),
        ("wiring-pad", draw_rig(PAD, "Wiring of webcam and pad")),
        ("wiring-judge", draw_rig(JUDGE, "Wiring of the rig that judges")),
        ("table", draw_table(mat, "Camera and mat")),
    ):
        assert (DOCS / "rigs" / f"{name}.svg").read_text(encoding="utf-8") == text, "make docs"


def test_the_picture_of_a_pn5180_is_that_of_today() -> None:
    rig = json.loads(read_rig(Path("pn5180")))
    drawn = draw_rig(rig, "Wiring of a PN5180")
    assert (DOCS / "rigs" / "wiring-pn5180.svg").read_text(encoding="utf-8") == drawn, "make docs"
    assert {wire.terminal for wire in wires_of(parsed(drawn))} == {
        "SCK",
        "MOSI",
        "MISO",
        "NSS",
        "BUSY",
        "RST",
        "+",
    }
    assert "5V to VBUS" in drawn


def test_the_rig_that_judges_is_the_recommended_one_without_parts() -> None:
    assert with_parts(dict(recommended_rig()), RIGS_BY_NAME["judge"]) == JUDGE


def test_the_pad_alone_is_wired_as_in_the_recommended_rig() -> None:
    full = {part.title: part.terminals for part in wired_parts(recommended_rig())}
    assert all(full[part.title] == part.terminals for part in wired_parts(PAD))


def test_a_table_is_drawn_to_scale() -> None:
    mat = Mat("a mat", 1000, 500, corner_markers(200, 1000, 500), (Zone("<left>", 50, 50, 300, 200),))
    assert camera_height(mat, 90) == pytest.approx(1050 / 2 / 0.8716, abs=1)
    root = parsed(draw_table(mat, "A table & its mat"))
    zone = next(one for one in root.iter() if one.attrib.get("data-zone") == "<left>")
    assert float(zone.attrib["width"]) / float(zone.attrib["height"]) == pytest.approx(1.5)
    assert sum("data-marker" in one.attrib for one in root.iter()) == 4


def test_setup_draws_the_rig_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    out = tmp_path / "out.svg"
    done = CliRunner().invoke(cli, ["setup", "--drawing", str(out), "--wiring", str(RIGS_FOLDER / "pad.json")])
    assert done.exit_code == 0
    assert set(boxes_of(parsed(out.read_text(encoding="utf-8")))) == {part.title for part in wired_parts(PAD)}
    again = CliRunner().invoke(cli, ["setup", "--drawing", str(out)])
    assert "exists already" in str(again.exception)
    alone = CliRunner().invoke(cli, ["setup", "--wiring", str(RIGS_FOLDER / "pad.json")])
    assert isinstance(alone.exception, BadInputError)
