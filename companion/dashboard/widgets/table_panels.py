"""The main screen's parts as text: functions of the models."""

import textwrap
from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from textual.content import Content

from companion.core.board_state import BoardState
from companion.core.language import listed, localized, plural, text, tr
from companion.core.sensor_terms import sensor_name
from companion.dashboard.labels import (
    MARK_STYLES,
    MARKS,
    OPEN_CLAIM,
    PROVISIONAL,
    fit,
    title,
    variant_title,
    without_paths,
)
from companion.dashboard.model import Link, PublicModel, WorldModel
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.widgets.banner import tells_all
from companion.dashboard.widgets.card_row import lines
from companion.session.stream.events import Said, SensorHealth, Table

NOT_THERE = text("No engine answers yet. Start one in another terminal: {command}")
GONE = text("The engine is gone, this picture is OLD. Play on; start it: {command} --resume")
STARTED_AGAIN = text("One moment: the engine stopped and is started again. This picture is OLD.")
ENDED = text("What you see here is the last that I saw. q: leave")
FOREIGN = text("Screen and engine are of different versions. Update both, start again.")


def header(model: PublicModel, names: PlayerNames, width: int) -> Content:
    """Header of the table screen, a row of `width` columns.

    Game, variant and turn stand at the left, sensors and their state at the right.
    """
    hello, table = model.welcome, model.table
    parts = ["companion"]
    if hello and not model.foreign:
        count = localized(plural("{n} player", "{n} players", n=hello.players))
        parts = [title(hello.game), variant_title(hello.variant), count]
        if hello.table:
            parts.insert(0, hello.table)
    if table and table.turn:
        parts.append(tr("turn {number}", number=table.turn))
        parts += [names.name(table.player)] if table.player else []
    sensors = [
        _sensor(model, name, health.ok, works=health.works)
        for name, health in sorted(model.health.items(), key=lambda item: (item[1].ok, item[0]))
    ]
    if model.link is not Link.LIVE:
        without = tr("starting") if model.started else tr("no engine")
        sensors = [Content.styled(tr("ended") if model.ended else without, "bold $warn")]
    right = Content("  ").join(sensors)
    room = width - right.cell_length - 2
    while len(parts) > 1 and len(" · ".join(parts)) + 1 > room:
        parts.pop()  # the banner has the player, too
    left = " " + fit(" · ".join(parts), room - 1)
    gap = max(1, width - Content(left).cell_length - right.cell_length - 1)
    return Content.assemble((left, "bold"), " " * gap, right)


def _sensor(model: PublicModel, name: str, ok: bool, *, works: bool) -> Content:
    word, called = _sensor_word(model, name, ok), localized(sensor_name(name))
    if not ok and works:
        in_part = tr("works in part")
        return Content.styled(f"○ {called} {in_part}", "$warn")
    if not ok:
        return Content.styled(f"x {called} {word}", "bold $bad")
    if name == "camera" and model.table is not None and not model.table.settled:
        return Content.assemble(("○", "$warn"), f" {called}")
    return Content.assemble(("●", "$good"), f" {called} {word}".rstrip())


def _sensor_word(model: PublicModel, name: str, ok: bool) -> str:
    board = model.board if name == "board" else None
    if board is None or ok == (board.state != "connected"):
        # The link's own report comes a moment after the fault.
        return "" if ok else tr("FAILS")
    if not ok:
        if not board.answered:
            return tr("not found")
        return tr("LOST") if board.state == "lost" else tr("reconnecting")
    return tr("ok, {number} missing", number=len(board.missing)) if board.missing else ""


_BOARD = {
    "connected": text("board connected"),
    "connecting": text("board reconnecting"),
    "lost": text("board lost"),
}
"""_BOARD: state of the link to the board -> its words."""


