"""Hands, deck and discard pile that fit the open cards, where nobody saw how these came about."""

from collections import Counter

from companion.core.language import text
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN, WITCH
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, ROW_SIZE, Cards, totals
from companion.games.sleepless_princess.rules.state import Phase, State

SPENT = 3
"""Cards that a turn which nobody followed took from the deck. Players spend 3.4 on average: a deck believed too
small would stop a game that goes on, one that is believed too large is found out at the end."""

MISCOUNTED = 2 * SPENT
"""A deck believed to hold at most so many cards may be empty in truth, after turns that nobody followed."""


def start_of_turn(state: State, player: int, *, missed: bool = True) -> State:
    """The state at the beginning of a turn of `player` (from 0): hands full, nothing played. It is the next one
    if turns may have been `missed`, else the nearest, which may be one that is believed to be over.

    Which cards were played and drawn since is not known.
    """
    state = _without_spent_deck(state)
    ahead = (player - state.turn) % state.game.players
    begun = state.phase is not Phase.PLAY
    if begun and not ahead:
        ahead = state.game.players if missed else 0
    back = ahead - state.game.players
    if not missed and -back < ahead and -back < state.turns:
        ahead = back
    if not ahead and not begun:
        return state
    state = state._replace(
        phase=Phase.PLAY,
        turn=player,
        turns=state.turns + ahead,
        discard=state.discard + state.played,
        fresh=len(state.played) or state.fresh,
        played=(),
        touches=0,
        looks=0,
        checked=(),
    )
    if state.last >= 0 and len(state.hands[player]) == HAND_SIZE:
        # Whoever says that a turn begins knows that the last one is not over.
        return state._replace(last=min(max(1, state.last - ahead), state.game.players - 1))
    state = state._replace(last=-1)
    deck = len(state.deck) - SPENT * (ahead - begun if ahead > 0 else ahead)
    if len(state.row) >= ROW_SIZE:
        # The row was filled: the deck need not be empty.
        deck = max(deck, min(len(state.deck), SPENT))
    # Nobody begins a turn before a bare row while there are cards to lay there.
    return recounted(state, state.row, deck=deck if state.row or len(state.deck) > MISCOUNTED else 0)


def recounted(state: State, row: Cards, *, deck: int | None = None, top: int | None = None) -> State:
    """The state with this open row, hands of unknown cards that are as full as they have to be, and the rest
    in the deck (about `deck` cards, or what it held less what the row has gained) and on the discard pile,
    with `top` on top if that was seen.
    """
    if deck is None:
        deck = len(state.deck) - (Counter(row) - Counter(state.row)).total()
    counts = totals(state.game.variant.name, state.game.players)
    if row:
        # While cards can be had the end is not there, and nobody skips.
        state = state._replace(last=-1, skips=0)
    drawing = state.phase in (Phase.CHECK, Phase.DRAW, Phase.LAY)
    sizes = [
        len(hand) if state.last >= 0 or (drawing and player == state.turn) else HAND_SIZE
        for player, hand in enumerate(state.hands)
    ]
    deck -= sum(sizes) - sum(map(len, state.hands))
    rest = sum(counts) - sum(sizes) - len(row) - len(state.played)
    if rest < 0:
        raise ValueError(text("more cards lie open than the game has"))
    known = _as_many_as_there_are(state.discard, counts, Counter(row + state.played))
    fresh = max(1, state.fresh)
    if top is not None and top not in known[-fresh:]:
        if top in known and known.count(top) + (row + state.played).count(top) >= counts[top]:
            known.remove(top)
        known.append(top)
        fresh = 1
    known = known[max(0, len(known) - rest) :]
    deck = min(max(0, deck), rest - len(known))
    witches = counts[WITCH] - known.count(WITCH)
    unseen = rest - len(known) - deck
    # A witch that is not in the deck any more lies on the discard pile.
    gone = min(max(0, witches - deck), unseen)
    short = max(0, witches - deck - gone)
    deck, unseen, known = deck + short, unseen - gone, known[short:]
    pile = (*(UNKNOWN,) * unseen, *(WITCH,) * gone, *known)
    return state._replace(
        row=row,
        hands=tuple((UNKNOWN,) * size for size in sizes),
        deck=(UNKNOWN,) * deck,
        discard=pile,
        fresh=min(fresh, len(pile)),
    )


def _as_many_as_there_are(pile: Cards, counts: Cards, open_cards: Counter[int]) -> list[int]:
    """The known cards of the pile, less those that lie open elsewhere and cannot be here too."""
    known: list[int] = []
    for kind in reversed(pile):
        if kind != UNKNOWN and known.count(kind) + open_cards[kind] < counts[kind]:
            known.append(kind)
    return known[::-1]


def goes_on(state: State) -> State:
    """The state in a phase that its open row and hands allow: what is done leads to the next turn."""
    following = (state.turn + 1) % state.game.players
    state = _without_spent_deck(state)
    match state.phase:
        case Phase.LAY if len(state.row) >= ROW_SIZE or not state.deck:
            return start_of_turn(state, following)
        case Phase.DRAW if len(state.hands[state.turn]) >= HAND_SIZE or not (state.row or state.deck):
            return start_of_turn(state, following)
    return state


def _without_spent_deck(state: State) -> State:
    """The state with an empty deck, if the row was short before this turn already and is not refilled now.

    The cards drawn in a turn are as many as were played. A row that lacks more than these has not been refilled
    for a whole turn.
    """
    short = len(state.row) + state.fresh < ROW_SIZE
    if state.phase is Phase.LAY and not state.played and short and 0 < len(state.deck) <= MISCOUNTED:
        return recounted(state, state.row, deck=0)
    return state
