"""Setup step: collect presses of every raised picture, and find which pictures can be told apart."""

from collections.abc import Mapping
from math import log

import numpy as np

from calibration.binomial_tests import contradicts, likely_range
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import ClearTable, PressCard
from calibration.wizard.step_result import Check, StepResult, Verdict, result_of, skipped
from companion.core.language import text
from companion.fusion.parameters.reading_costs import COSTS
from companion.games.appearance import PhysicalCard
from companion.sensing.press_recogniser import Validated, as_enrolled, cross_validated
from companion.sensing.press_segmentation import Press, Presses
from firmware.host.messages import Message, TextureFrame

NAME = "texture"
PRESSES = 2
"""Least presses of each kind, those of the step `tags` included.

With three, games recognised no more raised pictures (`companion bench calibration --part presses`).
"""
MORE, ROUNDS = 2, 2
"""MORE: number of further presses of kinds that are mixed up. ROUNDS: number of times that these are asked
for. Guesses."""
TRIES = 3
"""Number of attempts per press. A guess.

A press that covers half the picture, or lies off the middle, is refused.
"""
RIGHT_GOOD, RIGHT_USABLE = 0.98, 0.9
"""Least shares of presses recognised for sure, for a good or usable matrix.

Few presses prove no rate, so the verdict is worse only if they contradict a bound (`binomial_tests`).
"""
WRONG_MOST = 0.001
"""Largest share of presses that may be taken for another picture for sure. A guess."""
LINES_LEAST = 30
"""Reading (0 to 255) that a sound line of the matrix reaches in some press. A guess."""
BORDER = 4
"""Number of lines at each edge of the matrix that cards may not reach.

On the drawn pad a card lies over twelve of sixteen lines, and any end may be line 1. The bench test tries all.
"""
SURE_NATS = log(COSTS.sure_texture / (1 - COSTS.sure_texture))
"""Log odds (nats) at which a texture is sure."""
SIDE = 16
_ROWS_FLOAT = Check(
    "lines",
    Verdict.NOT_GOOD,
    None,
    "",
    text("rows float: pressing one corner lights others"),
    text("solder 470 ohm from each row to GND, and 2.2 kilohm from SIG to GND"),
    "rows float",
)


def enrol_textures(bench: SetupBench, *, anew: bool = False) -> StepResult:
    """Collect presses of every raised picture, and cross-validate them.

    Until each kind has enough. The result's number is the share (%) of presses recognised rightly. `anew`:
    drop presses of earlier setups.
    """
    cards = {card.texture: card for card in reversed(bench.cards) if card.texture}
    if not cards:
        return skipped(NAME, text("this game has no raised pictures"))
    station = next((one for one in bench.stations("texture") if bench.answers(one, "texture")), None)
    if station is None:
        return skipped(NAME, text("no pressure matrix: raised pictures are not felt"), "companion setup find")
    known = {} if anew else bench.profile.presses
    presses = {kind: list(known.get(kind, ())) for kind in sorted(cards)}
    if any(len(those) < PRESSES for those in presses.values()):
        bench.ask(ClearTable())
    refused = 0
    for kind, those in presses.items():
        more, floats = _collect(bench, station, cards[kind], those, PRESSES)
        refused += more
        if floats:
            return result_of(NAME, [_ROWS_FLOAT])
    checked, more = _told_apart(bench, station, cards, presses)
    refused += more
    bench.live.confusion = confusion(checked)
    bench.update(presses={kind: tuple(those) for kind, those in presses.items() if those})
    return result_of(NAME, _checks(checked, presses, refused))


def _told_apart(
    bench: SetupBench, station: str, cards: Mapping[str, PhysicalCard], presses: dict[str, list[bytes]]
) -> tuple[list[Validated], int]:
    """Cross-validate the presses; collect more of kinds that are mixed up.

    For up to two rounds. `presses`: kind -> presses, which grow. Returns the last validation, and the number
    of refused presses.
    """
    checked, refused = cross_validated(presses), 0
    for _ in range(ROUNDS):
        mixed_up = sorted(_mixed_up(checked))
        for kind in mixed_up:
            refused += _collect(bench, station, cards[kind], presses[kind], len(presses[kind]) + MORE)[0]
        if mixed_up:
            checked = cross_validated(presses)
    return checked, refused


def next_press(bench: SetupBench, station: str) -> Press | None:
    """Wait for the next press on a station's pad.

    None if patience ends before.
    """
    presses = Presses()
    found: list[Press] = []

    def ends(message: Message) -> bool:
        press = (
            presses.hear(message) if isinstance(message, TextureFrame) and message.station == station else None
        )
        if press is not None:
            found.append(press)
        return press is not None

    bench.wait_for(ends)
    return found[0] if found else None


