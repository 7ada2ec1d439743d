"""The box with hints: below what to do and the places, for whoever asked, until the table changes."""

import textwrap
from collections.abc import Sequence

from textual.content import Content

from companion.core.language import localized, text, tr
from companion.dashboard.model import WorldModel
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.widgets.panel import Panel, write_edge
from companion.session.stream.events import Advice, StatementView, Table

LEVELS = ("referee", "memory", "nudge", "coach")
"""LEVELS: levels of hints, the weakest first.

"referee" gives rules, "memory" known facts, "nudge" a question, "coach" the move.
"""
FIRST = "nudge"
"""FIRST: level (one of LEVELS) of the first hint that is asked for in a turn."""
_TITLES = {
    "referee": text("the rules"),
    "memory": text("what you found out"),
    "nudge": text("a question"),
    "coach": text("the move"),
}
"""_TITLES: level of a hint -> its name in the box's border."""
_NOTHING = text("Nobody has to decide anything now.")
_KEYS = {
    (True, True): text("h more · k your cards · w what you know · a only when asked · esc away"),
    (True, False): text("h more · k your cards · w what you know · a always · esc away"),
    (False, True): text("h more · k your cards · a only when asked · esc away"),
    (False, False): text("h more · k your cards · a always · esc away"),
}
"""_KEYS: (a player can state private facts, hints come at every move) -> keys in the box's border."""
_EDGE = 2
"""_EDGE: rows, or columns, of both borders of the box together."""


class HintPanel(Panel):
    """Box with hints over the table screen's lower part."""

    DEFAULT_CSS = """
    HintPanel {
        layer: over; dock: bottom; width: 100%; display: none;
        background: $page; border: heavy $accent; border-title-color: $accent;
    }
    """

    def __init__(self) -> None:
        super().__init__("hint")

    def paint(
        self,
        advice: Advice | None,
        names: PlayerNames,
        width: int,
        rows: int,
        below: int,
        status: str,
        *,
        free: int,
        always: bool,
        tells: bool,
    ) -> None:
        """Show hints in the box, or close it if `advice` is None.

        It takes at most `rows` rows of `width` columns, `below` rows above the bottom of the screen. `free`:
        rows without anything important beneath the box. If it takes more, it covers the text `status`, which
        then replaces the keys in its border. `always`: True if hints come at every move. `tells`: True if
        players can state private facts.
        """
        self.display = advice is not None
        if advice is None:
            return
        level, who = _TITLES.get(advice.level, advice.level), names.name(advice.player)
        title = tr("HINT, {level}", level=level)
        if advice.player:
            title = tr("HINT, {who}: {level}", who=who, level=level)
        if advice.private:
            title = tr("HINT, {who} alone: {level}", who=who, level=level)
        content, left = hint_rows(advice, names, width - _EDGE, rows - _EDGE)
        if left:
            title = tr("{title} · {number} more in a larger window", title=title, number=left)
        height = content.plain.count("\n") + 1 + _EDGE
        keys = localized(_KEYS[tells, always])
        edge = status if status and height > free else keys
        write_edge(self, title=title, subtitle=edge)
        self.styles.height = height
        self.styles.margin = (0, 0, below, 0)
        self.show(content)


def hint_rows(advice: Advice, names: PlayerNames, width: int, rows: int) -> tuple[Content, int]:
    """Hints as (text within `rows` rows, number left out).

    The best hint comes first. Short facts share rows if there are too many for a row each. `width`: columns of
    the box.
    """
    if not advice.hints:
        return Content(f" {localized(_NOTHING)}"), 0
    coach, room = advice.level == "coach", max(16, width - 2)
    said = [names.put_into(hint.text) for hint in advice.hints]
    expected = textwrap.wrap(names.put_into(advice.hints[0].expects), room)
    whole = textwrap.wrap(" ".join(said), room)
    if not coach and not expected and len(said) > rows >= len(whole):
        return Content("\n").join(Content.styled(f" {row}", "bold") for row in whole), 0
    found: list[Content] = []
    for number, words in enumerate(said):
        first = number == 0
        wrapped = textwrap.wrap(tr("or: {hint}", hint=words) if coach and not first else words, room)
        part = [Content.styled(f" {row}", "bold" if first or not coach else "") for row in wrapped]
        if first:
            part += [Content.styled(f" {row}", "$muted") for row in expected]
        if found and len(found) + len(part) > rows:
            return Content("\n").join(found), len(said) - number
        found += part
    return Content("\n").join(found[:rows]), 0


def stronger(level: str, assist: str = "") -> str:
    """Next stronger level of hints after `level`.

    After the strongest allowed level, the weakest follows. `assist`: strongest level that the family allows;
    "" for all. Levels are those in LEVELS.
    """
    allowed = levels(assist)
    return allowed[(allowed.index(level) + 1) % len(allowed)] if level in allowed else allowed[0]


def levels(assist: str) -> tuple[str, ...]:
    """Levels of hints that the family allows, weakest first.

    All are of LEVELS. `assist`: the strongest allowed one; all if "" or unknown.
    """
    return LEVELS[: LEVELS.index(assist) + 1] if assist in LEVELS else LEVELS


def keyed(statements: Sequence[StatementView]) -> dict[str, StatementView]:
    """Statements that players can make, each with the key to press for it.

    Keys are the digits 1 to 9, then letters from a to m. Statements beyond these 22 are left out.
    """
    return dict(zip("123456789abcdefghijklm", statements, strict=False))


def own_hand(world: WorldModel, table: Table | None) -> str:
    """Cards in hand of the person seated at this screen, such as "3 3 7".

    "" unless that person is on turn and shows the hand. "" also if engine and virtual table disagree on the
    number of cards.
    """
    turn = world.turn if world.seat and not world.hand_hidden else None
    if turn is None or table is None or table.player != turn.player:
        return ""
    # The engine may be a moment behind the virtual table, and would take the cards for a wrong hand.
    if len(turn.hand) != table.hands[turn.player - 1]:
        return ""
    return " ".join(card.kind for card in turn.hand)
