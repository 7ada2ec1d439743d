"""Connections within bounds: so many in all and from one address, and none that says nothing for long."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

MOST, MOST_EACH = 160, 48
"""Largest numbers of open connections to a server.

MOST: in all. MOST_EACH: from one address. A browser opens up to six.
"""
SILENT_S = 10.0
"""Time (s) without a whole request after which a connection is closed. A guess."""


class Bounds:
    """Limits on a server's connections.

    Connections beyond MOST or MOST_EACH are refused, and silent ones are closed after SILENT_S. Calling
    an instance makes the asyncio protocol of a new connection, which passes everything on to the one that
    `make` returns (aiohttp's). `open`: number of connections. `each`: address -> number of its connections.
    """

    def __init__(self, make: Callable[[], Any]) -> None:
        self.open = 0
        self.each: Counter[str] = Counter()
        self._make = make
        self._bounded: dict[int, _Bounded] = {}

    def __call__(self) -> "_Bounded":
        one = _Bounded(self, self._make())
        self._bounded[id(one.inner)] = one
        return one

    def stop_idle_timer(self, inner: Any) -> None:
        """A request has begun: keep its connection open.

        `inner`: the protocol that `make` returned for the connection.
        """
        if (one := self._bounded.get(id(inner))) is not None:
            one.stop_idle_timer()

    def start_idle_timer(self, inner: Any) -> None:
        """Close a connection whose request was answered, if it then stays silent.

        It may be silent for SILENT_S. `inner`: the protocol that `make` returned for the
        connection.
        """
        if (one := self._bounded.get(id(inner))) is not None:
            one.start_idle_timer()

    def forget(self, one: "_Bounded") -> None:
        """A connection has closed: remove its protocol."""
        self._bounded.pop(id(one.inner), None)


class _Bounded(asyncio.Protocol):
    """asyncio protocol of one limited connection.

    It is refused if too many are open, and closed if silent. All else is passed on to the protocol `inner`.
    """

    def __init__(self, bounds: Bounds, inner: Any) -> None:
        self.inner = inner
        self._bounds = bounds
        self._timer: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport | None = None
        self._peer = ""
        self._refused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count a new connection; refuse it if there are too many."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        address = transport.get_extra_info("peername")
        self._peer = str(address[0]) if isinstance(address, tuple) else ""
        bounds = self._bounds
        bounds.open += 1
        bounds.each[self._peer] += 1
        self._refused = bounds.open > MOST or bounds.each[self._peer] > MOST_EACH
        if self._refused:
            transport.abort()
            return
        self.inner.connection_made(transport)
        self.start_idle_timer()

    def connection_lost(self, error: Exception | None) -> None:
        """Count the connection no more, and tell `inner`.

        A refused connection is not told.
        """
        bounds = self._bounds
        bounds.open -= 1
        bounds.each[self._peer] -= 1
        if not bounds.each[self._peer]:
            del bounds.each[self._peer]
        self.stop_idle_timer()
        bounds.forget(self)
        if not self._refused:
            self.inner.connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Pass bytes to `inner`, unless the connection was refused."""
        if not self._refused:
            self.inner.data_received(data)

    def eof_received(self) -> Any:
        """Tell `inner` that the browser sends no more bytes."""
        return self.inner.eof_received()

    def pause_writing(self) -> None:
        """Tell `inner` that the browser receives too slowly."""
        self.inner.pause_writing()

    def resume_writing(self) -> None:
        """Tell `inner` that it may write again."""
        self.inner.resume_writing()

    def start_idle_timer(self) -> None:
        """Close the connection unless a whole request comes within SILENT_S."""
        self.stop_idle_timer()
        if self._transport is not None:
            self._timer = asyncio.get_running_loop().call_later(SILENT_S, self._transport.abort)

    def stop_idle_timer(self) -> None:
        """Keep the connection open for as long as a request is answered."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
