"""What a person in a seat is shown: their own hand, what they just learned, and their choices in words."""

from collections.abc import Sequence

from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Done,
    Final,
    Look,
    Move,
    Open,
    Play,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import face_from_text
from companion.games.sleepless_princess.rules.player_view import told
from companion.games.sleepless_princess.rules.state import State
from companion.games.sleepless_princess.wording import card_name, card_view, mattress_name, princess_name
from companion.session.events import CardView
from companion.session.virtual_table_events import YourTurn

_SAFE = (Touch, Look, Take, Deck)
"""Actions that a key pressed once too often may do: they end neither a turn nor a princess's game."""


def choice_of(
    state: State, player: int, options: Sequence[Action], learned: tuple[str, ...], *, on_turn: bool
) -> YourTurn:
    """The player's own view; `options` in the order of their numbers."""
    hand = tuple(CardView(**card_view(kind)) for kind in state.hands[player])
    safe = next((index for index, action in enumerate(options) if isinstance(action, _SAFE)), None)
    words = tuple(in_words(state, action) for action in options)
    return YourTurn(player + 1, hand, learned, words, on_turn, safe)


def in_words(state: State, action: Action) -> str:  # noqa: C901 - one case for each kind of action
    """An action as a person would say it."""
    match action:
        case Play(groups, covered):
            value = min(sum(group) for group in groups)
            parts = []
            for group in groups:
                if covered is not None and group == (covered,) and covered != value:
                    parts.append(f"{covered} under a blanket")
                else:
                    parts.append(" + ".join(str(kind) for kind in group))
            return f"Play {', '.join(parts)}"
        case Discard(cards):
            return f"Discard {' and '.join(card_name(kind) for kind in cards)}"
        case Touch(bed):
            return f"Touch the bottom mattress of the {princess_name(state, bed)} bed"
        case Look(bed):
            return f"Look under the {princess_name(state, bed)} bed"
        case Move(source, target) if source == target:
            return f"Lay it on top of its own bed ({princess_name(state, target)})"
        case Move(source, target):
            return f"Move it from the {princess_name(state, source)} to the {princess_name(state, target)} bed"
        case Done():
            return "Done with checking: draw cards"
        case Take(kind):
            return f"Take the open {card_name(kind)}"
        case Deck():
            return "Draw from the deck"
        case Claim(bed):
            return f"Claim: {princess_name(state, bed)} sleeps"
        case Skip():
            return "Skip"
        case Open():
            return "Lay the next card open"
        case Final():
            return "Turn up the beds"
    return type(action).__name__


def learned_from(before: State, action: Action, after: State, player: int | None) -> tuple[str, ...]:
    """What an action told the person in the seat, in words; empty if it told nothing."""
    if player is None:
        return ()
    mine = before.turn == player
    match action:
        case Touch(bed) if mine or not before.game.silent:
            felt = told(before, action)[0]
            text = "smooth" if felt == "smooth" else mattress_name(face_from_text(f"{felt}t"))
            return (f"Bottom of the {princess_name(before, bed)} bed: it feels like {text}",)
        case Look(bed) if mine or not before.game.silent:
            seen = mattress_name(face_from_text(told(before, action)[0]))
            return (f"Bottom of the {princess_name(before, bed)} bed: you see {seen}",)
        case Claim(bed):
            names = ", ".join(mattress_name(face_from_text(text)) for text in told(before, action))
            return (f"On the {princess_name(before, bed)} bed lay: {names or 'nothing'}",)
        case Deck() if mine and len(after.hands[player]) > len(before.hands[player]):
            gained = [
                k for k in after.hands[player] if after.hands[player].count(k) > before.hands[player].count(k)
            ]
            return (f"You drew: {card_name(gained[0])}",)
    return ()
