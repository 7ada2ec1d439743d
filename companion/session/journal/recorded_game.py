"""A recorded game: the public table after each action.

Hidden cards are shown only if the game was played to its end.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.core.language import plural, text
from companion.core.sensor_terms import place_name
from companion.fusion.hypothesis import Step
from companion.games.registry import give_names
from companion.games.table_game import TableGame
from companion.session.entries.player_statements import PlayerStatements
from companion.session.journal.journal import read_journal
from companion.session.journal.journal_fold import Fold
from companion.session.journal.journal_lines import Adopted, Done, Observed, Revoked, people_of
from companion.session.journal.journal_replay import game_of
from companion.session.journal.recorded_moments import RecordedGame, RecordedMoment
from companion.session.mat_drawing import drawn_mat
from companion.session.narration import message_of, verdict_of
from companion.session.stream.events import PROTOCOL, Said, Table, Welcome


def recorded_game(path: Path, assist: str = "") -> RecordedGame:
    """Compute from a journal what screens showed after each action.

    `assist`: level of help for the screens (referee, memory, nudge or coach); empty if none was chosen.
    JournalError if the journal cannot be read.
    """
    recorded = read_journal(path)
    opened = recorded.opened
    game = game_of(opened)
    give_names(game, opened.names)
    fold = Fold(game, game.empty_table(opened.variant, opened.players, opened.options))
    statements = PlayerStatements(game, opened, fold.state)
    began = next((line.t for line in recorded.lines if isinstance(line, Observed)), 0.0)
    moments = [RecordedMoment(began, _table(game, fold.state, assist, {}))]
    states = [fold.state]
    for line in recorded.lines:
        if isinstance(line, Observed):
            statements.look(line.o, fold.state)
            continue
        if not isinstance(line, Done | Revoked | Adopted):
            continue
        before = fold.state
        fold.take(line)
        said, verdict = _told(game, before, line, fold.state)
        table = _table(game, fold.state, assist, statements.turned_up)
        moments.append(RecordedMoment(line.t, table, said, verdict))
        states.append(fold.state)
    mat, ratio = drawn_mat(game, opened.variant, fold.state, len(moments[-1].table.places))
    welcome = Welcome(
        PROTOCOL,
        opened.program,
        opened.game,
        opened.variant,
        opened.players,
        assist,
        game.words.titles,
        game.words.turn_titles,
        names=people_of(opened, recorded.lines),
        mat=mat,
        mat_ratio=ratio,
    )
    over = game.outcome(fold.state) is not None
    if over:
        known = _names(game, fold.state)
        moments = [
            RecordedMoment(one.t, one.table, one.said, one.verdict, tuple(_hidden(game, state, known)))
            for one, state in zip(moments, states, strict=True)
        ]
    return RecordedGame(welcome, tuple(moments), over)


def _table(
    game: TableGame[Any, Any], state: Any, assist: str, turned_up: Mapping[str, tuple[str, ...]]
) -> Table:
    shown = game.screen(state, assist, turned_up=turned_up)
    outcome = game.outcome(state)
    if outcome is not None:
        # A game that is over allows no action: its result takes that place.
        shown = {**shown, "may": [outcome.text], "may_not": []}
    return msgspec.convert({"e": "table", **shown}, Table)


def _told(
    game: TableGame[Any, Any], before: Any, line: Done | Revoked | Adopted, after: Any
) -> tuple[tuple[Said, ...], str]:
    """Sentences about a journal line, and its verdict on a claim (proved, refuted, cannot tell, or empty).

    `before`, `after`: game states around the line.
    """
    match line:
        case Done(t, action):
            step: Step[Any, Any] = Step(t, before, game.read_action(action), after)
            verdict = verdict_of(game, step)
            message = message_of(game, step)
            kind = "move" if verdict is None else "claim"
            said = (Said(t, message.text, kind),) if message else ()
            return said, "" if verdict is None else verdict.verdict
        case Revoked(t, n):
            return (
                Said(
                    t,
                    plural("{n} noted action was taken back.", "{n} noted actions were taken back.", n=n),
                    "repair",
                ),
            ), ""
        case Adopted(t):
            return (Said(t, text("The table was taken over as it lay there."), "repair"),), ""


def _names(game: TableGame[Any, Any], state: Any) -> dict[int, str]:
    """Number of each hidden card -> its name, as far as `state`, the end of the game, tells it."""
    return dict(card for cards in game.hidden_layout(state).values() for card in cards)


def _hidden(game: TableGame[Any, Any], state: Any, known: Mapping[int, str]) -> Iterator[str]:
    """Yield a line for each place with hidden cards: their names, the lowest card first.

    `known`: number of a hidden card -> name known at the end of the game.
    """
    for place, cards in game.hidden_layout(state).items():
        names = tuple(known.get(number, name) for number, name in cards)
        yield text("{place}: {cards}", place=place_name(place), cards=names or text("empty"))
