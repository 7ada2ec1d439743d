"""Replays of a journal: its actions, its observations, or its observations with a damaged sensor."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.clock import ManualClock
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.claims import Verdict
from companion.games.registry import check_table, load_game
from companion.games.table_game import TableGame
from companion.session.journal.fault_injection import DAMAGES, damaged, sensors_in
from companion.session.journal.journal import Recorded, read_journal
from companion.session.journal.journal_fold import fold
from companion.session.journal.journal_lines import Line, Observed, Opened
from companion.session.journal.reading_effort import ReadingEffort
from companion.session.recovery import Recovery
from companion.session.stream.events import Claimed, Event
from companion.session.time_grid import QUIET_S

if TYPE_CHECKING:
    from companion.session.session import Session

ROUND_S = 0.25
"""Time (s) between two calls of a session that bring no observation, in a replay."""
Along = Callable[[Sequence[Line]], Iterable[Line]]
"""Type of a function that yields journal lines one by one, e.g. to show progress."""
OWN_TRUTH = "truth.jsonl"
"""Name of the file beside a recording that says which of its claims were true."""
LAST_S = 4.0
"""Time (s) that passes in a replay after its last observation, so that open claims are answered. A guess."""


def _hear_nothing(_t: float, _event: Event) -> None:
    """Nobody listens."""


class TrueClaim(msgspec.Struct, frozen=True):
    """Line of the file truth.jsonl: whether a claim was true.

    `subject`: the claimed place, from 1. `true`: None if the line is about something else.
    """

    subject: int = 0
    true: bool | None = None


def replay_journal(path: Path, along: Along = iter) -> dict[str, Any]:
    """Replay a journal twice, by its actions and by its observations, and compare the final states.

    Returns JSON-ready values: `final_state` by actions, `replayed_state` by observations, and `matches`, True
    if both are equal. `along`: yields the lines one by one, e.g. to show progress. JournalError if the file
    cannot be read.
    """
    recorded = read_journal(path)
    game = game_of(recorded.opened)
    folded = fold(game, recorded.opened, recorded.lines)
    again = relive(game, recorded, along, shown=False)[0].tracker.state
    final, seen = game.write_state(folded.state), game.write_state(again)
    outcome = game.outcome(folded.state)
    return {
        "journal": str(path),
        "game": recorded.opened.game,
        "variant": recorded.opened.variant,
        "players": recorded.opened.players,
        "actions": folded.actions,
        "final_state": final,
        "replayed_state": seen,
        "matches": final == seen,
        "over": outcome is not None,
        "outcome": outcome.text if outcome else "",
        "score": outcome.score if outcome else None,
        "out_of": outcome.out_of if outcome else None,
        "lost": recorded.lost,
    }


def relived(path: Path, along: Along = iter) -> "Session":
    """Replay a journal's observations; return the session at their end.

    `along`: yields the lines one by one, e.g. to show progress. JournalError if the file cannot be read.
    """
    recorded = read_journal(path)
    return relive(game_of(recorded.opened), recorded, along, shown=False)[0]


def replay_damaged(path: Path, damage: str, along: Along = iter) -> dict[str, Any]:
    """Replay a journal once for each of its sensors, as if this sensor had failed, and count wrong verdicts.

    `damage`: how sensors fail, a key of `DAMAGES`; `all`: each key in turn. Returns the counts of each run,
    as JSON-ready values. JournalError if the file cannot be read. BadInputError for an unknown damage, or if
    no sensor reports anything.
    """
    recorded = read_journal(path)
    game = game_of(recorded.opened)
    lines = [line for line in recorded.lines if isinstance(line, Observed)]
    sensors = sensors_in(lines)
    if not sensors:
        raise BadInputError(
            text("no sensor says anything in it"), where=str(path), next_step=text("name a played game")
        )
    truth, source = _true_claims(path), OWN_TRUTH
    session, verdicts = relive(game, recorded, along)
    if truth is None:
        truth, source = _decided(verdicts), "the undamaged game"
    undamaged = game.write_state(session.tracker.state)
    runs = []
    for name in DAMAGES if damage == "all" else (damage,):
        for sensor in sensors:
            spoilt = Recorded(recorded.opened, tuple(damaged(lines, sensor, name)))
            again, said = relive(game, spoilt, along, silence=True)
            same = game.write_state(again.tracker.state) == undamaged
            runs.append({"sensor": sensor.name, "damage": name, **_held_against(said, truth), "same_end": same})
    return {
        "journal": str(path),
        "damage": damage,
        "claims": len(truth),
        "truth": source,
        "undamaged": _held_against(verdicts, truth),
        "runs": runs,
        "wrong_verdicts": sum(run["wrong"] for run in runs),
    }


def relive(
    game: TableGame[Any, Any],
    recorded: Recorded,
    along: Along = iter,
    *,
    silence: bool = False,
    shown: bool = True,
    hear: Callable[[float, Event], object] = _hear_nothing,
) -> tuple["Session", list[Claimed]]:
    """Run a recorded game's observations through a new session.

    Returns the session and its verdicts on claims. `along`: yields the lines one by one. `silence`: True:
    also let time pass without observations, up to LAST_S after the last one, as in a live game. `shown`: False:
    nothing is made for screens, and no verdict is told. `hear` gets each event with its time (s). JournalError
    if the replay would take too much work.
    """
    clock = ManualClock(next((line.t for line in recorded.lines if isinstance(line, Observed)), 0.0))
    effort = ReadingEffort(recorded.path)
    session, verdicts = _silent_session(game, recorded.opened, clock, effort, hear)
    session.screens.silent = not shown
    for effort.line, line in enumerate(along(recorded.lines), 2):
        if not isinstance(line, Observed):
            continue
        if silence:
            pass_time(session, clock, min(line.t, clock.now() + QUIET_S))
        clock.sleep(max(0.0, line.t - clock.now()))
        session.take(line.t, line.o)
    if silence:
        pass_time(session, clock, clock.now() + LAST_S)
    return session, verdicts


def read_back(game: TableGame[Any, Any], recorded: Recorded, along: Along = iter) -> "Session":
    """Take a recorded game into a new session, bound to what it published; return the session at its end.

    Several times faster than `relive`: only the last minute is searched in full. A game that cannot be followed
    to its end is relived instead. `along`: yields the lines one by one. JournalError if it would take too much
    work.
    """
    effort = ReadingEffort(recorded.path)
    session, _ = _silent_session(game, recorded.opened, ManualClock(), effort, _hear_nothing)
    Recovery(session, recorded.opened, recorded.lines, along, effort).read_back()
    if session.tracker.state == fold(game, recorded.opened, recorded.lines).state:
        return session
    return relive(game, recorded, shown=False)[0]


def pass_time(session: "Session", clock: ManualClock, until: float) -> None:
    """Run a session without observations until time `until` (s)."""
    while clock.now() + ROUND_S < until:
        clock.sleep(ROUND_S)
        session.take(clock.now(), [])


def _silent_session(
    game: TableGame[Any, Any],
    opened: Opened,
    clock: ManualClock,
    effort: ReadingEffort,
    hear: Callable[[float, Event], object],
) -> tuple["Session", list[Claimed]]:
    from companion.session.session import Session

    verdicts: list[Claimed] = []

    def publish(event: Event) -> None:
        hear(clock.now(), event)
        if isinstance(event, Claimed):
            verdicts.append(event)

    session = Session(
        game,
        opened.variant,
        opened.players,
        clock=clock,
        publish=publish,
        options=opened.options,
        buttons=opened.buttons,
        effort=effort,
    )
    return session, verdicts


def _held_against(verdicts: Iterable[Claimed], truth: Mapping[int, bool]) -> dict[str, int]:
    """Compare verdicts with the truth; count them as right, cannot_tell, unheard (no verdict) or wrong.

    `truth`: claimed place (from 1) -> True if the claim was true. A sure verdict on a place without a claim
    counts as wrong.
    """
    said: dict[int, set[str]] = {}
    for one in verdicts:
        said.setdefault(one.subject, set()).add(one.verdict)
    result = {"right": 0, "cannot_tell": 0, "unheard": 0, "wrong": 0}
    for subject, true in truth.items():
        decided = said.pop(subject, None)
        if decided is None:
            result["unheard"] += 1
        elif decided - {Verdict.CANNOT_TELL.value} - {_verdict_of(true)}:
            result["wrong"] += 1
        else:
            result["right" if _verdict_of(true) in decided else "cannot_tell"] += 1
    # A verdict on a place that nobody claimed is wrong, too.
    result["wrong"] += sum(bool(decided - {Verdict.CANNOT_TELL.value}) for decided in said.values())
    return result


def _verdict_of(true: bool) -> str:
    return (Verdict.PROVED if true else Verdict.REFUTED).value


def _decided(verdicts: Iterable[Claimed]) -> dict[int, bool]:
    decided = {one.subject: one.verdict for one in verdicts if one.verdict != Verdict.CANNOT_TELL.value}
    return {subject: verdict == Verdict.PROVED.value for subject, verdict in decided.items()}


def _true_claims(journal: Path) -> dict[int, bool] | None:
    """Read which claims of a recording were true, from the truth file beside its journal.

    Returns claimed place (from 1) -> True if the claim was true; None without such a file. BadInputError if
    the file is damaged.
    """
    path = journal.with_name(OWN_TRUTH)
    if not path.is_file():
        return None
    try:
        lines = [msgspec.json.decode(line, type=TrueClaim) for line in path.read_bytes().splitlines()]
    except msgspec.MsgspecError as error:
        raise BadInputError(
            text("not a recording's truth ({error})", error=str(error)), where=str(path)
        ) from None
    return {line.subject: line.true for line in lines if line.true is not None}


def game_of(opened: Opened) -> TableGame[Any, Any]:
    """Load a journal's game: its rules and printed parts.

    BadInputError if this program does not know the game or the variant, or does not allow the number of
    players.
    """
    game = load_game(opened.game, opened.parts)
    check_table(game, opened.variant, opened.players)
    return game
