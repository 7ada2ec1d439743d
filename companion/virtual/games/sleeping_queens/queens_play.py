"""A game of Sleeping Queens, played by hands on the virtual table."""

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.core.language import listed, text
from companion.core.language import player as named
from companion.games.sleeping_queens import terms
from companion.games.sleeping_queens.public_screen import card_view
from companion.games.sleeping_queens.rules.actions import (
    Action,
    Defend,
    Discard,
    Power,
    PutToSleep,
    Refill,
    Reveal,
    Shuffle,
    Target,
    Wake,
    Yield,
)
from companion.games.sleeping_queens.rules.hidden_state import shuffled
from companion.games.sleeping_queens.rules.kinds import (
    ANSWER_TO,
    DRAGON,
    EMPTY,
    KIND_TEXT,
    KNIGHT,
    NUMBERS,
    QUEEN_NAMES,
)
from companion.games.sleeping_queens.rules.legal_actions import attacker, short
from companion.games.sleeping_queens.rules.rulebook import SleepingQueens
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.games.sleeping_queens.sensing.appearance import cell_zone
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
from companion.virtual.games.sleeping_queens.card_copies import CardCopies
from companion.virtual.hand_movements import Script, Stage
from companion.virtual.seated_players import Players
from companion.virtual.world import DOWN, UP, Held, Point

_COLUMNS = 5
"""Number of played cards that lie side by side in a row."""
_ROOM = 5
"""Number of queens that fit side by side before a player."""


