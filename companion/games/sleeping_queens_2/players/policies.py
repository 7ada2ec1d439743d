"""Policies of simulated players.

Each sees only the view of its player.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from companion.games.simulation import play_at_random
from companion.games.sleeping_queens_2.rules.actions import (
    Action,
    Book,
    Discard,
    End,
    Equation,
    Exchange,
    Instant,
    Keep,
    Pair,
    Pass,
    Rescue,
    Steal,
    Swap,
    Take,
    Wake,
)
from companion.games.sleeping_queens_2.rules.equations import equations
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    COMPANIONS,
    GNOME,
    KIND_OF_TEXT,
    LIMIT,
    NUMBERS,
    QUEENS,
    WILLOW,
    Knight,
)
from companion.games.sleeping_queens_2.rules.parts import ANY
from companion.games.sleeping_queens_2.rules.state import Cards

View = Mapping[str, Any]
Policy = Callable[[View, Sequence[Action], Random], Action]
"""Way to play, as a function: (what the player sees, legal actions, chance) -> chosen action."""

MATCHED, SINGLE, USEFUL_NUMBER, SPELL_BOOK, NUMBER = 30.0, 12.0, 8.0, 6.0, 3.0
"""How much attentive people like a card. Only the order matters. Guesses.

MATCHED: a queen or companion that can be paired. SINGLE: one that cannot. USEFUL_NUMBER: part of an equation,
or of a pair that would wake queens. NUMBER: any other number card.
"""
SPARE_QUEEN = 2.0
"""Worth, as of MATCHED, of each queen beyond QUEENS_KEPT that cannot be paired. A guess.

It is little, because she takes the place of a number card.
"""
QUEENS_KEPT = 2
"""Number of queens worth keeping although they cannot be paired. A guess."""
KNIGHT_RANK = tuple(
    knight.name.lower()
    for knight in (Knight.DRAW, Knight.MATH, Knight.SIX, Knight.WILLOW, Knight.WITCH, Knight.REROLL)
)
"""Names of the knights (see `Knight`), most useful first. A guess."""


def play_sensibly(view: View, legal: Sequence[Action], chance: Random) -> Action:
    """Policy of attentive people: one of the `legal` actions.

    They rescue kings first, then do whatever brings companions and queens together. Cards that can be paired
    are kept.
    """
    match legal[0]:
        case Instant():
            return min(legal, key=_order_of_instants)
        case Wake() | Take():
            return _best(legal, lambda action: _Mine(view).worth(_queen_of(action)))
        case Steal() | Swap():
            return _best(legal, lambda action: _gain(view, action))
        case Exchange():
            return _best(legal, lambda action: _better_knight(view, action))
        case Equation() | Pair() | Book() | Rescue() | Discard() | End():
            return _play(view, legal)
    if view["phase"] == "reroll":
        # A 1 brings a companion for a gnome, but only one card for a turn.
        return next(action for action in legal if isinstance(action, Keep) == bool(view["played"]))
    return chance.choice([action for action in legal if not isinstance(action, Pass)] or legal)


class _Mine:
    """Player's own cards, and how much each is liked."""

    def __init__(self, view: View) -> None:
        at = view["player"] - 1
        self.realm = _kinds(view["realms"][at])
        self.asleep = _kinds(view["asleep"][at])
        self.companions = _kinds(view["companions"][at])
        self.math = view["knights"][at] == Knight.MATH.name.lower()
        self.limit = LIMIT + (view["knights"][at] == Knight.SIX.name.lower())
        self.queen_symbols: str = view["queen_symbols"]
        self.companion_symbols: str = view["companion_symbols"]

    def worth(self, kind: int) -> float:
        """How much the player likes a card that is owned or can be had: MATCHED to NUMBER."""
        if kind in QUEENS:
            return self._worth_of_queen(kind)
        if kind in COMPANIONS:
            symbol = self.companion_symbols[kind - COMPANIONS.start]
            matched = symbol == ANY or any(self._symbol(queen) == symbol for queen in self._queens())
            return MATCHED if matched else SINGLE
        return SPELL_BOOK if kind == BOOK else self._worth_of_number(kind)

    def opens_equation(self, number: int) -> bool:
        """True if the number card `number` would give the player an equation, and none is there yet."""
        return not equations(self._numbers(), self.math) and bool(
            equations(tuple(sorted((*self._numbers(), number))), self.math)
        )

    def _worth_of_queen(self, queen: int) -> float:
        symbols = {self.companion_symbols[companion - COMPANIONS.start] for companion in self.companions}
        if ANY in symbols or self._symbol(queen) in symbols:
            return MATCHED
        return SINGLE if len(set(self._queens()) - {queen}) < QUEENS_KEPT else SPARE_QUEEN

    def _worth_of_number(self, number: int) -> float:
        numbers = self._numbers()
        with_it = numbers if number in numbers else tuple(sorted((*numbers, number)))
        if self.asleep and with_it.count(number) > 1:
            return USEFUL_NUMBER
        return USEFUL_NUMBER if any(number in cards for cards in equations(with_it, self.math)) else NUMBER

    def _queens(self) -> list[int]:
        return [card for card in self.realm + self.asleep if card in QUEENS]

    def _numbers(self) -> Cards:
        return tuple(card for card in self.realm if card in NUMBERS)

    def _symbol(self, queen: int) -> str:
        return self.queen_symbols[queen - QUEENS.start]


