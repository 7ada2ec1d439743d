"""Connection to an MQTT broker.

It reconnects by itself, unless waiting cannot help.
"""

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.core.errors import BadInputError
from companion.core.language import localized, text, tr
from companion.core.printable import printable
from companion.core.system_words import system_words

PROBE_S = 3.0
"""How long (s) to wait for a broker's answer when it is asked whether it speaks TLS. A guess."""
_OTHER_HOST = (62, 63, 64)
"""OpenSSL's results (X509_V_ERR_...) for a certificate of another host, mail address or network address."""
_NOT_YET, _EXPIRED = 9, 10
"""OpenSSL's results for a certificate that is not valid yet, or not any more."""


def why_unreached(error: BaseException | None, where: str, *, encrypted: bool) -> str:
    """Sentence: why a broker was unreachable, and what helps.

    `error`: the cause; None: the broker does not answer. `where`: host and port as text. `encrypted`: TLS was
    tried.
    """
    match error:
        case ssl.SSLCertVerificationError(verify_code=code) if code in _OTHER_HOST:
            return text(
                "the certificate of {where} is of another host; name the host as it does: --broker HOST",
                where=where,
            )
        case ssl.SSLCertVerificationError(verify_code=code) if code in (_NOT_YET, _EXPIRED):
            return text(
                "the certificate of {where} is not valid today; renew it, or set the clock of this machine",
                where=where,
            )
        case ssl.SSLCertVerificationError():
            return text("the certificate of {where} is not trusted; name who signed it: --ca FILE", where=where)
        case ssl.SSLError() if "ALERT" in (error.reason or ""):
            return text(
                "{where} refuses TLS ({why}); does it want a client certificate?",
                where=where,
                why=str(error.reason),
            )
        case ssl.SSLError() | ConnectionResetError() if encrypted:
            return text("{where} speaks no TLS; leave out --tls and --ca, or name its TLS port", where=where)
        case socket.gaierror():
            return text("no machine has the name of {where}; check --broker", where=where)
        case ConnectionRefusedError():
            return text("nothing listens at {where}; check --broker HOST:PORT", where=where)
        case OSError() if error.errno is not None:
            return text("no answer from {where} ({why}); check --broker", where=where, why=system_words(error))
    return text("no answer from {where}; check --broker HOST:PORT", where=where)


def why_hung_up(host: str, port: int, where: str, *, encrypted: bool) -> str:
    """Sentence: why a broker hung up before it answered, and what to do.

    If `encrypted` is False, the broker is asked now, for at most PROBE_S, whether it speaks TLS. `where`: host
    and port as text.
    """
    if not encrypted and speaks_tls(host, port):
        return text("{where} speaks TLS alone; add --tls, or --ca FILE", where=where)
    return text(
        "{where} hangs up without an answer; check --username and the password, and that it speaks MQTT 5",
        where=where,
    )


def speaks_tls(host: str, port: int) -> bool:
    """True if a server answers to TLS within PROBE_S.

    A refusal in TLS counts, too. No data is sent, and no certificate is checked.
    """
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((host, port), PROBE_S) as plain,
            anybody.wrap_socket(plain, server_hostname=host),
        ):
            return True
    except ssl.SSLError as error:
        return "ALERT" in (error.reason or "")
    except (OSError, ValueError):
        return False


