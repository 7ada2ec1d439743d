"""Bridge that publishes one table on an MQTT broker, as a device for Home Assistant."""

import asyncio
import hashlib
import hmac
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
from companion.core.language import current, text, tr
from companion.dashboard.model import Link, PublicModel
from companion.session.entries.without_keys import WithoutKeys
from companion.session.stream.commands import Command
from companion.session.stream.events import Claimed, Event, Welcome
from companion.session.stream.stream_client import StreamClient

_OWNER = re.compile(rb"(\d{20}-[0-9a-f]{6})(?: (\d{20}-[0-9a-f]{6}) ([0-9a-f]{64}))?")
"""A message on the topic `owner`: the mark of a bridge (Unix time in ns, six random digits).

An older bridge answers a younger one with both marks, and a proof that it knows the password.
"""
LEAST_S = 0.5
"""Shortest time (s) between two messages with the table's state, so that the broker is not flooded. A guess."""


class HomeAssistantBridge:
    """Publishes a running game on an MQTT broker, and obeys no commands.

    `engine`: socket of the engine that follows the game.
    """

    def __init__(
        self,
        engine: Path,
        broker: BrokerAddress,
        table: str,
        *,
        prefix: str = DISCOVERY,
        shown: str = "",
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """`table`: its name in topics.

        `shown`: its name as people wrote it. `say` gets lines for people.

        `prefix`: first level of Home Assistant's discovery topics; "" publishes no device.
        """
        self._shown = shown
        self._say = say
        self._key = hashlib.sha256(f"{broker.username}\0{broker.password}".encode()).digest()
        """Key that bridges with one password share."""
        self._proves = bool(broker.password)
        self._answered_s = float("-inf")
        self._warned = False
        self.table = table
        self.model = PublicModel()
        self._prefix = prefix
        self.mark = f"{time.time_ns():020d}-{secrets.token_hex(3)}"
        """Mark of this bridge among those for a table of this name. An older bridge has a smaller mark."""
        self.verdict: Claimed | None = None
        """The newest verdict of this game; None before the first."""
        self._client: StreamClient[Event, Command] = StreamClient(
            engine, Event, self.take, self.linked, language=lambda: WithoutKeys(current().code)
        )
        self.broker = Broker(
            broker,
            f"companion-{table}-{self.mark[-6:]}",
            on_up=self._announce,
            on_message=self.hear,
            will=(topic(table, "bridge"), OFFLINE),
            say=say,
        )
        self._due: asyncio.TimerHandle | None = None
        self._last: tuple[bytes, str] | None = None
        self._last_s = float("-inf")

    async def run(self) -> None:
        """Publish the table until cancelled.

        SourceError or BadInputError if no waiting for the broker helps.
        """
        following = asyncio.ensure_future(self._client.run())
        following.add_done_callback(self._follows_no_more)
        try:
            await self.broker.run()
        finally:
            following.cancel()
            if self._due is not None:
                self._due.cancel()

    def _follows_no_more(self, following: asyncio.Future[None]) -> None:
        """End the bridge once the game cannot be followed: else the table would look alive and never change."""
        if not following.cancelled() and (error := following.exception()) is not None:
            self.broker.fail(as_told(error))

    def say_goodbye(self) -> None:
        """Publish that bridge and engine are offline."""
        self.broker.publish(topic(self.table, "engine"), OFFLINE)
        self.broker.publish(topic(self.table, "bridge"), OFFLINE)

    def _announce(self) -> None:
        """Publish device and all states at each connection, because the broker may have lost them."""
        self.broker.subscribe(topic(self.table, "owner"))  # first, or an answer would come as old news
        self.broker.publish(topic(self.table, "bridge"), ONLINE)
        self.broker.publish(topic(self.table, "owner"), self.mark)
        if self._prefix:
            self.broker.subscribe(f"{self._prefix}/status")
            device = msgspec.json.encode(device_of(self.table, self._shown))
            self.broker.publish(discovery_topic(self.table, self._prefix), device)
        self._last = None
        self._publish()

    def hear(self, of: str, content: bytes, old: bool) -> None:
        """Handle a message of the broker: Home Assistant was restarted, or another bridge speaks.

        After a restart the device is published again. `old`: the broker had kept the message; it is
        ignored.
        """
        if of == topic(self.table, "owner") and not old and _OWNER.fullmatch(content):
            mark, asked, proof = (*content.decode().split(" "), "", "")[:3]
            self._other_bridge(mark, asked, proof)
        if of == f"{self._prefix}/status" and content == b"online" and not old and self._may_answer():
            self._announce()

    def _other_bridge(self, mark: str, asked: str, proof: str) -> None:
        """Two bridges have one table's name: the older stays, the younger ends.

        The older answers the younger with a proof that it knows the password, because anybody may write to
        the topic. `mark`: the other bridge's. `asked`: the mark that it answers; "" if it only announces
        itself. `proof`: see `proof`.
        """
        if mark == self.mark:
            return
        if mark > self.mark:
            if not asked and self._may_answer():
                answer = f"{self.mark} {mark} {self.proof(self.mark, mark)}"
                self.broker.publish(topic(self.table, "owner"), answer, retain=False)
            return
        if asked != self.mark:
            return  # meant for another bridge, or for nobody
        proved = hmac.compare_digest(proof, self.proof(mark, self.mark))
        taken = text("a bridge for the table {table} is running already", table=self._shown or self.table)
        name_it = text("give each table a name of its own: --table NAME")
        if proved and self._proves:
            self.broker.fail(SourceError(taken, where=self.broker.address.where, next_step=name_it))
        elif not self._warned:
            # Without a password nobody can prove anything, so this bridge goes on.
            self._warned = True
            self._say(tr("{what}; {step}", what=taken, step=name_it))

    def proof(self, older: str, younger: str) -> str:
        """Proof (hex) that a bridge knows the broker's password, for the marks of two bridges.

        An HMAC-SHA256, from which the password cannot be read.
        """
        return hmac.new(self._key, f"{self.table} {older} {younger}".encode(), "sha256").hexdigest()

    def _may_answer(self) -> bool:
        """True, and the time is noted, if LEAST_S has passed since the last answer: strangers' messages must
        cost little."""
        now = asyncio.get_running_loop().time()
        due = now - self._answered_s >= LEAST_S
        self._answered_s = now if due else self._answered_s
        return due

    def linked(self, live: bool) -> None:
        """Publish whether the engine is there (`live`)."""
        self.model.connected(live)
        self._changed()

    def take(self, event: Event) -> None:
        """Publish what an event of the engine changes."""
        self.model.take(event)
        if isinstance(event, Welcome):
            self.verdict = None
        elif isinstance(event, Claimed) and not self.model.foreign:
            self.verdict = event
        self._changed()

    def _changed(self) -> None:
        if self._due is None:
            loop = asyncio.get_running_loop()
            self._due = loop.call_at(max(loop.time(), self._last_s + LEAST_S), self._publish)

    def _publish(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if not self.broker.up:
            return  # everything is published at the next connection
        self._last_s = asyncio.get_running_loop().time()
        state = state_of(self.model, self.verdict)
        state |= {"table": self._shown} if self._shown else {}
        engine = ONLINE if self.model.link is Link.LIVE and not self.model.foreign else OFFLINE
        told = (msgspec.json.encode(state), engine)
        if self._last is None or told[1] != self._last[1]:
            self.broker.publish(topic(self.table, "engine"), engine)
        # While the engine is away the broker keeps the table's last state.
        if state["live"] and (self._last is None or told[0] != self._last[0]):
            self.broker.publish(topic(self.table, "state"), told[0])
        self._last = told
