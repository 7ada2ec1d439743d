"""What the wheel holds: everything that a family's commands need, and no benchmarks."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]


def left_out(path: Path) -> bool:
    """Whether the wheel leaves a file out; patterns begin at the root, and match a folder with its content."""
    name = f"/{path.relative_to(ROOT).as_posix()}"
    return any(fnmatch(name, pattern) or fnmatch(name, f"{pattern}/*") for pattern in WHEEL["exclude"])


def sources() -> list[Path]:
    """All modules of the packages."""
    return [
        path for package in WHEEL["packages"] for path in sorted((ROOT / package).rglob("*.py"))
        if "node_modules" not in path.parts
    ]  # fmt: skip


def imported(path: Path) -> set[str]:
    """Modules that a file names in its imports, also within functions and in strings like `a.b:c`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value.partition(":")[0])
    return found


def test_each_pattern_leaves_something_out() -> None:
    for pattern in WHEEL["exclude"]:
        assert any(fnmatch(f"/{path.relative_to(ROOT)}", pattern) for path in ROOT.glob(pattern[1:]))


def test_no_shipped_module_but_bench_needs_one_that_is_left_out() -> None:
    names = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sources()
        if left_out(path)
    }
    assert "companion.benchmarks.vision_bench" in names
    assert "companion.games.sleepless_princess.benchmarks.rules_bench" in names
    needing = {path.name for path in sources() if not left_out(path) and imported(path) & names}
    assert needing == {"bench.py"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages as the wheel holds them."""
    folder = tmp_path_factory.mktemp("site-packages")
    for package in WHEEL["packages"]:
        shutil.copytree(
            ROOT / package,
            folder / package,
            ignore=lambda at, names: [
                name for name in names if name in ("__pycache__", "node_modules") or left_out(Path(at) / name)
            ],
        )
    return folder


def companion(installed: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """The program of that folder, run somewhere else."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "companion", *arguments],
        cwd=installed.parent,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("arguments", [(), ("vision", "--json"), ("engine",), ("--help",)])
def test_an_installed_program_says_where_the_benchmarks_are(
    installed: Path, arguments: tuple[str, ...]
) -> None:
    answer = companion(installed, "bench", *arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.splitlines() == [
        "companion: bench: the benchmarks are not part of an installed program; "
        "run it in a checkout of the source, after: make dev"
    ]


def test_an_installed_program_plays_without_the_benchmarks(installed: Path) -> None:
    way = ("--through", "observations", "--games", "1", "--players", "2", "--jobs", "1", "--json")
    played = companion(installed, "rehearse", *way)
    assert (played.returncode, '"games_matching_truth":1' in played.stdout) == (0, True), played.stderr
