"""The lines of a journal: how a game was opened, what was observed, and what was believed of it."""

import contextlib
from collections.abc import Sequence

import msgspec

from companion.core.config import checked_names
from companion.sensing.observation import SOURCES, ManualEntry, Observation

VERSION = 3
"""Version of the journal format that this program writes and reads. Other versions are refused."""
PLAYERS_NAMED = "names"
"""`ManualEntry.what` of an entry that names the players. Its args: `{"people": [...]}`, player 1 first."""


class Opened(msgspec.Struct, frozen=True, tag="open", tag_field="j"):
    """The first line of a journal: the game, its variant and the number of players.

    `version`: version of the journal format. `program`: version of the program that wrote the line.
    """

    version: int
    game: str
    variant: str
    players: int
    program: str = ""
    names: tuple[str, ...] = ()
    """The family's names for characters that the rulebook leaves unnamed."""
    options: tuple[str, ...] = ()
    """Options of the game that are on, sorted; see `Rules.options`."""
    parts: dict[str, str] = {}
    """Facts of the printed game that differ from the usual edition; see `PrintedParts`."""
    people: tuple[str, ...] = ()
    """Names of the players at the start, player 1 first."""
    buttons: tuple[str, ...] = ()
    """Stations whose claim button was tried out and belongs to them, sorted. Empty if nobody tried."""
    virtual: bool = False
    """True if the game was played at a virtual table. Statistics skip such games."""


class Observed(msgspec.Struct, frozen=True, tag="seen", tag_field="j"):
    """Journal line: observations `o`, processed together at `t` (s)."""

    t: float
    o: tuple[Observation, ...]


class Done(msgspec.Struct, frozen=True, tag="done", tag_field="j"):
    """Journal line: players' action `a` (in the notation of the rules) was believed at time `t` (s)."""

    t: float
    a: str


class Revoked(msgspec.Struct, frozen=True, tag="back", tag_field="j"):
    """Journal line: at time `t` (s) the companion stopped believing the last `n` actions."""

    t: float
    n: int


class Adopted(msgspec.Struct, frozen=True, tag="adopt", tag_field="j"):
    """Journal line: at time `t` (s) a game state replaced the believed one, e.g. because people corrected it.

    `s`: the new state in the notation of the game's rules.
    """

    t: float
    s: str
    lost: tuple[int, ...] = ()
    """Numbers of the hidden cards whose identity nobody knows any more."""
    back: bool = False
    """True if people took back the previous replacement of the state.

    Knowledge from before it counts again.
    """


class Noticed(msgspec.Struct, frozen=True, tag="sensor", tag_field="j"):
    """Journal line: the companion noticed at time `t` (s) that a sensor misses events, or no longer does.

    `source`: the sensor. `ok`: True if it recovered. `detail`: what is wrong and what helps, in words.
    """

    t: float
    source: str
    ok: bool
    detail: str = ""


class Contradicted(msgspec.Struct, frozen=True, tag="contradicted", tag_field="j"):
    """Journal line: at time `t` (s) cards turned up after a claim contradict the verdict.

    `subject`: claimed place, from 1. `said`: verdict given before. `shown`: verdict by the cards. Both are
    proved, refuted or cannot tell. `sensors`: sensors whose observations led to the wrong verdict.
    """

    t: float
    subject: int
    said: str
    shown: str
    sensors: tuple[str, ...]


LaterLine = Observed | Done | Revoked | Adopted | Noticed | Contradicted
"""Any line of a journal after the first."""
Line = Opened | LaterLine


def people_of(opened: Opened, lines: Sequence[Line]) -> tuple[str, ...]:
    """Names of a game's players, player 1 first: those entered last in `lines`, else those in `opened`."""
    for line in reversed(lines):
        for seen in reversed(line.o) if isinstance(line, Observed) else ():
            match seen:
                case ManualEntry(what=what, args={"people": [*people]}) if what == PLAYERS_NAMED:
                    with contextlib.suppress(ValueError):
                        return checked_names([str(name) for name in people])
    return opened.people


def sources_in(lines: Sequence[Line]) -> list[str]:
    """Sensors ("camera", "board") that report anything in recorded lines, sorted."""
    seen = (one for line in lines if isinstance(line, Observed) for one in line.o)
    return sorted({SOURCES[type(one)] for one in seen if type(one) in SOURCES})
