"""Starts other Pythons, which never import from the current folder."""

import os
import sys


def keep_current_folder_out() -> None:
    """Keep the current folder out of the import path of every child Python, by the environment.

    Otherwise a glob.py lying there would replace Python's own. PYTHONPATH still counts. Options would not
    do, because multiprocessing passes only those of this process.
    """
    os.environ["PYTHONSAFEPATH"] = "1"


def python_command(module: str, *arguments: str) -> list[str]:
    """Command line that runs a module with this Python."""
    return [sys.executable, "-m", module, *arguments]


def companion_command(*arguments: str) -> list[str]:
    """Command line that runs this program with `arguments`.

    For example ("play", "--calm").
    """
    return python_command("companion", *arguments)
