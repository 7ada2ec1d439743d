"""The public screen of Sleepless Princess: what lies where, and what players may do now."""

from collections.abc import Iterator, Mapping, Set
from typing import Any

from companion.core.language import listed, plural, term, text
from companion.games import table_words
from companion.games.claims import Verdict
from companion.games.narrator import BOARD, CAMERA, NOTHING_SHOWN, SENSES, Words
from companion.games.sleepless_princess import terms
from companion.games.sleepless_princess.lessons import LESSONS
from companion.games.sleepless_princess.rules.card_kinds import (
    BLANKET,
    KIND_TEXT,
    UNNAMED,
    WITCH,
    face_from_text,
)
from companion.games.sleepless_princess.rules.claim_rules import full_set
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, Phase, State
from companion.games.sleepless_princess.rules.turn_flow import row_lacks
from companion.games.sleepless_princess.sensing.appearance import bed_name
from companion.games.sleepless_princess.wording import claimable, princess_name

COUNTING = ("memory", "nudge", "coach")
"""Levels of help at which screens show how many mattresses a bed has. By the rulebook players may not count."""
_FATES = ("awake", "asleep", "out")
_TITLES = {
    Phase.SETUP: term("title", "LAY IT OUT"),
    Phase.PLAY: term("title", "PLAY A CARD"),
    Phase.CHECK: term("title", "CHECK A BED"),
    Phase.DRAW: term("title", "DRAW CARDS"),
    Phase.LAY: term("title", "FILL THE ROW"),
    Phase.FINAL: term("title", "TURN THEM UP"),
    Phase.OVER: term("title", "THE END"),
}
"""Phase -> words in large letters on the public screen."""
_SYMBOLS_OF_PHASES = {
    Phase.SETUP: "cards",
    Phase.PLAY: "cards",
    Phase.CHECK: "hand",
    Phase.DRAW: "cards",
    Phase.LAY: "cards",
    Phase.FINAL: "eye",
    Phase.OVER: "moon",
}
"""Phase -> name of the picture that shows what to do."""
_ON_TURN = (Phase.PLAY, Phase.CHECK, Phase.DRAW, Phase.LAY)
WORDS = Words(
    lessons=LESSONS,
    titles=tuple(title for phase, title in _TITLES.items() if phase not in _ON_TURN),
    turn_titles=tuple(_TITLES[phase] for phase in _ON_TURN),
    claim_title=text("Who sleeps?"),
    tell_title=text("What was the mattress checked last?"),
    help=(
        text("Claim that a princess sleeps: c, then the number of her bed. Tell what a mattress felt like: w."),
        text(
            "A hint is given also for a sleeping princess's button, and for the looking glass laid on the pad."
        ),
        text("Princesses: sits with her crown = awake, lies with her eyes closed = asleep, empty bed = out"),
        text("A star before a mattress: enchanted (smooth)."),
    ),
    losses={
        **table_words.CAMERA_LOSSES,
        "camera": text(
            "I follow no cards that are played and see none that are turned up, and claims stay open"
        ),
        "board": text(
            "I feel no touch, follow no mattress that is moved, hear no button: claim by key, and a claim is "
            "judged only when its mattresses are turned up"
        ),
        "scale": text(
            "I do not follow every mattress that is moved: a claim is judged only when its mattresses are "
            "turned up"
        ),
        "reader": text("mattresses that are tapped on the pad stay unknown, and claims on them open"),
        "pressure matrix": text("a mattress whose tag is missed on the pad stays unknown"),
        "touch": text("I do not feel which mattress is touched, and know it only when it is moved"),
        "electrode": text("I do not feel there which mattress is touched, and know it only when it is moved"),
        "button": text("claim by key"),
    },
    verdicts={
        Verdict.PROVED: (text("She sleeps!"), "asleep"),
        Verdict.REFUTED: (text("Still awake!"), "out"),
        Verdict.CANNOT_TELL: (text("I cannot tell."), "awake"),
    },
    unnamed=UNNAMED,
    turned_up=text("The mattresses that were turned up show it."),
    unclear=text("I do not know every mattress there, or did not see every move clearly."),
    way_back=("pad", "G"),
    unread={"row": text("I cannot read open card {number} from the left: turn it a little.")},
    hint_call=("pad", "G"),
)
PRINTED = ("red", "orange", "violet", "blue", "yellow", "amber", "teal", "indigo", "pink", "green")
"""Printed colours of helpers 1 to 10, and of princess types 0 to 9."""
_SYMBOLS = {BLANKET: ("indigo", "cloth"), WITCH: ("green", "hat")}
"""Blanket and witch -> (colour, name of its picture)."""