def _play(view: View, legal: Sequence[Action]) -> Action:
    rescues = [action for action in legal if isinstance(action, Rescue)]
    if rescues:
        symbols: str = view["companion_symbols"]
        # The companion that fits every queen is kept for a queen without another match.
        return min(rescues, key=lambda action: symbols[action.companion - COMPANIONS.start] == ANY)
    if woken := next((action for action in legal if isinstance(action, Pair)), None):
        return woken
    if found := [action for action in legal if isinstance(action, Equation)]:
        return min(found, key=lambda action: len(action.cards))
    mine = _Mine(view)
    for action in legal:
        if isinstance(action, Book) and mine.opens_equation(action.number):
            return action
    if isinstance(legal[-1], End):
        return legal[-1]
    return min(
        legal, key=lambda action: mine.worth(action.kind) if isinstance(action, Discard) else MATCHED + 1
    )


def _order_of_instants(action: Action) -> int:
    """Sort key of drawn instant cards: willows first, because a gnome may bring a queen afterwards.

    Witches last.
    """
    assert isinstance(action, Instant)
    return {WILLOW: 0, GNOME: 1}.get(action.kind, 2)


def _queen_of(action: Action) -> int:
    assert isinstance(action, Wake | Take)
    return action.queen


def _gain(view: View, action: Action) -> float:
    mine = _Mine(view)
    if isinstance(action, Steal):
        return mine.worth(action.kind)
    assert isinstance(action, Swap)
    return mine.worth(action.kind) - mine.worth(action.own)


def _better_knight(view: View, action: Action) -> float:
    """Number of ranks (see KNIGHT_RANK) that the player's knight gains by an exchange.

    0 if two other players exchange.
    """
    assert isinstance(action, Exchange)
    own, seats = view["player"] - 1, {action.first, action.second}
    if own not in seats:
        return 0
    other = (seats - {own}).pop()
    knights: Sequence[str] = view["knights"]
    return KNIGHT_RANK.index(knights[own]) - KNIGHT_RANK.index(knights[other])


def _best(legal: Sequence[Action], gain: Callable[[Action], float]) -> Action:
    """The one of the `legal` actions with the greatest gain.

    If none is above 0: the last action, which passes.
    """
    gains = [(gain(action), action) for action in legal if not isinstance(action, Pass)]
    most, best = max(gains, key=lambda pair: pair[0])
    return best if most > 0 else legal[-1]


def _kinds(names: Sequence[str]) -> Cards:
    return tuple(map(KIND_OF_TEXT.__getitem__, names))


def play_by_hints(view: View, legal: Sequence[Action], chance: Random) -> Action:
    """Choose the action that the best hint recommends.

    Other actions in `legal` do not matter.
    """
    # Imported here, because loading the weights takes time.
    from companion.games.sleeping_queens_2.hints.options import Outlook
    from companion.games.sleeping_queens_2.hints.player_knowledge import known_state

    if len(legal) == 1:
        return legal[0]
    return Outlook(known_state(view)).options()[0].action


POLICIES: dict[str, Policy] = {
    "sensible": play_sensibly,
    "random": play_at_random,
    "hinted": play_by_hints,
}
