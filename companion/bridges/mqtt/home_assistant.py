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
"""Pattern of a message on the topic `owner`: the mark of a bridge (Unix time in ns, six random digits). An
older bridge answers a younger one with both marks, and a proof that it knows the password."""
LEAST_S = 0.5
"""Least time (s) between two messages with the table's state, so that the broker is not flooded. A guess."""


class HomeAssistantBridge:
    """Bridge from a running game to an MQTT broker.

    It only publishes, and accepts no commands. `engine` is the socket of the program that follows the game.
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
        """Prepare the bridge for the table named `table` in topics.

        `prefix` is the first level of Home Assistant's discovery topics; "" publishes no device. `shown` is
        the table's name as people wrote it. `say` gets lines for the user.
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
        self._mark = f"{time.time_ns():020d}-{secrets.token_hex(3)}"
        """Mark of this bridge among those for a table of this name. An older bridge has a smaller mark."""
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
        """Publish the table until cancelled.

        SourceError or BadInputError if waiting for the broker cannot help.
        """
        following = asyncio.ensure_future(self._client.run())
        following.add_done_callback(self._follows_no_more)
        try:
            await self._broker.run()
        finally:
            following.cancel()
            if self._due is not None:
                self._due.cancel()

    def _follows_no_more(self, following: asyncio.Future[None]) -> None:
        """End the bridge once the game cannot be followed.

        Otherwise the table would look alive on the broker and never change.
        """
        if not following.cancelled() and (error := following.exception()) is not None:
            self._broker.fail(as_told(error))

    def say_goodbye(self) -> None:
        """Publish that the bridge and its game are offline."""
        self._broker.publish(topic(self.table, "engine"), OFFLINE)
        self._broker.publish(topic(self.table, "bridge"), OFFLINE)

    def _announce(self) -> None:
        """Publish the device and all states after each connection, because the broker may have lost them."""
        self._broker.subscribe(topic(self.table, "owner"))  # first, or an answer would come as old news
        self._broker.publish(topic(self.table, "bridge"), ONLINE)
        self._broker.publish(topic(self.table, "owner"), self._mark)
        if self._prefix:
            self._broker.subscribe(f"{self._prefix}/status")
            device = msgspec.json.encode(device_of(self.table, self._shown))
            self._broker.publish(discovery_topic(self.table, self._prefix), device)
        self._last = None
        self._publish()

    def _heard(self, of: str, content: bytes, old: bool) -> None:
        """Handle a message from the broker: of a restarted Home Assistant, or of another bridge.

        After a restart the device is published again. `old` is True for a message that the broker had kept;
        those are ignored.
        """
        if of == topic(self.table, "owner") and not old and _OWNER.fullmatch(content):
            mark, asked, proof = (*content.decode().split(" "), "", "")[:3]
            self._other_bridge(mark, asked, proof)
        if of == f"{self._prefix}/status" and content == b"online" and not old and self._may_answer():
            self._announce()

    def _other_bridge(self, mark: str, asked: str, proof: str) -> None:
        """Of two bridges with one table's name, keep the older.

        The older bridge answers the younger one with a proof that it knows the password, and the younger one
        ends. The proof is needed because anybody may write to the topic. `mark` is the other bridge's mark.
        `asked` is the mark that it answers, "" if it only announces itself. `proof` is as in `_proof`.
        """
        if mark == self._mark:
            return
        if mark > self._mark:
            if not asked and self._may_answer():
                answer = f"{self._mark} {mark} {self._proof(self._mark, mark)}"
                self._broker.publish(topic(self.table, "owner"), answer, retain=False)
            return
        if asked != self._mark:
            return  # meant for another bridge, or for nobody
        proved = hmac.compare_digest(proof, self._proof(mark, self._mark))
        taken = text("a bridge for the table {table} is running already", table=self._shown or self.table)
        name_it = text("give each table a name of its own: --table NAME")
        if proved and self._proves:
            self._broker.fail(SourceError(taken, where=self._broker.address.where, next_step=name_it))
        elif not self._warned:
            # Without a password nobody can prove anything, so this bridge goes on.
            self._warned = True
            self._say(tr("{what}; {step}", what=taken, step=name_it))

    def _proof(self, older: str, younger: str) -> str:
        """Proof, as hex text, that a bridge knows the broker's password, for these two bridges' marks.

        It is an HMAC-SHA256, so the password itself cannot be read from it.
        """
        return hmac.new(self._key, f"{self.table} {older} {younger}".encode(), "sha256").hexdigest()

    def _may_answer(self) -> bool:
        """True if LEAST_S has passed since the last answer, so that messages of strangers cost little.

        If True, the time of this answer is remembered.
        """
        now = asyncio.get_running_loop().time()
        due = now - self._answered_s >= LEAST_S
        self._answered_s = now if due else self._answered_s
        return due

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
            return  # everything is published at the next connection
        self._last_s = asyncio.get_running_loop().time()
        state = state_of(self.model, self._verdict)
        state |= {"table": self._shown} if self._shown else {}
        engine = ONLINE if self.model.link is Link.LIVE and not self.model.foreign else OFFLINE
        told = (msgspec.json.encode(state), engine)
        if self._last is None or told[1] != self._last[1]:
            self._broker.publish(topic(self.table, "engine"), engine)
        # While the engine is away the broker keeps the table's last state.
        if state["live"] and (self._last is None or told[0] != self._last[0]):
            self._broker.publish(topic(self.table, "state"), told[0])
        self._last = told
