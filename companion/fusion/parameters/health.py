"""When a sensor counts as failing, and how its scale's line is learned."""

from dataclasses import dataclass

from companion.core.parameters import parameter


@dataclass(frozen=True, slots=True)
class MissCharts:
    """Control charts of a sensor that misses signs, and of a scale whose line drifts."""

    limit: float = parameter(6.0, unit="nats", source="chosen: two misses close together")
    """Nats by which failing must explain the signs better than the usual rate."""
    one_miss: float = parameter(5.0, unit="nats", source="chosen: one nat less than `limit`")
    """Nats that one miss counts at the most: one alone is bad luck, however seldom a good sensor misses."""
    fewest: int = parameter(8, unit="signs", source="guess")
    """Signs from which on it can be told how often a sensor misses them."""
    many: int = parameter(3, unit="signs", source="counted: within 10 signs 1 in 200 good cameras is named")
    """Misses that tell it before. With single misses that count in full, and two signs, five in a hundred good
    cameras would be named. Of cameras that miss every other sign nine in ten are named still."""
    recovered: int = parameter(5, unit="signs", source="guess")
    """So many signs in a row and a sensor is trusted again."""
    forget: float = parameter(0.93, unit="1", source="guess")
    """How much an older weighing counts against the next."""
    trust: float = parameter(6.0, unit="weighings", source="guess")
    """How many weighings the factory's line is worth."""
    full: int = parameter(4, unit="cards", source="guess")
    """Cards on a scale at which a scale's line has to be right."""


MISSES = MissCharts()


@dataclass(frozen=True, slots=True)
class HealthModel:
    """What a good sensor does, and what names one that is not good."""

    certain_s: float = parameter(25.0, unit="s", source="guess")
    """A step older than this is taken as certain: revisions come sooner."""
    failing: float = parameter(0.25, unit="1", source="guess")
    """Share of missed signs at which a sensor is failing."""
    texture_failing: float = parameter(0.9, unit="1", source="guess")
    """Share of missed signs at which a pressure matrix is failing: a good one says nothing of cards that are
    pressed in haste."""
    usual_wrong: float = parameter(0.01, unit="1", source="guess")
    """The rate at which a good sensor says what is wrong."""
    ghostly: float = parameter(0.5, unit="1", source="guess")
    """Share of touches without a cause of an electrode that makes them up."""
    usual_ghost: float = parameter(0.05, unit="1", source="guess")
    """Share of touches without a cause of a good electrode."""
    off_cards: float = parameter(0.35, unit="cards", source="guess")
    """Error at which a scale is named; from half a card on it could count wrongly."""
    looks: int = parameter(30, unit="cards", source="guess")
    """Cards that make up the camera's first look."""
    dull: float = parameter(0.6, unit="1", source="guess")
    """Share of the first look's quality under which the camera is named."""
    uneven_s: float = parameter(20.0, unit="s", source="guess")
    """Time for which the scales together carry a wrong number of cards, while the true number has not changed
    for `unchanged_s`: one of them is wrong, or was."""
    uneven_told_s: float = parameter(40.0, unit="s", source="guess")
    """Time after which people are told so. Slow players hold a card as long as `uneven_s`."""
    unchanged_s: float = parameter(60.0, unit="s", source="guess")
    """Time for which the true number of cards has not changed."""
    even_s: float = parameter(30.0, unit="s", source="guess")
    """Scales that add up again for so long, and of which each that was off has carried a move since, are
    right."""
    losses: int = parameter(4, unit="1", source="guess")
    """A camera that lost the mat so often within `losses_s` is loose."""
    losses_s: float = parameter(600.0, unit="s", source="guess")
    """Time in which these losses are counted."""


HEALTH = HealthModel()
