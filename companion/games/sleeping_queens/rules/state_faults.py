"""All contradictions within a state of Sleeping Queens."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from companion.games.rules import Fault
from companion.games.sleeping_queens.rules.game_end import is_won
from companion.games.sleeping_queens.rules.kinds import (
    CELLS,
    COPIES,
    EMPTY,
    ENEMY,
    HAND,
    HAND_CARDS,
    KIND_TEXT,
    QUEEN_NAMES,
)
from companion.games.sleeping_queens.rules.legal_actions import attacker
from companion.games.sleeping_queens.rules.state import PLAYERS, Phase, State


def status(state: State) -> tuple[Fault, ...]:
    """Contradictions within a state.

    Empty if some game can reach it.
    """
    return tuple(_faults(state))


def _faults(state: State) -> Iterator[Fault]:
    if state.players not in PLAYERS:
        yield Fault("players", f"The game is for {PLAYERS[0]} to {PLAYERS[-1]} players, not {state.players}.")
    if not (0 <= state.turn < state.players and 0 <= state.acting < state.players):
        yield Fault("player", "A player is on turn who does not play.")
    if len(state.hands) != state.players or len(state.awake) != state.players:
        yield Fault("seats", "Hands and queens are not one for each player.")
    if len(state.cells) != CELLS or len(state.seen) != CELLS:
        yield Fault("grid", f"The grid has {CELLS} places.")
    yield from _card_faults(state)
    yield from _queen_faults(state)
    yield from _phase_faults(state)


def _card_faults(state: State) -> Iterator[Fault]:
    lying = [*state.hands, state.deck, state.discard, state.played]
    cards = [*chain.from_iterable(lying)]
    if len(cards) != HAND_CARDS:
        yield Fault("card-count", f"There are {HAND_CARDS} cards, not {len(cards)}.")
    counted = Counter(cards)
    many = [kind for kind in counted if kind > 0 and (kind >= len(COPIES) or counted[kind] > COPIES[kind])]
    if many:
        names = tuple(KIND_TEXT[kind] if kind < len(KIND_TEXT) else str(kind) for kind in sorted(many))
        yield Fault("too-many", f"There are too many cards {', '.join(names)}.", names)
    if any(len(hand) > HAND for hand in state.hands):
        yield Fault("hand", f"A hand has more than {HAND} cards.")
    if any(pile != tuple(sorted(pile)) for pile in (*state.hands, state.played)):
        yield Fault("order", "Hands and played cards are not ascending.")
    if not 0 <= state.fresh <= len(state.discard):
        yield Fault("fresh", "More cards came to the discard pile than lie there.")


def _queen_faults(state: State) -> Iterator[Fault]:
    queens = [*chain.from_iterable(state.awake), *(queen for queen in state.cells if queen >= 0)]
    twice = tuple(QUEEN_NAMES[queen] for queen, count in sorted(Counter(queens).items()) if count > 1)
    if twice:
        yield Fault("twice", f"Twice on the table: {', '.join(twice)}.", twice)
    sleeping = sum(queen != EMPTY for queen in state.cells)
    if sleeping + sum(map(len, state.awake)) != CELLS:
        yield Fault("queen-count", f"There are {CELLS} queens, not {sleeping + sum(map(len, state.awake))}.")
    for player, own in enumerate(state.awake):
        if any(ENEMY.get(queen) in own for queen in own):
            yield Fault("cat-and-dog", f"Player {player + 1} has Cat and Dog.", ("Cat", "Dog"))
    if any(seen and queen == EMPTY for queen, seen in zip(state.cells, state.seen, strict=False)):
        yield Fault("seen", "A place where nobody sleeps was seen.")


def _phase_faults(state: State) -> Iterator[Fault]:
    if (state.phase is Phase.OVER) != is_won(state):
        yield Fault("end", "The game is over, or is not, against the rules.")
    if state.phase in (Phase.TARGET, Phase.ANSWER, Phase.SLEEP) and not attacker(state):
        yield Fault("no-attack", "Nobody has played a knight or a potion.")
    if (state.target >= 0) != (state.phase in (Phase.ANSWER, Phase.SLEEP)):
        yield Fault("target", "A queen is attacked, or is not, against the rules.")
    if state.phase is Phase.PLAY and state.played:
        yield Fault("played", "Cards were played before the turn began.")
