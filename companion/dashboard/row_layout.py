"""How many rows each part of the main screen gets in a terminal of some size."""

from dataclasses import dataclass
from functools import cache

from companion.dashboard.labels import PHASES
from companion.dashboard.widgets.bed_box import ROOMY_BED
from companion.dashboard.widgets.big_letters import big_width

LARGE = (120, 40)
"""Columns and rows from which on cards and beds are drawn large."""
HUGE = (160, 54)
"""The same for faces."""
PADDING = 1
"""Empty rows above or below a part of a large screen."""
CALM_ROWS = 16
"""Rows that a large screen keeps for sentences (status, actions, log, question): beds grow only beyond that."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What there is to be shown, in rows of text; `beds` is how many stand side by side."""

    status: int
    may: int
    not_now: int
    question: int
    beds: int
    world: bool
    """Whether the keys of a virtual table belong on the screen."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows of each part, borders and padding included; title, beds and cards depend on the size alone."""

    large: bool
    huge: bool
    scale: int
    """Size of the title's letters, see `font.big`."""
    title: int
    beds: int
    cards: int
    status: int
    actions: int
    """At least as many as there are actions to be shown, unless the terminal is too small for all."""
    log: int
    question: int
    world: bool

    @property
    def text(self) -> int:
        """Rows of text in `actions`."""
        return self.actions - (PADDING if self.large else 0)


def arrange(width: int, height: int, wanted: Wanted) -> Layout:
    """The layout for a terminal; where rows are short, the less needed is given up first."""
    large = width >= LARGE[0] and height >= LARGE[1]
    scale = 1 if large and widest_title(1) <= width - 4 else 0
    title = (5 if scale else 3) + (2 * PADDING if large else 0)
    cards = 9 if large else 4
    beds = _bed_rows(width, height - 1 - title - cards - 1, wanted.beds) if large else 7
    pad = PADDING if large else 0
    question = wanted.question + pad if wanted.question else 0
    room = height - 1 - title - beds - cards - 1 - question
    status, world = max(1, wanted.status), wanted.world
    # More to say of the status takes its rows from what the actions leave empty: the beds stay where they are.
    calm, needed = (5 if large else 4) + pad, wanted.may + wanted.not_now + pad
    actions = max(calm + 1 - status, needed)

    def lacks() -> int:
        return 1 + status + actions + world - room

    for least in (needed, wanted.may + pad):
        actions -= min(max(0, actions - least), max(0, lacks()))
    if lacks() > 0 and not wanted.status:
        status = 0
    if lacks() > 0:
        world = False
    # Without a row for the log, whole sentences still stand before pieces of them.
    actions = max(1, actions - max(0, lacks() - 1))
    status = max(0, status - max(0, lacks() - 1))
    return Layout(
        large=large,
        huge=beds > 14,
        scale=scale,
        title=title,
        beds=beds,
        cards=cards,
        status=status,
        actions=actions,
        log=max(0, room - status - actions - world),
        question=question,
        world=world,
    )


def _bed_rows(width: int, room: int, beds: int) -> int:
    """Rows of a bed on a large screen of which `room` rows are left for beds and sentences."""
    roomy = width // max(1, beds) - 2 >= ROOMY_BED
    sizes = [17] if roomy and width >= HUGE[0] else []
    sizes += [14] if roomy else []
    return next((rows for rows in sizes if room - rows >= CALM_ROWS), 9)


@cache
def widest_title(scale: int) -> int:
    """Columns of the widest title that a game can show."""
    on_turn = ("play", "check", "draw", "lay")
    titles = [f"PLAYER 5   {word}" if phase in on_turn else word for phase, word in PHASES.items()]
    return max(big_width(title, scale) for title in titles)
