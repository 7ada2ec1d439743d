"""A table taken over as it lies: the nearest state that agrees with it."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from companion.core.language import player as named
from companion.core.language import text
from companion.games.appearance import Survey, TakenOver
from companion.games.queens.table import agrees, with_value
from companion.games.sleeping_queens_2.queens_2_cards import KNIGHT_OF_KIND
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    CELLS,
    COMPANIONS,
    COPIES,
    DECK_CARDS,
    EMPTY,
    INSTANTS,
    KIND_OF_TEXT,
    KIND_TEXT,
    KINGS,
    MAIN_DECK,
    NUMBERS,
    QUEENS,
    UNKNOWN,
    Knight,
    knights_for,
)
from companion.games.sleeping_queens_2.rules.state import Cards, Phase, State
from companion.games.sleeping_queens_2.sensing.appearance import (
    KING_KIND,
    cell_zone,
    expected_view,
)
from companion.games.win_claims import player_zone

_REALM = {*NUMBERS, *QUEENS, BOOK}
_BEFORE = (Phase.SETUP, Phase.ROLL)
"""Phases in which the turn has not begun yet."""


def take_over(state: State, found: Survey) -> TakenOver[State]:
    """State that fits table `found` with fewest changes to `state`.

    ValueError says what is impossible.

    If nothing differs, everything known is kept, an instant card in progress included. Sleeping queens stay
    with their players. The discard pile keeps the cards that lie nowhere else. The turn goes on where it
    was, unless whole turns may have passed unseen.
    """
    if state.phase is not Phase.SETUP and agrees(expected_view(state), found):
        return TakenOver(state)
    top, in_grid = _top(found), _seen_in_grid(state, found)
    seen = _realms(state, found, [*top, *in_grid])
    realms, asleep, companions = _sorted_out(state, seen, top)
    cells, face_up = _grid(state, found, [card for cards in companions for card in cards], in_grid)
    kings = tuple(_kings(state, found, player) for player in range(state.players))
    drawn = tuple(card for card in seen[state.turn] if card in INSTANTS)
    lying = Counter(card for cards in (*realms, *asleep, drawn) for card in cards)
    discard = _discard(state, top, lying)
    own = (state.realms[state.turn], state.drawn)
    more = max(0, len(realms[state.turn]) + len(drawn) - sum(map(len, own)) - bool(state.played))
    after = state._replace(
        phase=Phase.INSTANT if drawn else Phase.ROLL if state.phase in _BEFORE else Phase.PLAY,
        draws=0,
        realms=realms,
        asleep=asleep,
        companions=companions,
        kings=kings,
        knights=_knights(state, found),
        deck=(UNKNOWN,) * (DECK_CARDS - lying.total() - len(discard)),
        discard=discard,
        fresh=min(1, len(discard)),
        drawn=drawn,
        played=0,
        carried=0,
        cells=cells,
        face_up=face_up,
        undo=None,
    )
    won = winner(after)
    if won is None:
        return TakenOver(after if found.trusted is not None else _as_far(state, after, more))
    # Instant cards that lie there at the end are discarded.
    return TakenOver(after._replace(phase=Phase.OVER, turn=won, drawn=(), discard=discard + drawn))


def _sorted_out(
    state: State, seen: Sequence[Sequence[int]], top: Sequence[int]
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """(realms, sleeping queens, companions) of each player, by the cards seen in each realm.

    `top`: of the discard pile.
    """
    # A queen who lies open anywhere, even on the discard pile, does not sleep.
    up = {*top, *chain.from_iterable(seen)}
    realms = tuple(tuple(card for card in realm if card in _REALM) for realm in seen)
    asleep = tuple(tuple(queen for queen in queens if queen not in up) for queens in state.asleep)
    companions = tuple(tuple(card for card in realm if card in COMPANIONS) for realm in seen)
    return realms, asleep, companions


def _as_far(state: State, after: State, more: int) -> State:
    """`after`, the state found, with the turn as far as it was in `state`.

    `more`: number of cards in the realm on turn beyond those believed. An instant card that still lies
    there is in progress; one that had its effect goes to the discard pile.
    """
    turn = state.turn
    if state.played and state.played in after.drawn:
        return _in_progress(state, after)
    if state.phase is Phase.DRAW and more < state.draws and (after.deck or after.discard):
        return after._replace(phase=Phase.DRAW, draws=state.draws - more)
    if after.drawn:
        return after
    match state.phase:
        case Phase.WAKE:
            return after._replace(phase=Phase.WAKE if after.asleep[turn] else Phase.ROLL)
        case Phase.REROLL if not more and not state.played:
            return after._replace(phase=Phase.REROLL)
        case Phase.FETCH if not state.played and after.companions[turn] == state.companions[turn]:
            return after._replace(phase=Phase.FETCH)
        case Phase.DISCARD:
            return after._replace(phase=Phase.DISCARD)
    return after


def _had_effect(before: State, after: State) -> bool:
    """True if the instant card in progress in `before` has had its effect in `after`."""
    turn = before.turn
    own = tuple(sorted(before.realms[turn] + tuple(card for card in before.drawn if card in _REALM)))
    return (
        after.knights != before.knights
        or after.companions[turn] != before.companions[turn]
        or after.realms[turn] != own
    )


def at_turn(state: State, player: int, *, missed: bool) -> State:
    """The state at the start of a turn of `player` (from 0). `missed` makes no difference.

    ValueError if the game is over or a knight is unknown.

    Drawn cards go to the realm, played instant cards to the discard pile.
    """
    if state.phase is Phase.OVER:
        raise ValueError(text("the game is over"))
    if Knight.UNKNOWN in state.knights:
        raise ValueError(text("nobody has told which knight each player has"))
    placed = tuple(card for card in state.drawn if card in _REALM)
    laid = tuple(card for card in (*state.drawn, state.played) if card in INSTANTS)
    realm = tuple(sorted(state.realms[state.turn] + placed))
    after = state._replace(
        phase=Phase.ROLL,
        turn=player,
        turns=state.turns + 1,
        draws=0,
        realms=with_value(state.realms, state.turn, realm),
        drawn=(),
        played=0,
        discard=state.discard + laid,
        fresh=len(laid) or state.fresh,
        undo=None,
    )
    if state.carried and EMPTY in state.cells:
        cell = state.cells.index(EMPTY)
        after = after._replace(
            cells=with_value(state.cells, cell, state.carried),
            face_up=with_value(state.face_up, cell, True),
            carried=0,
        )
    return after


def ended(state: State, found: Survey) -> TakenOver[State]:
    """The finished game, with the cards of the table `found`.

    ValueError if nobody has won yet.

    Kings alone decide: if other cards cannot lie so, they stay as they were.
    """
    try:
        taken = take_over(state, found).state
    except ValueError:
        kings = tuple(_kings(state, found, player) for player in range(state.players))
        taken = state._replace(kings=kings)
        won = winner(taken)
        if won is None:
            raise
        taken = taken._replace(phase=Phase.OVER, turn=won, undo=None)
    if taken.phase is not Phase.OVER:
        raise ValueError(text("nobody has rescued enough kings yet"))
    return TakenOver(taken)


def _realms(state: State, found: Survey, elsewhere: list[int]) -> list[Cards]:
    """Open cards of each realm in `found`, ascending.

    ValueError for a card seen too often.

    A realm out of the camera's sight keeps its cards, except those seen elsewhere. `elsewhere`: cards seen
    outside realms.
    """
    watched = [_realm(state, found, player) for player in range(state.players)]
    lying = Counter(elsewhere)
    for realm in watched:
        lying.update(realm or ())
    many = [card for card, number in lying.items() if number > COPIES[card]]
    if many:
        raise ValueError(text("card {card} lies there more often than it exists", card=KIND_TEXT[min(many)]))
    realms: list[Cards] = []
    for player, realm in enumerate(watched):
        kept: list[int] = []
        for card in sorted(state.realms[player] + state.companions[player]) if realm is None else ():
            if lying[card] < COPIES[card]:
                lying[card] += 1
                kept.append(card)
        realms.append(tuple(kept) if realm is None else realm)
    return realms


def _realm(state: State, found: Survey, player: int) -> Cards | None:
    """Open cards seen in a player's realm, ascending; None if the camera does not watch it.

    ValueError for an instant card in the realm of a player not on turn.
    """
    kinds = found.zones.get(player_zone(player))
    if kinds is None:
        return None
    cards = tuple(sorted(KIND_OF_TEXT[kind] for kind in kinds if kind in KIND_OF_TEXT))
    strange = [card for card in cards if card in INSTANTS and player != state.turn]
    if strange:
        raise ValueError(
            text(
                "in front of {who} lies an instant card, and it is not their turn",
                who=named(player + 1, within=True),
            )
        )
    return cards


def _top(found: Survey) -> Cards:
    """The kind of the card seen on top of the discard pile, alone in a tuple; () if none is seen."""
    kinds = (KIND_OF_TEXT[kind] for kind in found.zones.get("discard", ()) if kind in KIND_OF_TEXT)
    return tuple(kind for kind in kinds if kind in MAIN_DECK)[-1:]


def _seen_in_grid(state: State, found: Survey) -> Cards:
    """Companions seen face up in the grid, in the order of the grid's places."""
    return tuple(card for cell in range(len(state.cells)) if (card := _at(found, cell)) is not None)


