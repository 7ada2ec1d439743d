"""The notation of actions."""

from companion.games.sleeping_queens.notation import tokens
from companion.games.sleeping_queens.rules.actions import (
    Action,
    Defend,
    DefendLate,
    Discard,
    Power,
    PutToSleep,
    Refill,
    Reveal,
    Shuffle,
    Target,
    Wake,
    Yield,
)
from companion.games.sleeping_queens.rules.kinds import (
    JESTER,
    KIND_TEXT,
    KING,
    KNIGHT,
    POTION,
    QUEEN_NAMES,
    UNKNOWN,
)
from companion.games.win_claims import ClaimWin, Insist, TakeBack

POWER_WORDS = {KING: "king", JESTER: "jester", KNIGHT: "knight", POTION: "potion"}
_POWER_OF = {word: kind for kind, word in POWER_WORDS.items()}
_PLAIN: dict[str, Action] = {
    "defend": Defend(),
    "yield": Yield(),
    "refill": Refill(),
    "take back": TakeBack(),
}


def write_action(action: Action) -> str:
    """An action as text, e.g. `wake 3=Rose`. Players and grid places count from 1."""
    match action:
        case Power(kind):
            return POWER_WORDS.get(kind, f"power {KIND_TEXT[kind]}")
        case Discard(cards):
            return f"discard {' '.join(KIND_TEXT[kind] for kind in cards)}"
        case Target(queen):
            return f"target {QUEEN_NAMES[queen]}"
        case PutToSleep(cell):
            return f"sleep {cell + 1}"
        case Wake(cell, queen):
            return f"wake {cell + 1}" + ("" if queen is None else f"={QUEEN_NAMES[queen]}")
        case Reveal(kind, chosen):
            named = "" if kind is None else f"={KIND_TEXT[kind]}"
            return f"reveal{named}" + ("" if chosen is None else f" {chosen + 1}")
        case Shuffle(deck):
            return "shuffle" + (f"={tokens.cards_text(deck)}" if deck else "")
        case Insist(forbidden):
            return f"insist {write_action(forbidden)}"
        case DefendLate(queen, owner):
            return f"late {QUEEN_NAMES[queen]} {owner + 1}"
        case ClaimWin(player):
            return f"won {player + 1}"
    return next(word for word, plain in _PLAIN.items() if plain == action)


def read_action(text: str) -> Action:
    """Parse an action as `write_action` writes it. ValueError says what is wrong."""
    word, _, rest = text.partition(" ")
    if text in _PLAIN:
        return _PLAIN[text]
    if not rest and text in _POWER_OF:
        return Power(_POWER_OF[text])
    verb, named, value = word.partition("=")
    if verb == "reveal" and (value == KIND_TEXT[UNKNOWN] or not rest):
        chosen = tokens.within("reveal", rest, tokens.index) if rest else None
        return Reveal(tokens.within("reveal", value, tokens.card) if named else None, chosen)
    if verb == "shuffle" and not rest:
        return Shuffle(_order(value) if named else ())
    match word:
        case "power":
            return _checked(Power(tokens.within("power", rest, tokens.known_card)), text)
        case "discard":
            kinds = tuple(tokens.within("discard", item, tokens.card) for item in rest.split(" "))
            return Discard(tuple(sorted(kinds)))
        case "target":
            return Target(tokens.within("target", rest, tokens.queen))
        case "sleep":
            return PutToSleep(tokens.within("sleep", rest, tokens.cell))
        case "wake":
            at, named, name = rest.partition("=")
            queen = tokens.within("wake", name, tokens.queen) if named else None
            return Wake(tokens.within("wake", at, tokens.cell), queen)
        case "insist":
            return _insisted(rest)
        case "late":
            name, _, owner = rest.partition(" ")
            return DefendLate(
                tokens.within("late", name, tokens.queen), tokens.within("late", owner, tokens.index)
            )
        case "won":
            return ClaimWin(tokens.within("won", rest, tokens.index))
    raise ValueError(f"not an action: {text[:60]!r}")


def _insisted(text: str) -> Insist:
    forbidden = None if text.startswith("insist") else read_action(text)
    if not isinstance(forbidden, Power | Discard | Target):
        raise ValueError(f"insist: not what anybody could insist on: {text[:60]!r}")
    return Insist(forbidden)


def _order(text: str) -> tuple[int, ...]:
    order = tokens.within("shuffle", text, tokens.cards)
    if not order or 0 in order:
        raise ValueError("shuffle: an order names every card")
    return order


def _checked(action: Action, text: str) -> Action:
    if write_action(action) != text:
        raise ValueError(f"not an action: {text[:60]!r}")
    return action
