"""The banner: what to do next in huge letters, on the colour of the player on turn; or a question, or a fault.

The biggest thing on the screen is what people look for from two metres away. While the companion cannot see, or
asks something, that is here.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product, zip_longest

from textual.content import Content

from companion.core.language import localized, text, tr
from companion.dashboard.labels import ANSWERS, fit, without_paths
from companion.dashboard.model import Link, PublicModel
from companion.dashboard.player_names import PlayerNames, ground, sign
from companion.dashboard.screen_layout import Grid, banner_rows
from companion.dashboard.widgets.big_letters import big, big_rows, big_width, biggest, joined, spells
from companion.dashboard.widgets.call_pictures import SIDE, call_picture

BLIND = text("I CANNOT SEE")
THE_TABLE = text("the table: ")
"""THE_TABLE: words on the banner that follow BLIND and precede the reason."""
NOBODY, BLINDED, ASKED, OLD = "nobody", "blind", "asked", "old"
"""Looks of the banner while it has no player's colour, as style sheet classes.

NOBODY: no player is on turn. BLINDED: the camera cannot see. ASKED: a question is open. OLD: the table is
outdated, or watching is paused or has ended.
"""

MESSAGE = 1
"""MESSAGE: rows below the banner's letters that a television keeps free for a message."""
MOST_LINES = 5
"""MOST_LINES: most lines of a question on the banner.

The longest question of a game has four (French, 80 columns).
"""
LEAST_LARGE = 7
"""LEAST_LARGE: least rows of a banner with both the player's name and what to do in big letters."""
SHORT = 4
"""SHORT: most letters of an answer (such as yes or no) that is always in big letters."""


@dataclass(frozen=True, slots=True)
class Call:
    """Content of the banner, which calls on people to do what comes next.

    `above`: words above the big letters, usually a name. `player`: player (from 1) whose colour the banner
    has; 0 for none. `look`: look without a player: NOBODY, BLINDED, ASKED or OLD.
    """

    big: str
    """Words in big letters, shown in capitals. Written as in a sentence where a language needs it (German)."""
    above: str = ""
    player: int = 0
    look: str = NOBODY
    symbol: str = ""
    """Name of a picture in PICTURES (`call_pictures.py`); "" for none."""

    @property
    def css_class(self) -> str:
        """Style sheet class of the banner's colour.

        "-p1" to "-p5" for a player, else "-" and the look.
        """
        return f"-{ground(self.player)}" if self.player else f"-{self.look}"


def call_of(model: PublicModel, names: PlayerNames) -> Call:
    """Content of the banner for the state of the game.

    It says what to do next, and by whom. If the engine is missing, old or paused, or the camera is blind, it
    says that instead. An open question is not part of it. `names`: players' names.
    """
    table, live = model.table, model.link is Link.LIVE
    if model.foreign:
        return Call(tr("OTHER VERSION"), look=OLD)
    if model.ended:
        return Call(tr("STOPPED"), localized(model.goodbye), look=OLD)
    if table is None:
        # An engine takes connections before it has read a game that goes on.
        waiting = tr("HELLO") if live else tr("WAITING")
        return Call(tr("STARTING") if model.started else waiting)
    if not live:
        # An engine that was started with this screen is started again by itself.
        if model.started:
            return Call(tr("ONE MOMENT"), tr("What you see here is old. I am back in a moment."), look=OLD)
        return Call(tr("PLAY ON"), tr("What you see here is old. Play on."), look=OLD)
    if blind := what_blinds(model):
        return Call(localized(BLIND), f"{localized(THE_TABLE)}{localized(blind)}", look=BLINDED, symbol="eye")
    if camera_starts(model):
        return Call(tr("STARTING"), tr("The camera is starting: one moment."))
    if table.paused:
        return Call(tr("PAUSED"), tr("p: the companion goes on"), look=OLD)
    if table.player:
        return Call(table.call or table.title, names.name(table.player), table.player, symbol=table.symbol)
    everybody = "" if table.over else tr("Everybody")
    return Call(table.call or table.title, everybody, symbol=table.symbol)


def camera_starts(model: PublicModel) -> bool:
    """True if a camera that began with this screen has not reported yet.

    Such a camera is named in `model.started`. False before the engine has sent a table, and while this table
    calls for nothing (`Table.call` is empty).
    """
    return model.table is not None and bool(model.table.call) and "camera" in model.waiting_for


