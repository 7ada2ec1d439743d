"""Events to screens and commands back, over a Unix socket: one JSON object a line."""

import contextlib
import os
import selectors
import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from companion.errors import BadInputError, SourceError
from companion.printable import all_printable

_LINE_LIMIT = 1 << 16
"""A client whose unfinished line grows past this is cut off: no screen sends so much."""
_BACKLOG_LIMIT = 1 << 20
"""A client that lets this much wait has stopped reading and is cut off."""

E = TypeVar("E")
C = TypeVar("C")


class _Peer:
    """One connected screen: bytes waiting to go out, bytes of a line not complete yet."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.out = bytearray()
        self.pending = bytearray()


class StreamServer(Generic[E, C]):
    """Sends events to every screen and collects their commands, without a thread and without ever blocking.

    `event_type` and `command_type` are the msgspec unions of the vocabulary. Call `poll` often.
    """

    def __init__(self, path: Path, command_type: Any) -> None:
        self.path = path
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder(command_type).decode
        self._peers: list[_Peer] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        _clear(path)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        old = os.umask(0o077)  # the stream belongs to the person who runs the engine
        try:
            self._listener.bind(str(path))
        except OSError as error:
            raise SourceError(
                f"cannot open the event stream ({error.strerror or error})", where=str(path)
            ) from None
        finally:
            os.umask(old)
        self._listener.listen(8)
        self._listener.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, None)

    def poll(self) -> tuple[list["_Peer"], list[tuple["_Peer", C | str]]]:
        """Screens that have just connected, and commands received; a bad line comes as a complaint (str)."""
        new: list[_Peer] = []
        commands: list[tuple[_Peer, C | str]] = []
        for key, _ in self._selector.select(0):
            if key.data is None:
                sock, _address = self._listener.accept()
                sock.setblocking(False)
                peer = _Peer(sock)
                self._peers.append(peer)
                self._selector.register(sock, selectors.EVENT_READ, peer)
                new.append(peer)
            else:
                commands += [(key.data, command) for command in self._receive(key.data)]
        for peer in list(self._peers):
            self._flush(peer)
        return new, commands

    def send(self, event: E, to: Iterable["_Peer"] | None = None) -> None:
        """Queue an event for every screen, or for some."""
        line = self._encode(event) + b"\n"
        for peer in list(self._peers if to is None else to):
            peer.out += line
            self._flush(peer)

    def close(self) -> None:
        """Say no more and remove the socket."""
        for peer in list(self._peers):
            self._drop(peer)
        self._selector.close()
        self._listener.close()
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()

    def _receive(self, peer: _Peer) -> list[C | str]:
        try:
            data = peer.sock.recv(65536)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            self._drop(peer)
            return []
        peer.pending += data
        *lines, rest = bytes(peer.pending).split(b"\n")
        peer.pending = bytearray(rest)
        if len(rest) > _LINE_LIMIT:
            self._drop(peer)
        found: list[C | str] = []
        for line in lines:
            try:
                found.append(self._decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                found.append(f"not a command: {error}")
        return found

    def _flush(self, peer: _Peer) -> None:
        if not peer.out:
            return
        try:
            sent = peer.sock.send(peer.out)
            del peer.out[:sent]
        except BlockingIOError:
            pass
        except OSError:
            self._drop(peer)
            return
        if len(peer.out) > _BACKLOG_LIMIT:
            self._drop(peer)

    def _drop(self, peer: _Peer) -> None:
        if peer in self._peers:
            self._peers.remove(peer)
            self._selector.unregister(peer.sock)
            peer.sock.close()


def _clear(path: Path) -> None:
    """Make room for a socket: one that nobody serves any more is removed, nothing else ever is."""
    if not path.exists():
        return
    if not path.is_socket():
        raise SourceError("a file of that name is there", where=str(path), next_step="choose another --socket")
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        probe.connect(str(path))
    except OSError:
        path.unlink()
    else:
        raise SourceError(
            "another engine serves it", where=str(path), next_step="stop it, or choose another --socket"
        )
    finally:
        probe.close()


def connect(path: Path) -> socket.socket:
    """A blocking client socket to a stream; SourceError if nobody serves it."""
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        client.connect(str(path))
    except OSError as error:
        client.close()
        raise SourceError(
            f"nobody answers ({error.strerror or error})",
            where=str(path),
            next_step="start the engine first: companion run",
        ) from None
    return client


def encode_line(message: object) -> bytes:
    """A message of the vocabulary as one line."""
    return msgspec.json.encode(message) + b"\n"


def decode_line(line: bytes, union: Any) -> Any:
    """One line back into a message, all its text printable; BadInputError for anything else."""
    try:
        return msgspec.convert(all_printable(msgspec.json.decode(line)), union)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInputError(f"not a line of the stream ({error})") from None
