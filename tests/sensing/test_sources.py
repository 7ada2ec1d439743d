"""From the board's and the camera's words to observations: cards for grams, enrolled tags only, no flicker."""

import numpy as np
import pytest

from companion.core.clock import ManualClock
from companion.core.config import ElectrodeConfig, StationConfig
from companion.core.language import Language
from companion.rehearse.stepped_devices import SteppedLink
from companion.sensing.board_source import BoardSource, PortLink
from companion.sensing.camera_source import CameraSource
from companion.sensing.link_status import LinkWatch
from companion.sensing.observation import Button, Count, Health, Observation, TagRead, Touch
from companion.sensing.parameters import LINK, WEIGHING
from companion.sensing.source import Linked, Warming, Watching
from firmware.flashing.manifest import code_hash
from firmware.host.link import Link, LinkStats
from firmware.host.messages import (
    BoardLog,
    ButtonEvent,
    Connected,
    Disconnected,
    Message,
    Part,
    PartState,
    Station,
    TagEvent,
    TouchEvent,
    WeightEvent,
)
from firmware.reasons import At, Simple
from firmware.wire.codec import CONF_BAND, CONF_STEP, CONF_TOUCH_SHARE
from tests.support.told_link import ToldLink
from vision.camera.frames import CameraStatus, Frame
from vision.scene.camera_reports import CameraState, Duplicate, Foreign, Seen

READER, SCALE = Part("pad", ("reader",)), Part("bed 2", ("count",))


def observed(*messages: Message, **stations: StationConfig) -> list[Observation]:
    return BoardSource(ToldLink(*messages), {"04aa": "M3A"}, stations).poll()


def test_a_source_declares_what_not_every_one_can_do() -> None:
    board = BoardSource(ToldLink(), {})
    assert isinstance(board, Warming)
    assert isinstance(board, Linked)
    assert not isinstance(board, Watching)
    assert {"ready", "settled"} <= vars(CameraSource).keys()


def test_only_enrolled_tags_are_cards() -> None:
    known, foreign, gone = observed(
        TagEvent(1.0, "pad", bytes.fromhex("04aa")),
        TagEvent(2.0, "pad", bytes.fromhex("dead")),
        TagEvent(3.0, "pad", None),
    )
    assert known == TagRead(1.0, "pad", "M3A")
    assert isinstance(foreign, Health)
    assert "never enrolled" in foreign.detail
    assert gone == TagRead(3.0, "pad", None)


def test_the_board_and_its_words() -> None:
    up, mute, back, down = observed(
        Connected(1.0, "b", 1, "1", 0, "1.0", 0, (), True),
        BoardLog(2.0, "the watchdog barked"),
        PartState(2.0, READER, False, "pad reader (MFRC522)"),
        PartState(2.5, SCALE, True, "bed 2 scale (HX711)"),
        Disconnected(3.0, "unplugged"),
    )
    assert up == Health(1.0, "board", True, "")
    assert mute == Health(2.0, "pad reader", False, "does not answer")
    assert back == Health(2.5, "bed 2 scale", True)
    assert down == Health(3.0, "board", False, "unplugged")


@pytest.mark.parametrize(
    ("station", "capabilities", "name"),
    [
        ("pad", ("texture",), "pad pressure matrix"),
        ("bed 1", ("count",), "bed 1 scale"),
        (None, ("touch", "button"), "touch"),
        (None, ("button",), "buttons"),
        (None, ("count",), "scales"),
    ],
)
def test_a_part_is_named_by_what_it_serves(
    station: str | None, capabilities: tuple[str, ...], name: str
) -> None:
    silent = PartState(2.0, Part(station, capabilities), False, "some chip is back")
    assert observed(silent) == [Health(2.0, name, False, "does not answer")]


