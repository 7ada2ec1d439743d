"""Setup step: each card is laid on the pad, to pair its face with its tag and raised picture."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from calibration.card_reading import CardReader
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import ClearTable, ShowCard
from calibration.wizard.step_result import Check, StepResult, Verdict, rate, result_of, skipped
from companion.core.language import listed, text
from companion.games.appearance import PhysicalCard
from companion.sensing.press_recogniser import as_enrolled
from companion.sensing.press_segmentation import Presses
from firmware.host.messages import Message, TagEvent, TextureFrame

NAME = "tags"
LOOK_EVERY_S = 0.25
"""Time (s) between two pictures in which the camera reads the card on the pad. A guess."""
AFTER_S = 0.8
"""Time (s) without a tag after which the card counts as taken away. A guess."""
QUIET_S = 3.5
"""Time (s) after the camera saw a card from which its tag counts as unread. A guess."""
AGAIN_MOST = 4
"""Most times that one card is asked for. A guess."""
TROUBLED_GOOD, TROUBLED_USABLE = 0.15, 0.35
"""Greatest shares of laid cards with a missed or lost tag, for a good or usable reader.

Guesses: one card in 50 is laid badly.
"""


@dataclass(slots=True)
class Gesture:
    """One card's showing: on the pad, pressed, taken away.

    `faces`: codes that the camera read -> how often. `uids`: RFID tags. `presses`: readings of the pressure
    matrix.
    """

    faces: Counter[str] = field(default_factory=Counter)
    uids: set[str] = field(default_factory=set)
    presses: list[bytes] = field(default_factory=list)
    drops: int = 0
    """Number of times that the tag was lost and found again while the card lay on the pad."""

    @property
    def face(self) -> str:
        """Code of the card that the camera read; "" if it read none or several."""
        return next(iter(self.faces)) if len(self.faces) == 1 else ""


@dataclass(slots=True)
class Pairing:
    """Pairs of RFID tags and cards found so far, and what went wrong on the way."""

    tags: dict[str, str] = field(default_factory=dict)
    """RFID tag -> card code."""
    presses: dict[str, list[bytes]] = field(default_factory=dict)
    """Kind of raised picture -> its presses."""
    asked: Counter[str] = field(default_factory=Counter)
    gestures: int = 0
    troubled: int = 0
    copies: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Code of a card -> codes of all cards with an equal face; empty if cards have stickers."""
    clashes: Counter[frozenset[str]] = field(default_factory=Counter)
    """Two cards for which one tag was read -> how often."""
    swapped: set[str] = field(default_factory=set)
    """Codes of cards whose tag belonged to another card at the last setup."""


def pair_cards(bench: SetupBench) -> StepResult:
    """Pair all cards with their RFID tags.

    Each pair is saved at once, so a break loses one card at most.
    """
    stations = [one for one in bench.stations("reader") if bench.answers(one, "reader")]
    wanted = {card.code: card.texture or "" for card in bench.cards if card.texture is not None}
    if not wanted:
        return skipped(NAME, text("this game has no tags"))
    if not stations:
        return skipped(NAME, text("no reader: tags are not paired with cards"), "companion setup find")
    if bench.devices.camera is None:
        return skipped(NAME, text("no camera: tags are not paired with cards"), "companion setup find")
    bench.ask(ClearTable())
    frame = bench.frame()
    reader = CardReader(bench)
    if frame is None or reader.placed(frame.gray) is None:
        return skipped(NAME, text("the play area was not found"), "companion setup camera")
    pairing = _paired(bench, reader, stations[0], wanted)
    return result_of(NAME, _checks(pairing, wanted))


def _paired(bench: SetupBench, reader: CardReader, station: str, wanted: dict[str, str]) -> Pairing:
    """Ask for cards on the pad of a station until all have a tag.

    It ends, too, when cards were asked for too often. `wanted`: code of a card -> its raised picture, ""
    without one.
    """
    before = dict(bench.profile.tags)
    pairing = Pairing()
    if bench.profile.art:
        pairing.copies = _copies(bench.cards, wanted)
    while len(pairing.tags) < len(wanted) and pairing.gestures < AGAIN_MOST * len(wanted):
        if not _shown(bench, station, _next(pairing, wanted)):
            code = next((one for one in wanted if _lacking(pairing, one)), None)
            if not _shown(bench, station, code):
                break
            assert code is not None
            pairing.asked[code] += 1
        _take(bench, pairing, watch_gesture(bench, reader, station), wanted, before)
        bench.say(text("{count} of {all} cards paired", count=len(pairing.tags), all=len(wanted)))
    return pairing


