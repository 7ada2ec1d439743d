"""A table taken over as it lies: the nearest state that agrees with it."""

from collections import Counter

from companion.core.language import player as named
from companion.core.language import text
from companion.games.appearance import Survey, TakenOver
from companion.games.queens.table import agrees
from companion.games.sleeping_queens import terms
from companion.games.sleeping_queens.rules.equations import Cards
from companion.games.sleeping_queens.rules.game_end import is_won
from companion.games.sleeping_queens.rules.kinds import (
    CELLS,
    COPIES,
    EMPTY,
    ENEMY,
    HAND,
    HAND_CARDS,
    KIND_OF_TEXT,
    QUEEN_NAMES,
    UNKNOWN,
    UNKNOWN_QUEEN,
)
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.games.sleeping_queens.rules.table_changes import swept
from companion.games.sleeping_queens.sensing.appearance import cell_zone, expected_view
from companion.games.win_claims import player_zone


def take_over(state: State, found: Survey) -> TakenOver[State]:
    """State that fits a table with fewest changes to `state`.

    `found`: cards on the table. ValueError says what is impossible. If nothing differs, everything known is
    kept. If the played cards left the middle, the turn is over. If queens moved while cards lie in the middle,
    these cards have had their effect.
    """
    if agrees(expected_view(state), found):
        return TakenOver(state)
    awake = _awake(state, found)
    cells, seen = _grid(state, found, awake)
    queens_moved = awake != state.awake or [queen == EMPTY for queen in cells] != [
        queen == EMPTY for queen in state.cells
    ]
    after = _cards(state._replace(awake=awake, cells=cells, seen=seen), found, queens_moved=queens_moved)
    if is_won(after):
        after = after._replace(phase=Phase.OVER, target=-1)
    return TakenOver(after)


def at_turn(state: State, player: int, *, missed: bool) -> State:
    """The state at the start of a turn of `player` (from 0).

    ValueError if the game is over.

    `missed`: turns may have passed unseen, so all hands become unknown.
    """
    if state.phase is Phase.OVER:
        raise ValueError(text("the game is over"))
    if state.phase is Phase.PLAY and state.turn == player and not missed:
        return state
    hands = ((UNKNOWN,) * HAND,) * state.players if missed else tuple(map(_full, state.hands))
    begun = swept(state)._replace(
        phase=Phase.PLAY, turn=player, acting=player, turns=state.turns + 1, hands=hands, target=-1
    )
    return _counted(begun)


def ended(state: State, found: Survey) -> TakenOver[State]:
    """The finished game, with the cards of the table `found`.

    ValueError if nobody has won yet.
    """
    taken = take_over(state, found).state
    if taken.phase is not Phase.OVER:
        raise ValueError(text("nobody has enough queens or points yet, and queens still sleep"))
    return TakenOver(taken)


def _cards(state: State, found: Survey, *, queens_moved: bool) -> State:
    """The state with played cards and piles as in `found`.

    `queens_moved`: awake queens differ from the state.
    """
    pile = found.zones.get("discard", ())
    top = KIND_OF_TEXT.get(pile[0]) if len(pile) == 1 else None
    lying = _lying(state, found)
    if len(lying) < len(state.played) or Counter(filter(None, state.played)) - Counter(lying):
        state = _turn_over(state, top)
    elif lying and (queens_moved or (state.played and lying != state.played)):
        state = state._replace(phase=Phase.REFILL, acting=state.turn, played=lying, target=-1)
    elif state.phase is Phase.OVER:
        state = state._replace(phase=Phase.PLAY, acting=state.turn)
    return _counted(_with_top(state, top))


def _lying(state: State, found: Survey) -> Cards:
    """Kinds of cards in the middle of `found`, ascending.

    `found`: the table. An unreadable card counts as one of the missing played cards.
    """
    kinds = found.zones.get("play")
    if kinds is None:
        return state.played
    known = [KIND_OF_TEXT[kind] for kind in kinds if kind in KIND_OF_TEXT]
    unread = found.face_down.get("play", 0)
    missing = sorted((Counter(state.played) - Counter(known)).elements(), reverse=True)[:unread]
    return tuple(sorted((*known, *missing, *(UNKNOWN,) * (unread - len(missing)))))