KEEPALIVE_S = 30
"""Keep-alive time (s) of the connection (MQTT).

After 1.5 times this silence the broker publishes the connection's last will.
"""
RETRY_S = (1, 30)
"""(first, longest) wait (s) before the next try to connect. A guess."""
SILENT_S = 10.0
"""Time (s) without an answer of the broker after which people are told.

A guess: a busy broker takes 1 s.
"""
STOP_S = 2.0
"""Longest time (s) for an orderly end of the connection. A guess."""
LONGEST_PACKET = 1 << 16
"""Largest message (bytes) that the broker may send.

It is four times the longest state of a table.
"""
MOST_UNANSWERED = 1000
"""Number of unanswered messages whose topics are remembered. A guess."""
PORT, TLS_PORT = 1883, 8883
"""Usual TCP ports of a broker: without and with TLS."""
_REFUSED = {
    128: text("unspecified error"),
    132: text("it does not speak MQTT 5"),
    133: text("it does not accept this client's name"),
    134: text("wrong user name or password"),
    135: text("not authorized"),
    138: text("banned"),
    140: text("another way to log in is wanted"),
}
"""Reason code of a refusal (MQTT 5) -> words for people."""
LEAST_REFUSAL = 128
"""Smallest reason code (MQTT 5) that is a refusal."""
_HOPELESS = (132, 133, 134, 135, 138, 140)
"""Reason codes (MQTT 5) with which a connection would be refused again."""


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where an MQTT broker is, and its login.

    `host`: name or IP address. `username`, `password`: "" for none. `tls`: the connection is encrypted.
    """

    host: str
    port: int = 0
    """TCP port; 0: the usual one."""
    username: str = ""
    password: str = ""
    tls: bool = False
    ca: Path | None = None
    """File of certificates that signed the broker's. None: the system's."""

    @property
    def encrypted(self) -> bool:
        """True if the connection uses TLS.

        A certificate file implies it.
        """
        return self.tls or self.ca is not None

    @property
    def used_port(self) -> int:
        """TCP port of the broker.

        The given one, else 8883 for an encrypted connection and 1883 for any other.
        """
        return self.port or (TLS_PORT if self.encrypted else PORT)

    @property
    def where(self) -> str:
        """Host and port as text, without the login."""
        return f"{self.host}:{self.used_port}"


class _Client(paho.Client):
    """MQTT client that remembers in `cause` why a connection failed.

    `cause` is None after a success.
    """

    cause: BaseException | None = None

    def reconnect(self) -> MQTTErrorCode:
        """Connect again. An exception is kept as `cause`, and raised."""
        self.cause = None
        try:
            return super().reconnect()
        except Exception as error:
            self.cause = error
            raise


class Broker:
    """A connection to an MQTT broker that reconnects by itself.

    It must be made in a running asyncio loop, in which all functions are called. `name`: the client's on the
    broker. `on_up`: called without arguments at each new connection. `on_message`: gets topic, content, and
    True for a message that the broker had kept (retained). `will`: (topic, content) that the broker publishes
    if the connection breaks. `say`: gets a sentence when the broker is lost or back. `up`: True while
    connected. BadInputError if the file of certificates cannot be read.
    """

    def __init__(
        self,
        address: BrokerAddress,
        name: str,
        *,
        on_up: Callable[[], None],
        on_message: Callable[[str, bytes, bool], None] = lambda _topic, _content, _old: None,
        will: tuple[str, str] | None = None,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self.address = address
        self.up = False
        self._on_up, self._on_message, self._say = on_up, on_message, say
        self._loop = asyncio.get_running_loop()
        self.failed: asyncio.Future[None] = self._loop.create_future()
        """Future that ends with the error which no waiting mends; see `fail`."""
        self.trouble = ""
        """Why the broker does not answer, in words. "" while it does."""
        self._refused: set[str] = set()
        self._topics: dict[int, tuple[str, ...]] = {}
        """Number of a message -> its topics, until the broker has answered."""
        client = _Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTProtocolVersion.MQTTv5)
        client.on_connect, client.on_disconnect = self._connected, self._disconnected
        client.on_connect_fail, client.on_message = self._unreachable, self._heard
        client.on_subscribe, client.on_publish = self._subscribed, self._published
        client.reconnect_delay_set(*RETRY_S)
        client.max_queued_messages_set(100)
        if address.username:
            client.username_pw_set(address.username, address.password or None)
        if address.encrypted:
            try:
                client.tls_set(None if address.ca is None else str(address.ca))
            except (OSError, ssl.SSLError) as error:
                raise BadInputError(
                    tr("no certificates to be read ({why})", why=str(error)), where=str(address.ca)
                ) from None
        if will is not None:
            client.will_set(*will, qos=1, retain=True)
        self._client = client

    async def run(self) -> None:
        """Stay connected to the broker until cancelled.

        The connection then ends within STOP_S. The error given to `fail` is raised, such as BadInputError for a
        wrong password.
        """
        wishes = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        wishes.MaximumPacketSize = LONGEST_PACKET
        self._client.connect_async(
            self.address.host, self.address.used_port, keepalive=KEEPALIVE_S, properties=wishes
        )
        self._client.loop_start()
        silent = self._loop.call_later(SILENT_S, self._silent)
        try:
            await self.failed
        finally:
            silent.cancel()
            # Off the loop, because it waits for paho's thread, which may wait for a name server or a silent
            # broker.
            stopping = threading.Thread(target=self._stop, daemon=True)
            stopping.start()
            until = self._loop.time() + STOP_S
            while stopping.is_alive() and self._loop.time() < until:
                await asyncio.sleep(0.02)

    def _stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def publish(self, topic: str, content: str | bytes, *, retain: bool = True) -> None:
        """Send the broker a message, at least once (QoS 1).

        Without a connection the message is dropped. `retain`: the broker keeps it for later subscribers.
        """
        if self.up:
            sent = self._client.publish(topic, content, qos=1, retain=retain)
            self._asked(sent.mid, topic)

    def subscribe(self, *topics: str) -> None:
        """Ask for messages on these topics, which `on_message` then gets.

        A subscription ends with its connection, so `on_up` should renew it.
        """
        _, number = self._client.subscribe([(topic, 1) for topic in topics])
        self._asked(number, *topics)

    def _asked(self, number: int | None, *topics: str) -> None:
        """Remember a message's topics until the broker answers it.

        `number`: its MQTT message id; None: it was not sent. At most MOST_UNANSWERED are remembered; the oldest
        go first.
        """
        if number is not None:
            self._topics[number] = topics
            while len(self._topics) > MOST_UNANSWERED:
                del self._topics[next(iter(self._topics))]

    # In paho's thread: everything is handed over to the loop.

    def _connected(self, _c: Any, _u: Any, _flags: Any, reason: ReasonCode, _p: Any) -> None:
        self._hand(self._answered, reason.value)

    def _disconnected(self, _c: Any, _u: Any, _flags: Any, reason: ReasonCode, _p: Any) -> None:
        if not self.up and reason.value and not self.trouble:
            # Asked in this thread, which waits for the network anyway.
            address = self.address
            why = why_hung_up(address.host, address.used_port, address.where, encrypted=address.encrypted)
            self._hand(self._down, why)
        self._hand(self._gone, reason.value)

    def _unreachable(self, _c: Any, _u: Any) -> None:
        address = self.address
        why = why_unreached(self._client.cause, address.where, encrypted=address.encrypted)
        self._hand(self._down, why)

    def _subscribed(self, _c: Any, _u: Any, number: int, reasons: Any, _p: Any) -> None:
        self._hand(self._taken, number, [one.value for one in reasons])

    def _published(self, _c: Any, _u: Any, number: int, reason: ReasonCode, _p: Any) -> None:
        self._hand(self._taken, number, [reason.value])

    def _heard(self, _c: Any, _u: Any, message: paho.MQTTMessage) -> None:
        with contextlib.suppress(UnicodeDecodeError):
            self._hand(self._on_message, message.topic, message.payload, message.retain)

    def _hand(self, to: Callable[..., None], *arguments: Any) -> None:
        """Have a function called in the loop's thread. Nothing if the loop has ended."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(to, *arguments)

    # In the loop.

    def _answered(self, reason: int) -> None:
        """Handle the broker's answer to a login. `reason`: MQTT 5 code; 0: success."""
        if reason == 0:
            self.up = True
            if self.trouble:
                self._say(tr("the broker at {where} is back", where=self.address.where))
            self.trouble = ""
            self._on_up()
            return
        why = _REFUSED.get(reason) or text("reason {number}", number=reason)
        if reason in _HOPELESS:
            self.fail(
                BadInputError(
                    tr("the broker refuses ({why})", why=why),
                    where=self.address.where,
                    next_step=tr("check --username and the password"),
                )
            )
        else:
            self._down(text("the broker at {where} refuses ({why})", where=self.address.where, why=why))

    def _gone(self, reason: int) -> None:
        """Note that the connection has ended. `reason`: MQTT 5 code; 0: on our own wish."""
        was_up, self.up = self.up, False
        if was_up and reason:
            self._down(text("the broker at {where} is gone", where=self.address.where))

    def _silent(self) -> None:
        """Tell people that the broker neither connects nor refuses."""
        if not self.up and not self.trouble:
            self._down(why_unreached(None, self.address.where, encrypted=self.address.encrypted))

    def _taken(self, number: int, reasons: Sequence[int]) -> None:
        """Handle the broker's answer to a message.

        People are told, once for each topic, that the broker refuses it. `number`: MQTT message id. `reasons`:
        a reason code (MQTT 5) for each topic.
        """
        topics = self._topics.pop(number, ())
        for topic, reason in zip(topics, reasons, strict=False):
            if reason >= LEAST_REFUSAL and topic not in self._refused and len(self._refused) < MOST_UNANSWERED:
                self._refused.add(topic)
                why = _REFUSED.get(reason) or text("reason {number}", number=reason)
                refused = text(
                    "the broker refuses the topic {topic} ({why}); allow it to this --username",
                    topic=topic,
                    why=why,
                )
                self._say(printable(localized(refused)))

    def _down(self, why: str) -> None:
        """Note that there is no connection, and tell people why.

        A reason that was told last is not repeated.
        """
        self.up = False
        if self.trouble != why and not self.failed.done():
            self.trouble = why
            self._say(printable(tr("{why}; trying again", why=why)))

    def fail(self, error: Exception) -> None:
        """Make `run` raise an error, because no waiting mends it.

        Only the first error counts.
        """
        if not self.failed.done():
            self.failed.set_exception(error)
