"""Notation of states, one line of text each.

docs/notation-sleeping-queens-2.md describes the fields.
"""

from companion.games.notation_words import number, phase_of, player_of, within
from companion.games.queens.state_line import each_of, head_and_fields, written
from companion.games.sleeping_queens_2.notation import tokens
from companion.games.sleeping_queens_2.rules.kinds import CELLS
from companion.games.sleeping_queens_2.rules.parts import Parts
from companion.games.sleeping_queens_2.rules.state import PLAYERS, VARIANT, Phase, State

PHASES = {phase.name.lower(): phase for phase in Phase}
FIELDS = (
    "phase",
    "turn",
    "turns",
    "draws",
    "realms",
    "asleep",
    "companions",
    "kings",
    "knights",
    "deck",
    "discard",
    "fresh",
    "drawn",
    "played",
    "carried",
    "grid",
    "die",
    "symbols",
    "colours",
)
"""Names of all fields in a state's line, in written order. Any order can be read."""
UNDO, _SPACE = "undo", "|"
"""UNDO: name of the optional field with the state before a forbidden action.

_SPACE: letter that replaces the blanks of that state's line.
"""


def write_state(state: State) -> str:
    """A state as one line: variant, players, then field=value words."""
    grid = zip(state.cells, state.face_up, strict=True)
    parts = state.parts
    values = (
        state.phase.name.lower(),
        str(state.turn + 1),
        str(state.turns),
        str(state.draws),
        "/".join(map(tokens.cards_text, state.realms)),
        "/".join(map(tokens.cards_text, state.asleep)),
        "/".join(map(tokens.cards_text, state.companions)),
        "/".join(map(str, state.kings)),
        "/".join(map(tokens.knight_text, state.knights)),
        tokens.cards_text(state.deck),
        tokens.cards_text(state.discard),
        str(state.fresh),
        tokens.cards_text(state.drawn),
        tokens.one_card_text(state.played),
        tokens.one_card_text(state.carried),
        "/".join(tokens.place_text(card, up) for card, up in grid),
        ",".join(map(tokens.face_text, parts.die)),
        f"{parts.queens}/{parts.companions}",
        # Names of symbols are written only if the family gave some.
        "/".join(filter(None, (",".join(parts.colours), ",".join(parts.names)))),
    )
    line = written(VARIANT, state.players, FIELDS, values)
    return line if state.undo is None else f"{line} {UNDO}={write_state(state.undo).replace(' ', _SPACE)}"


def read_state(line: str) -> State:
    """Parse the line of `write_state`. ValueError names the wrong field.

    A state that breaks the rules is parsed too; use `status` to check it.
    """
    *words, last = line.split() or [""]
    if last.startswith(f"{UNDO}="):
        undo = last.removeprefix(f"{UNDO}=")
        if UNDO in undo:
            raise ValueError(f"{UNDO}: a state that was taken back to has none itself")
        return read_state(" ".join(words))._replace(undo=within(UNDO, undo.replace(_SPACE, " "), read_state))
    players, text = head_and_fields(line, VARIANT, PLAYERS, FIELDS)
    grid = each_of(text, "grid", tokens.place, CELLS)
    return State(
        players=players,
        phase=phase_of(text["phase"], PHASES),
        turn=player_of("turn", text["turn"], players),
        turns=within("turns", text["turns"], number),
        draws=within("draws", text["draws"], number),
        realms=each_of(text, "realms", tokens.cards, players),
        asleep=each_of(text, "asleep", tokens.cards, players),
        companions=each_of(text, "companions", tokens.cards, players),
        kings=each_of(text, "kings", number, players),
        knights=each_of(text, "knights", tokens.knight, players),
        deck=within("deck", text["deck"], tokens.cards),
        discard=within("discard", text["discard"], tokens.cards),
        fresh=within("fresh", text["fresh"], number),
        drawn=within("drawn", text["drawn"], tokens.cards),
        played=within("played", text["played"], tokens.one_card),
        carried=within("carried", text["carried"], tokens.one_card),
        cells=tuple(card for card, _ in grid),
        face_up=tuple(up for _, up in grid),
        parts=_parts(text),
    )


def _parts(text: dict[str, str]) -> Parts:
    die = tuple(within("die", item, tokens.face) for item in text["die"].split(","))
    queens, companions = each_of(text, "symbols", str, 2)
    colours, _, names = text["colours"].partition("/")
    named = tuple(names.split(",")) if names else ()
    return Parts(die, queens, companions, tuple(colours.split(",")), named)
