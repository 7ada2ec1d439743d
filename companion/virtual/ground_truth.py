"""Ground truth of a virtual game: each action, its time, and the true state after it."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.core.files import write_private
from companion.virtual.parameters import STARTING


class TruthEntry(msgspec.Struct, frozen=True):
    """One action of a game, and the true state after it.

    `t`: table time (s) at which everything lay still and the hands were away. `t0`: time (s) at which the
    action began; for a claim, when its button was pressed. `action`, `state`: in the notation of the rules.
    While the table is laid out, `state` hides what the dealer does not see; later it names every card.
    """

    t: float
    action: str
    state: str
    t0: float
    subject: int = 0
    """Subject of a claim, counted from 1; 0 for another action."""
    true: bool | None = None
    """Whether the claim was true; None for another action."""


@dataclass(frozen=True, slots=True)
class ClaimTruth:
    """One claim of a player, and whether it was true.

    `t`: time (s) at which its button was pressed. `subject`: what was claimed, from 1.
    """

    t: float
    subject: int
    true: bool
    meant: bool = True
    """False if nobody meant the claim, or took it back before its verdict was due.

    Then no verdict is needed; one that is given must be right all the same.
    """


class TruthLog:
    """Log of one game's true actions in order, with their claims."""

    def __init__(self) -> None:
        self.entries: list[TruthEntry] = []
        self.presses: list[ClaimTruth] = []
        """Claims that nobody meant. Files do not hold them."""
        self._taken_back: list[ClaimTruth] = []
        """Claims whose cards were laid back."""

    @property
    def claims(self) -> list[ClaimTruth]:
        """All claims of players so far, in time order.

        Those that were taken back are included.
        """
        done = [_claim(entry) for entry in self.entries if entry.true is not None]
        return sorted([*done, *self._taken_back], key=lambda claim: claim.t)

    def take_back(self, kept: int, asked_at: float) -> None:
        """Keep only the first `kept` actions; the cards of later ones were laid back.

        `asked_at`: time (s) at which somebody asked for it. Claims begun later are forgotten, as no verdict
        follows them.
        """
        gone = [entry for entry in self.entries[kept:] if entry.true is not None and entry.t0 < asked_at]
        self._taken_back += [
            _claim(entry, meant=asked_at - entry.t0 >= STARTING.verdict_due_s) for entry in gone
        ]
        del self.entries[kept:]

    def write(self, path: Path) -> None:
        """Write the log to a file that only its owner can read.

        It has one JSON object a line, and names every hidden card.
        """
        encode = msgspec.json.encode
        write_private(path, b"".join(encode(entry) + b"\n" for entry in self.entries))


def _claim(entry: TruthEntry, *, meant: bool = True) -> ClaimTruth:
    return ClaimTruth(entry.t0, entry.subject, bool(entry.true), meant)


def read_truth(path: Path) -> list[TruthEntry]:
    """Read the entries of a file that `TruthLog.write` wrote.

    msgspec.DecodeError if it is another file.
    """
    return [msgspec.json.decode(line, type=TruthEntry) for line in path.read_bytes().splitlines()]
