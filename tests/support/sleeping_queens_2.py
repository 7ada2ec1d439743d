"""Small helps for the tests of Sleeping Queens 2."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from companion.games.rules import IllegalError
from companion.games.sleeping_queens_2.rules.actions import (
    Action,
    Discard,
    Draw,
    End,
    Equation,
    FalsePair,
    Fetch,
    Lull,
    OutOfOrder,
    Pair,
    PutBack,
    Reroll,
    Rescue,
    Steal,
    Swap,
)
from companion.games.sleeping_queens_2.rules.hidden_state import reordered
from companion.games.sleeping_queens_2.rules.kinds import COPIES, KIND_TEXT, MAIN_DECK, NUMBERS, QUEENS
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import State
from companion.games.win_claims import Insist, TakeBack
from tests.support.notated_rules import NotatedRules

GRID = "RC01/RC02/RC03/RC04/RC05/RC06/RC07/RC08/RC09/RC10"
KNIGHTS = "math/witch/reroll/draw/willow"
"""Knights of up to five players, unless a test says otherwise."""
_LIVELY = (Equation, Fetch, Pair, PutBack, Rescue, Steal, Swap)


def table(
    realms: str,
    *,
    phase: str = "play",
    asleep: str = "",
    companions: str = "",
    kings: str = "",
    knights: str = "",
    deck: str = "",
    discard: str = "",
    drawn: str = "",
    played: str = "-",
    grid: str = "",
) -> State:
    """A possible position with player 1 on turn; cards of the main deck that are not named lie at the bottom of
    the draw pile, companions that are not named in the grid, face down, in their order."""
    players = realms.count("/") + 1
    nothing = "/".join("-" * players)
    used = [card for text in (realms, asleep, deck, discard, drawn, played) for card in _cards(text)]
    rest = [KIND_TEXT[kind] for kind in MAIN_DECK for _ in range(COPIES[kind] - used.count(KIND_TEXT[kind]))]
    taken = _cards(companions)
    line = (
        f"standard {players} phase={phase} turn=1 turns=1 draws=0 realms={realms} asleep={asleep or nothing} "
        f"companions={companions or nothing} kings={kings or '/'.join('0' * players)} "
        f"knights={knights or '/'.join(KNIGHTS.split('/')[:players])} "
        f"deck={','.join([*rest, *_cards(deck)])} discard={discard or '-'} fresh={int(bool(discard))} "
        f"drawn={drawn or '-'} played={played} carried=- "
        f"grid={grid or '/'.join('-' if one in taken else one for one in GRID.split('/'))} "
        "die=1,1,2,2,3,dragon symbols=aaaabbbbcccc/aaabbbccc* colours=red,black,blue,yellow,white,green"
    )
    state = RULES.read_state(line)
    assert RULES.status(state) == (), RULES.status(state)
    return state


def _cards(text: str) -> list[str]:
    return [card for card in text.replace("/", ",").split(",") if card not in ("", "-")]


NOTATED = NotatedRules(RULES)
play, refused = NOTATED.play, NOTATED.refused


def legal(state: State) -> list[str]:
    """The legal actions in words."""
    return [RULES.write_action(action) for action in RULES.legal_actions(state)]


def forbidden(state: State, chance: Random) -> list[Insist]:
    """What a table may insist on in a state, some of each kind."""
    own = state.realms[state.turn]
    numbers = sorted(card for card in own if card in NUMBERS)
    queens = [card for card in (*own, *state.asleep[state.turn]) if card in QUEENS]
    others = [player for player in range(state.players) if player != state.turn]
    found: list[Action] = [End(), Reroll(), Draw(), OutOfOrder()]
    found += [Equation(tuple(sorted(chance.sample(numbers, size)))) for size in range(2, len(numbers) + 1)]
    found += [FalsePair(*pair) for pair in combinations(sorted(set(numbers)), 2)]
    found += [Rescue(queen, companion) for queen in queens for companion in state.companions[state.turn]]
    found += [Steal(other, companion) for other in others for companion in state.companions[other]]
    mine = (*own, *state.companions[state.turn])
    found += [Swap(card, other, kind) for card in mine for other in others for kind in state.realms[other]]
    found += map(Lull, range(state.players))
    found += map(Discard, sorted(set(state.drawn)))
    return [Insist(action) for action in found if is_possible(state, Insist(action))]


def is_possible(state: State, action: Action) -> bool:
    """Whether an action can be done, legal or not."""
    try:
        RULES.apply(state, action)
    except IllegalError:
        return False
    return True


def names(cards: tuple[int, ...]) -> str:
    """Cards in words, separated by commas."""
    return ",".join(KIND_TEXT[card] for card in cards)


def walk(variant: str, players: int, seed: int) -> Iterator[tuple[State, Action, State]]:
    """A game at random: state, action, state after. What brings it on is preferred, else it hardly occurs."""
    chance = Random(seed)
    state = RULES.setup(variant, players, chance)
    while options := RULES.legal_actions(state):
        lively = [action for action in options if isinstance(action, _LIVELY)] or [
            action for action in options if isinstance(action, End)
        ]
        choice = chance.choice(lively if lively and chance.random() < 0.7 else options)
        action = reordered(state, choice, chance)
        after = RULES.apply(state, action)
        yield state, action, after
        state = after


def walk_against_rules(variant: str, players: int, seed: int) -> Iterator[tuple[State, Action, State]]:
    """A game at random at a table that insists on what the rules forbid, and takes half of it back."""
    chance = Random(seed)
    state = RULES.setup(variant, players, chance)
    while options := RULES.legal_actions(state):
        kinds: dict[type, list[Insist]] = {}
        for one in forbidden(state, chance):
            kinds.setdefault(type(one.action), []).append(one)
        action: Action
        if state.undo is not None and chance.random() < 0.5:
            action = TakeBack()
        elif kinds and chance.random() < 0.3:
            action = chance.choice(kinds[chance.choice(list(kinds))])
        else:
            lively = [one for one in options if isinstance(one, _LIVELY)]
            action = reordered(state, chance.choice(lively or options), chance)
        after = RULES.apply(state, action)
        yield state, action, after
        state = after
