"""All parameters of the virtual rig and of the people beside it, each with its unit and source."""

from dataclasses import dataclass

from companion.core.parameters import parameter
from firmware.pad_sizes import PITCH, RAISED_FROM_END, RAISED_OFF_MIDDLE, STRIPS


@dataclass(frozen=True, slots=True)
class LoadCell:
    """What a scale of the virtual rig carries, and how late it counts."""

    card_g: float = parameter(4.0, unit="g", source="guess")
    """Weight of a card on a scale. A scale that was never calibrated counts with it (`StationConfig`)."""
    hand_s: float = parameter(1.5, unit="s", source="guess")
    """Mean time that a hand rests on a scale."""
    hand_g: tuple[float, float] = parameter((20.0, 200.0), unit="g", source="guess")
    """Range of the weight of a hand that rests on a scale."""
    hand_tremor: float = parameter(0.03, unit="1", source="guess")
    """Sigma of a resting hand's weight, as a share of that weight."""
    sample_s: float = parameter(0.1, unit="s", source="data sheet: HX711, 10 samples a second")
    """Time between two samples of a load cell. Each sample has fresh noise."""
    drift_cards: float = parameter(
        0.45, unit="cards", source="chosen: just below the half card at which counts turn wrong"
    )
    """Offset that a drifting scale adds to its count."""
    counted_s: tuple[float, float] = parameter(
        (0.14, 0.44), unit="s", source="counted: 32 of 34 counts through the board program under `home`"
    )
    """Range of the delay from a load to its count."""
    still_s: tuple[float, float] = parameter((0.4, 1.6), unit="s", source="chosen: four samples agree then")
    """Range of the time after which a scale reports a resting hand. Shorter rests are never reported."""
    blip_s: tuple[float, float] = parameter((0.3, 3.0), unit="s", source="guess")
    """Range of the time for which a restless scale is wrong by one card."""


LOAD_CELL = LoadCell()


@dataclass(frozen=True, slots=True)
class PadModel:
    """How a card on the pad is read, and for how long it is pressed."""

    flicker_lost_s: tuple[float, float] = parameter((0.1, 0.4), unit="s", source="guess")
    """Range of the time for which a flickering card is lost."""
    flicker_found_s: tuple[float, float] = parameter((0.3, 0.9), unit="s", source="guess")
    """Range of the time for which a flickering card is read before it is lost again."""
    flickers_s: float = parameter(10.0, unit="s", source="guess")
    """Time after which a card that stays on the pad is read steadily."""
    tag_s: float = parameter(0.1, unit="s", source="guess")
    """Delay from a card on the pad, or lifted from it, to the reader's report."""
    press_s: tuple[float, float] = parameter((0.5, 0.9), unit="s", source="guess")
    """Range of the time from laying a card on the pad to the end of its press."""
    neighbour_s: float = parameter(0.05, unit="s", source="guess")
    """Delay from a touched electrode's report to its neighbour's."""


PAD_MODEL = PadModel()


@dataclass(frozen=True, slots=True)
class PressModel:
    """How a palm presses a card on the pressure matrix."""

    cells: int = parameter(STRIPS, unit="crossings", source="chosen: the matrix of docs/build-pad.md")
    """Crossings on one side of the square matrix."""
    pitch_mm: float = parameter(PITCH, unit="mm", source="chosen: the matrix of docs/build-pad.md")
    """Distance between two crossings."""
    flat: float = parameter(0.25, unit="1", source="guess")
    """Share of the pressure that passes beside a raised line."""
    blank: float = parameter(0.55, unit="1", source="guess")
    """Share of the pressure that passes everywhere under a smooth card."""
    soft_mm: float = parameter(0.8, unit="mm", source="guess")
    """Half the width of the slope at the edge of a raised line."""
    sleeve_spread_mm: float = parameter(2.6, unit="mm", source="guess")
    """Sigma by which the card's sleeve spreads the pressure."""
    palm_mm: tuple[float, float] = parameter((55.0, 90.0), unit="mm", source="guess")
    """Range of the sigma of a palm's pressure around its middle."""
    force: tuple[float, float] = parameter((0.55, 0.95), unit="1", source="guess")
    """Range of a palm's greatest pressure, as a share of full scale."""
    picture_mm: tuple[float, float] = parameter(
        (RAISED_OFF_MIDDLE, 0.0), unit="mm", source="chosen: docs/rigs/pad.svg"
    )
    """Right and down from the matrix's middle to a raised picture's, while its card lies between the stops."""
    from_end_mm: float = parameter(RAISED_FROM_END, unit="mm", source="chosen: docs/rigs/pad.svg")
    """Distance of a raised picture's middle from the short end without a tag, half across the card."""
    slipped_mm: tuple[float, float] = parameter((8.0, 18.0), unit="mm", source="guess")
    """Range of the distance by which a card was laid carelessly."""
    slip_mm: float = parameter(3.0, unit="mm", source="guess")
    """Greatest distance by which a card was laid carefully."""
    bare: tuple[float, float] = parameter((-0.15, 0.25), unit="card heights", source="guess")
    """Range of the edge of a half press, from the card's middle. Beyond the edge nothing is pressed."""
    edge_mm: float = parameter(4.0, unit="mm", source="guess")
    """Width over which the pressure fades at the edge of a half pressed card."""
    upper: float = parameter(0.35, unit="1", source="guess")
    """Share of the pressure that takes the shape of the upper of two stacked cards."""
    uneven: float = parameter(0.08, unit="1", source="guess")
    """Sigma of the gains of the crossings, around 1."""
    creep: float = parameter(0.25, unit="1", source="guess")
    """Share of the drift that shows as pressure while nothing presses."""
    drift_s: float = parameter(900.0, unit="s", source="guess")
    """Time after which the drift of a game is complete."""
    enrolled: int = parameter(3, unit="presses", source="chosen: as many as `companion enrol` asks for")
    """Number of careful presses of each raised picture at enrolment."""
    averaged: int = parameter(8, unit="frames", source="guess: a press of half a second")
    """Number of frames whose average is one press; it has less noise."""
    fine: int = parameter(4, unit="1", source="chosen: bounds the work")
    """Number of computed points along each side of a crossing."""
    beyond: int = parameter(3, unit="crossings", source="chosen: 4 times `sleeve_spread_mm`")
    """Width of the computed rim around the matrix: a card that lies over its edge presses there, too."""


