"""A game of Sleeping Queens 2, played by hands on the virtual table."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.games.queens.table import CARD_H, CARD_W
from companion.games.rules import CHANCE
from companion.games.sleeping_queens_2.public_screen import card_view
from companion.games.sleeping_queens_2.queens_2_mat import KNIGHT_W
from companion.games.sleeping_queens_2.rules.actions import Action, Open, Shuffle
from companion.games.sleeping_queens_2.rules.hidden_state import by_chance
from companion.games.sleeping_queens_2.rules.kinds import COMPANIONS, EMPTY, KIND_TEXT
from companion.games.sleeping_queens_2.rules.parts import Parts
from companion.games.sleeping_queens_2.rules.rulebook import SleepingQueens2
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.games.sleeping_queens_2.sensing.appearance import DIE, SHOW
from companion.games.win_claims import player_zone
from companion.session.stream.events import CardView
from companion.session.stream.virtual_table_events import YourTurn
from companion.virtual.game_api import Reins
from companion.virtual.games.queens.two_piles import (
    DEALER,
    DISCARD,
    DRAW,
    PILE_SEEN,
    SHOWN_FLOOR_S,
    SHOWN_S,
    TwoPilesPlay,
)
from companion.virtual.games.sleeping_queens_2.choice_words import in_words, number, why
from companion.virtual.games.sleeping_queens_2.hand_moves import (
    HAND,
    KINGS,
    Move,
    Movement,
    deal,
    movements,
)
from companion.virtual.games.sleeping_queens_2.thing_ledger import ThingLedger
from companion.virtual.hand_movements import Script, Stage, corner
from companion.virtual.seated_players import Players
from companion.virtual.world import DOWN, UP, Held, Point
from vision.mat_geometry import Zone

_STEP = 49.0
"""Distance (mm) between overlapping cards, at which the left one's sticker stays visible."""
_ROWS = 2
_KNIGHTS = 2
"""Most knights' feet in a realm at once, while knights move on to the next player."""


class RealmPlaces:
    """Places (mm) in one player's realm, with the thing on each.

    A realm is the zone before a player.
    """

    def __init__(self, zone: Zone) -> None:
        columns = 1 + int((zone.w - KNIGHT_W - CARD_W) / _STEP)
        left, top = zone.x + KNIGHT_W + CARD_W / 2, zone.y + CARD_H / 2 + 1
        down = zone.h - CARD_H - 2
        self._cards: list[Point] = [
            (left + _STEP * column, top + down * row) for row in range(_ROWS) for column in range(columns)
        ]
        self._feet: list[Point] = [
            (zone.x + KNIGHT_W / 2, zone.y + zone.h * (n + 1) / (_KNIGHTS + 1)) for n in range(_KNIGHTS)
        ]
        self._at: dict[str, Point] = {}

    @property
    def taken(self) -> dict[str, Point]:
        """Code of a thing in the realm -> its place."""
        return self._at

    def of(self, code: str) -> Point:
        """Place (mm) of the thing `code`; KeyError if it does not lie in the realm."""
        return self._at[code]

    def come(self, code: str, sides: Mapping[str, str]) -> Point:
        """Choose and reserve the place (mm) of a new thing in the realm.

        A free place; without one, on top of a sleeping queen. `sides`: code of a thing -> its side up.
        """
        taken = {at for other, at in self._at.items() if other[:2] != "KN"}
        wanted = self._cards
        if code[:2] == "KN":
            taken, wanted = set(self._at.values()), self._feet
        asleep = [at for other, at in self._at.items() if sides.get(other) == DOWN]
        free = [at for at in wanted if at not in taken]
        self._at[code] = (free or asleep or wanted[-1:])[0]
        return self._at[code]

    def leave(self, code: str) -> Point:
        """Remove a thing from the realm; return its place (mm).

        KeyError if it does not lie there.
        """
        return self._at.pop(code)


_SHAKEN_S, _SHAKEN_FLOOR_S = 1.2, 0.8
"""Time (s) for which the die is in a hand: mean and least. A guess."""
_DIE_MM, _DIE_DEG = (30.0, 28.0), 180.0
"""Farthest that the die rests from the middle of its zone (mm), and most that it is turned (degrees).

Guesses.
"""
_KINGS_STEP = 45.0
_KINGS_COLUMNS = 3


class TableRules(SleepingQueens2):
    """Rules of Sleeping Queens 2 with chance already decided.

    `parts`: printed parts of the box.
    """

    def __init__(self, chance: Random, parts: Parts) -> None:
        super().__init__(parts)
        self._chance = chance

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """All legal actions in `state`; at a step of chance only the one drawn."""
        if self.actor(state) == CHANCE and state.phase is not Phase.OVER:
            return (by_chance(state, self._chance),)
        return super().legal_actions(state)


