"""The view of a person in a seat: own hand, what was just learned, choices in words."""

from collections.abc import Sequence

from companion.core.language import listed, text
from companion.games.sleepless_princess import terms
from companion.games.sleepless_princess.public_screen import card_view
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
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT, face_from_text
from companion.games.sleepless_princess.rules.player_view import told
from companion.games.sleepless_princess.rules.plays import play_value
from companion.games.sleepless_princess.rules.state import State
from companion.games.sleepless_princess.wording import princess_name
from companion.session.stream.events import CardView
from companion.session.stream.virtual_table_events import YourTurn

_SAFE = (Touch, Look, Take, Deck)
"""Types of actions that a careless key press may choose.

They end neither a turn nor a princess's game.
"""


def choice_of(
    state: State, player: int, options: Sequence[Action], learned: tuple[str, ...], *, on_turn: bool
) -> YourTurn:
    """What a person in a seat sees: the own hand, and the choices in words.

    `player`: from 0. `options`: the legal actions. `learned`: sentences on what the player just learned.
    `on_turn`: False while another player has to act.
    """
    hand = tuple(CardView(**card_view(kind)) for kind in state.hands[player])
    safe = next((index for index, action in enumerate(options) if isinstance(action, _SAFE)), None)
    words = tuple(in_words(state, action) for action in options)
    claims = tuple(index for index, action in enumerate(options) if isinstance(action, Claim))
    return YourTurn(player + 1, hand, learned, words, on_turn, safe, claims, tuple(map(_number, options)))


def _number(action: Action) -> str:
    """Number key that chooses an action; "" for none.

    It is the value of the only card taken or discarded.
    """
    match action:
        case Take(kind) | Discard((kind,)):
            return KIND_TEXT[kind] if KIND_TEXT[kind].isdigit() else ""
    return ""


def in_words(state: State, action: Action) -> str:
    """Words by which a person chooses an action on the screen, e.g. "Touch bed 2"."""
    match action:
        case Play(groups, covered):
            value = play_value(action) or 0
            return text("Play {groups}", groups=[terms.group(group, covered, value) for group in groups])
        case Discard(cards):
            return text("Discard {cards}", cards=listed([terms.one(kind) for kind in cards]))
        case Touch(bed):
            return text("Touch the bottom mattress in the bed of {name}", name=princess_name(state, bed))
        case Look(bed):
            return text("Look under the bed of {name}", name=princess_name(state, bed))
        case Move(source, target) if source == target:
            return text("Lay it on top of its own bed ({name})", name=princess_name(state, target))
        case Move(source, target):
            names = {"name": princess_name(state, source), "target": princess_name(state, target)}
            return text("Move it from the bed of {name} to the bed of {target}", **names)
        case Done():
            return text("Done with checking: draw cards")
        case Take(kind):
            return text("Take {card}", card=terms.the_open(kind))
        case Deck():
            return text("Draw from the deck")
        case Claim(bed):
            return text("Claim: {name} sleeps", name=princess_name(state, bed))
        case Skip():
            return text("Skip")
        case Open():
            return text("Lay the next card open")
        case Final():
            return text("Turn up the beds")
    return type(action).__name__


def learned_from(before: State, action: Action, after: State, player: int | None) -> tuple[str, ...]:
    """Sentences on what an action taught a player (from 0).

    Empty if it taught nothing, or if `player` is None.
    """
    if player is None:
        return ()
    mine = before.turn == player
    match action:
        case Touch(bed) if mine or not before.game.silent:
            felt = told(before, action)[0]
            if felt == "smooth":
                said = text("Bottom in the bed of {name}: it feels smooth")
            else:
                feels = terms.mattress(face_from_text(f"{felt}t"))
                said = text("Bottom in the bed of {name}: it feels like {felt}", felt=feels)
            return (said.of(name=princess_name(before, bed)),)
        case Look(bed) if mine or not before.game.silent:
            seen = terms.mattress(face_from_text(told(before, action)[0]))
            return (
                text("Bottom in the bed of {name}: you see {seen}", name=princess_name(before, bed), seen=seen),
            )
        case Claim(bed):
            names = [terms.mattress(face_from_text(kind)) for kind in told(before, action)]
            lay = text("On the bed of {name} lay: {names}", name=princess_name(before, bed))
            return (lay.of(names=names or text("nothing")),)
        case Deck() if mine and len(after.hands[player]) > len(before.hands[player]):
            gained = [
                k for k in after.hands[player] if after.hands[player].count(k) > before.hands[player].count(k)
            ]
            return (text("You drew {card}.", card=terms.one(gained[0])),)
    return ()
