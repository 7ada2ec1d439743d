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
"""Content of a message on a table's topic `owner`.

It is the mark of a bridge: Unix time (ns, 20 digits), "-", six random hex digits. An answer to a younger bridge
has its mark, the younger's mark, and a proof (64 hex digits), with spaces between.
"""
LEAST_S = 0.5
"""Shortest time (s) between two messages with the table's state. A guess.

It protects the broker from a flood of messages.
"""


class HomeAssistantBridge:
    """Publishes one table's state for Home Assistant.

    The state is published on an MQTT broker. The bridge obeys no commands. If a second bridge with the same
    table's name appears, the younger one ends.
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
        """Prepare the bridge, within a running asyncio loop; `run` publishes.

        `engine`: socket of the table's engine. `broker`: address and login. `table`: the table's name in
        topics. `shown`: its name as people wrote it; "": made from `table`. `prefix`: first level of Home
        Assistant's discovery topics; "" publishes no device. `say`: gets sentences for people.
        """
        self._shown = shown
        self._say = say
        self._key = hashlib.sha256(f"{broker.username}\0{broker.password}".encode()).digest()
        """Key of the proofs: SHA-256 of user name and password. Bridges with one login share it."""
        self._proves = bool(broker.password)
        self._answered_s = float("-inf")
        self._warned = False
        self.table = table
        self.model = PublicModel()
        self._prefix = prefix
        self.mark = f"{time.time_ns():020d}-{secrets.token_hex(3)}"
        """Mark of this bridge: its start (ns) and six random hex digits.

        Of two bridges for one table's name, the older has the smaller mark.
        """
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
        """Follow the engine and publish its table until cancelled.

        SourceError if an older bridge has this table's name, BadInputError if the broker refuses the login.
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
        """End the bridge if it can no longer follow the engine.

        Else the table would look alive on the broker and never change.
        """
        if not following.cancelled() and (error := following.exception()) is not None:
            self.broker.fail(as_told(error))

    def say_goodbye(self) -> None:
        """Publish that bridge and engine are offline."""
        self.broker.publish(topic(self.table, "engine"), OFFLINE)
        self.broker.publish(topic(self.table, "bridge"), OFFLINE)

    def _announce(self) -> None:
        """Publish the device and all states, and subscribe.

        Called at each new connection, because the broker may have lost them.
        """
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
        """Handle a message of the broker.

        After a restart of Home Assistant the device is published again. A mark of another bridge is compared
        with this bridge's. `of`: topic. `old`: the broker had kept the message, which is then ignored.
        """
        if of == topic(self.table, "owner") and not old and _OWNER.fullmatch(content):
            mark, asked, proof = (*content.decode().split(" "), "", "")[:3]
            self._other_bridge(mark, asked, proof)
        if of == f"{self._prefix}/status" and content == b"online" and not old and self._may_answer():
            self._announce()

    def _other_bridge(self, mark: str, asked: str, proof: str) -> None:
        """Decide between two bridges for one table's name: the older stays.

        The older answers the younger, with a proof that it knows the password, because anybody may write to the
        topic. This bridge ends if an older one proves that. `mark`: the other bridge's. `asked`: the mark that
        it answers; "" if it only announces itself. `proof`: hex digits, as from the method `proof`.
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
        """Proof (64 hex digits) that a bridge knows the password.

        The password is the broker's. The proof is an HMAC-SHA256 of the table's name and both marks, from which
        the password cannot be computed.
        """
        return hmac.new(self._key, f"{self.table} {older} {younger}".encode(), "sha256").hexdigest()

    def _may_answer(self) -> bool:
        """True if LEAST_S has passed since the last answer; the time is then noted.

        So strangers' messages cost little.
        """
        now = asyncio.get_running_loop().time()
        due = now - self._answered_s >= LEAST_S
        self._answered_s = now if due else self._answered_s
        return due

    def linked(self, live: bool) -> None:
        """Note whether the engine is connected (`live`), and publish it."""
        self.model.connected(live)
        self._changed()

    def take(self, event: Event) -> None:
        """Note an engine event; publish what it changes."""
        self.model.take(event)
        if isinstance(event, Welcome):
            self.verdict = None
        elif isinstance(event, Claimed) and not self.model.foreign:
            self.verdict = event
        self._changed()

    def _changed(self) -> None:
        """Publish the state soon.

        At once, or LEAST_S after the last time.
        """
        if self._due is None:
            loop = asyncio.get_running_loop()
            self._due = loop.call_at(max(loop.time(), self._last_s + LEAST_S), self._publish)

    def _publish(self) -> None:
        """Publish state and engine now, where they have changed. Nothing without a connection."""
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
