"""Sleepless Princess in words: what everybody may see and read. Built from public facts alone."""

from collections.abc import Collection, Iterator, Mapping, Set
from typing import Any

from companion.games.api import (
    BOARD,
    CAMERA,
    NOTHING_SHOWN,
    SENSES,
    UNKNOWN_KIND,
    AskableFact,
    Difference,
    Judgement,
    Message,
    Verdict,
    Words,
)
from companion.games.sleepless_princess.lessons import LESSONS
from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Final,
    Lay,
    Look,
    Move,
    Open,
    Play,
    Seat,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import (
    BLANKET,
    KIND_TEXT,
    PRINCESS_TYPES,
    RULEBOOK_NAMES,
    UNKNOWN,
    WITCH,
    face_from_text,
    princess_names,
)
from companion.games.sleepless_princess.rules.claim_rules import settled
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase, State
from companion.games.sleepless_princess.rules.turn_flow import row_lacks
from companion.games.sleepless_princess.sensing.appearance import bed_name

COUNTING = ("memory", "nudge", "coach")
"""Levels of help at which screens tell how many mattresses lie on a bed (RULES 16)."""
_FATES = ("awake", "asleep", "out")
_TITLES = {
    Phase.SETUP: "SET UP",
    Phase.PLAY: "PLAY",
    Phase.CHECK: "CHECK",
    Phase.DRAW: "DRAW",
    Phase.LAY: "FILL ROW",
    Phase.FINAL: "FINAL CHECK",
    Phase.OVER: "THE END",
}
"""Phase -> the words shown big."""
_SYMBOLS_OF_PHASES = {
    Phase.SETUP: "cards",
    Phase.PLAY: "cards",
    Phase.CHECK: "hand",
    Phase.DRAW: "cards",
    Phase.LAY: "cards",
    Phase.FINAL: "eye",
    Phase.OVER: "moon",
}
"""Phase -> the picture of what to do."""
_ON_TURN = (Phase.PLAY, Phase.CHECK, Phase.DRAW, Phase.LAY)
_SHOWN_ONLY = "a claim is judged only when its mattresses are turned up"
WORDS = Words(
    lessons=LESSONS,
    titles=tuple(title for phase, title in _TITLES.items() if phase not in _ON_TURN),
    turn_titles=tuple(_TITLES[phase] for phase in _ON_TURN),
    claim_title="Who sleeps?",
    tell_title="What was the mattress checked last?",
    help=(
        "Claim that a princess sleeps: c, then the number of her bed. Tell what a mattress felt like: w.",
        "A hint is given also for a sleeping princess's button, and for the looking glass laid on the pad.",
        "Princesses: ( o o ) awake   ( - - ) zZ asleep   ( > < ) out",
        "A star before a mattress: enchanted (smooth).",
    ),
    losses={
        "camera's hold": "cards that come and go while it looks for the mat are not seen",
        "camera's view": "some cards stay unread, or are read late",
        "camera": "I follow no cards that are played and see none that are turned up: claims stay open",
        "board": (
            "I feel no touch, follow no mattress that is moved, hear no button: claim by key, and "
            + _SHOWN_ONLY
        ),
        "scale": f"I do not follow every mattress that is moved: {_SHOWN_ONLY}",
        "reader": "mattresses that are tapped on the pad stay unknown, and claims on them open",
        "pressure matrix": "a mattress whose tag is missed on the pad stays unknown",
        "touch": "I do not feel which mattress is touched, and know it only when it is moved",
        "electrode": "I do not feel there which mattress is touched, and know it only when it is moved",
        "button": "claim by key",
    },
    verdicts={
        Verdict.PROVED: ("She sleeps!", "asleep"),
        Verdict.REFUTED: ("Still awake!", "out"),
        Verdict.CANNOT_TELL: ("I cannot tell.", "awake"),
    },
    unnamed=tuple(f"Princess {number}" for number in range(len(RULEBOOK_NAMES) + 1, PRINCESS_TYPES + 1)),
    turned_up="The camera has seen the mattresses turned up.",
    unclear="I do not know every mattress there, or did not see every move clearly.",
    way_back=("pad", "G"),
)


def card_name(kind: int) -> str:
    """A deck card in words."""
    if kind == UNKNOWN:
        return "a card"
    return {BLANKET: "blanket", WITCH: "witch"}.get(kind, KIND_TEXT[kind])


def princess_name(state: State, bed: int) -> str:
    """The name of the princess on a bed, empty before she is seated."""
    princess = state.princesses[bed]
    return princess_names()[princess] if princess >= 0 else ""


