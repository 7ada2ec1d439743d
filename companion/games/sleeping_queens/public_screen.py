"""The public screen of Sleeping Queens: what lies where, and what players may do now."""

from collections.abc import Mapping, Set
from typing import Any

from companion.core.language import Text, either, term, text
from companion.core.language import player as named
from companion.games import win_claims
from companion.games.narrator import NOTHING_SHOWN, SENSES, Words
from companion.games.queens.public_table import deck_and_discard, realm, table_head
from companion.games.queens.table import COLOURS
from companion.games.sleeping_queens import terms
from companion.games.sleeping_queens.lessons import LESSONS
from companion.games.sleeping_queens.rules.game_end import points, winners, wins_with
from companion.games.sleeping_queens.rules.kinds import (
    ANSWER_TO,
    CELLS,
    DRAGON,
    EMPTY,
    JESTER,
    KIND_TEXT,
    KING,
    KNIGHT,
    NUMBERS,
    POTION,
    QUEEN_NAMES,
    WAND,
)
from companion.games.sleeping_queens.rules.legal_actions import attacker, targets, useful
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.games.sleeping_queens.wording import POWER_WORDS, PROMPTS, claimable
from companion.games.table_words import CAMERA_LOSSES

_TITLES = {
    Phase.PLAY: term("title", "PLAY A CARD"),
    Phase.TARGET: term("title", "NAME A QUEEN"),
    Phase.ANSWER: term("title", "DEFEND HER"),
    Phase.SLEEP: term("title", "LAY HER DOWN"),
    Phase.JESTER: term("title", "TURN A CARD UP"),
    Phase.WAKE: term("title", "WAKE A QUEEN"),
    Phase.REFILL: term("title", "DRAW CARDS"),
    Phase.OVER: term("title", "THE END"),
}
"""Phase -> words in large letters on the public screen."""
_SYMBOLS_OF_PHASES = {
    Phase.PLAY: "cards",
    Phase.TARGET: "eye",
    Phase.ANSWER: "shield",
    Phase.SLEEP: "moon",
    Phase.JESTER: "cards",
    Phase.WAKE: "sun",
    Phase.REFILL: "cards",
    Phase.OVER: "moon",
}
"""Phase -> name of the picture that shows what to do."""
WORDS = Words(
    score_when=text("yes: somebody has won, or no queen sleeps any more"),
    lessons=LESSONS,
    titles=(_TITLES[Phase.OVER],),
    turn_titles=tuple(title for phase, title in _TITLES.items() if phase is not Phase.OVER),
    claim_title=win_claims.CLAIM_TITLE,
    help=(
        win_claims.CLAIM_HELP,
        text("Lay what you play in the middle; when the turn is over sweep it onto the discard pile."),
        text("Turn a queen up on her place first, then take her; lay your queens in front of you."),
        text(
            "A hint on your own cards: k, then the cards. Or k, then camera, while they lie in the private "
            "corner."
        ),
    ),
    losses={
        **CAMERA_LOSSES,
        "camera": text("I see no card that is played and no queen that is woken"),
    },
    verdicts=win_claims.VERDICTS,
    unclear=text("I did not see every queen clearly."),
)
_SYMBOLS = {
    KING: ("amber", "crown"),
    KNIGHT: ("blue", "helmet"),
    POTION: ("violet", "bottle"),
    JESTER: ("pink", "cap"),
    WAND: ("indigo", "wand"),
    DRAGON: ("teal", "dragon"),
}
"""Power card -> (colour, name of its picture)."""


def card_view(kind: int) -> dict[str, Any]:
    """A hand card as screens show it: fields of `CardView` of the event stream."""
    colour, symbol = _SYMBOLS.get(kind, (COLOURS[kind - 1] if kind in NUMBERS else "", ""))
    return {"kind": KIND_TEXT[kind], "name": terms.card(kind), "colour": colour, "symbol": symbol}


def hand_cards(state: State) -> list[dict[str, str]]:
    """Every kind that a hand may hold, as fields of `CardView` of the event stream."""
    return [*map(card_view, range(1, len(KIND_TEXT)))]


def screen(
    state: State,
    assist: str,
    senses: Set[str] = SENSES,
    turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
) -> Mapping[str, Any]:
    """The public screen as JSON values: fields of `Table` of the event stream.

    `senses`: groups of sensors (camera, board) that work now. `assist` and `turned_up` make no difference.
    """
    asleep = sum(queen != EMPTY for queen in state.cells)
    phase = state.phase
    head = table_head(
        state, _TITLES[phase], _SYMBOLS_OF_PHASES[phase], _possible(state), senses, PROMPTS["camera"]
    )
    return {
        **head,
        "player": 0 if phase is Phase.OVER else state.acting + 1,
        "within": 0 if phase is Phase.OVER or state.acting == state.turn else state.turn + 1,
        "places": [_place(state, player) for player in range(state.players)],
        "rows": [{"name": term("pile", "played"), "cards": [*map(card_view, state.played)], "room": 5}],
        "piles": [
            {"name": term("pile", "asleep"), "count": asleep, "full": CELLS},
            *deck_and_discard(state, card_view),
        ],
        "hands": [len(hand) for hand in state.hands],
    }


def _place(state: State, player: int) -> dict[str, Any]:
    queens = state.awake[player]
    number, worth = wins_with(state.players)
    closed = claimable(state, player)
    return {
        **realm(state, player, closed, (points(queens), worth), ahead=player in winners(state)),
        "name": text(
            "points {points}/{worth}, queens {queens}/{number}",
            points=points(queens),
            worth=worth,
            queens=len(queens),
            number=number,
        ),
        "shown": [_with_points(queen) for queen in queens],
        "cards": [
            {
                "kind": QUEEN_NAMES[queen],
                "name": _with_points(queen),
                "colour": COLOURS[queen % len(COLOURS)],
                "symbol": "queen",
                "look": queen,
                "sign": QUEEN_NAMES[queen].lower(),
            }
            for queen in queens
        ],
    }


def _with_points(queen: int) -> Text:
    return text("{queen} {points}", queen=terms.queen(queen), points=points((queen,)))


def _possible(state: State) -> tuple[list[str], list[str]]:
    """Sentences on the next step: (what is allowed now, what is not and why)."""
    told: dict[str, str] = {}
    may_not: list[str] = []
    may: list[str]
    match state.phase:
        case Phase.PLAY:
            may_not = [
                PROMPTS[f"no {POWER_WORDS[kind]}"] for kind in (KNIGHT, POTION) if not useful(state, kind)
            ]
            powers = [
                terms.one(KIND_TEXT[kind]) for kind in (KING, KNIGHT, POTION, JESTER) if useful(state, kind)
            ]
            told["cards"] = either(powers)
        case Phase.TARGET:
            kind = attacker(state)
            if kind == KNIGHT and len(targets(state, kind)) < len(targets(state, POTION)):
                may_not = [PROMPTS["enemies"]]
        case Phase.ANSWER:
            told = {
                "queen": terms.queen(state.target),
                "answer": terms.one(KIND_TEXT[ANSWER_TO[attacker(state)]]),
            }
        case Phase.SLEEP:
            told["queen"] = terms.queen(state.target)
    may = [PROMPTS[state.phase.name.lower()].of(**told)]
    if state.phase is Phase.PLAY:
        may.append(PROMPTS["or discard"])
    elif state.phase is not Phase.OVER and state.acting != state.turn:
        may.append(PROMPTS["within"].of(who=named(state.turn + 1, within=True)))
    return may, may_not
