"""Cards of both Sleeping Queens games: their QR stickers, and the forty numbers."""

from companion.core.language import text
from companion.games.appearance import PhysicalCard


def sticker(prefix: str, code: str, kind: str, name: str, *, small: bool = False) -> PhysicalCard:
    """Card whose sticker holds `prefix` (the game, and the version of its stickers) and the card's code.

    `small`: True for a die, or another thing much smaller than a card.
    """
    return PhysicalCard(code, kind, name, payload=prefix + code, small=small)


def number_cards(prefix: str) -> list[PhysicalCard]:
    """Four cards of each number from 1 to 10; N07C is the third 7."""
    return [
        sticker(prefix, f"N{n:02d}{copy}", str(n), text("number {n}", n=n))
        for n in range(1, 11)
        for copy in "ABCD"
    ]
