"""Causes of a broker's silence in one line, with the option that mends each."""

import socket
import ssl

from companion.core.language import text
from companion.core.system_words import system_words

PROBE_S = 3.0
"""Longest wait (s) for the answer to a TLS greeting.
A guess."""
_OTHER_HOST = (62, 63, 64)
"""OpenSSL results (X509_V_ERR_...) for a certificate of another host, mail or network address."""
_NOT_YET, _EXPIRED = 9, 10


def why_unreached(error: BaseException | None, where: str, *, encrypted: bool) -> str:
    """Reason why no connection came about.

    `where` is host and port.
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
    """Reason why a broker hung up before it answered.

    It is asked once whether it speaks TLS.
    """
    if not encrypted and speaks_tls(host, port):
        return text("{where} speaks TLS alone; add --tls, or --ca FILE", where=where)
    return text(
        "{where} hangs up without an answer; check --username and the password, and that it speaks MQTT 5",
        where=where,
    )


def speaks_tls(host: str, port: int) -> bool:
    """True if a TLS greeting is answered as TLS.

    Nothing else is sent, no certificate believed.
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