class TableRules(SleepingQueens):
    """Rules of Sleeping Queens in which chance decides the shuffles.

    The new order is hidden from everybody.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """All legal actions in `state`; a shuffle already has its new order."""
        legal = super().legal_actions(state)
        return tuple(shuffled(state, self._chance) if isinstance(one, Shuffle) else one for one in legal)


class QueensPlay(TwoPilesPlay):
    """Virtual Sleeping Queens: true state, physical cards and players."""

    def __init__(
        self, rules: TableRules, dealt: State, stage: Stage, players: Players, reins: Reins, copies: CardCopies
    ) -> None:
        super().__init__(rules, dealt, stage, players, reins)
        self._copies = copies
        self._seats: list[list[str | None]] = [[None] * _ROOM for _ in range(dealt.players)]
        """Codes of each player's queens, side by side; None for a free place."""

    def _lay_out(self) -> Script:
        stage = self._stage
        for cell, queen in enumerate(self.state.cells):
            yield from self._may_go_on()
            yield from stage.lay_one(DEALER, self._copies.queen(queen), self._cell(cell), DOWN)
        yield from stage.reach(DEALER, stage.mat.zone(DRAW).centre)
        self._lay_draw_pile(self.state)
        yield from self._rest()

    def _play(self, before: State, action: Action, after: State) -> Script:
        match action:
            case Power(kind):
                yield from self._lay(before.turn, (kind,))
            case Discard(cards):
                yield from self._lay(before.turn, cards)
            case Defend():
                yield from self._lay(before.acting, (ANSWER_TO[attacker(before)],))
            case Target(queen):
                yield from self._point(before, queen)
            case Yield() if attacker(before) == KNIGHT:
                yield from self._take_queen(before.target, before.acting, before.turn)
            case PutToSleep(cell):
                yield from self._put_to_sleep(before, cell)
            case Wake(cell, _):
                yield from self._wake(before, cell, after)
            case Reveal():
                yield from self._reveal(before, after)
            case Shuffle():
                yield from self._shuffle(before, after)
            case Refill():
                yield from self._sweep(before.turn)
                yield from self._draw(before, after)

    def _places(self) -> tuple[Any, ...]:
        return *self._copies.places, self._seats

    def _lay(self, player: int, kinds: Sequence[int]) -> Script:
        """Movements that lay cards of a player's hand into the middle, side by side.

        `kinds`: of the cards.
        """
        for kind in kinds:
            at = self._middle(len(self._copies.played))
            yield from self._stage.lay_one(player, self._copies.play(kind), at)
        yield from self._rest()

    def _point(self, state: State, queen: int) -> Script:
        """Movements by which a hand points at a queen, at whom an attack is aimed.

        `queen`: 0 to 11.
        """
        owner = next(player for player, queens in enumerate(state.awake) if queen in queens)
        yield from self._stage.reach(state.turn, self._place(owner, self._copies.queen(queen)))
        yield self._stage.lasting(0.3, 0.2)
        yield from self._rest()

    def _take_queen(self, queen: int, owner: int, thief: int) -> Script:
        code = self._copies.queen(queen)
        yield from self._stage.pick_up(thief, code, self._place(owner, code), UP)
        self._leave(owner, code)
        yield from self._lay_queen(thief, code)

    def _put_to_sleep(self, state: State, cell: int) -> Script:
        owner = next(player for player, queens in enumerate(state.awake) if state.target in queens)
        code = self._copies.queen(state.target)
        yield from self._stage.pick_up(state.turn, code, self._place(owner, code), UP)
        self._leave(owner, code)
        yield from self._stage.lay_one(state.turn, code, self._cell(cell), DOWN)
        yield from self._rest()

    def _wake(self, before: State, cell: int, after: State) -> Script:
        """Movements that turn up the sleeping queen on grid place `cell` (from 0).

        She comes to the player, or sleeps on. `before`, `after`: true states around the action.
        """
        stage, player = self._stage, before.acting
        code = self._copies.queen(before.cells[cell])
        yield from stage.reach(player, self._cell(cell))
        stage.world.turn(code, UP)
        yield stage.lasting(0.2, 0.15)
        yield from stage.withdraw()
        yield from stage.rest(SHOWN_S, SHOWN_FLOOR_S)
        if after.cells[cell] != EMPTY:
            yield from stage.reach(player, self._cell(cell))
            stage.world.turn(code, DOWN)
            yield from self._rest()
            return
        yield from stage.pick_up(player, code, self._cell(cell), UP)
        yield from self._lay_queen(player, code)

    def _lay_queen(self, player: int, code: str) -> Script:
        slots = self._seats[player]
        slots[slots.index(None)] = code
        yield from self._stage.lay_one(player, code, self._place(player, code))
        yield from self._rest()

    def _reveal(self, before: State, after: State) -> Script:
        """Movements that turn up the top card of the draw pile for a jester.

        A power card goes to the hand, and the jester is swept. A number stays in the middle.
        """
        stage, player, kind = self._stage, before.turn, before.deck[-1]
        at = self._middle(len(self._copies.played))
        code = self._copies.play(kind)
        yield from stage.reach(player, stage.mat.zone(DRAW).centre)
        self._lay_draw_pile(after)
        stage.grip((Held(code, DOWN),))
        yield from stage.lay_one(player, code, at)
        yield from stage.withdraw()
        yield from stage.rest(SHOWN_S, SHOWN_FLOOR_S)
        if kind in NUMBERS:
            return
        yield from stage.pick_up(player, code, at, UP)
        self._copies.take_up(code)
        yield from stage.withdraw()
        yield from self._sweep(player)

    def _sweep(self, player: int) -> Script:
        """Movements of a player's hand that put the cards of the middle on the discard pile."""
        stage = self._stage
        if not self._copies.played:
            return
        middle, pile = stage.mat.zone("play").centre, stage.mat.zone(DISCARD).centre
        yield from stage.reach(player, middle)
        yield from stage.gather(list(self._copies.played), middle)
        hand = stage.world.hand
        yield from stage.reach(player, pile, hand.held if hand else ())
        stage.grip(())
        for code in self._copies.sweep():
            stage.lay(code, pile, neat=0.8)
        for code in self._copies.pile[:-PILE_SEEN]:
            stage.world.take(code)
        yield from self._rest()

    def _shuffle(self, before: State, after: State) -> Script:
        if before.phase is Phase.REFILL:
            yield from self._sweep(before.turn)
        pile = self._copies.pile
        self._copies.shuffle()
        yield from self._reshuffle(DEALER, pile, after)

    def _draw(self, before: State, after: State) -> Script:
        stage = self._stage
        for player in range(before.players):
            for _ in range(len(after.hands[player]) - len(before.hands[player])):
                yield from stage.reach(player, stage.mat.zone(DRAW).centre)
                self._lay_draw_pile(after)
                stage.grip((Held("deck 0", DOWN),))
                yield stage.lasting(0.15, 0.1)
                yield from stage.withdraw()
        if short(before):
            yield from stage.rest()

    def _cell(self, cell: int) -> Point:
        return self._stage.mat.zone(cell_zone(cell)).centre

    def _middle(self, number: int) -> Point:
        """Place (mm) of a played card in the middle.

        `number`: its index (from 0) in the order of laying.
        """
        zone = self._stage.mat.zone("play")
        row, column = divmod(number, _COLUMNS)
        return (zone.x + 30.0 + 60.0 * column, zone.y + 46.0 + 91.0 * (row % 3))

    def _place(self, player: int, code: str) -> Point:
        """Awake queen's place (mm) before her player (from 0)."""
        zone = self._stage.mat.zone(player_zone(player))
        step = min(62.0, (zone.w - 60.0) / (_ROOM - 1))
        return (zone.x + 30.0 + step * self._seats[player].index(code), zone.y + zone.h / 2)

    def _leave(self, player: int, code: str) -> None:
        self._seats[player][self._seats[player].index(code)] = None

    def _choice(self, player: int, options: tuple[Action, ...], *, on_turn: bool) -> YourTurn:
        state: State = self.state
        hand = tuple(CardView(**card_view(kind)) for kind in state.hands[player])
        words = tuple(in_words(state, action) for action in options)
        return YourTurn(player + 1, hand, (), words, on_turn, numbers=tuple(map(_number, options)))

    def truth_lines(self) -> list[str]:
        """Words for the true queens and hands of all players, one sentence a line."""
        state: State = self.state
        asleep = [
            f"{cell + 1} {QUEEN_NAMES[queen]}" for cell, queen in enumerate(state.cells) if queen != EMPTY
        ]
        lines = [f"Turn {state.turns}, player {state.turn + 1}, {state.phase.name.lower()}."]
        lines += [
            f"Player {player + 1} holds {' '.join(KIND_TEXT[kind] for kind in hand)}; "
            f"awake: {', '.join(QUEEN_NAMES[queen] for queen in state.awake[player]) or '-'}"
            for player, hand in enumerate(state.hands)
        ]
        return [*lines, f"Asleep: {', '.join(asleep) or '-'}"]