@pytest.mark.parametrize(
    "line",
    ["a beeper is wired to no pin", "events were lost", "pad reader does not answer", "bed 2 scale is back"],
)
def test_the_board_s_log_tells_nothing_of_its_parts(line: str) -> None:
    assert observed(BoardLog(2.0, line, 2)) == []
    watch = LinkWatch()
    watch.hear(BoardLog(2.0, line, 2))
    status = watch.state(3.0, LinkStats())
    assert (status.said, status.missing) == (line, ())


def test_touches_and_presses() -> None:
    assert observed(
        TouchEvent(1.0, "bed 1", True), TouchEvent(2.0, "bed 1", False), ButtonEvent(3.0, "bed 2", True)
    ) == [Touch(1.0, "bed 1", True), Touch(2.0, "bed 1", False), Button(3.0, "bed 2")]
    assert observed(ButtonEvent(3.0, "bed 2", False)) == []


@pytest.mark.parametrize(
    ("grams", "counts"),
    [
        ((0, 4, 8, 12), [0, 1, 2, 3]),
        ((0, 2.1, 0.4, 2.2, 1.9), [0]),  # about half a card: neither zero nor one
        ((12, 9.9, 10.2, 8.1), [3, 2]),
        ((0, 4.5, 3.4, 4.2), [0, 1]),
        ((-0.4, -5), [0]),
        ((0, 4, 6.4, 6.5, 6.6, 8), [0, 1, 2]),  # a card being laid is no drift
        ((0, 1, 1, 1, 1, 1, 6.6), [0, 1]),  # drift is followed
    ],
)
def test_grams_become_cards_without_flicker(grams: tuple[float, ...], counts: list[int]) -> None:
    found = observed(*(WeightEvent(float(t), "bed 1", g) for t, g in enumerate(grams)))
    assert [one.n for one in found if isinstance(one, Count)] == counts


def test_each_scale_has_its_own_zero_and_card() -> None:
    scale = StationConfig(zero_g=10.0, card_g=2.0)
    (count,) = observed(WeightEvent(1.0, "bed 1", 14.1), **{"bed 1": scale})
    assert count == Count(1.0, "bed 1", 2, 2.05)


def leant_on(*readings: tuple[float, float], until: float) -> list[tuple[float, int]]:
    """(time, count) that is told of readings (s, g), the last of which lies until then."""
    line = ToldLink()
    clock = ManualClock(0.0)
    source = BoardSource(line, {}, clock=clock)
    found = []
    for t, grams in readings:
        clock.sleep(t - clock.now())
        line.messages = [WeightEvent(t, "bed 1", grams)]
        found += source.poll()
    clock.sleep(until - clock.now())
    found += source.poll()
    return [(one.t, one.n) for one in found if isinstance(one, Count)]


def test_a_hand_on_a_scale_is_no_cards_and_what_lies_there_after_it_is_counted() -> None:
    assert leant_on((0, 8), (1, 28), (2, 33), (3, 8.4), until=20) == [(0, 2)]
    assert leant_on((0, 8), (1, 28), (3, 12), until=20) == [(0, 2), (3, 3)]
    assert leant_on((0, 8), (1, 100), (3, 12), (8, 60), (9, 12), until=20) == [(0, 2), (3, 3)]


def test_many_cards_laid_at_once_are_counted_when_they_rest_too_long_for_a_hand() -> None:
    assert leant_on((0, 4), (1, 24), until=1 + WEIGHING.leaning_s - 0.1) == [(0, 1)]
    assert leant_on((0, 4), (1, 24), until=1 + WEIGHING.leaning_s) == [(0, 1), (1 + WEIGHING.leaning_s, 6)]
    assert leant_on((0, 40), until=1) == [(0, 10)], "the first reading is what lies there"
    assert leant_on((0, 40), (1, 12), until=2) == [(0, 10), (1, 3)], "cards are taken at once"


