"""The command line of Python children: they never import from the folder in which this one was started."""

import sys


def python_command(module: str, *arguments: str) -> list[str]:
    """Runs a module by this Python. `-P`: else the current folder comes first, and a glob.py that lies there
    would run in place of Python's own. PYTHONPATH counts as before."""
    return [sys.executable, "-P", "-m", module, *arguments]


def companion_command(*arguments: str) -> list[str]:
    """Runs a command of this program."""
    return python_command("companion", *arguments)