PRESS = PressModel()


@dataclass(frozen=True, slots=True)
class SightModel:
    """What the camera over the virtual table sees late, badly or not at all."""

    shown_s: float = parameter(0.1, unit="s", source="counted: 73 of 87 laid cards through pixels")
    """Delay from a card at rest, with the hand away, to its sighting."""
    gone_s: float = parameter(0.22, unit="s", source="counted: 68 of 75 taken cards through pixels")
    """Delay of a sighting after a card was taken or a hand has left."""
    noticed_s: float = parameter(0.1, unit="s", source="guess")
    """Delay from a hand over a station to the camera's report of it."""
    undecoded_s: float = parameter(
        0.4, unit="s", source="counted: under `home` 99 % are decoded within a second"
    )
    """Mean time for which a reflection keeps a sticker undecoded."""
    reflection_s: tuple[float, float] = parameter((0.5, 6.0), unit="s", source="guess")
    """Range of the time that a reflection hides a card in a `counted_unread` zone.

    There the camera counts cards that it cannot decode, so people do not lay the card down again.
    """
    beneath_another: float = parameter(0.2, unit="1", source="guess")
    """Share of the cards laid askew whose sticker lies under a neighbour."""
    beneath_another_s: tuple[float, float] = parameter((0.5, 6.0), unit="s", source="guess")
    """Range of the time until a sticker under a neighbour is free."""
    blind_s: tuple[float, float] = parameter((0.5, 2.5), unit="s", source="guess")
    """Range of the time until a nudged or darkened camera has found the mat again."""
    lamp_times_white: float = parameter(
        10.0,
        unit="1",
        source="guess: computed 128 for a bulb of 800 lm in bare film, a tenth of it in a rough sleeve",
    )
    """Light of a lamp's reflection, as a multiple of the light of white paper; a camera clips it to white."""
    game_s: float = parameter(600.0, unit="s", source="guess")
    """Length of a game, by which pushes per game become a rate per second."""
    push_px: float = parameter(12.0, unit="px", source="guess")
    """Standard deviation of a push to the camera."""
    push_deg: float = parameter(0.8, unit="degrees", source="guess")
    """Standard deviation of the turn by a push to the camera."""
    shadow_px: int = parameter(5, unit="px", source="guess")
    """Reach of a card's shadow beyond the card."""
    shadow_depth: float = parameter(0.42, unit="1", source="guess")
    """Share of the light that a shadow takes."""
    lit_mm: float = parameter(60.0, unit="mm", source="chosen: about a card")
    """Side of a part of the table with uniform light."""
    darkest: float = parameter(0.2, unit="1", source="guess")
    """Least share of the light that a shadow leaves."""
    lens_cover: int = parameter(40, unit="1", source="guess")
    """Factor by which a covered lens darkens the picture."""


SIGHT = SightModel()


@dataclass(frozen=True, slots=True)
class ProgramStart:
    """Times (s) until a simulated program or board reports after its start, a pulled cable or a claim."""

    started_s: tuple[float, float] = parameter((0.5, 1.5), unit="s", source="guess")
    """Range of the time from the program's start to the first full report."""
    unplugged_s: tuple[float, float] = parameter((2.0, 6.0), unit="s", source="guess")
    """Range of the time from a pulled cable to the restarted board's full report."""
    verdict_due_s: float = parameter(2.5, unit="s", source="counted: 1.0 to 2.5 at clean tables")
    """Longest time from a claim's button to its verdict, if no question is asked."""


STARTING = ProgramStart()


