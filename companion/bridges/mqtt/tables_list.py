"""The tables of a café: everything that bridges tell one broker, as rows."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from companion.bridges.mqtt.broker import Broker, BrokerAddress
from companion.bridges.mqtt.table_topics import LONGEST_NAME, ONLINE, ROOT
from companion.core.language import localized, term, text, tr
from companion.core.printable import all_printable

MOST = 200
"""MOST: tables that are listed; a broker may be anybody's."""
LONGEST = 16_384
"""LONGEST: longest message that is read (bytes)."""


HEADS = {
    "table": text("table"),
    "status": text("status"),
    "game": text("game"),
    "turn": text("turn"),
    "player": text("player"),
    "to_do": text("to do"),
    "score": text("score"),
    "faults": text("faults"),
}
"""Column of the list -> its heading."""
STATUS = {
    "playing": term("table", "playing"),
    "over": term("table", "over"),
    "waiting": term("table", "waiting"),
    "no engine": term("table", "no engine"),
    "gone": term("table", "gone"),
}
"""Status of a table -> its words."""


@dataclass(slots=True)
class ListedTable:
    """What is known of one table."""

    name: str
    bridge: bool = False
    engine: bool = False
    state: Mapping[str, Any] = field(default_factory=dict)
    changed: float = 0.0
    """When its state changed last (Unix time, s); 0 if that was before this list began."""

    @property
    def status(self) -> str:
        """playing, over, waiting (laid out), no engine, or gone."""
        if not self.bridge:
            return "gone"
        if not self.engine:
            return "no engine"
        if self.state.get("over") is True:
            return "over"
        return "playing" if self.state.get("turn") else "waiting"

    def row(self) -> dict[str, Any]:
        """One line of the list."""
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
            "faults": ", ".join(map(_text, _listed(state.get("faults")))) if live else "",
        }


def in_words(row: Mapping[str, Any]) -> dict[str, str]:
    """The cells of a row in the reader's language."""
    cells = {name: "" if row[name] is None else localized(row[name]) for name in HEADS}
    return cells | {"status": localized(STATUS[row["status"]])}


class TablesList:
    """Follows all tables of a broker. `on_change` is called whenever a row may have changed."""

    def __init__(
        self,
        address: BrokerAddress,
        on_change: Callable[[], None],
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self.tables: dict[str, ListedTable] = {}
        self._on_change = on_change
        name = f"companion-tables-{time.time_ns() % 10**9}"
        self.broker = Broker(address, name, on_up=self._begin, on_message=self._heard, say=say)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each table, by name."""
        return [table.row() for _, table in sorted(self.tables.items())]

    def _begin(self) -> None:
        self.broker.subscribe(*(f"{ROOT}/+/{of}" for of in ("bridge", "engine", "state")))
        self._on_change()

    def _heard(self, topic: str, content: bytes, old: bool) -> None:
        _, name, of = topic.split("/")
        if len(content) > LONGEST or (name not in self.tables and (not content or len(self.tables) >= MOST)):
            return  # without content: what somebody removes of a table that is no more
        table = self.tables.setdefault(name, ListedTable(str(all_printable(name))))
        match of:
            case "bridge":
                table.bridge = content == ONLINE.encode()
                if not content:  # somebody removed a table that is no more
                    del self.tables[name]
            case "engine":
                table.engine = content == ONLINE.encode()
            case "state":
                try:
                    state = all_printable(msgspec.json.decode(content))
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    return
                if not isinstance(state, dict):
                    return
                table.state = state
                table.changed = table.changed if old else time.time()
        self._on_change()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def nothing_yet() -> str:
    """What is shown before any table has been heard of."""
    return tr("No table is on this broker yet. At each table: companion bridge mqtt --broker HOST --table NAME")
