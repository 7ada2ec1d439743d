"""List of all tables that publish themselves on one broker, such as those of a café."""

import time
from collections.abc import Callable
from typing import Any

import msgspec

from companion.bridges.mqtt.broker import Broker, BrokerAddress
from companion.bridges.mqtt.table_topics import ONLINE, ROOT
from companion.bridges.tables.listed_table import MOST, ListedTable
from companion.core.language import tr
from companion.core.printable import all_printable

LONGEST = 16_384
"""Longer messages (bytes) are ignored. A guess."""


class TablesList:
    """All tables that publish themselves on a broker.

    `on_change` is called whenever a row may have changed.
    """

    needed: bool = True

    def __init__(
        self,
        address: BrokerAddress,
        on_change: Callable[[], None],
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self._address, self._said = address, ""
        self.tables: dict[str, ListedTable] = {}
        self._on_change = on_change
        name = f"companion-tables-{time.time_ns() % 10**9}"
        self._say = say
        self.broker = Broker(address, name, on_up=self._begin, on_message=self.hear, say=self._tell)

    @property
    def said(self) -> str:
        """Why the broker is silent, as a sentence. "" while connected."""
        return "" if self.broker.up else self._said or tr("connecting to {where}", where=self._address.where)

    def nothing_yet(self) -> str:
        """Sentence: no table is on this broker yet, and what command puts one there."""
        return tr(
            "No table is on this broker yet. At each table: companion bridge mqtt --broker HOST --table NAME"
        )

    async def run(self) -> None:
        """Stay connected until cancelled. CompanionError if no waiting helps."""
        await self.broker.run()

    def _tell(self, line: str) -> None:
        self._said = line
        self._say(line)
        self._on_change()

    def rows(self) -> list[dict[str, Any]]:
        """A row of plain values for each table, sorted by its name."""
        return [table.row() for _, table in sorted(self.tables.items())]

    def _begin(self) -> None:
        self.broker.subscribe(*(f"{ROOT}/+/{of}" for of in ("bridge", "engine", "state")))
        self._on_change()

    def hear(self, topic: str, content: bytes, old: bool) -> None:
        """Note what a table has published.

        `old`: the broker had kept it.
        """
        _, name, of = topic.split("/")
        if len(content) > LONGEST or (name not in self.tables and (not content or len(self.tables) >= MOST)):
            return  # without content: somebody removes a table that is gone
        table = self.tables.setdefault(name, ListedTable(str(all_printable(name))))
        match of:
            case "bridge":
                table.bridge = content == ONLINE.encode()
                if not content:  # somebody removed a table that is gone
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
