"""Hints in sentences a child understands. Everything said comes from the option and the team's knowledge."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.sleepless_princess.actions import Claim, Discard, Look, Move, Play, Take, Touch
from companion.games.sleepless_princess.cards import BLANKET, PRINCESS_NAMES
from companion.games.sleepless_princess.state import VARIANTS
from companion.hints.beds import LIKELY
from companion.hints.coach import Option
from companion.hints.knowledge import SMOOTH, TeamKnowledge

SURE = 0.995
"""From this chance on nothing is said of doubts."""
_BONUS = {
    "play-0": "then you may touch a mattress.",
    "play-1": "then you may touch a mattress and look once through the glass.",
    "play-2": "then you may touch a mattress and look twice through the glass.",
}

_QUESTIONS = {
    "claim": "Is there a princess who has only her own mattresses by now?",
    "play-0": "Do you see three equal cards in your hand, or a blanket that makes them equal?",
    "play-1": "Can you add two cards up to get three equal numbers? That gives a look through the glass.",
    "play-2": "Can you make a sum twice? Two sums give two looks through the glass.",
    "discard": "Would your hand be better with another card? Which one fits the others least?",
    "skip": "Is there anything you can play or discard?",
    "take": "Is there an open card that goes well with yours?",
    "deck": "Do the open cards help you at all, or might the deck have something better?",
    "touch": "Which bottom mattress does nobody know yet?",
    "look": "Where does the glass tell more than fingers do?",
    "touch-known": "Do you remember what lies at the bottom of the beds? One of them can be carried on.",
    "look-known": "Do you remember what lies at the bottom of the beds? One of them can be carried on.",
    "carry": "Whose mattress is it? Where does she sleep?",
    "cycle": "It is at home, but what lies above it? How does that come to the bottom?",
    "away": "Nobody needs it any more: where is it in nobody's way?",
    "done": "Is there anything left that is worth checking this turn?",
}
"""A nudge for every reason: a direction, never the move."""

_RULES = {
    "play": "Play three groups of equal value (sums give looks, a blanket may help) or discard one or two.",
    "check": "Touch once, look as often as you made sums, and put what you checked on top of any bed.",
    "draw": "Draw up to five cards, one at a time, from the open row or the deck.",
    "lay": "Lay cards open until there are five.",
    "final": "Turn up the mattresses of every princess still awake.",
}
_RULES_WITHOUT_GLASS = {
    **_RULES,
    "play": "Play three equal cards (a blanket may help) or discard one or two.",
    "check": "Touch once, and put what you touched on top of any bed.",
}


def name(known: TeamKnowledge, bed: int) -> str:
    """The princess of a bed."""
    return PRINCESS_NAMES[known.princesses[bed]]


def odds(chance: float) -> str:
    """A chance as a child counts it."""
    if chance > SURE:
        return "for sure"
    if chance < 1 - SURE:
        return "never"
    whole = min(range(2, 11), key=lambda n: (abs(round(chance * n) / n - chance) > 0.04, n))
    part = round(chance * whole)
    if part in (0, whole):
        return "nearly always" if part else "hardly ever"
    return f"about {part} time{'s' if part > 1 else ''} out of {whole}"


def card(kind: int) -> str:
    """A deck card."""
    return "blanket" if kind == BLANKET else str(kind)


def rule(variant: str, phase: str) -> str:
    """What may be done in a phase, by the rulebook."""
    return (_RULES if VARIANTS[variant].glass else _RULES_WITHOUT_GLASS).get(phase, "")


def question(option: Option) -> str:
    """A nudge towards an option."""
    return _QUESTIONS[option.why]


def sentence(known: TeamKnowledge, option: Option) -> str:
    """The move and why, in one sentence."""
    match option.action:
        case Claim(bed):
            proof = "her mattresses are all there" if option.chance > SURE else "they are most likely all hers"
            return f"Claim {name(known, bed)}: {proof}."
        case Play() as play:
            return f"Play {_groups(play)}: {_BONUS[option.why]}"
        case Discard(cards):
            they = "they fit" if len(cards) > 1 else "it fits"
            return f"Discard {' and '.join(map(card, cards))} and draw anew: {they} your other cards least."
        case Take(kind):
            return f"Take the open {card(kind)}: it goes best with your other cards."
        case Touch(bed) | Look(bed):
            return _check(known, option, bed, "Touch" if isinstance(option.action, Touch) else "Look under")
        case Move(source, target):
            return _move(known, option, source, target)
    return {
        "deck": "Draw from the deck: no open card helps you more.",
        "skip": "Skip: there is nothing to play and nothing to draw.",
    }.get(option.why, "You are done: nothing else is worth checking this turn.")


def _groups(play: Play) -> str:
    value = min(sum(group) for group in play.groups)
    parts = []
    for group in play.groups:
        covered = play.covered is not None and group == (play.covered,) and play.covered != value
        parts.append(f"{play.covered} under a blanket" if covered else "+".join(map(str, group)))
    return ", ".join(parts)


def _check(known: TeamKnowledge, option: Option, bed: int, verb: str) -> str:
    where = f"{verb} the {'bottom mattress of the ' if verb == 'Touch' else ''}{name(known, bed)} bed"
    homes = known.homes(known.beds[bed][0])
    home = homes.index(max(homes))
    if option.why.endswith("known"):
        if home == bed:
            return f"{where}: it is at home but keeps you from those above it, so it goes on top."
        return f"{where}: it belongs to {name(known, home)}, so you can carry it to her."
    if option.why == "look":
        return f"{where}: the glass tells whose it is, even of a smooth one."
    often = odds(option.chance)
    tell = f"fingers tell {often}" if often.startswith(("about", "for")) else f"fingers {often} tell"
    return f"{where}: nobody knows it yet, and {tell}."


def _move(known: TeamKnowledge, option: Option, source: int, target: int) -> str:
    if option.why == "cycle":
        return f"Put it on top of the {name(known, source)} bed: it is at home, but the one above is not."
    if option.why == "away":
        return f"Put it on the {name(known, target)} bed: nobody needs it, and there it is in nobody's way."
    often = odds(option.chance)
    hers = "it is hers" if option.chance > SURE else "it is most likely hers"
    return (
        f"Put it on the {name(known, target)} bed: {hers}{', ' + often if often.startswith('about') else ''}."
    )


def remembered(known: TeamKnowledge, view: Mapping[str, Any], bed: int) -> str:
    """What was found out about a bed, bottom first, and how many mattresses lie there."""
    slots = known.beds[bed]
    told = [
        f"{_place(at, len(slots))} {text}" for at, slot in enumerate(slots) if (text := _found(known, slot))
    ]
    for seen in known.turned_up:
        if seen.slots <= set(slots) and not seen.slots <= known.seen.keys() and view["fates"][bed] != "asleep":
            faces = [face for face, number in enumerate(seen.copies) for _ in range(number)]
            told.append(f"turned up were {_listed([_face(known, face) for face in faces])}")
    count = f"{len(slots)} mattress{'' if len(slots) == 1 else 'es'}"
    fate = "" if view["fates"][bed] == "awake" else f" ({view['fates'][bed]})"
    return f"{name(known, bed)}{fate}: {count}{'; ' if told else ''}{', '.join(told)}."


def _face(known: TeamKnowledge, face: int) -> str:
    return f"{'the smooth one of ' if face % 2 else ''}{name(known, face // 2)}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _place(at: int, count: int) -> str:
    if at == 0:
        return "the bottom one"
    return "the top one" if at == count - 1 else f"number {at + 1} from below"


def _found(known: TeamKnowledge, slot: int) -> str:
    if slot in known.seen:
        return f"is {_face(known, known.seen[slot])}"
    homes = known.homes(slot)
    if slot in known.felt and max(homes) >= LIKELY:
        return f"felt like {name(known, homes.index(max(homes)))}"
    words = known.felt.get(slot, ())
    if SMOOTH in words:
        return "felt smooth"
    return "felt different each time" if words else ""
