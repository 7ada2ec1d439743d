"""All parameters of the sensing: scales, pressure matrix, camera and board, each with its unit and source."""

from dataclasses import dataclass

from companion.core.parameters import parameter


@dataclass(frozen=True, slots=True)
class CardWeighing:
    """How a load cell's readings become a count of cards."""

    step_cards: float = parameter(0.45, unit="cards", source="guess: for noise of 0.3 card a sample")
    """Smallest change that the board reports."""
    band_cards: float = parameter(1.125, unit="cards", source="guess: for noise of 0.3 card a sample")
    """Greatest spread of readings at rest."""
    bias_gain: float = parameter(0.25, unit="1", source="guess")
    """Share of a reading's deviation that is added to the estimated drift."""
    bias_most: float = parameter(0.6, unit="cards", source="guess")
    """Bound of the estimated drift."""
    bias_within: float = parameter(0.3, unit="cards", source="guess")
    """Greatest deviation of a reading that updates the drift. A card that is just being laid deviates by
    more."""
    hysteresis: float = parameter(0.6, unit="cards", source="guess")
    """Least difference between a reading and the count that changes the count."""
    below_empty: float = parameter(1.25, unit="cards", source="guess: above noise and drift")
    """Load below zero beyond which a scale is faulty."""
    hand_cards: float = parameter(3.5, unit="cards", source="guess: people lay single cards")
    """Least sudden growth of a load that counts as a leaning hand."""
    leaning_s: float = parameter(5.0, unit="s", source="guess")
    """Time after which a hand's load is counted as cards all the same."""


WEIGHING = CardWeighing()


@dataclass(frozen=True, slots=True)
class PressureMatrix:
    """The circuit of the pressure matrix, and how its frames are split into presses."""

    row_ohm: float = parameter(470.0, unit="ohm", source="chosen: as in docs/build-pad.md")
    """Resistance from each row to ground."""
    sig_ohm: float = parameter(2200.0, unit="ohm", source="chosen: as in docs/build-pad.md")
    """Resistance from the multiplexer's output SIG to ground."""
    switch_ohm: float = parameter(85.0, unit="ohm", source="data sheet: 74HC4067, 70 to 100")
    """Resistance of a closed switch."""
    gain: int = parameter(4, unit="1", source="chosen: as in `firmware/wire/hot_loops.py`")
    """The board reads full scale at 1/`gain` of the supply voltage."""
    full_scale: int = parameter(255, unit="1", source="chosen: one byte a crossing")
    """Greatest reading of a crossing. All readings below are of this scale."""
    floating: int = parameter(
        60, unit="crossings", source="counted: `companion bench parts`, some 200 of 256 without resistors"
    )
    """Least crossings at full reading in one press that prove missing row resistors. With resistors no press
    has as many."""
    leak_siemens: float = parameter(1e-9, unit="siemens", source="chosen: the nodal matrix can be inverted")
    """Leakage assumed for each strip."""
    iterations: int = parameter(
        12, unit="1", source="counted: with 5, a third of presses on the most conductive sheets failed"
    )
    """Iterations of `conductances`."""
    faintest: float = parameter(0.25, unit="1", source="chosen: no conductance is 0")
    """Least reading that is assumed of a crossing."""
    unit_ohm: float = parameter(4000.0, unit="ohm", source="chosen")
    """Resistance of a crossing that reads full in a picture of conductances."""
    pressed_at: int = parameter(
        18, unit="1", source="counted: `companion bench parts`, 5 times the noisiest sheet's noise"
    )
    """Least excess over the empty matrix of a pressed crossing."""
    least_frames: int = parameter(2, unit="frames", source="guess")
    """Fewest frames of a press. Fewer frames show a card that was dropped."""
    most_frames: int = parameter(150, unit="frames", source="chosen: ten seconds")
    """Most frames kept of one press. A card left on the matrix thus fills no memory."""
    empty_frames: int = parameter(3, unit="frames", source="chosen: as many as the board sends after a press")
    """Frames in a row that show an empty matrix after a press. An old matrix never reads zero again."""
    empty_share: float = parameter(0.4, unit="1", source="guess")
    """Greatest share of the press's strongest reading that an empty matrix has."""
    empty_spread: int = parameter(30, unit="1", source="guess")
    """Greatest difference of the frames of an empty matrix."""
    steady: float = parameter(0.9, unit="1", source="guess")
    """A frame is averaged if its total pressure is at least this share of the strongest frame's."""
    gap_s: float = parameter(1.0, unit="s", source="guess")
    """Longest time between two frames of one press. After a longer gap the first press is dropped."""
    least_p: float = parameter(0.5, unit="1", source="chosen")
    """Least probability of a texture that is reported."""


MATRIX = PressureMatrix()


