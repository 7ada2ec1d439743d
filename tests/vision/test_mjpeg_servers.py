"""MJPEG servers as they are: whatever a browser shows is read, and every refusal is named."""

import hashlib
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import cv2
import numpy as np
import pytest

from companion.core.clock import RealClock
from companion.core.errors import NotThereError, SourceError
from companion.sensing.vision_words import in_words
from vision.camera.network_camera import HttpMjpeg
from vision.camera.open_camera import open_camera

SHADES = (40, 90, 140, 190)
JPEGS = [cv2.imencode(".jpg", np.full((24, 32), shade, np.uint8))[1].tobytes() for shade in SHADES]
THUMBNAIL = cv2.imencode(".jpg", np.full((8, 8), 10, np.uint8))[1].tobytes()
MIXED = b"multipart/x-mixed-replace"
OK = b"HTTP/1.0 200 OK"
TLS_RECORD = b"\x16"


def head(kind: bytes, status: bytes = OK, more: bytes = b"") -> bytes:
    return status + b"\r\nContent-Type: " + kind + b"\r\n" + more + b"\r\n"


def part(
    jpeg: bytes,
    delimiter: bytes = b"--seam",
    *,
    length: int | None = None,
    before: bytes = b"\r\n",
    end: bytes = b"\r\n",
    suffix: bytes = b"",
) -> bytes:
    size = b"" if length is None else b"Content-Length: %d%s%s" % (length, suffix, end)
    return before + delimiter + end + b"Content-Type: image/jpeg" + end + size + end + jpeg


def segment(jpeg: bytes, kind: int, body: bytes) -> bytes:
    """The same picture with one more segment after its start."""
    return jpeg[:2] + bytes((0xFF, kind)) + (len(body) + 2).to_bytes(2, "big") + body + jpeg[2:]


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def parts(**how: object) -> bytes:
    return b"".join(part(jpeg, **how) for jpeg in JPEGS)


def measured(off: int = 0, **how: object) -> bytes:
    return b"".join(part(jpeg, length=len(jpeg) + off, **how) for jpeg in JPEGS)


SHOWN = {
    "a length": head(MIXED + b"; boundary=seam") + measured(),
    "no length": head(MIXED + b"; boundary=seam") + parts(),
    "dashes in the parameter": head(MIXED + b"; boundary=--seam") + parts(),
    "dashes in the parameter, and two more": head(MIXED + b"; boundary=--seam") + parts(delimiter=b"----seam"),
    "four dashes": head(MIXED + b"; boundary=----seam") + parts(delimiter=b"------seam"),
    "no dashes": head(MIXED + b"; boundary=seam") + parts(delimiter=b"seam"),
    "no parameter": head(MIXED) + parts(),
    "no parameter and no dashes": head(MIXED) + parts(delimiter=b"seam"),
    "another word": head(MIXED + b"; boundary=seam") + parts(delimiter=b"--other"),
    "nothing before the delimiter": head(MIXED + b"; boundary=seam") + parts(before=b""),
    "line feeds alone": head(MIXED + b"; boundary=seam") + parts(before=b"\n", end=b"\n"),
    "too short a length": head(MIXED + b"; boundary=seam") + measured(-2),
    "too long a length": head(MIXED + b"; boundary=seam") + measured(2),
    "a length with a word": head(MIXED + b"; boundary=seam") + measured(suffix=b" bytes"),
    "words before": head(MIXED + b"; boundary=seam") + b"Server says: hello\r\n\r\n" + parts(),
    "text in the first part": head(MIXED + b"; boundary=seam")
    + b"--seam\r\nContent-Type: text/plain\r\n\r\nhi\r\n"
    + parts(),
    "the first part without a delimiter": head(MIXED, more=b"Content-Length: %d\r\n" % len(JPEGS[0]))
    + b"".join([JPEGS[0], *map(part, JPEGS[1:])]),
    "no length of the whole": head(MIXED, more=b"Content-Length: 0\r\n") + parts(),
    "dashes in a comment": head(MIXED)
    + b"".join(part(segment(jpeg, 0xFE, b"by\n--seam\r\n--\n")) for jpeg in JPEGS),
    "a thumbnail": head(MIXED) + b"".join(part(segment(jpeg, 0xE1, THUMBNAIL)) for jpeg in JPEGS),
    "pictures without an end": head(MIXED) + b"".join(part(jpeg[:-2]) for jpeg in [*JPEGS, JPEGS[0]]),
    "chunks": head(MIXED, b"HTTP/1.1 200 OK", b"Transfer-Encoding: chunked\r\n")
    + b"".join(chunk(part(jpeg)) for jpeg in JPEGS),
    "a chunk of 2^64 bytes": head(MIXED, b"HTTP/1.1 200 OK", b"Transfer-Encoding: chunked\r\n")
    + b"10000000000000000\r\n"
    + parts(),
    "multipart of another kind": head(b"Multipart/Mixed") + parts(),
    "called something else": head(b"text/plain") + parts(),
    "no parts at all": head(b"image/jpeg") + b"".join(JPEGS),
}


