"""One place as text: a sleeper on stacked layers, or the realm of a player."""

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

from rich.cells import cell_len
from textual.content import Content

from companion.core.language import localized, tr
from companion.dashboard.labels import BADGE_GROUNDS, BADGES, fit, padded
from companion.dashboard.player_names import PlayerNames, ground, sign
from companion.dashboard.themes import COLOURS, PLAIN
from companion.dashboard.widgets.big_letters import big, big_rows, big_width
from companion.dashboard.widgets.card_face import SIZES, card_face
from companion.dashboard.widgets.sleeper_picture import LARGE, SMALL, sleeper_alone, sleeper_picture
from companion.session.stream.events import CardView, PlaceView

TALL = 18
"""TALL: least rows of a drawn place that has its state in big letters."""

TALL_HEAD = 1 + big_rows()
"""TALL_HEAD: rows for a place's state in big letters, with an empty row above."""

LEAST_BAR = 7
"""LEAST_BAR: least columns of a progress bar beside words."""

LEAST_TALL = 3
"""LEAST_TALL: least rows of a drawn card, for crown and eyes (or the value), and the name."""


def place_box(
    view: PlaceView,
    number: int,
    width: int,
    height: int,
    names: PlayerNames,
    *,
    on_turn: bool = False,
    largest: int = len(SIZES) - 1,
) -> Content:
    """Place of the table as text of `width` columns and `height` rows.

    The place is a sleeper's or a player's. Its state is shown by a colour, a word, and for sleepers a picture.
    `number`: number (from 1) of the place, the key to claim it. `on_turn`: True if the player on turn owns it.
    `largest`: index into SIZES of the largest cards to draw.
    """
    head = _head(view, number, width, height, names, on_turn=on_turn)
    room = height - len(head)
    body = _realm(view, width, room, largest) if view.figure == "realm" else _sleeper(view, width, room)
    blank = [Content(" " * width)] * max(0, room - len(body))
    return Content("\n").join([*head, *body[:room], *blank])


def cards_size(views: Sequence[PlaceView], width: int, height: int) -> int:
    """Largest size of cards with which every player's place can show all cards.

    Returns an index into SIZES; 0 also if none fits, the largest if no place has cards. `width`, `height`:
    columns and rows of a place.
    """
    head = TALL_HEAD if height >= TALL else 1
    return min((_fitting(view, width, height - head) for view in views if view.cards), default=len(SIZES) - 1)


def _fitting(view: PlaceView, width: int, room: int) -> int:
    room -= len(_said(view, width))
    return next((n for n in reversed(range(len(SIZES))) if _deep(view.cards, width, room, n)), 0)


def _head(
    view: PlaceView, number: int, width: int, height: int, names: PlayerNames, *, on_turn: bool
) -> list[Content]:
    """Rows above a drawn place: number or player, state, number of cards.

    `number`: number of the place, from 1. `height`: rows of the whole place. `on_turn`: True if the player on
    turn owns it.
    """
    word = localized(BADGES.get(view.badge, view.badge.upper()))
    colour = BADGE_GROUNDS.get(view.badge, "")
    many = "" if view.count is None else f"×{view.count} "
    if view.player:
        colour = colour or ground(view.player)
        many = "► " if on_turn else ""
        # The sign has the number of who it is: a long name gives way to the word.
        room = width - len(many) - cell_len(f" {sign(view.player)}  {word}")
        name = _shortened(names.name(view.player), room)
        left = f" {sign(view.player)} {name} {word}"
    else:
        left = f" {number} {word}"
    style = f"bold $state-ink on ${colour}" if colour else "bold $words on $strip"
    row = Content.styled(padded(fit(left, width - len(many)), width - len(many)) + many, style)
    big_word = left.strip()
    if height < TALL or big_width(big_word) > width - 2 - len(many):
        return [row]
    letters = ["", *big(big_word)]
    rows = [f" {line}".ljust(width - len(many)) + " " * len(many) for line in letters]
    rows[2] = rows[2][: width - len(many)] + many
    return [Content.styled(line, style) for line in rows]


