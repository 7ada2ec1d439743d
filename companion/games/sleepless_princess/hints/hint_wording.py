"""Hints in sentences a child understands. Everything said follows from the option and the team's knowledge."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.sleepless_princess.hints.bed_plan import LIKELY, BedPlan
from companion.games.sleepless_princess.hints.hand_options import prospects, to_be_taken
from companion.games.sleepless_princess.hints.hand_tables import without
from companion.games.sleepless_princess.hints.ranked_options import Option
from companion.games.sleepless_princess.hints.team_knowledge import SMOOTH, TeamKnowledge, kinds
from companion.games.sleepless_princess.rules.actions import Claim, Discard, Look, Move, Play, Take, Touch
from companion.games.sleepless_princess.rules.card_kinds import BLANKET, princess_names
from companion.games.sleepless_princess.rules.cardsets import Cards
from companion.games.sleepless_princess.rules.plays import play_table, plays_for
from companion.games.sleepless_princess.rules.state import VARIANTS

SURE = 0.9999
"""From this chance on nothing is said of doubts."""
EQUAL, NEAR = 0.005, 0.1
"""Checks by which a choice may be behind the best one to be as good, or nearly as good."""
_BONUS = {
    "play-0": "then you may touch a mattress.",
    "play-1": "then you may touch a mattress and look once through the glass.",
    "play-2": "then you may touch a mattress and look twice through the glass.",
}

_BRINGS = {"play-0": "a touch", "play-1": "a touch and a look", "play-2": "a touch and two looks"}

_QUESTIONS = {
    "claim": "Is there a princess who has only her own mattresses by now?",
    "play-0": "Do you see three equal cards in your hand, or a blanket that makes them equal?",
    "play-1": "Can you add cards up to get three equal numbers? That gives a look through the glass.",
    "play-2": "Can you make a sum twice? Two sums give two looks through the glass.",
    "discard": "Would your hand be better with another card? Which one fits the others least?",
    "skip": "Is there anything you can play or discard?",
    "take": "Is there an open card that goes well with yours?",
    "deck": "Do the open cards help you at all, or might the deck have something better?",
    "touch": "Which bottom mattress does nobody know yet?",
    "look": "Where does the glass tell more than fingers do?",
    "carry": "Whose mattress is it? Where does she sleep?",
    "cycle": "Does anything above it belong elsewhere? How does that come to the bottom?",
    "clear": "May somebody need what lies above it? How does that come to the bottom?",
    "away": "Does anybody still need it? Where is it in nobody's way?",
    "done-used": "Is there anything left to check with?",
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


_MOVABLE = "Do you remember what lies at the bottom of the beds? Can one of them be moved?"
"""A nudge towards checking what is known already, so that it can be moved."""
_REGARDLESS = {
    "skip": "Skip: there is nothing to play and nothing to draw.",
    "done": "You are done: another check would tell hardly anything now.",
    "done-used": "You are done: nothing is left to check with, so put the cards away and draw.",
}


class Said(NamedTuple):
    """What a sentence may speak of."""

    plan: BedPlan
    view: Mapping[str, Any]
    best: Option
    """The choice of cards that is better than all others, which has the best words."""

    @property
    def known(self) -> TeamKnowledge:
        """The team's."""
        return self.plan.known


def name(known: TeamKnowledge, bed: int) -> str:
    """The princess of a bed."""
    return princess_names()[known.princesses[bed]]


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
    verb, _, purpose = option.why.partition("-")
    return _MOVABLE if purpose and verb in ("touch", "look") else _QUESTIONS[option.why]


def sentences(plan: BedPlan, view: Mapping[str, Any], found: Sequence[Option]) -> Iterator[str]:
    """The moves of one decision, best first, and why, each in one sentence; only the first is called best."""
    best = next((option for option in found if not isinstance(option.action, Claim)), None)
    for option in found:
        yield _sentence(Said(plan, view, best or option), option)