@pytest.fixture
def serve() -> Iterator[Callable[[bytes | Callable[[bytes], bytes]], str]]:
    """A server that gives an answer (or what it makes of a request) and closes; returns its address."""
    listeners: list[socket.socket] = []

    def started(answer: bytes | Callable[[bytes], bytes]) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def listen() -> None:
            with suppress(OSError):
                while True:
                    client, _ = listener.accept()
                    with client, suppress(OSError):
                        request = b""
                        while b"\r\n\r\n" not in request and request[:1] != TLS_RECORD:
                            request += client.recv(4096)
                        client.sendall(answer if isinstance(answer, bytes) else answer(request))
                        client.shutdown(socket.SHUT_WR)
                        client.recv(1)

        threading.Thread(target=listen, daemon=True).start()
        return f"127.0.0.1:{listener.getsockname()[1]}/video"

    yield started
    for one in listeners:
        one.close()


Serve = Callable[[bytes | Callable[[bytes], bytes]], str]


@pytest.mark.parametrize("answer", SHOWN.values(), ids=SHOWN)
def test_all_pictures_of_a_stream_are_read(serve: Serve, answer: bytes) -> None:
    camera = HttpMjpeg(f"http://{serve(answer)}")
    try:
        shades = [int(camera.decode(camera.grab()[1]).image[12, 16]) for _ in SHADES[1:]]
    finally:
        camera.close()
    assert (camera.info.width, camera.info.height) == (32, 24)
    assert shades == list(SHADES[1:])


def refused(code: bytes, more: bytes = b"") -> bytes:
    return b"HTTP/1.1 " + code + b"\r\n" + more + b"Content-Length: 0\r\n\r\n"


SIZED = b"Content-Length: %d\r\n" % len(JPEGS[0])
NAMED = {
    "no password": (
        refused(b"401 Unauthorized", b'WWW-Authenticate: Basic realm="c"\r\n'),
        "put NAME:PASSWORD@",
    ),
    "no challenge": (refused(b"401 Unauthorized"), "put NAME:PASSWORD@"),
    "not allowed": (refused(b"403 Forbidden"), "this is not allowed"),
    "no such path": (refused(b"404 Not Found"), "check the path of the stream"),
    "busy": (refused(b"503 Service Unavailable"), "busy, perhaps with another viewer"),
    "a fault": (refused(b"500 Oh"), "the camera has a fault"),
    "one picture": (
        head(b"image/jpeg", more=SIZED) + JPEGS[0],
        "single picture",
    ),
    "one picture without a length": (head(b"image/jpeg") + JPEGS[0], "single picture"),
    "one picture of no kind": (head(b"application/octet-stream") + JPEGS[0], "single picture"),
    "one picture of another format": (head(b"image/png") + b"\x89PNG\r\n\x1a\n" + bytes(99), "single picture"),
    "a page": (
        head(b"text/html") + b"<html><script>x</script><img src=/video></html>",
        "this is a web page, no",
    ),
    "a page that says why": (
        head(b"text/html") + b"<p>in use by <b>another</b>\x1b client",
        r"another \? client",
    ),
    "a page of no kind": (
        head(b"text/plain") + b"<!DOCTYPE html><title>Camera</title>",
        "no stream .Camera.",
    ),
    "no web server": (b"SSH-2.0-OpenSSH_9\r\n", "what answers there is no web server"),
    "no picture": (head(MIXED) + b"--seam\r\nContent-Type: image/jpeg\r\n\r\nno", "the stream ended"),
    "broken chunks": (
        head(MIXED, b"HTTP/1.1 200 OK", b"Transfer-Encoding: chunked\r\n") + b"many\r\n",
        "the stream ended",
    ),
}


