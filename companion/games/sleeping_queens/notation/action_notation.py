"""Notation of actions: a table of verbs with arguments."""

from companion.games.notation_words import index, within
from companion.games.queens.action_forms import PLAYER, Codec, Form, read, verbs_of, write
from companion.games.sleeping_queens.notation import tokens
from companion.games.sleeping_queens.rules import actions as do
from companion.games.sleeping_queens.rules.actions import Action
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

_PLAIN: dict[str, Action] = {
    "king": do.Power(KING),
    "jester": do.Power(JESTER),
    "knight": do.Power(KNIGHT),
    "potion": do.Power(POTION),
    "take back": TakeBack(),
}
_WORDS_OF = {action: words for words, action in _PLAIN.items()}


def _other_power(text: str) -> int:
    kind = tokens.known_card(text)
    if do.Power(kind) in _WORDS_OF:
        raise ValueError(f"{text} has a word of its own")
    return kind


def _order(text: str) -> tuple[int, ...]:
    order = tokens.cards(text)
    if not order or UNKNOWN in order:
        raise ValueError("an order names every card")
    return order


_QUEEN = Codec(tokens.queen, QUEEN_NAMES.__getitem__)
_PLACE = Codec(tokens.cell, lambda cell: str(cell + 1))
_CARDS = Codec(
    lambda text: tuple(sorted(map(tokens.card, text.split(" ")))),
    lambda kinds: " ".join(KIND_TEXT[kind] for kind in kinds),
)
_FORMS: dict[str, Form[Action]] = {
    "defend": Form(do.Defend),
    "yield": Form(do.Yield),
    "refill": Form(do.Refill),
    "power": Form(do.Power, (Codec(_other_power, KIND_TEXT.__getitem__),)),
    "discard": Form(do.Discard, (_CARDS,)),
    "target": Form(do.Target, (_QUEEN,)),
    "sleep": Form(do.PutToSleep, (_PLACE,)),
    "wake": Form(do.Wake, (_PLACE,), named=_QUEEN),
    "shuffle": Form(do.Shuffle, named=Codec(_order, tokens.cards_text), unnamed=()),
    "late": Form(do.DefendLate, (_QUEEN, PLAYER)),
    "won": Form(ClaimWin, (PLAYER,)),
}
_VERB_OF = verbs_of(_FORMS)


def write_action(action: Action) -> str:
    """An action as text, e.g. `wake 3=Rose`. Players and grid places count from 1."""
    match action:
        case do.Power() | TakeBack() if action in _WORDS_OF:
            return _WORDS_OF[action]
        case do.Reveal(kind, chosen):
            named = "" if kind is None else f"={KIND_TEXT[kind]}"
            return f"reveal{named}" + ("" if chosen is None else f" {chosen + 1}")
        case Insist(forbidden):
            return f"insist {write_action(forbidden)}"
    return write(action, _VERB_OF)


def read_action(text: str) -> Action:
    """Parse an action as `write_action` writes it. ValueError says what is wrong."""
    if text in _PLAIN:
        return _PLAIN[text]
    word, _, rest = text.partition(" ")
    verb, named, value = word.partition("=")
    if verb == "reveal" and (value == KIND_TEXT[UNKNOWN] or not rest):
        chosen = within("reveal", rest, index) if rest else None
        return do.Reveal(within("reveal", value, tokens.card) if named else None, chosen)
    return _insisted(rest) if word == "insist" else read(text, _FORMS)


def _insisted(text: str) -> Insist:
    forbidden = None if text.startswith("insist") else read_action(text)
    if not isinstance(forbidden, do.Power | do.Discard | do.Target):
        raise ValueError(f"insist: not what anybody could insist on: {text[:60]!r}")
    return Insist(forbidden)