def what_blinds(model: PublicModel) -> str:
    """Why the camera cannot see the table of a running game, as a sentence.

    "" if it sees at least a part, if the game is over, or if no camera has reported.
    """
    camera = model.health.get("camera")
    if camera is None or camera.ok or camera.works or model.table is None or model.table.over:
        return ""
    return without_paths(camera.detail) or tr("the camera needs help")


def tells_all(model: PublicModel, width: int) -> bool:
    """True if the banner has room for the whole reason why the camera is blind.

    No other panel has to show it then. False if the camera sees, or if a question is on the banner. `width`:
    columns.
    """
    return not model.question.text and 0 < len(what_blinds(model)) <= width - 4 - len(THE_TABLE)


def banner(
    call: Call,
    grid: Grid,
    width: int,
    rows_to_fill: int = 0,
    below: int = 0,
    *,
    drawn: bool = False,
    sentence: str = "",
) -> Content:
    """Banner as text of `width` columns, equally high in all phases of a game.

    `call`: its content. `grid`: sizes of its letters. `rows_to_fill`: rows on a television, where letters are
    as large as possible; 0 for a terminal. The last three are for a television: `below`: further rows for a
    message, which moves the letters only if needed; `drawn`: True to keep room for a picture, for those who
    cannot read; `sentence`: what may be done, beneath the letters, "" for none.
    """
    if rows_to_fill:
        # A window may be lower than all that stands around the banner.
        height = max(1, rows_to_fill)
        said = large_sentence(sentence, width)[: height - 1] if sentence else []
        filled = _filling(call, width, height - len(said), below, drawn=drawn)
        return Content("\n").join([filled, *(Content.styled(row, "bold") for row in said)])
    inside = width - 4
    scale = grid.call if big_width(call.big, grid.call) <= inside else 1
    letters = list(big(call.big, scale)) if big_width(call.big, scale) <= inside else [call.big.upper()]
    letters += [""] * (big_rows(grid.call) - len(letters))
    who = f"{sign(call.player)} {call.above}" if call.player else call.above
    who = who if call.player or grid.name else fit(who, inside)
    side_by_side = f"{who}  {call.big}"
    if grid.name:
        rows = [*[""] * grid.pad, *_name(who, grid.name, inside, large=bool(call.player)), "", *letters]
    elif grid.pad and call.player and big_width(side_by_side) <= inside:
        rows = ["", *big(side_by_side)]
    else:
        rows = [who, *letters]
    rows += [""] * grid.pad
    return _beside_picture([f" {row}" if width < 100 else f"  {row}" for row in rows], call.symbol, width)


def large_sentence(sentence: str, width: int) -> list[str]:
    """Rows of a sentence in big letters of three rows, wrapped to `width` columns.

    An empty row follows each line. [] if a letter has no big form, or if a word is too long.
    """
    words = sentence.removesuffix(".")
    lines = joined(words.split(" "), width - 4)
    if not words or not spells(words) or any(big_width(line) > width - 4 for line in lines):
        return []
    return [f"  {row}" for line in lines for row in (*big(line), "")]


def has_room_beneath(call: Call, sentence: str, width: int, rows: int) -> bool:
    """True if a sentence fits beneath a television's banner.

    The letters of the banner (`call`) must not become smaller by it. `width`, `rows`: columns and rows of the
    banner.
    """
    said = len(large_sentence(sentence, width))

    def scale(height: int) -> int:
        return biggest(call.big, width - 4, height - LEAST_ABOVE)

    return bool(said) and scale(rows - said) == scale(rows) > 0


LEAST_ABOVE = 5
"""LEAST_ABOVE: rows above the banner's big letters on a television: a name in big letters, an empty row, a
message."""


def banner_row(call: Call, width: int) -> Content:
    """Banner on a single row of at most `width` columns.

    For a screen on which a seated person's choices leave no room for big letters.
    """
    who = f"{sign(call.player)} {call.above}" if call.player else call.above
    big = call.big.upper()
    # The words above have several lines elsewhere: what is to be done, or seen, stays whole.
    above = fit(who, max(1, width - len(big) - 4)) if who else ""
    return Content.styled(fit("  ".join(filter(None, ("", above, big))), width), "bold")


def _filling(call: Call, width: int, height: int, below: int, *, drawn: bool) -> Content:
    """Banner of a television with the largest letters that fit, in `height` rows.

    `below`: further rows for a message, which the letters may not reach. `drawn`: True to keep room for a
    picture.
    """
    rows = _centred(call, width, height + below - MESSAGE, drawn=drawn)
    if any(row.strip() for row in rows[height:]):
        rows = _centred(call, width, height, drawn=drawn)
    return _beside_picture([*rows, *[""] * (height - len(rows))][:height], call.symbol, width)


