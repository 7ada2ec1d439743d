"""Sleeping Queens 2 in words: what everybody may see and read. Built from public facts alone."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from math import prod
from typing import Any

from companion.core.language import listed
from companion.games import announcements
from companion.games.announcements import ClaimWin, Insist, TakeBack
from companion.games.api import CAMERA, UNKNOWN_KIND, Difference, Headline, Judgement, Message, Outcome, Words
from companion.games.sleeping_queens_2.queens_2_cards import KNIGHT_OF_KIND, KNIGHT_POWERS, OTHERS
from companion.games.sleeping_queens_2.rules import actions as do
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.against_rules import why_not
from companion.games.sleeping_queens_2.rules.apply import apply
from companion.games.sleeping_queens_2.rules.equations import is_equation, is_mixed
from companion.games.sleeping_queens_2.rules.game_end import OUTCOME, winner
from companion.games.sleeping_queens_2.rules.kinds import (
    CELLS,
    COMPANIONS,
    DECK_CARDS,
    EMPTY,
    GNOME,
    KIND_OF_TEXT,
    KIND_TEXT,
    QUEENS,
    UNKNOWN,
    WILLOW,
    Knight,
    kings_to_win,
)
from companion.games.sleeping_queens_2.rules.legal_actions import held, limit
from companion.games.sleeping_queens_2.rules.parts import DRAGON, Parts
from companion.games.sleeping_queens_2.rules.state import Cards, Phase, State
from companion.games.sleeping_queens_2.rules.table_changes import END
from companion.games.table_words import DIFFERENCES, catalogue
from companion.games.table_words import difference as differs

_TITLES = {
    Phase.SETUP: "LAY OUT",
    Phase.ROLL: "ROLL",
    Phase.REROLL: "ROLL AGAIN",
    Phase.WAKE: "WAKE ONE",
    Phase.DRAW: "DRAW",
    Phase.INSTANT: "INSTANT",
    Phase.GNOME: "GNOME",
    Phase.FETCH: "COMPANION",
    Phase.STEAL: "STEAL",
    Phase.TAKE: "TAKE A QUEEN",
    Phase.EXCHANGE: "SWAP KNIGHTS",
    Phase.SWAP: "SWAP",
    Phase.PLAY: "PLAY",
    Phase.RETURN: "LAY BACK",
    Phase.DISCARD: "DISCARD",
    Phase.OVER: "THE END",
}
"""Phase -> the words shown big."""
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
"""Phase -> the picture of what to do; a hand for all others."""
_NOBODYS = (Phase.SETUP, Phase.OVER)
"""Phases in which it is nobody's turn."""
WORDS = Words(
    titles=tuple(_TITLES[phase] for phase in _NOBODYS),
    turn_titles=tuple(title for phase, title in _TITLES.items() if phase not in _NOBODYS),
    claim_title=announcements.CLAIM_TITLE,
    help=(
        announcements.CLAIM_HELP,
        "Roll the die onto its place; lay the cards you draw face up in your realm, instant cards too.",
        'A sleeping queen lies face down in her realm. If she changes hands, show her first: place "show".',
        "The sticker of your knight lies in front of its stand and goes along with it.",
    ),
    losses={
        "camera's hold": "cards that come and go while it looks for the mat are not seen",
        "camera's view": "some cards stay unread, or are read late",
        "camera": "I see no die and no card that is drawn or played",
    },
    verdicts=announcements.VERDICTS,
    unclear="I did not see every king clearly.",
)
HEADLINE = "{who} with {kings}"
MESSAGES = {
    "dragon": "{who} rolls a dragon: all knights move on to the left.",
    "wakes": "{who} wakes {queen}.",
    "all wake": "{who} lays a pair of {card}s: all queens wake.",
    "gnome": "{who} meets a wild gnome.",
    "witch": "{who} meets a switch witch.",
    "willow": "A sleeping willow: the queens of player {other} fall asleep.",
    "willow no": "A sleeping willow, and nobody falls asleep.",
    "fetches": "{who} fetches {companion}.",
    "mixed": "All companions lie face up: they are shuffled and laid face down.",
    "steals": "{who} steals {card} from player {other}.",
    "takes": "{who} takes {queen} from the discard pile.",
    "exchange": "The knights of {one} and {two} change places.",
    "swap": "{who} swaps {own} for {card} of player {other}.",
    "unused": "{who} leaves the {card} unused.",
    "equation": "{who} lays an equation: {cards}.",
    "book": "{who} reads a spell book and takes {card} from the discard pile.",
    "rescue": "{who} rescues a king with {queen}: {kings} of {wanted}.",
    "shuffled": "The discard pile is shuffled.",
    "knight": "Player {other} has the {colour} knight: {power}.",
    "forbidden": "{who} {does}: {reason} (rulebook, {section}). Take it back, or play on.",
    **announcements.MESSAGES,
}
"""What is told of a game, by id."""
FORBIDDEN = {
    do.Equation: "lays {cards} as an equation",
    do.FalsePair: "lays {first} and {second} as a pair",
    do.Rescue: "rescues a king with {queen} and {companion}",
    do.Steal: "takes {kind} from player {victim}",
    do.Swap: "swaps {own} for {kind} of player {victim}",
    do.End: "keeps {cards} cards",
    do.Lull: "has the queens of player {player} fall asleep",
    do.Reroll: "rolls the die again",
    do.Draw: "draws {kind}",
    do.OutOfOrder: "goes on with the turn",
    do.Discard: "lays a {kind} aside",
}
"""What somebody did although the rules forbid it, by the action that was insisted on."""
REASONS = {
    "sum": "{sum} and {product}, not {result}",
    "mixed": "an equation has one operation, on one side",
    "knight": "one more or less takes the {colour} knight",
    "equal": "an equation has at least three numbers",
    "asleep": "whoever sleeps rescues nobody",
    "no-match": "their symbols are {queen} and {companion}",
    "companion": "companions are not taken, and swapped for companions only",
    "shielded": "the {colour} knight protects that realm",
    "too-many-cards": "{limit} may be kept",
}
"""Why it is forbidden, where the rules' own words do not say it to people."""
PROMPTS = {
    "camera": "No camera: I do not see the die or what is played.",
    "knights": "Lay the sticker of a knight in front of player {player}.",
    "open": "Turn up the first card of the discard pile.",
    "roll": "Roll the die.",
    "reroll": "A 1: roll again, or draw one card.",
    "wake": "Turn one sleeping queen up, or let all sleep.",
    "draw": "Draw a card and lay it face up in the realm: {draws} to go.",
    "shuffle": "Shuffle the discard pile: it is the draw pile now.",
    "instant": "Play an instant card: {cards}.",
    "gnome": "Roll the die for the gnome.",
    "fetch": "Take a companion who lies face down.",
    "fetch or not": "The gnome gives a companion who lies face down; she may stay.",
    "mix": "Shuffle all companions of the grid and lay them face down.",
    "steal": "The gnome takes a card from another realm, no companion and no king.",
    "take": "The gnome takes a queen from the discard pile.",
    "exchange": "The gnome lets two knights change places.",
    "swap": "The witch swaps a card for one of another realm, or a companion for a companion.",
    "shielded": "No witch for player {player}: the knight protects that realm.",
    "play": "Lay an equation, a pair, a spell book, or rescue a king; or end the turn.",
    "asleep": "Whoever sleeps rescues nobody: a pair of numbers wakes all queens.",
    "no equation": "No equation: no companion lies in the grid.",
    "back": "Lay {companion} face up on an empty place and take a king.",
    "discard": "Discard down to {limit} cards.",
    "end": "For another game clear the whole table, then lay it out anew.",
}
"""What may be done, and what not and why, by id."""
SENTENCES = catalogue(
    message=MESSAGES,
    prompt=PROMPTS,
    difference=DIFFERENCES,
    verdict=announcements.WIN_REASONS,
    unclaimed=announcements.UNCLAIMED,
    end={"outcome": OUTCOME, "headline": HEADLINE},
)
"""Every sentence at the table; hints have theirs (hints.hint_wording)."""
_NAMES = {letters: name for letters, name, _ in OTHERS}


