"""The public screen of Sleeping Queens 2: what lies where, and what players may do now."""

from collections.abc import Mapping, Set
from functools import partial
from typing import Any

from companion.core.language import Text, either, term, text
from companion.core.language import player as named
from companion.games import win_claims
from companion.games.narrator import NOTHING_SHOWN, SENSES, Words
from companion.games.queens.public_table import deck_and_discard, realm, table_head
from companion.games.queens.table import COLOURS
from companion.games.sleeping_queens_2 import terms
from companion.games.sleeping_queens_2.lessons import LESSONS
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.kinds import (
    CELLS,
    COMPANIONS,
    DECK_CARDS,
    EMPTY,
    GNOME,
    KIND_TEXT,
    QUEENS,
    Knight,
    kings_to_win,
)
from companion.games.sleeping_queens_2.rules.legal_actions import held, limit
from companion.games.sleeping_queens_2.rules.parts import Parts
from companion.games.sleeping_queens_2.rules.state import Cards, Phase, State
from companion.games.sleeping_queens_2.wording import PROMPTS, claimable
from companion.games.table_words import CAMERA_LOSSES

_TITLES = {
    Phase.SETUP: term("title", "LAY IT OUT"),
    Phase.ROLL: term("title", "ROLL THE DIE"),
    Phase.REROLL: term("title", "ROLL AGAIN"),
    Phase.WAKE: term("title", "WAKE A QUEEN"),
    Phase.DRAW: term("title", "DRAW CARDS"),
    Phase.INSTANT: term("title", "PLAY AT ONCE"),
    Phase.GNOME: term("title", "ROLL FOR GNOME"),
    Phase.FETCH: term("title", "TAKE A FRIEND"),
    Phase.STEAL: term("title", "STEAL A CARD"),
    Phase.TAKE: term("title", "TAKE A QUEEN"),
    Phase.EXCHANGE: term("title", "SWAP KNIGHTS"),
    Phase.SWAP: term("title", "SWAP A CARD"),
    Phase.PLAY: term("title", "PLAY A CARD"),
    Phase.RETURN: term("title", "LAY IT BACK"),
    Phase.DISCARD: term("title", "PUT CARDS AWAY"),
    Phase.OVER: term("title", "THE END"),
}
"""Phase -> words in large letters on the public screen."""
_SYMBOLS_OF_PHASES = {
    Phase.ROLL: "die",
    Phase.REROLL: "die",
    Phase.GNOME: "die",
    Phase.WAKE: "sun",
    Phase.SETUP: "cards",
    Phase.DRAW: "cards",
    Phase.INSTANT: "cards",
    Phase.PLAY: "cards",
    Phase.DISCARD: "cards",
    Phase.EXCHANGE: "move",
    Phase.SWAP: "move",
    Phase.OVER: "moon",
}
"""Phase -> name of the picture that shows what to do. Phases left out show a hand."""
_NOBODYS = (Phase.SETUP, Phase.OVER)
"""Phases in which no player is on turn."""
WORDS = Words(
    score_when=text("yes: somebody has rescued enough kings"),
    titles=tuple(_TITLES[phase] for phase in _NOBODYS),
    turn_titles=tuple(title for phase, title in _TITLES.items() if phase not in _NOBODYS),
    claim_title=win_claims.CLAIM_TITLE,
    help=(
        win_claims.CLAIM_HELP,
        text("Roll the die onto its place; lay the cards you draw face up in your realm, instant cards too."),
        text(
            'A sleeping queen lies face down in her realm. If she changes hands, show her first: place "show".'
        ),
        text("The sticker of your knight lies in front of its stand and goes along with it."),
    ),
    losses={
        **CAMERA_LOSSES,
        "camera": text("I see no die and no card that is drawn or played"),
    },
    verdicts=win_claims.VERDICTS,
    unclear=text("I did not see every king clearly."),
    lessons=LESSONS,
)
_SYMBOLS = {
    "WG": ("red", "gnome"),
    "SW": ("green", "hat"),
    "WI": ("teal", "tree"),
    "SB": ("indigo", "book"),
}
"""Letters of a kind, e.g. "WG" -> (colour, name of its picture)."""


def card_view(kind: int, parts: Parts) -> dict[str, Any]:
    """A card as screens show it: fields of `CardView` of the event stream.

    `parts`: printed parts of the box.
    """
    letters = KIND_TEXT[kind]
    colour, symbol = _SYMBOLS.get(letters, ("", ""))
    if kind in QUEENS:
        colour, symbol = "pink", "queen"
    elif kind in COMPANIONS:
        colour, symbol = "violet", "cat"
    elif letters.isdigit():
        colour = COLOURS[int(letters) - 1]
    look = kind - QUEENS.start if kind in QUEENS else 0
    mark = terms.symbol(kind, parts)
    return {
        "kind": letters,
        "name": terms.card(kind, parts),
        "colour": colour,
        "symbol": symbol,
        "look": look,
        "sign": f"mark {mark}" if mark else "",
    }