def _at(found: Survey, cell: int) -> int | None:
    """The companion seen face up on a grid place (from 0); None if none is seen."""
    kinds = (KIND_OF_TEXT[kind] for kind in found.zones.get(cell_zone(cell), ()) if kind in KIND_OF_TEXT)
    return next((kind for kind in kinds if kind in COMPANIONS), None)


def _kings(state: State, found: Survey, player: int) -> int:
    kinds = found.zones.get(player_zone(player))
    return state.kings[player] if kinds is None else min(KINGS, kinds.count(KING_KIND))


def _knights(state: State, found: Survey) -> Cards:
    """Each player's knight, as its sticker shows.

    ValueError if one stays unknown.

    A player whose sticker is not read keeps the old knight, or gets the only one left.
    """
    knights: list[int] = list(state.knights)
    for player in range(state.players):
        told = [kind for kind in found.zones.get(player_zone(player), ()) if kind in KNIGHT_OF_KIND]
        if told:
            knight = KNIGHT_OF_KIND[told[0]]
            if knight in knights and knights.index(knight) != player:
                knights[knights.index(knight)] = knights[player]
            knights[player] = knight
    for player, whose in enumerate(knights):
        if whose == Knight.UNKNOWN:
            raise ValueError(
                text(
                    "I see no knight in front of {who}: lay it there, sticker or picture up",
                    who=named(player + 1, within=True),
                )
            )
    if not set(knights) <= set(knights_for(state.players)):
        raise ValueError(
            text("a knight lies there that does not take part with {players} players", players=state.players)
        )
    return tuple(knights)