def _centred(rows: tuple[Content, ...], width: int) -> list[Content]:
    """Equally wide rows, centred in `width` columns."""
    pad = " " * max(0, (width - rows[0].cell_length) // 2)
    return [Content.assemble(pad, row) for row in rows]


def _sleeper(view: PlaceView, width: int, room: int) -> list[Content]:
    """Rows with the picture and name of a place's sleeper.

    If layers are turned up, bars with their names replace the picture. `width`, `room`: columns and rows.
    """
    name = Content.styled(_middle(view.name or tr("nobody yet"), width), "bold" if view.name else "$muted")
    space = room - 1
    if view.shown:
        return [*_laid_open(view, width, space), name]
    sizes = ((2, (2 * LARGE[0], LARGE[1])), (1, (LARGE[0], LARGE[1] // 2)), (0, (SMALL[0], SMALL[1] // 2)))
    size = next((n for n, (columns, rows) in sizes if columns <= width and rows <= space), 0)
    rows = _centred(sleeper_picture(view.badge, view.colour, view.look, view.count, size), width)
    return [Content("")] * (space - len(rows)) + rows[-space:] + [name]


def _laid_open(view: PlaceView, width: int, room: int) -> list[Content]:
    """Sleeper's turned-up layers as named bars, between bedposts.

    A sleeper proved asleep lies on top if `room` (rows) suffices. Bars without room are counted in a row.
    """
    size = next((n for n in (2, 1) if width >= n * LARGE[0] and room >= n * LARGE[1] // 2), 0)
    post = "██" * size or "█"
    wide = min(width - 2 * len(post), size * (LARGE[0] - 4) or SMALL[0] - 2)
    pad = " " * ((width - wide - 2 * len(post)) // 2)
    wood = Content.styled(post, "$art-wood")
    names = list(reversed(view.shown))
    top = sleeper_alone(view.colour, view.look, size) if view.badge == "asleep" else ()
    if len(top) + len(names) > room and room < len(top) + 3:
        top = ()
    rest = len(names) - (room - len(top))
    names = names[: room - len(top) - 1] if rest > 0 else names
    rows = [Content.assemble(pad, wood, row) for row in top]
    for name in names:
        own = name.lstrip("*") == view.name and view.colour in COLOURS
        colour = view.colour if own else PLAIN
        layer = Content.styled(_middle(name, wide), f"bold ${colour}-ink on ${colour}")
        rows.append(Content.assemble(pad, wood, layer, wood))
    if rest > 0:
        rows.append(Content.styled(_middle(tr("and {number} more", number=rest + 1), width), "$muted"))
    return [*[Content("")] * (room - len(rows)), *rows]


def _middle(text: str, width: int) -> str:
    """Name centred in `width` columns, shortened if too long.

    A number at its end stays.
    """
    return _shortened(text, width).center(width)


def _shortened(name: str, width: int) -> str:
    """Name in at most `width` columns; a number at its end stays."""
    head, _, number = name.rpartition(" ")
    if len(name) > width and number.isdigit():
        name = f"{head[: max(0, width - len(number) - 2)]}. {number}"
    return fit(name, width)


def _said(view: PlaceView, width: int) -> list[Content]:
    """Rows of words on a player's cards and points, three at most."""
    return [Content.styled(f" {row}", "bold") for row in textwrap.wrap(view.name, max(1, width - 2))[:3]]


def _realm(view: PlaceView, width: int, room: int, largest: int) -> list[Content]:
    """Rows with a player's cards and points: words, progress, cards.

    `width`, `room`: columns and rows. Cards are drawn in the largest size up to `largest` (index into SIZES)
    that fits; else they overlap, else they are bars with names.
    """
    words = _said(view, width)
    rows = _with_bar(words, view, width)
    for size in range(largest, -1, -1):
        # The words tell what the bar shows: it gives way to the cards.
        for above in (rows, words):
            if drawn := _drawn(view.cards, width, room - len(above), size):
                return [*above, *drawn]
    if fanned := _fanned(view.cards, width, room - len(words)):
        return [*words, *fanned]
    space = room - len(rows)
    colours = [card.colour for card in view.cards]
    cards = list(zip_longest(view.shown, colours[: len(view.shown)], fillvalue=""))
    columns = max(1, width // 26) if len(cards) > space else 1
    each = width // columns
    chips = []
    for name, colour in cards:
        look = colour if colour in COLOURS else "pink"
        chip = f" {fit(name, each - 3)}".ljust(each - 1)
        chips.append(Content.styled(chip, f"bold ${look}-ink on ${look}"))
    lines = [
        Content.assemble(" ", Content(" ").join(chips[at : at + columns]))
        for at in range(0, len(chips), columns)
    ]
    if len(lines) > space > 0:
        hidden = len(cards) - (space - 1) * columns
        lines = [*lines[: space - 1], Content.styled(" " + tr("and {number} more", number=hidden), "$muted")]
    return [*rows, *lines]


def _with_bar(words: Sequence[Content], view: PlaceView, width: int) -> list[Content]:
    """Words, and a player's progress bar beside or below.

    Below if `width` columns do not suffice. The words alone for a place without progress.
    """
    if view.progress is None:
        return list(words)
    colour = ground(view.player)
    beside = width - 2 - words[-1].cell_length if words else 0
    if beside < LEAST_BAR:
        return [*words, _progress(*view.progress, width - 2, colour)]
    return [*words[:-1], Content.assemble(words[-1], " ", _progress(*view.progress, beside - 1, colour))]


def _deep(cards: Sequence[CardView], width: int, room: int, size: int) -> int:
    """Number of rows in which cards of one size lie; 0 if they do not fit.

    `width`, `room`: columns and rows of text. `size`: index into SIZES.
    """
    deep = len(_in_rows(cards, width, size))
    return deep if room >= deep * SIZES[size][1] else 0


def _drawn(cards: Sequence[CardView], width: int, room: int, size: int) -> list[Content]:
    """Cards drawn side by side as rows of text; [] if they do not fit.

    `width`, `room`: columns and rows of text. An empty row stands above each row of cards if there is room.
    `size`: index into SIZES.
    """
    deep = _deep(cards, width, room, size)
    if not deep:
        return []
    gap = [Content("")] if room >= deep * (SIZES[size][1] + 1) else []
    found: list[Content] = []
    for row in _in_rows(cards, width, size):
        found += [*gap, *_side_by_side(row, size)]
    return found


def _wide_of(card: CardView, size: int) -> int:
    """Columns of a drawn card, as in SIZES or as its longer name needs.

    `size`: index into SIZES.
    """
    return max(SIZES[size][0], len(card.name))


def _in_rows(cards: Sequence[CardView], width: int, size: int) -> list[list[CardView]]:
    """Cards shared out to as few rows as possible.

    A row takes at most `width` columns. `size`: index into SIZES. [] if one card is too wide for a row.
    """
    rows: list[list[CardView]] = []
    used = width
    for card in cards:
        wide = _wide_of(card, size) + 1
        if wide > width - 1:
            return []
        if used + wide > width - 1:
            rows.append([])
            used = 0
        rows[-1].append(card)
        used += wide
    return rows


def _side_by_side(cards: Sequence[CardView], size: int, height: int = 0) -> list[Content]:
    """Cards drawn in one row, as rows of text.

    `height`: rows of each card; 0 for those of SIZES.
    """
    faces = [card_face(card, size, _wide_of(card, size), height) for card in cards]
    rows = (Content(" ").join(face[y] for face in faces) for y in range(height or SIZES[size][1]))
    return [Content.assemble(" ", row) for row in rows]


def _fanned(cards: Sequence[CardView], width: int, room: int) -> list[Content]:
    """Overlapping cards drawn as rows of text; [] if they do not fit.

    All rows of cards but the last show only names. `width`, `room`: columns and rows of text.
    """
    rows = _in_rows(cards, width, 0)
    if not rows:
        return []
    *hidden, last = rows
    tall = min(SIZES[0][1], room - len(hidden))
    if tall < LEAST_TALL:
        return []
    shown: list[Content] = []
    for row in hidden:
        bars = [
            Content.styled(card.name.center(_wide_of(card, 0)), f"bold ${colour}-ink on ${colour}")
            for card in row
            for colour in (card.colour if card.colour in COLOURS else PLAIN,)
        ]
        shown.append(Content.assemble(" ", Content(" ").join(bars)))
    return [*shown, *_side_by_side(last, 0, tall)]


def _progress(has: int, full: int, width: int, colour: str) -> Content:
    filled = min(width, has * width // max(1, full))
    return Content.assemble(" ", ("█" * filled, f"${colour}-text"), ("░" * (width - filled), "$line"))
