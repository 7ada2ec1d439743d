"""How this program starts other Pythons: they never import from the folder in which it was started."""

import os
import sys


def keep_current_folder_out() -> None:
    """For all Pythons that this process starts from now on. Else the current folder comes first for them, and a
    glob.py that lies there would run in place of Python's own. PYTHONPATH counts as before.

    The environment says it, and no option `-P`: multiprocessing makes the command lines of its children by
    itself, with the options of this process alone.
    """
    os.environ["PYTHONSAFEPATH"] = "1"


def python_command(module: str, *arguments: str) -> list[str]:
    """Runs a module by this Python."""
    return [sys.executable, "-m", module, *arguments]


def companion_command(*arguments: str) -> list[str]:
    """Runs a command of this program."""
    return python_command("companion", *arguments)