def _line_counts(board: BoardState) -> list[str]:
    """How often the link to the board failed, in words, an entry for each kind.

    Kinds that never happened are left out.
    """
    counts = {
        text("reconnected {number}x"): board.reconnects,
        text("{number} damaged"): board.bad_frames,
        text("{number} sent again"): board.resends,
    }
    return [localized(one.of(number=count)) for one, count in counts.items() if count]


def board_line(model: PublicModel, width: int) -> Content:
    """State of the link to the board, as text of at most two rows.

    `width`: columns. Empty while the state is unknown.
    """
    board = model.board
    if board is None or model.foreign:
        return Content("")
    never = text("board not found")
    said = [localized(_BOARD.get(board.state, board.state) if board.answered else never)]
    if board.state == "connected":
        said += [tr("answers in {ms} ms", ms=board.rtt_ms)] if board.rtt_ms is not None else []
        said += [tr("runs other code: companion flash")] if board.outdated else []
        said += [tr("missing: {parts}", parts=[*map(sensor_name, board.missing)])] if board.missing else []
    elif board.detail:
        said.append(without_paths(board.detail))
    said += _line_counts(board)
    said += [tr("says: {words}", words=board.said)] if board.said else []
    worry = board.state != "connected" or board.missing or board.outdated
    rows = textwrap.wrap(" · ".join(said), max(16, width - 2), max_lines=2, placeholder=" ..")
    return Content.styled("\n".join(f" {row}" for row in rows), "bold $bad" if worry else "$muted")


def starting(model: PublicModel) -> str:
    """Sentence on what the start of the game still waits for; "" for nothing.

    It names parts that have not reported, or how much of a journal is read.
    """
    if model.percent_read is not None:
        return tr("Reading the game so far: {percent} %", percent=model.percent_read)
    names = [sensor_name(name) for name in model.waiting_for]
    if not names:
        return ""
    if model.waited_s:
        return tr(
            "Starting: waiting for {sensors}, {seconds} s so far.",
            sensors=listed(names),
            seconds=model.waited_s,
        )
    return tr("Starting: waiting for {sensors}.", sensors=listed(names))


ALARM, NOTED, CALM = "bold $state-ink on $no", "bold $state-ink on $perhaps", "$words on $strip"
"""Text styles of sentences on unusual states.

ALARM: a fault. NOTED: a warning. CALM: a mere information.
"""
STATUS_ROWS = 4
"""STATUS_ROWS: most rows of the table screen for sentences on unusual states."""
MORE = text(".. (l: all)")
"""MORE: end of a cut sentence in the log; the log page (key l) shows all of it."""


def status(
    model: PublicModel, world: WorldModel, width: int, small: bool = False, rows: int = STATUS_ROWS
) -> Content:
    """Sentences on all unusual states, as text of at most `rows` rows.

    Faults, pauses, claims that wait, last turns; empty if all is well. `width`: columns. `small`: True if the
    terminal is too small to show all.
    """
    said: list[Content] = []
    for sentence, style in _unusual(model, world, width, small=small):
        for part in textwrap.wrap(model.names.put_into(localized(sentence)), max(16, width - 2)):
            chip = Content.styled(f" {part} ", style)
            if said and said[-1].cell_length + 1 + chip.cell_length <= width:
                said[-1] = Content.assemble(said[-1], " ", chip)
            else:
                said.append(chip)
    more = " " + localized(MORE)
    if len(said) > rows > 0:
        said[rows - 1] = Content.assemble(said[rows - 1][: width - 1 - len(more)], (more, "bold"))
    return lines(*said[:rows])


