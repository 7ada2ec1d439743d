"""The flow of a turn: drawing, laying out, the next player, the end of the game."""

from companion.games.rules import IllegalError
from companion.games.sleepless_princess.rules.actions import Deck, Open, Take
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT, UNKNOWN, WITCH
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, ROW_SIZE, Cards, add, remove, unseen
from companion.games.sleepless_princess.rules.state import AWAKE, OUT, Phase, State

HOW = "How to play"
WITCH_SECTION = "Watch out for the witch!"
SETUP_SECTION = "Setup"

_PLAY, _CHECK, _DRAW, _LAY = Phase.PLAY, Phase.CHECK, Phase.DRAW, Phase.LAY
_SETUP, _FINAL, _OVER = Phase.SETUP, Phase.FINAL, Phase.OVER
# State is built without NamedTuple's wrapper, for speed: most steps draw or lay out cards.
_new = tuple.__new__


def text_of(kind: int) -> str:
    """A card's kind in notation.

    A number that is no kind stays a number.
    """
    return KIND_TEXT[kind] if 0 <= kind < len(KIND_TEXT) else str(kind)


def settle(state: State) -> State:
    """Go on after a card was drawn or opened: draw, fill the row, or end the turn.

    Returns the state then. The row is filled only once the hand is full, or nothing is left to draw (a
    decision).
    """
    if len(state.hands[state.turn]) < HAND_SIZE and (state.row or state.deck):
        return state if state.phase is _DRAW else _in_phase(state, _DRAW)
    if len(state.row) < ROW_SIZE and state.deck:
        return state if state.phase is _LAY else _in_phase(state, _LAY)
    return end_turn(state)


def end_turn(state: State) -> State:
    """Begin the next player's turn, or the final check after the last one.

    A hand that stays short triggers the end: every other player has one more turn. A full hand triggers
    nothing, even if no card is left; then the final check comes when all players skip in a row (a decision). If
    every awake bed is empty, nothing can be turned up: its princess is out, and the game is OVER.
    """
    (game, _, turn, hands, row, deck, discard, fresh, played, beds, faces, princesses, fates) = state[:13]
    shown, last, skips, turns = state[16:]
    if played:
        # Played cards left lying go to the discard pile with the end of the turn.
        discard, fresh, played = discard + played, len(played), ()
    if last >= 0:
        last -= 1
    elif len(hands[turn]) < HAND_SIZE:
        last = game.players - 1
    if last == 0 or skips >= game.players:
        phase = _FINAL
        if all(fate != AWAKE or not bed for fate, bed in zip(fates, beds, strict=True)):
            phase, fates = _OVER, tuple(OUT if fate == AWAKE else fate for fate in fates)
    else:
        phase = _PLAY
        turn = (turn + 1) % game.players
        turns += 1
    return _new(
        State,
        (
            game, phase, turn, hands, row, deck, discard, fresh, played, beds, faces, princesses, fates,
            0, 0, (), shown, last, skips, turns,
        ),
    )  # fmt: skip


def apply_take(state: State, action: Take) -> State:
    """The state after an open card went to the hand.

    Phase DRAW.
    """
    if state[1] is not _DRAW:
        raise IllegalError("draw-wrong-time", HOW, "Cards are drawn after a play or a discard.")
    (game, phase, turn, hands, row, *rest) = state
    kind = action.card
    left = remove(row, kind)
    if left is None or kind == UNKNOWN:
        raise IllegalError("take-not-open", HOW, f"No {text_of(kind)} lies open.", [text_of(kind)])
    hand = add(hands[turn], kind)
    after: State = _new(State, (game, phase, turn, (*hands[:turn], hand, *hands[turn + 1 :]), left, *rest))
    if len(hand) < HAND_SIZE and (left or after[5]):
        return after
    return settle(after)


def apply_deck(state: State, action: Deck) -> State:
    """State after the deck's top card entered the hand.

    A witch sweeps the open row away. Phase DRAW.
    """
    (game, phase, turn, hands, row, deck, discard, fresh, *rest) = state
    if phase is not _DRAW:
        raise IllegalError("draw-wrong-time", HOW, "Cards are drawn after a play or a discard.")
    if not deck:
        raise IllegalError("deck-empty", HOW, "The draw deck is empty: take from the open cards.")
    kind = deck[-1]
    if action.card is not None:
        kind = _named_from_deck(state, action.card)
    elif kind == UNKNOWN and deck.count(UNKNOWN) <= unseen(state)[WITCH]:
        raise IllegalError("deck-only-witches", WITCH_SECTION, "Only witches are left in the deck.", ["W"])
    if kind == WITCH:
        return _witch(state)
    hand = add(hands[turn], kind)
    after: State = _new(
        State,
        (game, phase, turn, (*hands[:turn], hand, *hands[turn + 1 :]), row, deck[:-1], discard, fresh, *rest),
    )
    if len(hand) < HAND_SIZE and (row or len(deck) > 1):
        return after
    return settle(after)