def test_a_hand_that_leans_when_the_board_is_lost_is_never_counted() -> None:
    line, clock = ToldLink(WeightEvent(0.0, "bed 1", 8.0)), ManualClock()
    source = BoardSource(line, {}, clock=clock)
    source.poll()
    line.messages = [WeightEvent(0.0, "bed 1", 28.0), Disconnected(0.0, "unplugged")]
    source.poll()
    clock.sleep(2 * WEIGHING.leaning_s)
    assert source.poll() == []


PAD = Station("pad", frozenset({"reader", "touch"}), frozenset({"reader", "touch"}))
BED = Station("bed 2", frozenset({"count", "touch"}))
TOUCH = Part(None, ("touch", "button"))


def met(*stations: Station, code: int | None = None) -> Connected:
    return Connected(1.0, "b", 1, "1", code_hash() if code is None else code, "1.0", 0, stations, True)


def test_the_link_is_connecting_connected_and_at_last_lost() -> None:
    watch, stats = LinkWatch(), LinkStats()
    assert watch.state(0.0, stats).state == "connecting"
    watch.hear(met())
    assert watch.state(2.0, stats).state == "connected"
    watch.hear(Disconnected(5.0, At("x", Simple.PORT_VANISHED)))
    gone = watch.state(6.0, stats)
    assert (gone.state, gone.detail) == ("connecting", "x: the port vanished; check the cable")
    watch.hear(Disconnected(9.0, "no such port"))
    assert watch.state(5.0 + LINK.board_lost_s, stats).state == "lost"
    watch.hear(met())
    assert watch.state(20.0, stats) == watch.state(500.0, stats)


def test_missing_parts_follow_what_the_board_tells_of_them() -> None:
    watch, stats = LinkWatch(), LinkStats()
    watch.hear(met(PAD, BED))
    assert watch.state(1.0, stats).missing == ("pad reader", "pad touch")
    watch.hear(PartState(1.0, READER, False, "pad reader (MFRC522)"))
    assert watch.state(1.0, stats).missing == ("pad reader (MFRC522)", "pad touch")
    watch.hear(PartState(1.0, TOUCH, False, "touch (MPR121)"))
    watch.hear(PartState(2.0, SCALE, False))
    assert watch.state(2.0, stats).missing == ("bed 2 scale", "pad reader (MFRC522)", "touch (MPR121)")
    watch.hear(PartState(3.0, READER, True))
    watch.hear(PartState(3.0, TOUCH, True))
    assert watch.state(3.0, stats).missing == ("bed 2 scale",)
    watch.hear(PartState(4.0, SCALE, True))
    assert watch.state(4.0, stats).missing == ()


def test_a_silent_part_stays_missing_over_a_reconnect_until_its_station_is_gone() -> None:
    watch, stats = LinkWatch(), LinkStats()
    watch.hear(met(PAD, BED))
    watch.hear(PartState(1.0, SCALE, False, "bed 2 scale (HX711)"))
    watch.hear(met(BED))
    assert watch.state(2.0, stats).missing == ("bed 2 scale (HX711)",)
    watch.hear(met(Station("bed 1", frozenset({"count"}))))
    assert watch.state(3.0, stats).missing == ()


def test_the_round_trip_shown_does_not_flicker() -> None:
    watch = LinkWatch()
    shown = [watch.state(t, LinkStats(rtt_ms=4.0 + t % 3)).rtt_ms for t in range(60)]
    assert set(shown) == {4}
    slow = [watch.state(t, LinkStats(rtt_ms=80.0)).rtt_ms for t in range(60)]
    assert slow[-1] in range(50, 81)
    assert len(set(slow)) < 8


def test_other_code_on_the_board_is_said() -> None:
    watch = LinkWatch()
    watch.hear(met(code=code_hash() ^ 1))
    assert watch.state(1.0, LinkStats()).outdated
    watch.hear(met())
    assert not watch.state(1.0, LinkStats()).outdated


