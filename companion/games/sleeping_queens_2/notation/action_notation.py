"""Notation of actions: a table of verbs with arguments."""

from companion.games.queens.action_forms import PLAYER, Codec, Form, read, verbs_of, write
from companion.games.sleeping_queens_2.notation import tokens
from companion.games.sleeping_queens_2.rules import actions as do
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.against_rules import INSISTED
from companion.games.sleeping_queens_2.rules.kinds import (
    COMPANIONS,
    GNOME,
    KIND_TEXT,
    MAIN_DECK,
    NUMBERS,
    QUEENS,
    UNKNOWN,
    WILLOW,
    WITCH,
)
from companion.games.sleeping_queens_2.rules.state import Cards
from companion.games.win_claims import ClaimWin, Insist, TakeBack


def _card_of(kinds: range, called: str) -> Codec:
    def known(text: str) -> int:
        kind = tokens.known_card(text)
        if kind not in kinds:
            raise ValueError(f"{text} is no {called}")
        return kind

    return Codec(known, KIND_TEXT.__getitem__)


def _order(text: str) -> Cards:
    order = tokens.cards(text)
    if not order or UNKNOWN in order:
        raise ValueError("an order names every card")
    return order


_CARD = Codec(tokens.known_card, KIND_TEXT.__getitem__)
_MAIN, _NUMBER = _card_of(MAIN_DECK, "card of the main deck"), _card_of(NUMBERS, "number")
_QUEEN, _COMPANION = _card_of(QUEENS, "queen"), _card_of(COMPANIONS, "companion")
_NUMBER_CARDS = Codec(
    lambda text: tuple(sorted(map(_NUMBER.read, text.split(" ")))),
    lambda cards: " ".join(map(_NUMBER.write, cards)),
)
_FACE = Codec(tokens.face, tokens.face_text)
_KNIGHT = Codec(tokens.known_knight, tokens.knight_text)
_PLACE = Codec(tokens.cell, lambda cell: str(cell + 1))
_ORDER = Codec(_order, tokens.cards_text)

_FORMS: dict[str, Form[Action]] = {
    "knight": Form(do.Give, (_KNIGHT,)),
    "open": Form(do.Open, named=_MAIN),
    "roll": Form(do.Roll, (_FACE,)),
    "reroll": Form(do.Reroll),
    "keep": Form(do.Keep),
    "wake": Form(do.Wake, (_QUEEN,)),
    "pass": Form(do.Pass),
    "draw": Form(do.Draw, named=_MAIN),
    "shuffle": Form(do.Shuffle, named=_ORDER, unnamed=()),
    "fetch": Form(do.Fetch, (_PLACE,), named=_COMPANION),
    "mix": Form(do.Mix, named=_ORDER, unnamed=()),
    "steal": Form(do.Steal, (PLAYER, _CARD)),
    "take": Form(do.Take, (_QUEEN,)),
    "exchange": Form(do.Exchange, (PLAYER, PLAYER)),
    "swap": Form(do.Swap, (_CARD, PLAYER, _CARD)),
    "equation": Form(do.Equation, (_NUMBER_CARDS,)),
    "pair": Form(do.Pair, (_NUMBER,)),
    "book": Form(do.Book, (_NUMBER,)),
    "rescue": Form(do.Rescue, (_QUEEN, _COMPANION)),
    "back": Form(do.PutBack, (_PLACE,)),
    "discard": Form(do.Discard, (_CARD,)),
    "end": Form(do.End),
    "won": Form(ClaimWin, (PLAYER,)),
}
_INSISTED_FORMS: dict[str, Form[Action]] = {
    "pair": Form(do.FalsePair, (_NUMBER, _NUMBER)),
    "willow": Form(do.Lull, (PLAYER,)),
    "early": Form(do.OutOfOrder),
}
"""Verb -> its form, for verbs of forbidden actions, which only follow the word `insist`."""
_INSIST, _TAKE_BACK = "insist", "take back"
_VERB_OF = verbs_of(_FORMS, _INSISTED_FORMS)
_INSTANTS = {"gnome": do.Instant(GNOME), "witch": do.Instant(WITCH), "willow": do.Instant(WILLOW)}
_INSTANT_WORDS = {action.kind: word for word, action in _INSTANTS.items()}


def write_action(action: Action) -> str:
    """An action as text, e.g. `fetch 3=RC02`. Players and grid places count from 1."""
    match action:
        case do.Instant(kind):
            return _INSTANT_WORDS[kind]
        case Insist(forbidden):
            return f"{_INSIST} {write_action(forbidden)}"
        case TakeBack():
            return _TAKE_BACK
    return write(action, _VERB_OF)


def read_action(text: str) -> Action:
    """Parse an action as `write_action` writes it. ValueError says what is wrong."""
    if text in _INSTANTS:
        return _INSTANTS[text]
    if text == _TAKE_BACK:
        return TakeBack()
    verb, _, rest = text.partition(" ")
    if verb == _INSIST:
        return _insisted(rest)
    return read(text, _FORMS)


def _insisted(text: str) -> Insist:
    verb, *rest = text.split(" ")
    form = _INSISTED_FORMS.get(verb)
    own = form is not None and len(rest) == len(form.arguments)
    forbidden = read(text, _INSISTED_FORMS) if own else None if verb == _INSIST else read_action(text)
    if not isinstance(forbidden, INSISTED):
        raise ValueError(f"{_INSIST}: not what anybody could insist on: {text[:60]!r}")
    return Insist(forbidden)
