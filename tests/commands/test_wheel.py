"""The wheel, built and unpacked: packages are imported from it, commands run, no benchmark is in it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.sources import PACKAGES, ROOT, modules


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's content, as pip lays it into site-packages."""
    made = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(made)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=120,
    )
    (wheel,) = made.glob("tabletop_companion-*.whl")
    folder = tmp_path_factory.mktemp("site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def python(installed: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """A Python that finds the packages in that folder, run somewhere else."""
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=installed.parent,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_each_package_comes_from_the_installed_wheel(installed: Path) -> None:
    names = f"import {', '.join(PACKAGES)}; print(*(one.__file__ for one in ({', '.join(PACKAGES)})))"
    told = python(installed, "-c", names)
    assert told.stdout.split() == [str(installed / name / "__init__.py") for name in PACKAGES], told.stderr


def test_the_wheel_holds_every_module_and_nothing_else_at_the_top(installed: Path) -> None:
    held = {path.relative_to(installed) for package in PACKAGES for path in (installed / package).rglob("*.py")}
    assert held == {path.relative_to(ROOT) for path in modules()}
    others = {path.name for path in installed.iterdir()} - {*PACKAGES}
    assert [name.partition("-")[0] for name in others] == ["tabletop_companion"]
    for data in ("companion/languages/de.po", "companion/bridges/web/page/index.html"):
        assert (installed / data).is_file()


@pytest.mark.parametrize("arguments", [(), ("vision", "--json"), ("engine",), ("--help",)])
def test_an_installed_program_says_where_the_benchmarks_are(
    installed: Path, arguments: tuple[str, ...]
) -> None:
    answer = python(installed, "-m", "companion", "bench", *arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.splitlines() == [
        "companion: bench: the benchmarks are not part of an installed program; "
        "they are in tests/benchmarks of the source: run it in a checkout, after: make dev"
    ]


def test_an_installed_program_plays_without_the_benchmarks(installed: Path) -> None:
    way = (
        "--game",
        "sleeping-queens",
        "--through",
        "observations",
        "--games",
        "1",
        "--players",
        "2",
        "--jobs",
        "1",
        "--json",
    )
    played = python(installed, "-m", "companion", "rehearse", *way)
    assert (played.returncode, '"games_matching_truth":1' in played.stdout) == (0, True), played.stderr
