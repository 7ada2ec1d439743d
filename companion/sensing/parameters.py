"""All parameters of the sensing: scales, pressure matrix, camera and board, each with its unit and source."""

from dataclasses import dataclass

from companion.core.parameters import parameter


@dataclass(frozen=True, slots=True)
class CardWeighing:
    """How load cell readings become a number of cards."""

    step_cards: float = parameter(0.45, unit="cards", source="guess: for noise of 0.3 card a sample")
    """The board reports a reading once it has changed by this."""
    band_cards: float = parameter(1.125, unit="cards", source="guess: for noise of 0.3 card a sample")
    """Readings that differ by no more than this are at rest."""
    bias_gain: float = parameter(0.25, unit="1", source="guess")
    """Share of a reading's deviation from the counted cards that is added to the estimated drift (slow error)
    of the scale.
    """
    bias_most: float = parameter(0.6, unit="cards", source="guess")
    """The estimated drift of a scale stays within plus and minus this."""
    bias_within: float = parameter(0.3, unit="cards", source="guess")
    """Only a reading that deviates from the counted cards by less than this changes the estimated drift: a card
    just being laid deviates by more.
    """
    hysteresis: float = parameter(0.6, unit="cards", source="guess")
    """The counted number of cards changes only for a reading that is at least this far from it."""
    below_empty: float = parameter(1.25, unit="cards", source="guess: above noise and drift")
    """A scale that reads this far below empty is faulty."""
    hand_cards: float = parameter(3.5, unit="cards", source="guess: people lay single cards")
    """Least growth of a load above the last count that is taken for a leaning hand, not for cards."""
    leaning_s: float = parameter(5.0, unit="s", source="guess")
    """After this time a hand's load counts as cards all the same."""


WEIGHING = CardWeighing()


@dataclass(frozen=True, slots=True)
class PressureMatrix:
    """Circuit of the pressure matrix, and how its frames are split into presses."""

    row_ohm: float = parameter(470.0, unit="ohm", source="chosen: as in docs/build-pad.md")
    """Resistance from each row to ground."""
    sig_ohm: float = parameter(2200.0, unit="ohm", source="chosen: as in docs/build-pad.md")
    """Resistance from the multiplexer's output SIG to ground."""
    switch_ohm: float = parameter(85.0, unit="ohm", source="data sheet: 74HC4067, 70 to 100")
    """Resistance of a closed switch."""
    gain: int = parameter(4, unit="1", source="chosen: as in `firmware/wire/hot_loops.py`")
    """The board reads full scale at 1/`gain` of the supply voltage."""
    full_scale: int = parameter(255, unit="1", source="chosen: one byte a crossing")
    """Largest reading of a crossing. All readings in this class are on this scale."""
    floating: int = parameter(
        60, unit="crossings", source="counted: `companion bench parts`, some 200 of 256 without resistors"
    )
    """Least number of crossings with a full reading in one press that shows missing row resistors. With
    resistors no press has as many.
    """
    leak_siemens: float = parameter(1e-9, unit="siemens", source="chosen: the nodal matrix can be inverted")
    """Leakage assumed of each strip."""
    iterations: int = parameter(
        12, unit="1", source="counted: with 5, a third of presses on the most conductive sheets failed"
    )
    """Number of iterations in `conductances`."""
    faintest: float = parameter(0.25, unit="1", source="chosen: no conductance is 0")
    """Least reading of a crossing that is used in calculations; a lower one counts as this."""
    unit_ohm: float = parameter(7000.0, unit="ohm", source="chosen")
    """Resistance of a crossing whose value in a picture of conductances is full."""
    pressed_at: float = parameter(
        1.5, unit="1", source="counted: an empty matrix gave 0.9 at most in 4,000 presses, cards 2 and more"
    )
    """Least mean reading of all crossings, above the empty matrix, at which something presses."""
    least_frames: int = parameter(2, unit="frames", source="guess")
    """Least number of frames of a press. Fewer come from a card that was dropped, and are ignored."""
    most_frames: int = parameter(150, unit="frames", source="chosen: ten seconds")
    """Largest number of frames kept of one press, so that a card left lying does not fill the memory."""
    empty_frames: int = parameter(3, unit="frames", source="chosen: as many as the board sends after a press")
    """Number of frames of an empty matrix in a row that end a press. An old matrix never reads zero again."""
    empty_share: float = parameter(0.4, unit="1", source="guess")
    """An empty matrix reads less than this share of the press's strongest reading."""
    empty_spread: int = parameter(30, unit="1", source="guess")
    """Frames of an empty matrix differ by less than this."""
    steady: float = parameter(0.9, unit="1", source="guess")
    """Frames whose total pressure is at least this share of the strongest frame's are averaged."""
    gap_s: float = parameter(1.0, unit="s", source="guess")
    """After a longer time without a frame, an unfinished press is dropped."""
    least_p: float = parameter(0.5, unit="1", source="chosen")
    """A texture that is less probable is not reported."""


