"""Hands and piles that fit the cards after unwatched turns."""

from collections import Counter

from companion.core.language import text
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN, WITCH
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, ROW_SIZE, Cards, totals
from companion.games.sleepless_princess.rules.state import Phase, State

SPENT = 3
"""Deck cards that a turn is believed to use if nobody watched it. Measured mean: 3.4, rounded down.

A deck believed too small would stop the game, one believed too large shows at the end.
"""

MISCOUNTED = 2 * SPENT
"""Largest believed size of a deck that may be empty in truth, after turns that nobody watched.

A guess: two turns.
"""


def start_of_turn(state: State, player: int, *, missed: bool = True) -> State:
    """The state at the start of a turn of `player` (from 0): hands full, nothing played, new cards unknown.

    `missed`: turns may have passed unseen, so it is the player's next turn. Else it is the nearest one,
    perhaps an earlier one.
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
        # A player who says that a turn begins knows that the last turn is not over.
        return state._replace(last=min(max(1, state.last - ahead), state.game.players - 1))
    state = state._replace(last=-1)
    deck = len(state.deck) - SPENT * (ahead - begun if ahead > 0 else ahead)
    if len(state.row) >= ROW_SIZE:
        # The row was filled, so the deck is perhaps not empty.
        deck = max(deck, min(len(state.deck), SPENT))
    # A turn starts with an empty row only if the deck is empty.
    return recounted(state, state.row, deck=deck if state.row or len(state.deck) > MISCOUNTED else 0)


def recounted(state: State, row: Cards, *, deck: int | None = None, top: int | None = None) -> State:
    """The state with the open row `row` (kinds), full hands of unknown cards, and piles of fitting size.

    `deck`: believed size of the deck; None: its old size minus the new open cards. `top`: kind seen on the
    discard pile; None: unseen.
    ValueError if more cards lie open than exist.
    """
    if deck is None:
        deck = len(state.deck) - (Counter(row) - Counter(state.row)).total()
    counts = totals(state.game.variant.name, state.game.players)
    if row:
        # While cards can be drawn, the end is not triggered and nobody skips.
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
    # Witches for which the deck has no room lie on the discard pile.
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
    """Known cards of the discard pile that can lie there, in order, the newest last.

    Left out are unknown cards, and kinds of which all copies are among `open_cards`. `counts`: copies of each
    kind.
    """
    known: list[int] = []
    for kind in reversed(pile):
        if kind != UNKNOWN and known.count(kind) + open_cards[kind] < counts[kind]:
            known.append(kind)
    return known[::-1]


def goes_on(state: State) -> State:
    """Go on to the next turn if a state's phase has nothing left to do; the state then.

    That is so if the row to be filled is full, the hand to be filled is full, or no card is left. Before, the
    deck is set empty if the row stayed short for a whole turn.
    """
    following = (state.turn + 1) % state.game.players
    state = _without_spent_deck(state)
    match state.phase:
        case Phase.LAY if len(state.row) >= ROW_SIZE or not state.deck:
            return start_of_turn(state, following)
        case Phase.DRAW if len(state.hands[state.turn]) >= HAND_SIZE or not (state.row or state.deck):
            return start_of_turn(state, following)
    return state


def _without_spent_deck(state: State) -> State:
    """The state with an empty deck, if the row was short before this turn and still is.

    A turn draws as many cards as it played, so a row that lacks more was not filled for a whole turn.
    """
    short = len(state.row) + state.fresh < ROW_SIZE
    if state.phase is Phase.LAY and not state.played and short and 0 < len(state.deck) <= MISCOUNTED:
        return recounted(state, state.row, deck=0)
    return state