def mattress_name(face: int) -> str:
    """A mattress in words; "a mattress" while nobody knows it."""
    if face < 0:
        return "a mattress"
    return f"{'enchanted ' if face & 1 else ''}{princess_names()[face >> 1]}"


PRINTED = ("red", "orange", "violet", "blue", "yellow", "amber", "teal", "indigo", "pink", "green")
"""Colours of the helpers from 1 on, and of the princesses from type 0 on, as printed."""
_SYMBOLS = {BLANKET: ("indigo", "cloth"), WITCH: ("green", "hat")}
"""Card without a value -> its colour, and what is drawn on it."""


def card_view(kind: int) -> dict[str, str]:
    """A deck card, with the fields of `session.events.CardView`."""
    colour, symbol = _SYMBOLS.get(kind, (PRINTED[kind - 1] if 1 <= kind <= len(PRINTED) else "", ""))
    return {"kind": KIND_TEXT[kind], "name": card_name(kind), "colour": colour, "symbol": symbol}


def _cards(kinds: tuple[int, ...]) -> list[dict[str, str]]:
    return [card_view(kind) for kind in kinds]


def _bed(
    state: State, bed: int, counts: bool, turned_up: tuple[str, ...], *, undecided: bool
) -> dict[str, Any]:
    fate, name = state.fates[bed], princess_name(state, bed)
    out_in_the_open = fate == ASLEEP or state.phase is Phase.OVER
    faces = [face_from_text(kind) for kind in turned_up if kind[1:] in ("t", "s")] if out_in_the_open else []
    badge = "unknown" if undecided and fate == OUT else _FATES[fate]
    return {
        "name": name,
        "badge": badge if name else "",
        # Sorted: in which order they lie, nobody was shown.
        "shown": [_short_name(face) for face in sorted(faces)],
        "count": len(state.beds[bed]) if counts else None,
        "claim": "" if claimable(state, bed) else f"{name or 'bed'} sleeps",
        "figure": "sleeper",
        "colour": PRINTED[state.princesses[bed]] if name else "",
        "look": state.princesses[bed] if name else 0,
        "lit": state.phase is Phase.CHECK and state.touches > 0 and bool(state.beds[bed]),
    }


def _short_name(face: int) -> str:
    """A known mattress as beds show it: a star for an enchanted one."""
    return f"{'*' if face & 1 else ''}{princess_names()[face >> 1]}"


def claimable(state: State, bed: int) -> str | None:
    """Why this bed cannot be claimed now, or None if it can."""
    if not 0 <= bed < len(state.beds):
        return f"There is no bed {bed + 1}."
    if state.phase in (Phase.SETUP, Phase.FINAL, Phase.OVER):
        return "A claim is possible while the game is on."
    if state.fates[bed] != AWAKE:
        return f"{princess_name(state, bed)} is not awake any more."
    return None


def statements(state: State) -> Iterator[tuple[str, str]]:
    """What a player may say a mattress felt or, by the glass, looked like: an id and words.

    The id is the bed of the princess whose it is, from 1, after `smooth` if it is enchanted, or `smooth` alone.
    """
    seated = [(bed, name) for bed in range(len(state.beds)) if (name := princess_name(state, bed))]
    yield from ((f"{bed + 1}", name) for bed, name in seated)
    if seated and state.game.variant.smooth:
        yield "smooth", "smooth"
        yield from ((f"smooth {bed + 1}", f"smooth, the glass shows {name}") for bed, name in seated)


def screen(
    state: State,
    assist: str,
    senses: Set[str] = SENSES,
    turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
    undecided: Collection[int] = (),
) -> Mapping[str, Any]:
    """The public state, with the fields of `companion.session.events.Table`; `senses` are those that work now.

    A mattress is named only if it is among those that the camera has seen `turned_up` (place -> kinds).
    """
    variant = state.game.variant
    may, may_not = _setting_up(state, senses) if state.phase is Phase.SETUP else _possible(state)
    may += _put_off(state)
    witches = variant.witches[variant.players.index(state.game.players)]
    active = state.phase in _ON_TURN
    return {
        "phase": state.phase.name.lower(),
        "title": _TITLES[state.phase],
        "call": _call(state),
        "symbol": _symbol(state),
        "over": state.phase is Phase.OVER,
        "turn": state.turns,
        "player": state.turn + 1 if active else 0,
        "places": [
            _bed(
                state,
                bed,
                assist in COUNTING,
                turned_up.get(bed_name(bed), ()),
                undecided=bed in undecided,
            )
            for bed in range(len(state.beds))
        ],
        "rows": [{"name": "open row", "cards": _cards(state.row), "room": 5}],
        "played": _cards(state.played),
        "piles": [
            {"name": "deck", "count": len(state.deck), "full": 6 * variant.helpers_up_to + 5 + witches},
            {
                "name": "discard",
                "count": len(state.discard),
                "top": _cards(state.discard[-1:])[0] if state.discard else None,
            },
        ],
        "hands": [len(hand) for hand in state.hands],
        "may": may,
        "may_not": may_not,
        "last_turns": state.last if state.last >= 0 else None,
        "statements": [{"id": name, "text": text} for name, text in statements(state)],
    }


