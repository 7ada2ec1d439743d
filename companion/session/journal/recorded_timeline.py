"""The frames and bytes of a recording, cut where both are sound, and the pace of their replay."""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf

from companion.core.language import plural, text
from companion.sensing.recording_folder import (
    Part,
    StoredFrame,
)
from companion.session.journal.recorded_board import SILENT_S
from firmware.host.port_recording import Records

STEP_S = 1 / 15
"""Length of a round (s), the time between two frames."""
AFTER_S = 2.0
"""Time (s) that passes after the last frame and byte. A lost camera takes longer to be noticed."""
_BACK_S = 0.5
"""Largest backward step (s) of a sound clock. A guess."""
_BEYOND_S = 60.0
"""Time (s) before and after a part's games with sound records. Records outside have a wrong clock. A guess."""
_IDLE_S = 60.0
"""Time (s) without records that the replay's clock skips. A guess."""
_MISSED_S = 3.0
"""Gap (s) between frames that is reported; normal is 1 s."""


@dataclass(slots=True)
class Timeline:
    """Frames and bytes of a part until `end` (s).

    Both are cut at the earlier end. All times are of the replay's clock.
    """

    frames: list[StoredFrame]
    port: Records
    end: float
    _times: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, part: Part, shift: float, journal_end: float, missing: list[str]) -> "Timeline | None":
        """Make a part's timeline; None if nothing can be replayed.

        `shift`: recorded time minus replay's clock (s). `journal_end`: time (s) of the last journal line.
        `missing` gets a sentence for each fault.
        """
        name, last = part.folder.name, journal_end + _BEYOND_S
        begins = min((one.begins for one in part.games), default=-inf) - shift - _BEYOND_S
        frames = [_moved(one, shift) for one in part.frames]
        inside = [one for one in frames if begins <= one.t <= last]
        if len(inside) < len(frames):
            missing.append(
                plural(
                    "{part}: {n} picture has an impossible time",
                    "{part}: {n} pictures have impossible times",
                    n=len(frames) - len(inside),
                    part=name,
                )
            )
        port, fault = _steady([(t - shift, data) for t, data in part.port], begins, last)
        if fault:
            missing.append(text("{part}: the port's bytes: {fault}", part=name, fault=fault))
        ends = [side for side in ([one.t for one in inside][-1:], [t for t, _ in port][-1:]) if side]
        if not ends:
            return None
        end = min(one[0] for one in ends)
        latest = max(journal_end if journal_end < inf else end, *(one[0] for one in ends))
        if latest - end > _MISSED_S:
            early = round(latest - end)
            pictures_end = bool(inside) and inside[-1].t == end
            missing.append(
                text(
                    "{part}: the pictures end {seconds} s before the rest, and the replay with them",
                    part=name,
                    seconds=early,
                )
                if pictures_end
                else text(
                    "{part}: the bytes end {seconds} s before the rest, and the replay with them",
                    part=name,
                    seconds=early,
                )
            )
        gaps = [(before.t, after.t) for before, after in pairwise(inside) if after.t - before.t > _MISSED_S]
        if gaps:
            missing.append(
                plural(
                    "{part}: no picture for {seconds} s, in {n} gap",
                    "{part}: no picture for {seconds} s, in {n} gaps",
                    n=len(gaps),
                    part=name,
                    seconds=round(sum(after - before for before, after in gaps)),
                )
            )
        kept = [one for one in inside if one.t <= end + AFTER_S]
        bytes_kept = [(t, data) for t, data in port if t <= end + AFTER_S]
        times = sorted([one.t for one in kept] + [t for t, _ in bytes_kept], reverse=True)
        return cls(kept, bytes_kept, end + AFTER_S, times)

    def step(self, now: float) -> float:
        """Length of the next round (s): STEP_S, or more where nothing was recorded."""
        while self._times and self._times[-1] <= now:
            self._times.pop()
        quiet = (self._times[-1] if self._times else self.end) - now
        return quiet - SILENT_S if quiet > _IDLE_S else STEP_S


def _moved(frame: StoredFrame, shift: float) -> StoredFrame:
    return replace(frame, t=frame.t - shift)


def _steady(records: Records, begins: float, last: float) -> tuple[Records, str]:
    """The records up to the first clock jump, and a sentence about the jump.

    The sentence is empty without a jump. A time before `begins` or after `last` (s) is a jump, too.
    """
    before = begins
    for number, (t, _) in enumerate(records):
        if t < before - _BACK_S or t < begins or t > last:
            return records[:number], text("the clock jumps in record {number}", number=number + 1)
        before = max(before, t)
    return records, ""
