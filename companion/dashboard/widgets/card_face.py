"""An open card: its ground has the colour of the printed one, its value is large and counted in pips."""

from collections.abc import Mapping
from functools import cache

from textual.content import Content

from companion.dashboard.labels import fit
from companion.dashboard.themes import COLOURS, PLAIN
from companion.dashboard.widgets.big_letters import big, big_width
from companion.dashboard.widgets.pixels import CLEAR, laid_over, picture, scaled
from companion.session.stream.events import CardView

WIDTH, HEIGHT = 8, 6
"""WIDTH, HEIGHT: size in pixels of a queen's or cat's picture on a card; large cards draw it twice as
large."""
_CROWN = ("c.c.c", "ccccc")
_HEADS = (
    ("hhhhh", "heseh", "hsmsh", "hiiih"),
    ("hhhhh", "seses", "ssmss", ".iii."),
    ("hsssh", "seses", "hsmsh", "hiiih"),
)
"""_HEADS: pictures of queens' heads below the crown, with long hair, short hair and curls, as rows of
pixels."""
_SIGN_AT = (5, 1)
"""_SIGN_AT: (column, row) of a sign in a card's picture. It is visible even if other cards overlap this one."""
SIGNS: Mapping[str, tuple[str, ...]] = {
    "rose": (".r.", "rrr", ".l."),
    "cake": (".r.", "www", "nnn"),
    "rainbow": ("rrr", "ggg", "bbb"),
    "starfish": (".o.", "ooo", "o.o"),
    "ladybug": (".k.", "rkr", "rkr"),
    "moon": (".gg", "g..", ".gg"),
    "peacock": ("blb", "lgl", "blb"),
    "sunflower": (".g.", "gng", ".g."),
    "cat": ("a.a", "aaa", ".a."),
    "dog": ("n..", "nnn", "n.n"),
    "pancake": ("nnn", "ggg", "nnn"),
    "heart": ("r.r", "rrr", ".r."),
    "mark a": (".r.", "r.r", ".r."),
    "mark b": ("bbb", "b.b", "bbb"),
    "mark c": ("l.l", ".l.", "l.l"),
    "mark d": (".k.", "kkk", ".k."),
    "mark e": ("ooo", ".o.", ".o."),
    "mark f": ("w.w", "w.w", "www"),
    "mark *": ("r.b", ".w.", "l.o"),
}
"""SIGNS: thing that a queen is named after -> its picture, 3 x 3 pixels.

They stand for the marks of the game's words, which are not printed on cards: a queen and a companion with
equal marks belong together; `mark *` goes with all.
"""
_CAT = ("i...i", "ii.ii", "iiiii", "ikiki", "iimii", ".iii.")
_CROWNS = ("art-gold", "art-lip", "art-leaf", "indigo-deep", "art-linen")
_HAIRS = 4


def queen_pixels(look: int, sign: str = "", *, asleep: bool = False) -> tuple[str, ...]:
    """Queen's picture as rows of pixels, one letter each (HEIGHT x WIDTH).

    `look`: number of the queen; 0 to 11 differ in head or colours (`queen_colours`). `sign`: name in SIGNS, or
    "". `asleep`: True for closed eyes.
    """
    head = _HEADS[look % len(_HEADS)]
    if asleep:
        head = (head[0], head[1].replace("e", "s"), f"{head[2][0]}ese{head[2][4]}", head[3])
    return _beside_sign((*_CROWN, *head), sign)


def cat_pixels(sign: str = "") -> tuple[str, ...]:
    """Cat's picture as rows of pixels, one letter each (HEIGHT x WIDTH).

    `sign`: name in SIGNS, or "".
    """
    return _beside_sign(_CAT, sign)


def _beside_sign(figure: tuple[str, ...], sign: str) -> tuple[str, ...]:
    drawn = laid_over((CLEAR * WIDTH,) * HEIGHT, figure, 0 if sign in SIGNS else 1, 0)
    return laid_over(drawn, SIGNS.get(sign, ()), *_SIGN_AT)


