"""Sends a request to a network camera, with a time limit, name and password.

A refused request gives the reason.
"""

import base64
import hashlib
import re
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from email.message import Message
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPDigestAuthHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPPasswordMgrWithDefaultRealm,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
    UnknownHandler,
)

from vision.errors import CameraError, NotThereError
from vision.reasons import NoAnswer, NoWebServer, Refused, SignIn, Unencrypted

TIMEOUT_S = 5.0
"""TIMEOUT_S: silence (s) of a server after which a request to it fails. A guess."""
_REASON_MOST = 80
"""_REASON_MOST: most characters that are kept of a server's words."""
_HASHES = {"MD5": "md5", "SHA": "sha1", "SHA-256": "sha256"}
"""Hash for digest authentication: name in RFC 7616 -> name in hashlib."""
_CHALLENGE = re.compile(r"(?:^|,)\s*(?=(?:basic|digest|negotiate|ntlm|bearer)\b)", re.IGNORECASE)
"""Start of a challenge (way to sign in) in a header that may contain several."""
_QOP = re.compile(r'(?<=qop=")[^"]*', re.IGNORECASE)
"""Value of `qop` (quality of protection) in a digest challenge."""
_UNAUTHORIZED = 401
"""HTTP code with which a server asks for name and password (RFC 9110)."""
_TOO_MANY, _SERVER_FAULT = 429, 500
"""HTTP codes of refusals that may pass: 429 (too many requests), and 500 and more (the server's fault)."""


class Deadline:
    """Time limit for the first picture of a network camera.

    It holds however slowly the server sends. `seconds`: the limit, from now on. When it passes, the camera's
    connections are ended. `over`: whether it has passed.
    """

    def __init__(self, seconds: float) -> None:
        self.over = False
        self._twins: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self.end)
        self._timer.daemon = True
        self._timer.start()

    def connect(self, *where: Any, **how: Any) -> socket.socket:
        """Connect to a network camera like `socket.create_connection`, within the limit.

        Ends the earlier connection: some cameras serve only one viewer.
        """
        with self._lock:
            self._shut()
            self._forget()
        made = socket.create_connection(*where, **how)
        with self._lock:
            # A duplicate still reaches the connection after TLS has taken the socket over.
            self._twins.append(made.dup())
            if self.over:
                self._shut()
        return made

    def meet(self) -> None:
        """Cancel the limit because the first picture came.

        Connections stay open.
        """
        self._timer.cancel()

    def close(self) -> None:
        """Cancel the limit, and let go of open connections."""
        self._timer.cancel()
        with self._lock:
            self._forget()

    def end(self) -> None:
        """End the camera's connections now.

        Whoever reads from them sees the end of the data.
        """
        with self._lock:
            self.over = True
            self._shut()

    def _forget(self) -> None:
        for twin in self._twins:
            twin.close()
        self._twins.clear()

    def _shut(self) -> None:
        for twin in self._twins:
            with suppress(OSError):
                twin.shutdown(socket.SHUT_RDWR)


class _SameHost(HTTPRedirectHandler):
    """Redirect handler that sends a password only to one server.

    That is the first request's server. The server is the same if scheme, host and port are.
    """

    def redirect_request(self, req: Request, *answer: Any) -> Request | None:
        """Build the request to the address of a redirect.

        Name and password are left out if scheme, host or port changed. None if there is no redirect to follow.
        """
        there = super().redirect_request(req, *answer)
        if there is not None and _origin(there.full_url) != _origin(req.full_url):
            there.remove_header("Authorization")
        return there


class _Digest(HTTPDigestAuthHandler):
    """Handler that signs in by digest authentication (RFC 7616), SHA-256 included.

    It answers each challenge once.
    """

    def http_error_401(self, req: Request, fp: Any, code: int, msg: str, headers: HTTPMessage) -> Any:
        """Repeat the request with the answer to a digest challenge.

        None without a known challenge, or after a refusal.
        """
        wanted = [one for one in _challenges(headers) if one.lower().startswith("digest ")]
        known = [one for one in wanted if _algorithm(one) in _HASHES]
        if not known or req.unredirected_hdrs.get(self.auth_header, "").startswith("Digest"):
            return None  # a second refusal means that the password is wrong, and cameras count these
        fp.close()
        return self.retry_http_digest_auth(req, _QOP.sub(lambda found: found[0].replace(" ", ""), known[0]))

    def get_algorithm_impls(self, algorithm: str) -> tuple[Callable[[str], str], Callable[[str, str], str]]:
        """Functions for a digest algorithm: (hash of a text, hash of a secret with data).

        `algorithm`: "MD5", "SHA" or "SHA-256", in any case.
        """
        name = _HASHES[algorithm.upper()]

        def digest(words: str) -> str:
            return hashlib.new(name, words.encode()).hexdigest()

        return digest, lambda secret, data: digest(f"{secret}:{data}")


