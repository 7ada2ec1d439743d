"""Packages that some commands need, and how to install them."""

import sys
from collections.abc import Mapping

NEEDED: Mapping[str, str] = {
    "aiohttp": "aiohttp>=3.11,<4",
    "paho": "paho-mqtt>=2.1,<3",
    "plotext": "plotext>=5.3,<6",
    "zeroconf": "zeroconf>=0.131,<1",
}
"""Module -> what pip installs for it: the extras `serve`, `mqtt`, `history` and `tables` of pyproject.toml."""


def install_step(module: str) -> str:
    """Command that installs a missing module.

    It names the package, because `companion` on the index is a stranger's.
    """
    return f"{sys.executable} -m pip install '{NEEDED[module]}'"