def _centred(call: Call, width: int, height: int, *, drawn: bool) -> list[str]:
    """Rows with the banner's largest letters, player on turn above.

    `width`, `height`: space in columns and rows. `drawn`: True to keep room for a picture, if that does not
    make the letters smaller.
    """
    inside = width - 4
    if drawn and call_picture(call.symbol, 1):
        inside = _columns_beside(call, inside, height)
    who = f"{sign(call.player)} {call.above}" if call.player else call.above
    name = biggest(who, inside, max(3, height // 3)) if call.player and height >= LEAST_LARGE else 0
    above = list(big(who, name)) if name else [fit(who, inside)]
    scale = biggest(call.big, inside, height - len(above) - 1)
    said = big(call.big, scale) if scale else [call.big.upper()]
    rows = [*above, *([""] if len(above) + 1 + len(said) <= height else []), *said]
    spare = height - len(rows)
    rows = [*[""] * (spare // 2), *rows, *[""] * (spare - spare // 2)]
    return [f"  {row}" for row in rows]


def _columns_beside(call: Call, inside: int, height: int) -> int:
    """Columns, out of `inside`, that the largest fitting picture leaves for letters.

    Beside it the letters are as large as beside the smallest picture.
    """
    beside = {n: inside - n * SIDE - 2 for n in (1, 2, 3) if n * SIDE // 2 <= height}
    scales = {n: biggest(call.big, left, height) for n, left in beside.items()}
    return beside[max(n for n, scale in scales.items() if scale == scales[1])] if scales else inside


def _beside_picture(rows: Sequence[str], symbol: str, width: int) -> Content:
    """Rows of the banner with the largest picture that fits to their right.

    `symbol`: name of the picture in PICTURES; the rows alone for an unknown one. `width`: columns.
    """
    longest = max(map(len, rows))
    fitting = (n for n in (3, 2, 1) if n * SIDE // 2 <= len(rows) and longest + n * SIDE + 4 <= width)
    drawn = call_picture(symbol, next(fitting, 0))
    words = [Content.styled(row, "bold") for row in rows]
    if not drawn:
        return Content("\n").join(words)
    above = (len(rows) - len(drawn)) // 2
    at = width - drawn[0].cell_length - 2
    for y, row in enumerate(drawn, above):
        words[y] = Content.assemble((f"{rows[y]:<{at}}", "bold"), row)
    return Content("\n").join(words)


def _name(who: str, scale: int, width: int, *, large: bool) -> list[str]:
    """Rows above the banner's big letters: the player's name `who`.

    In letters of `scale`, or smaller ones that fit. If `large` is False, `who` are other words, in small
    letters on as many rows.
    """
    rows = big_rows(scale)
    fitting = [n for n in range(scale, 0, -1) if big_width(who, n) <= width]
    said = list(big(who, fitting[0])) if large and fitting else textwrap.wrap(who, max(1, width))[:rows]
    return [*[""] * (rows - len(said)), *said]


def _answers(options: Sequence[str]) -> list[tuple[str, str, str]]:
    """Answers to a question: (key, words, action) of known options.

    An option is known if it is a key of ANSWERS.
    """
    answers = (ANSWERS[option] for option in options if option in ANSWERS)
    return [(key, localized(says), action) for key, says, action in answers]


def question(text: str, options: Sequence[str], grid: Grid, width: int, rows_to_fill: int = 0) -> Content:
    """Engine's question with its answers, as text for the banner.

    Empty if `text` is "". `options`: keys of ANSWERS; the first two are large if there is room. Other options
    are shown as words. `grid`, `width`: sizes of letters, columns. `rows_to_fill`: rows on a television, where
    letters are as large as possible; 0 for a terminal.
    """
    if not text:
        return Content("")
    inside = width - 4
    asked = textwrap.wrap(text, max(4, inside), max_lines=MOST_LINES, placeholder=" ..")
    known = _answers(options)
    rows = [Content.styled(f"  {row}", "bold") for row in asked]
    air = [Content("")] if len(rows) < 3 else []
    apart = [*air, *rows, *air, *_large_answers(known, inside)]
    fits = sum(_large_width(*answer) + 3 for answer in known[:2]) <= inside + 3
    if large := _all_large(text, known, inside, max(rows_to_fill, banner_rows(grid))):
        rows = large
    elif fits and (grid.card_size or len(apart) <= rows_to_fill):
        rows = apart
    elif len(rows) == 1 and (large := _beside_others(known, inside)):
        # As many rows as the banner has: nothing below moves.
        rows += large
    else:
        rows += _in_rows([_answer(*answer) for answer in known], inside)
    others = [option.replace("_", " ") for option in options if option not in ANSWERS]
    if others:
        rows.append(Content(f"  {', '.join(others)}"))
    return Content("\n").join(rows)


def _in_rows(parts: Sequence[Content], width: int) -> list[Content]:
    """Texts side by side, in as few rows as possible.

    A row has at most `width` columns.
    """
    rows: list[Content] = []
    for part in parts:
        if rows and rows[-1].cell_length + 2 + part.cell_length <= width + 2:
            rows[-1] = Content.assemble(rows[-1], "  ", part)
        else:
            rows.append(Content.assemble("  ", part))
    return rows


def _answer(key: str, says: str, action: str) -> Content:
    return Content.assemble((f" {key.upper()} ", "bold $key-ink on $key"), (f" {says} ", "bold")).stylize(
        f"@click=app.{action}"
    )


def _beside_others(answers: Sequence[tuple[str, str, str]], width: int) -> list[Content]:
    """Rows with the first two answers in big letters, others to their right.

    `answers`: (key, words, action) of each. Three rows; [] if they do not fit into `width` columns.
    """
    rows, others = _large_answers(answers[:2], width, pad=0), [_answer(*answer) for answer in answers[2:]]
    wide = sum(_large_width(*answer) + 3 for answer in answers[:2])
    if len(others) > len(rows) or wide + max((one.cell_length for one in others), default=0) > width:
        return []
    return [Content.assemble(row, one) for row, one in zip_longest(rows, others, fillvalue=Content(""))]


def _all_large(text: str, answers: Sequence[tuple[str, str, str]], width: int, rows: int) -> list[Content]:
    """Rows with a question and its answers, in the largest letters that fit.

    The first two of `answers` (key, words, action) are in big letters. `width`, `rows`: columns and rows of
    the banner. [] if none fit, or if a letter has no big form.
    """
    if not spells(text + "".join(says for _, says, _ in answers[:2])):
        return []
    lines = joined(text.split(" "), width)
    asked = [row for line in lines for row in ("", *big(line))]
    room = rows - len(asked) - 2 - 2 * (len(answers) > 2)
    # Smaller letters with a row above and below look better than larger ones that fill their box.
    for pad, scale in product((1, 0), (3, 2, 1)):
        wide = sum(big_width(f"{key} {says}", scale) + 7 for key, says, _ in answers[:2]) - 3
        if answers and wide <= width and big_rows(scale) + 1 + pad <= room:
            drawn = _large_answers(answers, width, pad=pad, scale=scale, whole=True)
            return [*(Content.styled(f"  {row}", "bold") for row in asked), Content(""), *drawn]
    return []


def _large_width(key: str, says: str, _action: str) -> int:
    """Columns of an answer with a key in big letters.

    A long answer has only its key in them.
    """
    return big_width(f"{key} {says}") + 4 if len(says) <= SHORT else big_width(key) + 1 + len(says) + 4


def _large_answers(
    answers: Sequence[tuple[str, str, str]], width: int, *, pad: int = 1, scale: int = 1, whole: bool = False
) -> list[Content]:
    """Rows with the first two answers in big letters, all others in a row below.

    `answers`: (key, words, action) of each. `width`: columns. `pad`: empty rows above and below the letters.
    `scale`: their scale. `whole`: True for words and key in big letters; otherwise a long answer has only its
    key in them.
    """
    tall = big_rows(scale)
    rows = [Content("  ")] * (tall + 2 * pad)
    used = 0
    for key, says, action in answers[:2]:
        in_letters = whole or len(says) <= SHORT
        letters = big(f"{key} {says}" if in_letters else key, scale)
        words = "" if in_letters else f" {says}"
        wide = len(letters[0]) + len(words) + 4
        if used + wide > width:
            break
        for at in range(len(rows)):
            inner = letters[at - pad] if 0 <= at - pad < tall else " " * len(letters[0])
            tail = words if at == tall // 2 + pad else " " * len(words)
            cell = Content.styled(f"  {inner}{tail}  ", "bold $key-ink on $key").stylize(f"@click=app.{action}")
            rows[at] = Content.assemble(rows[at], cell, "   ")
        used += wide + 3
    if len(answers) > 2:
        rows.append(Content(""))
        rows.append(Content.assemble("  ", Content("   ").join(_answer(*answer) for answer in answers[2:])))
    return rows
