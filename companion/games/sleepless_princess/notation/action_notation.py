"""The notation of actions. docs/notation.md lists all of them."""

from collections.abc import Callable
from typing import Any

from companion.games.rules import IllegalError
from companion.games.sleepless_princess.notation import tokens
from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Done,
    Final,
    Know,
    Later,
    Lay,
    Look,
    Move,
    MoveOn,
    Open,
    Play,
    Recount,
    Seat,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT, UNKNOWN, face_from_text, face_text
from companion.games.sleepless_princess.rules.plays import (
    SECTION,
    UNEQUAL,
    blanket_on_addend,
    covered_group,
    play_value,
)

_OUTCOMES: dict[str, bool | None] = {"asleep": True, "out": False, tokens.NONE: None}
_OUTCOME_TEXT = {outcome: text for text, outcome in _OUTCOMES.items()}


def write_action(action: Action) -> str:
    """An action as text, e.g. `play 5 4+1 9~5`. Beds, mattresses and players count from 1."""
    return _WRITE[type(action)](action)


def read_action(text: str) -> Action:
    """Parse the text of `write_action`.

    Cards of a play or discard may come in any order. ValueError names the wrong word. IllegalError for a
    well-formed play in which the blanket (a card that stands for any other) is forbidden.
    """
    items = text.split()
    if not items:
        raise ValueError("an action is at least one word, e.g. done")
    word, equals, value = items[0].partition("=")
    if word not in _READ:
        raise ValueError(f"unknown action {items[0]!r}; wanted one of {', '.join(_READ)}")
    if equals:
        if word not in ("open", "deck"):
            raise ValueError(f"{word}: '=' belongs to what follows, e.g. claim 3=asleep")
        if len(items) > 1:
            raise ValueError(f"{word}: nothing follows {items[0]}, got {items[1]!r}")
        items = [word, value]
    elif word in ("open", "deck") and len(items) > 1:
        raise ValueError(f"{word}: a card is written {word}={items[1]}")
    return tokens.within(word, " ".join(items[1:]), lambda _: _READ[word](items[1:]))


def _kind(card: int | None) -> str:
    return "" if card is None else f"={KIND_TEXT[card]}"


def _play_text(play: Play) -> str:
    parts = ["+".join(KIND_TEXT[kind] for kind in group) for group in play.groups]
    if play.covered is not None:
        # The blanket covers one card, although other groups may have the same number.
        under = covered_group(play)
        if under is None:
            under = next((at for at, group in enumerate(play.groups) if play.covered in group), None)
        if under is None:
            raise ValueError(f"the covered {KIND_TEXT[play.covered]} is not one of the cards played")
        parts[under] += f"~{_target(play, under)}"
    return "play " + " ".join(parts)


def _target(play: Play, under: int) -> int:
    """Value that the card under the blanket takes: that of the other groups.

    `under`: index of the group with the blanket.
    """
    others = [sum(group) for at, group in enumerate(play.groups) if at != under]
    return others[0] if others else sum(play.groups[under])


def _claim_text(claim: Claim) -> str:
    told = "" if claim.asleep is None else f"={_OUTCOME_TEXT[claim.asleep]}"
    return f"claim {claim.bed + 1}{told}"


def _final_text(final: Final) -> str:
    return " ".join(["final", *(_OUTCOME_TEXT[outcome] for outcome in final.asleep)])


_WRITE: dict[type, Callable[[Any], str]] = {
    Seat: lambda a: f"seat {a.bed + 1}={a.princess}",
    Lay: lambda a: f"lay {a.bed + 1}={face_text(a.face)}",
    Open: lambda a: f"open{_kind(a.card)}",
    Discard: lambda a: " ".join(["discard", *(KIND_TEXT[kind] for kind in a.cards)]),
    Play: _play_text,
    Skip: lambda _: "skip",
    Touch: lambda a: f"touch {a.bed + 1}{' pad' if a.on_pad else ''}",
    Look: lambda a: f"look {a.bed + 1}{' extra' if a.extra else ''}",
    Move: lambda a: f"move {a.source + 1} {a.target + 1}",
    MoveOn: lambda a: f"on {a.source + 1} {a.target + 1}",
    Done: lambda _: "done",
    Take: lambda a: f"take {KIND_TEXT[a.card]}",
    Deck: lambda a: f"deck{_kind(a.card)}",
    Claim: _claim_text,
    Final: _final_text,
    Know: lambda a: f"know {a.slot + 1}={face_text(a.face)}",
    Later: lambda _: "later",
    Recount: lambda a: f"recount {a.deck}",
}


def _items(items: list[str], wanted: int) -> list[str]:
    if len(items) != wanted:
        raise ValueError(f"{wanted} words wanted, {len(items)} given")
    return items