def card_name(kind: int, parts: Parts) -> str:
    """A card in words, with its symbol if it has one."""
    text = KIND_TEXT[kind]
    if kind in QUEENS:
        return f"queen {kind - QUEENS.start + 1} {parts.queens[kind - QUEENS.start]}"
    if kind in COMPANIONS:
        return f"companion {kind - COMPANIONS.start + 1} {parts.companions[kind - COMPANIONS.start]}"
    return _NAMES.get(text, text)


COLOURS = ("orange", "amber", "yellow", "green", "teal", "blue", "indigo", "violet", "pink", "red")
"""Colours of the numbers from 1 on."""
_SYMBOLS = {
    "WG": ("red", "gnome"),
    "SW": ("green", "hat"),
    "WI": ("teal", "tree"),
    "SB": ("indigo", "book"),
}
"""Letters of a kind -> its colour, and what is drawn on it."""


def card_view(kind: int, parts: Parts) -> dict[str, str]:
    """A card, with the fields of `session.events.CardView`."""
    text = KIND_TEXT[kind]
    colour, symbol = _SYMBOLS.get(text, ("", ""))
    if kind in QUEENS:
        colour, symbol = "pink", "queen"
    elif kind in COMPANIONS:
        colour, symbol = "violet", "cat"
    elif text.isdigit():
        colour = COLOURS[int(text) - 1]
    return {"kind": text, "name": card_name(kind, parts), "colour": colour, "symbol": symbol}


