"""Starts other Pythons, which never import from the current folder."""

import os
import sys


def keep_current_folder_out() -> None:
    """Keep the current folder out of the import path of all later Pythons.

    Otherwise a glob.py that lies there would replace Python's own. PYTHONPATH still counts. The environment
    says it, because multiprocessing passes on only the options of this process.
    """
    os.environ["PYTHONSAFEPATH"] = "1"


def python_command(module: str, *arguments: str) -> list[str]:
    """Command that runs a module by this Python."""
    return [sys.executable, "-m", module, *arguments]


def companion_command(*arguments: str) -> list[str]:
    """Command that runs a command of this program."""
    return python_command("companion", *arguments)
