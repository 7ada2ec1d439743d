"""Sends events to screens and takes their commands over a Unix socket: one JSON object a line.

Selectors, and no asyncio: the engine's loop takes sensors, screens and its journal in turn, in one thread.
"""

import contextlib
import os
import selectors
import socket
import struct
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from companion.core.engine_command import engine_command
from companion.core.errors import BadInputError, SourceError
from companion.core.language import Language, on_wire, rendered, text
from companion.core.printable import all_printable
from companion.core.system_words import system_words
from companion.session.stream.events import Goodbye

_LINE_LIMIT = 1 << 16
"""Longest unfinished line of a client (bytes); beyond it the client is cut off. No screen sends so much."""
_BACKLOG_LIMIT = 1 << 20
"""Most unsent bytes of a client; beyond it the client has stopped reading and is cut off."""
_PROBE_S = 2.0
"""How long an existing engine may take to accept a connection (s)."""
_WAITING = 8
"""Length of the accept queue, and the most clients accepted in one round."""
_CREDENTIALS = struct.Struct("3i")
"""_CREDENTIALS: struct ucred of unix(7): process, user, group."""
LONGEST_PATH = 107
"""LONGEST_PATH: most bytes of a socket's path on Linux (unix(7)), beside the zero at its end."""
PEERS = 32
"""Most clients at a time; a further one is told so and closed."""
COMMANDS_A_ROUND = 16
"""Most commands taken from one client in a round. The rest waits, mostly at the client's end."""
ROUNDS_BEHIND = 500
"""A client that leaves commands waiting for this many rounds in a row floods the engine and is cut off."""
ROUNDS_BETWEEN_LOOKS = 500
"""ROUNDS_BETWEEN_LOOKS: rounds (of 20 ms) between two looks whether the socket still has its file."""
FULL = text("{most} screens are connected, and there is no room for more. Close one of them.", most=PEERS)
FLOOD = text("This screen sent more commands than the engine can take, and was cut off.")

E = TypeVar("E")
C = TypeVar("C")


class _Peer:
    """One connected screen: bytes to send, and bytes of an incomplete line."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.out = bytearray()
        self.pending = bytearray()
        self.waiting: deque[bytes] = deque()
        """Complete lines that were not taken yet."""
        self.behind = 0
        """Consecutive rounds that left lines waiting."""


class StreamServer(Generic[E, C]):
    """Sends events to every screen and collects their commands, without threads and without blocking.

    `command_type` is the msgspec union of the commands. Call `poll` often.
    """

    def __init__(self, path: Path, command_type: Any) -> None:
        self.path = path
        self._encode = msgspec.json.Encoder(enc_hook=on_wire).encode
        self._decode = msgspec.json.Decoder(command_type).decode
        self._peers: list[_Peer] = []
        self._rounds = 0
        check_socket(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        make_room(path)
        try:
            self._listener = _listener(path)
        except OSError as error:
            raise SourceError(
                text("cannot open the event stream ({why})", why=system_words(error)), where=str(path)
            ) from None
        self._file = _number_of(path)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, None)

    def poll(self) -> tuple[list["_Peer"], list[tuple["_Peer", C | str]]]:
        """New screens and received commands. A line that cannot be decoded comes as a complaint (str)."""
        self._rounds += 1
        if self._rounds % ROUNDS_BETWEEN_LOOKS == 0 and not self.path.exists():
            self._listen_again()
        new: list[_Peer] = []
        commands: list[tuple[_Peer, C | str]] = []
        for key, _ in self._selector.select(0):
            if key.data is None:
                new += self._accept()
            else:
                self._receive(key.data)
        for peer in list(self._peers):
            commands += [(peer, command) for command in self._take(peer)]
            self._flush(peer)
        return new, commands

    def send(self, event: E, to: Iterable["_Peer"] | None = None) -> None:
        """Queue an event for every screen, or for some."""
        line = self._encode(event) + b"\n"
        for peer in list(self._peers if to is None else to):
            peer.out += line
            self._flush(peer)

    def close(self) -> None:
        """Close all clients and remove the socket."""
        for peer in list(self._peers):
            self._drop(peer)
        self._selector.close()
        self._listener.close()
        # If ours was removed, another engine may have put its own there.
        with contextlib.suppress(FileNotFoundError):
            if _number_of(self.path) == self._file:
                self.path.unlink()

    def _listen_again(self) -> None:
        """Make the socket anew: somebody removed its file, e.g. by clearing a folder for temporary files."""
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            listener = _listener(self.path)
            self._selector.unregister(self._listener)
            self._listener.close()
            self._listener, self._file = listener, _number_of(self.path)
            self._selector.register(listener, selectors.EVENT_READ, None)

    def _accept(self) -> list[_Peer]:
        new = []
        for _ in range(_WAITING):
            try:
                sock, _address = self._listener.accept()
            except OSError:
                break  # nobody is left, or files are short: then it is asked again in the next round
            sock.setblocking(False)
            peer = _Peer(sock)
            if len(self._peers) >= PEERS:
                self._send_away(peer, FULL)
                continue
            self._peers.append(peer)
            self._selector.register(sock, selectors.EVENT_READ, peer)
            new.append(peer)
        return new

    def _send_away(self, peer: _Peer, why: str) -> None:
        peer.out += self._encode(Goodbye(why)) + b"\n"
        self._flush(peer)
        self._drop(peer)
        peer.sock.close()

    def _receive(self, peer: _Peer) -> None:
        if len(peer.waiting) > COMMANDS_A_ROUND:
            return
        try:
            data = peer.sock.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._drop(peer)
            return
        peer.pending += data
        *lines, rest = bytes(peer.pending).split(b"\n")
        peer.pending = bytearray(rest)
        peer.waiting.extend(lines)
        if len(rest) > _LINE_LIMIT:
            self._drop(peer)

    def _take(self, peer: _Peer) -> list[C | str]:
        found: list[C | str] = []
        while peer.waiting and len(found) < COMMANDS_A_ROUND:
            try:
                found.append(self._decode(peer.waiting.popleft()))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                found.append(text("not a command: {error}", error=str(error)))
        peer.behind = peer.behind + 1 if peer.waiting else 0
        if peer.behind > ROUNDS_BEHIND:
            self._send_away(peer, FLOOD)
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


def _listener(path: Path) -> socket.socket:
    """A socket that listens at this path, for whoever runs the engine alone. OSError if it cannot be made."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    old = os.umask(0o177)
    try:
        listener.bind(str(path))
    except OSError:
        listener.close()
        raise
    finally:
        os.umask(old)
    listener.listen(_WAITING)
    listener.setblocking(False)
    return listener