MATRIX = PressureMatrix()


@dataclass(frozen=True, slots=True)
class TextureModel:
    """How a press is compared with enrolled presses, and how sure the result is."""

    angles: int = parameter(48, unit="1", source="chosen: 7.5 degrees apart")
    """Number of angles at which a press is compared."""
    reach: int = parameter(5, unit="crossings", source="chosen: a card beside its stops lies up to 18 mm off")
    """A press is compared at shifts up to this, around the place of enrolled pictures."""
    slip: float = parameter(1.5, unit="crossings", source="counted: of 1 and 1.5, on the presses of `fit`")
    """Sigma of the distance of a picture from the place of enrolled ones, for a card between the stops."""
    beside: float = parameter(0.2, unit="1", source="guess: between the noise profiles home and rough")
    """Share of cards that lie beside the stops: all shifts within `reach` are as likely."""
    independent: float = parameter(
        0.8, unit="1", source="counted: of 0.45 to 1.3, 0.6 and 0.8 fit 360 simulated presses best"
    )
    """Independent measurements a pressed crossing, in the likelihood of an enrolled press.

    It is below 1 because neighbours' reliefs have the same neighbourhood.
    """
    around: float = parameter(1.9, unit="crossings", source="guess: a palm presses unevenly")
    """Size (sigma) of the neighbourhood with which each crossing is compared."""
    faint: float = parameter(0.02, unit="1", source="guess")
    """Weaker pressures (share of full scale) count as this, because their logarithm is taken."""
    steepest: float = parameter(1.5, unit="nats", source="guess")
    """Limit for the relief, a difference of logarithms of pressure."""
    pressed_share: float = parameter(0.12, unit="1", source="guess")
    """A crossing is pressed if its blurred pressure exceeds this share of the strongest one."""
    least_pressure: float = parameter(0.04, unit="1", source="guess")
    """A press is not recognised if its strongest blurred pressure, as a share of full scale, is less."""
    least_cells: int = parameter(60, unit="crossings", source="guess")
    """A press with fewer pressed crossings (of 256) is not recognised."""
    even_cells: int = parameter(110, unit="crossings", source="guess")
    """A press to enrol needs so many crossings inside its edge; in a smaller one, half of a picture may be
    hidden."""
    inner_cells: int = parameter(12, unit="crossings", source="chosen: fewer give no standard deviation")
    """Least number of crossings two within the edge of a press, over which `_contrast` is taken."""
    smooth_cells: int = parameter(
        50, unit="crossings", source="counted: 1 in 100 presses of parts of cards has fewer"
    )
    """A card is told to be smooth by at least so many crossings inside its edge."""
    fit: tuple[float, float, float, float] = parameter(
        (-1.8, 0.56, 0.25, 2.0), unit="1", source="counted: 2,300 simulated presses, 24 random circuits"
    )
    """Probability that the best class is right, as a logistic regression.

    Coefficients: a constant, then one for each field of `Match`. The presses were of whole cards, parts of
    cards, and two cards at once.
    """
    most_score: float = parameter(0.985, unit="1", source="chosen: bounds the logarithm")
    """A correlation counts as this at most."""
    most_ahead: float = parameter(10.0, unit="nats", source="chosen: more adds nothing to a probability")
    """Upper bound of the lead of the best class (`Match.ahead`); also the lead of a single enrolled class."""
    smooth: tuple[float, float, float, float] = parameter(
        (7.8, -0.2, 1.7, -18.9), unit="1", source="counted: 2,500 simulated presses, 24 random circuits"
    )
    """Probability that a card is smooth, as a logistic regression with coefficients as for `fit`.

    The fitted constant is 6.3. With 1.5 more, 1 % more of the smooth cards are told, without a further mistake.
    """
    doubtful: float = parameter(0.05, unit="1", source="chosen: of 0.05 and 0.2, on the presses of `smooth`")
    """From this probability on that a card is smooth, no picture is more probable than that it is not."""
    smooth_contrast: float = parameter(0.13, unit="1", source="counted: median of 500 simulated presses")
    """Contrast of a smooth card (see `_contrast`): no crossing is as sensitive as the next."""
    most_contrast: float = parameter(1.2, unit="1", source="chosen: a part of a card has more than a whole one")
    """Upper bound of the contrast in `smooth` and `fit`."""
    usual_contrast: float = parameter(0.39, unit="1", source="counted: median of 900 simulated presses")
    """Contrast assumed for raised pictures while no press is enrolled (see `_contrast`)."""
    least_contrast: float = parameter(
        0.23, unit="1", source="counted: 99 % of smooth cards have less, none of 360 enrolled pictures"
    )
    """A press with less contrast is not enrolled as a raised picture (see `_contrast`)."""
    even: float = parameter(5.0, unit="crossings", source="counted: of 1.5 to 6 it parts smooth cards best")
    """Sigma of the neighbourhood by which `_contrast` divides the pressure of a crossing."""
    enrolling_presses: int = parameter(3, unit="presses", source="chosen")
    """Number of presses that enrol one card."""
    patience_s: float = parameter(60.0, unit="s", source="guess")
    """How long to wait for the next press of an enrolment."""
    round_s: float = parameter(0.02, unit="s", source="chosen")
    """Time between two looks at the board while a press is awaited."""


