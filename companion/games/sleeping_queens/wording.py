"""Sleeping Queens in words: what everybody may see and read. Built from public facts alone."""

from collections.abc import Iterator, Mapping, Set
from typing import Any

from companion.games.api import CAMERA, UNKNOWN_KIND, Difference, Headline, Message, Outcome, Words
from companion.games.sleeping_queens.queens_cards import POWERS
from companion.games.sleeping_queens.rules.actions import (
    Action,
    Defend,
    Discard,
    Power,
    PutToSleep,
    Reveal,
    Shuffle,
    Wake,
    Yield,
)
from companion.games.sleeping_queens.rules.court import (
    ANSWER_TO,
    CELLS,
    EMPTY,
    ENEMY,
    JESTER,
    KIND_TEXT,
    KING,
    KNIGHT,
    POTION,
    QUEEN_NAMES,
    wins_with,
)
from companion.games.sleeping_queens.rules.equations import Cards
from companion.games.sleeping_queens.rules.game_end import points, winners
from companion.games.sleeping_queens.rules.legal_actions import attacker, targets, useful
from companion.games.sleeping_queens.rules.state import Phase, State

_TITLES = {
    Phase.PLAY: "PLAY",
    Phase.TARGET: "WHICH QUEEN",
    Phase.ANSWER: "DEFEND",
    Phase.SLEEP: "TO SLEEP",
    Phase.JESTER: "JESTER",
    Phase.WAKE: "WAKE ONE",
    Phase.REFILL: "DRAW",
    Phase.OVER: "THE END",
}
"""Phase -> the words shown big."""
WORDS = Words(
    titles=(_TITLES[Phase.OVER],),
    turn_titles=tuple(title for phase, title in _TITLES.items() if phase is not Phase.OVER),
    help=(
        "Lay what you play in the middle; when the turn is over sweep it onto the discard pile.",
        "Turn a queen up on her place first, then take her; lay your queens in front of you.",
    ),
    losses={
        "camera's hold": "cards that come and go while it looks for the mat are not seen",
        "camera's view": "some cards stay unread, or are read late",
        "camera": "I see no card that is played and no queen that is woken",
    },
)
MESSAGES = {
    "king": "{who} plays a king.",
    "knight": "{who} plays a knight.",
    "potion": "{who} plays a sleeping potion.",
    "jester": "{who} plays a jester.",
    "discard": "{who} discards {cards}.",
    "pair": "{who} discards a pair of {card}.",
    "equation": "{who} discards an equation: {sum}.",
    "dragon": "{who} stops the knight with a dragon.",
    "wand": "{who} breaks the spell with a wand.",
    "stolen": "{who} takes the {queen} queen from {other}.",
    "asleep": "The {queen} queen of {other} falls asleep again.",
    "wakes": "{who} wakes the {queen} queen: {points} points.",
    "quarrel": "{who} wakes the {queen} queen, who cannot stand the {enemy} queen and sleeps on.",
    "jester power": "The jester turns up {card}: {who} keeps it and plays again.",
    "jester number": "The jester counts to {number}: {who} wakes a queen.",
    "shuffled": "The discard pile is shuffled.",
}
"""What is told of a game, by id."""
_NAMES = {letters: name for letters, name, _ in POWERS}
_POWER_WORDS = {KING: "king", KNIGHT: "knight", POTION: "potion", JESTER: "jester"}


def card_name(kind: int) -> str:
    """A hand card in words."""
    return _NAMES.get(KIND_TEXT[kind], KIND_TEXT[kind])


def _cards(kinds: Cards) -> list[dict[str, str]]:
    return [{"kind": KIND_TEXT[kind], "name": card_name(kind)} for kind in kinds]


def screen(state: State, senses: Set[str]) -> Mapping[str, Any]:
    """The public state, with the fields of `session.events.Table`; `senses` are those at work."""
    may, may_not = _possible(state)
    if CAMERA not in senses:
        may, may_not = [], ["No camera: I do not see what is played.", *may_not]
    asleep = sum(queen != EMPTY for queen in state.cells)
    return {
        "phase": state.phase.name.lower(),
        "title": _TITLES[state.phase],
        "over": state.phase is Phase.OVER,
        "turn": state.turns,
        "player": 0 if state.phase is Phase.OVER else state.acting + 1,
        "places": [_place(state, player) for player in range(state.players)],
        "rows": [{"name": "played", "cards": _cards(state.played), "room": 5}],
        "played": [],
        "piles": [
            {"name": "asleep", "count": asleep, "full": CELLS},
            {"name": "deck", "count": len(state.deck)},
            {
                "name": "discard",
                "count": len(state.discard),
                "top": _cards(state.discard[-1:])[0] if state.discard else None,
            },
        ],
        "hands": [len(hand) for hand in state.hands],
        "may": may,
        "may_not": may_not,
    }


def _place(state: State, player: int) -> dict[str, Any]:
    queens = state.awake[player]
    number, worth = wins_with(state.players)
    won = state.phase is Phase.OVER and player in winners(state)
    return {
        "name": f"{points(queens)} of {worth} points, {len(queens)} of {number}",
        "badge": "won" if won else "player",
        "shown": [f"{QUEEN_NAMES[queen]} {points((queen,))}" for queen in queens],
    }


