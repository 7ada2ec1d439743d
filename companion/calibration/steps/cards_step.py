"""Setup step: the deck, laid out in rows and photographed: what is missing, twice, or not of this game."""

from companion.calibration.card_reading import CardReader
from companion.calibration.setup_bench import SetupBench
from companion.calibration.setup_requests import ClearTable, LayRows
from companion.calibration.step_result import Check, StepResult, Verdict, result_of, skipped

NAME = "cards"
PHOTOS_MOST = 12
"""PHOTOS_MOST: photographs after which nobody can have cards left."""
NAMED_MOST = 6
"""NAMED_MOST: cards named in a sentence; of more only the number is told."""


def read_deck(bench: SetupBench) -> StepResult:
    """Read every card that carries a sticker once. The number of the result is that of the cards read."""
    if bench.devices.camera is None:
        return skipped(NAME, "no camera", "plug one in, then: companion setup cards")
    wanted = [card.code for card in bench.cards if card.payload]
    if not wanted:
        return skipped(NAME, "this game has no stickers")
    bench.ask(ClearTable())
    reader = CardReader(bench)
    frame = bench.frame()
    if frame is None or reader.placed(frame.gray) is None:
        return skipped(NAME, "the mat is not in sight", "companion setup camera")
    seen: set[str] = set()
    twice: set[str] = set()
    strangers: set[str] = set()
    photos = 0
    while photos < PHOTOS_MOST and bench.ask(LayRows(photos + 1)):
        photos += 1
        photo = reader.photograph()
        if photo is None:
            continue
        twice |= photo.twice | (photo.codes & seen)
        seen |= photo.codes
        strangers |= set(photo.strangers)
        bench.say(f"{len(photo.codes)} cards read, {len(seen)} of {len(wanted)} so far")
    bench.ask(ClearTable())
    if not photos:
        return skipped(NAME, "no card was shown; without stickers: printed pictures", "companion setup art")
    return result_of(NAME, _checks(wanted, seen, twice, strangers, photos))


def _checks(
    wanted: list[str], seen: set[str], twice: set[str], strangers: set[str], photos: int
) -> list[Check]:
    missing = [code for code in wanted if code not in seen]
    said = f"{len(seen)} of {len(wanted)} cards read in {photos} photographs"
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
                f"two cards carry the sticker of {names}",
                "put the right sticker on one of the two",
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
                f"{said}; not seen: {names}",
                "lay them out again without a reflection, or print their stickers anew",
                "card missing",
            )
        )
    else:
        checks.append(Check("deck", Verdict.GOOD, len(seen), "cards", said))
    if strangers:
        shown = _named(sorted(text[:12] for text in strangers))
        checks.append(
            Check(
                "strangers",
                Verdict.USABLE,
                len(strangers),
                "codes",
                f"codes of no card: {shown}",
                "take them off the table",
                "strange sticker",
            )
        )
    return checks


def _named(codes: list[str]) -> str:
    if len(codes) <= NAMED_MOST:
        return ", ".join(codes)
    return f"{', '.join(codes[:NAMED_MOST])} and {len(codes) - NAMED_MOST} more"