def _unusual(model: PublicModel, world: WorldModel, width: int, *, small: bool) -> list[tuple[str, str]]:
    """Unusual states as (sentence, style), most important first.

    States that the banner shows are left out, unless a person's choices cover the banner.
    """
    if without := _without_engine(model):
        return [without]
    if model.notice:
        return [(model.notice, NOTED)]
    waiting, table = starting(model), model.table
    said = [(waiting, CALM)] if waiting else []
    if table is None:
        return said
    if world.seat and world.hand_hidden and world.turn and world.turn.on_turn:
        said.append((tr("YOUR TURN: m shows your hand"), NOTED))
    if small:
        said.append((tr("Window too small: 80 x 24 shows all"), CALM))
    if table.paused:
        said.append((tr("COMPANION PAUSED: p to go on"), NOTED))
    if table.last_turns is not None and not table.over:
        left = table.last_turns
        said.append((tr("LAST TURNS: {left} left", left=left) if left else tr("LAST TURN"), NOTED))
    said += [(OPEN_CLAIM.of(claim=claim), NOTED) for claim in table.open_claims]
    return said + _failing(model, world, width)


def _without_engine(model: PublicModel) -> tuple[str, str] | None:
    """Why this screen follows no engine, as (sentence, style); None while it follows one."""
    if model.foreign:
        return FOREIGN, ALARM
    if model.ended:
        return ENDED, CALM
    if model.link is Link.WAITING:
        return model.goodbye or starting(model) or NOT_THERE.of(command=model.command), CALM
    if model.link is Link.LOST:
        gone = STARTED_AGAIN if model.started else GONE.of(command=model.command)
        return model.goodbye or gone, ALARM
    if model.welcome is None and model.bad_lines:
        return tr("Something answers, but not in the words of an engine."), ALARM
    return None


def _failing(model: PublicModel, world: WorldModel, width: int) -> list[tuple[str, str]]:
    """Sentences on failing sensors, as (sentence, style).

    A blind camera is left out if the banner shows the whole reason.
    """
    told = tells_all(model, width) and not world.choosing
    mends = bool(world.state and world.state.broken)
    return [
        (_fault(health, width, mends=mends), CALM if health.works else ALARM)
        for health in model.health.values()
        if not health.ok and not (told and health.source == "camera")
    ]


FAULT_KEYS = text("F5 look · l why")
"""FAULT_KEYS: keys shown beside a fault: page of live sensors, and log page with the complete sentence."""
BROKEN_KEYS = text("F5 look · l why · x mends")
"""BROKEN_KEYS: keys shown beside a fault at a virtual table, if somebody has broken a part there."""


def _fault_sentence(source: str, detail: str) -> str:
    """Sentence that names a failing sensor and what is wrong with it ("": it is silent)."""
    return tr("{Sensor}: {detail}.", sensor=sensor_name(source), detail=detail or tr("no word from it"))


def _fault(health: SensorHealth, width: int, *, mends: bool) -> str:
    """Text row on a failing sensor, with helping keys.

    `width`: columns. `mends`: True if somebody has broken a part of a virtual rig, which a key mends.
    """
    said = _fault_sentence(health.source, without_paths(health.detail)).removesuffix(".")
    keys = localized(BROKEN_KEYS if mends and health.source != "computer" else FAULT_KEYS)
    return f"{fit(said, max(16, width - 5 - cell_len(keys)))} · {keys}"


def say(sentences: Iterable[str], width: int, rows: int, style: str = "bold", mark: str = "•") -> list[Content]:
    """Sentences side by side, each after a sign (`mark`), as rows of text.

    They are wrapped between words to `width` columns; rows beyond `rows` are left out. `style`: style of the
    text.
    """
    found: list[Content] = []
    line = Content("")
    for sentence in sentences:
        words = f"{mark} {sentence}"
        if line and line.cell_length + 3 + len(words) <= width - 2:
            line = Content.assemble(line, "   ", (words, style))
            continue
        if line:
            found.append(line)
        *full, last = textwrap.wrap(words, max(16, width - 2), subsequent_indent="  ")
        found += [Content.styled(f" {part}", style) for part in full]
        line = Content.styled(f" {last}", style)
    return [*found, *([line] if line else [])][: max(0, rows)]


