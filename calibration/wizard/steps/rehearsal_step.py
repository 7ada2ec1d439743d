"""Setup step: a scripted game of two minutes, which the sensors follow as in a real game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import (
    ClearTable,
    LayCard,
    LoadScale,
    PressCard,
    PushButton,
    Request,
    ShowCard,
    TouchElectrode,
)
from calibration.wizard.step_result import Check, StepResult, Verdict, rate, result_of, skipped
from companion.core.language import term, text
from companion.games.appearance import PhysicalCard
from companion.sensing.board_source import BoardSource
from companion.sensing.camera_source import CameraSource, watch
from companion.sensing.observation import Button, Count, Observation, Sighting, TagRead, Texture, Touch
from companion.sensing.press_recogniser import read_book
from companion.sensing.vision_words import in_words
from firmware.host.messages import Message
from vision.art.art_book import book_of
from vision.art_codes import kind_by_art
from vision.camera.frames import Camera, CameraInfo, CameraStatus, ClosedAtEnd, Frame
from vision.mat.remembered_table import home_of

NAME = "rehearsal"
LATE_S = 4.0
"""Time (s) from a request to the sensor's report from which the report is late. A guess.

The hand's movement is included.
"""
PRESS_S = 3.0
"""Time (s) after a card's tag is read in which its press ends. A guess."""
DEALT = 3
"""Number of cards dealt in the rehearsal."""
RIGHT_GOOD, RIGHT_USABLE = 0.99, 0.6
"""Least shares of expected reports that came, for a good or usable sensor.

One of three may be missing.
"""
SURE_P = 0.9
"""Probability from which a wrongly recognised raised picture is wrong, not unsure. A guess."""
WORDS = {
    "reader": "tags",
    "texture": "raised pictures",
    "count": "weights",
    "touch": "touches",
    "button": "buttons",
    "camera": "cards in sight",
}
"""Sensor -> what it reports, as in the names of faults."""
_SENSED = {
    "reader": term("sensed", "tags"),
    "texture": term("sensed", "raised pictures"),
    "count": term("sensed", "weights"),
    "touch": term("sensed", "touches"),
    "button": term("sensed", "buttons"),
    "camera": term("sensed", "cards in sight"),
}
"""Sensor -> what it reports, in the reader's language."""


@dataclass(slots=True)
class SenseTally:
    """Counts of the reports of one sensor that were expected.

    `right`: in time. `late`: late, or at the second attempt. `missed`: never. `wrong`: wrong reports.
    """

    right: int = 0
    late: int = 0
    missed: int = 0
    wrong: int = 0

    @property
    def asked(self) -> int:
        """Number of reports that were expected."""
        return self.right + self.late + self.missed


class _RelayedBoard:
    """Board of the setup, as a source of messages for a game's session."""

    def __init__(self, bench: SetupBench) -> None:
        self._bench = bench
        self.finished = False
        self._waiting: list[Message] = []
        if bench.board.hello is not None:
            self._waiting.append(bench.board.hello)
        bench.listeners.append(self._waiting.extend)

    def poll(self) -> list[Message]:
        """Messages of the board since the last call."""
        told = list(self._waiting)
        self._waiting.clear()
        return told

    def configure(self, setting: int, station: str | None, value: int) -> None:
        """Set a value on the board; nothing without a board."""
        if self._bench.link is not None:
            self._bench.link.configure(setting, station, value)

    def close(self) -> None:
        """Stop listening; the setup goes on using the board."""
        self._bench.listeners.clear()


class _RelayedCamera(ClosedAtEnd):
    """Camera of the setup, as a source of pictures for a game's session; it stays open for the setup."""

    def __init__(self, bench: SetupBench, info: CameraInfo) -> None:
        self._bench = bench
        self.info = info
        self.state = CameraStatus(True)
        self.finished = False

    def read(self) -> Frame | None:
        """Read the newest picture; show it in the live view.

        None if no new one has come.
        """
        frame = self._bench.devices.frame()
        if frame is not None:
            self._bench.live.frame = frame
        return frame


