"""The name of one of several tables at one machine: as people wrote it, and as files and topics carry it."""

import os
import re
import unicodedata
import zlib

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.printable import printable

TABLE = "COMPANION_TABLE"
"""TABLE: environment variable with the name of this process's table, also for processes that it starts."""
LONGEST_NAME = 40
"""LONGEST_NAME: most letters of a table's name."""


def plain_name(given: str) -> str:
    """A name in the letters a-z, digits and `-`: one level of a path or a topic.

    Letters lose their accents. Names without any such letter stay apart by a number made of them.
    """
    plain = "".join(one for one in unicodedata.normalize("NFKD", given) if not unicodedata.combining(one))
    name = re.sub(r"[^a-z0-9]+", "-", plain.lower())[:LONGEST_NAME].strip("-")
    other = f"table-{zlib.crc32(given.encode()) % 10_000:04}" if any(map(str.isalnum, given)) else "table"
    return name or other


def shown_name(given: str) -> str:
    """A name as screens show it: in one line, at most LONGEST_NAME letters.

    A slash is a hyphen: systemd hands the instance `table-3` of a service over as `table/3`.
    """
    return " ".join(printable(given).replace("/", "-").split())[:LONGEST_NAME].strip()


def checked_name(given: str) -> str:
    """The name as it is shown; BadInputError for one without a letter or a digit."""
    if not any(map(str.isalnum, shown_name(given))):
        raise BadInputError(text("no name of a table"), where="--at", next_step=text("e.g. --at window"))
    return shown_name(given)


def own_name() -> str:
    """The name of this process's table as it is shown; empty for a machine's only table."""
    return shown_name(os.environ.get(TABLE, ""))


def own_plain_name() -> str:
    """The same in plain letters."""
    return plain_name(own_name()) if own_name() else ""
