"""What a person with one switch can choose at the table: answers, their own actions, and all commands."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.core.language import localized, text, tr
from companion.dashboard.labels import ANSWERS
from companion.dashboard.one_switch.scanner import Choice

if TYPE_CHECKING:
    from companion.dashboard.app import Dashboard

AT_VIRTUAL_TABLE = (
    (text("new game"), "restart"),
    (text("take or leave a seat"), "seat"),
    (text("hide or show the hand"), "hand"),
    (text("hold, or go on"), "hold"),
    (text("one step"), "step"),
    (text("slower"), "slower"),
    (text("faster"), "faster"),
    (text("break or mend a part"), "fault"),
)
"""AT_VIRTUAL_TABLE: further choices at a virtual table, as (words, name of the app's action without
"action_")."""


def table_choices(app: "Dashboard", commands: Sequence[tuple[str, str]]) -> list[Choice]:
    """Table choices for a person with one switch key.

    In this order: answers to an open question, lesson, hint, actions in a seat, commands useful now. The last
    one, "everything else", opens all commands. `commands`: these commands, as (words, name of the app's action
    without "action_").
    """
    model, world = app.model, app.world
    asked = [ANSWERS[option] for option in model.question.options if option in ANSWERS]
    found = [_action(app, label, action) for _, label, action in asked]
    if model.lessons.due is not None:
        found.append(_action(app, tr("understood"), "understood"))
    if model.advice is not None:
        found += [_action(app, tr("more of the hint"), "hint"), _action(app, tr("hint away"), "no_hint")]
    turn = world.turn
    if world.choosing and turn is not None:
        found += [
            Choice(model.names.put_into(words), partial(app.table.choose, index))
            for index, words in enumerate(turn.actions)
        ]
    elif turn is not None and turn.on_turn:
        found.append(_action(app, tr("show the hand"), "hand"))
    found += _at_hand(app)
    more = [_action(app, words, action) for words, action in commands if app.check_action(action, ())]
    if world.attached:
        more += [_action(app, words, action) for words, action in AT_VIRTUAL_TABLE]
    return [*found, Choice(tr("everything else"), inside=tuple(more))]


def _at_hand(app: "Dashboard") -> list[Choice]:
    """Choices for commands that are useful in the game's present state.

    Such as claim, undo, or pause; [] before the first table, and after the engine's end.
    """
    table = app.model.table if not app.model.foreign else None
    if table is None or app.model.ended:
        return []
    found = []
    if table.over:
        found.append(_action(app, tr("next game"), "table_is_right"))
        if app.world.attached:
            found.append(_action(app, tr("new game"), "restart"))
        return [*found, _action(app, tr("score"), "score")]
    if any(place.claim for place in table.places) and not app.world.choosing:
        found.append(_action(app, tr("claim"), "claim"))
    if table.player and app.model.advice is None:
        found.append(_action(app, tr("hint"), "hint"))
    if table.turn:
        found.append(_action(app, tr("undo"), "undo"))
    return [*found, _action(app, tr("go on") if table.paused else tr("pause"), "pause")]


def _action(app: "Dashboard", words: str, action: str) -> Choice:
    called = action if action.endswith(")") else f"{action}()"
    return Choice(localized(words), partial(app.call_later, app.run_action, f"app.{called}"))
