"""The server of an event stream: a Unix socket, with one JSON object a line.

It uses selectors, not asyncio, because one thread serves sensors, screens and journal in turn.
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
"""Longest unfinished line (bytes) from a screen. A longer one cuts the screen off. A guess."""
_BACKLOG_LIMIT = 1 << 20
"""Most bytes that wait to be sent to a screen.

A screen with more has stopped reading and is cut off. A guess.
"""
_PROBE_S = 2.0
"""Longest time (s) for an engine to accept a connection; a slower one counts as gone. A guess."""
_WAITING = 8
"""Most screens that wait to be accepted, and most that are accepted in a round. A guess."""
_CREDENTIALS = struct.Struct("3i")
"""Layout of struct ucred (unix(7)): ids of process, user and group of a socket's other end."""
LONGEST_PATH = 107
"""Longest path of a Unix socket on Linux (bytes; unix(7))."""
PEERS = 32
"""Most screens connected at a time; a further one is sent away. A guess."""
COMMANDS_A_ROUND = 16
"""Most commands of one screen that are carried out in one round. Further ones wait. A guess."""
ROUNDS_BEHIND = 500
"""Rounds in a row in which a screen's commands had to wait, until the screen is cut off. A guess."""
ROUNDS_BETWEEN_LOOKS = 500
"""Rounds (of 20 ms) after which the server looks whether its socket's file still exists. A guess."""
FULL = text("{most} screens are connected, and there is no room for more. Close one of them.", most=PEERS)
FLOOD = text("This screen sent more commands than the engine can take, and was cut off.")

E = TypeVar("E")
C = TypeVar("C")


class _Peer:
    """A connected screen: its socket, bytes not yet sent, and bytes of an incomplete line."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.out = bytearray()
        self.pending = bytearray()
        self.waiting: deque[bytes] = deque()
        """Complete lines that are not decoded yet."""
        self.behind = 0
        """Rounds in a row after which lines still waited."""


class StreamServer(Generic[E, C]):
    """A server that sends events to screens and collects their commands, without blocking or threads.

    `path`: file of the socket. `command_type`: msgspec union of the commands. SourceError if the socket
    cannot be made. Call `poll` often, e.g. every 20 ms.
    """

    def __init__(self, path: Path, command_type: Any) -> None:
        self.path = path
        self._encode = msgspec.json.Encoder(enc_hook=on_wire).encode
        self._decode = msgspec.json.Decoder(command_type).decode
        self.peers: list[_Peer] = []
        """Screens that are connected now."""
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
        """Accept new screens, send waiting bytes, and receive commands.

        Returns two lists: new screens, and (screen, command). A line that is no command comes as a complaint
        (str) instead of a command.
        """
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
        for peer in list(self.peers):
            commands += [(peer, command) for command in self._take(peer)]
            self._flush(peer)
        return new, commands

    def send(self, event: E, to: Iterable["_Peer"] | None = None) -> None:
        """Queue an event for screens `to`; None: for all screens."""
        line = self._encode(event) + b"\n"
        for peer in list(self.peers if to is None else to):
            peer.out += line
            self._flush(peer)

    def close(self) -> None:
        """Disconnect all screens, and remove the socket's file.

        The file stays if another engine has replaced it.
        """
        for peer in list(self.peers):
            self._drop(peer)
        self._selector.close()
        self._listener.close()
        # After the socket's file was removed, another engine may have made a new one of the same name.
        with contextlib.suppress(FileNotFoundError):
            if _number_of(self.path) == self._file:
                self.path.unlink()

    def _listen_again(self) -> None:
        """Make the socket's file again after its removal.

        A cleaning of temporary files may remove it.
        """
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
                break  # no client waits, or file descriptors ran out: the next round tries again
            sock.setblocking(False)
            peer = _Peer(sock)
            if len(self.peers) >= PEERS:
                self._send_away(peer, FULL)
                continue
            self.peers.append(peer)
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
        """Decode waiting commands of a screen, at most COMMANDS_A_ROUND.

        A line that is no command becomes a complaint (str). A screen whose commands had to wait for
        ROUNDS_BEHIND rounds is cut off.
        """
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
        if peer in self.peers:
            self.peers.remove(peer)
            self._selector.unregister(peer.sock)
            peer.sock.close()


def _listener(path: Path) -> socket.socket:
    """Make a non-blocking listening socket at `path`.

    Only its owner can connect. OSError if that fails.
    """
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
    """Inode number of a file, which tells two files of one name apart; 0 without a file."""
    try:
        return path.lstat().st_ino
    except OSError:
        return 0


def make_room(path: Path) -> None:
    """Remove the file of a socket that nobody serves.

    SourceError if an engine serves it, or if `path` is another kind of file, which stays.
    """
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
        pass  # an engine serves it, but is too busy to answer or belongs to another user
    finally:
        probe.close()
    raise SourceError(
        text("another engine serves it"),
        where=str(path),
        next_step=text("stop it, or choose another --socket; another table: --at NAME"),
    )


def check_socket(path: Path) -> None:
    """Check that a socket's path is not too long for the system; SourceError if it is."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise SourceError(
            text("the path of this socket is too long: {most} bytes at most", most=LONGEST_PATH),
            where=str(path),
            next_step=text("name a shorter one, e.g. --socket /tmp/companion.sock"),
        )


def check_served(path: Path, option: str = "--socket") -> None:
    """Check that a path can be the socket at which somebody answers, now or later.

    SourceError for another kind of file, or a path that is too long. `option`: command-line option that
    named it.
    """
    check_socket(path)
    if path.exists() and not path.is_socket():
        raise SourceError(
            text("a folder or file, and no socket of an engine"),
            where=str(path),
            next_step=text("check {option}", option=option),
        )


def operator_path(path: Path) -> Path:
    """Path of the operator's socket, beside the screens' socket `path`.

    The sockets are separate, so that passing on the screens' socket does not give away hidden cards.
    """
    return path.with_name(f"operator-{path.name}")


def connect(path: Path) -> socket.socket:
    """Connect to the event stream at the socket `path`.

    Returns a blocking socket. SourceError without an engine.
    """
    check_served(path)
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
    """Process id of the engine that serves socket `path`; None if nobody serves it."""
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as probe:
        probe.settimeout(_PROBE_S)
        try:
            probe.connect(str(path))
            given = probe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        except OSError:
            return None
    return int(_CREDENTIALS.unpack(given)[0])


def encode_line(message: object) -> bytes:
    """Encode an event or command as a JSON line."""
    return msgspec.json.encode(message, enc_hook=on_wire) + b"\n"


def decode_line(line: bytes, union: Any, language: Language | None = None) -> Any:
    """Decode a line of JSON into an event or command.

    Its sentences become printable. `union`: msgspec union of the expected types; BadInputError for anything
    else. `language`: language of the sentences; None: the language of this process.
    """
    try:
        return msgspec.convert(rendered(all_printable(msgspec.json.decode(line)), language), union)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadInputError(f"not a line of the stream ({error})") from None


def as_shown(message: Any) -> Any:
    """Convert an event to what a screen of this process gets: sentences in its language."""
    return decode_line(encode_line(message), type(message))
