"""Which physical card is where in the true game: copies of a kind told apart, open cards in their slots."""

from dataclasses import dataclass
from random import Random

from companion.games.api import PhysicalCard
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT, face_text
from companion.games.sleepless_princess.rules.state import State
from companion.virtual.games.sleepless_princess.card_positions import ROW_SLOTS


@dataclass(slots=True)
class Ledger:
    """Card codes where the true state has kinds. The lists agree with it between actions."""

    deck: list[str]
    """The next card last."""
    hands: list[list[str]]
    row: list[str | None]
    """One entry a slot: an open card keeps its place, a gap stays until it is filled."""
    played: list[str]
    pile: list[str]
    """The discard pile, the top card last."""
    mattresses: list[str]
    """By slot number, as in the state."""
    kinds: dict[str, str]

    @classmethod
    def of(cls, dealt: State, cards: tuple[PhysicalCard, ...], chance: Random) -> "Ledger":
        """Give every card of a dealt state a physical copy; the first row still lies on the deck."""
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
        """A card of that kind leaves the hand."""
        code = next(code for code in self.hands[player] if self.kinds[code] == KIND_TEXT[kind])
        self.hands[player].remove(code)
        return code

    def open_slot(self, kind: int, chance: Random) -> int:
        """A slot in which a card of that kind lies open."""
        found = [slot for slot, code in enumerate(self.row) if code and self.kinds[code] == KIND_TEXT[kind]]
        return chance.choice(found)

    def free_slot(self) -> int:
        """The first gap in the row."""
        return self.row.index(None)
