"""One place as text: its name, its state in words and signs, and its public cards."""

from textual.content import Content

from companion.dashboard.labels import BADGE_STYLES, BADGES, FACES, PORTRAITS, fit
from companion.dashboard.widgets.big_letters import big, big_width
from companion.session.events import PlaceView

ROOMY = 26
"""ROOMY: columns inside a box from which on its word fits in big letters."""


def place_box(view: PlaceView, width: int, height: int) -> Content:
    """A place in a box of `width` by `height`, with big letters if they fit."""
    word = BADGES.get(view.badge, view.badge.upper())
    style = BADGE_STYLES.get(view.badge, "")
    name_style = "dim" if view.badge == "out" else "bold"
    rows: list[tuple[str, str]] = [(fit(view.name, width) or "(nobody yet)", name_style)]
    shown = [_stacked(name, width) for name in reversed(view.shown)]
    crown, face, small = FACES.get(view.badge, FACES[""])
    if height >= 9 and width >= ROOMY:
        huge = PORTRAITS.get(view.badge, ()) if height >= 15 else ()
        if face or crown:
            rows += [("", ""), *([(row, style) for row in huge] or _portrait(view.badge, crown, face, style))]
        letters = big(word) if big_width(word) <= width else [word]
        rows += [("", ""), *((row, style) for row in letters)] if word else []
        rows += [("", "")] if len(rows) + len(shown) < height else []
    elif shown:
        rows.append((f"{small} {word}", style))
    else:
        rows += [(crown, style), (face, style), (word, style)]
    rows += [(text, "") for text in shown]
    if view.count is not None and not shown:
        rows.append((f"{view.count} card{'' if view.count == 1 else 's'}", ""))
    if shown and len(rows) > height:
        rows = [*rows[: height - 1], (f"and {len(rows) - height + 1} more", "dim")]
    return Content("\n").join(
        Content.styled(text.center(width).rstrip(), row_style) for text, row_style in rows[:height]
    )


def _portrait(badge: str, crown: str, face: str, style: str) -> list[tuple[str, str]]:
    """Crown and face. The sign of sleep must not move the face."""
    if not face:
        return [(crown, style)]
    head, _, rest = face.partition(")")
    tail = f"){rest}"
    pad = " " * (len(tail) - 1)
    return [(crown, style), (f"{pad}{head}{tail}", style)] if badge else [(face, "dim")]


def _stacked(name: str, width: int) -> str:
    """A card seen from the side, with its name."""
    text = fit(name, width - 4 if width >= 20 else width)
    return f"[{text.center(min(width - 2, 18))}]" if width >= 20 else text
