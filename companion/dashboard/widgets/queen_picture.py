"""A queen or a cat on a card, and beside her a sign: what she is named after, or a mark that both share."""

from collections.abc import Mapping

from companion.dashboard.widgets.pixels import CLEAR, laid_over

WIDTH, HEIGHT = 8, 6
"""WIDTH, HEIGHT: pixels of a picture. A small card has room for it once, a large one twice as large."""
_CROWN = ("c.c.c", "ccccc")
_HEADS = (
    ("hhhhh", "heseh", "hsmsh", "hiiih"),
    ("hhhhh", "seses", "ssmss", ".iii."),
    ("hsssh", "seses", "hsmsh", "hiiih"),
)
"""Long hair, short hair, curls: below the crown."""
_SIGN_AT = (5, 1)
"""Column and row of the sign: what a card that others cover shows of its picture still has it."""
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
"""What a queen may be named after -> its picture, 3 x 3 pixels. Marks are no printed symbols: they say which
queens and companions have the same one; `mark *` goes with all."""
_CAT = ("i...i", "ii.ii", "iiiii", "ikiki", "iimii", ".iii.")
_CROWNS = ("art-gold", "art-lip", "art-leaf", "indigo-deep", "art-linen")
_HAIRS = 4


def queen_pixels(look: int, sign: str = "", *, asleep: bool = False) -> tuple[str, ...]:
    """The picture in rows of pixels, a letter each; `queen_colours` names those that differ between queens.

    `look`: her number; 0 to 11 all differ. `sign`: one of SIGNS, or empty. `asleep`: her eyes are closed.
    """
    head = _HEADS[look % len(_HEADS)]
    if asleep:
        head = (head[0], head[1].replace("e", "s"), f"{head[2][0]}ese{head[2][4]}", head[3])
    return _beside_sign((*_CROWN, *head), sign)


def cat_pixels(sign: str = "") -> tuple[str, ...]:
    """A cat with one of SIGNS, in rows of pixels."""
    return _beside_sign(_CAT, sign)


def _beside_sign(figure: tuple[str, ...], sign: str) -> tuple[str, ...]:
    drawn = laid_over((CLEAR * WIDTH,) * HEIGHT, figure, 0 if sign in SIGNS else 1, 0)
    return laid_over(drawn, SIGNS.get(sign, ()), *_SIGN_AT)


def queen_colours(look: int) -> Mapping[str, str]:
    """Pixel -> name of its colour in the theme, for what differs between queens."""
    return {
        "c": _CROWNS[2 * look % len(_CROWNS)],
        "h": f"art-hair-{look % _HAIRS + 1}",
        "s": "art-skin-dark" if look % 5 == 3 else "art-skin",
    }