def _sentence(said: Said, option: Option) -> str:
    known, action = said.known, option.action
    match action:
        case Claim(bed):
            proof = "her mattresses are all there" if option.chance > SURE else "they are most likely all hers"
            return f"Claim {name(known, bed)}: {proof}."
        case Play():
            if option is said.best:
                return f"Play {_groups(action)}: {_BONUS[option.why]}"
            return f"Play {_groups(action)}: {_behind(said, option)}, for {_BRINGS[option.why]}."
        case Discard(cards):
            return f"Discard {_cards(cards)}{_discarding(said, option, cards)}."
        case Take(kind):
            return f"Take the open {card(kind)}{_taking(said, option, kind)}."
        case Touch(bed) | Look(bed):
            return _check(said, option, bed, isinstance(action, Touch))
        case Move(source, target):
            return _move(said, option, source, target)
    if option.why == "deck":
        return f"Draw from the deck: {_from_deck(said, option)}."
    return _REGARDLESS[option.why]


def _behind(said: Said, option: Option) -> str:
    """How a choice compares with the best one."""
    gap = said.best.worth - option.worth
    if gap <= EQUAL:
        return "just as good"
    return "nearly as good" if gap <= NEAR else "possible, but not as good"


def _from_deck(said: Said, option: Option) -> str:
    if option is not said.best:
        return _behind(said, option)
    return "no open card helps you more" if said.view["row"] else "no card lies open"


def _discarding(said: Said, option: Option, cards: Cards) -> str:
    if option is not said.best:
        return f" and draw anew: {_behind(said, option)}"
    kept = without(kinds(said.view["hand"]), cards)
    taken = _to_be_taken(said, kept, kinds(said.view["row"]))
    play = _best_play(said, kept, taken)
    if play:
        return f", then take the open {_cards(taken)}: {play}"
    return f" and draw anew: {_cards(kept)} {'are' if len(kept) > 1 else 'is'} better to keep"


def _taking(said: Said, option: Option, kind: int) -> str:
    if option is not said.best:
        return f": {_behind(said, option)}"
    hand = kinds(said.view["hand"])
    more = _to_be_taken(said, tuple(sorted((*hand, kind))), without(kinds(said.view["row"]), (kind,)))
    play = _best_play(said, hand, (kind, *more))
    if play:
        return f", then {_cards(more)}: {play}" if more else f": {play}"
    return ": it goes best with your other cards" if hand else ": no other card is better to begin with"


def _to_be_taken(said: Said, hand: Cards, row: Cards) -> Cards:
    return to_be_taken(prospects(said.plan, said.view), hand, row, said.view["deck"])


def _best_play(said: Said, hand: Cards, taken: Cards) -> str:
    """What a hand and the cards taken make together, the first of those taken among them; empty if nothing."""
    table = play_table(said.known.variant)
    plays = plays_for(said.known.variant, tuple(sorted((*hand, *taken))))
    best = max(plays, key=lambda play: (table[play].looks, -len(table[play].cards)), default=None)
    if not taken or best is None or any(kind not in table[best].cards for kind in taken):
        return ""
    return f"{_cards(table[best].cards)} make {_groups(best)}"


def _cards(cards: Cards) -> str:
    return _listed([card(kind) for kind in cards])


def _groups(play: Play) -> str:
    value = min(sum(group) for group in play.groups)
    parts = []
    for group in play.groups:
        covered = play.covered is not None and group == (play.covered,) and play.covered != value
        parts.append(f"{play.covered} under a blanket" if covered else "+".join(map(str, group)))
    return ", ".join(parts)


def _check(said: Said, option: Option, bed: int, touch: bool) -> str:
    known, slot = said.known, said.known.beds[bed][0]
    bottom = f"{'Touch the bottom mattress of' if touch else 'Look under'} the {name(known, bed)} bed"
    home, chance = known.home(slot)
    match option.why.partition("-")[2]:
        case "carry":
            return f"{bottom}: it {_likely(chance)}belongs to {name(known, home)}, so you can carry it to her."
        case "cycle":
            return f"{bottom}: move it to the top, as {_above(said, bed)}."
        case "clear":
            return f"{bottom}: move it to the top, as one above it may be needed."
        case "away":
            return f"{bottom}: {_needless(said, slot)}, so it can go out of the way."
    felt = known.felt.get(slot, ())
    if not touch:
        if felt:
            return f"{bottom}: it {_felt(known, felt)}, and the glass tells whose it is."
        return f"{bottom}: the glass tells whose it is, even of a smooth one."
    if felt:
        return f"{bottom}: it {_felt(known, felt)}, so make sure."
    if chance >= LIKELY:
        return f"{bottom}: it most likely belongs to {name(known, home)}, so make sure."
    often = odds(option.chance)
    tell = f"fingers tell {often}" if often.startswith(("about", "for")) else f"fingers {often} tell"
    return f"{bottom}: nobody knows whose it is, and {tell}."


