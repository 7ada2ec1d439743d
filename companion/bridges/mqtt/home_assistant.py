"""The bridge: one table's public state on a broker, as a device of Home Assistant."""

import asyncio
import re
import secrets
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.bridges.mqtt.broker import Broker, BrokerAddress
from companion.bridges.mqtt.table_topics import (
    DISCOVERY,
    OFFLINE,
    ONLINE,
    device_of,
    discovery_topic,
    state_of,
    topic,
)
from companion.core.errors import SourceError, as_told
from companion.core.language import current, tr
from companion.dashboard.model import Link, PublicModel
from companion.session.events import Claimed, Command, Event, Welcome
from companion.session.stream_client import StreamClient
from companion.session.without_keys import WithoutKeys

_MARK = re.compile(rb"\d{20}-[0-9a-f]{6}")
"""What bridges write to the topic `owner`: when one began (Unix time, ns), and six digits of chance."""
LEAST_S = 0.5
"""LEAST_S: least time between two states (s)."""


class HomeAssistantBridge:
    """Follows the engine at the socket `engine` and tells the broker of the table. It takes no orders."""

    def __init__(
        self,
        engine: Path,
        broker: BrokerAddress,
        table: str,
        *,
        prefix: str = DISCOVERY,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """`prefix`: Home Assistant's first level of discovery topics; empty for no discovery."""
        self.table = table
        self.model = PublicModel()
        self._prefix = prefix
        self._mark = f"{time.time_ns():020d}-{secrets.token_hex(3)}"
        """Tells this bridge from another one for a table of the same name; the older one's is smaller."""
        self._verdict: Claimed | None = None
        self._client: StreamClient[Event, Command] = StreamClient(
            engine, Event, self._take, self._link, language=lambda: WithoutKeys(current().code)
        )
        self._broker = Broker(
            broker,
            f"companion-{table}-{self._mark[-6:]}",
            on_up=self._announce,
            on_message=self._heard,
            will=(topic(table, "bridge"), OFFLINE),
            say=say,
        )
        self._due: asyncio.TimerHandle | None = None
        self._last: tuple[bytes, str] | None = None
        self._last_s = float("-inf")

    async def run(self) -> None:
        """Bridge until cancelled; SourceError or BadInputError where waiting for the broker cannot help."""
        following = asyncio.ensure_future(self._client.run())
        following.add_done_callback(self._follows_no_more)
        try:
            await self._broker.run()
        finally:
            following.cancel()
            if self._due is not None:
                self._due.cancel()

    def _follows_no_more(self, following: asyncio.Future[None]) -> None:
        """An error ended the client: a bridge that went on would look alive, and never change."""
        if not following.cancelled() and (error := following.exception()) is not None:
            self._broker.fail(as_told(error))

    def say_goodbye(self) -> None:
        """The bridge ends in order: nothing is left that looks alive."""
        self._broker.publish(topic(self.table, "engine"), OFFLINE)
        self._broker.publish(topic(self.table, "bridge"), OFFLINE)

    def _announce(self) -> None:
        """To a broker that may know nothing: the device, and everything anew."""
        self._broker.subscribe(topic(self.table, "owner"))  # first, or an answer would come as old news
        self._broker.publish(topic(self.table, "bridge"), ONLINE)
        self._broker.publish(topic(self.table, "owner"), self._mark)
        if self._prefix:
            self._broker.subscribe(f"{self._prefix}/status")
            device = msgspec.json.encode(device_of(self.table))
            self._broker.publish(discovery_topic(self.table, self._prefix), device)
        self._last = None
        self._publish()

    def _heard(self, of: str, content: bytes, old: bool) -> None:
        """Home Assistant has started anew and wants to be told of the device; or there is another bridge."""
        # Other content is no bridge's: somebody clears the topics of tables that are no more.
        if of == topic(self.table, "owner") and not old and _MARK.fullmatch(content):
            if content < self._mark.encode():
                self._broker.fail(
                    SourceError(
                        tr("a bridge for the table {table} is running already", table=self.table),
                        where=self._broker.address.where,
                        next_step=tr("give each table a name of its own: --table NAME"),
                    )
                )
            elif content != self._mark.encode():
                self._announce()  # the one that has just begun hears that, and ends
        if of == f"{self._prefix}/status" and content == b"online" and not old:
            self._announce()

    def _link(self, live: bool) -> None:
        self.model.connected(live)
        self._changed()

    def _take(self, event: Event) -> None:
        self.model.take(event)
        if isinstance(event, Welcome):
            self._verdict = None
        elif isinstance(event, Claimed) and not self.model.foreign:
            self._verdict = event
        self._changed()

    def _changed(self) -> None:
        if self._due is None:
            loop = asyncio.get_running_loop()
            self._due = loop.call_at(max(loop.time(), self._last_s + LEAST_S), self._publish)

    def _publish(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if not self._broker.up:
            return  # everything is told anew with the next connection
        self._last_s = asyncio.get_running_loop().time()
        state = state_of(self.model, self._verdict)
        engine = ONLINE if self.model.link is Link.LIVE and not self.model.foreign else OFFLINE
        told = (msgspec.json.encode(state), engine)
        if self._last is None or told[1] != self._last[1]:
            self._broker.publish(topic(self.table, "engine"), engine)
        # While the engine is away, the broker keeps the last known state of the table.
        if state["live"] and (self._last is None or told[0] != self._last[0]):
            self._broker.publish(topic(self.table, "state"), told[0])
        self._last = told
