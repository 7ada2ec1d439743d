"""A whole game by the rules, as a perfect camera reports it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from companion.games.appearance import PhysicalCard
from companion.games.sleeping_queens.rules.actions import Action, Reveal, Shuffle, Wake
from companion.games.sleeping_queens.rules.equations import is_equation
from companion.games.sleeping_queens.rules.kinds import ANSWER_TO, EMPTY, KNIGHT, NUMBERS, POTION
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.games.sleeping_queens.sensing.appearance import cell_zone
from companion.games.win_claims import player_zone
from companion.sensing.observation import UNREAD, Observation
from companion.virtual.games.queens.two_piles import PerfectCamera
from companion.virtual.games.sleeping_queens.card_copies import CardCopies


class PerfectRig(PerfectCamera):
    """Perfect camera that reports each action of a simulated game.

    It knows every physical card. An action gives batches; the observations of a batch arrive together, one
    second apart.
    """

    def __init__(self, cards: tuple[PhysicalCard, ...], chance: Random) -> None:
        super().__init__()
        self._copies = CardCopies(cards, chance)

    def setup(self, dealt: State) -> Iterator[list[Observation]]:
        """Report the table before the first turn, in batches.

        `dealt`: the state with all cards known.
        """
        yield from self._look(dealt)

    def notice(self, before: State, action: Action, after: State) -> Iterator[list[Observation]]:
        """Report an action as the camera sees it, in batches.

        `before`, `after`: the true states around it.
        """
        copies = self._copies
        match action:
            case Wake(cell, _):
                yield [self._sighting(cell_zone(cell), (copies.queen(before.cells[cell]),))]
            case Reveal() if (kind := before.deck[-1]) not in NUMBERS:
                # The card lies open beside the jester before it is taken.
                yield [self._sighting("play", (*copies.played, copies.next_of(kind)))]
        if copies.played and not after.played:
            copies.sweep()
        if isinstance(action, Shuffle):
            copies.shuffle()
        for kind in (Counter(after.played) - Counter(before.played)).elements():
            copies.play(kind)
        yield from self._look(after)

    def lay(self, kinds: Sequence[int]) -> list[tuple[Observation, ...]]:
        """Report cards of these kinds that are laid together into the middle."""
        for kind in kinds:
            self._copies.play(kind)
        return [(self._sighting("play", tuple(self._copies.played)),)]

    def take_back(self, number: int) -> list[tuple[Observation, ...]]:
        """Report that the last `number` cards in the middle go back to a hand."""
        for code in self._copies.played[-number:]:
            self._copies.take_up(code)
        return [(self._sighting("play", tuple(self._copies.played)),)]

    def _look(self, state: State) -> Iterator[list[Observation]]:
        """Report each zone whose cards differ from the last report, in batches."""
        copies = self._copies
        zones: dict[str, tuple[str, ...]] = {
            cell_zone(cell): () if queen == EMPTY else (UNREAD,) for cell, queen in enumerate(state.cells)
        }
        for player, queens in enumerate(state.awake):
            zones[player_zone(player)] = tuple(map(copies.queen, queens))
        zones["play"] = tuple(copies.played)
        zones["discard"] = tuple(copies.pile[-1:])
        changed = [zone for zone, codes in zones.items() if self._told.get(zone) != codes]
        # Played cards leave the middle first, then lie on the pile.
        for together in ([zone for zone in changed if zone != "discard"], ["discard"] * ("discard" in changed)):
            if together:
                yield [self._sighting(zone, zones[zone]) for zone in together]


Cards = tuple[int, ...]
_SIZES = (3, 4)
"""Numbers of cards in the wrong equations that simulated players try. A guess."""


def mistakes(before: State, after: State, chance: Random) -> Iterator[Cards]:
    """Draw sets of cards that a player may lay down by mistake, one of each kind.

    `before`, `after`: true states around the step that follows. Kinds before a play: a wrong equation, a wrong
    pair, another card than the played one. After an attack: a dragon or wand that comes too late.
    """
    if before.phase is Phase.PLAY:
        for choices in _wrong_plays(before.hands[before.turn], after.played):
            if choices:
                yield chance.choice(choices)
    elif before.phase is Phase.REFILL and after.phase is Phase.PLAY:
        attack = next((kind for kind in (KNIGHT, POTION) if before.played == (kind,)), None)
        owners = [hand for player, hand in enumerate(before.hands) if player != before.turn]
        if attack is not None and any(ANSWER_TO[attack] in hand for hand in owners):
            yield (ANSWER_TO[attack],)


def _wrong_plays(hand: Cards, played: Cards) -> tuple[Sequence[Cards], ...]:
    """Choices for each kind of wrong play: equations that do not add up, unequal pairs, other cards."""
    numbers = [card for card in hand if card in NUMBERS]
    wrong = [cards for size in _SIZES for cards in combinations(numbers, size) if not is_equation(cards)]
    unequal = list(combinations(sorted(set(numbers)), 2))
    shown = [(card,) for card in hand if card not in played]
    return wrong, unequal, shown