def card_view(kind: int) -> dict[str, Any]:
    """A deck card as screens show it: fields of `CardView` of the event stream."""
    colour, symbol = _SYMBOLS.get(kind, (PRINTED[kind - 1] if 1 <= kind <= len(PRINTED) else "", ""))
    return {"kind": KIND_TEXT[kind], "name": terms.card(kind), "colour": colour, "symbol": symbol}


def hand_cards(state: State) -> list[dict[str, str]]:
    """Every kind that a hand may hold, as fields of `CardView` of the event stream."""
    return [card_view(kind) for kind in (*range(1, state.game.variant.helpers_up_to + 1), BLANKET)]


def _cards(kinds: tuple[int, ...]) -> list[dict[str, str]]:
    return [card_view(kind) for kind in kinds]


def _bed(state: State, bed: int, counts: bool, turned_up: tuple[str, ...]) -> dict[str, Any]:
    fate, name = state.fates[bed], princess_name(state, bed)
    out_in_the_open = fate == ASLEEP or state.phase is Phase.OVER
    faces = [face_from_text(kind) for kind in turned_up if kind[1:] in ("t", "s")] if out_in_the_open else []
    badge = "unknown" if fate == AWAKE and state.phase is Phase.OVER else _FATES[fate]
    return {
        "name": name,
        "badge": badge if name else "",
        # Sorted, because nobody was shown the order on the bed.
        "shown": [_short_name(face) for face in sorted(faces)],
        "count": len(state.beds[bed]) if counts else None,
        "claim": "" if claimable(state, bed) else text("{name} sleeps", name=name),
        "figure": "sleeper",
        "colour": PRINTED[state.princesses[bed]] if name else "",
        "look": state.princesses[bed] if name else 0,
        "lit": state.phase is Phase.CHECK and state.touches > 0 and bool(state.beds[bed]),
    }


def _short_name(face: int) -> str:
    """A known mattress as shown on a bed: its princess's name, with a star if smooth."""
    name = terms.princess(face >> 1)
    return text("*{name}", name=name) if face & 1 else name


def statements(state: State) -> Iterator[tuple[str, str]]:
    """(id, words) of all that a player may say of a mattress after touching or looking at it.

    Ids: "N" is a mattress of the princess of bed N (from 1), "smooth N" her smooth one, "smooth" any smooth
    one.
    """
    seated = [(bed, name) for bed in range(len(state.beds)) if (name := princess_name(state, bed))]
    yield from ((f"{bed + 1}", name) for bed, name in seated)
    if seated and state.game.variant.smooth:
        yield "smooth", text("smooth")
        yield from (
            (f"smooth {bed + 1}", text("smooth, the glass shows {name}", name=name)) for bed, name in seated
        )


