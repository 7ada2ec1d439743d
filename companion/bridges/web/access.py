"""Who may see what: the token of the table's page, and a token for each player's own view."""

import hmac
import secrets
from pathlib import Path

from companion.core.files import replace_file

TOKEN_BYTES = 12
"""TOKEN_BYTES: chance in a token (bytes): 96 bits, 16 letters."""


def new_token() -> str:
    """A token that nobody can guess, of letters that stand in an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def kept_token(path: Path, *, renew: bool = False) -> str:
    """The token in a file, so that an address on the wall stays good; a new one if there is none, or `renew`.

    The file is readable by its owner alone.
    """
    if not renew and (kept := token_in(path)):
        return kept
    token = new_token()
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, f"{token}\n".encode())
    return token


def token_in(path: Path) -> str:
    """The token in a file; empty if there is none."""
    try:
        kept = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return kept if len(kept) >= TOKEN_BYTES and kept.replace("-", "").replace("_", "").isalnum() else ""


class Seats:
    """Which player's own view somebody has taken. A view belongs to one phone until it is given back."""

    def __init__(self) -> None:
        self._tokens: dict[int, str] = {}

    @property
    def taken(self) -> tuple[int, ...]:
        """The players (from 1) whose own view is taken."""
        return tuple(sorted(self._tokens))

    def take(self, player: int) -> str | None:
        """A token for this player's own view; None if somebody has it."""
        if player in self._tokens:
            return None
        return self._tokens.setdefault(player, new_token())

    def player(self, token: str) -> int:
        """The player whose view has this token; 0 if none has."""
        # Every token is compared, and all of each: the time tells nothing.
        same = [player for player, one in self._tokens.items() if same_token(one, token)]
        return same[0] if same else 0

    def give_back(self, player: int) -> None:
        """Nobody has this player's view any more."""
        self._tokens.pop(player, None)


def same_token(one: str, other: str) -> bool:
    """Whether two tokens are the same, in a time that does not tell how alike they are."""
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
