"""The movements of hands and cards for every action of the rules."""

from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Done,
    Final,
    Look,
    Move,
    Open,
    Play,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import BLANKET, WITCH
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, State
from companion.games.sleepless_princess.sensing.appearance import bed_name
from companion.virtual.games.sleepless_princess.bed_movements import BedScripts
from companion.virtual.games.sleepless_princess.card_ledger import Ledger
from companion.virtual.games.sleepless_princess.card_positions import (
    FOOT_GRIP,
    fingers_at,
    foot,
    groups,
    row_slot,
)
from companion.virtual.hand_movements import GRIP, Script, Stage, corner
from companion.virtual.world import DOWN, UP, Held, Point

DECK_LAYERS = 7
"""Number of cards drawn in a picture of a full deck: the top card and edges below."""
_PILE_SEEN = 6
"""Number of cards drawn in a picture of the discard pile."""


class Scripts:
    """Movements of hands and cards for every action of Sleepless Princess.

    `beds`: those at the beds.
    """

    def __init__(self, stage: Stage, ledger: Ledger) -> None:
        self._stage = stage
        self._ledger = ledger
        self.beds = BedScripts(stage, ledger)
        self._full_deck = max(1, len(ledger.deck))

    def play(self, before: State, action: Action, after: State) -> Script:
        """Movements of hands and cards for one action.

        At their end all lies still, and no hand is there. `before`, `after`: the true states around the
        action.
        """
        player = before.turn
        match action:
            case Play():
                yield from self._play(player, action)
            case Discard(cards):
                yield from self._discard(player, cards)
            case Done():
                yield from self._sweep(player)
            case Touch(bed):
                yield from self._touch(player, bed)
            case Look(bed):
                yield from self._look(player, bed)
            case Move(source, target):
                yield from self.beds.move(player, before, source, target)
            case Take(kind):
                yield from self._take(player, kind)
            case Deck():
                yield from self._draw(player, before)
            case Open():
                yield from self._open(player, before)
            case Claim(bed):
                yield from self.beds.claim(player, before, bed, after.fates[bed] == ASLEEP)
            case Final():
                for bed, fate in enumerate(before.fates):
                    if fate == AWAKE:
                        yield from self.beds.final(player, before, bed, after.fates[bed] == ASLEEP)
            case Skip():
                # A knock on the empty deck place, because no card shows whose turn it is.
                yield from self._stage.reach(player, self._stage.mat.zone("deck").centre)
                yield 0.3
                yield from self._stage.withdraw()
                yield from self._stage.rest()

    def straighten(self, player: int, zone: str) -> Script:
        """Movements that lay the open cards of a zone at their places again.

        They then lie out of the glare. `player`: whose hand it is (from 0).
        """
        stage = self._stage
        area = stage.mat.zone(zone)
        lying = [
            thing
            for thing in stage.world.things.values()
            if thing.side == UP and area.contains(thing.x, thing.y)
        ]
        yield from stage.reach(player, area.centre)
        yield stage.lasting(0.5, 0.2)
        for thing in sorted(lying, key=lambda thing: thing.z):
            in_row = thing.code in self._ledger.row
            at = row_slot(stage.mat, self._ledger.row.index(thing.code)) if in_row else (thing.x, thing.y)
            stage.lay(thing.code, at, 90.0 if abs(thing.angle) > 45 else 0.0, neat=0.5)
        yield from stage.withdraw()
        yield from stage.rest(1.5, 1.2)

    def lay_deck(self) -> None:
        """Show the deck on the table as high as it is now."""
        shown = -(-len(self._ledger.deck) * DECK_LAYERS // self._full_deck)
        self._stage.world.show_deck(self._stage.mat.zone("deck").centre, shown, DECK_LAYERS)

    def _play(self, player: int, action: Play) -> Script:
        stage, ledger = self._stage, self._ledger
        covered = None if action.covered is None else action.groups.index((action.covered,))
        places, blanket = groups(stage.mat.zone("play"), [len(group) for group in action.groups], covered)
        for kinds, points in zip(action.groups, places, strict=True):
            for kind, at in zip(kinds, points, strict=True):
                code = ledger.from_hand(player, kind)
                ledger.played.append(code)
                yield from stage.lay_one(player, code, at)
        if blanket is not None:
            code = ledger.from_hand(player, BLANKET)
            ledger.played.append(code)
            # Crosswise, so that the blanket hides helpers but no sticker.
            yield from stage.lay_one(player, code, blanket, angle=90.0)
        yield from stage.withdraw()
        yield from stage.rest(1.0)

    def _discard(self, player: int, kinds: tuple[int, ...]) -> Script:
        stage, ledger = self._stage, self._ledger
        places, _ = groups(stage.mat.zone("play"), [1] * len(kinds), None)
        for kind, (at, *_rest) in zip(kinds, places, strict=True):
            code = ledger.from_hand(player, kind)
            ledger.played.append(code)
            yield from stage.lay_one(player, code, at)
        yield from stage.withdraw()
        yield from stage.rest(1.1, 0.8)
        yield from self._sweep(player)

    def _sweep(self, player: int) -> Script:
        """Movements that put the played cards on the discard pile, in random order."""
        stage, ledger = self._stage, self._ledger
        codes, ledger.played = ledger.played, []
        yield from stage.reach(player, stage.mat.zone("play").centre)
        yield from stage.gather(codes, stage.mat.zone("play").centre)
        yield from self._to_pile(player, codes)

    def _to_pile(self, player: int, codes: list[str]) -> Script:
        """Movements that put the cards in the hand on the discard pile, in random order.

        `codes`: of these cards; they are shuffled.
        """
        stage, ledger = self._stage, self._ledger
        stage.chance.shuffle(codes)
        at = stage.mat.zone("discard").centre
        hand = stage.world.hand
        yield from stage.reach(player, at, hand.held if hand else ())
        stage.grip(())
        for code in codes:
            stage.lay(code, at, neat=1.5)
        ledger.pile += codes
        for code in ledger.pile[:-_PILE_SEEN]:
            stage.world.take(code)
        yield stage.lasting(0.12, 0.07)
        yield from stage.withdraw()
        yield from stage.rest(0.8)

    def _touch(self, player: int, bed: int) -> Script:
        stage = self._stage
        yield from stage.reach(player, fingers_at(foot(stage.mat, bed)))
        stage.rig.finger(bed_name(bed), True)
        yield stage.lasting(1.0, 0.5)
        stage.rig.finger(bed_name(bed), False)
        yield from stage.withdraw()
        yield from stage.rest()

    def _look(self, player: int, bed: int) -> Script:
        stage = self._stage
        home, there = stage.mat.zone("glass").centre, foot(stage.mat, bed)
        yield from self._carry_glass(player, home, there)
        yield from stage.rest(1.6, 1.0)
        yield from self._carry_glass(player, there, home)
        yield from stage.rest()

    def _carry_glass(self, player: int, start: Point, end: Point) -> Script:
        stage = self._stage
        held = (Held("G", UP, 0, FOOT_GRIP),)
        yield from stage.reach(player, fingers_at(start))
        stage.world.take("G")
        stage.grip(held)
        yield stage.lasting(0.12, 0.07)
        yield from stage.reach(player, fingers_at(end), held)
        stage.grip(())
        stage.lay("G", end)
        yield stage.lasting(0.1, 0.07)
        yield from stage.withdraw()

    def _take(self, player: int, kind: int) -> Script:
        stage, ledger = self._stage, self._ledger
        slot = ledger.open_slot(kind, stage.chance)
        code = ledger.row[slot]
        assert code is not None
        # The card is taken by its corner, so that the hand does not reach over the deck.
        yield from stage.reach(player, corner(row_slot(stage.mat, slot)))
        stage.world.take(code)
        stage.grip((Held(code, UP, -GRIP[0], -GRIP[1]),))
        ledger.row[slot] = None
        ledger.hands[player].append(code)
        yield stage.lasting(0.1, 0.07)
        yield from stage.withdraw()
        yield from stage.rest()

    def _draw(self, player: int, before: State) -> Script:
        stage, ledger = self._stage, self._ledger
        if before.deck[-1] == WITCH:
            yield from self._witch(player)
            return
        code = ledger.deck.pop()
        ledger.hands[player].append(code)
        yield from self._from_deck(player, code, DOWN)
        yield from stage.withdraw()
        yield from stage.rest()

    def _open(self, player: int, before: State) -> Script:
        if before.deck[-1] == WITCH:
            yield from self._witch(player)
            return
        code = self._ledger.deck.pop()
        yield from self._from_deck(player, code, DOWN)
        yield from self._lay_open(player, code)

    def open_from_hand(self, player: int) -> Script:
        """Movements by which the dealer lays the next card open while laying out.

        It comes from the dealer's hand, which holds the first cards of the deck.
        """
        code = self._ledger.deck.pop()
        yield from self._lay_open(player, code)

    def _lay_open(self, player: int, code: str) -> Script:
        stage, ledger = self._stage, self._ledger
        slot = ledger.free_slot()
        yield from stage.lay_one(player, code, row_slot(stage.mat, slot))
        ledger.row[slot] = code
        yield from stage.withdraw()
        yield from stage.rest()

    def _from_deck(self, player: int, code: str, side: str) -> Script:
        stage = self._stage
        yield from stage.reach(player, stage.mat.zone("deck").centre)
        yield stage.lasting(0.25, 0.14)
        self.lay_deck()
        stage.grip((Held(code, side),))

    def _witch(self, player: int) -> Script:
        """Movements that put a drawn witch and the whole open row on the discard pile."""
        stage, ledger = self._stage, self._ledger
        witch = ledger.deck.pop()
        yield from self._from_deck(player, witch, UP)
        codes = [code for code in ledger.row if code is not None]
        ledger.row = [None] * len(ledger.row)
        if codes:
            middle = stage.mat.zone("row").centre
            yield from stage.reach(player, middle, (Held(witch, UP),))
            yield from stage.gather(codes, middle)
        yield from self._to_pile(player, [*codes, witch])

    def place_glass(self) -> None:
        """Lay the looking glass at its place on the mat."""
        self._stage.lay("G", self._stage.mat.zone("glass").centre)
