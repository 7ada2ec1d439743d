"""The settings of screen, board and players: changed at once, and kept for the next games."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Key
from textual.message import Message

from companion.core.config import LONGEST_NAME, checked_names
from companion.core.language import LANGUAGES, localized, term, text, tr
from companion.core.language import player as player_number
from companion.dashboard.labels import THEME_NAMES, beside_name, in_sight, padded, with_colon
from companion.dashboard.one_switch.scanner import Choice
from companion.dashboard.one_switch.switch_scan import letters
from companion.dashboard.player_names import ground, sign
from companion.dashboard.screens.close_once import Passing
from companion.dashboard.themed_app import room_of
from companion.dashboard.themes import THEMES
from companion.dashboard.widgets.big_letters import big
from companion.dashboard.widgets.panel import Panel

SWITCHES = {
    "big": (term("setting", "television"), text("what to do next fills the screen")),
    "children": (term("setting", "children"), text("pictures, hardly a word")),
    "motion": (term("setting", "motion"), text("cards slide, and a verdict holds its breath first")),
    "lamps": (term("setting", "lamps"), text("at the table: turn, claim, verdict, question")),
    "beeper": (term("setting", "beeper"), text("a short tone at a claim, a verdict, a question")),
    "turn": (text("say turns"), text("aloud: whose turn it is")),
    "verdict": (text("verdicts"), text("aloud: what the companion says to a claim")),
    "score": (text("the score"), text("aloud: how the game ended")),
    "request": (text("requests"), text("aloud: questions, cards to show, a blind camera")),
    "chimes": (text("chimes"), text("a small tune at each of these")),
    "lines": (text("every line"), text("aloud: all that happens, hints and choices too")),
}
"""SWITCHES: setting that is on or off -> (its name for people, its effect in words)."""
KEYS = ("", "space", "enter")
"""KEYS: keys to choose from as the one switch; "" for none. Any other key is set by pressing it."""
SECONDS = {
    "scan_s": (0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0),
    "scan_start_s": (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0),
}
"""SECONDS: setting that is a time (s) of the scan for one switch -> values to choose from."""
PAGE = 66
"""PAGE: columns of text on the settings page."""


@dataclass(slots=True)
class SettingsForm:
    """Settings of screen, board and players, as the settings page shows them.

    `row`: number (from 0) of the current row, the one that keys change.
    """

    theme: str
    """Name of a theme in THEMES."""
    language: str
    """Language code in LANGUAGES."""
    switches: dict[str, bool]
    """Setting in SWITCHES -> True if on. Without a board, lamps and beeper are left out."""
    names: list[str] = field(default_factory=list)
    """Names of the players, from the first on; "" for a player called by number."""
    switch: str = ""
    """Key of a person who plays with one switch; "" for none."""
    scan_s: float = 1.2
    scan_start_s: float = 1.0
    """`scan_s`: time (s) for which a choice is lit for a person with one switch. `scan_start_s`: additional
    time (s) for the first choice."""
    row: int = 0
    note: str = ""
    """Sentence on why a setting that is on has no effect; "" if all have."""

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the settings page's rows, from the top.

        "theme", "language", "switch", with a switch key "scan_s" and "scan_start_s", names in `switches`, then
        "0", "1", ... for the players' names.
        """
        scan = ("switch", "scan_s", "scan_start_s") if self.switch else ("switch",)
        return ("theme", "language", *scan, *self.switches, *map(str, range(len(self.names))))

    @property
    def here(self) -> str:
        """Name of the settings page's current row, as in `rows`."""
        return self.rows[self.row]

    def move(self, step: int) -> None:
        """Make another row of the settings page current, `step` rows further down.

        Negative: up. After the last row comes the first.
        """
        self.row = (self.row + step) % len(self.rows)

    def change(self, step: int) -> bool:
        """Set the next (`step` 1) or previous (-1) choice in the current row.

        After the last choice comes the first. Returns False if the row is a player's name, which has no
        choices.
        """
        if self.here == "theme":
            themes = list(THEMES)
            self.theme = themes[(themes.index(self.theme) + step) % len(themes)]
            return True
        if self.here == "language":
            # A language that only tests speak is not among them.
            codes = list(LANGUAGES)
            at = codes.index(self.language) + step if self.language in codes else 0
            self.language = codes[at % len(codes)]
            return True
        if self.here == "switch":
            keys = list(dict.fromkeys((*KEYS, self.switch)))
            self.switch = keys[(keys.index(self.switch) + step) % len(keys)]
            return True
        if self.here in SECONDS:
            values = SECONDS[self.here]
            near = min(range(len(values)), key=lambda at: abs(values[at] - getattr(self, self.here)))
            setattr(self, self.here, values[(near + step) % len(values)])
            return True
        if self.here in self.switches:
            self.switches[self.here] = not self.switches[self.here]
            return True
        return False

    def write(self, letter: str) -> bool:
        """Add a letter to the current row's name, or make it the switch key.

        Returns False if the row takes no letter: it is another setting, the name is LONGEST_NAME long, or the
        letter is a comma.
        """
        if self.here == "switch":
            self.switch = letter
            return True
        if not self.here.isdigit() or letter == "," or len(self.names[int(self.here)]) >= LONGEST_NAME:
            return False
        self.names[int(self.here)] = (self.names[int(self.here)] + letter).lstrip()
        return True

    def rub_out(self) -> bool:
        """Delete the last letter of the name in the current row.

        Returns False if the row has no name, or an empty one.
        """
        if not self.here.isdigit() or not self.names[int(self.here)]:
            return False
        self.names[int(self.here)] = self.names[int(self.here)][:-1]
        return True

    def given_names(self) -> tuple[str, ...]:
        """Players' names to store, without spaces around; () if all empty.

        Raises ValueError with a sentence on what is wrong with a name.
        """
        names = [name.strip() for name in self.names]
        return checked_names(names if any(names) else ())


