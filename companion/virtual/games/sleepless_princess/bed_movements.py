"""The movements at the beds: deal, move, turn up, lull to sleep."""

from companion.games.sleepless_princess.rules.state import State
from companion.games.sleepless_princess.sensing.appearance import bed_name
from companion.virtual.games.sleepless_princess.card_ledger import Ledger
from companion.virtual.games.sleepless_princess.card_positions import FAN_MOST, bed_place, fan, headboard
from companion.virtual.hand_movements import GRIP, Script, Stage, corner
from companion.virtual.world import DOWN, EDGE, UP, Held

CLAIM_REST_S = 1.6
"""Least time (s) for which mattresses stay in view after they were turned up for a claim. A guess."""
ASKED_S = 0.1
"""Time (s) between two checks of waiting players whether the companion's question was answered. A guess."""
_LIFTED_S = 1.4
"""Least time (s) for which a moved mattress is off the scales. A guess.

A shorter time would look like a shaky hand.
"""
_ON_PAD_S, _ON_PAD_FLOOR_S = 0.8, 0.6
"""Time (s) for which a mattress lies on the pad: mean and least. Guesses."""
_VISITS_PAD = 0.3
"""Probability that a player presses a mattress on the pad while moving it. A guess."""
TILE_G = 6.0
"""Weight of a princess tile (g): as much as 1.5 cards."""


