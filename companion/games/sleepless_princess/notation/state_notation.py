"""Notation of states, one line of text each.

docs/notation.md describes the fields.
"""

from companion.games.notation_words import as_many, fields_of, phase_of, player_of
from companion.games.sleepless_princess.notation import tokens
from companion.games.sleepless_princess.notation.action_notation import read_action, write_action
from companion.games.sleepless_princess.notation.tokens import within
from companion.games.sleepless_princess.rules.card_kinds import face_from_text, face_text
from companion.games.sleepless_princess.rules.dealing import game_of
from companion.games.sleepless_princess.rules.state import Phase, State

__all__ = ["read_action", "read_state", "write_action", "write_state"]

PHASES = {phase.name.lower(): phase for phase in Phase}
FIELDS = (
    "phase",
    "turn",
    "turns",
    "hands",
    "row",
    "deck",
    "discard",
    "fresh",
    "played",
    "beds",
    "faces",
    "princesses",
    "fates",
    "touches",
    "looks",
    "checked",
    "shown",
    "last",
    "skips",
)
"""Names of all fields in a state's line, in written order. Any order can be read."""
_CHECKS = ("felt", "seen")


def write_state(state: State) -> str:
    """A state as one line: variant, players, `silent` if set, then field=value words."""
    game = state.game
    head = [game.variant.name, str(game.players), *(["silent"] if game.silent else [])]
    values = (
        state.phase.name.lower(),
        str(state.turn + 1),
        str(state.turns),
        "/".join(tokens.cards_text(hand) for hand in state.hands),
        tokens.cards_text(state.row),
        tokens.cards_text(state.deck),
        tokens.cards_text(state.discard),
        str(state.fresh),
        tokens.cards_text(state.played),
        "/".join(tokens.slots_text(slots) for slots in state.beds),
        tokens.join([face_text(face) for face in state.faces]),
        ",".join("?" if kind < 0 else str(kind) for kind in state.princesses),
        "".join(tokens.FATE_LETTERS[fate] for fate in state.fates),
        str(state.touches),
        str(state.looks),
        tokens.join([f"{slot + 1}:{_CHECKS[looked]}" for slot, looked in state.checked]),
        tokens.slots_text(state.shown),
        tokens.NONE if state.last < 0 else str(state.last),
        str(state.skips),
    )
    return " ".join([*head, *(f"{field}={value}" for field, value in zip(FIELDS, values, strict=True))])


def read_state(line: str) -> State:
    """Parse the line that `write_state` wrote. ValueError names the wrong field.

    A state that breaks the rules is parsed too; use `status` to check it.
    """
    head = line.split()
    if len(head) < 2:
        raise ValueError("a state begins with variant and number of players, e.g. basic 3")
    silent = len(head) > 2 and head[2] == "silent"
    game = game_of(head[0], within("players", head[1], tokens.number), silent=silent)
    text = fields_of(head[3 if silent else 2 :], FIELDS)
    beds = game.variant.beds
    hands = tuple(within("hands", hand, tokens.cards) for hand in text["hands"].split("/"))
    return State(
        game=game,
        phase=phase_of(text["phase"], PHASES),
        turn=player_of("turn", text["turn"], game.players),
        hands=as_many("hands", hands, game.players),
        row=within("row", text["row"], tokens.cards),
        deck=within("deck", text["deck"], tokens.cards),
        discard=within("discard", text["discard"], tokens.cards),
        fresh=within("fresh", text["fresh"], tokens.number),
        played=within("played", text["played"], tokens.cards),
        beds=as_many("beds", tuple(within("beds", bed, tokens.slots) for bed in text["beds"].split("/")), beds),
        faces=tuple(within("faces", face, face_from_text) for face in tokens.split(text["faces"])),
        princesses=as_many(
            "princesses",
            tuple(within("princesses", kind, tokens.princess) for kind in text["princesses"].split(",")),
            beds,
        ),
        fates=as_many("fates", tuple(within("fates", fate, tokens.fate) for fate in text["fates"]), beds),
        touches=within("touches", text["touches"], tokens.number),
        looks=within("looks", text["looks"], tokens.number),
        checked=tuple(within("checked", item, _checked) for item in tokens.split(text["checked"])),
        shown=within("shown", text["shown"], tokens.slots),
        last=-1 if text["last"] == tokens.NONE else within("last", text["last"], tokens.number),
        skips=within("skips", text["skips"], tokens.number),
        turns=within("turns", text["turns"], tokens.number),
    )


def _checked(text: str) -> tuple[int, bool]:
    slot, colon, how = text.partition(":")
    if not colon or how not in _CHECKS:
        raise ValueError(f"not a check: {text!r} (wanted a mattress and felt or seen, e.g. 4:felt)")
    return tokens.index(slot), how == "seen"
