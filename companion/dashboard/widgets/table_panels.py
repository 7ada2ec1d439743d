"""The parts of the main screen as text: pure functions of the models."""

import textwrap
from collections.abc import Sequence

from textual.content import Content

from companion.dashboard.labels import ANSWERS, MARK_STYLES, MARKS, PROVISIONAL, fit, title
from companion.dashboard.model import Link, PublicModel, WorldModel
from companion.dashboard.widgets.big_letters import big
from companion.session.events import CardView, PileView, RowView, Said, Table

Part = str | tuple[str, str] | Content

NOT_THERE = "No engine answers yet. Start one in another terminal: companion run"
GONE = "The engine is gone, this picture is OLD. Play on; start it: companion run"
STARTED_AGAIN = "The engine stopped and is started again; this picture is OLD. Play on."
FOREIGN = "Screen and engine are of different versions. Update both, start again."


def lines(*rows: Part) -> Content:
    """Rows of text as one content."""
    return Content("\n").join(Content.assemble(row) for row in rows)


def header(model: PublicModel, width: int) -> Content:
    """The game on the left, the sensors on the right."""
    hello = model.welcome
    left = " companion"
    if hello and not model.foreign:
        left = f" {title(hello.game)}, {hello.variant}, {hello.players} players"
    if model.table and model.table.turn:
        left += f" · turn {model.table.turn}"
    sensors = [
        f"{name} {_sensor_word(model, name, health.ok)}"
        for name, health in sorted(model.health.items(), key=lambda item: (item[1].ok, item[0]))
    ]
    if model.link is not Link.LIVE:
        sensors = ["starting" if model.link is Link.WAITING and model.started else "no engine"]
    right = fit("  ".join(sensors), max(0, width - len(left) - 3))
    return Content.styled(f"{left}{right:>{max(0, width - len(left) - 1)}} ", "reverse")


def _sensor_word(model: PublicModel, name: str, ok: bool) -> str:
    board = model.board if name == "board" else None
    if board is None or ok == (board.state != "connected"):
        # The link's own report comes a moment after the fault.
        return "ok" if ok else "FAILS"
    if not ok:
        return "LOST" if board.state == "lost" else "reconnecting"
    return f"ok, {len(board.missing)} missing" if board.missing else "ok"


def board_line(model: PublicModel, width: int) -> Content:
    """The link to the board in two rows, for whoever looks after the table; empty while nothing is known."""
    board = model.board
    if board is None or model.foreign:
        return Content("")
    said = [f"board {'reconnecting' if board.state == 'connecting' else board.state}"]
    if board.state == "connected":
        said += [f"answers in {board.rtt_ms} ms"] if board.rtt_ms is not None else []
        said += ["runs other code: companion flash"] if board.outdated else []
        said += [f"missing: {', '.join(board.missing)}"] if board.missing else []
    elif board.detail:
        said.append(board.detail)
    counts = {
        "reconnected {}x": board.reconnects,
        "{} damaged": board.bad_frames,
        "{} sent again": board.resends,
    }
    said += [text.format(count) for text, count in counts.items() if count]
    said += [f"says: {board.said}"] if board.said else []
    worry = board.state != "connected" or board.missing or board.outdated
    rows = textwrap.wrap(" · ".join(said), max(16, width - 2), max_lines=2, placeholder=" ..")
    return Content.styled("\n".join(f" {row}" for row in rows), "bold ansi_red" if worry else "dim")


def now(model: PublicModel, width: int, scale: int) -> Content:
    """Player on turn and phase, in letters whose scale is the same in all phases."""
    table = model.table
    if model.foreign:
        words = ["OTHER VERSION"]
    elif table is None:
        words = ["HELLO"]
        if model.link is not Link.LIVE:
            words = ["STARTING"] if model.started else ["WAITING"]
    elif model.link is not Link.LIVE:
        words = ["NO ENGINE"]
    else:
        words = [f"PLAYER {table.player}", table.title] if table.player else [table.title]
    text = "   ".join(words)
    return Content("\n").join(
        Content.styled(f" {row}"[:width], "bold ansi_cyan" if words[0].startswith("PLAYER") else "bold")
        for row in big(text, scale)
    )