def _cards(kinds: Cards, parts: Parts) -> list[dict[str, Any]]:
    return [card_view(kind, parts) for kind in kinds]


def screen(
    state: State,
    assist: str,
    senses: Set[str] = SENSES,
    turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
) -> Mapping[str, Any]:
    """The public screen as JSON values: fields of `Table` of the event stream.

    `senses`: groups of sensors (camera, board) that work now. `assist` and `turned_up` make no difference.
    """
    symbol = _SYMBOLS_OF_PHASES.get(state.phase, "hand")
    down = sum(card != EMPTY and not up for card, up in zip(state.cells, state.face_up, strict=True))
    up = tuple(card for card, lies_up in zip(state.cells, state.face_up, strict=True) if lies_up)
    drawn = state.drawn + ((state.played,) if state.played else ())
    return {
        **table_head(state, _TITLES[state.phase], symbol, _possible(state), senses, PROMPTS["camera"]),
        "player": 0 if state.phase in _NOBODYS else state.turn + 1,
        "places": [_place(state, player) for player in range(state.players)],
        "rows": [
            {"name": term("pile", "drawn"), "cards": _cards(drawn, state.parts), "room": 4},
            {"name": term("pile", "companions face up"), "cards": _cards(up, state.parts), "room": 4},
        ],
        "played": _cards((state.carried,), state.parts) if state.carried else [],
        "piles": [
            {"name": term("pile", "companions"), "count": down, "full": CELLS},
            *deck_and_discard(state, partial(card_view, parts=state.parts), DECK_CARDS),
        ],
        "hands": [len(held(state, player)) for player in range(state.players)],
    }


def _place(state: State, player: int) -> dict[str, Any]:
    knight, parts = state.knights[player], state.parts
    kings = {"kings": state.kings[player], "wanted": kings_to_win(state.players)}
    progress = (state.kings[player], kings_to_win(state.players))
    return {
        **realm(state, player, claimable(state, player), progress, ahead=winner(state) == player),
        "name": text("{kings} of {wanted} kings, no knight", **kings)
        if knight == Knight.UNKNOWN
        else text("{kings} of {wanted} kings, {colour} knight", **kings, colour=terms.colour(knight, parts)),
        "shown": [
            *(terms.card(card, parts) for card in state.realms[player]),
            *(_asleep(terms.card(card, parts)) for card in state.asleep[player]),
            *(terms.card(card, parts) for card in state.companions[player]),
        ],
        "cards": [
            *_cards(state.realms[player], parts),
            *(
                {**card, "name": _asleep(card["name"]), "symbol": "sleeping queen"}
                for card in _cards(state.asleep[player], parts)
            ),
            *_cards(state.companions[player], parts),
        ],
    }


def _asleep(card: str) -> Text:
    return text("{card} asleep", card=card)


def _possible(state: State) -> tuple[list[str], list[str]]:
    """Sentences on the next step: (what is allowed now, what is not and why)."""
    told: dict[str, Any] = {}
    prompt = state.phase.name.lower()
    match state.phase:
        case Phase.SETUP:
            unknown = Knight.UNKNOWN in state.knights
            prompt = "knights" if unknown else "open"
            told["player"] = named(state.knights.index(Knight.UNKNOWN) + 1, within=True) if unknown else 0
        case Phase.DRAW:
            prompt, told["draws"] = "draw" if state.deck else "shuffle", state.draws
        case Phase.INSTANT:
            names = (terms.card(card, state.parts) for card in state.drawn if card >= GNOME)
            told["cards"] = either([*dict.fromkeys(names)])
        case Phase.FETCH:
            prompt = _fetching(state)
        case Phase.RETURN:
            prompt, told["companion"] = "back", terms.one(state.carried, state.parts)
        case Phase.DISCARD:
            told["limit"] = limit(state)
        case Phase.OVER:
            prompt = "end"
    return [PROMPTS[prompt].of(**told)], _not_possible(state)


def _not_possible(state: State) -> list[str]:
    """Sentences on what may not be done now, and why."""
    if state.phase is Phase.SWAP:
        return [
            PROMPTS["shielded"].of(player=named(player + 1, within=True))
            for player in range(state.players)
            if player != state.turn and state.knights[player] == Knight.WITCH
        ]
    if state.phase is not Phase.PLAY:
        return []
    told: list[str] = []
    if state.asleep[state.turn]:
        told.append(PROMPTS["asleep"])
    if state.cells.count(EMPTY) == CELLS:
        told.append(PROMPTS["no equation"])
    return told


def _fetching(state: State) -> str:
    lying = [up for card, up in zip(state.cells, state.face_up, strict=True) if card != EMPTY]
    if lying and all(lying):
        return "mix"
    return "fetch or not" if state.played else "fetch"
