"""How fast people at the table do what they do."""

from dataclasses import dataclass

from companion.core.parameters import parameter


@dataclass(frozen=True, slots=True)
class People:
    """Times of people at the table, and how many things they do in them."""

    glance_s: float = parameter(3.0, unit="s", source="guess")
    """Longest time from lifting a token to laying it at a station."""
    tag_to_press_s: float = parameter(2.0, unit="s", source="guess")
    """Longest time from reading a card's tag to pressing it."""
    visit_s: float = parameter(2.0, unit="s", source="guess")
    """Longest time from the reading of a card's tag on the pad until its texture is felt."""
    held_s: float = parameter(30.0, unit="s", source="guess")
    """Longest time for which a card that one scale has lost and none has gained is taken to be in a hand."""
    in_hand_s: float = parameter(10.0, unit="s", source="guess")
    """Longest time that a card is in a hand, and that a hand is there before it takes one."""
    check_hand_s: float = parameter(1.8, unit="s", source="guess")
    """Least time before a card was lifted at which a hand that checked it came."""
    checked_s: float = parameter(40.0, unit="s", source="guess")
    """Longest time before a card was lifted at which a hand that checked it came."""
    laid_s: float = parameter(6.0, unit="s", source="guess")
    """Longest time between two cards of one play, where unread cards count."""
    deal_s: float = parameter(240.0, unit="s", source="guess: a deal takes one to three minutes")
    """Time from the first observation for which all are kept."""
    irregular_s: float = parameter(4.0, unit="s", source="guess")
    """Longest time that hands take for an action of which only a part looks forbidden. What the rules forbid is
    published when it has stood so long, and so is what puts an earlier action right."""
    provisional_s: float = parameter(3.0, unit="s", source="guess")
    """Steps that were done less than this long before an undone one may still be misread: a key pressed amid a
    movement settles only older ones."""
    pressed_before_s: float = parameter(5.0, unit="s", source="guess")
    """Longest time from a press of a button until the cards are turned up."""
    flood_s: float = parameter(5.0, unit="s", source="guess")
    """Presses at `flood_places` places or more within this time are a flood: a child presses every button."""
    flood_places: int = parameter(3, unit="1", source="guess")
    """Places of a flood. Players turn up cards between two claims."""
    presses_kept: int = parameter(24, unit="1", source="chosen: more than two a second")
    """Most presses that are remembered. A damaged journal may have thousands."""


PEOPLE = People()
