"""Who may see what: the token of the table's page, and a token for each player's own view."""

import hmac
import secrets
from pathlib import Path

from companion.core.files import replace_file

TOKEN_BYTES = 12
"""TOKEN_BYTES: random bytes in a token: 96 bits, written as 16 letters."""


def new_token() -> str:
    """Random token that nobody can guess, of letters that may stand in a web address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def kept_token(path: Path, *, renew: bool = False) -> str:
    """Token stored in `path`, so that printed addresses stay valid.

    Writes a new token if the file holds none, or if `renew`. Only the owner can read the file.
    """
    if not renew and (kept := token_in(path)):
        return kept
    token = new_token()
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, f"{token}\n".encode())
    return token


def token_in(path: Path) -> str:
    """Token stored in a file; "" without a readable token."""
    try:
        kept = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return kept if len(kept) >= TOKEN_BYTES and kept.replace("-", "").replace("_", "").isalnum() else ""


class Seats:
    """Private views of the players: each is held by one phone, by a token, until it is given back."""

    def __init__(self) -> None:
        self._tokens: dict[int, str] = {}

    @property
    def taken(self) -> tuple[int, ...]:
        """Players (from 1) whose private view a phone holds."""
        return tuple(sorted(self._tokens))

    def take(self, player: int) -> str | None:
        """Token for the private view of `player` (from 1); None if another phone holds this view."""
        if player in self._tokens:
            return None
        return self._tokens.setdefault(player, new_token())

    def player(self, token: str) -> int:
        """Player (from 1) whose private view has this token; 0 for an unknown token."""
        # Every token is compared, and all of each: the time tells nothing.
        same = [player for player, one in self._tokens.items() if same_token(one, token)]
        return same[0] if same else 0

    def give_back(self, player: int) -> None:
        """Free the private view of `player` for another phone."""
        self._tokens.pop(player, None)


def same_token(one: str, other: str) -> bool:
    """True if two tokens are equal.

    The time taken does not reveal how similar they are.
    """
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
