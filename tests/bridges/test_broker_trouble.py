"""A broker that cannot be used: each cause is one line with the option that mends it, and never silence."""

import asyncio
import contextlib
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from companion.bridges.mqtt import broker as broker_module
from companion.bridges.mqtt.broker import LONGEST_PACKET, Broker, BrokerAddress, why_unreached
from companion.bridges.mqtt.home_assistant import HomeAssistantBridge
from companion.bridges.mqtt.table_topics import device_of, table_name
from companion.bridges.mqtt.tables_list import TablesList
from companion.core.errors import SourceError

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
CONNACK = b"\x20\x03\x00\x00\x00"
NOT_AUTHORIZED = 135
openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates")


@contextlib.asynccontextmanager
async def served(serve: Serve, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A server on a port of its own; the port."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def lines_of(address: BrokerAddress, wanted: int = 1, *, topics: tuple[str, ...] = ()) -> list[str]:
    """The first lines that a client of this broker says, within 20 s."""
    said: list[str] = []

    def begin() -> None:
        one.subscribe(*topics)
        for topic in topics:
            one.publish(topic, "x")

    one = Broker(address, "test", on_up=begin, say=said.append)
    running = asyncio.ensure_future(one.run())
    async with asyncio.timeout(20):
        while len(said) < wanted:
            await asyncio.sleep(0.01)
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    return said


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(100)
    writer.close()


async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


def certified(folder: Path, host: str) -> tuple[ssl.SSLContext, Path]:
    """A server's TLS with a certificate for this host, signed by itself, and the certificate."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made += ["-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", f"/CN={host}"]
    made += ["-addext", f"subjectAltName=DNS:{host}"]
    subprocess.run(made, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, certificate


@openssl
async def test_a_certificate_that_nobody_trusts_names_the_option(tmp_path: Path) -> None:
    context, _ = certified(tmp_path, "localhost")
    async with served(hang_up, context) as port:
        (told,) = await lines_of(BrokerAddress("localhost", port, tls=True))
    assert told == (
        f"the certificate of localhost:{port} is not trusted; name who signed it: --ca FILE; trying again"
    )


@openssl
async def test_a_certificate_of_another_host_is_told(tmp_path: Path) -> None:
    context, certificate = certified(tmp_path, "broker.example")
    async with served(hang_up, context) as port:
        (told,) = await lines_of(BrokerAddress("localhost", port, ca=certificate))
    assert told.startswith(f"the certificate of localhost:{port} is of another host; name the host as it does")


@openssl
async def test_a_broker_that_speaks_tls_alone_names_the_option(tmp_path: Path) -> None:
    context, _ = certified(tmp_path, "localhost")
    async with served(hang_up, context) as port:
        (told,) = await lines_of(BrokerAddress("localhost", port))
    assert told == f"localhost:{port} speaks TLS alone; add --tls, or --ca FILE; trying again"


async def test_tls_to_a_port_without_it_names_the_option() -> None:
    async with served(hang_up) as port:
        (told,) = await lines_of(BrokerAddress("127.0.0.1", port, tls=True))
    assert told.startswith(f"127.0.0.1:{port} speaks no TLS; leave out --tls and --ca")


async def test_a_broker_that_hangs_up_on_the_greeting_is_told() -> None:
    async with served(hang_up) as port:
        (told,) = await lines_of(BrokerAddress("127.0.0.1", port))
    assert told.startswith(f"127.0.0.1:{port} hangs up without an answer; check --username and the password")


async def test_a_broker_without_a_word_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_module, "SILENT_S", 0.1)
    async with served(say_nothing) as port:
        (told,) = await lines_of(BrokerAddress("127.0.0.1", port))
    assert told == f"no answer from 127.0.0.1:{port}; check --broker HOST:PORT; trying again"


async def test_a_port_where_nothing_listens_is_told() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    (told,) = await lines_of(BrokerAddress("127.0.0.1", port))
    assert told == f"nothing listens at 127.0.0.1:{port}; check --broker HOST:PORT; trying again"


def _of(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code = code
    return error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (_of(10), "is not valid today; renew it, or set the clock"),
        (_of(9), "is not valid today"),
        (_of(62), "is of another host; name the host as it does: --broker HOST"),
        (_of(64), "is of another host"),
        (_of(18), "is not trusted; name who signed it: --ca FILE"),
        (socket.gaierror(-2, "Name or service not known"), "no machine has the name of b:1; check --broker"),
        (ConnectionResetError(104, "reset"), "speaks no TLS"),
        (TimeoutError(110, "Connection timed out"), "no answer from b:1 ("),
        (None, "no answer from b:1; check --broker"),
    ],
)
def test_each_cause_has_a_line_of_its_own(error: BaseException | None, said: str) -> None:
    assert said in why_unreached(error, "b:1", encrypted=True)


async def refusing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A broker that takes the client, and refuses every topic."""
    with contextlib.suppress(asyncio.IncompleteReadError):
        while True:
            kind, length = (await reader.readexactly(1))[0] >> 4, (await reader.readexactly(1))[0]
            body = await reader.readexactly(length)
            if kind == 1:
                writer.write(CONNACK)
            elif kind == 8:
                writer.write(bytes((0x90, 4)) + body[:2] + bytes((0, NOT_AUTHORIZED)))
            elif kind == 3:
                at = 2 + int.from_bytes(body[:2], "big")
                writer.write(bytes((0x40, 4)) + body[at : at + 2] + bytes((NOT_AUTHORIZED, 0)))
    writer.close()


async def test_a_refused_topic_is_named_once_with_the_option() -> None:
    async with served(refusing) as port:
        told = await lines_of(BrokerAddress("127.0.0.1", port), topics=("companion/hall/state",))
        assert told == [
            "the broker refuses the topic companion/hall/state (not authorized); allow it to this --username"
        ]


async def test_a_broker_is_asked_for_short_messages_alone() -> None:
    greeting: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not greeting.done():
            greeting.set_result(await reader.read(200))
        writer.close()

    async with served(note) as port:
        await lines_of(BrokerAddress("127.0.0.1", port))
    assert b"\x27" + LONGEST_PACKET.to_bytes(4, "big") in greeting.result()


@pytest.mark.parametrize(
    ("given", "topic"),
    [("Küche", "kuche"), ("Salon d’été", "salon-d-ete"), ("Кухня", "table-"), ("Зал", "table-")],
)
def test_a_table_keeps_its_name_on_screens_and_letters_in_topics(given: str, topic: str) -> None:
    assert table_name(given).startswith(topic)
    assert device_of(table_name(given), given)["device"]["name"] == f"Table {given}"
    assert table_name("Кухня") != table_name("Зал")


async def test_the_list_of_tables_shows_the_name_as_it_was_written() -> None:
    listed = TablesList(BrokerAddress("127.0.0.1"), lambda: None)
    listed.hear("companion/kuche/state", '{"table": "Küche"}'.encode(), True)
    listed.hear("companion/hall/state", b'{"table": 5}', True)
    assert [row["table"] for row in listed.rows()] == ["hall", "Küche"]


def bridge(tmp_path: Path, password: str = "secret") -> tuple[HomeAssistantBridge, list[str]]:
    said: list[str] = []
    address = BrokerAddress("127.0.0.1", 1, "anna", password)
    made = HomeAssistantBridge(tmp_path / "e", address, "hall", say=said.append)
    return made, said


async def test_only_a_bridge_with_the_same_password_ends_a_younger_one(tmp_path: Path) -> None:
    (old, _), (young, said), (stranger, _) = bridge(tmp_path), bridge(tmp_path), bridge(tmp_path, "guess")
    stranger.mark = old.mark
    sent: list[str] = []
    for one in (old, stranger):
        one.broker.publish = lambda _topic, content, **_kept: sent.append(content)
    of = "companion/hall/owner"
    stranger.hear(of, young.mark.encode(), False)
    old.hear(of, young.mark.encode(), False)
    old.hear(of, young.mark.encode(), False)  # a flood costs no more answers
    guessed, proved = sent
    for content in (old.mark, guessed, f"{old.mark} {old.mark} {'0' * 64}", proved[:-1], "0" * 10**6):
        young.hear(of, content.encode(), False)
        assert not young.broker.failed.done()
    assert said == [
        "a bridge for the table hall is running already; give each table a name of its own: --table NAME"
    ]
    young.hear(of, proved.encode(), True)
    assert not young.broker.failed.done()  # old news
    young.hear(of, proved.encode(), False)
    assert isinstance(young.broker.failed.exception(), SourceError)


async def test_without_a_password_nobody_ends_a_bridge(tmp_path: Path) -> None:
    (old, _), (young, said) = bridge(tmp_path, ""), bridge(tmp_path, "")
    proof = old.proof(old.mark, young.mark)
    young.hear("companion/hall/owner", f"{old.mark} {young.mark} {proof}".encode(), False)
    assert not young.broker.failed.done()
    assert len(said) == 1