def all_titles(model: PublicModel) -> tuple[str, ...]:
    """Every title that may appear there, so that all are written in one size."""
    hello = model.welcome
    if hello is None or model.foreign:
        return ()
    return (*hello.titles, *(f"PLAYER {hello.players}   {title}" for title in hello.turn_titles))


def _starting(model: PublicModel) -> str:
    """What has not reported yet, in a sentence; empty if nothing."""
    names = [f"the {name}" for name in model.waiting_for]
    if not names:
        return ""
    return f"Starting: waiting for {' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))}."


STATUS_ROWS = 4
"""STATUS_ROWS: most rows of the status."""
MORE = " .. (l: all)"
"""MORE: marks a sentence that is truncated here and complete in the log."""


def status(
    model: PublicModel, world: WorldModel, width: int, small: bool = False, rows: int = STATUS_ROWS
) -> Content:
    """Everything unusual, side by side and on a limited number of rows; empty if all is well."""
    said: list[Content] = []
    for text, style in _unusual(model, world, small):
        for part in textwrap.wrap(text, max(16, width - 2)):
            chip = Content.styled(f" {part} ", style)
            if said and said[-1].cell_length + 1 + chip.cell_length <= width:
                said[-1] = Content.assemble(said[-1], " ", chip)
            else:
                said.append(chip)
    if len(said) > rows > 0:
        said[rows - 1] = Content.assemble(said[rows - 1][: width - 1 - len(MORE)], (MORE, "bold"))
    return lines(*said[:rows])


def _unusual(model: PublicModel, world: WorldModel, small: bool) -> list[tuple[str, str]]:
    """Everything unusual with its style, the most important first."""
    table = model.table
    said: list[tuple[str, str]] = []
    if model.foreign:
        said.append((FOREIGN, "reverse bold"))
    elif model.link is Link.WAITING:
        said.append((model.goodbye or _starting(model) or NOT_THERE, "reverse"))
    elif model.link is Link.LOST:
        said.append((model.goodbye or (STARTED_AGAIN if model.started else GONE), "reverse bold"))
    elif model.welcome is None and model.bad_lines:
        said.append(("Something answers, but not in the words of an engine.", "reverse bold"))
    elif model.notice:
        said.append((model.notice, "reverse bold"))
    elif table is not None:
        if waiting := _starting(model):
            said.append((waiting, "reverse"))
        if world.seat and world.hand_hidden and world.turn and world.turn.on_turn:
            said.append(("YOUR TURN: m shows your hand", "reverse bold"))
        if small:
            said.append(("Window too small: 80 x 24 shows all", "reverse"))
        if table.paused:
            said.append(("COMPANION PAUSED: p to go on", "reverse bold"))
        if table.last_turns is not None and not table.over:
            left = table.last_turns
            said.append((f"LAST TURNS: {left} left" if left else "LAST TURN", "reverse bold ansi_yellow"))
        camera = model.health.get("camera")
        if not table.settled and (camera is None or camera.ok):
            said.append(("looking: hands on the table", "reverse"))
        failing = [h for h in model.health.values() if not h.ok]
        said += [(f"{h.source}: {h.detail or 'no word from it'}", "reverse ansi_red") for h in failing]
    return said


def may(model: PublicModel, width: int) -> list[Content]:
    """What the player may do now, in rows."""
    table = model.table if not model.foreign else None
    return _listed("you may", "+", table.may, width, "bold") if table else []


def may_not(model: PublicModel, width: int) -> list[Content]:
    """What the player may not do now and why, in rows."""
    table = model.table if not model.foreign else None
    return _listed("not now", "-", table.may_not, width, "dim") if table else []


