"""Who may see what: the token of the table's page, and a token for each player's own view."""

import hmac
import secrets
from pathlib import Path

from companion.core.files import replace_file

TOKEN_BYTES = 12
"""Random bytes in a token: 96 bits, written as 16 letters."""


def new_token() -> str:
    """A random token: 16 letters that may stand in a web address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def kept_token(path: Path, *, renew: bool = False) -> str:
    """The token in a file, so that printed addresses stay valid.

    Only the owner can read the file. A new token is made and written if there is none, or if `renew`.
    """
    if not renew and (kept := token_in(path)):
        return kept
    token = new_token()
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, f"{token}\n".encode())
    return token


def token_in(path: Path) -> str:
    """The token in a file. "" if the file holds none, or cannot be read."""
    try:
        kept = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return kept if len(kept) >= TOKEN_BYTES and kept.replace("-", "").replace("_", "").isalnum() else ""


class Seats:
    """Which player's private view is held by a phone, and its token.

    A phone that takes a view gets a token for it, which is valid until the view is given back.
    """

    def __init__(self) -> None:
        self._tokens: dict[int, str] = {}

    @property
    def taken(self) -> tuple[int, ...]:
        """Players (from 1) whose private view a phone has."""
        return tuple(sorted(self._tokens))

    def take(self, player: int) -> str | None:
        """A new token for the private view of `player` (from 1).

        None if another phone has the view.
        """
        if player in self._tokens:
            return None
        return self._tokens.setdefault(player, new_token())

    def player(self, token: str) -> int:
        """Player (from 1) to whose private view a token belongs. 0 for an unknown token."""
        # Every token is compared, and all of each: the time tells nothing.
        same = [player for player, one in self._tokens.items() if same_token(one, token)]
        return same[0] if same else 0

    def give_back(self, player: int) -> None:
        """End the token of a private view, so that another phone can take it.

        `player`: from 1. Nothing happens if nobody has the view.
        """
        self._tokens.pop(player, None)


def same_token(one: str, other: str) -> bool:
    """True if two tokens are equal.

    The time that the comparison takes does not reveal how many letters agree.
    """
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
