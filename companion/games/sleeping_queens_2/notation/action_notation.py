"""Notation of actions: a table of verbs with arguments."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from companion.games.notation_words import index, within
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


class _Codec(NamedTuple):
    read: Callable[[str], Any]
    write: Callable[[Any], str]


class _Form(NamedTuple):
    """How an action is written: arguments, and value after "=".

    `make`: its type. `unnamed`: the value that stands for no "=".
    """

    make: Callable[..., Action]
    arguments: tuple[_Codec, ...] = ()
    named: _Codec | None = None
    unnamed: Any = None


def _card_of(kinds: range, called: str) -> _Codec:
    def read(text: str) -> int:
        kind = tokens.known_card(text)
        if kind not in kinds:
            raise ValueError(f"{text} is no {called}")
        return kind

    return _Codec(read, KIND_TEXT.__getitem__)


def _order(text: str) -> Cards:
    order = tokens.cards(text)
    if not order or UNKNOWN in order:
        raise ValueError("an order names every card")
    return order


_CARD = _Codec(tokens.known_card, KIND_TEXT.__getitem__)
_MAIN, _NUMBER = _card_of(MAIN_DECK, "card of the main deck"), _card_of(NUMBERS, "number")
_QUEEN, _COMPANION = _card_of(QUEENS, "queen"), _card_of(COMPANIONS, "companion")
_NUMBER_CARDS = _Codec(
    lambda text: tuple(sorted(map(_NUMBER.read, text.split(" ")))),
    lambda cards: " ".join(map(_NUMBER.write, cards)),
)
_FACE = _Codec(tokens.face, tokens.face_text)
_KNIGHT = _Codec(tokens.known_knight, tokens.knight_text)
_PLAYER = _Codec(index, lambda player: str(player + 1))
_PLACE = _Codec(tokens.cell, lambda cell: str(cell + 1))
_ORDER = _Codec(_order, tokens.cards_text)

_FORMS = {
    "knight": _Form(do.Give, (_KNIGHT,)),
    "open": _Form(do.Open, named=_MAIN),
    "roll": _Form(do.Roll, (_FACE,)),
    "reroll": _Form(do.Reroll),
    "keep": _Form(do.Keep),
    "wake": _Form(do.Wake, (_QUEEN,)),
    "pass": _Form(do.Pass),
    "draw": _Form(do.Draw, named=_MAIN),
    "shuffle": _Form(do.Shuffle, named=_ORDER, unnamed=()),
    "fetch": _Form(do.Fetch, (_PLACE,), named=_COMPANION),
    "mix": _Form(do.Mix, named=_ORDER, unnamed=()),
    "steal": _Form(do.Steal, (_PLAYER, _CARD)),
    "take": _Form(do.Take, (_QUEEN,)),
    "exchange": _Form(do.Exchange, (_PLAYER, _PLAYER)),
    "swap": _Form(do.Swap, (_CARD, _PLAYER, _CARD)),
    "equation": _Form(do.Equation, (_NUMBER_CARDS,)),
    "pair": _Form(do.Pair, (_NUMBER,)),
    "book": _Form(do.Book, (_NUMBER,)),
    "rescue": _Form(do.Rescue, (_QUEEN, _COMPANION)),
    "back": _Form(do.PutBack, (_PLACE,)),
    "discard": _Form(do.Discard, (_CARD,)),
    "end": _Form(do.End),
}
_INSISTED_FORMS = {
    "pair": _Form(do.FalsePair, (_NUMBER, _NUMBER)),
    "willow": _Form(do.Lull, (_PLAYER,)),
    "early": _Form(do.OutOfOrder),
}
"""Verb -> its form, for verbs of forbidden actions, which only follow the word `insist`."""
_INSIST, _TAKE_BACK, _WON = "insist", "take back", "won"
_VERB_OF = {form.make: (verb, form) for verb, form in (*_FORMS.items(), *_INSISTED_FORMS.items())}
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
        case ClaimWin(player):
            return f"{_WON} {_PLAYER.write(player)}"
    verb, form = _VERB_OF[type(action)]
    values = [getattr(action, name) for name in action.__match_args__]
    arguments = zip(form.arguments, values, strict=False)
    words = " ".join([verb, *(codec.write(value) for codec, value in arguments)])
    if form.named is None or values[-1] == form.unnamed:
        return words
    return f"{words}={form.named.write(values[-1])}"


def read_action(text: str) -> Action:
    """Parse an action as `write_action` writes it. ValueError says what is wrong."""
    if text in _INSTANTS:
        return _INSTANTS[text]
    if text == _TAKE_BACK:
        return TakeBack()
    verb, _, rest = text.partition(" ")
    if verb == _INSIST:
        return _insisted(rest)
    if verb == _WON:
        return ClaimWin(within(_WON, rest, _PLAYER.read))
    return _read(text, _FORMS)


def _insisted(text: str) -> Insist:
    verb, *rest = text.split(" ")
    form = _INSISTED_FORMS.get(verb)
    own = form is not None and len(rest) == len(form.arguments)
    forbidden = _read(text, _INSISTED_FORMS) if own else None if verb == _INSIST else read_action(text)
    if not isinstance(forbidden, INSISTED):
        raise ValueError(f"{_INSIST}: not what anybody could insist on: {text[:60]!r}")
    return Insist(forbidden)


def _read(text: str, forms: Mapping[str, _Form]) -> Action:
    """Parse an action that begins with a verb of `forms`."""
    words, separator, name = text.partition("=")
    verb, *rest = words.split(" ", 1)
    form = forms.get(verb)
    if form is None or (separator and form.named is None):
        raise ValueError(f"not an action: {text[:60]!r}")
    arguments = rest[0].split(" ", max(len(form.arguments) - 1, 0)) if rest else []
    if len(arguments) != len(form.arguments):
        raise ValueError(f"{verb}: {len(form.arguments)} things are to be named, not {len(arguments)}")
    values = [within(verb, word, codec.read) for codec, word in zip(form.arguments, arguments, strict=True)]
    if form.named is not None:
        values.append(within(verb, name, form.named.read) if separator else form.unnamed)
    return form.make(*values)
