"""Labels of the screens: badges, verdicts, keys. All signs exist in every console font."""

FACES = {
    "awake": ("\\/\\/\\/", "( o o )", "(o o)"),
    "asleep": ("\\/\\/\\/", "( - - ) zZ", "(- -)"),
    "out": ("      ", "( > < )", "(> <)"),
    "unknown": ("\\/\\/\\/", "( ? ? )", "(? ?)"),
    "player": ("", "", ""),
    "won": ("\\/\\/\\/", "", ""),
    "": ("      ", "(     )", "(   )"),
}
"""Badge of a place -> crown, face, and a small face."""

PORTRAITS = {
    "awake": (" /\\/\\/\\ ", "(      )", "( O  O )", "(  ==  )", " `----' "),
    "asleep": (" /\\/\\/\\ ", "(      )", "( -  - )", "(  ..  )", " `----' "),
    "out": ("        ", "(      )", "( >  < )", "(  ~~  )", " `----' "),
}
"""Badge of a place -> a face for large screens."""

BADGES = {
    "awake": "AWAKE",
    "asleep": "ASLEEP",
    "out": "OUT",
    "unknown": "NOT KNOWN",
    "won": "WINS",
    "player": "",
    "": "",
}
"""Badge of a place -> its word on the screen."""

BADGE_STYLES = {"awake": "bold ansi_yellow", "asleep": "bold ansi_green", "out": "dim"}

VERDICT_STYLES = {"proved": "ansi_green", "refuted": "ansi_red", "cannot tell": "ansi_yellow"}
"""Verdict -> colour."""

ANSWERS = {
    "yes": ("y", "yes", "answer(True)"),
    "no": ("n", "no", "answer(False)"),
    "table_is_right": ("t", "take over the table", "table_is_right"),
    "companion_is_right": ("o", "what to put right", "companion_is_right"),
    "undo": ("u", "undo", "undo"),
    "turn": ("g", "whose turn", "turn"),
}
"""Option of a question -> its key, its label, and the app's action."""

MARKS = {"move": " ", "claim": "!", "notice": "i", "repair": "~", "fault": "x", "end": "*"}
"""Kind of a sentence -> the sign before it."""

PROVISIONAL = "provisional"
"""Kind of a sentence that may still be revised."""
MARK_STYLES = {
    PROVISIONAL: "dim",
    "claim": "bold",
    "repair": "ansi_cyan",
    "fault": "bold ansi_red",
    "end": "bold",
}

HELP = """\
[b]The companion watches. Play as you like: it never holds up the game.[/b]

[b]c[/b]  claim what the game lets you claim, then its number
[b]u[/b]  undo the last action that was noted; a verdict only when you confirm it
[b]t[/b]  the table is right: take over what lies there, and whose turn begins
[b]g[/b]  say whose turn begins, nothing else
[b]o[/b]  the companion is right: it says what to put back
[b]p[/b]  pause the companion, and go on      [b]y n[/b]  yes, no: when it asks
[b]h[/b]  a hint; h again: more of it, at last the move      [b]esc[/b]  put it away
[b]k[/b]  a hint on the cards you tell    [b]w[/b]  tell what only you can know
[b]a[/b]  hints at every move, or only when asked
[b]l[/b]  log, link to the board    [b]f[/b]  the final score; end the game here
[b]?[/b]  this page                 [b]q[/b]  quit

At a virtual table also:
[b]space[/b]  pause the players, and go on      [b].[/b]  one step while paused
[b]+ -[/b]  faster, slower                      [b]r[/b]  a new game, with a seed
[b]s[/b]  take a seat, give it back           [b]m[/b]  hide and show your hand
[b]x[/b]  break a part of the rig, mend it"""


def title(name: str) -> str:
    """`a-game` -> `A Game`."""
    return name.replace("-", " ").replace("_", " ").title()


def fit(text: str, width: int) -> str:
    """`text` truncated to `width` columns, with a sign where something is missing."""
    return text if len(text) <= width else f"{text[: max(0, width - 2)]}.."
