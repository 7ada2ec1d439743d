"""Full and hidden states: hide cards, name outcomes of chance."""

from companion.games.sleepless_princess.rules.actions import Action, Claim, Deck, Final, Open
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN, UNKNOWN_FACE, WITCH
from companion.games.sleepless_princess.rules.claim_rules import settled
from companion.games.sleepless_princess.rules.state import AWAKE, State


def hide(state: State) -> State:
    """State without what nobody sees.

    Hands, deck and mattresses become unknown.
    """
    return state._replace(
        hands=tuple((UNKNOWN,) * len(hand) for hand in state.hands),
        deck=(UNKNOWN,) * len(state.deck),
        faces=(UNKNOWN_FACE,) * len(state.faces),
    )


def spell_out(state: State, action: Action) -> Action:
    """Add to an action the hidden outcome that `state`, with every card known, has: then a state with hidden
    cards can repeat it.

    This concerns opened cards, drawn witches, claims and the final check. Other actions are returned
    unchanged.
    """
    kind = type(action)
    top = state.deck[-1] if state.deck else UNKNOWN
    if kind is Open and top != UNKNOWN:
        return Open(top)
    if kind is Deck and top != UNKNOWN:
        return Deck(WITCH) if top == WITCH else Deck()
    if isinstance(action, Claim):
        return Claim(action.bed, settled(state, action.bed))
    if isinstance(action, Final):
        return Final(
            tuple(settled(state, bed) if fate == AWAKE else None for bed, fate in enumerate(state.fates))
        )
    return action