@dataclass(frozen=True, slots=True)
class Players:
    """How people at the virtual table move, think and wait."""

    hovers_before_s: tuple[float, float] = parameter((0.3, 0.8), unit="s", source="guess")
    """Range of the time that a hand hovers before it acts."""
    hovers_after_s: tuple[float, float] = parameter((0.3, 1.0), unit="s", source="guess")
    """Range of the time that a hand hovers after it has acted."""
    covers_part: float = parameter(0.5, unit="1", source="guess")
    """Share of hands beside a station that cover a part of the station."""
    passing: float = parameter(0.15, unit="1", source="guess")
    """Share of hands whose arm or sleeve also covers a neighbouring station."""
    laid_mm: float = parameter(9.0, unit="mm", source="guess")
    """Standard deviation of a corner card, or corner marker, that was laid by hand."""
    laid_deg: float = parameter(4.0, unit="degrees", source="guess")
    """Standard deviation of the angle of a corner card, or corner marker, laid by hand."""
    spread_mm: float = parameter(1.2, unit="mm", source="guess")
    """Greatest deviation of a card that was laid with care."""
    spread_deg: float = parameter(2.0, unit="degrees", source="guess")
    """Greatest turn of a card that was laid with care."""
    clearance_mm: float = parameter(50.0, unit="mm", source="chosen: half a hand's width and a margin")
    """Least distance of an arm's middle from a zone to avoid."""
    fingers_mm: float = parameter(70.0, unit="mm", source="guess")
    """Length of the fingers beyond the point that a hand reaches for."""
    read_most_s: float = parameter(3.0, unit="s", source="guess")
    """Longest wait of players until an engine has decoded every card of a picture.

    A card in a reflection may never be decoded.
    """
    silent_s: float = parameter(3.0, unit="s", source="guess")
    """Time without a reported picture after which an engine counts as behind."""
    give_up_s: float = parameter(120.0, unit="s", source="guess")
    """Longest wait of players for an engine that reports no picture.

    A killed engine is back within half a minute even on a busy machine, and one stopped for a minute goes on.
    """
    rest_floor_s: float = parameter(0.6, unit="s", source="guess")
    """Least time that cards rest in view at any speed, so that a camera sees them."""
    move_s: float = parameter(0.28, unit="s", source="guess")
    """Time of a hand's short movement."""
    move_floor_s: float = parameter(0.14, unit="s", source="guess")
    """Least time of a hand's short movement at any speed."""
    look_up_s: float = parameter(0.1, unit="s", source="chosen")
    """Time between two looks of players who wait for the companion."""
    away_s: float = parameter(0.12, unit="s", source="guess")
    """Time from the hand's leaving the picture to the next thought."""
    laid_back_s: float = parameter(1.6, unit="s", source="guess")
    """Time that cards rest after they were laid back, until the scales have reported them."""
    think_s: float = parameter(1.6, unit="s", source="guess")
    """Mean time that a player thinks before an action."""
    think_floor_s: float = parameter(0.4, unit="s", source="guess")
    """Least time of a thought at any speed."""
    empty_s: float = parameter(2.0, unit="s", source="guess")
    """Time for which the table is empty before anything is laid out."""
    wait_s: float = parameter(0.1, unit="s", source="chosen")
    """Time between two checks of a held or waiting table."""
    read_s: float = parameter(2.5, unit="s", source="guess")
    """Time that people take to read the companion's request."""
    read_floor_s: float = parameter(1.5, unit="s", source="guess")
    """Least time to read a request at any speed.

    After it even a slow machine has seen the table.
    """
    again_s: float = parameter(5.0, unit="s", source="guess: more actions may be undone")
    """Pause of the players after cards were laid back."""
    tries: int = parameter(5, unit="1", source="guess")
    """How often people do what a screen asks before the first turn; later once per action."""
    seen_batches: tuple[int, int] = parameter((2, 6), unit="reports", source="guess: about 2 to 8 s")
    """Range of the number of reports before a mistake is undone."""
    most_moments: int = parameter(40, unit="1", source="guess: a few turns of each player")
    """Most actions that can be laid back."""
    most_apart: int = parameter(2, unit="1", source="guess")
    """Most differences between a moment and the tracked state with which it still fits.

    A difference concerns a row, deck or pile. A camera alone knows no hidden card, and the game may have been
    misread before.
    """
    slowest: float = parameter(0.25, unit="1", source="chosen")
    """Least speed of the players, as a multiple of people's speed."""
    fastest: float = parameter(8.0, unit="1", source="chosen")
    """Greatest speed of the players, as a multiple of people's speed."""
    bare_s: float = parameter(
        4.0, unit="s", source="chosen: a companion takes a bare table for the end of a game"
    )
    """Time for which the table lies bare before a new game, at any speed."""
    bare_most_s: float = parameter(
        40.0, unit="s", source="guess: a busy machine took 16 s to see every zone empty (measured once)"
    )
    """Longest time for which people wait until the engine has begun another game."""
    rash: float = parameter(0.15, unit="1", source="guess: about a third of all claims are then wrong")
    """Default readiness of virtual players to claim (0 to 1)."""


PLAYERS = Players()