@dataclass(frozen=True, slots=True)
class TextureModel:
    """How a press is compared with enrolled presses, and how sure a result is."""

    angles: int = parameter(48, unit="1", source="chosen: 7.5 degrees apart")
    """Number of angles at which a press is compared."""
    reach: int = parameter(3, unit="crossings", source="guess")
    """Largest shift at which a press is compared, in each direction."""
    around: float = parameter(1.5, unit="crossings", source="guess: a palm presses unevenly")
    """Sigma of the neighbourhood that a crossing is compared with."""
    faint: float = parameter(0.02, unit="1", source="guess")
    """Least pressure, as a share of full scale, of which a logarithm is taken. Weaker crossings count as this
    one."""
    steepest: float = parameter(1.5, unit="nats", source="guess")
    """Greatest relief, a difference of logarithms."""
    pressed_share: float = parameter(0.12, unit="1", source="guess")
    """A crossing is pressed if its blurred pressure exceeds this share of the strongest one."""
    least_pressure: float = parameter(0.04, unit="1", source="guess")
    """Weakest press that is recognised: its strongest blurred pressure, as a share of full scale."""
    least_cells: int = parameter(40, unit="crossings", source="guess")
    """Fewest pressed crossings (of 256) of a press that is recognised."""
    even_cells: int = parameter(70, unit="crossings", source="guess")
    """Fewest crossings inside the edge of a smooth press. In a smaller one, half of a picture may be hidden."""
    fit: tuple[float, float, float, float] = parameter(
        (-15.4, 17.7, 27.7, 7.9), unit="1", source="counted: fitted to 1,200 simulated presses"
    )
    """Coefficients of a logistic regression for the probability that the best class is right. In this order:
    constant, correlation, lead over the second class, pressed share of the card. The presses were of whole
    cards, parts of cards, and two cards at once."""
    tie: float = parameter(60.0, unit="1", source="chosen: no two pictures of `fit` were that alike")
    """Weight of the lead of the best class in a second logistic, an upper bound: a lead of 0 gives 0.5. `fit`
    alone would give more."""
    smooth: tuple[float, float] = parameter(
        (20.5, -24.6), unit="1", source="counted: 500 simulated presses, five random circuits"
    )
    """Coefficients of a logistic for the probability that a card is smooth: constant, and weight of its
    contrast as a share of that of enrolled presses. Raised pictures have shares of 0.87 and more. Of smooth
    cards, 90 % have 0.28 to 0.50, and 99 % at most 0.78."""
    usual_contrast: float = parameter(0.35, unit="1", source="guess")
    """Contrast assumed for raised pictures while no press is enrolled (see `_contrast`)."""
    least_contrast: float = parameter(0.17, unit="1", source="guess")
    """Least contrast of a press that is enrolled as a raised picture (see `_contrast`)."""
    even: float = parameter(2.0, unit="crossings", source="guess")
    """Sigma of the neighbourhood by which `_contrast` divides the pressure of a crossing."""
    enrolling_presses: int = parameter(3, unit="presses", source="chosen")
    """Presses that enrol one card."""
    patience_s: float = parameter(60.0, unit="s", source="guess")
    """Longest wait for the next press."""
    round_s: float = parameter(0.02, unit="s", source="chosen")
    """Time between two looks at the board while a press is awaited."""


TEXTURE = TextureModel()


@dataclass(frozen=True, slots=True)
class PictureHealth:
    """When a camera's picture is soft, old or badly exposed."""

    soft_px: float = parameter(3.2, unit="px", source="guess: a good webcam has 1.8 to 2.2")
    """Greatest width of the edges of markers in a sharp picture."""
    softer: float = parameter(1.35, unit="1", source="guess")
    """Factor by which the edges of a picture that has lost its sharpness are wider than the narrowest so
    far."""
    softer_px: float = parameter(0.6, unit="px", source="guess")
    """Width by which they are wider as well."""
    focus_every_s: float = parameter(
        9.0, unit="s", source="chosen: the camera takes 3 s, the next measurement 3 s more"
    )
    """Least time between two attempts to focus."""
    focus_tries: int = parameter(3, unit="1", source="guess")
    """Most attempts to focus."""
    exposure_s: float = parameter(15.0, unit="s", source="guess")
    """Time that a camera gets to correct its exposure before people are told."""
    fresh_s: float = parameter(3.0, unit="s", source="guess")
    """Greatest age of a picture that is shown as the current one."""
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
    """How long the board may be silent, and how its round trip is shown."""

    board_lost_s: float = parameter(10.0, unit="s", source="guess")
    """Time without the board after which screens say "lost" instead of "connecting"."""
    rtt_share: float = parameter(0.2, unit="1", source="guess")
    """Weight of a new round trip in the running mean."""
    rtt_step_ms: float = parameter(5.0, unit="ms", source="guess")
    """The shown time changes if the mean differs by more than this and by more than half."""
    connect_s: float = parameter(5.0, unit="s", source="guess")
    """Longest wait for the board's greeting. A freshly started board first waits a moment for an update of its
    program."""
    test_s: float = parameter(3.0, unit="s", source="guess")
    """Longest wait for the self-test of one station."""
    listen_s: float = parameter(2.2, unit="s", source="chosen: three round trips are measured")
    """Time to listen before the tests."""


LINK = BoardLink()