def _shown(bench: SetupBench, station: str, code: str | None) -> bool:
    """Ask the person for a card at a reader; True if it is shown.

    False if there is none left (None), or if the person refuses.
    """
    if code is None:
        return False
    card = next(one for one in bench.cards if one.code == code)
    name = text("{card}, one without a tag", card=card.name) if bench.profile.art else ""
    return bench.ask(ShowCard(station, code, name, card.name))


def _copies(cards: Sequence[PhysicalCard], wanted: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Group the cards that look alike: card -> all `wanted` cards of its kind."""
    kinds = {card.code: card.kind for card in cards}
    return {first: tuple(code for code in wanted if kinds[code] == kinds[first]) for first in kinds}


def watch_gesture(bench: SetupBench, reader: CardReader, station: str) -> Gesture:
    """Watch the pad until a card was laid, pressed and taken away, or patience ends.

    `station`: of the pad. `reader` reads cards in the camera's pictures.
    """
    gesture, presses = Gesture(), Presses()
    present: set[str] = set()
    last = begun = bench.clock.now()
    looked = begun - LOOK_EVERY_S
    meanwhile: list[Message] = []
    for messages in bench.ticks(bench.patience_s):
        now = bench.clock.now()
        for message in (*meanwhile, *messages):
            if isinstance(message, TagEvent) and message.station == station:
                last = now if message.uid is None else last
                _hear_tag(gesture, present, message.uid)
            elif isinstance(message, TextureFrame) and message.station == station:
                press = presses.hear(message)
                if press is not None and not press.rows_float:
                    gesture.presses += _enrolled(press.picture, press.rest)
        meanwhile = []
        if now - looked >= LOOK_EVERY_S:
            looked = now
            frame = bench.frame(0.5, meanwhile)
            seen = frozenset[str]() if frame is None else reader.in_zone(frame, station)
            gesture.faces.update(seen)
            if seen or present:
                last = max(last, now)
        if _over(gesture, present, now - last):
            break
    return gesture


def _hear_tag(gesture: Gesture, present: set[str], uid: bytes | None) -> None:
    """Add an RFID tag to a gesture, and to those `present` on the pad.

    None: all tags have left.
    """
    if uid is None:
        present.clear()
        return
    gesture.drops += uid.hex() in gesture.uids and not present
    present.add(uid.hex())
    gesture.uids.add(uid.hex())


def _over(gesture: Gesture, present: set[str], quiet_s: float) -> bool:
    """True if a gesture with cards on the pad is over.

    That is so once no tag or face has come for a while. `present`: tags that lie on the pad now. `quiet_s`:
    time (s) since the last tag or face.
    """
    if gesture.uids:
        return not present and quiet_s >= AFTER_S
    return bool(gesture.faces) and quiet_s >= QUIET_S


def _enrolled(picture: bytes, rest: bytes) -> list[bytes]:
    try:
        return [as_enrolled(picture, rest)]
    except ValueError:
        return []


def _next(pairing: Pairing, wanted: dict[str, str]) -> str | None:
    """Code of the card to ask for next.

    "" (any card) until as many were shown as are `wanted`. None if no card lacks its pair.
    """
    if pairing.gestures < len(wanted):
        return ""
    code = next((one for one in wanted if _lacking(pairing, one)), None)
    if code is not None:
        pairing.asked[code] += 1
    return code


def _lacking(pairing: Pairing, code: str) -> bool:
    return code not in pairing.tags.values() and pairing.asked[code] < AGAIN_MOST


def _unclear(bench: SetupBench, gesture: Gesture) -> str:
    """Sentence on a gesture that does not show exactly one card and one tag."""
    card = bench.words_of(gesture.face) if gesture.face else text("a card")
    if len(gesture.uids) > 1 or len(gesture.faces) > 1:
        return text("{card}: two cards: show one alone", card=card)
    return text("{card}: not read", card=card)


def _take(
    bench: SetupBench, pairing: Pairing, gesture: Gesture, wanted: dict[str, str], before: dict[str, str]
) -> None:
    """Pair the card and tag of an unambiguous gesture.

    Such a gesture shows exactly one card and one tag. Otherwise count what went wrong. `wanted`: code of a card
    -> its raised picture. `before`: pairs of the last setup.
    """
    pairing.gestures += 1
    face = gesture.face
    if not face or len(gesture.uids) != 1:
        pairing.troubled += bool(face) and not gesture.uids
        bench.say(_unclear(bench, gesture))
        return
    pairing.troubled += gesture.drops > 0
    face = copy_shown(pairing, face, next(iter(gesture.uids)), before)
    if face not in wanted:
        bench.say(text("{card} is no card with a tag", card=bench.words_of(face)))
        return
    (uid,) = gesture.uids
    other = pairing.tags.get(uid)
    if other is not None and other != face:
        # One of the two was read wrongly, so neither is believed until both are shown again.
        pairing.clashes[frozenset((other, face))] += 1
        _disbelieve(bench, pairing, uid, before)
        said = text("{card} has the tag that {other} had: show both again")
        bench.say(said.of(card=bench.words_of(face), other=bench.words_of(other)))
        return
    former = next((tag for tag, code in pairing.tags.items() if code == face), None)
    if former is not None and former != uid:
        _disbelieve(bench, pairing, former, before)
        bench.say(text("{card} had another tag before: show it again", card=bench.words_of(face)))
        return
    pairing.tags[uid] = face
    if before.get(uid, face) != face:
        pairing.swapped.add(face)
    if wanted[face]:
        pairing.presses.setdefault(wanted[face], []).extend(gesture.presses)
    kept = {kind: tuple(those) for kind, those in pairing.presses.items()}
    bench.update(tags=_known(pairing, before), presses=bench.profile.presses | kept)


def _known(pairing: Pairing, before: dict[str, str]) -> dict[str, str]:
    """All valid pairs of RFID tag -> card code: the new ones, and older ones.

    Those from the last setup count if their card has no new tag.
    """
    return {tag: code for tag, code in before.items() if code not in pairing.tags.values()} | pairing.tags


def _disbelieve(bench: SetupBench, pairing: Pairing, uid: str, before: dict[str, str]) -> None:
    """Drop the pair of the RFID tag `uid`, in the saved profile, too.

    `before`: pairs of the last setup, from which it is dropped as well. The person may leave the step now.
    """
    del pairing.tags[uid]
    before.pop(uid, None)
    bench.update(tags=_known(pairing, before))


def copy_shown(pairing: Pairing, face: str, uid: str, before: dict[str, str]) -> str:
    """Choose the card that was shown, among all cards that look like `face`.

    It is the card to which the tag `uid` belongs, now or at the last setup (`before`); else the first copy
    without a tag.
    """
    copies = pairing.copies.get(face, ())
    known, taken = pairing.tags.get(uid), set(pairing.tags.values())
    if known in copies:
        return known
    if before.get(uid) in copies and before[uid] not in taken:
        return before[uid]
    free = [code for code in copies if code not in taken]
    return next((code for code in free if code not in before.values()), free[0] if free else face)


def _checks(pairing: Pairing, wanted: dict[str, str]) -> list[Check]:
    paired, all_of = len(pairing.tags), len(wanted)
    said = text(
        "{count} of {all} cards paired, gestures: {gestures}",
        count=paired,
        all=all_of,
        gestures=pairing.gestures,
    )
    checks = []
    lasting = [pair for pair, count in pairing.clashes.items() if count > 1]
    lacking = set(wanted) - set(pairing.tags.values())
    for pair in lasting:
        both = listed(sorted(pair))
        checks.append(
            Check(
                "tags",
                Verdict.NOT_GOOD,
                paired,
                "cards",
                text("{cards} carry the same tag", cards=both),
                text("put a new tag into one of the two sleeves"),
                "tag twice",
            )
        )
        lacking -= pair
    share = pairing.troubled / max(1, pairing.gestures)
    level = rate(share, TROUBLED_GOOD, TROUBLED_USABLE)
    weak = level is not Verdict.GOOD
    nearer = text("bring the reader nearer to the top of the pad; nothing of metal may lie under it")
    checks.append(
        Check(
            "reader",
            level,
            round(100 * share),
            "%",
            text("{percent} % of the tags were missed for a moment", percent=f"{100 * share:.0f}"),
            nearer if weak else "",
            "weak reader" if weak else "",
        )
    )
    if pairing.swapped:
        names = ", ".join(sorted(pairing.swapped))
        checks.append(
            Check(
                "swapped",
                Verdict.USABLE,
                len(pairing.swapped),
                "cards",
                text("other tags than at the last setup: {names}; they were learned anew", names=names),
                text("nothing; or put the cards back into their old sleeves"),
                "tags swapped",
            )
        )
    if lacking and not weak:
        level = Verdict.USABLE if len(lacking) <= max(1, all_of // 10) else Verdict.NOT_GOOD
        names = ", ".join(sorted(lacking)[:6])
        checks.append(
            Check(
                "pairs",
                level,
                paired,
                "cards",
                text("{said}; without a tag: {names}", said=said, names=names),
                "show them once more: companion setup tags",
                "card unpaired",
            )
        )
    else:
        checks.append(Check("pairs", Verdict.GOOD, paired, "cards", said))
    return checks