class Queens2Play(TwoPilesPlay):
    """Virtual game of Sleeping Queens 2: true state, physical things and players."""

    def __init__(
        self, rules: TableRules, dealt: State, stage: Stage, players: Players, reins: Reins, things: ThingLedger
    ) -> None:
        super().__init__(rules, dealt, stage, players, reins)
        self._things = things
        self._realms = {
            player_zone(player): RealmPlaces(stage.mat.zone(player_zone(player)))
            for player in range(dealt.players)
        }
        self._die: list[Point] = [stage.mat.zone(DIE).centre]
        """Place of the die: a list with one entry, so that undo can restore it."""

    def _lay_out(self) -> Script:
        stage = self._stage
        for n, king in enumerate(self._things.kings()):
            stage.lay(king, self._king(n))
        yield from stage.reach(DEALER, stage.mat.zone(DRAW).centre)
        self._lay_draw_pile(self.state)
        yield from self._rest()
        for movement in deal(self.state):
            yield from self._may_go_on()
            begun = stage.now
            yield from self._carry(DEALER, movement, self.state)
        yield from self._rest()
        self._log(begun, Open(self.state.discard[-1]), self.state)

    def _play(self, before: State, action: Action, after: State) -> Script:
        player = before.turn
        if isinstance(action, Shuffle):
            yield from self._reshuffle(player, self._things.shuffle(), after)
        for movement in movements(before, action, after):
            yield from self._carry(player, movement, after)
            yield from self._rest()

    def _places(self) -> tuple[Any, ...]:
        realms = (places.taken for places in self._realms.values())
        return self._things.places, self._things.free, self._die, *realms

    def _carry(self, player: int, movement: Movement, after: State) -> Script:
        """Movements of a player's hand that carry things to their places, one after another.

        `movement`: the moves. `after`: the true state after the action.
        """
        gathered = all(move.target in (DISCARD, HAND) and move.source != DRAW for move in movement)
        if gathered and len(movement) > 1:
            yield from self._gather(player, movement)
            return
        for move in movement:
            if move.source == move.target:
                yield from self._turn(player, move)
            else:
                yield from self._take(player, move, after)

    def _take(self, player: int, move: Move, after: State) -> Script:
        """Movements of a player's hand that take one thing and lay it at its new place.

        `move`: the thing and both places. `after`: the true state after the action.
        """
        stage = self._stage
        at = self._where(move)
        code = self._things.do(move)
        if move.source == DRAW:
            yield from stage.reach(player, stage.mat.zone(DRAW).centre)
            self._lay_draw_pile(after)
            stage.grip((Held(code, DOWN),))
            yield stage.lasting(0.12, 0.07)
        elif at is not None:
            yield from stage.pick_up(player, code, at, UP)
            self._left(move, code)
        if move.target == HAND:
            yield from stage.withdraw()
            stage.world.take(code)
            yield stage.lasting(_SHAKEN_S, _SHAKEN_FLOOR_S)
            return
        if move.shown:
            yield from stage.lay_one(player, code, stage.mat.zone(SHOW).centre)
            yield from stage.withdraw()
            yield from stage.rest(SHOWN_S, SHOWN_FLOOR_S)
            yield from stage.pick_up(player, code, stage.mat.zone(SHOW).centre, UP)
        yield from self._lay(player, code, move)

    def _lay(self, player: int, code: str, move: Move) -> Script:
        stage = self._stage
        if move.target == DISCARD:
            yield from stage.reach(player, stage.mat.zone(DISCARD).centre, (Held(code, UP),))
            stage.grip(())
            self._lay_off((code,))
        elif move.target == DIE:
            yield from self._throw(player, code)
        elif move.target in self._realms:
            sides = self._things.places[move.target]
            yield from stage.lay_one(player, code, self._realms[move.target].come(code, sides), move.side)
        else:
            yield from stage.lay_one(player, code, stage.mat.zone(move.target).centre, move.side)

    def _throw(self, player: int, code: str) -> Script:
        """Movements that throw the die; it comes to rest near the middle of its zone.

        `code`: the die side that lies up.
        """
        stage, chance = self._stage, self._stage.chance
        x, y = stage.mat.zone(DIE).centre
        at = x + chance.uniform(-1, 1) * _DIE_MM[0], y + chance.uniform(-1, 1) * _DIE_MM[1]
        self._die[:] = [at]
        yield from stage.reach(player, corner(at), (Held(code, UP),))
        stage.grip(())
        stage.world.put(code, at, chance.uniform(-1, 1) * _DIE_DEG, UP)
        yield stage.lasting(0.12, 0.07)
        yield from self._rest()

    def _turn(self, player: int, move: Move) -> Script:
        """Movements that turn a queen over in her place."""
        stage = self._stage
        code = self._things.do(move)
        yield from stage.reach(player, self._realms[move.source].of(code))
        stage.world.turn(code, move.side)
        yield stage.lasting(0.2, 0.15)

    def _gather(self, player: int, movement: Movement) -> Script:
        """Movements that take several cards to the discard pile.

        If the movement ends in a hand, they stay there for the next movement.
        """
        stage = self._stage
        codes: list[str] = []
        for move in movement:
            at = self._where(move)
            code = self._things.do(move)
            assert at is not None, "nothing is gathered from a pile"
            yield from stage.reach(player, at, tuple(Held(other, UP) for other in codes))
            stage.world.take(code)
            self._left(move, code)
            codes.append(code)
            stage.grip(tuple(Held(other, UP) for other in codes))
            yield stage.lasting(0.12, 0.07)
        if movement[0].target == DISCARD:
            held = tuple(Held(other, UP) for other in codes)
            yield from stage.reach(player, stage.mat.zone(DISCARD).centre, held)
            stage.grip(())
            self._lay_off(tuple(codes))
            return
        yield from stage.withdraw()
        yield stage.lasting(_SHAKEN_S, _SHAKEN_FLOOR_S)

    def _where(self, move: Move) -> Point | None:
        """Place (mm) of the thing before a move.

        None if it is in a hand or in the draw pile.
        """
        if move.source in (HAND, DRAW):
            return None
        if move.source == DIE:
            return self._die[0]
        things = self._stage.world.things
        code = self._things.next_code(move)
        if move.source == DISCARD or code not in things:
            return self._stage.mat.zone(move.source).centre
        return (things[code].x, things[code].y)

    def _left(self, move: Move, code: str) -> None:
        """Note that the thing `code` was taken from its place.

        On the discard pile the cards beneath become visible.
        """
        if move.source in self._realms:
            self._realms[move.source].leave(code)
        elif move.source == DISCARD:
            self._show_discard()

    def _lay_off(self, codes: Sequence[str]) -> None:
        pile = self._stage.mat.zone(DISCARD).centre
        for code in codes:
            self._stage.lay(code, pile, neat=0.8)
        self._show_discard()

    def _show_discard(self) -> None:
        """Show only the few top cards of the discard pile."""
        world, pile = self._stage.world, tuple(self._things.places[DISCARD])
        for code in pile[:-PILE_SEEN]:
            world.take(code)
        hidden = [code for code in pile[-PILE_SEEN:] if code not in world.things]
        if hidden:
            lying = [code for code in pile if code in world.things]
            x, y = self._stage.mat.zone(DISCARD).centre
            for code in (*hidden, *lying):
                thing = world.take(code)
                at = (x, y) if thing is None else (thing.x, thing.y)
                world.put(code, at, 0.0 if thing is None else thing.angle, UP)

    def _king(self, number: int) -> Point:
        """Place (mm) of king `number` (from 0) until his rescue.

        Kings lie in two rows on both sides of the grid.
        """
        side, n = number % 2, number // 2
        zone = self._stage.mat.zone(f"{KINGS} {side + 1}")
        row, column = divmod(n, _KINGS_COLUMNS)
        return (zone.x + 29.0 + _KINGS_STEP * column, zone.y + 46.0 + 95.0 * row)

    def _choice(self, player: int, options: tuple[Action, ...], *, on_turn: bool) -> YourTurn:
        state: State = self.state
        cards = (*state.realms[player], *state.asleep[player], *state.companions[player])
        hand = tuple(CardView(**card_view(kind, state.parts)) for kind in cards)
        words = tuple(in_words(state, action) for action in options)
        return YourTurn(
            player + 1, hand, why(state, options), words, on_turn, numbers=tuple(map(number, options))
        )

    def truth_lines(self) -> list[str]:
        """Words for the true realms, draw pile and companions, one sentence a line."""
        state: State = self.state
        lines = [f"Turn {state.turns}, player {state.turn + 1}, {state.phase.name.lower()}."]
        lines += [
            f"Player {player + 1} has {_names(realm)}; asleep: {_names(state.asleep[player])}; "
            f"companions: {_names(state.companions[player])}; kings: {state.kings[player]}"
            for player, realm in enumerate(state.realms)
        ]
        down = [
            f"{cell + 1} {KIND_TEXT[card]}"
            for cell, card in enumerate(state.cells)
            if card != EMPTY and card in COMPANIONS and not state.face_up[cell]
        ]
        return [*lines, f"Face down: {', '.join(down) or '-'}", f"Next cards: {_names(state.deck[:-6:-1])}"]


def _names(cards: Sequence[int]) -> str:
    return " ".join(KIND_TEXT[card] for card in cards) or "-"