def relayed_camera(bench: SetupBench) -> Camera:
    """Camera of the setup, as a source of pictures for a game's session.

    The setup must have a camera.
    """
    info = bench.devices.camera
    assert info is not None
    return _RelayedCamera(bench, info)


@dataclass(slots=True)
class MiniGame:
    """Rehearsed game of setup: devices as sources, and counts of each sensor's reports.

    `senses`: sensors that are rehearsed.
    """

    bench: SetupBench
    senses: frozenset[str]
    sources: list[BoardSource | CameraSource]
    tallies: dict[str, SenseTally] = field(default_factory=dict)
    believed: dict[str, list[str]] = field(default_factory=dict)
    """Station -> kinds of the cards that lie on it, by their tags."""

    def expect(self, request: Request, sense: str, seen: Callable[[Observation], bool | None]) -> bool:
        """Make a request, and wait for a sensor's report; True if it came.

        A second time if it fails. `seen` judges an observation: True for the expected report, False for a
        wrong one, None for any other. A sensor (`sense`) that is not rehearsed gives False at once.
        """
        if sense not in self.senses:
            return False
        tally = self.tallies.setdefault(sense, SenseTally())
        for attempt in range(2):
            begun = self.bench.clock.now()
            if not self.bench.ask(request):
                break
            verdict = self._watch(seen)
            if verdict is False:
                tally.wrong += 1
            if verdict:
                in_time = attempt == 0 and self.bench.clock.now() - begun <= LATE_S
                tally.right += in_time
                tally.late += not in_time
                return True
        tally.missed += 1
        return False

    def _watch(self, seen: Callable[[Observation], bool | None]) -> bool | None:
        found: bool | None = None
        for _ in self.bench.ticks(self.bench.patience_s):
            for source in self.sources:
                for one in source.poll():
                    found = seen(one) if found is None else found
            if found is not None:
                return found
        return None

    def settle(self, seconds: float) -> None:
        """Let everything come to rest for some seconds.

        Reports meanwhile do not count.
        """
        for _ in self.bench.ticks(seconds):
            for source in self.sources:
                source.poll()


def rehearse(bench: SetupBench, without: frozenset[str] = frozenset()) -> StepResult:
    """Rehearse a game: deal three cards, press one, move one, make a true and a false claim.

    `without`: sensors that are known to fail; they are left out.
    """
    bench.connect()
    game = _prepared(bench, without)
    if not game.senses:
        return skipped(NAME, text("neither camera nor board can be used"), "companion setup find")
    try:
        return _played(game, without)
    finally:
        for source in game.sources:
            source.close()


def _played(game: MiniGame, without: frozenset[str]) -> StepResult:
    bench = game.bench
    bench.ask(ClearTable())
    game.settle(3.0)
    cards = _cards(bench)
    stations = [one for one in bench.stations("count") if bench.answers(one, "count")]
    if game.senses & {"reader", "texture", "count"} and len(stations) >= DEALT:
        _deal(game, cards, stations)
        _feel_and_move(game, stations)
    claims = _claims(game, cards, stations) if stations else []
    if "camera" in game.senses:
        _show(game, cards)
    return result_of(NAME, [*_checks(game, without), *claims])


def _prepared(bench: SetupBench, without: frozenset[str]) -> MiniGame:
    profile = bench.profile
    senses = {
        capability
        for capability in ("reader", "texture", "count", "touch", "button")
        if any(bench.answers(one, capability) for one in bench.stations(capability))
    }
    if not profile.presses:
        senses.discard("texture")
    if not profile.tags:
        senses.discard("reader")
    sources: list[BoardSource | CameraSource] = []
    if bench.link is not None and bench.board.hello is not None:
        textures = {kind: [press.hex() for press in those] for kind, those in profile.presses.items()}
        relay = _RelayedBoard(bench)
        book = read_book(textures)
        sources.append(
            BoardSource(
                relay,
                profile.tags,
                profile.stations,
                book,
                profile.wires,
                clock=bench.clock,
                electrodes=profile.electrodes,
            )
        )
    if bench.devices.camera is not None and "camera" not in without:
        senses.add("camera")
        with in_words():
            art = book_of(profile.art, "the rig's cards") if profile.art else None
            home = home_of(profile.home, "the rig's table") if profile.home else None
        camera = relayed_camera(bench)
        sources.append(watch(bench.game, bench.variant, camera, bench.clock, profile.lens, art, home=home))
    return MiniGame(bench, frozenset(senses) - without, sources)