class BedScripts:
    """Movements of hands, tiles and mattresses at the beds.

    Beds and players count from 0. `loads`: number of mattresses on each bed.
    """

    def __init__(self, stage: Stage, ledger: Ledger) -> None:
        self._stage = stage
        self._ledger = ledger
        self.loads: dict[int, int] = {}
        """Bed -> number of mattresses on the bed's scale."""

    def seat(self, player: int, bed: int, princess: int) -> Script:
        """Movements that seat a princess at her bed, while laying out.

        Her tile lies flat on the bed for a moment, then stands at its head.
        """
        stage = self._stage
        place, code = bed_place(stage.mat, bed), f"P{princess}A"
        yield from stage.lay_one(player, code, place)
        yield from stage.withdraw()
        yield from stage.rest(1.2, 1.0)
        yield from stage.pick_up(player, code, place, UP)
        yield from stage.reach(player, headboard(stage.mat, bed), (Held(code, EDGE),))
        stage.grip(())
        stage.world.put(code, headboard(stage.mat, bed), 0.0, EDGE)
        yield from stage.withdraw()
        yield from stage.rest()

    def show_tile(self, player: int, bed: int, princess: int) -> Script:
        """Movements that lay a standing princess's tile flat once more.

        For a camera that missed it. `bed`: its bed, `player`: whose hand it is (both from 0).
        """
        stage = self._stage
        place, head, code = bed_place(stage.mat, bed), headboard(stage.mat, bed), f"P{princess}A"
        yield from stage.pick_up(player, code, head, EDGE)
        yield from stage.reach(player, corner(place), (Held(code, UP, -GRIP[0], -GRIP[1]),))
        stage.grip(())
        stage.lay(code, place)
        yield stage.lasting(0.12, 0.07)
        yield from stage.withdraw()
        # Longer than in `seat`, which was too short to be read.
        yield from stage.rest(2.0, 1.8)
        yield from stage.pick_up(player, code, place, UP)
        yield from stage.reach(player, head, (Held(code, EDGE),))
        stage.grip(())
        stage.world.put(code, head, 0.0, EDGE)
        yield from stage.withdraw()
        yield from stage.rest()

    def deal(self, player: int, bed: int, slot: int) -> Script:
        """Movements that press a mattress on the pad, then lay it face down on its bed.

        `slot`: its number in the order of dealing. The press is left out if people deal by hand.
        """
        code = self._ledger.mattresses[slot]
        if not self._stage.dealt_by_hand:
            yield from self._tap(player, code)
        yield from self._drop(player, bed, code)

    def _tap(self, player: int, code: str) -> Script:
        stage = self._stage
        pad = stage.mat.zone("pad").centre
        yield from stage.lay_one(player, code, pad, DOWN)
        stage.rig.tag_on(code)
        yield stage.lasting(_ON_PAD_S, _ON_PAD_FLOOR_S)
        stage.rig.tag_off(code)
        stage.world.take(code)
        stage.grip((Held(code, DOWN),))
        yield stage.lasting(0.25, 0.2)

    def _drop(self, player: int, bed: int, code: str) -> Script:
        """Movements that lay the held mattress on a bed.

        `code`: of the mattress.
        """
        stage = self._stage
        place = bed_place(stage.mat, bed)
        yield from stage.reach(player, place, (Held(code, DOWN),))
        stage.grip(())
        stage.lay(code, place, side=DOWN)
        self._load(bed, self.loads.get(bed, 0) + 1)
        yield stage.lasting(0.12, 0.07)
        yield from stage.withdraw()
        yield from stage.rest()

    def _load(self, bed: int, mattresses: int, *, tile: bool = False) -> None:
        self.loads[bed] = mattresses
        self._stage.rig.load(bed_name(bed), mattresses, TILE_G if tile else 0.0)

    def move(self, player: int, before: State, source: int, target: int) -> Script:
        """Movements that bring the bottom mattress of bed `source` to the top of bed `target`.

        On the way it may be pressed on the pad. `before`: the true state before the move.
        """
        stage = self._stage
        code = self._ledger.mattresses[before.beds[source][0]]
        yield from stage.reach(player, bed_place(stage.mat, source))
        yield stage.lasting(0.2, 0.1)
        stage.world.take(code)
        stage.grip((Held(code, DOWN),))
        self._load(source, self.loads[source] - 1)
        lifted = stage.now
        yield stage.lasting(0.2, 0.1)
        if stage.chance.random() < _VISITS_PAD:
            yield from self._tap(player, code)
        x, y = bed_place(stage.mat, target)
        if stage.now < lifted + _LIFTED_S:
            # The mattress is held face down over the foot of the bed, still off the scales.
            yield from stage.reach(player, (x, y + 85), (Held(code, DOWN),))
            yield max(0.05, lifted + _LIFTED_S - stage.now)
        yield from self._drop(player, target, code)

    def claim(self, player: int, before: State, bed: int, asleep: bool) -> Script:
        """Movements of a claim: button press, and mattresses turned up.

        `asleep`: the princess proves to sleep; otherwise she leaves. `before`: the true state before the
        claim.
        """
        stage = self._stage
        x, y = bed_place(stage.mat, bed)
        yield from stage.reach(player, (x + 40, y + 80))
        stage.rig.button(bed_name(bed), True)
        stage.claimed = stage.now
        yield stage.lasting(0.3, 0.25)
        stage.rig.button(bed_name(bed), False)
        yield from stage.withdraw()
        yield from stage.rest(1.5, 1.0)
        while stage.asked:
            yield ASKED_S
        yield from self._turn_up(player, before, bed)
        if asleep:
            yield from self._lull(player, before, bed)
        else:
            yield from self._leave(player, before, bed)

    def final(self, player: int, before: State, bed: int, asleep: bool) -> Script:
        """Movements at an unclaimed bed at the game's end.

        Its mattresses are turned up. `asleep`: its princess proves to sleep; her tile is then laid on the bed.
        `before`: the true state before the final check.
        """
        if before.beds[bed]:
            yield from self._turn_up(player, before, bed)
        if asleep:
            yield from self._lull(player, before, bed)

    def _turn_up(self, player: int, before: State, bed: int) -> Script:
        stage = self._stage
        codes = [self._ledger.mattresses[slot] for slot in before.beds[bed]]
        place = bed_place(stage.mat, bed)
        for first in range(0, len(codes), FAN_MOST):
            yield from stage.reach(player, place)
            yield stage.lasting(0.4, 0.14)
            for code in codes[:first]:
                # Mattresses seen already lie under the others, face down.
                stage.lay(code, place, side=DOWN)
            shown = codes[first : first + FAN_MOST]
            for code, at in zip(shown, fan(stage.mat, bed, len(shown)), strict=True):
                stage.lay(code, at, neat=0.6)
            yield stage.lasting(0.3, 0.14)
            yield from stage.withdraw()
            yield from stage.rest(CLAIM_REST_S, CLAIM_REST_S)

    def _lull(self, player: int, before: State, bed: int) -> Script:
        """Movements that square up a bed's mattresses and lay the princess's tile on them.

        Its dreaming side is up. `bed`, `player`: from 0.
        """
        stage = self._stage
        place, princess = bed_place(stage.mat, bed), before.princesses[bed]
        yield from stage.reach(player, place)
        yield stage.lasting(0.4, 0.14)
        for slot in before.beds[bed]:
            stage.lay(self._ledger.mattresses[slot], place)
        yield stage.lasting(0.2, 0.1)
        stage.world.take(f"P{princess}A")
        stage.lay(f"P{princess}D", place)
        self._load(bed, len(before.beds[bed]), tile=True)
        yield stage.lasting(0.2, 0.1)
        yield from stage.withdraw()
        yield from stage.rest(1.2, 0.8)

    def _leave(self, player: int, before: State, bed: int) -> Script:
        """Movements after a failed claim: the princess's tile leaves the table.

        The bed's mattresses are turned face down in their old order. `bed`, `player`: from 0.
        """
        stage = self._stage
        place, code = bed_place(stage.mat, bed), f"P{before.princesses[bed]}A"
        yield from stage.reach(player, place)
        yield stage.lasting(0.5, 0.14)
        for slot in before.beds[bed]:
            stage.lay(self._ledger.mattresses[slot], place, side=DOWN)
        yield stage.lasting(0.2, 0.1)
        stage.world.take(code)
        stage.grip((Held(code, EDGE),))
        yield from stage.withdraw()
        yield from stage.rest(1.0)
