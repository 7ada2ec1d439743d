"""The files of the four packages, for tests that read the source."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("companion", "firmware", "vision", "calibration")
"""Folders at the root that the wheel holds."""


def modules(root: Path = ROOT) -> list[Path]:
    """All Python files of the packages, sorted by package and path."""
    return [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
