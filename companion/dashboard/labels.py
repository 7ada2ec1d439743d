"""Labels of the screens: badges, verdicts, answers, keys.

All signs exist in every console font.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from rich.cells import cell_len, set_cell_size

from companion.core.config import LONGEST_NAME
from companion.core.language import localized, term, text, tr
from companion.dashboard.player_names import PlayerNames

if TYPE_CHECKING:
    from companion.dashboard.model import PublicModel

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
"""BADGES: state of a place, as in PlaceView.badge -> its word on the screen; "" for no word."""

BADGE_GROUNDS = {"awake": "awake", "asleep": "asleep", "out": "out", "unknown": "out", "won": "yes"}
"""BADGE_GROUNDS: state of a place, as in PlaceView.badge -> name of the theme colour behind the word for
it."""

VERDICT_GROUNDS = {"proved": "good", "refuted": "bad", "cannot tell": "warn"}
"""VERDICT_GROUNDS: verdict on a claim -> name of the theme colour behind its word."""

ANSWERS = {
    "yes": ("y", text("yes"), "answer(True)"),
    "no": ("n", text("no"), "answer(False)"),
    "table_is_right": ("t", text("the table is right"), "table_is_right"),
    "companion_is_right": ("o", text("what to put right"), "companion_is_right"),
    "undo": ("u", text("undo"), "undo"),
    "turn": ("g", text("whose turn"), "turn"),
}
"""ANSWERS: option of the engine's question, as in Question.options -> (key, label, action of the app with its
arguments)."""

MARKS = {"move": " ", "claim": "!", "notice": "i", "repair": "~", "fault": "x", "end": "*"}
"""MARKS: kind of a sentence in the log (Said.kind) -> sign before it."""

PROVISIONAL = "provisional"
"""PROVISIONAL: kind of a sentence in the log that the engine may still revise."""
MARK_STYLES = {
    PROVISIONAL: "$muted italic",
    "claim": "bold",
    "repair": "$muted",
    "fault": "bold $bad",
    "end": "bold $good",
}
"""MARK_STYLES: kind of a sentence in the log -> its text style; kinds left out are plain."""

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
    """Game's name as a title: "a-game" becomes "A Game"."""
    return name.replace("-", " ").replace("_", " ").title()


_VARIANTS = {"basic": term("variant", "basic")}


def variant_title(name: str) -> str:
    """Name of a game's variant in the reader's language.

    `name`: the variant's English name; without a translation it stays as it is.
    """
    return localized(_VARIANTS.get(name, name))


def with_colon(name: str) -> str:
    """`name` with a colon in the reader's language; French puts a space before it."""
    return tr("{name}:", name=name)


def begun(line: str) -> str:
    """`line` with a capital first letter, as a sentence begins."""
    return line[:1].upper() + line[1:]


def fit(text: str, width: int) -> str:
    """Shorten `text` to `width` columns; a final ".." shows cuts."""
    return text if cell_len(text) <= width else f"{set_cell_size(text, max(0, width - 2))}.."


_PATH = re.compile(r"(?:^|:? )/[^\s;,]+")
"""_PATH: absolute path of a file or a device in a sentence."""


def without_paths(detail: str) -> str:
    """Sensor's fault in words, without file and port names.

    `detail`: the words.
    """
    return _PATH.sub("", detail).strip()


def padded(text: str, width: int) -> str:
    """`text` with spaces at its end, `width` columns in all.

    Letters of some scripts take two columns. A longer text stays as it is.
    """
    return text + " " * (width - cell_len(text))


def in_sight(rows: Sequence[T], at: int, room: int) -> Sequence[T]:
    """Part of a list of rows that fits on the screen, around one row.

    At most `room` neighbouring `rows`, with row `at` (from 0) as near to the middle as possible.
    """
    first = max(0, min(at - room // 2, len(rows) - room))
    return rows[first : first + room]


OPEN_CLAIM = text("Claim waits for cards: {claim}")
"""OPEN_CLAIM: sentence on a claim whose verdict needs further cards."""
NEW_GAME = text("The game is over. Does a new one lie there?")
"""NEW_GAME: question after a scored game, once cards lie on the table again."""
PARTY = text("A game is on. End it for the next party?")
"""PARTY: question before a running game ends for other people."""
PARTY_ENDS = text("yes: it ends unscored, and the names are forgotten")
"""PARTY_ENDS: answer that confirms PARTY."""
TAKE_BACK = text("Take this back? {what}")
"""TAKE_BACK: question before a verdict is taken back."""
ENDS_GAME = text("A game is on, it ends: a new game on the virtual table?")
"""ENDS_GAME: question before a new game at a virtual table replaces a running one."""
STAYS_SAID = text("yes; but what was said stays said")
"""STAYS_SAID: answer that confirms TAKE_BACK for a verdict."""


def beside_name(typed: str) -> str:
    """Note beside a name field: its most letters, once it is full; else ""."""
    return tr("{most} letters at most", most=LONGEST_NAME) if len(typed) >= LONGEST_NAME else ""


def kept_on_leaving(model: "PublicModel", *, virtual: bool) -> str:
    """What leaving keeps of a game whose engine ends with the screen, as a choice's words.

    `virtual`: True at a virtual table.
    """
    if model.unkept or not model.recorded:
        return tr("quit; nothing of this game is kept")
    if model.unwritten:
        return tr("quit; the disk refuses the end of this game: once more is tried, then it is lost")
    if virtual:
        return tr("quit; a virtual game can be watched again, not gone on with")
    return tr("quit; the game so far is kept")


def new_games(players: int, names: PlayerNames) -> tuple[list[tuple[int, str]], str]:
    """Answers to the question NEW_GAME: ([(player, words of yes), ...], words of no).

    Each yes names the `player` (from 1) whose turn begins the new game. The last one has player 0: the cards
    are still being laid out. `players`: number of players.
    """
    begin = [
        (player, tr("yes, and {who} begins a turn", who=names.name(player))) for player in range(1, players + 1)
    ]
    return [*begin, (0, tr("yes, it is being laid out"))], tr("no: it is still the same game")


THEME_NAMES = {
    "night": term("theme", "night"),
    "day": term("theme", "day"),
    "contrast": term("theme", "contrast"),
}
"""THEME_NAMES: name of a theme -> its name for people, to be translated."""
