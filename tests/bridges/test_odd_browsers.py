"""Browsers that send odd requests or leave: no traceback, and an address that was renewed is valid nowhere."""

import asyncio
import logging
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.bridges.served import TOKEN, Served, served


async def raw(one: Served, request: bytes, *, leave: bool = False) -> bytes:
    """What comes back for these bytes; nothing if the browser leaves at once."""
    address = urlsplit(one.root)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(request)
    await writer.drain()
    if leave:
        writer.transport.abort()
        return b""
    answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
    writer.close()
    return answer


@pytest.mark.parametrize("query", ["a=%0d%0aX", "a=%0aSet-Cookie:%20b", "%00", "a=%zz", "é".encode().hex()])
async def test_a_line_break_in_an_address_ends_no_header(
    query: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(tmp_path) as one:
        answer = await raw(one, f"GET /{TOKEN}?{query} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 308")
    assert b"\nX\r" not in answer
    assert b"\nSet-Cookie" not in answer
    assert not [record for record in caplog.records if record.exc_info]


async def test_phones_that_leave_amid_what_they_send_leave_no_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    post = "Host: a\r\nContent-Type: application/json\r\n"
    async with served(tmp_path, control=True) as one:
        for name in ("command", "seat"):
            head = f"POST /{TOKEN}/{name} HTTP/1.1\r\n{post}"
            await raw(one, f"{head}Content-Length: 900\r\n\r\n{{".encode(), leave=True)
            await raw(one, f"{head}Transfer-Encoding: chunked\r\n\r\n5\r\nab".encode(), leave=True)
            await raw(one, f"{head}Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n".encode(), leave=True)
        await asyncio.sleep(0.2)
        assert (await one.get("state"))[0] == 200
    assert not [record.getMessage() for record in caplog.records if record.exc_info]


async def test_with_a_new_token_the_old_address_is_valid_no_more(tmp_path: Path) -> None:
    async with served(tmp_path) as one:
        _, seat = await one.post("seat", {"player": 1})
        assert (await one.get("state"))[0] == 200
        one.server.use_token("another-token-x")
        assert (await one.get("state"))[0] == 404
        assert (await one.get("state", "another-token-x"))[0] == 200
        mine = seat.split("/")[1]
        assert (await one.get("state", mine))[0] == 404
