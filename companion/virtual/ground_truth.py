"""The ground truth of a virtual game: each action, when it came to rest, and the true state after it."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.core.files import write_private

VERDICT_DUE_S = 2.5
"""VERDICT_DUE_S: longest time (s) from a claim's button to its verdict, while nobody is asked (measured at
clean tables: 1.0 to 2.5)."""


class TruthEntry(msgspec.Struct, frozen=True):
    """One action. `t` is the table time (s) at which everything lay still and the hands were away.

    Actions that lay the table out carry a state in which everything is hidden that the dealer does not see;
    after that, `state` is the true state with every card known. `t0` is the time (s) at which the action began;
    for a claim, when its button was pressed.
    """

    t: float
    action: str
    state: str
    t0: float
    subject: int = 0
    """Subject of a claim, from 1; 0 for another action."""
    true: bool | None = None
    """Whether the claim was true; None for another action."""


@dataclass(frozen=True, slots=True)
class ClaimTruth:
    """A claim about a subject, from 1, and whether it was true."""

    t: float
    subject: int
    true: bool
    meant: bool = True
    """False for a press of a button that nobody means, and for a claim that was taken back before its verdict
    was due: a verdict is not needed, but must be true."""


class TruthLog:
    """The entries of one game in order."""

    def __init__(self) -> None:
        self.entries: list[TruthEntry] = []
        self.presses: list[ClaimTruth] = []
        """Claims that nobody meant; files do not hold them."""
        self._taken_back: list[ClaimTruth] = []
        """Claims whose cards were laid back."""

    @property
    def claims(self) -> list[ClaimTruth]:
        """Every claim made so far by a player, those that were taken back too."""
        done = [_claim(entry) for entry in self.entries if entry.true is not None]
        return sorted([*done, *self._taken_back], key=lambda claim: claim.t)

    def take_back(self, kept: int, asked_at: float) -> None:
        """The cards of all actions but the first `kept` were laid back, as somebody asked at that time (s).

        Nobody judges a claim of later.
        """
        gone = [entry for entry in self.entries[kept:] if entry.true is not None and entry.t0 < asked_at]
        self._taken_back += [_claim(entry, meant=asked_at - entry.t0 >= VERDICT_DUE_S) for entry in gone]
        del self.entries[kept:]

    def write(self, path: Path) -> None:
        """Write one JSON object a line, readable by its owner alone: it contains every hidden card."""
        encode = msgspec.json.encode
        write_private(path, b"".join(encode(entry) + b"\n" for entry in self.entries))


def _claim(entry: TruthEntry, *, meant: bool = True) -> ClaimTruth:
    return ClaimTruth(entry.t0, entry.subject, bool(entry.true), meant)


def read_truth(path: Path) -> list[TruthEntry]:
    """The entries of a file that `TruthLog.write` wrote; msgspec.DecodeError if it is none."""
    return [msgspec.json.decode(line, type=TruthEntry) for line in path.read_bytes().splitlines()]
