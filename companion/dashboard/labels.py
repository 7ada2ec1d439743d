"""Words and signs of the screens: phases, fates, verdicts, keys. Only signs every console font has."""

PHASES = {
    "setup": "SET UP",
    "play": "PLAY",
    "check": "CHECK",
    "draw": "DRAW",
    "lay": "FILL ROW",
    "final": "FINAL CHECK",
    "over": "THE END",
}
"""Phase of `Table` -> the word shown big."""

FACES = {
    "awake": ("\\/\\/\\/", "( o o )", "(o o)"),
    "asleep": ("\\/\\/\\/", "( - - ) zZ", "(- -)"),
    "out": ("      ", "( > < )", "(> <)"),
    "unknown": ("\\/\\/\\/", "( ? ? )", "(? ?)"),
    "": ("      ", "(     )", "(   )"),
}
"""Fate of a bed -> crown, face, and a small face."""

PORTRAITS = {
    "awake": (" /\\/\\/\\ ", "(      )", "( O  O )", "(  ==  )", " `----' "),
    "asleep": (" /\\/\\/\\ ", "(      )", "( -  - )", "(  ..  )", " `----' "),
    "out": ("        ", "(      )", "( >  < )", "(  ~~  )", " `----' "),
}
"""Fate of a bed -> a face for large screens."""

FATES = {"awake": "AWAKE", "asleep": "ASLEEP", "out": "OUT", "unknown": "NOT KNOWN", "empty": "", "": ""}
"""Fate of a bed -> the word shown."""

FATE_STYLES = {"awake": "bold ansi_yellow", "asleep": "bold ansi_green", "out": "dim"}

VERDICTS = {
    "proved": ("PROVED", "She sleeps!", "ansi_green"),
    "refuted": ("REFUTED", "Not yet: she is out.", "ansi_red"),
    "cannot tell": ("CANNOT TELL", "I cannot tell.", "ansi_yellow"),
}
"""Verdict -> big word, kind words, colour."""

ANSWERS = {
    "yes": ("y", "yes", "answer(True)"),
    "no": ("n", "no", "answer(False)"),
    "table_is_right": ("t", "take over the table", "table_is_right"),
    "companion_is_right": ("o", "what to put right", "companion_is_right"),
    "undo": ("u", "undo", "undo"),
    "turn": ("g", "whose turn", "turn"),
}
"""What answers a Question -> its key, what it says, and the app's action."""

MARKS = {"move": " ", "claim": "!", "notice": "i", "repair": "~", "fault": "x", "end": "*"}
"""Kind of a sentence -> the sign before it."""

MARK_STYLES = {"claim": "bold", "repair": "ansi_cyan", "fault": "bold ansi_red", "end": "bold"}

HELP = """\
[b]The companion watches. Play as you like: it never holds up the game.[/b]

[b]c[/b]  claim that a princess sleeps, then the number of her bed
[b]u[/b]  undo the last action that was noted; a verdict only when you confirm it
[b]t[/b]  the table is right: take over what lies there      [b]g[/b]  say whose turn begins
[b]o[/b]  the companion is right: it says what to put back
[b]p[/b]  pause the companion, and go on      [b]y n[/b]  yes, no: when it asks
[b]h[/b]  a hint; h again: more of it, at last the move      [b]esc[/b]  put it away
[b]k[/b]  a hint on the cards you tell    [b]w[/b]  tell what a mattress felt like
[b]a[/b]  hints at every move, or when asked: by h, by a sleeping princess's button,
   by the looking glass laid on the pad
[b]l[/b]  log, link to the board    [b]f[/b]  the final score; end the game here
[b]?[/b]  this page                 [b]q[/b]  quit

At a virtual table also:
[b]space[/b]  pause the players, and go on      [b].[/b]  one step while paused
[b]+ -[/b]  faster, slower                      [b]r[/b]  a new game, with a seed
[b]s[/b]  take a seat, give it back           [b]m[/b]  hide and show your hand
[b]x[/b]  break a part of the rig, mend it

Princesses: ( o o ) awake   ( - - ) zZ asleep   ( > < ) out
A star before a mattress: enchanted (smooth)."""


def title(name: str) -> str:
    """`sleepless-princess` -> `Sleepless Princess`."""
    return name.replace("-", " ").replace("_", " ").title()


def verdict_words(verdict: str) -> tuple[str, str, str]:
    """Big word, kind words and colour of a verdict, however it is spelt."""
    known = VERDICTS.get(verdict.replace("_", " ").lower())
    return known or (verdict.upper(), "", "ansi_default")


def mattress(name: str) -> str:
    """Short name of a mattress: a star for enchanted."""
    return f"*{name.removeprefix('enchanted ')}" if name.startswith("enchanted ") else name


def fit(text: str, width: int) -> str:
    """`text` cut to `width` columns, with a sign that something is missing."""
    return text if len(text) <= width else f"{text[: max(0, width - 2)]}.."