class Eyesight:
    """A camera and the eyes behind it, which say what they are told to; every frame is `True`."""

    finished = settled = False
    quality = None

    def __init__(self) -> None:
        self.frame: object = None
        self.state = CameraStatus(True)
        self.said: list[Seen] = []

    def read(self) -> object:
        return self.frame

    def feed(self, _: object) -> list[Seen]:
        said, self.said = self.said, []
        return said

    def close(self) -> None:
        pass


def test_a_camera_that_comes_back_is_as_well_as_the_eyes_said_last() -> None:
    eyes = Eyesight()
    source = CameraSource(eyes, eyes, ManualClock(50.0))
    frame = Frame(51.0, np.zeros((4, 4), np.uint8))
    eyes.frame, eyes.said = frame, [CameraState(51.0, True, "mat found")]
    assert source.poll() == [Health(51.0, "camera", True, "mat found")]
    assert source.poll() == []
    eyes.frame, eyes.state = None, CameraStatus(False, "camera lost: unplugged")
    assert source.poll() == [Health(50.0, "camera", False, "camera lost: unplugged")]
    assert source.poll() == []
    eyes.state = CameraStatus(True)
    assert source.poll() == [], "no picture yet"
    eyes.frame = frame
    assert source.poll() == [Health(51.0, "camera", True, "mat found")]
    assert source.poll() == []
    eyes.frame, eyes.state = None, CameraStatus(False, "camera lost: unplugged")
    source.poll()
    eyes.frame, eyes.state = frame, CameraStatus(True)
    eyes.said = [CameraState(52.0, False, "camera moved")]
    assert source.poll() == [Health(52.0, "camera", False, "camera moved")]


def test_a_foreign_code_does_not_end_the_fault_of_two_cards_with_one_sticker() -> None:
    eyes = Eyesight()
    source = CameraSource(eyes, eyes, ManualClock(50.0))
    eyes.frame = Frame(51.0, np.zeros((4, 4), np.uint8))
    twins = (("row", 1.0, 2.0), ("play", 3.0, 4.0))
    eyes.said = [Foreign(51.0, "HELLO"), Duplicate(51.1, "H01A", twins), Foreign(51.2, "AGAIN")]
    found = [seen for seen in source.poll() if isinstance(seen, Health)]
    assert [seen.ok for seen in found] == [True, False]
    assert [Language("de").say(seen.detail) for seen in found] == [
        "ein Code, der nicht von uns ist: HELLO",
        "zwei Karten tragen denselben Aufkleber: H01A bei Reihe und Spielfeld",
    ]
    eyes.said = [Duplicate(52.0, "", ())]
    assert source.poll() == [Health(52.0, "stickers", True)]


class OwnLine(ToldLink):
    """The same, with a port of its own."""

    port = "/dev/tty7"
    recorded = False

    def __init__(self, *messages: Message) -> None:
        super().__init__(*messages)
        self.stats = LinkStats(resends=3)


def test_only_a_link_with_a_port_of_its_own_has_a_state() -> None:
    assert BoardSource(ToldLink(), {}).link_status(1.0) is None
    state = BoardSource(OwnLine(), {}).link_status(1.0)
    assert state is not None
    assert state.resends == 3


def test_why_a_link_is_down_is_said_without_its_port() -> None:
    down = Disconnected(3.0, At("/dev/tty7", "unplugged"))
    assert BoardSource(OwnLine(down), {}).poll() == [Health(3.0, "board", False, "unplugged")]
    assert BoardSource(ToldLink(down), {}).poll() == [Health(3.0, "board", False, "/dev/tty7: unplugged")]


def test_a_port_that_never_was_is_named_with_what_to_do() -> None:
    down = Disconnected(3.0, At("/dev/tty7", Simple.NO_PORT_TO_OPEN))
    met = Connected(1.0, "b", 1, "1", 0, "1.1", 0, (), True)
    assert BoardSource(OwnLine(down), {}).poll() == [
        Health(3.0, "board", False, "/dev/tty7: no such port; plug the board in, or use 'auto'")
    ]
    assert BoardSource(OwnLine(met, down), {}).poll()[-1] == Health(3.0, "board", False, "no such port")


