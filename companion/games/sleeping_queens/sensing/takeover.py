"""A table that people say is right: the nearest state that agrees with what lies there."""

from companion.core.language import player as named
from companion.core.language import text
from companion.games.api import Survey, TakenOver
from companion.games.sleeping_queens import terms
from companion.games.sleeping_queens.rules.game_end import is_won
from companion.games.sleeping_queens.rules.kinds import (
    CELLS,
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
from companion.games.sleeping_queens.sensing.appearance import cell_zone, player_zone

HANDS_FORGOTTEN = text("I do not know how many cards lie in the draw pile.")


def take_over(state: State, found: Survey) -> TakenOver[State]:
    """Queens as they lie, the turn as it was; of hands and piles nothing is known.

    ValueError says what cannot be.
    """
    awake = _awake(state, found)
    cells, seen = _grid(state, found, awake)
    top = [KIND_OF_TEXT[kind] for kind in found.zones.get("discard", ()) if kind in KIND_OF_TEXT][-1:]
    hands = ((UNKNOWN,) * HAND,) * state.players
    after = state._replace(
        phase=Phase.PLAY,
        acting=state.turn,
        awake=awake,
        cells=cells,
        seen=seen,
        hands=hands,
        played=(),
        discard=tuple(top),
        fresh=len(top),
        deck=(UNKNOWN,) * (HAND_CARDS - HAND * state.players - len(top)),
        target=-1,
    )
    return TakenOver(after._replace(phase=Phase.OVER) if is_won(after) else after)


def at_turn(state: State, player: int, *, missed: bool) -> State:
    """The beginning of a turn of `player` (from 0)."""
    if state.phase is Phase.OVER:
        raise ValueError(text("the game is over"))
    hands = ((UNKNOWN,) * HAND,) * state.players
    discard = state.discard + state.played
    known = HAND * state.players + len(discard)
    if known > HAND_CARDS:
        discard = discard[known - HAND_CARDS :]
    return state._replace(
        phase=Phase.PLAY,
        turn=player,
        acting=player,
        turns=state.turns + 1,
        hands=hands,
        played=(),
        discard=discard,
        fresh=min(max(1, len(state.played)), len(discard)) if discard else 0,
        deck=(UNKNOWN,) * (HAND_CARDS - HAND * state.players - len(discard)),
        target=-1,
    )


def ended(state: State, found: Survey) -> TakenOver[State]:
    """The end of the game as the table lies."""
    taken = take_over(state, found).state
    if taken.phase is not Phase.OVER:
        raise ValueError(text("nobody has enough queens or points yet, and queens still sleep"))
    return TakenOver(taken)


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
    """Who sleeps where: a place that shows a card has one, and of those that changed nobody knows whose."""
    lying = {queen for queens in awake for queen in queens}
    cells = []
    for cell, queen in enumerate(state.cells):
        there = found.face_down.get(cell_zone(cell))
        if there == 0:
            cells.append(EMPTY)
        elif there is None:
            cells.append(UNKNOWN_QUEEN if queen in lying else queen)
        else:
            cells.append(UNKNOWN_QUEEN if queen == EMPTY or queen in lying else queen)
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