def _cards(kinds: Cards, parts: Parts) -> list[dict[str, str]]:
    return [card_view(kind, parts) for kind in kinds]


def screen(state: State, senses: Set[str]) -> Mapping[str, Any]:
    """The public state, with the fields of `session.events.Table`; `senses` are those at work."""
    may, may_not = _possible(state)
    if CAMERA not in senses:
        may, may_not = [], [PROMPTS["camera"], *may_not]
    down = sum(card != EMPTY and not up for card, up in zip(state.cells, state.face_up, strict=True))
    up = tuple(card for card, lies_up in zip(state.cells, state.face_up, strict=True) if lies_up)
    drawn = state.drawn + ((state.played,) if state.played else ())
    return {
        "phase": state.phase.name.lower(),
        "title": _TITLES[state.phase],
        "symbol": _SYMBOLS_OF_PHASES.get(state.phase, "hand"),
        "over": state.phase is Phase.OVER,
        "turn": state.turns,
        "player": 0 if state.phase in _NOBODYS else state.turn + 1,
        "places": [_place(state, player) for player in range(state.players)],
        "rows": [
            {"name": "drawn", "cards": _cards(drawn, state.parts), "room": 4},
            {"name": "companions face up", "cards": _cards(up, state.parts), "room": 4},
        ],
        "played": _cards((state.carried,), state.parts) if state.carried else [],
        "piles": [
            {"name": "companions", "count": down, "full": CELLS},
            {"name": "deck", "count": len(state.deck), "full": DECK_CARDS},
            {
                "name": "discard",
                "count": len(state.discard),
                "top": _cards(state.discard[-1:], state.parts)[0] if state.discard else None,
            },
        ],
        "hands": [len(held(state, player)) for player in range(state.players)],
        "may": may,
        "may_not": may_not,
    }


def _place(state: State, player: int) -> dict[str, Any]:
    knight, parts = state.knights[player], state.parts
    colour = "no" if knight == Knight.UNKNOWN else parts.colours[knight]
    won = state.phase is Phase.OVER and winner(state) == player
    return {
        "name": f"{state.kings[player]} of {kings_to_win(state.players)} kings, {colour} knight",
        "badge": "won" if won else "player",
        "claim": "" if claimable(state) else f"player {player + 1} has won",
        "shown": [
            *(card_name(card, parts) for card in state.realms[player]),
            *(f"{card_name(card, parts)} asleep" for card in state.asleep[player]),
            *(card_name(card, parts) for card in state.companions[player]),
        ],
        "cards": [
            *_cards(state.realms[player], parts),
            *({**card, "name": f"{card['name']} asleep"} for card in _cards(state.asleep[player], parts)),
            *_cards(state.companions[player], parts),
        ],
        "figure": "realm",
        "player": player + 1,
        "progress": (state.kings[player], kings_to_win(state.players)),
    }


def _possible(state: State) -> tuple[list[str], list[str]]:
    """What may be done now, and what not and why."""
    told: dict[str, Any] = {}
    may_not: list[str] = []
    prompt = state.phase.name.lower()
    match state.phase:
        case Phase.SETUP:
            unknown = Knight.UNKNOWN in state.knights
            prompt = "knights" if unknown else "open"
            told["player"] = state.knights.index(Knight.UNKNOWN) + 1 if unknown else 0
        case Phase.DRAW:
            prompt, told["draws"] = "draw" if state.deck else "shuffle", state.draws
        case Phase.INSTANT:
            names = (card_name(card, state.parts) for card in state.drawn if card >= GNOME)
            told["cards"] = " or ".join(dict.fromkeys(names))
        case Phase.FETCH:
            prompt = _fetching(state)
        case Phase.SWAP:
            may_not += [
                PROMPTS["shielded"].format(player=player + 1)
                for player in range(state.players)
                if player != state.turn and state.knights[player] == Knight.WITCH
            ]
        case Phase.PLAY:
            may_not += [PROMPTS["asleep"]] if state.asleep[state.turn] else []
            may_not += [PROMPTS["no equation"]] if state.cells.count(EMPTY) == CELLS else []
        case Phase.RETURN:
            prompt, told["companion"] = "back", card_name(state.carried, state.parts)
        case Phase.DISCARD:
            told["limit"] = limit(state)
        case Phase.OVER:
            prompt = "end"
    return [PROMPTS[prompt].format(**told)], may_not


