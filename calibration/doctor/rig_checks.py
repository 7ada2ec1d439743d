"""Judges what was recorded: rig profile, setup steps, last game."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from calibration.profile import RigProfile, StepRecord
from calibration.wizard.step_result import Check, Verdict
from companion.core.errors import JournalError
from companion.core.language import listed, text
from companion.core.sensor_terms import sensor_name

AGE_GOOD_DAYS = 180.0
"""AGE_GOOD_DAYS: age (days) up to which a rig profile is good. A guess. Older ones are usable, because a game
notices drift."""
_OTHER = {
    "camera": text("another camera than at setup: {now}"),
    "board": text("another board than at setup: {now}"),
}
ALWAYS = ("lens", "rehearsal")
"""Setup steps that are listed even if they were never done."""
_NEVER = {
    "lens": text("never measured: it is estimated from the corners of the mat"),
    "rehearsal": text("never rehearsed: nothing has proved this rig yet"),
}


@dataclass(frozen=True, slots=True)
class NamedRig:
    """Rig profile and its name."""

    name: str
    profile: RigProfile


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Words that identify a device, at setup and now; "" where unknown.

    `what`: "camera" or "board".
    """

    what: str
    before: str
    now: str


def made_at(text: str) -> datetime | None:
    """Read a time in ISO 8601 from a text.

    In UTC if no zone is given; None if the text holds no time.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def rig(found: NamedRig) -> Check:
    """Report a rig profile that can be read.

    The words name its tags and scales, the number counts the setup steps done.
    """
    profile = found.profile
    tags, scales = len(profile.tags), len(profile.stations)
    said = text("{name}: tags: {tags}, scales: {scales}", name=found.name, tags=tags, scales=scales)
    return Check("rig", Verdict.GOOD, len(profile.steps), "setup steps done", said)


def age(found: NamedRig, now: datetime) -> Check:
    """Check the age of a rig profile: days from its last change to `now`."""
    made = made_at(found.profile.made)
    if made is None:
        said = text("nobody knows when it was set up")
        return Check("rig age", Verdict.USABLE, said=said, fix="companion setup", fault="old rig profile")
    days = max(0.0, (now - made).total_seconds() / 86400)
    said = text("last changed {day}", day=f"{made:%Y-%m-%d}")
    if days <= AGE_GOOD_DAYS:
        return Check("rig age", Verdict.GOOD, round(days), "days", said)
    return Check("rig age", Verdict.USABLE, round(days), "days", said, "companion setup", "old rig profile")


def steps(found: NamedRig) -> Iterator[Check]:
    """Report each setup step by its last recorded result, such as the residual of the lens."""
    records = found.profile.steps
    for name in (*records, *(one for one in ALWAYS if one not in records)):
        record = records.get(name)
        if record is None:
            yield Check(name_of(name), Verdict.NOT_TESTED, said=_NEVER[name], fix=f"companion setup {name}")
        else:
            yield _step(name, record)


def name_of(step: str) -> str:
    """Name of the check that reports a setup step."""
    return f"{step} at setup"


def _step(name: str, record: StepRecord) -> Check:
    good = record.verdict in (Verdict.GOOD, Verdict.NOT_TESTED)
    at = made_at(record.at)
    said = "" if at is None else text("on {day}", day=f"{at:%Y-%m-%d}")
    fix = "" if good else f"companion setup {name}"
    return Check(name_of(name), record.verdict, record.number, record.unit, said, fix,
                 "" if good else f"{name} step")  # fmt: skip


def identity(known: Iterable[Fingerprint]) -> Check:
    """Check that camera and board are the ones that were set up.

    NOT_TESTED if none is connected.
    """
    both = [one for one in known if one.before and one.now]
    others = [one for one in both if one.before != one.now]
    if not both:
        return Check("identity", Verdict.NOT_TESTED, said=text("no device that was set up is in reach"))
    if others:
        said = text("{told}", told=tuple(_OTHER[one.what].of(now=one.now) for one in others))
        fault = f"another {others[0].what}"
        return Check("identity", Verdict.USABLE, len(others), "changed", said, "companion setup", fault)
    said = text("as at setup: {devices}", devices=listed([sensor_name(one.what) for one in both]))
    return Check("identity", Verdict.GOOD, 0, "changed", said)


def last_game(path: Path) -> Iterator[Check]:
    """Report the sensor faults that were noticed in the last game, from its journal."""
    from companion.session.journal.journal import read_journal
    from companion.session.journal.journal_lines import Noticed

    try:
        lines = read_journal(path).lines
    except JournalError as error:
        yield Check("last game", Verdict.USABLE, said=error.what, fix=error.next_step, fault="damaged journal")
        return
    worst = {line.source: line for line in lines if isinstance(line, Noticed)}
    failing = [line for line in worst.values() if not line.ok]
    if not failing:
        yield Check(
            "last game",
            Verdict.GOOD,
            0,
            "faults",
            text("{file}: nothing was noticed of any sensor", file=path.name),
        )
    for line in failing:
        said = text("{what} (noticed in {file})", what=line.detail, file=path.name)
        yield Check(line.source, Verdict.USABLE, said=said, fix=f"companion why --game {path}", fault="sensor")
