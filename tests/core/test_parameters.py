"""Every number of a sensor model or a people model has its unit, its source and its words, and one name."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from companion.core.parameters import SOURCES, parameter
from companion.fusion.parameters.sign_models import SIGN_MODELS, SignModel
from companion.virtual.rig.noise_profiles import Noise

ROOT = Path(__file__).parents[2]
PLACES = (
    *sorted(ROOT.glob("companion/fusion/parameters/*.py")),
    ROOT / "companion/sensing/parameters.py",
    ROOT / "companion/virtual/parameters.py",
)
"""The modules that hold all parameters."""
NUMBERED = (
    "companion/fusion/**/*.py",
    "companion/sensing/*.py",
    "companion/virtual/*.py",
    "companion/virtual/rig/*.py",
)
"""Modules in which a number with a name must be a parameter."""
STRUCTURAL = {
    "companion/fusion/explain/sign_rates.py": {"Z"},  # of the normal distribution
    "companion/sensing/press_recogniser.py": {"SIDE"},  # size of an array
    "companion/virtual/hand_movements.py": {"GRIP"},  # place on a card
    "companion/virtual/companion_requests.py": {"_CHUNK"},  # bytes
}
"""Names of numbers that say nothing of sensors or people."""
OF_FILES_AND_SOCKETS = (
    "companion/sensing/recorded_pictures.py",
    "companion/sensing/recorder.py",
    "companion/sensing/recording_folder.py",
    "companion/virtual/mjpeg_server.py",
    "companion/virtual/table_server.py",
)
"""Modules all of whose numbers are limits of files, sockets and pictures."""


def models() -> Iterator[type]:
    """The dataclasses of PLACES, but for the rows of the table of signs."""
    for path in PLACES:
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        here = [one for one in vars(module).values() if getattr(one, "__module__", "") == module.__name__]
        yield from (one for one in here if isinstance(one, type) and is_dataclass(one) and one is not SignModel)


def refused(model: type) -> list[str]:
    """What the numbers of a model lack."""
    body = ast.parse(dedent(inspect.getsource(model))).body[0]
    assert isinstance(body, ast.ClassDef)
    described = {
        line.target.id
        for line, below in zip(body.body, body.body[1:], strict=False)
        if isinstance(line, ast.AnnAssign)
        and isinstance(line.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
    }
    found = []
    for one in fields(model):
        if one.type not in (str, bool):
            wrong = [
                what
                for what, missing in (
                    ("unit", not one.metadata.get("unit")),
                    ("source", not of_a_known_kind(one.metadata.get("source", ""))),
                    ("words", one.name not in described),
                )
                if missing
            ]
            found += [f"{model.__name__}.{one.name}: no {what}" for what in wrong]
    return found


def of_a_known_kind(source: str) -> bool:
    """Whether a source begins with one of SOURCES; what is counted says how many, or which bench counts."""
    kind, _, more = source.partition(": ")
    return kind in SOURCES and (kind != "counted" or any(map(str.isdigit, more)) or "bench" in more)


def numbers(text: str) -> Iterator[str]:
    """Names of the constants of a module that are numbers, or tuples of numbers."""
    for line in ast.parse(text).body:
        if isinstance(line, ast.Assign | ast.AnnAssign) and line.value is not None and is_number(line.value):
            for target in line.targets if isinstance(line, ast.Assign) else (line.target,):
                yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def is_number(value: ast.expr) -> bool:
    """Whether an expression has a number in it and gives one, or a tuple of them."""
    match value:
        case ast.Constant(value=int() | float() as number):
            return not isinstance(number, bool)
        case ast.UnaryOp(operand=one):
            return is_number(one)
        case ast.BinOp(left=one, right=other):
            return is_number(one) or is_number(other)
        case ast.Tuple(elts=several):
            return bool(several) and all(map(is_number, several))
        case ast.Call(func=ast.Name(id="log" | "exp" | "sqrt" | "radians"), args=several):
            return any(map(is_number, several))
    return False


def test_every_parameter_has_unit_source_and_words() -> None:
    assert [wrong for model in (*models(), Noise) for wrong in refused(model)] == []
    assert sum(len(fields(model)) for model in models()) > 300


def test_a_parameter_without_unit_source_or_words_is_refused() -> None:
    @dataclass(frozen=True)
    class Model:
        plain: float = 1.0
        unitless: float = parameter(1.0, unit="", source="guess")
        """A number."""
        sourceless: float = parameter(1.0, unit="s", source="")
        """A number."""
        rumoured: float = parameter(1.0, unit="s", source="somebody said so")
        """A number."""
        uncounted: float = parameter(1.0, unit="s", source="counted: often")
        """A number."""
        wordless: float = parameter(1.0, unit="s", source="data sheet: HX711")
        good: tuple[float, float] = parameter((1.0, 2.0), unit="s", source="counted: 3 of 4")
        """A number."""

    assert refused(Model) == [
        *(f"Model.plain: no {what}" for what in ("unit", "source", "words")),
        "Model.unitless: no unit",
        *(f"Model.{name}: no source" for name in ("sourceless", "rumoured", "uncounted")),
        "Model.wordless: no words",
    ]


def test_every_sign_has_the_source_of_its_rates() -> None:
    assert [verb for verb, model in SIGN_MODELS.items() if not of_a_known_kind(model.source)] == []


def test_parameters_of_one_name_have_one_value() -> None:
    values: dict[str, set[Any]] = {}
    for model in models():
        for one in fields(model):
            values.setdefault(one.name, set()).add(one.default)
    assert {name: several for name, several in values.items() if len(several) > 1} == {}


def test_a_number_with_a_name_is_a_parameter() -> None:
    found = {}
    for path in sorted(one for pattern in NUMBERED for one in ROOT.glob(pattern)):
        name = path.relative_to(ROOT).as_posix()
        if path not in PLACES and name not in OF_FILES_AND_SOCKETS:
            found[name] = {*numbers(path.read_text(encoding="utf-8"))}
    assert {name: several for name, several in found.items() if several} == STRUCTURAL


def test_numbers_are_found_in_every_form() -> None:
    text = "A = 1.5\nB, C = -log(0.2), 3\nD: float = 1 / 15\nE = (0.1, (2, 3))\nF = 1 << 20\n"
    assert [*numbers(text)] == ["A", "B", "C", "D", "E", "F"]
    assert [*numbers('A = "1"\nB = True\nC = MODEL.half_s\nD = max(x for x in y)\nE = (Verb.PRESS, 1)\n')] == []
