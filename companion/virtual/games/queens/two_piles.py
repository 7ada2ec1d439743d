"""Hands at a table with a draw and a discard pile, as both Sleeping Queens games have them."""

from collections.abc import Iterable
from typing import Any

from companion.sensing.observation import Seen, Sighting
from companion.virtual.hand_movements import Script
from companion.virtual.played_game import PlayedGame
from companion.virtual.world import DOWN, Held

DRAW, DISCARD = "draw", "discard"
"""Mat zones of the draw pile and the discard pile."""
SHOWN_S, SHOWN_FLOOR_S = 1.4, 1.1
"""Time (s) for which a card is turned up for a moment: mean and least.

A camera needs this time to read it. A guess.
"""
PILE_SEEN = 4
"""Number of cards drawn in a picture of a pile: the top card and a few edges below."""
DEALER = 0


class TwoPilesPlay(PlayedGame):
    """Virtual game with a draw pile and a discard pile.

    Both piles lie on the table.
    """

    def _lay_draw_pile(self, state: Any) -> None:
        """Show the draw pile on the table as high as it is in `state`."""
        at = self._stage.mat.zone(DRAW).centre
        self._stage.world.show_deck(at, min(PILE_SEEN, len(state.deck)), PILE_SEEN)

    def _reshuffle(self, player: int, pile: Iterable[str], after: Any) -> Script:
        """Movements by which a player turns the discard pile into a draw pile.

        `player`: from 0. `pile`: codes of the discard pile. `after`: true state after the action.
        """
        stage = self._stage
        yield from stage.reach(player, stage.mat.zone(DISCARD).centre)
        for code in pile:
            stage.world.take(code)
        held = (Held("deck 0", DOWN),)
        stage.grip(held)
        yield stage.lasting(1.0, 0.5)
        yield from stage.reach(player, stage.mat.zone(DRAW).centre, held)
        stage.grip(())
        self._lay_draw_pile(after)
        yield from self._rest()

    def _rest(self) -> Script:
        yield from self._stage.withdraw()
        yield from self._stage.rest(1.0, 0.8)


class PerfectCamera:
    """Virtual camera that misses nothing.

    The camera reports one zone a second. `t`: time (s) of the last report.
    """

    def __init__(self) -> None:
        self.t = 0.0
        self._told: dict[str, tuple[str, ...]] = {}
        """Zone -> codes of the last report."""

    def _sighting(self, zone: str, codes: tuple[str, ...]) -> Sighting:
        self._told[zone] = codes
        self.t += 1.0
        return Sighting(self.t, zone, tuple(Seen(code, 0.0, 0.0) for code in codes))
