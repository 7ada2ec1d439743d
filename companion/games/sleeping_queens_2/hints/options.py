"""A player's options, ranked by the chance to win: all plays to the end of the turn, by the odds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from companion.games.sleeping_queens_2.hints.player_knowledge import to_fetch, undrawn
from companion.games.sleeping_queens_2.hints.win_chance import (
    Weights,
    chance,
    draw_facts,
    fitted,
)
from companion.games.sleeping_queens_2.rules.actions import (
    Action,
    Discard,
    Draw,
    End,
    Equation,
    Fetch,
    Keep,
    Mix,
    PutBack,
    Reroll,
    Rescue,
    Roll,
    Shuffle,
    Steal,
    Swap,
    Take,
    Wake,
)
from companion.games.sleeping_queens_2.rules.apply import apply
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.hidden_state import chance_decides
from companion.games.sleeping_queens_2.rules.kinds import COMPANIONS, INSTANTS, QUEENS
from companion.games.sleeping_queens_2.rules.legal_actions import held, legal_actions, limit
from companion.games.sleeping_queens_2.rules.parts import ANY, Parts
from companion.games.sleeping_queens_2.rules.state import Cards, Phase, State

WIDTH = 4
"""Number of actions of one type that are looked ahead to the turn's end. A guess.

Types are equations, swaps and so on. The less promising actions are dropped.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """Possible action of the player, and how good it is."""

    action: Action
    worth: float
    """Chance to win after the action (0 to 1), higher is better."""


class Outlook:
    """Chances to win of the player on turn, for each action possible in a position."""

    def __init__(self, state: State, weights: Weights | None = None) -> None:
        """Start from `state` as the player on turn knows it (see `player_knowledge.known_state`).

        `weights`: the network that values positions; None: the shipped one.
        """
        self._player = state.turn
        self._weights = weights or fitted()
        self._draws = draw_facts(state)
        self._kept: dict[object, float] = {}
        self._discards: dict[object, Cards] = {}
        self.positions = 0
        """Number of positions judged so far: the work done."""
        self.state = state

    def options(self) -> list[Option]:
        """The player's choices, best first; choices that are equal to the rules once.

        Empty if chance decides.
        """
        if chance_decides(self.state):
            return []
        choices = self._promising(self.state, self._choices(self.state))
        found = [Option(action, self._after(self.state, action)) for action in choices]
        return sorted(found, key=lambda option: -option.worth)

    def worth(self, state: State) -> float:
        """The player's chance to win (0 to 1).

        `state` is later in this turn, or the start of the next one.
        """
        key = _same(state)
        if key not in self._kept:
            self._kept[key] = self._worth(state)
        return self._kept[key]

    def _worth(self, state: State) -> float:
        match state.phase:
            case Phase.OVER:
                return float(winner(state) == self._player)
            case Phase.ROLL:
                return self._judged(state)
            case Phase.GNOME:
                return self._gnome(state)
            case Phase.DRAW:
                return self._drawn(state)
            case Phase.REROLL if state.played:
                # A second 1 is kept; `_gnome` compares rolling again.
                return self.worth(apply(state, Keep()))
            case Phase.FETCH if chance_decides(state):
                return self.worth(apply(state, Mix()))
            case Phase.DISCARD | Phase.PLAY:
                return self._rest_of_turn(state)
        return max(self._after(state, action) for action in self._promising(state, different(state)))

    def _judged(self, state: State) -> float:
        self.positions += 1
        return chance(self._weights, state, self._player, self._draws)

    def _after(self, state: State, action: Action) -> float:
        match action:
            case Fetch(cell):
                pool = to_fetch(state)
                return sum(
                    share * self.worth(apply(state, Fetch(cell, companion)))
                    for companion, share in shares(pool, state.parts)
                )
            case Rescue():
                after = apply(state, action)
                return self.worth(apply(after, different(after)[0]))
            case Reroll() if state.played:
                return self._gnome(apply(state, action))
            case Discard():
                return self._rest_of_turn(apply(state, action))
        return self.worth(apply(state, action))

    def _gnome(self, state: State) -> float:
        """Chance to win before a gnome's die is rolled.

        It is the mean over the faces of the die. With the reroll knight: the better of rolling a 1 again
        always, or never.
        """
        die = state.parts.die
        rolls = {face: apply(state, Roll(face)) for face in set(die)}
        mean = sum(self.worth(rolls[face]) for face in die) / len(die)
        others = [self.worth(rolls[face]) for face in die if rolls[face].phase is not Phase.REROLL]
        return max(mean, sum(others) / len(others)) if len(others) not in (0, len(die)) else mean

    def _drawn(self, state: State) -> float:
        """Chance to win before a card is drawn: the mean over all cards that may come."""
        if not state.deck:
            state = apply(state, Shuffle())
        left = undrawn(state)
        return (
            sum(copies * self.worth(apply(state, Draw(kind))) for kind, copies in left.items()) / left.total()
        )

    def _rest_of_turn(self, state: State) -> float:
        """Chance to win if the player makes the best of the rest of the turn."""
        choices = self._choices(state)
        plays = [action for action in choices if not isinstance(action, Discard | End)]
        best = max((self._after(state, action) for action in self._promising(state, plays)), default=0.0)
        return best if len(plays) == len(choices) else max(best, self._judged(self._ended(state)))

    def _ended(self, state: State) -> State:
        """The start of the next turn, if the player ends this one now and keeps the best cards."""
        return _without(state, self._least(state))

    def _promising(self, state: State, actions: Sequence[Action]) -> Sequence[Action]:
        """At most WIDTH actions of each type.

        Actions rank by the chance to win if nothing else were played this turn.
        """
        sorts: dict[type, list[Action]] = {}
        for action in actions:
            sorts.setdefault(type(action), []).append(action)
        found: list[Action] = []
        for alike in sorts.values():
            if len(alike) > WIDTH:
                alike.sort(key=lambda action: -self._at_once(apply(state, action)))
            found += alike[:WIDTH]
        return found

    def _at_once(self, state: State) -> float:
        """Chance to win if drawn cards came into the realm and the turn ended at once."""
        at = self._player
        placed = tuple(sorted(state.realms[at] + tuple(card for card in state.drawn if card not in INSTANTS)))
        realms = (*state.realms[:at], placed, *state.realms[at + 1 :])
        return self._judged(self._ended(state._replace(realms=realms, drawn=(), played=0, phase=Phase.DISCARD)))

    def _least(self, state: State) -> Cards:
        """Cards to discard at the turn's end so that the rest is within the limit.

        They are those that cost the least chance to win.
        """
        cards = held(state, state.turn)
        number = len(cards) - limit(state)
        if number <= 0:
            return ()
        key = _same(state)
        if key not in self._discards:
            groups = {_alike(gone, state.parts): gone for gone in combinations(cards, number)}
            self._discards[key] = max(groups.values(), key=lambda gone: self._judged(_without(state, gone)))
        return self._discards[key]

    def _choices(self, state: State) -> Sequence[Action]:
        """Actions worth a look.

        Possible rescues and equations come at once, and no more cards are discarded than necessary.
        """
        legal = different(state)
        if state.phase not in (Phase.PLAY, Phase.DISCARD):
            return legal
        plays: list[Action] = [action for action in legal if not isinstance(action, Discard | End)]
        sure = [action for action in plays if isinstance(action, Rescue) and not _uses_any(state, action)]
        if sure:
            return sure[:1]
        if any(isinstance(action, Equation) for action in plays):
            return plays
        least = self._least(state)
        ends: list[Action] = list(map(Discard, dict.fromkeys(least))) if least else [End()]
        return [*plays, *ends]


