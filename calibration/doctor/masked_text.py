"""Masks secrets of a household in texts: serial numbers, tags, homes, addresses, cards."""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_BEHIND = r"(?::\d+)?(?:[/?#]\S*)?"
"""Pattern of port, path and query behind a host."""
_WHOLE = re.compile(r"(?<=://)\S+")
"""Pattern of an address behind its scheme. Passwords and paths may hold any character but white space."""
_SIGNED_IN = re.compile(r"[^\s@]+@[^\s@]\S*")
"""Pattern of NAME:PASSWORD@HOST without a scheme, and of e-mail addresses."""
_IPV6 = re.compile(rf"\[?(?<!\w)(?:[0-9A-Fa-f]{{1,4}}(?=:)|:(?=:))[0-9A-Fa-f:.]*(?:%[\w.-]+)?\]?(?:{_BEHIND})")
"""Pattern of a possible IPv6 address, perhaps in brackets. `ipaddress` decides."""
_IPV4 = re.compile(rf"\b(?:\d{{1,3}}\.){{3}}\d{{1,3}}\b{_BEHIND}")
_MAC = re.compile(r"\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b")
_HOST = re.compile(
    rf"(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.(?:local|lan|home|internal|home\.arpa|fritz\.box)\b{_BEHIND}",
    re.IGNORECASE,
)
"""Pattern of machine names in a home network, chosen by people."""
_SECRET_VALUE = re.compile(
    r"(?<=[?&;/\s])(\w*(?:pass|pwd|usr|user|login|token|key|secret|auth)\w*=)[^\s&;]+", re.IGNORECASE
)
"""Pattern of a secret in a query that stands without its address."""
_CLOSING = ":;,.)]}>'\""
"""Characters behind an address that belong to its sentence."""
_BY_ID = re.compile(r"(/dev/(?:serial|v4l)/by-(?:id|path)/)[^\s\"',:]+")
_HEX = re.compile(r"\b(?=[0-9A-Fa-f]*\d)[0-9A-Fa-f]{8,}\b")
"""Pattern of hexadecimal digits, as many as a tag's shortest number (four bytes) or more."""
_HOME = re.compile(r"/(?:home|Users|media|run/media)/[^\s/\"':,]+(?:(?: [^\s/\"':,]+){0,3}(?=/))?")
"""Pattern of somebody's folder. Spaces belong to its name if a path follows."""
_JOURNAL = re.compile(r"[^\s/\"']+\.jsonl\b")


class Mask:
    """Replaces secrets by numbered words.

    Equal secrets get equal words, so doubles still show.
    """

    def __init__(
        self,
        home: Path,
        user: str,
        secrets: Iterable[str] = (),
        cards: Iterable[str] = (),
        kept: Sequence[str] = (),
        files: Iterable[str] = (),
    ) -> None:
        """Prepare the secrets.

        `secrets` become `serial-N`, `files` (paths and addresses) become `file-N` as a whole, `cards` are card
        codes. `kept` are hashes and versions of programs, which look like secrets but are none.
        """
        self._home, self._kept = str(home), {one.lower() for one in kept}
        self._files = _any_of(files)
        self._secrets = _any_of(secrets)
        self._names = _any_of([user] if user not in ("", "root") else [])
        # A code of one letter belongs to an open card, and is a unit elsewhere.
        self._cards = _any_of((code for code in cards if len(code) > 1), re.NOFLAG)
        self._words: dict[str, dict[str, str]] = {}

    def text(self, text: str) -> str:
        """Text without secrets."""
        text = self._masked(text, self._files, "file")
        text = _WHOLE.sub(lambda found: self._address(found[0]), text)
        text = _SIGNED_IN.sub(lambda found: self._address(found[0]), text)
        text = _IPV6.sub(lambda found: self._ipv6(found[0]), text)
        text = self._masked(text, _JOURNAL, "journal")
        text = text.replace(self._home, "~") if self._home not in ("", "/") else text
        text = _HOME.sub("~", text)
        text = _BY_ID.sub(lambda found: found[1] + self.word("serial", found[0]), text)
        text = self._masked(text, self._secrets, "serial")
        for pattern in (_IPV4, _MAC, _HOST):
            text = pattern.sub(lambda found: self._address(found[0]), text)
        text = _SECRET_VALUE.sub(lambda found: found[1] + self.word("secret", found[0]), text)
        text = self._masked(text, _HEX, "number")
        text = self._masked(text, self._cards, "card")
        return self._masked(text, self._names, "user")

    def _masked(self, text: str, pattern: re.Pattern[str] | None, what: str) -> str:
        """Text with a word of the kind `what` for each match that is not kept."""
        return text if pattern is None else pattern.sub(lambda found: self._kept_or(what, found[0]), text)

    def _address(self, found: str) -> str:
        """Word for a host, and another word for all that stands behind it."""
        address = found.rstrip(_CLOSING)
        host = re.split(r"[/?#]", address, maxsplit=1)[0]
        behind = "/" + self.word("path", address[len(host) :]) if address[len(host) :].strip("/") else ""
        return self._kept_or("address", host) + behind + found[len(address) :]

    def _ipv6(self, found: str) -> str:
        """Masked IPv6 address.

        Anything else, and this machine's own address, stay as they are.
        """
        bare = re.split(r"[\]/?#]", found.lstrip("["), maxsplit=1)[0].rstrip(":.")
        try:
            known = ipaddress.IPv6Address(bare)
        except ValueError:
            return found
        return found if known.is_loopback or known.is_unspecified else self._address(found)

    def _kept_or(self, what: str, secret: str) -> str:
        return secret if secret.lower() in self._kept else self.word(what, secret)

    def word(self, what: str, secret: str) -> str:
        """Word for a secret of the kind `what`, e.g. `serial-1`."""
        known = self._words.setdefault(what, {})
        return known.setdefault(secret.lower(), f"{what}-{len(known) + 1}")


def _any_of(words: Iterable[str], flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str] | None:
    """Pattern for each of these words standing alone.

    None without words.
    """
    found = sorted({word for word in words if word}, key=len, reverse=True)
    if not found:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, found))})(?!\w)", flags)
