"""Judges a board's answers: greeting, program, line, stations, warnings."""

from collections.abc import Iterable, Sequence

from calibration.doctor.check_words import part_called
from calibration.wizard.step_result import Check, Verdict, rate
from companion.core.language import text
from companion.sensing.board_check import BoardReport, StationReport

TRIP_GOOD_MS, TRIP_USABLE_MS = 50.0, 250.0
"""Longest round trips (ms) of messages to the board over USB at which the line is good, or usable. Guesses. A
retransmission starts after 100 ms."""
_STATION_FIX = text("check its wires against docs/build-guide.md, and the pins in the rig file")
_FAULTY = (
    "no answer",
    "broken wire",
    "reversed",
    "on ground",
    "open",
    "too large",
    "touched, or",
    "out of range",
)
"""Words by which the board's self-test reports a faulty load cell or electrode."""
_TEST_FIX = text("check the part that its test names; nothing should lie or press there")


def board(report: BoardReport) -> Check:
    """Report a board that greets: port, identity and protocol version."""
    said = text(
        "{port}: board {id}, protocol {protocol}",
        port=report.port,
        id=report.board_id,
        protocol=report.protocol,
    )
    return Check("board", Verdict.GOOD, len(report.stations), "stations", said)


def firmware(report: BoardReport) -> Check:
    """Check that the board runs the code of this program, by their hashes."""
    version, code = report.firmware, report.code
    if report.same_code:
        said = text("{version}, code {code}, the same as this program's", version=version, code=code)
        return Check("firmware", Verdict.GOOD, said=said)
    said = text("{version}, code {code}, not this program's", version=version, code=code)
    return Check("firmware", Verdict.NOT_GOOD, said=said, fix="companion flash", fault="old firmware")


def link(report: BoardReport) -> Check:
    """Check the serial line to the board.

    By its longest round trip, damaged frames, and frames sent again. NOT_TESTED if the port is a recording,
    which has no round trip.
    """
    counts = text("damaged frames: {bad}, sent again: {again}", bad=report.bad_frames, again=report.resends)
    if not report.rtt_ms:
        return Check(
            "link", Verdict.NOT_TESTED, said=text("no round trip: a recording; {counts}", counts=counts)
        )
    trip = max(report.rtt_ms)
    level = rate(trip, TRIP_GOOD_MS, TRIP_USABLE_MS)
    if level is Verdict.GOOD and not report.bad_frames:
        return Check("link", level, trip, "ms round trip", counts)
    level = Verdict.USABLE if level is Verdict.GOOD else level
    fix = text("another USB cable, without a hub")
    return Check("link", level, trip, "ms round trip", counts, fix, "bad cable")


def stations(report: BoardReport) -> Iterable[Check]:
    """Check each station by its self-test, then report each warning of the board."""
    yield from (_station(station, report.stations) for station in report.stations)
    for line in report.said:
        yield Check("board's log", Verdict.USABLE, said=line, fix=text("see docs/board.md"), fault="warning")


def _station(station: StationReport, all_of_them: Sequence[StationReport]) -> Check:
    parts: str = text("{parts}", parts=tuple(map(part_called, station.parts)))
    working = len(station.parts) - len(station.missing)
    if station.missing:
        gone: str = text(
            "no answer from {missing} (of {parts})",
            missing=tuple(map(part_called, station.missing)),
            parts=parts,
        )
        gone = _tested(gone, station.selftest)
        fault = f"dead {', '.join(station.missing)}"
        return Check(station.name, Verdict.NOT_GOOD, working, "parts", gone, _STATION_FIX, fault)
    if not station.ok and not _by_another(station, all_of_them):
        return Check(
            station.name,
            Verdict.NOT_GOOD,
            working,
            "parts",
            _tested(parts, station.selftest),
            _TEST_FIX,
            "failed test",
        )
    return Check(station.name, Verdict.GOOD, working, "parts", _tested(parts, station.selftest))


def _tested(parts: str, result: str) -> str:
    """Text "PARTS: RESULT" on a station's self-test; PARTS alone if `result` is empty.

    `parts`: names of the station's parts. `result`: the board's words.
    """
    return text("{parts}: {result}", parts=parts, result=result) if result else parts


def _by_another(station: StationReport, all_of_them: Sequence[StationReport]) -> bool:
    """True if a station's self-test failed only because of another, faulty station.

    Both share a part. Its test names the stations whose load cell or electrode is faulty.
    """
    faulty = {
        one.name for one in all_of_them if any(f"{one.name} {words}" in station.selftest for words in _FAULTY)
    }
    return bool(faulty) and station.name not in faulty