def _wrapped(said: str, count: int, width: int) -> list[str]:
    """Rows of one sentence in the log, `count` at most.

    If it is longer, MORE replaces its end. `width`: columns.
    """
    rows = textwrap.wrap(said, max(16, width - 4)) or [""]
    if len(rows) <= count:
        return rows
    more = " " + localized(MORE)
    last = rows[count - 1][: width - 4 - len(more)].rstrip()
    return [*rows[: count - 1], last + more]


def log(model: PublicModel, names: PlayerNames, count: int, width: int = 0) -> Content:
    """Last sentences of the game, as text of at most `count` rows.

    The newest is the lowest. Sentences that the engine may still revise are dim. `width`: columns, over which
    long sentences are wrapped; faults of sensors are left out, because the status shows them. `width` 0: the
    log page, with the last `count` sentences and their times, one row each, and lasting faults without such a
    sentence (of the disk, of the computer).
    """
    if count <= 0:
        return Content("")
    table = model.table
    provisional = table.provisional if table else ()
    off = [Said(0.0, table.put_right, "repair")] if table and table.put_right else []
    if not width:
        return _log_page(model, names, count, [*provisional, *(one.text for one in off)])
    rows: list[Content] = []
    told = (one for one in reversed(model.said) if not one.source)
    for one in (*off, *(Said(0.0, said, PROVISIONAL) for said in reversed(provisional)), *told):
        wrapped = _wrapped(names.put_into(one.text), count, width)
        if len(rows) + len(wrapped) > count:
            break
        mark, style = MARKS.get(one.kind, " "), MARK_STYLES.get(one.kind, "")
        rows = [
            Content.assemble(f" {' ' if at else mark} ", (row, style)) for at, row in enumerate(wrapped)
        ] + rows
    return lines(*rows)


def _log_page(model: PublicModel, names: PlayerNames, count: int, now: Sequence[str]) -> Content:
    """Rows of the log page: the last `count` sentences with times, lasting faults, what holds `now`."""
    told_rows = (_stamped(one, names, model.said[0].t) for one in list(model.said)[-count:])
    heard = {one.source for one in model.said}
    faults = (
        _unstamped(_fault_sentence(health.source, health.detail), names, "fault")
        for health in model.health.values()
        if not health.ok and health.source not in heard
    )
    return lines(*told_rows, *faults, *(_unstamped(said, names) for said in now))


def _unstamped(said: str, names: PlayerNames, kind: str = PROVISIONAL) -> Content:
    """Log page row without a time: a sentence that may still be revised, or a fault that lasts."""
    mark = f" {'':6} {MARKS.get(kind, ' ')} "
    return Content.assemble(mark, (names.put_into(localized(said)), MARK_STYLES.get(kind, "")))


def _stamped(one: Said, names: PlayerNames, zero: float) -> Content:
    minutes, seconds = divmod(int(max(0.0, one.t - zero)), 60)
    mark = f" {minutes:3d}:{seconds:02d} {MARKS.get(one.kind, ' ')} "
    return Content.assemble(mark, (names.put_into(one.text), MARK_STYLES.get(one.kind, "")))


Key = tuple[str, str, str]
"""Key: key that people can press, as (key, its label, name of the app's action)."""


def keys_now(model: PublicModel) -> tuple[Key, ...]:
    """Keys for commands to the engine that are useful now.

    The most useful come first. Log, help, all commands and quit are the last, at any time.
    """
    live = not model.foreign and model.link is Link.LIVE
    found = (
        _table_keys(model.table, bool(model.welcome and model.welcome.table)) if model.table and live else ()
    )
    always = (("F1", tr("help"), "help"), ("^p", tr("all"), "command_palette"), ("q", tr("quit"), "leave"))
    return (*found, ("l", tr("log"), "log"), *always)