def _call(state: State) -> str:
    """What to do next, in a few letters."""
    match state.phase:
        case Phase.SETUP:
            return "LAY IT OUT"
        case Phase.PLAY:
            return "PLAY OR SWAP" if state.row or state.deck else "PLAY OR SKIP"
        case Phase.CHECK if state.touches:
            return "FEEL A BED"
        case Phase.CHECK if state.looks:
            return "USE THE GLASS"
        case Phase.CHECK:
            return "MOVE OR DRAW" if state.checked else "DRAW CARDS"
        case Phase.DRAW:
            need = 5 - len(state.hands[state.turn])
            return "DRAW 1 CARD" if need == 1 else f"DRAW {need} CARDS"
        case Phase.FINAL:
            return "TURN THEM UP"
    return _TITLES[state.phase]


def _symbol(state: State) -> str:
    """The same as a picture."""
    if state.phase is Phase.CHECK and not state.touches:
        return "lens" if state.looks else "move"
    return _SYMBOLS_OF_PHASES[state.phase]


def _put_off(state: State) -> list[str]:
    """What people have left for later, although the rules do not know that."""
    due = []
    if state.phase in (Phase.PLAY, Phase.CHECK, Phase.DRAW) and state.deck and row_lacks(state) > 0:
        due.append("Fill the open row up to 5 from the deck.")
    if state.phase in (Phase.DRAW, Phase.LAY) and state.played:
        due.append("Put the played cards on the discard pile.")
    return due


def _setting_up(state: State, senses: Set[str]) -> tuple[list[str], list[str]]:
    """What is still to be laid out, in the way that the senses at work can follow, and what they cannot."""
    if not senses:
        return ["Nothing watches this table yet: please wait before you lay out the game."], []
    variant = state.game.variant
    missing, unknown = [], []
    unseated = [bed + 1 for bed, princess in enumerate(state.princesses) if princess < 0]
    if CAMERA not in senses:
        missing += ["Seat a princess on each bed."] if unseated else []
        unknown.append("No camera: I do not see who sleeps where, which cards are played, what is turned up.")
    elif len(unseated) == variant.beds:
        missing.append("Lay each princess flat on her bed for a moment, then stand her up.")
    elif unseated:
        beds = ", ".join(map(str, unseated))
        missing.append(f"Not seen yet is who sleeps in bed {beds}: lay her flat there for a moment.")
    total, dealt = variant.beds * variant.mattresses_per_bed, len(state.faces)
    if BOARD not in senses:
        missing.append(f"Lay {variant.mattresses_per_bed} mattresses face down on each bed.")
        unknown.append("No board: I do not feel which mattress lies where; turn them up when you claim.")
    elif dealt < total:
        so_far = f" ({dealt} of {total} so far)" if dealt else ""
        missing.append(f"Tap each mattress on the pad, then lay it face down on a bed{so_far}.")
    if len(state.row) < 5:
        missing.append("Give everybody 5 cards and lay 5 open in a row.")
    return missing, unknown


def _possible(state: State) -> tuple[list[str], list[str]]:
    """What the player may do now, and what not and why."""
    variant = state.game.variant
    match state.phase:
        case Phase.PLAY:
            to_be_had = len(state.row) + len(state.deck)
            may = [
                "Play 3 equal cards" + (" (sums count)" if variant.addition else "") + " to check a mattress."
            ]
            may_not = []
            if to_be_had:
                may.append(
                    "Discard 1 or 2 cards and draw as many." if to_be_had > 1 else "Discard 1 card and draw 1."
                )
            else:
                may_not.append("No discarding: there is nothing left to draw.")
                may.append("Skip, if you cannot play.")
            return may, may_not
        case Phase.CHECK:
            return _possible_checks(state)
        case Phase.DRAW:
            need = 5 - len(state.hands[state.turn])
            sources = [name for name, cards in (("the open row", state.row), ("the deck", state.deck)) if cards]
            closed = [] if state.deck else ["The deck is empty."]
            return [f"Draw {need} more from {' or '.join(sources)}."], closed
        case Phase.LAY:
            return ["Fill the open row up to 5 from the deck."], []
        case Phase.FINAL:
            return ["Turn up the mattresses of every princess still awake."], []
        case Phase.OVER:
            return ["For another game clear the whole table, then lay it out anew."], []
    return [], []


