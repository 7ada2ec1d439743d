"""What the fusion takes for granted of scales, cameras, hands over the table, electrodes and their cables."""

from dataclasses import dataclass
from math import log

from companion.core.parameters import parameter


@dataclass(frozen=True, slots=True)
class ScaleModel:
    """How scales count cards, and what else they feel."""

    most_at_once: int = parameter(3, unit="cards", source="guess")
    """Most extra cards that people lay down at once. A scale that shows more carries a hand."""
    overshot_s: float = parameter(3.0, unit="s", source="guess")
    """A scale that shows two cards at once, and one of them less within this time, has felt the hand as
    well."""
    drum_changes: int = parameter(12, unit="1", source="counted: at most 9 in 8 rough games")
    """A scale that changes so often within `drum_s` is played with."""
    drum_s: float = parameter(20.0, unit="s", source="guess")
    """Time in which these changes are counted."""
    hand_on_scale_s: float = parameter(10.0, unit="s", source="guess")
    """Longest time that a hand rests on a load cell."""
    most_surprised: int = parameter(2, unit="cards", source="guess")
    """Error of a scale above which a larger error costs no more."""
    least_delay_s: float = parameter(0.1, unit="s", source="guess")
    """Least delay of a scale."""
    soonest_s: float = parameter(0.2, unit="s", source="guess")
    """Least time from a hand's coming to a detection by the scale: a card is moved, and the scale comes to
    rest."""
    nobody_s: float = parameter(8.0, unit="s", source="guess")
    """Time for which a scale alone is a card off before it is corrected, if no hand was near when it
    changed."""
    somebody_s: float = parameter(100.0, unit="s", source="guess")
    """The time for a scale beside which a hand was, or while a card was on the pad. Somebody may hold a card,
    have dropped one, or have laid down one that a stuck scale has."""
    laid_down_s: float = parameter(1.5, unit="s", source="guess")
    """Longest time after a claim until the scale reports a card that was in a hand at the claim."""


SCALES = ScaleModel()


@dataclass(frozen=True, slots=True)
class HandModel:
    """How long hands stay at a place, and which detections they may have caused."""

    before_s: float = parameter(1.5, unit="s", source="guess")
    """A hand that left a place at most this long before a detection may have caused it. Scales report up to
    half a second late, and board and camera have clocks of their own."""
    after_s: float = parameter(0.3, unit="s", source="guess")
    """A hand that came to a place at most this long after a detection may have caused it."""
    work_s: float = parameter(1.8, unit="s", source="guess")
    """Least time to take a card out and lay it back."""
    rest_s: float = parameter(10.0, unit="s", source="guess")
    """Longest time that a hand stays."""
    finger_s: float = parameter(6.0, unit="s", source="guess")
    """A touch longer than this is something that lies on the electrode."""
    visits_kept: int = parameter(60, unit="1", source="chosen: more than any detection looks back")
    """Visits of hands kept for each place."""
    shown_late_s: float = parameter(1.0, unit="s", source="guess")
    """A hand that is seen so long after a touch may have been there at the touch."""
    within_s: float = parameter(0.4, unit="s", source="guess")
    """A hand within this time of a report has most likely made it."""
    near_s: float = parameter(1.5, unit="s", source="guess")
    """A hand within this time of a report may have made it, as cameras and boards are late."""


HANDS = HandModel()


@dataclass(frozen=True, slots=True)
class CameraModel:
    """How late and how exactly a camera shows cards that were moved."""

    same_mm: float = parameter(
        1.0, unit="mm", source="counted: 23 of 26 cards in 8 games, none nearer than 0.6 mm"
    )
    """Distance between two places of a kind beyond which the card was in a hand, or is another one.

    For cards known by their art. A place is read to 0.3 mm. Counted were cards of one kind that followed each
    other within 15 s.
    """
    same_deg: float = parameter(1.0, unit="degrees", source="counted: 23 of 26 cards in 8 games")
    """A card that is turned farther than this was in a hand or is another one. A place is read to 0.3
    degrees."""
    lingers_s: float = parameter(0.5, unit="s", source="guess")
    """What lies otherwise for so long than a hypothesis predicts lingers."""
    look_apart_s: float = parameter(20.0, unit="s", source="guess")
    """Longest time between the signs of one look, of which the camera may see either late."""
    gathered_s: float = parameter(0.7, unit="s", source="guess")
    """Longest time between two cards that are swept away together. One that went before was taken back. A hand
    hides a zone while it sweeps it."""
    piled_s: float = parameter(3.0, unit="s", source="guess")
    """Longest time between cards that leave a zone and another one that shows on the pile which they were swept
    to. One hand does both."""
    most_hidden_sweeps: int = parameter(2, unit="1", source="guess")
    """Sweeps in a row of which no pile shows anything, above which the pile counts as out of sight."""
    lain_s: float = parameter(6.0, unit="s", source="counted: covered stickers, at most 6 s in rehearsals")
    """Time for which turned up cards lie there before they are taken to be all, where nothing weighs them: one
    may be hidden."""
    swept_s: float = parameter(4.0, unit="s", source="guess")
    """Longest time from clearing a zone until the camera reads the cards where they lie then."""
    told_of_hand_s: float = parameter(1.0, unit="s", source="guess")
    """Time after a sign by which the camera has told of the hand that was there."""


