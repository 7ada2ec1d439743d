"""The layout of the table screen: the rows of each part, by the size of the terminal."""

from dataclasses import dataclass
from enum import IntEnum

from companion.dashboard.widgets.big_letters import big_rows


class Size(IntEnum):
    """Class of a terminal by its columns and rows; LEAST has the limits.

    SMALL: a console (80 x 24). MEDIUM: the Pi's small screen (100 x 30). LARGE: a laptop. HUGE: a wide window.
    """

    SMALL = 0
    MEDIUM = 1
    LARGE = 2
    HUGE = 3


LEAST = {Size.HUGE: (180, 54), Size.LARGE: (118, 38), Size.MEDIUM: (100, 30), Size.SMALL: (0, 0)}
"""LEAST: class of terminal -> its least (columns, rows)."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Sizes of the table screen's parts for one terminal class.

    The banner is the topmost part: what to do next, in big letters. Big letters have a scale: 1 is three rows
    high, 2 five, 3 eight. `places`, `cards`: rows of the players' places and of the open cards.
    """

    call: int
    """Scale of the banner's letters that say what to do next."""
    name: int
    """Scale of the banner's letters with the player on turn; 0 for plain text."""
    pad: int
    """Empty rows above and below the words in the banner."""
    places: int
    cards: int
    card_size: int
    """Index into SIZES of `widgets/card_face.py`: 0 small, 1 large, 2 huge."""


GRIDS = {
    Size.SMALL: Grid(call=1, name=0, pad=0, places=7, cards=5, card_size=0),
    Size.MEDIUM: Grid(call=1, name=0, pad=1, places=10, cards=5, card_size=0),
    Size.LARGE: Grid(call=2, name=1, pad=1, places=10, cards=9, card_size=1),
    Size.HUGE: Grid(call=3, name=2, pad=1, places=21, cards=13, card_size=2),
}
"""GRIDS: class of terminal -> sizes of the table screen's parts."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Rows that parts of the table screen want to have, by their content.

    `status`: sentences on unusual states. `may`, `not_now`: sentences on what may be done now, and what may
    not.
    """

    status: int = 0
    may: int = 0
    not_now: int = 0
    question: int = 0
    """Rows of the engine's open question with its answers; 0 without one."""
    world: bool = False
    """True if a row with the keys of a virtual table is shown."""
    waits: int = 0
    """Rows of the private panel of a seated person who waits for a turn.

    It lies above the keys; 0 without one.
    """
    lesson: int = 0
    """Rows of the box with a lesson for beginners, over the lowest parts; 0 without one."""
    seat: bool = False
    """True while a seated person chooses; the list of choices then covers the banner and more."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows that each part of the table screen gets.

    `banner`: what to do next. `status`: unusual states. `log`: what was said. `world`: True if the keys of a
    virtual table have a row. Rows of places and open cards depend on the terminal's size alone.
    """

    size: Size
    grid: Grid
    banner: int
    status: int
    say: int
    """Rows for sentences on what may be done now, and what may not."""
    places: int
    cards: int
    log: int
    world: bool
    air: int = 0
    """Number (0 to 2) of empty rows between the screen's parts.

    The first is above the places, the second above the open cards.
    """
    bare: bool = False
    """True if the screen's header and keys are left out, as on a television."""


LEAST_ROWS = 17
"""LEAST_ROWS: least rows of a terminal that has room for header, banner, places, cards and keys.

In a lower one the places are left out, because banner and keys matter more.
"""
TEXT_ROWS = 8
"""TEXT_ROWS: rows that sentences and log must have before any row is left empty."""


def size_of(width: int, height: int) -> Size:
    """Class of a terminal of `width` columns and `height` rows."""
    return next(size for size, (columns, rows) in LEAST.items() if width >= columns and height >= rows)


def banner_rows(grid: Grid) -> int:
    """Rows of the banner in its usual height.

    It has the player on turn and, below, what to do next. `grid`: sizes of its letters.
    """
    above = big_rows(grid.name) + 1 + grid.pad if grid.name else 1
    return above + big_rows(grid.call) + grid.pad


LEAST_CHOICES = 8
"""LEAST_CHOICES: least rows of a seated person's list of choices: two borders, hand, and at least four
choices."""


def banner_beside_choices(layout: Layout) -> tuple[int, bool]:
    """Rows that the banner keeps above a seated person's list of choices.

    Returns (rows, True if the screen's header stays above the banner). The whole banner stays if the list
    keeps LEAST_CHOICES rows. Else its big letters with the player's name stay, else a single row.
    """
    room, usual, letters = 1 + layout.banner, banner_rows(layout.grid), 1 + big_rows(layout.grid.call)
    if room - 1 - usual >= LEAST_CHOICES:
        return usual, True
    return (letters if room - letters >= LEAST_CHOICES else 1), False


def arrange_for_television(width: int, height: int, wanted: Wanted) -> Layout:
    """Layout of the table screen on a television.

    Header, log and keys are left out; the banner fills all rows that are left. `width`, `height`: columns and
    rows of the terminal. `wanted`: rows wanted by the parts.
    """
    size = size_of(width, height)
    grid = GRIDS[size]
    say = min(2, wanted.may)
    places = grid.places
    below = grid.cards + say + wanted.status + wanted.waits
    banner = height - places - max(below, wanted.lesson)  # a lesson lies over what is below the places
    if banner < banner_rows(grid):  # what to do comes first
        banner, places = banner + places, 0
    return Layout(size, grid, banner, wanted.status, say, places, grid.cards, 0, world=False, bare=True)


def arrange(width: int, height: int, wanted: Wanted) -> Layout:
    """Layout of the table screen on a terminal of `width` columns, `height` rows.

    `wanted`: rows wanted by the parts. If rows are short, the least important parts shrink first. Sentences
    change their length; they stand below places and cards, which therefore never move.
    """
    size = size_of(width, height)
    grid = GRIDS[size]
    usual = banner_rows(grid)
    air = min(2, max(0, height - 2 - usual - grid.places - grid.cards - TEXT_ROWS))
    seat = height - 2 - grid.places - air - grid.cards - wanted.status - wanted.may - wanted.world - 1
    if grid.card_size:  # smaller screens have no room for a lesson beside choices: it covers the cards there
        seat -= max(0, wanted.lesson - 1 - wanted.status - wanted.may)
    banner = max(usual, wanted.question, seat if wanted.seat else 0)
    status, may, not_now = wanted.status, wanted.may, wanted.not_now
    cards, world, places = grid.cards, wanted.world, grid.places
    if height < LEAST_ROWS + min(1, wanted.status) + min(1, wanted.may) and not wanted.seat:
        places = 0
    room = height - 2 - banner - places - air  # without header and keys
    log = room - status - may - not_now - cards - world
    if log < 1 and not grid.card_size:
        cards, log = cards - 1, log + 1
    if log < 0 and world:
        world, log = False, log + 1
    log -= wanted.waits
    lost = min(not_now, max(0, -log))
    not_now, log = not_now - lost, log + lost
    lost = min(may, max(0, -log))
    may, log = may - lost, log + lost
    status = max(0, status - max(0, -log))
    return Layout(size, grid, banner, status, may + not_now, places, cards, max(0, log), world=world, air=air)