def queen_colours(look: int) -> Mapping[str, str]:
    """Theme colours of one queen: letter of a pixel -> name of its colour.

    Letters are "c" (crown), "h" (hair) and "s" (skin). `look`: number of the queen, which decides on them.
    """
    return {
        "c": _CROWNS[2 * look % len(_CROWNS)],
        "h": f"art-hair-{look % _HAIRS + 1}",
        "s": "art-skin-dark" if look % 5 == 3 else "art-skin",
    }


SIZES = ((9, 4), (16, 8), (24, 12))
"""SIZES: (columns, rows) of a drawn card: small, large, huge."""
LEAST_REST = 4
"""LEAST_REST: least letters of a broken word that go on its second row."""

SYMBOLS: Mapping[str, tuple[str, ...]] = {
    "hat": ("...k...", "..kk...", "..kkk..", ".kkkkk.", ".gggGg.", "kkkkkkk"),
    "cloth": (".iiiii.", "iwiwiwi", "wiwiwiw", "iwiwiwi", "wiwiwiw", ".i.i.i."),
    "crown": (".......", "g..g..g", "gg.g.gg", "ggggggg", "grgbgrg", "ggggggg"),
    "queen": queen_pixels(0),
    "sleeping queen": queen_pixels(0, asleep=True),
    "helmet": ("...i...", "..www..", ".wwwww.", ".wkkkw.", ".wwwww.", "..www.."),
    "bottle": ("..nnn..", "...w...", "..www..", ".wiiiw.", ".iiiii.", "..iii.."),
    "cap": ("r.....b", "rr.g.bb", ".rrgbb.", ".rrgbb.", ".sssss.", "..sss.."),
    "dragon": ("l..l...", "lllll..", "lklkll.", "lllllll", ".rrlll.", "..llll."),
    "wand": (".....g.", "....ggg", ".....g.", "...n...", "..n....", ".n....."),
    "gnome": ("...r...", "..rrr..", ".rrrrr.", ".sksks.", ".wwwww.", "..www.."),
    "tree": (".lllll.", "lllllll", "l.lnl.l", "l..n..l", "...n...", "..nnn.."),
    "book": (".......", "iiiiiii", "iwwiwwi", "iwwiwwi", "iwwiwwi", "iiiiiii"),
    "cat": cat_pixels(),
}
"""SYMBOLS: symbol on a card, as in CardView.symbol -> its picture as rows of pixels.

7 x 6 pixels, one letter each. Queens and cats have pictures of their own, of 8 columns.
"""
CAT, QUEENS = "cat", ("queen", "sleeping queen")
GOLDEN = ("amber", "yellow")
"""GOLDEN: colours of cards on which gold cannot be seen."""
_RIM = "$muted on $cloth"
_INKS = {
    "k": "art-line",
    "g": "art-gold",
    "G": "art-leaf",
    "w": "art-linen",
    "r": "art-lip",
    "b": "indigo-deep",
    "n": "art-wood",
    "s": "art-skin",
    "e": "art-line",
    "m": "art-lip",
    "o": "art-hair-3",
    "a": "art-steel",
    "l": "art-leaf",
}
"""_INKS: letter of a pixel in a card's picture -> name of its theme colour."""


def symbol_pixels(card: CardView) -> tuple[str, ...]:
    """Card's picture as rows of pixels, one letter each.

    `symbol_colours` has the colours of the letters. KeyError if the card's symbol is unknown.
    """
    if card.symbol in QUEENS:
        return queen_pixels(card.look, card.sign, asleep=card.symbol != QUEENS[0])
    return cat_pixels(card.sign) if card.symbol == CAT else SYMBOLS[card.symbol]


def symbol_colours(card: CardView) -> Mapping[str, str]:
    """Theme colours of a card's picture: letter of a pixel -> name of its colour.

    A clear pixel "." has the card's own colour.
    """
    colour = card.colour if card.colour in COLOURS else PLAIN
    inks = {**_INKS, **queen_colours(card.look), "i": f"{colour}-deep", ".": colour}
    if colour not in GOLDEN:
        return inks
    return {pixel: f"{colour}-deep" if name == _INKS["g"] else name for pixel, name in inks.items()}