def _possible_checks(state: State) -> tuple[list[str], list[str]]:
    may, may_not = [], []
    if state.touches:
        may.append("Touch the bottom mattress of one bed.")
    else:
        may_not.append("No more touching this turn.")
    if state.looks:
        may.append(f"Look through the glass {'twice' if state.looks == 2 else 'once'}.")
    elif state.game.variant.glass:
        may_not.append("No looking: every added sum gives one look.")
    if state.checked:
        may.append("Move a checked mattress to the top of a bed.")
    may.append("When done: cards to the discard pile, then draw up to 5.")
    return may, may_not


def judge(state: State, bed: int) -> Judgement:
    """What the known faces say of a claim.

    Its words follow from the verdict and from how many mattresses lie there: nobody has seen the faces yet.
    """
    needed = state.game.variant.mattresses_per_bed
    slots = state.beds[bed]
    name = princess_name(state, bed)
    show = f"the mattresses of the {name} bed"
    if len(slots) != needed:
        lie = "1 mattress lies" if len(slots) == 1 else f"{len(slots)} mattresses lie"
        return Judgement(
            Verdict.REFUTED, (f"{lie} on the {name} bed; she needs {needed}.",), show, counted=True
        )
    hers = settled(state, bed)
    if hers is None:
        return Judgement(Verdict.CANNOT_TELL, ("I do not know all that lies there.",), show)
    if not hers:
        return Judgement(Verdict.REFUTED, (f"Not all {needed} mattresses are hers.",), show)
    return Judgement(Verdict.PROVED, (f"All {needed} mattresses are hers.",), show)


MESSAGES = {
    "seat": "{name} sits on bed {bed}.",
    "dealt": "All mattresses are dealt.",
    "witch opened": "A witch! The open cards are swept away.",
    "begin": "The game begins.",
    "discard": "{who} discards {cards}.",
    "play": "{who} plays {groups}.",
    "play, one look": "{who} plays {groups}. One look through the glass.",
    "play, two looks": "{who} plays {groups}. Two looks through the glass.",
    "skip": "{who} skips.",
    "touch": "{who} feels the bottom mattress of the {name} bed.",
    "look": "{who} looks under the {name} bed.",
    "move, same bed": "{who} lays it on top of the same bed.",
    "move": "{who} moves it from the {name} bed to the {target} bed.",
    "take": "{who} takes the open {card}.",
    "draw": "{who} draws from the deck.",
    "witch drawn": "{who} draws a witch! The open cards are swept away.",
    "sleeps": "{name} sleeps sweetly!",
    "stays awake": "{name} stays awake and leaves the game.",
    "final, some": "Final check: {names} asleep.",
    "final, none": "Final check: nobody else sleeps.",
}
"""What is told of a game, by id."""
_BONUS = ("play", "play, one look", "play, two looks")


def _message(kind: str, /, **of: str) -> Message:
    return Message(":".join((kind, *of.values())), MESSAGES[kind].format(**of))


def _play_words(action: Play, value: int) -> str:
    groups = []
    for group in action.groups:
        if action.covered is not None and group == (action.covered,) and action.covered != value:
            groups.append(f"{action.covered} under a blanket")
        else:
            groups.append("+".join(str(kind) for kind in group))
    return ", ".join(groups)