def _listed(word: str, mark: str, sentences: Sequence[str], width: int, style: str) -> list[Content]:
    """Sentences under each other, wrapped, with `word` before the first."""
    rows: list[Content] = []
    for sentence in sentences:
        for at, part in enumerate(textwrap.wrap(sentence, max(16, width - 12))):
            before = f" {'' if rows else word:7} {' ' if at else mark} "
            rows.append(Content.styled(before + part, style))
    return rows


def _card(card: CardView, large: bool) -> list[str]:
    """One open card as a block for reverse video."""
    width, scale = (16, 1) if large else (9, 0)
    if card.kind.isdigit():
        rows = [row.center(width) for row in big(card.kind, scale)]
    else:
        pattern = "░" * width
        name = f" {fit(card.name, width - 2)} ".center(width, "░")
        rows = [pattern, name, pattern] if not large else [pattern, pattern, name, pattern, pattern]
    return [" " * width, *rows, " " * width] if large else rows


def rows_of_cards(rows: tuple[RowView, ...], large: bool) -> Content:
    """The first row of open cards, each a block with its number, under a title; other rows take a line each."""
    if not rows:
        return Content("")
    first, *others = rows
    return lines(
        _row_of_cards(first, large),
        *(Content.assemble((f"{row.name}  ", "dim"), (_short(row.cards), "bold")) for row in others),
    )


def _short(cards: Sequence[CardView]) -> str:
    return " ".join(card.kind if card.kind.isdigit() else card.name for card in cards)


def _row_of_cards(row: RowView, large: bool) -> Content:
    width = (17 if large else 10) * max(row.room, len(row.cards)) - 1
    rule = Content.styled(f"─ {row.name} ".ljust(width, "─"), "dim")
    blocks = [_card(card, large) for card in row.cards]
    if not blocks:
        return lines(rule, "", ("  no open cards", "dim"))
    rows = [
        Content(" ").join(Content.styled(block[y], "reverse bold") for block in blocks)
        for y in range(len(blocks[0]))
    ]
    return lines(rule, *rows)