def screen(
    state: State,
    assist: str,
    senses: Set[str] = SENSES,
    turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
) -> Mapping[str, Any]:
    """The public screen as JSON values: fields of `Table` of the event stream.

    It names no hidden mattress.

    `assist`: the family's level of help. `senses`: groups of sensors (camera, board) that work now.
    `turned_up`: place -> kinds seen there face up.
    """
    variant = state.game.variant
    may, may_not = _setting_up(state, senses) if state.phase is Phase.SETUP else _possible(state)
    held = [len(hand) for hand in state.hands]
    # The state has the hands from the start; people are asked to deal them until the open row lies.
    undealt = state.phase is Phase.SETUP and len(state.row) < 5
    hands = [0] * len(held) if undealt else held
    may += [*_put_off(state), *_foreign(state, turned_up)]
    witches = variant.witches[variant.players.index(state.game.players)]
    active = state.phase in _ON_TURN
    return {
        "phase": state.phase.name.lower(),
        "title": _TITLES[state.phase],
        "call": _call(state, senses),
        "symbol": _symbol(state, senses),
        "over": state.phase is Phase.OVER,
        "turn": state.turns,
        "player": state.turn + 1 if active else 0,
        "places": [
            _bed(state, bed, assist in COUNTING, turned_up.get(bed_name(bed), ()))
            for bed in range(len(state.beds))
        ],
        "rows": [{"name": term("pile", "open row"), "cards": _cards(state.row), "room": 5}],
        "played": _cards(state.played),
        "piles": [
            {
                "name": term("pile", "deck"),
                "count": len(state.deck) + sum(held) - sum(hands),
                "full": 6 * variant.helpers_up_to + 5 + witches,
            },
            {
                "name": term("pile", "discard"),
                "count": len(state.discard),
                "top": _cards(state.discard[-1:])[0] if state.discard else None,
            },
        ],
        "hands": hands,
        "may": may,
        "may_not": may_not,
        "last_turns": state.last if state.last >= 0 else None,
        "statements": [{"id": name, "text": text} for name, text in statements(state)],
    }


def _call(state: State, senses: Set[str]) -> str:
    """Few words in capitals that say what to do next.

    `senses`: groups of sensors (camera, board) that work now.
    """
    match state.phase:
        case Phase.SETUP if not senses:
            return text("NOT YET")
        case Phase.SETUP:
            return text("LAY IT OUT")
        case Phase.PLAY:
            return text("PLAY OR SWAP") if state.row or state.deck else text("PLAY OR SKIP")
        case Phase.CHECK if state.touches:
            return text("FEEL A BED")
        case Phase.CHECK if state.looks:
            return text("USE THE GLASS")
        case Phase.CHECK:
            return text("MOVE OR DRAW") if state.checked else text("DRAW CARDS")
        case Phase.DRAW:
            return plural("DRAW 1 CARD", "DRAW {n} CARDS", n=5 - len(state.hands[state.turn]))
        case Phase.FINAL:
            return text("TURN THEM UP")
    return _TITLES[state.phase]


def _symbol(state: State, senses: Set[str]) -> str:
    """Name of the picture that shows what to do next. `senses`: groups of sensors that work now."""
    if state.phase is Phase.SETUP and not senses:
        return "eye"
    if state.phase is Phase.CHECK and not state.touches:
        return "lens" if state.looks else "move"
    return _SYMBOLS_OF_PHASES[state.phase]


def _put_off(state: State) -> list[str]:
    """Reminders of steps that people put off, against the rules."""
    due: list[str] = []
    if state.phase in (Phase.PLAY, Phase.CHECK, Phase.DRAW) and state.deck and row_lacks(state) > 0:
        due.append(text("Fill the open row up to 5 from the deck."))
    if state.phase in (Phase.DRAW, Phase.LAY) and state.played:
        due.append(text("Put the played cards on the discard pile."))
    return due


