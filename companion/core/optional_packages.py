"""Packages that some commands need, and how to install them."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from companion.core.errors import BadInputError
from companion.core.language import Text

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


@contextmanager
def needing(module: str, lacks: Text) -> Iterator[None]:
    """Block of imports that need `module`; BadInputError if it is not installed.

    `lacks`: the error in words; `{name}` in it becomes the name of the missing module.
    """
    try:
        yield
    except ImportError as error:
        raise BadInputError(lacks.of(name=error.name), next_step=install_step(module)) from None
