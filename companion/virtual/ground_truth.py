"""The ground truth of a virtual game: what was really done, when it came to rest, what is so now."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.core.files import write_private


class TruthEntry(msgspec.Struct, frozen=True):
    """One action: `t` is the table time at which everything it moved lay still with hands away.

    Actions by which the table is laid out come with the state of a table on which all is hidden that the dealer
    knows; from then on `state` is the true state, every card known. `t0` is when the action began, for a claim
    when its button was pressed.
    """

    t: float
    action: str
    state: str
    t0: float
    subject: int = 0
    """For a claim its subject, from 1; else 0."""
    true: bool | None = None
    """For a claim whether it was true."""


@dataclass(frozen=True, slots=True)
class ClaimTruth:
    """A claim about a subject, from 1, and whether it was true."""

    t: float
    subject: int
    true: bool


class TruthLog:
    """The entries of one game in order."""

    def __init__(self) -> None:
        self.entries: list[TruthEntry] = []

    @property
    def claims(self) -> list[ClaimTruth]:
        """Every claim made so far."""
        return [
            ClaimTruth(entry.t0, entry.subject, entry.true) for entry in self.entries if entry.true is not None
        ]

    def write(self, path: Path) -> None:
        """One JSON object a line, for the file's owner alone: it tells every hidden card."""
        encode = msgspec.json.encode
        write_private(path, b"".join(encode(entry) + b"\n" for entry in self.entries))


def read_truth(path: Path) -> list[TruthEntry]:
    """The entries of a file written by `TruthLog.write`; msgspec.DecodeError if it is none."""
    return [msgspec.json.decode(line, type=TruthEntry) for line in path.read_bytes().splitlines()]