def _fetching(state: State) -> str:
    lying = [up for card, up in zip(state.cells, state.face_up, strict=True) if card != EMPTY]
    if lying and all(lying):
        return "mix"
    return "fetch or not" if state.played else "fetch"


def _message(kind: str, /, **of: str) -> Message:
    return Message(":".join((kind, *of.values())), MESSAGES[kind].format(**of))


def message(before: State, action: Action, after: State) -> Message | None:
    """What happened, for everybody; None where it is not worth a line."""
    who, parts = f"Player {before.turn + 1}", before.parts
    match action:
        case do.Give(knight):
            colour, power = parts.colours[knight], KNIGHT_POWERS[Knight(knight)]
            player = str(before.knights.index(Knight.UNKNOWN) + 1)
            return _message("knight", other=player, colour=colour, power=power)
        case do.Roll(face) if face == DRAGON and not before.played:
            return _message("dragon", who=who)
        case do.Wake(queen):
            return _message("wakes", who=who, queen=card_name(queen, parts))
        case do.Pair(number):
            return _message("all wake", who=who, card=str(number))
        case do.Instant(kind) if kind == WILLOW:
            return _willow(before, after)
        case do.Instant(kind):
            return _message("gnome" if kind == GNOME else "witch", who=who)
        case do.Fetch(cell, companion):
            taken = before.cells[cell] if companion is None else companion
            return _message("fetches", who=who, companion=_known(taken, parts))
        case do.Mix():
            return _message("mixed")
        case do.Steal(victim, kind):
            return _message("steals", who=who, card=with_article(kind, parts), other=str(victim + 1))
        case do.Take(queen):
            return _message("takes", who=who, queen=card_name(queen, parts))
        case do.Exchange(one, two):
            return _message("exchange", one=f"player {one + 1}", two=f"player {two + 1}")
        case do.Swap(own, victim, kind):
            own_text, text = with_article(own, parts), with_article(kind, parts)
            return _message("swap", who=who, own=own_text, card=text, other=str(victim + 1))
        case do.Pass() if before.played:
            return _message("unused", who=who, card=card_name(before.played, parts))
    return _of_play(before, action, who)


def _of_play(before: State, action: Action, who: str) -> Message | None:
    match action:
        case do.Equation(cards):
            return _message("equation", who=who, cards=" ".join(map(str, cards)))
        case do.Book(number):
            return _message("book", who=who, card=with_article(number, before.parts))
        case do.Rescue(queen, _):
            kings, wanted = str(before.kings[before.turn] + 1), str(kings_to_win(before.players))
            name = card_name(queen, before.parts)
            return _message("rescue", who=who, queen=name, kings=kings, wanted=wanted)
        case do.Shuffle():
            return _message("shuffled")
        case Insist(forbidden):
            return replace(_forbidden(before, forbidden, who), at_once=True)
        case ClaimWin(player):
            return _claimed(before, player)
        case TakeBack():
            return _message("taken back", who=f"Player {(before.undo or before).turn + 1}")
    return None


def _forbidden(state: State, action: Action, who: str) -> Message:
    """What somebody did although the rules forbid it, and why: gently, for the table may let it stand."""
    error = why_not(state, action, apply)
    does = FORBIDDEN[type(action)].format(**_told(state, action))
    reason = REASONS[error.code].format(**_reasons(state, action)) if error.code in REASONS else error.text
    if isinstance(action, do.Equation):
        reason = why_no_equation(state, action.cards)
    return _message("forbidden", who=who, does=does, reason=reason, section=error.section)


def _told(state: State, action: Action) -> dict[str, str]:
    """The parts of an action in words, by their names."""
    if isinstance(action, do.End):
        return {"cards": str(len(held(state, state.turn)))}
    if isinstance(action, do.Draw):
        return {"kind": "a card" if action.kind is None else with_article(action.kind, state.parts)}
    told: dict[str, str] = {}
    for name in action.__slots__:
        value = getattr(action, name)
        match name:
            case "cards":
                told[name] = " ".join(map(str, value))
            case "victim" | "player":
                told[name] = str(value + 1)
            case _:
                article = isinstance(action, do.Steal | do.Swap)
                told[name] = (with_article if article else card_name)(value, state.parts)
    return told


