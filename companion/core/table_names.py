"""Name of one of several tables at a machine, for people, files and topics."""

import os
import re
import unicodedata
import zlib

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.printable import printable

TABLE = "COMPANION_TABLE"
"""Environment variable with the name of this process's table. Child processes inherit it."""
LONGEST_NAME = 40
"""Largest number of letters in a table's name."""


def plain_name(given: str) -> str:
    """A table's name in a-z, digits and hyphens, fit for a path or an MQTT topic.

    Accents are dropped. A name without any such letter becomes `table-` and a number made from it.
    """
    plain = "".join(one for one in unicodedata.normalize("NFKD", given) if not unicodedata.combining(one))
    name = re.sub(r"[^a-z0-9]+", "-", plain.lower())[:LONGEST_NAME].strip("-")
    other = f"table-{zlib.crc32(given.encode()) % 10_000:04}" if any(map(str.isalnum, given)) else "table"
    return name or other


def shown_name(given: str) -> str:
    """Table's name for screens: one line, at most LONGEST_NAME letters.

    A slash becomes a hyphen, because systemd passes the instance `table-3` as `table/3`.
    """
    return " ".join(printable(given).replace("/", "-").split())[:LONGEST_NAME].strip()


def checked_name(given: str) -> str:
    """A table's name as screens show it.

    BadInputError if it has no letter or digit.
    """
    if not any(map(str.isalnum, shown_name(given))):
        raise BadInputError(text("no name of a table"), where="--at", next_step=text("e.g. --at window"))
    return shown_name(given)


def own_name() -> str:
    """Name of this process's table, for people.

    "" for a machine's only table.
    """
    return shown_name(os.environ.get(TABLE, ""))


def own_plain_name() -> str:
    """Name of this process's table in a-z, digits and hyphens. "" for a machine's only table."""
    return plain_name(own_name()) if own_name() else ""