@cache
def card_face(card: CardView, size: int, width: int = 0, height: int = 0) -> tuple[Content, ...]:
    """Open card drawn as rows of text.

    `size`: index into SIZES. `width`, `height`: other columns and rows; 0 for those of SIZES. With fewer rows
    a card loses its pips or the lower part of its picture; crown, value and name stay.
    """
    usual, tall = SIZES[size]
    width, height = width or usual, height or tall
    colour = card.colour if card.colour in COLOURS else PLAIN
    style = f"bold ${colour}-ink on ${colour}"
    if card.kind.isdigit():
        rows = _value(card.kind, width, size, style)
    elif card.symbol in SYMBOLS and len(card.name) <= width:
        *drawn, name = _symbol(card, colour, width, size, style)
        rows = [*drawn[: height - 1], name]
    else:
        rows = [Content.styled(line, style) for line in _words(card.name, width, height)]
    blank, rows = Content.styled(" " * width, style), rows[:height]
    above = (height - len(rows)) // 2
    return tuple([blank] * above + rows + [blank] * (height - len(rows) - above))


@cache
def card_back(count: int, size: int) -> tuple[Content, ...]:
    """Pile of `count` cards face down, as text rows.

    Its top card shows the number. `size`: index into SIZES.
    """
    width, height = SIZES[size]
    rim = Content.styled("▒" * width, _RIM)
    side = "▒" * size
    inside = width - 2 * size
    rows = big(str(count), size + 1 if big_width(str(count), size + 1) + 4 * size <= inside else size)
    above = (height - 2 - len(rows)) // 2 if size else 0
    below = height - 2 - len(rows) - above if size else 0
    drawn = [
        Content.assemble((side, _RIM), (f"{row:^{inside}}", "bold $words on $cloth"), (side, _RIM))
        for row in (*[""] * above, *rows, *[""] * below)
    ]
    return (rim, *drawn, rim) if size else (*drawn, rim)


def no_card(size: int) -> tuple[Content, ...]:
    """Empty outline of a card, as text rows.

    `size`: index into SIZES.
    """
    width, height = SIZES[size]
    inside = "│" + " " * (width - 2) + "│"
    rows = ["┌" + "─" * (width - 2) + "┐", *[inside] * (height - 2), "└" + "─" * (width - 2) + "┘"]
    return tuple(Content.styled(row, "$line") for row in rows)


def _value(kind: str, width: int, size: int, style: str) -> list[Content]:
    rows = [row.center(width) for row in big(kind, size + 1)]
    if size:
        rows = ["", *rows, *(row.center(width) for row in _pips(int(kind)))]
    else:
        rows.append(_dots(int(kind)).center(width))
    return [Content.styled(f"{row:<{width}}", style) for row in rows]


def _pips(value: int) -> list[str]:
    """Two rows with the pips of a card's value (at most 10), one for each unit.

    Up to 5 pips stand in the upper row alone; more are shared about equally.
    """
    upper = min(5, value) if value <= 5 else (value + 1) // 2
    return [" ".join("●" * upper), " ".join("●" * (value - upper))]


def _dots(value: int) -> str:
    """Row of pips for a card's value (at most 10); a colon counts two."""
    return ":" * (value // 2) + "·" * (value % 2)


def _symbol(card: CardView, colour: str, width: int, size: int, style: str) -> list[Content]:
    pixels, inks = symbol_pixels(card), symbol_colours(card)
    # The picture is drawn on the card: its clear pixels have the card's colour.
    solid = tuple(row.replace(".", "_") for row in scaled(pixels, size + 1))
    drawn = picture(solid, {**inks, "_": colour})
    before = (width - len(solid[0])) // 2
    after = width - len(solid[0]) - before
    pad = [Content.styled(" " * count, style) for count in (before, after)]
    rows = [Content.assemble(pad[0], row, pad[1]) for row in drawn]
    return [*rows, Content.styled(fit(card.name, width).center(width), style)]


def _words(name: str, width: int, height: int) -> list[str]:
    """Rows with the name of a card, one word each, in the middle of `width` columns.

    A longer word continues in the next row. At most `height` rows.
    """
    rows: list[str] = []
    for word in name.split():
        rest = word
        while len(rest) > width and len(rows) < height - 1:
            # No line begins with fewer than LEAST_REST letters: not couvertu-re.
            at = min(width - 1, max(1, len(rest) - LEAST_REST))
            rows.append(f"{rest[:at]}-")
            rest = rest[at:]
        rows.append(fit(rest, width))
    return [row.center(width) for row in rows[:height]]