def _pair(items: list[str]) -> tuple[int, str]:
    left, equals, right = _items(items, 1)[0].partition("=")
    if not equals:
        raise ValueError(f"{items[0]!r} lacks its '=', e.g. 3=asleep or 5=3t")
    return tokens.index(left), right


def _seat(items: list[str]) -> Action:
    bed, princess = _pair(items)
    if princess == "?":
        raise ValueError("a princess that is seated is known, 0 to 9")
    return Seat(bed, tokens.princess(princess))


def _lay(items: list[str]) -> Action:
    bed, face = _pair(items)
    return Lay(bed, face_from_text(face))


def _know(items: list[str]) -> Action:
    slot, face = _pair(items)
    return Know(slot, face_from_text(face))


def _named(item: str) -> int:
    kind = tokens.card(item)
    if not kind:
        raise ValueError("the card has to be named, not ?")
    return kind


def _open(items: list[str]) -> Action:
    # `?` is allowed: a witch may sweep an open card away before anybody has read it.
    return Open(tokens.card(items[0]) if items else None)


def _deck(items: list[str]) -> Action:
    return Deck(_named(items[0]) if items else None)


def _discard(items: list[str]) -> Action:
    if not items:
        raise ValueError("one or two cards wanted, none given")
    # `?` is allowed: one discarded card may have covered another.
    return Discard(tuple(sorted(tokens.card(item) for item in items)))


def _play(items: list[str]) -> Action:
    if not items:
        raise ValueError("three groups wanted, none given")
    groups: list[tuple[int, ...]] = []
    blankets: list[tuple[tuple[int, ...], int]] = []
    for item in items:
        cards, tilde, value = item.partition("~")
        # The card beneath a blanket may be unread.
        beneath = tilde and cards == KIND_TEXT[UNKNOWN]
        group = (UNKNOWN,) if beneath else tuple(sorted(_named(card) for card in cards.split("+")))
        groups.append(group)
        if tilde:
            blankets.append((group, tokens.number(value)))
    if not blankets:
        return Play(tuple(sorted(groups)))
    (covered, *added), told = blankets[0]
    play = Play(tuple(sorted(groups)), covered)
    names = [KIND_TEXT[kind] for group in groups for kind in group]
    if len(blankets) > 1:
        text = f"One blanket at most is part of a play, not {len(blankets)}."
        raise IllegalError("play-two-blankets", SECTION, text, names)
    if added:
        raise blanket_on_addend(names)
    if told != (counts := play_value(play)):
        text = f"The covered {KIND_TEXT[covered]} counts as {counts} here, not as {told}."
        raise IllegalError("play-not-equal", SECTION, text if counts else UNEQUAL, names)
    return play


def _claim(items: list[str]) -> Action:
    bed, equals, outcome = _items(items, 1)[0].partition("=")
    if equals and (outcome == tokens.NONE or outcome not in _OUTCOMES):
        raise ValueError(f"{outcome!r} is neither asleep nor out")
    return Claim(tokens.index(bed), _OUTCOMES[outcome] if equals else None)


def _final(items: list[str]) -> Action:
    for item in items:
        if item not in _OUTCOMES:
            raise ValueError(f"{item!r} is neither asleep, out nor -")
    return Final(tuple(_OUTCOMES[item] for item in items))


def _alone(action: Action) -> Callable[[list[str]], Action]:
    def read(items: list[str]) -> Action:
        _items(items, 0)
        return action

    return read


def _move(items: list[str]) -> Action:
    source, target = _items(items, 2)
    return Move(tokens.index(source), tokens.index(target))


def _move_on(items: list[str]) -> Action:
    source, target = _items(items, 2)
    return MoveOn(tokens.index(source), tokens.index(target))


def _touch(items: list[str]) -> Action:
    return Touch(*_bed_and(items, "pad"))


def _look(items: list[str]) -> Action:
    return Look(*_bed_and(items, "extra"))


def _bed_and(items: list[str], word: str) -> tuple[int, bool]:
    """Parse a bed, and whether `word` follows: (bed from 0, True if it does)."""
    follows = items[1:] == [word]
    return tokens.index(_items(items[:1] if follows else items, 1)[0]), follows


_READ: dict[str, Callable[[list[str]], Action]] = {
    "seat": _seat,
    "lay": _lay,
    "open": _open,
    "discard": _discard,
    "play": _play,
    "skip": _alone(Skip()),
    "touch": _touch,
    "look": _look,
    "move": _move,
    "on": _move_on,
    "done": _alone(Done()),
    "take": lambda items: Take(_named(_items(items, 1)[0])),
    "deck": _deck,
    "claim": _claim,
    "final": _final,
    "know": _know,
    "later": _alone(Later()),
    "recount": lambda items: Recount(tokens.number(_items(items, 1)[0])),
}