CAMERA = CameraModel()


@dataclass(frozen=True, slots=True)
class OutageModel:
    """What a camera or board that was away may have missed."""

    long_s: float = parameter(8.0, unit="s", source="guess")
    """A source that was away for this long may have missed a whole turn."""
    reports_all_s: float = parameter(2.0, unit="s", source="guess")
    """Time after its return in which a source reports everything that is there."""
    scales_of_one_card: int = parameter(2, unit="scales", source="chosen: one loses the card, another gains it")
    """Scales that change by the one card that was in a hand when the outage began."""
    count_after_s: float = parameter(1.0, unit="s", source="guess")
    """A count within this time after the board came back tells what a hand did meanwhile."""
    resumed_s: float = parameter(8.0, unit="s", source="guess")
    """Longest time after a restart of the program that a claim waits for the sensors."""
    whole_table_s: float = parameter(2.0, unit="s", source="guess")
    """Time after the sensors are back that a claim waits for their report of the whole table."""
    noticed_late_s: float = parameter(5.0, unit="s", source="guess: three pings of the board, and some")
    """Time by which an outage may be noticed late."""
    settled_s: float = parameter(3.0, unit="s", source="guess")
    """Time after its end until scales are at rest and cards were read again."""


OUTAGES = OutageModel()


@dataclass(frozen=True, slots=True)
class DetectionTimes:
    """How detections of different sensors are put in order, and how long they wait for a cause."""

    at_once_s: float = parameter(0.4, unit="s", source="guess")
    """Detections closer together than this have no order: sensors differ in speed."""
    stale_s: float = parameter(5.0, unit="s", source="guess")
    """An older detection may be clutter, and the sign of a new action missed."""
    life_s: float = parameter(120.0, unit="s", source="guess")
    """A detection without a cause is settled as clutter after this time."""
    undated_s: float = parameter(3.0, unit="s", source="guess")
    """Additional time for which a step without a detection is searched again: its time is known least."""
    reread_s: float = parameter(6.0, unit="s", source="guess")
    """Age up to which a touch is read again at the station where it was meant: its action is searched again."""
    together_s: float = parameter(0.5, unit="s", source="guess")
    """Tags read within this time were on the pad together."""
    dated_late_s: float = parameter(2.0, unit="s", source="guess")
    """Longest time between what is done and the sign that dates it."""
    uncaused_kept: int = parameter(100, unit="1", source="chosen: bounds the memory")
    """Signs without a cause that are kept."""


DETECTIONS = DetectionTimes()


@dataclass(frozen=True, slots=True)
class WiringModel:
    """How likely two buttons or two electrodes are connected crosswise."""

    prior: float = parameter(log(0.001), unit="nats", source="guess")
    """Log-odds that two given parts are connected crosswise: `companion setup` finds most."""
    hand_elsewhere: float = parameter(
        -log(0.002), unit="nats", source="guess: hands missed, 1 in 100 of profile `home`; another near, 1 in 5"
    )
    """Weight of a report while the only hands are at other stations."""
    hand_there: float = parameter(log(0.05), unit="nats", source="guess")
    """Weight of a report while a hand is at its station and none at the other one: arms pass over
    neighbours."""
    most_fitting: int = parameter(2, unit="1", source="guess")
    """Most earlier reports of a part, made while a hand was seen at it, that speak against crossed wires."""
    turned_up_elsewhere: float = parameter(-log(0.005), unit="nats", source="guess")
    """Weight of cards turned up at a station that nobody has claimed, after a claim whose cards were not."""
    sure: float = parameter(log(20.0), unit="nats", source="chosen: 20 to 1")
    """Log-odds from which a pair is taken for crossed."""
    doubt: float = parameter(-log(20.0), unit="nats", source="chosen: 1 to 20")
    """Log-odds from which a press with no hand near is put off."""
    unlikely: float = parameter(9.0, unit="nats", source="chosen: the beam drops such hypotheses")
    """Cost from which on a touch is not taken for another station's."""
    press_waits_s: float = parameter(6.0, unit="s", source="guess")
    """Longest time that a doubtful press waits for cards."""
    press_to_cards_s: float = parameter(15.0, unit="s", source="guess")
    """Longest time until cards are turned up after their press."""


WIRING = WiringModel()
