"""The ground truth of a virtual game: what was really done, when it came to rest, what is so now."""

from dataclasses import dataclass
from pathlib import Path

import msgspec


class TruthEntry(msgspec.Struct, frozen=True):
    """One action: `t` is the table time at which everything it moved lay still with hands away.

    Setup actions (seat, lay, open) come with the state of a table on which hands and deck are hidden;
    from then on `state` is the true state, every card known. `t0` is when the action began.
    """

    t: float
    action: str
    state: str
    t0: float
    bed: int = 0
    """For a claim its bed, from 1; else 0."""
    asleep: bool | None = None
    """For a claim whether the princess really slept."""


@dataclass(frozen=True, slots=True)
class ClaimTruth:
    """A claim and what was so: bed from 1."""

    t: float
    bed: int
    asleep: bool


class TruthLog:
    """The entries of one game in order."""

    def __init__(self) -> None:
        self.entries: list[TruthEntry] = []

    @property
    def claims(self) -> list[ClaimTruth]:
        """Every claim made so far."""
        return [
            ClaimTruth(entry.t0, entry.bed, entry.asleep)
            for entry in self.entries
            if entry.asleep is not None
        ]

    def write(self, path: Path) -> None:
        """One JSON object a line."""
        encode = msgspec.json.encode
        path.write_bytes(b"".join(encode(entry) + b"\n" for entry in self.entries))


def read_truth(path: Path) -> list[TruthEntry]:
    """The entries of a file written by `TruthLog.write`; msgspec.DecodeError if it is none."""
    return [msgspec.json.decode(line, type=TruthEntry) for line in path.read_bytes().splitlines()]