def _turn_over(state: State, top: int | None) -> State:
    """The state after the played cards left the middle.

    They were swept, which ends the turn, or taken back into the hand. `top`: kind seen on the discard pile;
    None: none was seen. A top card that was not played means that they were taken back.
    """
    hands = tuple(map(_full, state.hands))
    state = state._replace(phase=Phase.PLAY, acting=state.turn, hands=hands, target=-1)
    if top is not None and top not in (UNKNOWN, *state.played) and UNKNOWN not in state.played:
        return state._replace(played=())
    turn = (state.turn + 1) % state.players
    return swept(state)._replace(turn=turn, acting=turn, turns=state.turns + 1)


def _with_top(state: State, top: int | None) -> State:
    """State with a `top` card on the discard pile.

    `top`: its kind. None: no card was seen there, so nothing changes.
    """
    tops = state.discard[len(state.discard) - state.fresh :]
    if not top or top in tops or UNKNOWN in tops:
        return state
    return state._replace(discard=(*state.discard, top), fresh=1)


def _full(hand: Cards) -> Cards:
    return tuple(sorted((*hand, *(UNKNOWN,) * (HAND - len(hand)))))


def _counted(state: State) -> State:
    """Change the piles until every card exists as often as in the box.

    Impossible and surplus cards leave the discard pile, oldest first. The draw pile gets the rest.
    """
    lying = [card for cards in (*state.hands, state.played) for card in cards]
    room = Counter(dict(enumerate(COPIES))) - Counter(lying)
    pile: list[int] = []
    for card in reversed(state.discard):
        if card == UNKNOWN or room[card] > 0:
            room[card] -= 1
            pile.insert(0, card)
    pile = pile[max(0, len(pile) - HAND_CARDS + len(lying)) :]
    deck = HAND_CARDS - len(lying) - len(pile)
    return state._replace(
        discard=tuple(pile),
        fresh=min(state.fresh, len(pile)),
        deck=state.deck if len(state.deck) == deck else (UNKNOWN,) * deck,
    )


def _awake(state: State, found: Survey) -> tuple[tuple[int, ...], ...]:
    awake = []
    for player, believed in enumerate(state.awake):
        seen = found.zones.get(player_zone(player))
        if seen is None:
            awake.append(believed)
            continue
        strange = sorted(name for name in seen if name not in QUEEN_NAMES)
        if strange:
            raise ValueError(
                text("in front of {who} lies what is no queen", who=named(player + 1, within=True))
            )
        awake.append(tuple(sorted(QUEEN_NAMES.index(name) for name in seen)))
    lying = [queen for queens in awake for queen in queens]
    twice = {queen for queen in lying if lying.count(queen) > 1}
    if twice:
        raise ValueError(text("the {queen} queen lies in front of two players", queen=terms.queen(min(twice))))
    for player, queens in enumerate(awake):
        if any(ENEMY.get(queen) in queens for queen in queens):
            raise ValueError(
                text("{who} has Cat and Dog, who are never together", who=named(player + 1, within=True))
            )
    return tuple(awake)


def _grid(
    state: State, found: Survey, awake: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """(queens, seen) for each of the twelve grid places, as on the table `found`.

    `seen`: True for a queen whom everybody has seen. A place that became occupied gets UNKNOWN_QUEEN, one that
    became free EMPTY. `awake`: queens of each player. ValueError for a wrong number of queens.
    """
    lying = {queen for queens in awake for queen in queens}
    cells = [
        _sleeper(queen, found.face_down.get(cell_zone(cell)), awake=queen in lying)
        for cell, queen in enumerate(state.cells)
    ]
    asleep = sum(queen != EMPTY for queen in cells)
    if asleep + len(lying) != CELLS:
        raise ValueError(
            text(
                "Of the queens I count {asleep} asleep and {awake} awake, that is not {all}",
                asleep=asleep,
                awake=len(lying),
                all=CELLS,
            )
        )
    seen = tuple(
        was and queen != EMPTY and queen == before
        for was, queen, before in zip(state.seen, cells, state.cells, strict=True)
    )
    return tuple(
        queen if known or queen == EMPTY else UNKNOWN_QUEEN for queen, known in zip(cells, seen, strict=True)
    ), seen


def _sleeper(queen: int, cards: int | None, *, awake: bool) -> int:
    """Queen at a grid place by the number of `cards` there; None if the camera does not see the place.

    `queen`: the believed one. `awake`: True if she lies in front of a player.
    """
    if cards == 0:
        return EMPTY
    if awake or (queen == EMPTY and cards is not None):
        return UNKNOWN_QUEEN
    return queen
