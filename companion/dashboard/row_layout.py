"""The layout of the main screen: the rows of each part, by the size of the terminal."""

from dataclasses import dataclass
from functools import cache

from companion.dashboard.widgets.big_letters import big_width
from companion.dashboard.widgets.place_box import ROOMY

LARGE = (120, 40)
"""LARGE: columns and rows from which on cards and places are drawn large."""
HUGE = (160, 54)
"""HUGE: the same for faces."""
PADDING = 1
"""PADDING: empty rows above or below a part of a large screen."""
CALM_ROWS = 16
"""CALM_ROWS: rows that a large screen keeps for sentences (status, actions, log, question). Places get the
rest."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Rows of text that each part would need; `places` is how many stand side by side."""

    status: int
    may: int
    not_now: int
    question: int
    places: int
    titles: tuple[str, ...]
    """Every title that the game can show, with the player on turn if there is one."""
    world: bool
    """Whether the keys of a virtual table are shown."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows of each part with borders and padding. Title, places and cards depend on the size alone."""

    large: bool
    huge: bool
    scale: int
    """Size of the title's letters, see `big_letters.big`."""
    title: int
    places: int
    cards: int
    status: int
    actions: int
    """At least as many rows as there are actions, unless the terminal is too small for all."""
    log: int
    question: int
    world: bool

    @property
    def text(self) -> int:
        """Rows of text in `actions`."""
        return self.actions - (PADDING if self.large else 0)


def arrange(width: int, height: int, wanted: Wanted) -> Layout:
    """The layout for a terminal. If rows are short, the least important parts shrink first."""
    large = width >= LARGE[0] and height >= LARGE[1]
    scale = 1 if large and widest_title(wanted.titles, 1) <= width - 4 else 0
    title = (5 if scale else 3) + (2 * PADDING if large else 0)
    cards = 9 if large else 4
    places = _place_rows(width, height - 1 - title - cards - 1, wanted.places) if large else 7
    pad = PADDING if large else 0
    question = wanted.question + pad if wanted.question else 0
    room = height - 1 - title - places - cards - 1 - question
    status, world = max(1, wanted.status), wanted.world
    # A longer status uses rows that the actions leave empty, so that the places do not move.
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
    # If the log gets no row, prefer whole sentences to parts of them.
    actions = max(1, actions - max(0, lacks() - 1))
    status = max(0, status - max(0, lacks() - 1))
    return Layout(
        large=large,
        huge=places > 14,
        scale=scale,
        title=title,
        places=places,
        cards=cards,
        status=status,
        actions=actions,
        log=max(0, room - status - actions - world),
        question=question,
        world=world,
    )


def _place_rows(width: int, room: int, places: int) -> int:
    """Rows of a place on a large screen with `room` rows for places and sentences."""
    roomy = width // max(1, places) - 2 >= ROOMY
    sizes = [17] if roomy and width >= HUGE[0] else []
    sizes += [14] if roomy else []
    return next((rows for rows in sizes if room - rows >= CALM_ROWS), 9)


@cache
def widest_title(titles: tuple[str, ...], scale: int) -> int:
    """Columns of the widest of these titles."""
    return max((big_width(title, scale) for title in titles), default=0)