def _possible(state: State) -> tuple[list[str], list[str]]:
    """What may be done now, and what not and why."""
    may_not: list[str] = []
    match state.phase:
        case Phase.PLAY:
            for kind, reason in ((KNIGHT, "to steal"), (POTION, "to put to sleep")):
                if not useful(state, kind):
                    may_not.append(f"No {_POWER_WORDS[kind]}: there is no queen {reason}.")
            powers = [_POWER_WORDS[kind] for kind in (KING, KNIGHT, POTION, JESTER) if useful(state, kind)]
            return [
                f"Play a {', '.join(powers[:-1])} or {powers[-1]}."
                if len(powers) > 1
                else f"Play a {powers[0]}.",
                "Or discard one card, a pair of numbers, or an equation.",
            ], may_not
        case Phase.TARGET:
            kind = attacker(state)
            if kind == KNIGHT and len(targets(state, kind)) < len(targets(state, POTION)):
                may_not.append("Cat and Dog are never together.")
            return ["Say which queen of another player it is for."], may_not
        case Phase.ANSWER:
            answer = card_name(ANSWER_TO[attacker(state)])
            queen = QUEEN_NAMES[state.target]
            return [f"The {queen} queen is attacked: lay down a {answer}, or let it happen."], may_not
        case Phase.SLEEP:
            return [f"Lay the {QUEEN_NAMES[state.target]} queen face down on an empty place."], may_not
        case Phase.JESTER:
            return ["Turn up the top card of the draw pile beside the jester."], may_not
        case Phase.WAKE:
            return ["Turn up a sleeping queen and take her."], may_not
        case Phase.REFILL:
            return ["Sweep what was played onto the discard pile and draw up to five cards."], may_not
    return ["For another game clear the whole table, then lay it out anew."], may_not


def _message(kind: str, /, **of: str) -> Message:
    return Message(":".join((kind, *of.values())), MESSAGES[kind].format(**of))


def message(before: State, action: Action, after: State) -> Message | None:
    """What happened, for everybody; None where it is not worth a line."""
    who = f"Player {before.acting + 1}"
    match action:
        case Power(kind):
            return _message(_POWER_WORDS[kind], who=who)
        case Discard(cards) if len(cards) == 1:
            return _message("discard", who=who, cards=card_name(cards[0]))
        case Discard(cards) if len(cards) == 2:
            return _message("pair", who=who, card=f"{card_name(cards[0])}s")
        case Discard(cards):
            return _message("equation", who=who, sum=f"{' + '.join(map(str, cards[:-1]))} = {cards[-1]}")
        case Defend():
            return _message("dragon" if attacker(before) == KNIGHT else "wand", who=who)
        case Yield() if attacker(before) == KNIGHT:
            thief, queen = f"Player {before.turn + 1}", QUEEN_NAMES[before.target]
            return _message("stolen", who=thief, queen=queen, other=f"player {before.acting + 1}")
        case PutToSleep():
            owner = next(at for at, queens in enumerate(before.awake) if before.target in queens)
            return _message("asleep", queen=QUEEN_NAMES[before.target], other=f"player {owner + 1}")
        case Wake(cell, queen):
            return _woken(before, before.cells[cell] if queen is None else queen, after, who)
        case Reveal() if after.phase is Phase.WAKE:
            number = str(_turned_up(before, action, after))
            return _message("jester number", number=number, who=f"player {after.acting + 1}")
        case Reveal():
            card = card_name(_turned_up(before, action, after))
            article = "an" if card[0] in "aeiou" else "a"
            return _message("jester power", card=f"{article} {card}", who=f"player {after.turn + 1}")
        case Shuffle():
            return _message("shuffled")
    return None


def _turned_up(before: State, action: Reveal, after: State) -> int:
    return before.deck[-1] if action.kind is None else action.kind


def _woken(before: State, queen: int, after: State, who: str) -> Message:
    name = QUEEN_NAMES[queen]
    if queen not in after.awake[before.acting]:
        return _message("quarrel", who=who, queen=name, enemy=QUEEN_NAMES[ENEMY[queen]])
    return _message("wakes", who=who, queen=name, points=str(points((queen,))))


def headline(outcome: Outcome) -> Headline:
    """Who has won."""
    who = outcome.text.partition(".")[0]
    return Headline(who.upper(), f"{outcome.score} points", f"{who} with {outcome.score} points")


def difference(state: State, found: Difference) -> str:
    """What lies otherwise than it should, as one sentence for everybody."""
    extra, missing = _things(found.extra), _things(found.missing)
    place = _place_name(found.place)
    if extra and missing:
        return f"{place} I see {extra}, and miss {missing}."
    return f"{place} I see {extra} too many." if extra else f"{place} I miss {missing}."


def _place_name(zone: str) -> str:
    where, _, number = zone.rpartition(" ")
    match where:
        case "queen":
            return f"On place {number} of the sleeping queens"
        case "player":
            return f"In front of player {number}"
    return "On the discard pile" if zone == "discard" else "Among the played cards"


def _things(kinds: tuple[str, ...]) -> str:
    names = list(_named(kinds))
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _named(kinds: tuple[str, ...]) -> Iterator[str]:
    for kind in kinds:
        if kind == UNKNOWN_KIND:
            yield "a card"
        elif kind in QUEEN_NAMES:
            yield f"the {kind} queen"
        else:
            name = _NAMES.get(kind, kind)
            yield f"{'an' if name == '8' else 'a'} {name}"