def _named_from_deck(state: State, kind: int) -> int:
    top = state.deck[-1]
    if top != UNKNOWN:
        if kind != top:
            raise IllegalError("deck-other-card", HOW, f"The top card is not {text_of(kind)}.", [text_of(kind)])
    elif kind != WITCH:
        raise IllegalError(
            "deck-unseen", HOW, "A card drawn to the hand is not seen by the table.", [text_of(kind)]
        )
    elif unseen(state)[WITCH] < 1:
        raise IllegalError("card-not-left", WITCH_SECTION, "Every witch has been seen already.", ["W"])
    return kind


def row_lacks(state: State) -> int:
    """Number of cards missing from the open row.

    Cards taken this turn do not count as missing.
    """
    if state.phase not in (_SETUP, _PLAY, _CHECK, _DRAW):
        return 0
    drawn = 0
    if state.phase is _DRAW:
        drawn = len(state.hands[state.turn]) - HAND_SIZE + (len(state.played) or state.fresh)
    return ROW_SIZE - len(state.row) - max(0, drawn)


def apply_open(state: State, action: Open) -> State:
    """State after the deck's top card joined the open row.

    A witch sweeps the row away.

    Allowed in SETUP and LAY, and from PLAY to DRAW while the row is short.
    """
    (game, phase, turn, hands, row, deck, *rest) = state
    if phase is not _LAY and row_lacks(state) <= 0:
        raise IllegalError("open-wrong-time", HOW, "Cards are laid open only until the row has five.")
    if not deck:
        raise IllegalError("deck-empty", HOW, "The draw deck is empty.")
    kind = deck[-1]
    if kind == UNKNOWN or action.card is not None:
        kind = _named_open(state, action.card)
    if kind == WITCH:
        return _witch(state)
    row = add(row, kind)
    deck = deck[:-1]
    after: State = _new(State, (game, phase, turn, hands, row, deck, *rest))
    if phase is not _LAY or (deck and len(row) < ROW_SIZE):
        return after
    return settle(after)


def _named_open(state: State, kind: int | None) -> int:
    top = state.deck[-1]
    section = SETUP_SECTION if state.phase is _SETUP else HOW
    if kind is None:
        raise IllegalError(
            "open-unnamed", section, "The card laid open has to be named: the deck is not known."
        )
    name = [text_of(kind)]
    nobody_read = kind == UNKNOWN == top and state.phase is not _SETUP
    if not (nobody_read or 1 <= kind <= WITCH):
        raise IllegalError("no-such-card", section, f"There is no card {kind}.", name)
    if top not in (UNKNOWN, kind):
        raise IllegalError("open-other-card", section, f"The top card is not {name[0]}.", name)
    if kind == WITCH and state.phase is _SETUP:
        raise IllegalError("witch-in-setup", section, "Witches join the deck after the first row.", name)
    if top == UNKNOWN:
        left = unseen(state)
        if left[kind] < 1 and not nobody_read:
            raise IllegalError("card-not-left", section, f"Every {name[0]} has been seen already.", name)
        if kind != WITCH and state.deck.count(UNKNOWN) <= left[WITCH]:
            raise IllegalError("deck-only-witches", WITCH_SECTION, "Only witches are left in the deck.", name)
    return kind


def _witch(state: State) -> State:
    """Discard a drawn witch with the open row; new state.

    Five new open cards follow if the row had any. A witch that meets an empty row is
    discarded alone.
    """
    (game, phase, turn, hands, row, deck, discard, _, *rest) = state
    deck = deck[:-1]
    gone: Cards = (*row, WITCH)
    if row and deck and phase is _DRAW:
        phase = _LAY
    after: State = _new(State, (game, phase, turn, hands, (), deck, discard + gone, len(gone), *rest))
    if phase is not _DRAW and (deck or phase is not _LAY):
        return after
    return settle(after)


def _in_phase(state: State, phase: Phase) -> State:
    return _new(State, (state[0], phase, *state[2:]))