def _reasons(state: State, action: Action) -> dict[str, str]:
    told = {"limit": str(limit(state)), "colour": state.parts.colours[Knight.WITCH]}
    if isinstance(action, do.Rescue):
        parts = state.parts
        told["queen"] = parts.queens[action.queen - QUEENS.start]
        told["companion"] = parts.companions[action.companion - COMPANIONS.start]
    return told


def why_no_equation(state: State, cards: Cards) -> str:
    """Why number cards (ascending) are no equation of the player on turn."""
    *others, result = cards
    if len(cards) < 3:
        return REASONS["equal"]
    if is_equation(cards, knight=True):
        return REASONS["knight"].format(colour=state.parts.colours[Knight.MATH])
    if is_mixed(cards):
        return REASONS["mixed"]
    return REASONS["sum"].format(
        sum=f"{' + '.join(map(str, others))} is {sum(others)}",
        product=f"{' x '.join(map(str, others))} is {prod(others)}",
        result=result,
    )


def claimable(state: State) -> str | None:
    """Why nobody can say now that they have won, or None if they can."""
    if state.phase is Phase.SETUP:
        return announcements.UNCLAIMED["not begun"]
    return announcements.UNCLAIMED["over"] if state.phase is Phase.OVER else None


def judge(state: State, subject: int) -> Judgement:
    """Whether a player (from 0) has won; nothing of it is hidden."""
    wanted = kings_to_win(state.players)
    coming = state.phase is Phase.RETURN and subject == state.turn
    return announcements.win_judgement(
        _kings(state.kings[subject]),
        _kings(wanted),
        END,
        won=state.kings[subject] >= wanted,
        waits=coming and state.kings[subject] + 1 >= wanted,
    )


def _claimed(state: State, player: int) -> Message:
    kind = announcements.MESSAGE_OF[judge(state, player).verdict]
    has, wanted = _kings(state.kings[player]), _kings(kings_to_win(state.players))
    return _message(kind, who=f"Player {player + 1}", has=has, wanted=wanted)


def _kings(number: int) -> str:
    return f"{number or 'no'} king{'' if number == 1 else 's'}"


def _willow(before: State, after: State) -> Message:
    slept = [
        player for player in range(before.players) if len(after.asleep[player]) > len(before.asleep[player])
    ]
    return _message("willow", other=str(slept[0] + 1)) if slept else _message("willow no")


def _known(companion: int, parts: Parts) -> str:
    return "a companion" if companion == UNKNOWN else card_name(companion, parts)


def with_article(kind: int, parts: Parts) -> str:
    """A card with its article; queens and companions are each one alone."""
    name = card_name(kind, parts)
    if kind in QUEENS or kind in COMPANIONS:
        return name
    return f"{'an' if name == '8' else 'a'} {name}"


def headline(outcome: Outcome) -> Headline:
    """Who has won."""
    who = outcome.text.partition(".")[0]
    kings = _kings(outcome.score)
    return Headline(who.upper(), kings, HEADLINE.format(who=who, kings=kings))


def difference(state: State, found: Difference) -> str:
    """What lies otherwise than it should, as one sentence for everybody."""
    extra, missing = (_things(kinds, state.parts) for kinds in (found.extra, found.missing))
    return differs(_place_name(found.place), extra, missing)


def _place_name(zone: str) -> str:
    where, _, number = zone.rpartition(" ")
    match where:
        case "companion":
            return f"On place {number} of the grid"
        case "player":
            return f"In the realm of player {number}"
    return "On the discard pile"


def _things(kinds: tuple[str, ...], parts: Parts) -> str:
    return listed([*_named(kinds, parts)])


def _named(kinds: tuple[str, ...], parts: Parts) -> Iterator[str]:
    for kind in kinds:
        if kind == UNKNOWN_KIND:
            yield "a card"
        elif kind in KIND_OF_TEXT:
            yield with_article(KIND_OF_TEXT[kind], parts)
        elif kind in KNIGHT_OF_KIND:
            yield f"the {parts.colours[KNIGHT_OF_KIND[kind]]} knight"
        else:
            yield f"a {_NAMES.get(kind, kind)}"