def settings_page(form: SettingsForm, width: int, height: int) -> Content:
    """Settings page as text of `width` columns and `height` rows."""
    pad = " " * max(1, (width - PAGE) // 2)
    rows = [*(Content.styled(row, "bold $accent") for row in big(tr("SETTINGS"))), Content("")]
    chosen = 0
    for number, name in enumerate(form.rows):
        if name == "0":
            rows.append(Content(""))
        chosen = len(rows) if number == form.row else chosen
        rows.append(_row(form, number, name))
    above = max(0, min(height - 2 - len(rows), max(1, (height - 2 - len(rows)) // 3)))
    try:
        form.given_names()
    except ValueError as error:
        note = tr(" Not kept: {why}. ", why=localized(error.args[0])).strip()
    else:
        note = form.note
    told = textwrap.wrap(note, max(1, width - len(pad) - 3))
    rows += [Content.styled(f" {line} ", "bold $state-ink on $perhaps") for line in told]
    # What is said below the rows does not move them.
    rows = [Content("")] * above + [*in_sight(rows, chosen, height - 1 - above)]
    keys = Content.styled(tr("↑↓ row   ←→ choice   letters: a name   esc: back to the table"), "$muted")
    rows += [Content("")] * (height - len(rows) - 1)
    return Content("\n").join(Content.assemble(pad, row) for row in [*rows, keys])


def _row(form: SettingsForm, number: int, name: str) -> Content:
    here = number == form.row
    mark = Content.styled("► " if here else "  ", "bold $accent")
    style = "bold $key-ink on $key" if here else "bold"
    if name.isdigit():
        player = int(name) + 1
        typed = form.names[player - 1]
        shown = f"{typed}▌" if here else typed or localized(player_number(player, within=True))
        full = (beside_name(typed) if here else "", "$muted")
        who = Content.styled(f" {sign(player)} ", f"bold $state-ink on ${ground(player)}")
        line = Content.assemble(
            mark, who, "  ", (padded(shown, 16), style if here or typed else "$muted"), full
        )
    elif name == "theme":
        line = _choice(mark, tr("colours"), localized(THEME_NAMES[form.theme]), style)
    elif name == "language":
        line = _choice(mark, tr("language"), LANGUAGES.get(form.language, form.language), style)
    elif name in CHOICES:
        about = tr("press a key to choose another") if here and name == "switch" else ""
        line = Content.assemble(
            _choice(mark, localized(CHOICES[name]), choice_words(form, name), style), (f"  {about}", "$muted")
        )
    else:
        says, about = SWITCHES[name]
        words = (tr("off"), tr("on"))
        on = form.switches[name]
        state = f" {'●' if on else '○'} {words[on]:<{max(map(len, words))}} "
        line = Content.assemble(
            mark, (f"{localized(says):<12}", "$muted"), (state, style), (f"  {localized(about)}", "$muted")
        )
    return line.stylize(f"@click=screen.touch({number})")


CHOICES = {
    "switch": text("one switch"),
    "scan_s": text("lit for"),
    "scan_start_s": text("first one"),
}
"""CHOICES: setting of the scan for one switch key -> its name on the page."""


def choice_words(form: SettingsForm, name: str) -> str:
    """Setting of the scan for one switch in words, such as "1.2 s".

    `name`: name of the setting, a key of CHOICES.
    """
    if name == "scan_s":
        return tr("{s} s", s=_number(form.scan_s))
    if name == "scan_start_s":
        return tr("{s} s longer", s=_number(form.scan_start_s))
    return {"": tr("off"), "space": tr("space")}.get(form.switch, form.switch)


def _number(seconds: float) -> float:
    """A time (s) without ".0": whole numbers have no decimal sign, others get the reader's."""
    return int(seconds) if seconds == int(seconds) else seconds


def _choice(mark: Content, of: str, chosen: str, style: str) -> Content:
    return Content.assemble(mark, (f"{of:<12}", "$muted"), (f" ◄ {chosen} ► ", style))


class SettingsScreen(Passing[None]):
    """Page over the table to change the settings.

    Every change is sent to the app at once, as a message `Changed`.
    """

    DEFAULT_CSS = """
    SettingsScreen #page { width: 100%; height: 100%; }
    """
    AUTO_FOCUS = ""

    class Changed(Message):
        """Message to the app: a setting has changed.

        `form`: all settings. `what`: the changed one: "theme", "language", "names", "switch", or a name in
        SECONDS or SWITCHES.
        """

        def __init__(self, form: SettingsForm, what: str) -> None:
            super().__init__()
            self.form = form
            self.what = what

    def __init__(self, form: SettingsForm) -> None:
        super().__init__()
        self.form = form
        self.body = Panel("page")
        self._named: Sequence[str] = tuple(form.names)

    def compose(self) -> ComposeResult:
        """Yield the settings page's only widget: all its text."""
        yield self.body

    def on_resize(self) -> None:
        """Write the settings page for the terminal's new size."""
        self.paint()

    def paint(self) -> None:
        """Write the settings page with the present settings."""
        self.body.show(settings_page(self.form, *room_of(self.app)))

    def note(self, why: str) -> None:
        """Show on the settings page why a setting that is on has no effect.

        `why`: a sentence.
        """
        self.form.note = why
        self.paint()

    def on_key(self, event: Key) -> None:
        """Change the settings by a key, or close their page.

        Up and down choose a row; left, right and enter its value; letters write a name. F2 changes the theme.
        Escape closes the page.
        """
        event.stop()
        event.prevent_default()
        steps = {"up": -1, "down": 1, "shift+tab": -1, "tab": 1}
        changed = False
        if event.key in ("escape", "f4", "ctrl+c"):
            return self._back()
        if event.key in steps:
            self.form.move(steps[event.key])
        elif event.key in ("left", "right", "enter") or (event.key == "space" and not self.form.here.isdigit()):
            changed = self.form.change(-1 if event.key == "left" else 1)
        elif event.key == "backspace":
            self.form.rub_out()
        elif event.key == "f2":
            self.form.row = 0
            changed = self.form.change(1)
        elif event.character and event.is_printable:
            changed = self.form.write(event.character) and self.form.here == "switch"
        if changed:
            self.post_message(self.Changed(self.form, self.form.here))
        self.paint()
        return None

    def action_touch(self, row: int) -> None:
        """Make the clicked row of the settings page current, set its next choice.

        `row`: number of the row, from 0. A player's name has no choices and stays.
        """
        self.form.row = row
        if self.form.change(1):
            self.post_message(self.Changed(self.form, self.form.here))
        self.paint()

    def choices_now(self) -> list[Choice]:
        """Choices for a person with one switch key: all settings, and back.

        The switch key itself is left out. A player's name opens a menu of letters.
        """
        rows = [(number, name) for number, name in enumerate(self.form.rows) if name != "switch"]
        return [*(self._choice_of(number, name) for number, name in rows), Choice(tr("back"), self._back)]

    def _choice_of(self, number: int, name: str) -> Choice:
        form = self.form
        if name.isdigit():
            typed = form.names[int(name)] or localized(player_number(int(name) + 1, within=True))
            written = letters(partial(self._write, number), partial(self._rub_out, number))
            return Choice(typed, inside=written)
        if name in form.switches:
            what, now = localized(SWITCHES[name][0]), tr("on") if form.switches[name] else tr("off")
        elif name == "theme":
            what, now = tr("colours"), localized(THEME_NAMES[form.theme])
        elif name == "language":
            what, now = tr("language"), LANGUAGES.get(form.language, form.language)
        else:
            what, now = localized(CHOICES[name]), choice_words(form, name)
        words = f"{with_colon(what)} {now}"
        return Choice(words, partial(self.action_touch, number))

    def _write(self, row: int, letter: str) -> None:
        self.form.row = row
        self.form.write(letter)
        self.paint()

    def _rub_out(self, row: int) -> None:
        self.form.row = row
        self.form.rub_out()
        self.paint()

    def _back(self) -> None:
        """Close the settings page, after sending changed names to the app.

        If the typed names are invalid, the names from before are kept.
        """
        try:
            self.form.given_names()
        except ValueError:
            self.form.names = list(self._named)
        if tuple(self.form.names) != self._named:
            self.post_message(self.Changed(self.form, "names"))
        self.leave(None)