def _likely(chance: float) -> str:
    return "" if chance > SURE else "most likely "


def _needless(said: Said, slot: int) -> str:
    """That a mattress is of no more use, as sure as that is."""
    homes = said.known.homes(slot)
    wanted = sum(chance for chance, fate in zip(homes, said.plan.fates, strict=True) if fate == "awake")
    return f"{_likely(1 - wanted)}nobody needs it"


def _above(said: Said, bed: int) -> str:
    """Why a mattress at home has to make way for those above it."""
    known = said.known
    above = [slot for slot in known.beds[bed][1:] if not said.plan.settled(bed, slot)]
    foreign = 1 - min(known.homes(slot)[bed] for slot in above)
    if foreign >= LIKELY:
        return f"one above it {_likely(foreign)}is not hers"
    doubt = "not known for sure" if any(known.home(slot)[1] >= LIKELY for slot in above) else "not known yet"
    return f"one above it is {doubt}"


def _move(said: Said, option: Option, source: int, target: int) -> str:
    known, slot = said.known, said.known.beds[source][0]
    if option.why == "cycle":
        hers = f"it is {_likely(option.chance)}hers"
        return f"Put it on top of the {name(known, source)} bed: {hers}, but {_above(said, source)}."
    if option.why == "clear":
        useless = _needless(said, slot)
        return f"Put it on top of the {name(known, source)} bed: {useless}, but one above it may be needed."
    if option.why == "away":
        useless = _needless(said, slot)
        return f"Put it on the {name(known, target)} bed: {useless}, and there it is in nobody's way."
    often = odds(option.chance)
    hers = f"it is {_likely(option.chance)}hers"
    return (
        f"Put it on the {name(known, target)} bed: {hers}{', ' + often if often.startswith('about') else ''}."
    )


def remembered(known: TeamKnowledge, view: Mapping[str, Any], bed: int, *, counts: bool) -> str:
    """What was found out about a bed, bottom first, and with `counts` how many mattresses lie where."""
    slots = known.beds[bed]
    told = [
        f"{_place(at, len(slots), counts=counts)} {text}"
        for at, slot in enumerate(slots)
        if (text := _found(known, slot))
    ]
    for seen in known.turned_up:
        if seen.slots <= set(slots) and not seen.slots <= known.seen.keys() and view["fates"][bed] != "asleep":
            faces = [face for face, number in enumerate(seen.copies) for _ in range(number)]
            told.append(f"turned up were {_listed([_face(known, face) for face in faces])}")
    if counts:
        told.insert(0, f"{len(slots)} mattress{'' if len(slots) == 1 else 'es'}")
    fate = "" if view["fates"][bed] == "awake" else f" ({view['fates'][bed]})"
    return f"{name(known, bed)}{fate}: {', '.join(told) or 'nothing found out'}."


def _face(known: TeamKnowledge, face: int) -> str:
    return f"{'the smooth one of ' if face % 2 else ''}{name(known, face // 2)}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _place(at: int, count: int, *, counts: bool) -> str:
    if at == 0:
        return "the bottom one"
    if not counts:
        return "one above it"
    return "the top one" if at == count - 1 else f"number {at + 1} from below"


def _found(known: TeamKnowledge, slot: int) -> str:
    if slot in known.seen:
        return f"is {_face(known, known.seen[slot])}"
    felt = known.felt.get(slot, ())
    return _felt(known, felt) if felt else ""


def _felt(known: TeamKnowledge, felt: Sequence[str]) -> str:
    """What fingers named, not what follows from it."""
    first, *others = dict.fromkeys(felt)
    if others:
        return "felt different each time"
    return "felt smooth" if first == SMOOTH else f"felt like {princess_names()[int(first)]}"