def _number_of(path: Path) -> int:
    """What tells the file at this path from another one of its name; 0 if there is none."""
    try:
        return path.lstat().st_ino
    except OSError:
        return 0


def make_room(path: Path) -> None:
    """Make room for a socket: a stale one is removed, nothing else ever is. SourceError if there is none."""
    if not path.exists():
        return
    if not path.is_socket():
        raise SourceError(
            text("a file of that name is there"), where=str(path), next_step=text("choose another --socket")
        )
    probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    probe.settimeout(_PROBE_S)
    try:
        probe.connect(str(path))
    except ConnectionRefusedError:
        path.unlink()
        return
    except OSError:
        pass  # it is there, but too busy to answer, or of somebody else
    finally:
        probe.close()
    raise SourceError(
        text("another engine serves it"),
        where=str(path),
        next_step=text("stop it, or choose another --socket; another table: --at NAME"),
    )


def check_socket(path: Path) -> None:
    """SourceError for a path that no socket can have."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise SourceError(
            text("the path of this socket is too long: {most} bytes at most", most=LONGEST_PATH),
            where=str(path),
            next_step=text("name a shorter one, e.g. --socket /tmp/companion.sock"),
        )


def operator_path(path: Path) -> Path:
    """Path of the operator's socket, beside that of the screens. A relay of the one does not include the
    other."""
    return path.with_name(f"operator-{path.name}")


def connect(path: Path) -> socket.socket:
    """A blocking client socket of a stream; SourceError if nobody serves it."""
    check_socket(path)
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        client.connect(str(path))
    except OSError as error:
        client.close()
        raise SourceError(
            text("nobody answers ({why})", why=system_words(error)),
            where=str(path),
            next_step=text("start the engine first: {command}", command=engine_command(path)),
        ) from None
    return client


def process_behind(path: Path) -> int | None:
    """The process that listens at a socket; None if nobody does."""
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as probe:
        probe.settimeout(_PROBE_S)
        try:
            probe.connect(str(path))
            given = probe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        except OSError:
            return None
    return int(_CREDENTIALS.unpack(given)[0])


def encode_line(message: object) -> bytes:
    """A message as one line of JSON."""
    return msgspec.json.encode(message, enc_hook=on_wire) + b"\n"


def decode_line(line: bytes, union: Any, language: Language | None = None) -> Any:
    """A message from one line, its sentences printable and in a language (without one: of this process);
    BadInputError for anything else."""
    try:
        return msgspec.convert(rendered(all_printable(msgspec.json.decode(line)), language), union)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInputError(f"not a line of the stream ({error})") from None


def as_shown(message: Any) -> Any:
    """A message of this process as a screen of it gets it: every sentence in the reader's language."""
    return decode_line(encode_line(message), type(message))
