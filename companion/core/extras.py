"""Packages that only some commands need: how to install one that is missing."""

import sys
from collections.abc import Mapping

NEEDED: Mapping[str, str] = {
    "aiohttp": "aiohttp>=3.11,<4",
    "paho": "paho-mqtt>=2.1,<3",
    "plotext": "plotext>=5.3,<6",
    "zeroconf": "zeroconf>=0.131,<1",
}
"""Module -> what pip installs: the extras `serve`, `mqtt`, `history` and `tables` of pyproject.toml."""


def install_step(module: str) -> str:
    """The command that installs it for this program. Not `companion[...]`: that is a stranger's name."""
    return f"{sys.executable} -m pip install '{NEEDED[module]}'"