def _collect(
    bench: SetupBench, station: str, card: PhysicalCard, those: list[bytes], until: int
) -> tuple[int, bool]:
    """Ask for presses of a card until there are `until`; add them to `those`.

    Returns the number of refused presses, and True if row resistors of the matrix are missing.
    """
    refused = 0
    while len(those) < until and refused < TRIES * PRESSES:
        if not bench.ask(PressCard(station, card.code, *bench.called(card))):
            break
        press = next_press(bench, station)
        if press is None:
            refused += TRIES
            continue
        if press.rows_float:
            return refused + 1, True
        try:
            those.append(as_enrolled(press.picture, press.rest))
            bench.say(
                text("{card}: {count} of {all}", card=bench.words_of(card.code), count=len(those), all=until)
            )
        except ValueError as error:
            refused += 1
            bench.say(text("once more: {why}", why=error.args[0]))
    return refused, False


def _mixed_up(checked: list[Validated]) -> set[str]:
    return {one.cls for one in checked if told(one) != one.cls}


def told(one: Validated) -> str | None:
    """Kind of card that a game would take a press for.

    None if it is not sure.
    """
    return one.found if one.p >= COSTS.sure_texture else None


def confusion(checked: list[Validated]) -> dict[tuple[str, str], int]:
    """Count how presses are recognised: (true kind, recognised kind) -> number.

    The second is "" for not recognised for sure.
    """
    table: dict[tuple[str, str], int] = {}
    for one in checked:
        key = (one.cls, told(one) or "")
        table[key] = table.get(key, 0) + 1
    return table


def alike(checked: list[Validated]) -> list[tuple[str, str]]:
    """Pairs of card kinds that most presses confuse; sorted."""
    sure: dict[frozenset[str], list[bool]] = {}
    for one in checked:
        for other, evidence in one.evidence.items():
            if other != one.cls:
                apart = one.evidence[one.cls] - evidence >= SURE_NATS
                sure.setdefault(frozenset((one.cls, other)), []).append(apart)
    found = [pair for pair, those in sure.items() if sum(those) < len(those) / 2]
    return sorted((min(pair), max(pair)) for pair in found)


def dead_lines(presses: dict[str, list[bytes]]) -> list[str]:
    """Names of the inner lines of the pressure matrix that no press reached.

    Empty with too few presses.
    """
    every = [
        np.frombuffer(press, np.uint8).reshape(SIDE, SIDE) for those in presses.values() for press in those
    ]
    if len(every) < PRESSES:
        return []
    peak = np.max(every, axis=0)
    inner = range(BORDER, SIDE - BORDER)
    rows: list[str] = [text("row {number}", number=n + 1) for n in inner if peak[n].max() < LINES_LEAST]
    return rows + [text("column {number}", number=n + 1) for n in inner if peak[:, n].max() < LINES_LEAST]


def _checks(checked: list[Validated], presses: dict[str, list[bytes]], refused: int) -> list[Check]:
    total = sum(map(len, presses.values()))
    lines = dead_lines(presses)
    checks = []
    if lines:
        said = text("the matrix feels nothing here: {lines}", lines=tuple(lines))
        checks.append(
            Check(
                "lines",
                Verdict.NOT_GOOD,
                len(lines),
                "lines",
                said,
                text("mend the wire of that line"),
                "dead matrix line",
            )
        )
    pairs = [] if lines else alike(checked)  # many kinds feel alike while a line is dead
    for one, other in pairs:
        checks.append(
            Check(
                "alike",
                Verdict.NOT_GOOD,
                None,
                "",
                text("{one} and {other} feel alike", one=one, other=other),
                text("make one of them anew with another picture"),
                "alike textures",
            )
        )
    right = sum(told(one) == one.cls for one in checked)
    wrong = sum(told(one) not in (None, one.cls) for one in checked)
    share = right / len(checked) if checked else 0.0
    level = _level(right, wrong, len(checked))
    least, most = likely_range(right, len(checked))
    said = text(
        "{right} of {all} presses right, {wrong} wrong, {unsure} not sure: {least} % to {most} % in a game; "
        "refused: {refused} of {asked}",
        right=right,
        all=len(checked),
        wrong=wrong,
        unsure=len(checked) - right - wrong,
        least=f"{100 * least:.0f}",
        most=f"{100 * most:.0f}",
        refused=refused,
        asked=total + refused,
    )
    low = level is not Verdict.GOOD and not lines and not pairs
    fix = text("press each card flat and on the middle: companion setup texture") if low else ""
    if lines or pairs:
        level = Verdict.NOT_TESTED
    checks.append(
        Check(
            "presses",
            level,
            round(100 * share, 1),
            "%",
            said,
            fix,
            "weak presses" if low else "",
        )
    )
    return checks


def _level(right: int, wrong: int, total: int) -> Verdict:
    """Verdict on the pressure matrix from counts of recognised presses.

    NOT_GOOD if `right` of `total` are too few for a rate of 90 %. USABLE if too few for 98 %, or if more than
    0.1 % are `wrong` for sure. Else GOOD.
    """
    if not total or contradicts(right, total, RIGHT_USABLE):
        return Verdict.NOT_GOOD
    if contradicts(right, total, RIGHT_GOOD) or contradicts(total - wrong, total, 1 - WRONG_MOST):
        return Verdict.USABLE
    return Verdict.GOOD