def _table_keys(table: Table, named: bool) -> tuple[Key, ...]:
    """Keys that the state of the game makes useful. `named`: the table has a name, as in a café."""
    over, goes_on = table.over, bool(table.turn) and not table.over
    rows: tuple[tuple[bool, Key], ...] = (
        (any(view.claim for view in table.places), ("c", tr("claim"), "claim")),
        (over, ("f", tr("score"), "score")),
        (bool(table.player), ("h", tr("hint"), "hint")),
        (not over and bool(table.statements and table.played), ("w", tr("tell"), "tell")),
        (over, ("t", tr("next game"), "table_is_right")),
        # In a café other people come; at home this key is behind F1.
        (over and named, ("F8", tr("next party"), "next_party")),
        (goes_on, ("u", tr("undo"), "undo")),
        (goes_on, ("t", tr("put right"), "table_is_right")),
        (table.paused, ("p", tr("go on"), "pause")),
    )
    return tuple(key for shown, key in rows if shown)


def world_keys_now(world: WorldModel) -> tuple[Key, ...]:
    """Keys for the virtual table that are useful now, the most useful first."""
    state = world.state
    paused, over = bool(state and state.paused), bool(state and state.over)
    seat = (
        [("s", tr("leave the seat"), "seat"), ("m", tr("hand"), "hand")]
        if world.seat
        else [("s", tr("take a seat"), "seat")]
    )
    step = [(".", tr("step"), "step")] if paused else []
    hold = [] if over else [(tr("space"), tr("go on") if paused else tr("hold"), "hold"), *step]
    speed = [] if over or paused else [("-", tr("slower"), "slower"), ("+", tr("faster"), "faster")]
    others = (
        ("r", tr("new game"), "restart"),
        ("x", tr("mend") if state and state.broken else tr("break"), "fault"),
    )
    # The last ones stay in the narrowest row: who has a seat can leave it.
    return (*hold, *speed, *others, *seat) if world.seat else (*hold, *speed, *seat, *others)


def clockwork(world: WorldModel) -> str:
    """Speed and seed of the virtual game in a few words, such as "x2, seed 7".

    "HELD" or "game over" may replace the speed; "" without a virtual table.
    """
    state = world.state
    if state is None:
        return ""
    pace = tr("game over") if state.over else tr("HELD") if state.paused else f"x{state.speed:g}"
    return tr("{pace}, seed {seed}", pace=pace, seed=state.seed)


ALWAYS = 3
"""ALWAYS: number of keys at the end of a row of keys that are never left out: help, all commands, quit."""


TWINS = {("slower", "faster")}
"""Actions of two keys of which none is shown alone: who could only go slower would not come back."""


def keys(entries: Sequence[Key], width: int, end: str = "") -> Content:
    """Row of text with keys and their labels, which can also be clicked.

    If `width` columns do not suffice, keys are left out, but not the last ALWAYS ones. `end`: word at the
    row's end; keys give way to it, but not the last ALWAYS ones. Textual's Footer has a widget for each key:
    the first picture takes 26 ms more processor time, and each change of focus 30 ms instead of 0.5 (17 keys,
    two-core PC).
    """
    left = list(entries)
    kept = width - 2 - (len(end) + 1 if end else 0)
    while len(left) > ALWAYS and _key_row(left, "", " ").cell_length > kept:
        gone = left.pop(-1 - ALWAYS)[2]
        left = [key for key in left if (key[2], gone) not in TWINS]
    wide = [_key_row(left, pad, gap) for pad, gap in ((" ", "   "), (" ", " "), ("", " "))]
    row = next((one for one in wide if one.cell_length + len(end) <= width - 2), wide[-1])
    room = width - 2 - row.cell_length
    return Content.assemble(" ", row, (f"{end:>{room}}" if end and room > len(end) else "", "$muted"))


def _key_row(entries: Sequence[Key], pad: str, gap: str) -> Content:
    return Content(gap).join(
        Content.assemble((f"{pad}{key}{pad}", "bold $key-ink on $key"), f" {word}").stylize(
            f"@click=app.{action}"
        )
        for key, word, action in entries
    )
