"""Masks a household's secrets in texts: serial numbers, tags, home folders, addresses, cards."""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_BEHIND = r"(?::\d+)?(?:[/?#]\S*)?"
"""Pattern of port, path and query after a host name."""
_WHOLE = re.compile(r"(?<=://)\S+")
"""Pattern of everything after an address's scheme (`://`).

Passwords and paths may hold any character but white space.
"""
_SIGNED_IN = re.compile(r"[^\s@]+@[^\s@]\S*")
"""Pattern of NAME:PASSWORD@HOST without a scheme; e-mail addresses match it, too."""
_IPV6 = re.compile(rf"\[?(?<!\w)(?:[0-9A-Fa-f]{{1,4}}(?=:)|:(?=:))[0-9A-Fa-f:.]*(?:%[\w.-]+)?\]?(?:{_BEHIND})")
"""Pattern of text that may be an IPv6 address, perhaps in brackets; `ipaddress` then decides."""
_IPV4 = re.compile(rf"\b(?:\d{{1,3}}\.){{3}}\d{{1,3}}\b{_BEHIND}")
_MAC = re.compile(r"\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b")
_HOST = re.compile(
    rf"(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.(?:local|lan|home|internal|home\.arpa|fritz\.box)\b{_BEHIND}",
    re.IGNORECASE,
)
"""Pattern of machine names in a home network, which people choose."""
_SECRET_VALUE = re.compile(
    r"(?<=[?&;/\s])(\w*(?:pass|pwd|usr|user|login|token|key|secret|auth)\w*=)[^\s&;]+", re.IGNORECASE
)
"""Pattern of a secret value in a query (`password=...`) that stands without its address."""
_CLOSING = ":;,.)]}>'\""
"""Punctuation after an address that belongs to the sentence around it."""
_BY_ID = re.compile(r"(/dev/(?:serial|v4l)/by-(?:id|path)/)[^\s\"',:]+")
_HEX = re.compile(r"\b(?=[0-9A-Fa-f]*\d)[0-9A-Fa-f]{8,}\b")
"""Pattern of eight or more hexadecimal digits: the shortest number of a tag has four bytes."""
_HOME = re.compile(r"/(?:home|Users|media|run/media)/[^\s/\"':,]+(?:(?: [^\s/\"':,]+){0,3}(?=/))?")
"""Pattern of a person's home folder; spaces belong to its name if a path follows."""
_JOURNAL = re.compile(r"[^\s/\"']+\.jsonl\b")


class Mask:
    """Mask that replaces each secret in a text by a numbered word, such as `serial-1`.

    Equal secrets get equal words, so that repeated ones can still be recognised.
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
        """Choose what the mask replaces.

        `home`, `user`: home folder and login name. `secrets` become `serial-N`. `files` (paths and addresses)
        become `file-N` as a whole. `cards`: codes of cards, which become `card-N`. `kept`: hashes and versions
        of programs, which look like secrets but are none.
        """
        self._home, self._kept = str(home), {one.lower() for one in kept}
        self._files = _any_of(files)
        self._secrets = _any_of(secrets)
        self._names = _any_of([user] if user not in ("", "root") else [])
        # A code of one letter belongs to an open card, and is a unit elsewhere.
        self._cards = _any_of((code for code in cards if len(code) > 1), re.NOFLAG)
        self._words: dict[str, dict[str, str]] = {}

    def text(self, text: str) -> str:
        """Replace all secrets in a text."""
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
        """Replace each match of `pattern` by a word such as `what-1`.

        Matches listed as `kept`, and texts for which `pattern` is None, stay unchanged.
        """
        return text if pattern is None else pattern.sub(lambda found: self._kept_or(what, found[0]), text)

    def _address(self, found: str) -> str:
        """Mask an address in a text: one word for the host, one for the rest."""
        address = found.rstrip(_CLOSING)
        host = re.split(r"[/?#]", address, maxsplit=1)[0]
        behind = "/" + self.word("path", address[len(host) :]) if address[len(host) :].strip("/") else ""
        return self._kept_or("address", host) + behind + found[len(address) :]

    def _ipv6(self, found: str) -> str:
        """Mask an IPv6 address in a text.

        Other text, and this machine's own address, stay unchanged.
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
        """Word that replaces a secret: `what` with a number, e.g. `serial-1`.

        Equal secrets, whatever their case, get the same number.
        """
        known = self._words.setdefault(what, {})
        return known.setdefault(secret.lower(), f"{what}-{len(known) + 1}")


def _any_of(words: Iterable[str], flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str] | None:
    """Pattern that matches any of these words as a whole.

    None without words.
    """
    found = sorted({word for word in words if word}, key=len, reverse=True)
    if not found:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, found))})(?!\w)", flags)