def _pile(pile: PileView, large: bool, width: int) -> Content:
    name = f"{pile.name:<8}"
    if pile.full is None:
        many = f"{pile.count} cards" if pile.count > 1 else "1 card" if pile.count else "empty"
        top = f"{pile.top.name}, " if pile.top else ""
        said = pile.top.name if pile.top and pile.count == 1 else f"{top}{many}"
        return Content.assemble((name, "dim"), said)
    count, of = f" {pile.count}", f" of {pile.full}"
    room = max(0, min(24 if large else 10, width - len(name) - len(count) - len(of)))
    filled = min(room, -(-pile.count * room // max(1, pile.full)))
    return Content.assemble((name, "dim"), "█" * filled + "░" * (room - filled), (count, "bold"), of)


def piles(table: Table, large: bool, width: int = 29) -> Content:
    """The piles, hands and the cards just played, in `width` columns."""
    hands = [
        (f"[{count}]" if number == table.player else f" {count} ", "bold" if number == table.player else "")
        for number, count in enumerate(table.hands, 1)
    ]
    rows: list[Part] = [
        *(_pile(pile, large, width) for pile in table.piles),
        Content.assemble(("hands  ", "dim"), *hands),
        Content.assemble(("played  ", "dim"), (_short(table.played), "bold")),
    ]
    if large:
        rows = [part for row in rows for part in (row, "")][:-1]
    return lines(*rows)


def log(model: PublicModel, count: int, width: int = 0) -> Content:
    """The last sentences, newest at the bottom and each complete, on `count` rows of `width` columns. What is
    provisional is dim.

    Without a width: `count` sentences with their times, a row each.
    """
    if count <= 0:
        return Content("")
    if not width:
        return lines(*(_stamped(one, model.said[0].t) for one in list(model.said)[-count:]))
    rows: list[Content] = []
    provisional = model.table.provisional if model.table else ()
    for one in (*(Said(0.0, text, PROVISIONAL) for text in reversed(provisional)), *reversed(model.said)):
        wrapped = textwrap.wrap(one.text, max(16, width - 4)) or [""]
        if len(wrapped) > count:
            last = wrapped[count - 1][: width - 4 - len(MORE)].rstrip()
            wrapped = [*wrapped[: count - 1], last + MORE]
        if len(rows) + len(wrapped) > count:
            break
        mark, style = MARKS.get(one.kind, " "), MARK_STYLES.get(one.kind, "")
        rows = [
            Content.assemble(f" {' ' if at else mark} ", (row, style)) for at, row in enumerate(wrapped)
        ] + rows
    return lines(*rows)


def _stamped(one: Said, zero: float) -> Content:
    minutes, seconds = divmod(int(max(0.0, one.t - zero)), 60)
    mark = f" {minutes:3d}:{seconds:02d} {MARKS.get(one.kind, ' ')} "
    return Content.assemble(mark, (one.text, MARK_STYLES.get(one.kind, "")))


def question(model: PublicModel, width: int) -> Content:
    """The question on up to three rows, and the keys that answer it; empty if there is none."""
    ask = model.question
    if not ask.text:
        return Content("")
    keys: list[Part] = []
    for option in ask.options:
        if option not in ANSWERS:
            keys += [option.replace("_", " "), "   "]  # no key of this screen answers so
            continue
        key, says, action = ANSWERS[option]
        answer = Content.assemble((f" {key} ", "reverse bold"), f" {says}")
        keys += [answer.stylize(f"@click=app.{action}"), "   "]
    text = textwrap.wrap(ask.text, max(16, width - 4), max_lines=3, placeholder=" ..")
    rows = [Content.styled(("? " if not at else "  ") + row, "bold") for at, row in enumerate(text)]
    return lines(*rows, Content.assemble("  ", *keys))


KEYS = (
    ("c", "claim", "claim"),
    ("u", "undo", "undo"),
    ("t", "table right", "table_is_right"),
    ("o", "table wrong", "companion_is_right"),
    ("p", "pause", "pause"),
    ("h", "hint", "hint"),
    ("l", "log", "log"),
    ("?", "help", "help"),
    ("q", "quit", "leave"),
)
"""Key, label and the app's action: the whole public keyboard."""

WORLD_KEYS = (
    ("space", "hold", "hold"),
    ("-", "slow", "slower"),
    ("+", "fast", "faster"),
    (".", "step", "step"),
    ("r", "new game", "restart"),
    ("s", "seat", "seat"),
    ("m", "hand", "hand"),
    ("x", "break", "fault"),
)
"""The same for a virtual table."""


def clockwork(world: WorldModel) -> str:
    """The state of the virtual players in a few words."""
    state = world.state
    if state is None:
        return ""
    pace = "game over" if state.over else "HELD" if state.paused else f"x{state.speed:g}"
    return f"{pace}, seed {state.seed}"


def keys(entries: tuple[tuple[str, str, str], ...], width: int, end: str = "") -> Content:
    """A row of keys, which can also be clicked or touched, and a word at the end if there is room.

    Textual's Footer has a widget for each key: the first picture takes 26 ms more processor time, and each
    change of focus 30 ms instead of 0.5 (17 keys, two-core PC).
    """
    for pad, gap in ((" ", "  "), (" ", " "), ("", " ")):
        row = Content(gap).join(
            Content.assemble((f"{pad}{key}{pad}", "reverse"), f" {word}").stylize(f"@click=app.{action}")
            for key, word, action in entries
        )
        room = width - 2 - row.cell_length
        if room >= len(end):
            break
    return Content.assemble(" ", row, (f"{end:>{room}}" if end and room > len(end) else "", "dim"))
