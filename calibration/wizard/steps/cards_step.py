"""Setup step: photograph all cards, name missing and double ones."""

from calibration.card_reading import CardReader
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import ClearTable, LayRows
from calibration.wizard.step_result import Check, StepResult, Verdict, result_of, skipped
from companion.core.language import plural, text

NAME = "cards"
PHOTOS_MOST = 12
"""PHOTOS_MOST: number of photographs after which nobody can have cards left. A guess."""
NAMED_MOST = 6
"""Most cards named in one sentence; further ones are only counted."""


def read_deck(bench: SetupBench) -> StepResult:
    """Read every card with a sticker in photographs of rows.

    The result's number counts the cards that were read.
    """
    if bench.devices.camera is None:
        return skipped(NAME, text("no camera"), text("plug one in, then: companion setup cards"))
    wanted = [card.code for card in bench.cards if card.payload]
    if not wanted:
        return skipped(NAME, text("this game has no stickers"))
    bench.ask(ClearTable())
    reader = CardReader(bench)
    frame = bench.frame()
    if frame is None or reader.placed(frame.gray) is None:
        return skipped(NAME, text("the play area was not found"), "companion setup camera")
    seen: set[str] = set()
    twice: set[str] = set()
    strangers: set[str] = set()
    photos = 0
    while photos < PHOTOS_MOST and not seen.issuperset(wanted) and bench.ask(LayRows(photos + 1)):
        photos += 1
        photo = reader.photograph()
        if photo is None:
            continue
        twice |= photo.twice | (photo.codes & seen)
        seen |= photo.codes
        strangers |= set(photo.strangers)
        bench.say(
            plural(
                "{n} card read, {seen} of {all} so far",
                "{n} cards read, {seen} of {all} so far",
                n=len(photo.codes),
                seen=len(seen),
                all=len(wanted),
            )
        )
    if not photos:
        return skipped(
            NAME, text("no card was shown; without stickers: printed pictures"), "companion setup art"
        )
    return result_of(NAME, _checks(wanted, seen, twice, strangers, photos))


def _checks(
    wanted: list[str], seen: set[str], twice: set[str], strangers: set[str], photos: int
) -> list[Check]:
    missing = [code for code in wanted if code not in seen]
    said = text(
        "{seen} of {all} cards read, photographs: {photos}", seen=len(seen), all=len(wanted), photos=photos
    )
    checks = []
    if twice:
        # The card that should carry the sticker is missing for that reason alone.
        names = _named(sorted(twice))
        checks.append(
            Check(
                "stickers",
                Verdict.NOT_GOOD,
                len(twice),
                "cards",
                text("two cards carry the same sticker: {names}", names=names),
                text("put the right sticker on one of the two"),
                "sticker twice",
            )
        )
    if len(missing) > len(twice):
        names = _named(missing)
        level = Verdict.USABLE if len(missing) <= max(1, len(wanted) // 20) else Verdict.NOT_GOOD
        checks.append(
            Check(
                "deck",
                level,
                len(seen),
                "cards",
                text("{said}; not seen: {names}", said=said, names=names),
                text("lay them out again without a reflection, or print their stickers anew"),
                "card missing",
            )
        )
    else:
        checks.append(Check("deck", Verdict.GOOD, len(seen), "cards", said))
    if strangers:
        shown = _named(sorted(code[:12] for code in strangers))
        checks.append(
            Check(
                "strangers",
                Verdict.USABLE,
                len(strangers),
                "codes",
                text("codes of no card: {codes}", codes=shown),
                text("take them off the table"),
                "strange sticker",
            )
        )
    return checks


def _named(codes: list[str]) -> str:
    if len(codes) <= NAMED_MOST:
        return ", ".join(codes)
    return text("{names} and {more} more", names=tuple(codes[:NAMED_MOST]), more=len(codes) - NAMED_MOST)
