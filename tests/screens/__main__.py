"""Measure every screen in every size, theme and language, print what is wrong, and fail if anything is."""

import argparse
import asyncio
import os
import sys
import tempfile
from itertools import product
from pathlib import Path


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.screens", description=__doc__)
    parser.add_argument("--size", action="append", help="e.g. 80x24; all if not given")
    parser.add_argument("--theme", action="append")
    parser.add_argument("--language", action="append")
    parser.add_argument("--game", action="append")
    parser.add_argument("--group", action="append", help="table, replay, start, history, setup or tables")
    parser.add_argument("--only", default="", help="scenes with this in their name")
    parser.add_argument("--pictures", type=Path, help="also draw each screen as SVG into this folder")
    parser.add_argument("--console", action="store_true", help="draw them in the 16 colours of a console")
    asked = parser.parse_args()
    # Nothing of the person who runs it: no journals, no settings.
    with tempfile.TemporaryDirectory() as home:
        for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME"):
            os.environ[name] = home
        from companion.core.language import LANGUAGES
        from companion.dashboard.themes import THEMES
        from companion.games.registry import GAME_NAMES
        from tests.screens.scenes import GROUPS
        from tests.screens.sweep import SIZES, Look, sweep

        if asked.pictures:
            asked.pictures.mkdir(parents=True, exist_ok=True)
            sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
        sizes = [tuple(map(int, one.split("x"))) for one in asked.size] if asked.size else SIZES
        every = product(sizes, asked.theme or THEMES, asked.language or LANGUAGES)
        looks = [Look(*one) for one in every]
        told = sweep(
            Path(home),
            looks,
            asked.game or GAME_NAMES,
            asked.group or GROUPS,
            asked.only,
            asked.pictures,
            console=asked.console,
            hear=lambda one: print(one, flush=True),
        )
        count, found = asyncio.run(told)
    kinds = {(one.kind, one.what) for one in found}
    print(f"{count} screens, {len(found)} findings of {len(kinds)} kinds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
