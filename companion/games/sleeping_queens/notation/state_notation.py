"""Notation of states, one line of text each.

docs/notation-sleeping-queens.md describes the fields.
"""

from companion.games.notation_words import as_many, phase_of, player_of
from companion.games.queens.state_line import each_of, head_and_fields, written
from companion.games.sleeping_queens.notation import tokens
from companion.games.sleeping_queens.notation.tokens import within
from companion.games.sleeping_queens.rules.kinds import CELLS, QUEEN_NAMES
from companion.games.sleeping_queens.rules.state import PLAYERS, VARIANT, Phase, State

PHASES = {phase.name.lower(): phase for phase in Phase}
FIELDS = (
    "phase",
    "turn",
    "acting",
    "turns",
    "hands",
    "deck",
    "discard",
    "fresh",
    "played",
    "grid",
    "awake",
    "target",
)
"""Names of all fields in a state's line, in written order. Any order can be read."""


def write_state(state: State) -> str:
    """A state as one line: variant, players, then field=value words."""
    grid = zip(state.cells, state.seen, strict=True)
    values = (
        state.phase.name.lower(),
        str(state.turn + 1),
        str(state.acting + 1),
        str(state.turns),
        "/".join(tokens.cards_text(hand) for hand in state.hands),
        tokens.cards_text(state.deck),
        tokens.cards_text(state.discard),
        str(state.fresh),
        tokens.cards_text(state.played),
        "/".join(tokens.sleeper_text(queen, seen) for queen, seen in grid),
        "/".join(tokens.join(QUEEN_NAMES[queen] for queen in queens) for queens in state.awake),
        QUEEN_NAMES[state.target] if state.target >= 0 else tokens.NONE,
    )
    return written(VARIANT, state.players, FIELDS, values)


def read_state(line: str) -> State:
    """Parse the line of `write_state`. ValueError names the wrong field.

    A state that breaks the rules is parsed too; use `status` to check it.
    """
    players, text = head_and_fields(line, VARIANT, PLAYERS, FIELDS)
    grid = each_of(text, "grid", tokens.sleeper, CELLS)
    awake = [
        tuple(within("awake", name, tokens.queen) for name in tokens.split(queens))
        for queens in text["awake"].split("/")
    ]
    target = text["target"]
    return State(
        players=players,
        phase=phase_of(text["phase"], PHASES),
        turn=player_of("turn", text["turn"], players),
        acting=player_of("acting", text["acting"], players),
        hands=each_of(text, "hands", tokens.cards, players),
        deck=within("deck", text["deck"], tokens.cards),
        discard=within("discard", text["discard"], tokens.cards),
        fresh=within("fresh", text["fresh"], tokens.number),
        played=within("played", text["played"], tokens.cards),
        cells=tuple(queen for queen, _ in grid),
        seen=tuple(seen for _, seen in grid),
        awake=as_many("awake", awake, players),
        target=-1 if target == tokens.NONE else within("target", target, tokens.queen),
        turns=within("turns", text["turns"], tokens.number),
    )
