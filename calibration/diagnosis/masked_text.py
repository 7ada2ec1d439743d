"""Masks what names a household in texts: serial numbers, tags, homes, addresses, card codes."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_ADDRESS = re.compile(
    r"(?<=://)[^\s/\"']+|\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}\b"
)
_BY_ID = re.compile(r"(/dev/(?:serial|v4l)/by-(?:id|path)/)[^\s\"',:]+")
_HEX = re.compile(r"\b(?=[0-9A-Fa-f]*\d)[0-9A-Fa-f]{8,}\b")
"""Runs of hexadecimal digits as long as the shortest number of a tag (four bytes)."""
_HOME = re.compile(r"/(?:home|Users|media|run/media)/[^\s/\"':,]+")


class Mask:
    """Replaces secrets by numbered words. The same secret gets the same word, so that doubles still show."""

    def __init__(
        self,
        home: Path,
        user: str,
        secrets: Iterable[str] = (),
        cards: Iterable[str] = (),
        kept: Sequence[str] = (),
    ) -> None:
        """`secrets` are masked wherever they stand, as `serial-N`; `cards` are card codes; `kept`
        looks like a number or an address and tells nothing of a household: hashes and versions of programs."""
        self._home, self._kept = str(home), {one.lower() for one in kept}
        self._secrets = _any_of(secrets)
        self._names = _any_of([user] if user not in ("", "root") else [])
        # A code of one letter belongs to a thing that lies open, and is a unit elsewhere.
        self._cards = _any_of((code for code in cards if len(code) > 1), re.NOFLAG)
        self._words: dict[str, dict[str, str]] = {}

    def text(self, text: str) -> str:
        """`text` without secrets."""
        text = text.replace(self._home, "~") if self._home not in ("", "/") else text
        text = _HOME.sub("~", text)
        text = _BY_ID.sub(lambda found: found[1] + self.word("serial", found[0]), text)
        for pattern, what in ((self._secrets, "serial"), (_ADDRESS, "address"), (_HEX, "number")):
            if pattern is not None:
                text = pattern.sub(lambda found, what=what: self._kept_or(what, found[0]), text)  # type: ignore[misc]
        for pattern, what in ((self._cards, "card"), (self._names, "user")):
            if pattern is not None:
                text = pattern.sub(lambda found, what=what: self.word(what, found[0]), text)  # type: ignore[misc]
        return text

    def _kept_or(self, what: str, secret: str) -> str:
        return secret if secret.lower() in self._kept else self.word(what, secret)

    def word(self, what: str, secret: str) -> str:
        """The word that stands for a secret of this kind, e.g. `serial-1`."""
        known = self._words.setdefault(what, {})
        return known.setdefault(secret.lower(), f"{what}-{len(known) + 1}")


def _any_of(words: Iterable[str], flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str] | None:
    """A pattern for each of these words, standing alone; None without any."""
    found = sorted({word for word in words if word}, key=len, reverse=True)
    if not found:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, found))})(?!\w)", flags)
