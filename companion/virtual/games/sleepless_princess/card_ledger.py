"""A ledger of physical cards: which copy of a kind is where in the true game."""

from dataclasses import dataclass
from random import Random

from companion.games.appearance import PhysicalCard
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT, face_text
from companion.games.sleepless_princess.rules.state import State
from companion.virtual.games.sleepless_princess.card_positions import ROW_SLOTS


@dataclass(slots=True)
class Ledger:
    """Ledger of the physical cards, by code: where each is in the true game.

    Between actions it agrees with the true state.
    """

    deck: list[str]
    """Codes of the cards in the deck, the next card last."""
    hands: list[list[str]]
    row: list[str | None]
    """Code of the card in each place of the open row; None for a gap, until a card fills it."""
    played: list[str]
    pile: list[str]
    """Codes of the cards on the discard pile, top card last."""
    mattresses: list[str]
    """Code of each mattress, in the order of dealing; the index is its slot."""
    kinds: dict[str, str]

    @classmethod
    def of(cls, dealt: State, cards: tuple[PhysicalCard, ...], chance: Random) -> "Ledger":
        """Give every card of a dealt state a physical copy, by chance.

        The cards of the first open row lie on top of the deck. `cards`: all physical cards.
        """
        copies: dict[str, list[str]] = {}
        for card in cards:
            copies.setdefault(card.kind, []).append(card.code)
        for codes in copies.values():
            chance.shuffle(codes)

        def some(kinds: tuple[int, ...]) -> list[str]:
            return [copies[KIND_TEXT[kind]].pop() for kind in kinds]

        first_row = some(dealt.row)
        chance.shuffle(first_row)
        return cls(
            deck=some(dealt.deck) + first_row,
            hands=[some(hand) for hand in dealt.hands],
            row=[None] * ROW_SLOTS,
            played=[],
            pile=[],
            mattresses=[copies[face_text(face)].pop() for face in dealt.faces],
            kinds={card.code: card.kind for card in cards},
        )

    def from_hand(self, player: int, kind: int) -> str:
        """Remove a card of this kind from the hand of `player` (from 0), and return its code."""
        code = next(code for code in self.hands[player] if self.kinds[code] == KIND_TEXT[kind])
        self.hands[player].remove(code)
        return code

    def open_slot(self, kind: int, chance: Random) -> int:
        """Choose, by chance, a place of the open row with a card of this kind.

        Places count from 0.
        """
        found = [slot for slot, code in enumerate(self.row) if code and self.kinds[code] == KIND_TEXT[kind]]
        return chance.choice(found)

    def free_slot(self) -> int:
        """First empty place (from 0) of the open row."""
        return self.row.index(None)