def _number(action: Action) -> str:
    """Number key that chooses an action; "" for none.

    It is the value of the only discarded card, or the grid place (from 1).
    """
    match action:
        case Discard((kind,)) if KIND_TEXT[kind].isdigit():
            return KIND_TEXT[kind]
        case Wake(cell, _) | PutToSleep(cell):
            return str(cell + 1)
    return ""


def in_words(state: State, action: Action) -> str:
    """Words by which a person chooses an action on the screen, e.g. "Play a king"."""
    match action:
        case Power(kind):
            return text("Play {card}", card=terms.one(KIND_TEXT[kind]))
        case Discard(cards):
            if len(cards) > 2:
                equation = f"{' + '.join(map(str, cards[:-1]))} = {cards[-1]}"
                return text("Discard the equation {sum}", sum=equation)
            return text("Discard {cards}", cards=listed([terms.one(KIND_TEXT[kind]) for kind in cards]))
        case Target(queen):
            return text("The {queen} queen", queen=terms.queen(queen))
        case Defend():
            return text("Lay down {card}", card=terms.one(KIND_TEXT[ANSWER_TO[attacker(state)]]))
        case Yield():
            return _yielding(state)
        case PutToSleep(cell):
            return text("Lay her on place {number}", number=cell + 1)
        case Wake(cell, _) if state.seen[cell]:
            return text(
                "Wake the queen on place {number} ({queen})",
                number=cell + 1,
                queen=terms.queen(state.cells[cell]),
            )
        case Wake(cell, _):
            return text("Wake the queen on place {number}", number=cell + 1)
    return type(action).__name__


def _yielding(state: State) -> str:
    """Words for the choice to let an attack happen.

    They say what the queen suffers, and which card the player lacks.
    """
    queen, who = terms.queen(state.target), named(state.turn + 1, within=True)
    if attacker(state) == KNIGHT:
        said = text("Let it happen: {who} takes your {queen} queen", who=who, queen=queen)
    else:
        said = text("Let it happen: your {queen} queen falls asleep", queen=queen)
    answer = ANSWER_TO[attacker(state)]
    if answer in state.hands[state.acting]:
        return said
    lacks = text("you hold no dragon") if answer == DRAGON else text("you hold no wand")
    return text("{choice} ({lacks})", choice=said, lacks=lacks)