def _foreign(state: State, turned_up: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Warnings of turned up mattresses that belong to no princess of this game."""
    if -1 in state.princesses:
        return []
    own = {face for princess in state.princesses for face in full_set(state.game.variant, princess)}
    kinds = {kind for seen in turned_up.values() for kind in seen if kind[1:] in ("t", "s")}
    foreign = sorted(face for face in map(face_from_text, kinds) if face not in own)
    said = text("The mattress {mattress} does not belong to this game; one that does is missing.")
    return [said.of(mattress=_short_name(face)) for face in foreign]


def _setting_up(state: State, senses: Set[str]) -> tuple[list[str], list[str]]:
    """Sentences while the table is laid out: (what to lay next, what stays unknown).

    `senses`: groups of sensors (camera, board) that work now.
    """
    if not senses:
        said = text(
            "Nothing watches this table yet: plug in a camera or a board, and wait before you lay out the game."
        )
        return [said], []
    variant = state.game.variant
    missing: list[str] = []
    unknown: list[str] = []
    unseated = [bed + 1 for bed, princess in enumerate(state.princesses) if princess < 0]
    if CAMERA not in senses:
        missing += [text("Seat a princess on each bed.")] if unseated else []
        unknown.append(
            text("No camera: I do not see who sleeps where, which cards are played, what is turned up.")
        )
    elif len(unseated) == variant.beds:
        missing.append(text("Lay each princess flat on her bed for a moment, then stand her up."))
    elif unseated:
        missing.append(
            plural(
                "No princess seen yet in bed {beds}: lay her flat there for a moment, then stand her up.",
                "No princess seen yet in beds {beds}: lay each flat there for a moment, then stand her up.",
                n=len(unseated),
                beds=listed([str(bed) for bed in unseated]),
            )
        )
    total, dealt = variant.beds * variant.mattresses_per_bed, len(state.faces)
    if BOARD not in senses:
        missing.append(
            text("Lay {number} mattresses face down on each bed.", number=variant.mattresses_per_bed)
        )
        unknown.append(text("No board: I do not feel which mattress lies where; turn them up when you claim."))
    elif dealt < total:
        tap = text("Tap each mattress on the pad, then lay it face down on a bed.")
        so_far = text(
            "Tap each mattress on the pad, then lay it face down on a bed ({dealt} of {total} so far).",
            dealt=dealt,
            total=total,
        )
        missing.append(so_far if dealt else tap)
    if len(state.row) < 5:
        missing.append(text("Give everybody 5 cards and lay 5 open in a row."))
    return missing, unknown


def _possible(state: State) -> tuple[list[str], list[str]]:
    """Sentences for the player on turn: (what is allowed now, what is not and why)."""
    variant = state.game.variant
    match state.phase:
        case Phase.PLAY:
            to_be_had = len(state.row) + len(state.deck)
            sums = text("Play 3 equal cards (sums count) to check a mattress.")
            may: list[str] = [sums if variant.addition else text("Play 3 equal cards to check a mattress.")]
            may_not: list[str] = []
            if to_be_had:
                one, two = text("Discard 1 card and draw 1."), text("Discard 1 or 2 cards and draw as many.")
                may.append(two if to_be_had > 1 else one)
            else:
                may_not.append(text("No discarding: there is nothing left to draw."))
                may.append(text("Skip, if you cannot play."))
            return may, may_not
        case Phase.CHECK:
            return _possible_checks(state)
        case Phase.DRAW:
            need = 5 - len(state.hands[state.turn])
            closed: list[str] = [] if state.deck else [text("The deck is empty.")]
            if state.row and state.deck:
                return [text("Draw {number} more from the open row or the deck.", number=need)], closed
            if state.deck:
                return [text("Draw {number} more from the deck.", number=need)], closed
            return [text("Draw {number} more from the open row.", number=need)], closed
        case Phase.LAY:
            return [text("Fill the open row up to 5 from the deck.")], []
        case Phase.FINAL:
            return [text("Turn up the mattresses of every princess still awake.")], []
        case Phase.OVER:
            return [text("For another game clear the whole table, then lay it out anew.")], []
    return [], []


def _possible_checks(state: State) -> tuple[list[str], list[str]]:
    may: list[str] = []
    may_not: list[str] = []
    if state.touches:
        may.append(text("Touch the bottom mattress of one bed."))
    else:
        may_not.append(text("No more touching this turn."))
    if state.looks:
        twice, once = text("Look through the glass twice."), text("Look through the glass once.")
        may.append(twice if state.looks == 2 else once)
    elif state.game.variant.glass:
        may_not.append(text("No looking: every added sum gives one look."))
    if state.checked:
        may.append(text("Move a checked mattress to the top of a bed."))
    may.append(text("When done: cards to the discard pile, then draw until you have 5."))
    return may, may_not
