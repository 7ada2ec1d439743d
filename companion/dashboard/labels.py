"""Labels of the screens: badges, verdicts, answers, keys. All signs exist in every console font."""

import re
from collections.abc import Sequence
from typing import TypeVar

from rich.cells import cell_len, set_cell_size

from companion.core.language import localized, term, text, tr
from companion.dashboard.player_names import PlayerNames

T = TypeVar("T")

BADGES = {
    "awake": text("AWAKE"),
    "asleep": text("ASLEEP"),
    "out": text("OUT"),
    "unknown": text("NOT KNOWN"),
    "won": text("WINS"),
    "player": "",
    "": "",
}
"""Badge of a place -> its word on the screen."""

BADGE_GROUNDS = {"awake": "awake", "asleep": "asleep", "out": "out", "unknown": "out", "won": "yes"}
"""Badge of a place -> colour of the theme behind its word."""

VERDICT_GROUNDS = {"proved": "good", "refuted": "bad", "cannot tell": "warn"}
"""Verdict -> colour of the theme."""

ANSWERS = {
    "yes": ("y", text("yes"), "answer(True)"),
    "no": ("n", text("no"), "answer(False)"),
    "table_is_right": ("t", text("the table is right"), "table_is_right"),
    "companion_is_right": ("o", text("what to put right"), "companion_is_right"),
    "undo": ("u", text("undo"), "undo"),
    "turn": ("g", text("whose turn"), "turn"),
}
"""Option of a question -> its key, its label, and the app's action."""

MARKS = {"move": " ", "claim": "!", "notice": "i", "repair": "~", "fault": "x", "end": "*"}
"""Kind of a sentence -> the sign before it."""

PROVISIONAL = "provisional"
"""Kind of a sentence that may still be revised."""
MARK_STYLES = {
    PROVISIONAL: "$muted italic",
    "claim": "bold",
    "repair": "$muted",
    "fault": "bold $bad",
    "end": "bold $good",
}

HELP = text("""\
[b]The companion watches. Play as you like: it never holds up the game.[/b]

[b]c[/b]  claim what the game lets you claim, then its number, then y
[b]u[/b]  undo the last action that was noted; a verdict only when you confirm it
[b]t[/b]  the table is right: take over what lies there, and whose turn begins
[b]g[/b]  say whose turn begins, nothing else
[b]o[/b]  the companion is right: it says what to put back
[b]p[/b]  pause the companion, and go on      [b]y n[/b]  yes, no: when it asks
[b]h[/b]  a hint; h again: more of it, at last the move      [b]esc[/b]  put it away
[b]k[/b]  a hint on the cards you tell    [b]w[/b]  tell what only you can know
[b]a[/b]  hints at every move, or only when asked    [b]F3[/b]  on phones
[b]l[/b]  log, link to the board    [b]f[/b]  the final score; end the game here
[b]F1 ?[/b]  this page    [b]ctrl+p[/b]  all commands    [b]F2[/b]  other colours
[b]F4[/b]  settings    [b]F5 F7[/b]  sensors    [b]F6[/b]  teach me    [b]F8[/b]  next party    [b]q[/b]  quit

Above: ● well   ○ waits for hands to leave   x fails

At a virtual table also:
[b]space[/b]  pause the players, and go on      [b].[/b]  one step while paused
[b]+ -[/b]  faster, slower                      [b]r[/b]  a new game, with a seed
[b]s[/b]  take a seat, give it back           [b]m[/b]  hide and show your hand
[b]x[/b]  break a part of the rig, mend it""")


def title(name: str) -> str:
    """`a-game` -> `A Game`."""
    return name.replace("-", " ").replace("_", " ").title()


_VARIANTS = {"basic": term("variant", "basic")}


def variant_title(name: str) -> str:
    """The name of a variant for a screen; one whose name is no word stays as it is."""
    return localized(_VARIANTS.get(name, name))


def with_colon(name: str) -> str:
    """A name before what belongs to it: with a colon, as each language sets it."""
    return tr("{name}:", name=name)


def begun(line: str) -> str:
    """A line that stands alone begins with a capital, whatever its first word is elsewhere."""
    return line[:1].upper() + line[1:]


def fit(text: str, width: int) -> str:
    """`text` truncated to `width` columns, with a sign where something is missing."""
    return text if cell_len(text) <= width else f"{set_cell_size(text, max(0, width - 2))}.."


_PATH = re.compile(r"(?:^|:? )/[^\s;,]+")
"""Where a file or a device is."""


def without_paths(detail: str) -> str:
    """What is wrong with a sensor without the path of a file or a port: the log has it."""
    return _PATH.sub("", detail).strip()


def padded(text: str, width: int) -> str:
    """`text` with spaces up to `width` columns: letters of some scripts take two."""
    return text + " " * (width - cell_len(text))


def in_sight(rows: Sequence[T], at: int, room: int) -> Sequence[T]:
    """At most `room` neighbouring rows, row number `at` (from 0) among them: all rows, if they fit."""
    first = max(0, min(at - room // 2, len(rows) - room))
    return rows[first : first + room]


OPEN_CLAIM = text("Claim waits for cards: {claim}")
NEW_GAME = text("The game is over. Does a new one lie there?")
PARTY = text("A game is on. End it for the next party?")
PARTY_ENDS = text("yes: it ends unscored, and the names are forgotten")
TAKE_BACK = text("Take this back? {what}")
STAYS_SAID = text("yes; but what was said stays said")
"""STAYS_SAID: the answer to TAKE_BACK, of a verdict."""


def new_games(players: int, names: PlayerNames) -> tuple[list[tuple[int, str]], str]:
    """The answers to NEW_GAME: who begins a turn (0: it is being laid out) with the sentence; and the no."""
    begin = [
        (player, tr("yes, and {who} begins a turn", who=names.name(player))) for player in range(1, players + 1)
    ]
    return [*begin, (0, tr("yes, it is being laid out"))], tr("no: it is still the same game")


THEME_NAMES = {
    "night": term("theme", "night"),
    "day": term("theme", "day"),
    "contrast": term("theme", "contrast"),
}
"""Name of a theme -> what people call it."""
