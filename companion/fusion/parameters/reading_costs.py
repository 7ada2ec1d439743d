"""Costs in nats (negative log-likelihood) of odd readings: late, hidden, out of order, taken back.

The rates of single signs are in `sign_models.py`. Where a rough table misses three times as often,
a cost lies between the two.
"""

from dataclasses import dataclass
from math import log

from companion.core.parameters import parameter


@dataclass(frozen=True, slots=True)
class ReadingCosts:
    """What a hypothesis pays for readings that fit it badly, and the times within which it does."""

    sure_texture: float = parameter(0.95, unit="1", source="guess")
    """Least probability (0..1) of a texture reading: a less certain one is ignored."""
    misfelt: float = parameter(-log(0.0045), unit="nats", source="counted: 1 of 1,500 presses, set higher")
    """Cost of a card that felt like another one. `companion bench texture` counts presses of one card that gave
    a result. The cost has more than that rate: a texture weighs less than a tag that contradicts it."""
    reappeared: float = parameter(-log(0.75), unit="nats", source="guess")
    """Cost of a card that was out of sight for a while and lies there again: a hand, glare, a row made tidy."""
    taken_up: float = parameter(-log(0.1), unit="nats", source="guess")
    """Cost of cards that left a zone and lie there again: somebody changed their mind."""
    restless: float = parameter(
        -log(0.003), unit="nats", source="counted: 0.3 a minute on five rough scales, 1 in 300 checks"
    )
    """Cost of a scale that loses a card and has it again within `restless_s`, or the reverse: its reading lies
    between two counts."""
    restless_s: float = parameter(15.0, unit="s", source="guess")
    """Longest time between the two changes of a restless scale."""
    put_back: float = parameter(-log(0.04), unit="nats", source="guess")
    """Cost of a hidden card that was laid back and taken again within `check_s`: somebody changed their
    mind."""
    check_s: float = parameter(4.0, unit="s", source="guess")
    """Longest time in which a mind is changed; also the least time to check a card and then take it."""
    hasty: float = parameter(-log(0.02), unit="nats", source="guess")
    """Cost of a check without a detection when a card was taken within `check_s`."""
    nobody: float = parameter(-log(0.2), unit="nats", source="guess")
    """Cost of a detection by a scale or an electrode with no hand near, and of its undoing: a restless part."""
    half_alone: float = parameter(-log(0.2 * 0.04), unit="nats", source="counted: 99 of 1,051 restless events")
    """Cost of such a detection and its undoing if a hand was near at one of the two times."""
    alone: float = parameter(-log(0.02), unit="nats", source="guess")
    """Cost of a hand at a station that the camera did not see."""
    late: float = parameter(
        -log(0.15), unit="nats", source="counted: 15 % through the board's filter, 4 to 5 % in observations"
    )
    """Cost of a scale that reported only after the hand had left."""
    quick: float = parameter(-log(0.015), unit="nats", source="counted: 1.5 % of 593 cards taken out")
    """Cost of a card taken out and laid back within `quick_s`: of restless scales a third are."""
    quick_s: float = parameter(1.2, unit="s", source="guess")
    """Least time in which people take a card out and lay it back."""
    slow: float = parameter(-log(0.08), unit="nats", source="guess")
    """Cost of a detection that came after a later sign of the same action."""
    slow_s: float = parameter(4.5, unit="s", source="guess")
    """Longest delay of such a detection."""
    covered: float = parameter(-log(0.2), unit="nats", source="guess")
    """Cost of a scale that missed a card because a hand rested on it, or that reported several cards at
    once."""
    covered_s: float = parameter(6.0, unit="s", source="guess")
    """Longest time after the hand left for which this holds."""
    unfelt: float = parameter(-log(0.2), unit="nats", source="guess")
    """Cost of a missed touch within `unfelt_s` after the board came back: it may have happened during the
    outage. A look beneath a card costs as much after an outage of the camera."""
    unfelt_s: float = parameter(20.0, unit="s", source="guess")
    """Longest time after an outage for which a miss is blamed on it."""
    young: float = parameter(-log(0.13), unit="nats", source="guess")
    """Cost of the count of a scale that has just changed: a card in a hand, or a restless scale."""
    hidden_card: float = parameter(-log(0.05), unit="nats", source="guess: profile `home` of the virtual table")
    """Cost of each card that the state expects in a settled zone and the camera does not show there."""
    hidden_zone: float = parameter(-log(0.02), unit="nats", source="guess")
    """The most that it costs when nothing of a zone is seen: an arm above it, or somebody makes it tidy."""
    strange_card: float = parameter(-log(0.001), unit="nats", source="guess")
    """Cost of each card that a settled zone shows and the state does not expect there: stickers are not
    misread."""
    uncounted_card: float = parameter(-log(0.002), unit="nats", source="guess")
    """Cost of each card that should lie there and was neither read nor counted as unread, where unread cards
    count."""
    read_card: float = parameter(-log(0.02), unit="nats", source="guess")
    """Cost of each card that an action holds for unreadable and that was read before it was swept away."""
    stray_card: float = parameter(-log(0.005), unit="nats", source="guess")
    """Cost of each thing that was counted as an unread card and is none."""
    unseen: float = parameter(-log(0.1), unit="nats", source="guess")
    """Cost of an action that left no sign, when another one followed it in the same glance."""
    begun: float = parameter(-log(0.22), unit="nats", source="guess")
    """Cost of each card of an action that has only begun: most people lay all of them down at once."""
    wrong_top: float = parameter(-log(0.005), unit="nats", source="guess")
    """Cost of a pile that shows another card on top than it should."""
    unread_top: float = parameter(-log(0.1), unit="nats", source="guess")
    """Cost of this very card on top of a pile whose top nobody has seen."""
    righted_s: float = parameter(150.0, unit="s", source="guess: two turns")
    """Longest time from laying a card at a wrong place until somebody puts that right."""
    fumbled: float = parameter(-log(0.02), unit="nats", source="guess")
    """Highest permanent cost of a view that lasted for a while without a cause: people change their mind."""
    lingering: float = parameter(0.25, unit="1", source="guess")
    """Share of a contradiction's cost that is added with each further detection while it lasts."""
    lingering_most: float = parameter(1.0, unit="1", source="guess")
    """Greatest share that is added."""
    wrong_count: float = parameter(-log(0.01), unit="nats", source="guess")
    """Cost of each card by which a load cell at rest differs from the state."""
    wrong_back: float = parameter(-log(0.02), unit="nats", source="guess")
    """Cost of each card more or less, of those that lie face down in a zone, than the state has there. A back
    is seen as well as a face, but a reflection also makes a card unreadable."""
    wrong_face: float = parameter(-log(0.005), unit="nats", source="guess")
    """Cost of each hidden card that turns out to be another one than the hypothesis has."""
    denied: float = parameter(9.0, unit="nats", source="guess")
    """Cost of an action that players deny: their answer must decide between two hypotheses that are both likely
    enough to be asked about."""
    mistaken: float = parameter(2 * 9.0, unit="nats", source="guess: twice `denied`")
    """Cost of a claim that players say nobody meant: more than that of a button without a cause."""
    inversion: float = parameter(-log(0.3), unit="nats", source="guess")
    """Cost of a sign that came before those of an earlier action: two people at once, or a step done late."""
    inversion_a_second: float = parameter(1.0, unit="nats/s", source="guess")
    """What each second adds by which that sign came earlier."""
    inversion_most: float = parameter(-log(0.01), unit="nats", source="guess")
    """Highest cost of that for signs of cards."""
    swapped_tags: float = parameter(-log(0.03), unit="nats", source="guess")
    """Cost, beside that, of a card that was tapped on the pad, put aside, and moved only after another one."""
    margin: float = parameter(0.4, unit="nats", source="guess")
    """Least lead over every other hypothesis to be published if it lasts."""
    clear: float = parameter(1.0, unit="nats", source="guess")
    """Least lead over every other hypothesis to be published at once."""


COSTS = ReadingCosts()
