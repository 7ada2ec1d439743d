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
"""Largest length (bytes) of a message about a table; longer ones are ignored. A guess."""


class TablesList:
    """All tables that publish their state on an MQTT broker.

    `address`: the broker. `on_change`: called without arguments whenever a row may have changed. `say`: gets a
    sentence when the broker is lost or back. `needed`: always True, because without the broker nothing is
    listed. `tables`: name in topics -> table.
    """

    needed: bool = True

    def __init__(self, address: BrokerAddress, on_change: Callable[[], None]) -> None:
        self._address, self._said = address, ""
        self.tables: dict[str, ListedTable] = {}
        self._on_change = on_change
        name = f"companion-tables-{time.time_ns() % 10**9}"
        self.broker = Broker(address, name, on_up=self._begin, on_message=self.hear, say=self._tell)

    @property
    def said(self) -> str:
        """Why the broker does not answer, as a sentence. "" while connected."""
        return "" if self.broker.up else self._said or tr("connecting to {where}", where=self._address.where)

    def nothing_yet(self) -> str:
        """Sentence: no table is on this broker yet, and what command puts one there."""
        return tr(
            "No table is on this broker yet. At each table: companion bridge mqtt --broker HOST --table NAME"
        )

    async def run(self) -> None:
        """Stay connected to the broker until cancelled.

        CompanionError for a fault that no waiting mends.
        """
        await self.broker.run()

    def _tell(self, line: str) -> None:
        """Keep a sentence about the broker for `said`."""
        self._said = line
        self._on_change()

    def rows(self) -> list[dict[str, Any]]:
        """A row for each table, as from `ListedTable.row`, sorted by name in topics."""
        return [table.row() for _, table in sorted(self.tables.items())]

    def _begin(self) -> None:
        """Subscribe to the topics of all tables. Called at each new connection."""
        self.broker.subscribe(*(f"{ROOT}/+/{of}" for of in ("bridge", "engine", "state")))
        self._on_change()

    def hear(self, topic: str, content: bytes, old: bool) -> None:
        """Note a message that a table has published.

        `topic`: "companion/TABLE/bridge", ".../engine" or ".../state". `content`: "online" or other bytes; for
        a state, a JSON object. Malformed and too long messages are ignored. An empty "bridge" removes the
        table. `old`: the broker had kept the message, so its time is unknown.
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