TEXTURE = TextureModel()


@dataclass(frozen=True, slots=True)
class PictureHealth:
    """When camera pictures count as soft, old or badly exposed."""

    soft_px: float = parameter(3.2, unit="px", source="guess: a good webcam has 1.8 to 2.2")
    """Largest width of a marker's edges in a sharp picture; a picture with wider ones is soft."""
    softer: float = parameter(1.35, unit="1", source="guess")
    """A picture has lost its sharpness if its edges are wider than the narrowest so far by this factor, and by
    `softer_px`."""
    softer_px: float = parameter(0.6, unit="px", source="guess")
    """Least growth of the width of edges, beside the factor `softer`, at which a picture has lost its
    sharpness.
    """
    focus_every_s: float = parameter(
        9.0, unit="s", source="chosen: the camera takes 3 s, the next measurement 3 s more"
    )
    """Time between two attempts to focus, at least."""
    focus_tries: int = parameter(3, unit="1", source="guess")
    """Number of attempts to focus, at most."""
    exposure_s: float = parameter(15.0, unit="s", source="guess")
    """A wrong exposure is reported if the camera has not corrected it after this time."""
    fresh_s: float = parameter(3.0, unit="s", source="guess")
    """An older picture is not shown as the current one."""
    sticker_mm: tuple[float, float, float] = parameter(
        (30.0, 20.0, 15.0), unit="mm", source="chosen: as `companion sheets` prints them"
    )
    """Side lengths in which stickers are printed; 20 suits a 1080p camera."""
    row_sides: float = parameter(
        1.5, unit="sides", source="chosen: a card of poker size is 4.4 stickers of 20 mm high"
    )
    """Stickers whose centres differ in height by less than this many sides lie in one row."""


PICTURE = PictureHealth()


@dataclass(frozen=True, slots=True)
class BoardLink:
    """How long the board may be silent, and how its round trip time is shown."""

    board_lost_s: float = parameter(10.0, unit="s", source="guess")
    """Time without the board after which screens say "lost", and no longer "connecting"."""
    rtt_share: float = parameter(0.2, unit="1", source="guess")
    """Weight (0 to 1) of a new round trip in the running mean."""
    rtt_step_ms: float = parameter(5.0, unit="ms", source="guess")
    """The shown time changes only if the mean is off by more than this, and by more than half."""
    connect_s: float = parameter(5.0, unit="s", source="guess")
    """How long to wait for the board's greeting. A board just started first waits for an update of its
    program."""
    test_s: float = parameter(3.0, unit="s", source="guess")
    """How long to wait for the self-test of a station."""
    listen_s: float = parameter(2.2, unit="s", source="chosen: three round trips are measured")
    """How long to listen to the board before the tests."""


LINK = BoardLink()