def _same(state: State) -> object:
    """A state without what makes no difference to the chance to win: discard order and turn number."""
    return state._replace(discard=tuple(sorted(state.discard)), fresh=0, turns=0)


def _without(state: State, cards: Cards) -> State:
    """State after the player on turn discarded `cards`."""
    for kind in cards:
        state = apply(state, Discard(kind))
    return apply(state, End())


def _alike(cards: Cards, parts: Parts) -> object:
    """Key that is equal for sets of cards which the rules treat alike.

    `parts`: printed parts of the box, which tell the symbols.
    """
    return tuple(sorted(str(_symbol(kind, parts)) for kind in cards))


def _uses_any(state: State, action: Rescue) -> bool:
    return state.parts.companions[action.companion - COMPANIONS.start] == ANY


def different(state: State) -> Sequence[Action]:
    """Legal actions, each kind of equal ones once.

    Equal actions differ only in the grid place, or in cards with the same symbol.
    """
    legal = legal_actions(state)
    if state.phase in (Phase.RETURN, Phase.FETCH):
        places = [action for action in legal if isinstance(action, PutBack | Fetch)]
        return [*places[:1], *legal[len(places) :]]
    alike: dict[object, Action] = {}
    for action in legal:
        alike.setdefault(_sort(action, state), action)
    return tuple(alike.values())


def _sort(action: Action, state: State) -> object:
    parts = state.parts
    match action:
        case Steal(victim, kind):
            return Steal, victim, _symbol(kind, parts), kind in state.asleep[victim]
        case Swap(own, victim, kind):
            given = _symbol(own, parts), own in state.asleep[state.turn]
            return Swap, given, victim, _symbol(kind, parts), kind in state.asleep[victim]
        case Take(queen) | Wake(queen):
            return Take, _symbol(queen, parts)
        case Rescue(queen, companion):
            return Rescue, _symbol(queen, parts), _symbol(companion, parts)
    return action


def _symbol(kind: int, parts: Parts) -> object:
    """Key that is equal for cards which the rules treat alike, e.g. queens with the same symbol.

    `parts`: printed parts of the box, which tell the symbols.
    """
    if kind in QUEENS:
        return "queen", parts.queens[kind - QUEENS.start]
    if kind in COMPANIONS:
        return "companion", parts.companions[kind - COMPANIONS.start]
    return kind


def shares(pool: Cards, parts: Parts) -> Iterator[tuple[int, float]]:
    """(companion, chance to take one with its symbol), once for each symbol in `pool`.

    `pool`: companions among which one is taken at random. `parts`: printed parts, which tell the symbols.
    """
    symbols = [parts.companions[kind - COMPANIONS.start] for kind in pool]
    for symbol in dict.fromkeys(symbols):
        yield pool[symbols.index(symbol)], symbols.count(symbol) / len(pool)