def _grid(state: State, found: Survey, taken: list[int], in_grid: Cards) -> tuple[Cards, tuple[bool, ...]]:
    """(companion, whether it lies face up) for each grid place in `found`, as two tuples.

    Face-down companions are unknown.

    `taken`: companions of players. `in_grid`: companions seen face up. ValueError for a wrong number of
    companions.
    """
    cells: list[int] = []
    face_up: list[bool] = []
    for cell, (card, up) in enumerate(zip(state.cells, state.face_up, strict=True)):
        seen, down = _at(found, cell), found.face_down.get(cell_zone(cell))
        if seen is not None:
            cells.append(seen)
        elif down:
            cells.append(UNKNOWN)
        elif down is None and cell_zone(cell) not in found.zones:
            cells.append(UNKNOWN if card in taken or card in in_grid else card)
        else:
            cells.append(EMPTY)
        face_up.append(cells[-1] in COMPANIONS and (seen is not None or up))
    number = CELLS - cells.count(EMPTY)
    if number + len(taken) != len(COMPANIONS):
        raise ValueError(
            text(
                "I count {number} companions in the grid and {taken} with players, that is not {all}: "
                "lay each into the grid or before its player",
                number=number,
                taken=len(taken),
                all=len(COMPANIONS),
            )
        )
    return tuple(cells), tuple(face_up)


def _discard(state: State, top: Cards, lying: Counter[int]) -> Cards:
    """The discard pile without the cards that lie elsewhere now, with the seen card `top` last.

    `lying`: cards that lie elsewhere, counted by kind.
    """
    room = Counter({card: COPIES[card] for card in MAIN_DECK}) - lying
    room -= Counter(top)
    rest = []
    for card in state.discard[:-1] if top and state.discard[-1:] == top else state.discard:
        if room[card]:
            room[card] -= 1
            rest.append(card)
    most = DECK_CARDS - lying.total() - len(top)
    return (*rest[max(0, len(rest) - most) :], *top)


def _in_progress(state: State, after: State) -> State:
    """`after`, in which the instant card still lies that was being played in `state`."""
    waiting = Counter(after.drawn)
    waiting[state.played] -= 1
    rest = tuple(sorted(waiting.elements()))
    if not _had_effect(state, after):
        return after._replace(phase=state.phase, drawn=rest, played=state.played)
    discard = (*after.discard, state.played)
    phase = Phase.INSTANT if rest else Phase.PLAY
    return after._replace(phase=phase, drawn=rest, discard=discard, fresh=min(2, len(discard)))