@pytest.mark.parametrize(("answer", "words"), NAMED.values(), ids=NAMED)
def test_what_is_no_stream_is_named(serve: Serve, answer: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=words) as caught, in_words():
        open_camera(f"http://{serve(answer)}", RealClock())
    assert str(caught.value).isprintable()


def test_a_busy_camera_is_waited_for(serve: Serve) -> None:
    page = head(b"text/html") + b"connected to another client"
    answers = [refused(b"503 Service Unavailable"), page, head(MIXED) + measured()]
    address = serve(lambda _: answers.pop(0) if len(answers) > 1 else answers[0])
    for _ in range(2):
        with pytest.raises(NotThereError), in_words():
            HttpMjpeg(f"http://{address}")
    HttpMjpeg(f"http://{address}").close()


class DigestServer:
    """Asks for digest authentication (RFC 7616) and counts the requests."""

    def __init__(self, challenge: str, hashed: str, password: str) -> None:
        self.challenge, self.hashed, self.password = challenge, hashed, password
        self.requests = 0

    def __call__(self, request: bytes) -> bytes:
        self.requests += 1
        told = re.search(r"^Authorization: Digest (.*)\r$", request.decode(), re.MULTILINE)
        if told and self._right(dict(re.findall(r'(\w+)="?([^",]*)"?', told[1]))):
            return head(MIXED) + measured()
        return refused(b"401 Unauthorized", f"{self.challenge}\r\n".encode())

    def _right(self, told: dict[str, str]) -> bool:
        def digest(*words: str) -> str:
            return hashlib.new(self.hashed, ":".join(words).encode()).hexdigest()

        secret, asked = digest("anna", "cam", self.password), digest("GET", told["uri"])
        middle = [told["nonce"], *([told["nc"], told["cnonce"], "auth"] if "qop" in told else [])]
        return told["response"] == digest(secret, *middle, asked)


DIGEST = 'Digest realm="cam", nonce="5"'
CHALLENGES = {
    "plain": (f'WWW-Authenticate: {DIGEST}, qop="auth"', "md5"),
    "of RFC 2069": (f"WWW-Authenticate: {DIGEST}", "md5"),
    "two kinds of protection": (f'www-authenticate: {DIGEST}, qop="auth-int, auth"', "md5"),
    "SHA-256": (f'WWW-Authenticate: {DIGEST}, algorithm=SHA-256, qop="auth"', "sha256"),
    "after basic": (f'WWW-Authenticate: Basic realm="cam"\r\nWWW-Authenticate: {DIGEST}, qop="auth"', "md5"),
    "beside basic": (f'WWW-Authenticate: Basic realm="cam", {DIGEST}, qop="auth"', "md5"),
    "after an unknown hash": (
        f'WWW-Authenticate: {DIGEST}, algorithm=SHA-512-256\r\nWWW-Authenticate: {DIGEST}, qop="auth"',
        "md5",
    ),
}


@pytest.mark.parametrize(("challenge", "hashed"), CHALLENGES.values(), ids=CHALLENGES)
def test_digest_authentication_is_answered(serve: Serve, challenge: str, hashed: str) -> None:
    server = DigestServer(challenge, hashed, "ge/heimü")
    HttpMjpeg(f"http://anna:ge%2Fheim%C3%BC@{serve(server)}").close()
    assert server.requests == 2


def test_a_wrong_password_is_tried_once_and_named(serve: Serve) -> None:
    server = DigestServer(f'WWW-Authenticate: {DIGEST}, qop="auth"', "md5", "right")
    with pytest.raises(SourceError, match="name or password are wrong there") as caught, in_words():
        HttpMjpeg(f"http://anna:GEHEIM@{serve(server)}")
    assert server.requests == 2
    assert "GEHEIM" not in str(caught.value)


def test_a_sign_in_of_another_kind_is_named(serve: Serve) -> None:
    with pytest.raises(SourceError, match="choose Basic or Digest"), in_words():
        HttpMjpeg(
            f"http://anna:x@{serve(refused(b'401 No', b'WWW-Authenticate: Negotiate' + bytes((13, 10))))}"
        )


def test_https_to_a_camera_without_it_is_named(serve: Serve) -> None:
    address = serve(b"HTTP/1.0 400 Bad Request\r\n\r\n")
    with pytest.raises(SourceError, match="write http:// instead of https://"), in_words():
        HttpMjpeg(f"https://{address}")