def _cards(bench: SetupBench) -> list[PhysicalCard]:
    """Choose cards for the rehearsal, those with different raised pictures first."""
    tagged = [card for card in bench.cards if card.texture is not None]
    raised: dict[str, PhysicalCard] = {}
    for card in tagged:
        if card.texture:
            raised.setdefault(card.texture, card)
    chosen = [*raised.values()][: DEALT + 1] or tagged[: DEALT + 1]
    return chosen if len(chosen) > DEALT else [card for card in bench.cards if card.payload][: DEALT + 1]


def _deal(game: MiniGame, cards: list[PhysicalCard], stations: list[str]) -> None:
    pads = game.bench.stations("reader")
    # Copies of a card without a sticker look alike, so any of them will do.
    kinds = {card.code: card.kind for card in game.bench.cards} if game.bench.profile.art else {}
    for card, station in zip(cards[:DEALT], stations, strict=False):
        if pads and card.texture is not None:
            if _tap(game, card, pads[0], kinds):
                game.believed.setdefault(station, []).append(card.kind)
            game.settle(1.5)
        game.expect(LoadScale(station, 1), "count", _count(station, 1))


def _tap(game: MiniGame, card: PhysicalCard, pad: str, kinds: Mapping[str, str]) -> bool:
    """Have a card tapped on a pad, whose tag and raised picture are read; True if the right tag was read.

    `pad`: station. `kinds`: code -> kind of cards whose copies look alike.
    """
    textured = "texture" in game.senses and bool(card.texture)
    felt: list[Texture] = []

    def tag(one: Observation) -> bool | None:
        if isinstance(one, Texture):
            felt.append(one)
        if not isinstance(one, TagRead) or one.card is None:
            return None
        return one.card == card.code or kinds.get(one.card) == card.kind

    tapped = ShowCard(pad, card.code, *game.bench.called(card))
    known = False
    if "reader" not in game.senses and textured:
        game.bench.ask(tapped)
    else:
        known = game.expect(tapped, "reader", tag)
    if textured:
        _count_texture(game, felt, card, pad)
    return known


def _count_texture(game: MiniGame, felt: list[Texture], card: PhysicalCard, pad: str) -> None:
    """Count whether a pressed card's raised picture was recognised.

    `felt`: recognised pictures so far. `pad`: station. A press that covers half the picture may be taken for
    any picture. An unsure press is therefore asked for once more.
    """
    tally = game.tallies.setdefault("texture", SenseTally())
    for attempt in range(2):
        if attempt:
            felt = []
            game.bench.ask(PressCard(pad, card.code, *game.bench.called(card)))
        for _ in game.bench.ticks(game.bench.patience_s / 2 if attempt else PRESS_S):
            for source in game.sources:
                felt += [one for one in source.poll() if isinstance(one, Texture)]
            if felt:
                break
        if felt and felt[0].cls == card.texture:
            tally.right += not attempt
            tally.late += attempt
            return
        if felt and felt[0].p >= SURE_P:
            tally.wrong += 1
            break
    tally.missed += 1


def _feel_and_move(game: MiniGame, stations: list[str]) -> None:
    first, second = stations[0], stations[1]

    def felt(one: Observation) -> bool | None:
        return one.station == first if isinstance(one, Touch) and one.pressed else None

    if "touch" in game.senses:
        game.expect(TouchElectrode(first), "touch", felt)
        game.settle(2.0)
    game.expect(LoadScale(first, 0), "count", _count(first, 0))
    game.expect(LoadScale(second, 2), "count", _count(second, 2))
    game.believed.setdefault(second, []).extend(game.believed.pop(first, []))


