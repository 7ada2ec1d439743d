"""The camera pictures and board bytes of a recording, in the order of their times."""

from collections.abc import Iterable, Sequence
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
"""Time (s) by which a replay advances in one round. A camera takes a picture in this time."""
AFTER_S = 2.0
"""Time (s) for which a replay goes on after the last picture and byte.

The loss of a camera is noticed only later than that.
"""
_BACK_S = 0.5
"""Largest step back in time (s) between two records of a port that counts as sound. A guess."""
_BEYOND_S = 60.0
"""Time (s) before and after the games in which recorded times count as sound.

Others come from a wrong clock. A guess.
"""
_IDLE_S = 60.0
"""Longest time (s) without records that a replay passes in small steps. It skips longer ones. A guess."""
_MISSED_S = 3.0
"""Time (s) between two pictures from which a gap is reported. Usually a picture is stored every second."""


@dataclass(slots=True)
class Timeline:
    """Camera pictures (`frames`) and board bytes (`port`) of one run of the program, replayed until `end`.

    If pictures or bytes end early, both are cut there. All times are of the replay's clock (s).
    """

    frames: list[StoredFrame]
    port: Records
    end: float
    _times: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, part: Part, shift: float, journal_end: float, missing: list[str]) -> "Timeline | None":
        """Make the timeline of one run of the program; None if it has neither pictures nor bytes.

        `part`: the recorded run. `shift`: recorded time minus time of the replay's clock (s). `journal_end`:
        time (s) of the last journal line; infinite if unknown. `missing`: list to which a sentence is added
        for each gap or fault.
        """
        name = part.folder.name
        inside, port = _within(part, shift, journal_end, missing)
        ends = [*(one.t for one in inside[-1:]), *(t for t, _ in port[-1:])]
        if not ends:
            return None
        end = min(ends)
        latest = max(end if journal_end == inf else journal_end, *ends)
        pictures_end = bool(inside) and inside[-1].t == end
        missing += [*_early_end(name, end, latest, pictures_end=pictures_end), *_pauses(name, inside)]
        until = end + AFTER_S
        kept = [one for one in inside if one.t <= until]
        bytes_kept = [(t, data) for t, data in port if t <= until]
        times = sorted([*(one.t for one in kept), *(t for t, _ in bytes_kept)], reverse=True)
        return cls(kept, bytes_kept, until, times)

    def step(self, now: float) -> float:
        """Time (s) by which the replay advances after `now` (s).

        It is STEP_S, or more to skip a long time without records.
        """
        while self._times and self._times[-1] <= now:
            self._times.pop()
        quiet = (self._times[-1] if self._times else self.end) - now
        return quiet - SILENT_S if quiet > _IDLE_S else STEP_S


def _within(
    part: Part, shift: float, journal_end: float, missing: list[str]
) -> tuple[list[StoredFrame], Records]:
    """Pictures and bytes of one run at times that are possible; the arguments are those of `Timeline.of`."""
    name, last = part.folder.name, journal_end + _BEYOND_S
    begins = min((one.begins for one in part.games), default=-inf) - shift - _BEYOND_S
    frames = [_moved(one, shift) for one in part.frames]
    moved = [(t - shift, data) for t, data in part.port]
    lasted = _lasted([*(one.t for one in frames), *(t for t, _ in moved)], last)
    inside, strays = _possible(frames, begins, last, lasted, name)
    missing += strays
    port, fault = _steady(moved, begins, last, lasted)
    if fault:
        missing.append(text("{part}: the port's bytes: {fault}", part=name, fault=fault))
    return inside, port


def _moved(frame: StoredFrame, shift: float) -> StoredFrame:
    return replace(frame, t=frame.t - shift)


def _lasted(times: Iterable[float], last: float) -> float:
    """Time (s) until which a recording went on after `last`, without a break of more than _BEYOND_S.

    Nothing is noted in the journal while a table waits. Beyond that time only a wrong clock can have been.
    """
    for t in sorted(times):
        last = t if last < t <= last + _BEYOND_S else last
    return last


def _possible(
    frames: Sequence[StoredFrame], begins: float, last: float, lasted: float, part: str
) -> tuple[list[StoredFrame], list[str]]:
    """Return the frames from `begins` to `last` (s), and sentences about impossible ones.

    There is one sentence, or none if all are from `begins` to `lasted` (s). `part`: name of the run of the
    program, for it.
    """
    inside = [one for one in frames if begins <= one.t <= last]
    possible = sum(begins <= one.t <= lasted for one in frames)
    if possible == len(frames):
        return inside, []
    return inside, [
        plural(
            "{part}: {n} picture has an impossible time",
            "{part}: {n} pictures have impossible times",
            n=len(frames) - possible,
            part=part,
        )
    ]


def _steady(records: Records, begins: float, last: float, lasted: float) -> tuple[Records, str]:
    """Return the records up to `last` (s) and before the first impossible time, and a sentence about that.

    A time is impossible if it goes back, or lies before `begins` or after `lasted` (s). No sentence: "".
    """
    before = begins
    for number, (t, _) in enumerate(records):
        if last < t <= lasted:
            return records[:number], ""
        if t < before - _BACK_S or t < begins or t > lasted:
            return records[:number], text("the clock jumps in record {number}", number=number + 1)
        before = max(before, t)
    return records, ""


def _early_end(part: str, end: float, latest: float, *, pictures_end: bool) -> list[str]:
    """Sentence about pictures or bytes that end too early; empty list for none.

    They end at `end` (s), the rest of the recording at `latest` (s), more than _MISSED_S later. `part`: name of
    the run of the program. `pictures_end`: True if the pictures end early, False if the bytes do.
    """
    if latest - end <= _MISSED_S:
        return []
    early = round(latest - end)
    if pictures_end:
        pictures = text(
            "{part}: the pictures end {seconds} s before the rest, and the replay with them",
            part=part,
            seconds=early,
        )
        return [pictures]
    port = text(
        "{part}: the bytes end {seconds} s before the rest, and the replay with them", part=part, seconds=early
    )
    return [port]


def _pauses(part: str, frames: Sequence[StoredFrame]) -> list[str]:
    """Sentence about gaps of more than _MISSED_S between these pictures; empty list for none.

    `part`: name of the run of the program.
    """
    pauses = [after.t - before.t for before, after in pairwise(frames)]
    long = [pause for pause in pauses if pause > _MISSED_S]
    if not long:
        return []
    said = plural(
        "{part}: no picture for {seconds} s, in {n} gap",
        "{part}: no picture for {seconds} s, in {n} gaps",
        n=len(long),
        part=part,
        seconds=round(sum(long)),
    )
    return [said]
