"""Who may see what: the token of the table's page, and a token for each player's own view."""

import hmac
import secrets
from pathlib import Path

from companion.core.files import replace_file

TOKEN_BYTES = 12
"""Random bytes in a token; 96 bits, 16 letters."""


def new_token() -> str:
    """A random token that nobody can guess, in letters that may stand in a web address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def kept_token(path: Path, *, renew: bool = False) -> str:
    """The token in the file `path`, so that printed addresses stay valid.

    Only the owner can read the file.

    A new one is written if there is none, or if `renew`.
    """
    if not renew and (kept := token_in(path)):
        return kept
    token = new_token()
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, f"{token}\n".encode())
    return token


def token_in(path: Path) -> str:
    """The token in a file. "" if it has none, or cannot be read."""
    try:
        kept = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return kept if len(kept) >= TOKEN_BYTES and kept.replace("-", "").replace("_", "").isalnum() else ""


class Seats:
    """Which phone has which player's private view.

    A phone gets a token for it, and keeps it until it gives the view back.
    """

    def __init__(self) -> None:
        self._tokens: dict[int, str] = {}

    @property
    def taken(self) -> tuple[int, ...]:
        """Players (from 1) whose private view a phone has."""
        return tuple(sorted(self._tokens))

    def take(self, player: int) -> str | None:
        """Token for the private view of `player` (from 1).

        None if another phone has it.
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
        """Let another phone take the private view of `player` (from 1)."""
        self._tokens.pop(player, None)


def same_token(one: str, other: str) -> bool:
    """True if two tokens are equal.

    The time it takes does not reveal how much of them is.
    """
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