def ask(url: str, deadline: Deadline) -> HTTPResponse:
    """Send a request to a camera's address; return the server's answer.

    CameraError says why no answer comes; NotThereError, a kind of it, if one may come later. `deadline`: time
    limit of the first picture.
    """
    where = without_password(url)
    try:
        answer: HTTPResponse = _opener(url, deadline).open(_request(url), timeout=TIMEOUT_S)
    except HTTPError as error:
        error.close()
        raise _refusal(error, url) from error
    except (URLError, OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        words = str(reason)[:_REASON_MOST]
        if isinstance(reason, ssl.SSLError):
            raise CameraError(Unencrypted(words), where) from error
        # A silent host may be switched on later; one that sends nonsense will go on.
        if isinstance(error, OSError):
            raise NotThereError(NoAnswer(words), where) from error
        raise CameraError(NoWebServer(words), where) from error
    return answer


def without_password(url: str) -> str:
    """Remove user, password and query from an address, so that it is safe to show."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"


def _opener(url: str, deadline: Deadline) -> OpenerDirector:
    """Opener for requests over HTTP and HTTPS to the address `url`.

    It ends with the time limit `deadline`, and uses no proxy, because cameras are in the home network.
    """

    def make(kind: type[HTTPConnection], *where: Any, **how: Any) -> HTTPConnection:
        connection = kind(*where, **how)
        connection._create_connection = deadline.connect  # type: ignore[attr-defined]
        return connection

    class Http(HTTPHandler):
        def http_open(self, req: Request) -> HTTPResponse:
            return self.do_open(partial(make, HTTPConnection), req)

    class Https(HTTPSHandler):
        def https_open(self, req: Request) -> HTTPResponse:
            return self.do_open(partial(make, HTTPSConnection), req)

    passwords = HTTPPasswordMgrWithDefaultRealm()
    user, address = _user_of(url)
    if user:
        name, _, password = user.partition(":")
        passwords.add_password(None, urlunsplit((*urlsplit(address)[:2], "/", "", "")), name, password)
    director = OpenerDirector()
    for handler in (Http, Https, UnknownHandler, HTTPDefaultErrorHandler, _SameHost, HTTPErrorProcessor):
        director.add_handler(handler())
    director.add_handler(_Digest(passwords))
    return director


def _request(url: str) -> Request:
    """Build the request for an address, with its name and password in a header.

    urllib refuses them in an address, but apps on phones need them there.
    """
    user, address = _user_of(url)
    request = Request(address)
    if user:
        token = base64.b64encode(user.encode()).decode("ascii")
        request.add_header("Authorization", f"Basic {token}")
    return request


def _user_of(url: str) -> tuple[str, str]:
    """Split an address into NAME:PASSWORD and the bare address.

    NAME:PASSWORD is "" if the address has none.
    """
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    return unquote(user), urlunsplit(parts._replace(netloc=host))


def _origin(url: str) -> tuple[str, str | None, int | None]:
    """Server that an address names: (scheme, host, port).

    The port is the scheme's usual one if the address names none; None for an unknown scheme.
    """
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname, parts.port or usual


def _refusal(error: HTTPError, url: str) -> CameraError:
    """Build the error for a camera's refusal.

    NotThereError for HTTP codes that may pass (429, 500 and above), else CameraError. `url`: the camera's
    address.
    """
    passing = error.code == _TOO_MANY or error.code >= _SERVER_FAULT
    kind = NotThereError if passing else CameraError
    sign_in = _sign_in(error, bool(_user_of(url)[0])) if error.code == _UNAUTHORIZED else None
    return kind(Refused(error.code, str(error.reason)[:_REASON_MOST], sign_in), without_password(url))


def _sign_in(error: HTTPError, signed_in: bool) -> SignIn:
    if not signed_in:
        return SignIn.MISSING
    offered = _challenges(error.headers)
    possible = [one for one in offered if one.lower().startswith("basic") or _algorithm(one) in _HASHES]
    if offered and not possible:
        return SignIn.OTHER_KIND
    return SignIn.WRONG


def _challenges(headers: Message) -> list[str]:
    """Ways to sign in (challenges) that a server's refusal offers."""
    told = headers.get_all("WWW-Authenticate") or []
    return [one.strip() for header in told for one in _CHALLENGE.split(header) if one.strip()]


def _algorithm(challenge: str) -> str:
    """Hash algorithm that a digest challenge names, in capitals; MD5 if it names none.

    "" for a challenge that is no digest.
    """
    if not challenge.lower().startswith("digest "):
        return ""
    found = re.search(r'algorithm="?([\w-]+)', challenge, re.IGNORECASE)
    return found[1].upper() if found else "MD5"