def test_a_capture_is_ready_at_once_and_a_board_when_it_answers() -> None:
    line = OwnLine(Connected(1.0, "b", 1, "1", 0, "1.1", 0, (), True))
    source = BoardSource(line, {})
    assert not source.ready
    line.recorded = True
    assert source.ready
    line.recorded = False
    source.poll()
    assert source.ready


def test_a_real_link_has_a_port_of_its_own_and_one_in_lock_step_has_not() -> None:
    assert isinstance(Link("/dev/tty7", ManualClock()), PortLink)
    assert not isinstance(SteppedLink.__new__(SteppedLink), PortLink)


def test_scales_are_told_what_a_card_weighs() -> None:
    bed = Station("bed 1", frozenset({"count", "touch"}))
    pad = Station("pad", frozenset({"reader"}))
    line = ToldLink(Connected(1.0, "b", 1, "1", 0, "1.0", 0, (bed, pad), True))
    BoardSource(line, {}, {"bed 1": StationConfig(card_g=1.8)}).poll()
    assert line.settings == {(CONF_STEP, "bed 1"): 8, (CONF_BAND, "bed 1"): 20}


def test_electrodes_are_told_the_thresholds_that_setup_measured() -> None:
    bed = Station("bed 1", frozenset({"touch"}))
    line = ToldLink(Connected(1.0, "b", 1, "1", 0, "1.2", 0, (bed, Station("pad", frozenset({"touch"}))), True))
    known = {"bed 2": ElectrodeConfig(700.0, 644.0, 40)}
    BoardSource(line, {}, wires={"touch": {"bed 1": "bed 2"}}, electrodes=known).poll()
    assert line.settings == {(CONF_TOUCH_SHARE, "bed 1"): 40}


def test_crossed_wires_are_put_right() -> None:
    crossed = {"count": {"bed 1": "bed 2", "bed 2": "bed 1"}, "button": {"bed 1": "bed 3"}}
    part = Part("bed 2", ("count",))
    line = ToldLink(
        WeightEvent(1.0, "bed 1", 8.0), ButtonEvent(2.0, "bed 1", True), PartState(3.0, part, False)
    )
    source = BoardSource(line, {}, {"bed 2": StationConfig(card_g=8.0)}, wires=crossed)
    assert source.poll() == [
        Count(1.0, "bed 2", 1, 1.0),
        Button(2.0, "bed 3"),
        Health(3.0, "bed 1 scale", False, "does not answer"),
    ]


@pytest.mark.parametrize(
    ("board_id", "buttons", "told"),
    [("e661", (), True), ("e661", ("bed 1",), False), ("", (), False)],
)
def test_buttons_of_which_setup_kept_none_are_told(board_id: str, buttons: tuple[str, ...], told: bool) -> None:
    stations = (Station("bed 1", frozenset({"count", "button"})), Station("pad", frozenset({"reader"})))
    hello = Connected(1.0, "e661", 1, "0.1.0", 0, "1.0", 0, stations, True)
    (heard,) = BoardSource(ToldLink(hello), {}, board_id=board_id, buttons=buttons).poll()
    assert isinstance(heard, Health)
    assert heard.ok
    assert ("companion setup stations" in heard.detail) is told


def test_another_board_than_the_one_set_up_is_told() -> None:
    hello = Connected(1.0, "e661", 1, "0.1.0", 0, "1.0", 0, (), True)
    (same,) = BoardSource(ToldLink(hello), {}, board_id="e661").poll()
    (other,) = BoardSource(ToldLink(hello), {}, board_id="e662").poll()
    assert isinstance(same, Health)
    assert isinstance(other, Health)
    assert (same.detail, "another board" in other.detail) == ("", True)