def message(before: State, action: Action, after: State) -> Message | None:  # noqa: C901 - a case for each action
    """What happened, for everybody; None where it is not worth a line."""
    who = f"Player {before.turn + 1}"
    match action:
        case Seat(bed, _):
            return _message("seat", name=princess_name(after, bed), bed=str(bed + 1))
        case Lay() if len(after.faces) == before.game.variant.beds * before.game.variant.mattresses_per_bed:
            return _message("dealt")
        case Open() if len(after.discard) > len(before.discard):
            return _message("witch opened")
        case Open() if before.phase is Phase.SETUP and after.phase is not Phase.SETUP:
            return _message("begin")
        case Discard(cards):
            return _message("discard", who=who, cards=" and ".join(card_name(kind) for kind in cards))
        case Play(groups):
            value = min(sum(group) for group in groups)
            return _message(_BONUS[after.looks], who=who, groups=_play_words(action, value))
        case Skip():
            return _message("skip", who=who)
        case Touch(bed):
            return _message("touch", who=who, name=princess_name(before, bed))
        case Look(bed):
            return _message("look", who=who, name=princess_name(before, bed))
        case Move(source, target) if source == target:
            return _message("move, same bed", who=who)
        case Move(source, target):
            source_name, target_name = princess_name(before, source), princess_name(before, target)
            return _message("move", who=who, name=source_name, target=target_name)
        case Take(kind):
            return _message("take", who=who, card=card_name(kind))
        case Deck() if after.discard and len(after.discard) > len(before.discard):
            return _message("witch drawn", who=who)
        case Deck(None):
            return _message("draw", who=who)
        case Claim(bed):
            word = "sleeps" if after.fates[bed] == ASLEEP else "stays awake"
            return _message(word, name=princess_name(after, bed))
        case Final():
            newly = [
                princess_name(after, bed)
                for bed, fate in enumerate(after.fates)
                if fate == ASLEEP and before.fates[bed] == AWAKE
            ]
            return _message("final, some", names=" and ".join(newly)) if newly else _message("final, none")
    return None


PLACES = {
    "row": "the open row",
    "play": "the play zone",
    "discard": "the discard pile",
    "glass": "the place of the looking glass",
}
"""Zones of open cards in words."""
_THINGS = {"B": "blanket", "W": "witch", "G": "looking glass", UNKNOWN_KIND: "mattress"}
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


def difference(state: State, found: Difference) -> str:
    """What lies otherwise than it should, as one sentence for everybody."""
    extra, missing = _things(found.extra), _things(found.missing)
    place = _place(state, found.place)
    if extra and missing:
        return f"On {place} I see {extra}, and miss {missing}."
    return f"On {place} I see {extra} too many." if extra else f"On {place} I miss {missing}."


def _place(state: State, zone: str) -> str:
    if zone in PLACES:
        return PLACES[zone]
    where, _, number = zone.rpartition(" ")
    name = _bed_name(state, int(number) - 1)
    return f"the {name}" if where == "bed" else f"the foot of the {name}"


def _things(kinds: tuple[str, ...]) -> str:
    names = [_name(kind) for kind in kinds]
    things = [_some(names.count(name), name) for name in dict.fromkeys(names)]
    return ", ".join(things[:-1]) + " and " + things[-1] if len(things) > 1 else "".join(things)


def _name(kind: str) -> str:
    if kind[0] == "P":
        return f"tile of {princess_names()[int(kind[1:-1])]}"
    return _THINGS.get(kind, "mattress" if kind[-1] in "ts" else kind)


def _some(many: int, name: str) -> str:
    if many > 1:
        return f"{_NUMBERS.get(many, many)} {name}{'es' if name[-1] in 'sh' else 's'}"
    return f"{'an' if name == '8' else 'a'} {name}"


def corrected(state: State, bed: int, verdict: Verdict) -> str:
    """The mattresses of a bed that were turned up gave another verdict than was told."""
    now = "sleeps after all" if verdict is Verdict.PROVED else "does not sleep"
    return f"The cards show otherwise: {princess_name(state, bed)} {now}."


def askable_fact(before: State, action: Action) -> AskableFact | None:
    """A move of a mattress or a claim, which everybody saw, as a question of yes or no; None for all else."""
    if isinstance(action, Claim):
        text = f"Nobody turned up the mattresses of the {_bed_name(before, action.bed)}. Was that claim meant?"
        return AskableFact(before.turns, text, f"claim:turn{before.turns}:bed{action.bed + 1}")
    if not isinstance(action, Move):
        return None
    who, source = f"player {before.turn + 1}", _bed_name(before, action.source)
    if action.source == action.target:
        text = f"Did {who} take a mattress out of the {source} and lay it on top of the same bed?"
    else:
        text = f"Did {who} move a mattress from the {source} to the {_bed_name(before, action.target)}?"
    subject = f"turn{before.turns}:player{before.turn + 1}:bed{action.source + 1}:bed{action.target + 1}"
    return AskableFact(before.turns, text, f"move:{subject}")


def _bed_name(state: State, bed: int) -> str:
    return f"{princess_name(state, bed)} bed"