def _count(station: str, cards: int) -> Callable[[Observation], bool | None]:
    def seen(one: Observation) -> bool | None:
        return True if isinstance(one, Count) and one.station == station and one.n == cards else None

    return seen


def _claims(game: MiniGame, cards: list[PhysicalCard], stations: list[str]) -> list[Check]:
    """Checks of a true and a false claim in the rehearsal.

    The person pushes the button of a station. The tags of the cards on its scale give the verdict.
    """
    checks = []
    for at, claimed, true in ((1, cards[0].kind, True), (2, cards[0].kind, False)):
        if at >= len(stations):
            continue
        station = stations[at]

        def pushed(one: Observation, station: str = station) -> bool | None:
            return one.station == station if isinstance(one, Button) else None

        heard = game.expect(PushButton(station), "button", pushed)
        if not heard or not {"reader", "button"} <= game.senses or station not in game.believed:
            continue
        verdict = claimed in game.believed[station]
        name = f"{'true' if true else 'false'} claim"
        if verdict == true:
            checks.append(Check(name, Verdict.GOOD, 1, "claims", text("judged rightly")))
        else:
            checks.append(
                Check(
                    name,
                    Verdict.NOT_GOOD,
                    0,
                    "claims",
                    text("judged wrongly"),
                    text("pair the tags anew: companion setup tags"),
                    "wrong verdict",
                )
            )
    return checks


def _show(game: MiniGame, cards: list[PhysicalCard]) -> None:
    """Rehearse the camera, which must see cards in a zone.

    The person lays each card, one at a time, into the largest open zone of the mat.
    """
    mat, taken = game.bench.mat, set(game.bench.stations("count"))
    zones = [zone for zone in mat.zones if zone.name not in taken and zone.w >= 100 and zone.h >= 90]
    if not zones:
        return
    zone = max(zones, key=lambda one: one.w * one.h).name
    for card in cards[:DEALT]:
        if card.payload:
            game.expect(LayCard(zone, card.code, *game.bench.called(card)), "camera", _seen(zone, card))
            game.settle(1.0)


def _seen(zone: str, wanted: PhysicalCard) -> Callable[[Observation], bool | None]:
    def seen(one: Observation) -> bool | None:
        if not isinstance(one, Sighting) or one.zone != zone or not one.cards:
            return None
        there = {kind_by_art(card.card) or card.card for card in one.cards if card.card != "?"}
        return bool(there & {wanted.code, wanted.kind}) if there else None

    return seen


def _checks(game: MiniGame, without: frozenset[str]) -> list[Check]:
    checks = []
    for sense, words in WORDS.items():
        tally = game.tallies.get(sense)
        if tally is None or not tally.asked:
            if sense in without:
                said = text(
                    "{sense}: left out, because an earlier step found it not good", sense=_SENSED[sense]
                )
                checks.append(Check(sense, Verdict.NOT_TESTED, None, "", said))
            continue
        share = (tally.right + tally.late) / tally.asked
        level = rate(share, RIGHT_GOOD, RIGHT_USABLE)
        if tally.wrong and level is Verdict.GOOD:
            level = Verdict.USABLE
        said = text(
            "{sense}: {right} seen, {late} late, {missed} missed, {wrong} wrong",
            sense=_SENSED[sense],
            right=tally.right,
            late=tally.late,
            missed=tally.missed,
            wrong=tally.wrong,
        )
        bad = level is Verdict.NOT_GOOD
        fix = f"companion setup {_STEP_OF[sense]}" if level is not Verdict.GOOD else ""
        checks.append(
            Check(sense, level, round(100 * share), "%", said, fix, f"{words} not sensed" if bad else "")
        )
    return checks


_STEP_OF = {
    "reader": "tags",
    "texture": "texture",
    "count": "stations",
    "touch": "stations",
    "button": "stations",
    "camera": "camera",
}
