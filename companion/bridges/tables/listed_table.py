"""One table of a list of tables: what it says of itself, as the row that people read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.core.language import localized, term, text
from companion.core.table_names import LONGEST_NAME

MOST = 200
"""Largest number of tables in a list. A guess.

It is bounded, because strangers on the network may announce any number.
"""
HEADS = {
    "table": text("table"),
    "status": text("status"),
    "game": text("game"),
    "turn": text("turn"),
    "player": text("player"),
    "to_do": text("to do"),
    "score": text("score"),
    "page": text("page"),
    "faults": text("faults"),
}
"""Column of the list -> its heading."""
STATUS = {
    "playing": term("table", "playing"),
    "over": term("table", "over"),
    "waiting": term("table", "waiting"),
    "starting": term("table", "starting"),
    "no engine": term("table", "no engine"),
    "gone": term("table", "gone"),
}
"""Status of a table -> its words for people."""


@dataclass(slots=True)
class ListedTable:
    """A table in a list, with its latest known state.

    `name`: its name. `bridge`: True while the program that reports the table is connected. `engine`: True while
    the table's engine runs. `state`: the values that the table sent, of any type, because a stranger may send
    them.
    """

    name: str
    bridge: bool = False
    engine: bool = False
    state: Mapping[str, Any] = field(default_factory=dict)
    changed: float = 0.0
    """When `state` changed last (Unix time, s). 0: before this list began."""
    page: str = ""
    """Address of the table's web page. "": none."""
    told: str = ""
    """Status that the table itself has announced, one of STATUS.

    "": the status follows from `bridge`, `engine` and `state`.
    """

    @property
    def status(self) -> str:
        """Status of the table: a key of STATUS.

        "gone": its bridge is not connected. "no engine": no engine runs. "over": its game has ended. "playing":
        a turn is played. "waiting": else.
        """
        if self.told:
            return self.told
        if not self.bridge:
            return "gone"
        if not self.engine:
            return "no engine"
        if self.state.get("over") is True:
            return "over"
        return "playing" if self.state.get("turn") else "waiting"

    def row(self) -> dict[str, Any]:
        """The table as a row: each column in HEADS -> value.

        All are text, but "turn" is a number, or None if unknown. "player", "to_do" and "faults" are "" for a
        table without an engine. Values of a wrong type count as missing.
        """
        state, status = self.state, self.status
        live = status not in ("gone", "no engine")
        score, out_of = _number(state.get("score")), _number(state.get("out_of"))
        return {
            "table": _text(state.get("table"))[:LONGEST_NAME] or self.name,
            "status": status,
            "game": _text(state.get("game")),
            "turn": _number(state.get("turn")),
            "player": _text(state.get("player")) if live else "",
            "to_do": _text(state.get("question") or state.get("call")) if live else "",
            "score": ""
            if score is None or out_of is None
            else text("{score} of {out_of}", score=score, out_of=str(out_of)),
            "page": self.page,
            "faults": ", ".join(map(_text, _listed(state.get("faults")))) if live else "",
        }


class TablesSource(Protocol):
    """Where a live list of tables comes from: this machine, the home network, or an MQTT broker."""

    needed: bool
    """True if this source alone has the tables: while it has a fault, no table at all can be listed."""

    @property
    def said(self) -> str:
        """What is wrong with the source, or what it lacks, as a sentence. "" for nothing."""
        ...

    def rows(self) -> list[dict[str, Any]]:
        """A row for each table, as from `ListedTable.row`."""
        ...

    def nothing_yet(self) -> str:
        """Sentence to show while no table is known.

        It says how a table gets into the list.
        """
        ...

    async def run(self) -> None:
        """Keep the list up to date until cancelled.

        CompanionError for a fault that no waiting mends.
        """
        ...


def in_words(row: Mapping[str, Any]) -> dict[str, str]:
    """A row in the reader's language: each column in HEADS -> words.

    `row`: as from `ListedTable.row`. An unknown number is "".
    """
    cells = {name: "" if row[name] is None else localized(row[name]) for name in HEADS}
    return cells | {"status": localized(STATUS[row["status"]])}


def _text(value: Any) -> str:
    """The value if it is text, else ""."""
    return value if isinstance(value, str) else ""


def _number(value: Any) -> int | None:
    """The value if it is a whole number, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _listed(value: Any) -> list[Any]:
    """The value if it is a list, else []."""
    return value if isinstance(value, list) else []
