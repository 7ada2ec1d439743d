"""The table from above, to scale: what lies in each zone of the mat, as everybody at the table sees it."""

import textwrap
from collections.abc import Sequence

from textual.content import Content

from companion.core.language import localized
from companion.dashboard.labels import BADGE_GROUNDS, BADGES, fit
from companion.dashboard.player_names import PlayerNames, ground, sign
from companion.dashboard.themes import COLOURS, PLAIN
from companion.session.stream.events import CardView, MatZone, PileView, PlaceView, Table, Welcome

CELL = 2.0
"""CELL: height of a terminal's cell as a multiple of its width; a rough value."""
GAP = 2
"""GAP: most rows of a drawn zone that has no empty row at its end. Every zone ends with an empty column."""
_MAT, _ZONE = "on $cloth", "$words on $page"
Run = tuple[str, str]
"""Run: piece of text in one style, as (letters, style)."""


def drawing_size(hello: Welcome, width: int, height: int) -> tuple[int, int]:
    """Size of the largest drawing of the mat that fits: (columns, rows).

    It has `width` columns and `height` rows of room, of which one row is for hands below. (0, 0) for a game
    without a mat. `hello`: engine's greeting, which has the mat's ratio (width / height).
    """
    if hello.mat_ratio <= 0 or height < 2:
        return 0, 0
    columns = min(width, round((height - 1) * CELL * hello.mat_ratio))
    return columns, min(height - 1, round(columns / CELL / hello.mat_ratio))


def table_drawing(hello: Welcome, table: Table, names: PlayerNames, columns: int, rows: int) -> list[Content]:
    """Mat with its cards from above, as text rows.

    It has `rows` rows of `columns` columns; one more row below has each player's number of cards in hand.
    `hello`: engine's greeting, which has the mat's zones.
    """
    canvas: list[list[Run]] = [[(" ", _MAT)] * columns for _ in range(rows)]
    for zone in hello.mat:
        left, right = (round(share * columns) for share in (zone.x, zone.x + zone.w))
        top, bottom = (round(share * rows) for share in (zone.y, zone.y + zone.h))
        wide = max(0, min(columns, right) - max(0, left) - 1)
        tall = max(1, min(rows, bottom) - max(0, top) - (bottom - top > GAP))
        look, lines = _content(zone, table, names, wide)
        above = max(0, (tall - len(lines)) // 2)
        filled: list[list[Run]] = [*[[]] * above, *lines, *[[]] * tall][:tall]
        for at, line in enumerate(filled[: rows - top], top):
            canvas[at][left : left + wide] = _row(line, wide, look)
    return [*(_joined(row) for row in canvas), _below(hello, table, names, columns)]


def _content(zone: MatZone, table: Table, names: PlayerNames, width: int) -> tuple[str, list[list[Run]]]:
    """What lies in a zone of the mat, as (style, lines of text).

    A line is a list of pieces of text, of `width` columns at most.
    """
    kind, _, number = zone.holds.partition(" ")
    at = int(number) - 1 if number.isdigit() else 0
    if kind == "place" and at < len(table.places):
        return _place(table.places[at], at + 1, names, width)
    if kind == "row" and at < len(table.rows):
        return _ZONE, _chips(table.rows[at].cards, width)
    if kind == "pile" and at < len(table.piles):
        return _ZONE, _pile(table.piles[at], width)
    if kind == "played":
        return _ZONE, _chips(table.played, width)
    return _ZONE, []


def _place(view: PlaceView, number: int, names: PlayerNames, width: int) -> tuple[str, list[list[Run]]]:
    colour = ground(view.player) if view.player else BADGE_GROUNDS.get(view.badge, "")
    look = f"bold $state-ink on ${colour}" if colour else _ZONE
    word = localized(BADGES.get(view.badge, view.badge.upper()))
    first = f"{sign(view.player)} {names.name(view.player)}" if view.player else str(number)
    # What a player has stands in their box, too: here it is left out where it takes more than a line.
    wrapped = textwrap.wrap(view.name, max(1, width - 2 if view.player else width))
    said = [first, *(wrapped if not view.player or len(wrapped) < 2 else []), word]
    return look, [*([(fit(one, width), look)] for one in said if one), *_chips(view.cards, width, look)]


def _pile(pile: PileView, width: int) -> list[list[Run]]:
    name = [[(pile.name, "$muted on $page")]] if len(pile.name) <= width else []
    top = [[_chip(pile.top, width)]] if pile.top else []
    return [*name, *top, [(str(pile.count), f"bold {_ZONE}")]]


def _chips(cards: Sequence[CardView], width: int, look: str = _ZONE) -> list[list[Run]]:
    """Cards side by side as lines of text, in as few lines as possible.

    `width`: columns of a line. `look`: style between the cards.
    """
    lines: list[list[Run]] = [[]]
    for card in cards:
        chip = _chip(card, width)
        if lines[-1] and sum(len(text) for text, _ in lines[-1]) + 1 + len(chip[0]) > width:
            lines.append([])
        lines[-1] += [*([(" ", look)] if lines[-1] else []), chip]
    return [line for line in lines if line]


def _chip(card: CardView, width: int) -> Run:
    colour = card.colour if card.colour in COLOURS else PLAIN
    word = card.kind if card.kind.isdigit() else card.name
    return f" {word} "[:width], f"bold ${colour}-ink on ${colour}"


def _row(line: Sequence[Run], width: int, look: str) -> list[Run]:
    """Line of text in the middle of `width` cells, as one piece of text a cell.

    `look`: style of the cells beside it.
    """
    cells = [(letter, style) for text, style in line for letter in text][:width]
    before = (width - len(cells)) // 2
    return [(" ", look)] * before + cells + [(" ", look)] * (width - len(cells) - before)


def _joined(cells: Sequence[Run]) -> Content:
    runs: list[Run] = []
    for text, style in cells:
        if runs and runs[-1][1] == style:
            runs[-1] = (runs[-1][0] + text, style)
        else:
            runs.append((text, style))
    return Content.assemble(*runs)


def _below(hello: Welcome, table: Table, names: PlayerNames, width: int) -> Content:
    """Row of text below the drawn mat: number of cards in each hand.

    The player on turn is coloured. Piles that lie in no zone follow.
    """
    chips = []
    for player, count in enumerate(table.hands, 1):
        said = f" {sign(player)} {names.name(player)} {count} "
        style = f"bold $state-ink on ${ground(player)}" if player == table.player else f"${ground(player)}-text"
        chips.append(Content.styled(said, style))
    drawn = {zone.holds for zone in hello.mat}
    for number, pile in enumerate(table.piles, 1):
        if f"pile {number}" not in drawn:
            chips.append(Content.assemble(" ", (pile.name, "$muted"), f" {pile.count}"))
    return Content(" ").join(chips)[:width]
