"""The virtual table: a game played by hands on cards, which a companion knows only by camera and board."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from companion.clock import Clock
from companion.games.sleepless_princess.actions import Action, Claim, Lay, Open, Seat
from companion.games.sleepless_princess.cards import KIND_OF_TEXT
from companion.games.sleepless_princess.rules import RULES
from companion.games.sleepless_princess.state import ASLEEP, Phase, State
from companion.games.sleepless_princess.table import SleeplessPrincessTable
from companion.virtual.camera import TableCamera
from companion.virtual.ledger import Ledger
from companion.virtual.lockstep import PATIENCE_S, Line, settle
from companion.virtual.noise import profile
from companion.virtual.players import Players
from companion.virtual.rig import Board, Rig, enrol
from companion.virtual.scripts import Scripts
from companion.virtual.seat import Choice, choice_of, learned_from
from companion.virtual.stage import Script, Stage
from companion.virtual.truth import TruthEntry, TruthLog, truth_in_words
from companion.virtual.world import World

_THINK_S, _THINK_FLOOR_S = 1.6, 0.4
_EMPTY_S = 2.0
"""Between two games the table stays empty this long."""
_WAIT_S = 0.1
"""How often a held or waiting table looks whether it may go on."""
_DEALER = 0


class VirtualTable:
    """A table with its players, camera and board, moved by `step`.

    `players` is how many play. `noise` names a profile. `pace` scales every duration that has no floor.
    The same seed and the same times given to `step` give the same game, the same frames and the same bytes.
    """

    def __init__(
        self,
        seed: int,
        variant: str,
        players: int,
        *,
        clock: Clock,
        noise: str = "clean",
        pace: float = 1.0,
        policy: str = "sensible",
        rash: float = 0.0,
        board: Board | None = None,
    ) -> None:
        self.clock = clock
        self.variant = variant
        self.players = players
        self.seed = seed
        self.noise = profile(noise)
        self.truth = TruthLog()
        self.paused = False
        self.games_begun = 0
        self._pace = pace
        self._speed = 1.0
        self._policy, self._rash = policy, rash
        self._steps = 0
        self._link: Line | None = None
        game = SleeplessPrincessTable()
        self._cards = game.cards(variant)
        self.mat = game.mat(variant)
        mattresses = [card.code for card in self._cards if card.code.startswith("M")]
        tags = enrol(mattresses, Random(f"{seed} tags"))
        self.enrolment: dict[str, str] = {uid.hex(): code for code, uid in tags.items()}
        self.board: Board = board if board is not None else _real_board(clock, seed)
        self.world = World()
        beds = sum(zone.name.startswith("bed ") for zone in self.mat.zones)
        self._rig = Rig(self.board, tags, beds, self.noise, Random(f"{seed} rig"))
        self._camera = TableCamera(self.world, self.mat, self._cards, self.noise, Random(f"{seed} camera"))
        self._now = self._due = clock.now()
        self._begin(seed)

    def step(self, now: float) -> None:
        """Let the world and the board live up to `now` (seconds on the table's clock)."""
        if self._link is not None:
            arrived = getattr(self.board, "await_bytes", None)
            if arrived is not None:
                arrived(self._link.sent, PATIENCE_S)
        while self._due <= now:
            self._now = self._stage.now = self._due
            self._rig.step(self._due)
            self._due += next(self._life)
        self._now = self._stage.now = max(self._now, now)
        self._rig.step(now)

    def frame(self) -> NDArray[np.uint8]:
        """The camera's picture of this moment: BGR, 1080 x 1920; every call has its own noise."""
        return self._camera.frame(self._now)

    @property
    def camera(self) -> TableCamera:
        """The camera above the table."""
        return self._camera

    @property
    def state(self) -> State:
        """The true state, every card known."""
        return self._state

    @property
    def over(self) -> bool:
        """Whether the game is over and everything lies still."""
        return self._state.phase is Phase.OVER and self._finished

    @property
    def speed(self) -> float:
        """How fast the players play: 0.25 to 8, 1 is like people."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        self._speed = min(8.0, max(0.25, speed))
        self._stage.pace = self._pace / self._speed

    def step_once(self) -> None:
        """While paused: play one more action."""
        self._steps += 1

    def restart(self, seed: int | None = None) -> None:
        """Clear the table and begin a new game; without a seed the next one."""
        self.seed = self.seed + 1 if seed is None else seed
        self.world.clear()
        self._rig.clear()
        self._begin(self.seed)
        self._due = self._now

    def take_seat(self, player: int) -> None:
        """A person plays this player, from 1; 0 gives the seat back. BadInputError if there is none."""
        self._players.take_seat(player - 1 if player else None)
        self._learned = ()

    @property
    def seat(self) -> int:
        """The seat a person has taken, from 1; 0 for none."""
        return 0 if self._players.seat is None else self._players.seat + 1

    def pending_choice(self) -> Choice | None:
        """What the person in the seat sees and may choose; None without a person."""
        if self._players.seat is None:
            return None
        options = () if self._busy else self._players.options(self._state)
        return choice_of(self._state, self._players.seat, options, self._learned)

    def choose(self, index: int) -> None:
        """The person chooses an action by its number, from 0; BadInputError if that is not possible now."""
        self._players.wish(self._state, -1 if self._busy else index)

    def truth_lines(self) -> list[str]:
        """What really lies where, for those who asked to know."""
        last = self.truth.entries[-1].action if self.truth.entries else ""
        return truth_in_words(self._state, last)

    def write_truth(self, path: Path) -> None:
        """The ground truth so far as JSON lines, one for each action."""
        self.truth.write(path)

    def wait_for_bytes(self, link: Line) -> None:
        """In lock step: wait until what the board has written can be read, and, before the next step,
        until what the host has written has arrived. The kernel takes its own time over a pty."""
        self._link = link
        written = getattr(self.board, "delivered", 0)
        settle(self.board.path, written - link.received)

    def close(self) -> None:
        """Let the board go."""
        self.board.close()

    def _begin(self, seed: int) -> None:
        world_chance = Random(f"{seed} world")
        self._state = RULES.setup(self.variant, self.players, Random(f"{seed} deal"))
        self._ledger = Ledger.of(self._state, self._cards, world_chance)
        self._stage = Stage(
            self.world,
            self._rig,
            self.mat,
            self.noise,
            world_chance,
            self._cards,
            self._pace / self._speed,
        )
        self._stage.now = self._now
        self._scripts = Scripts(self._stage, self._ledger)
        seat = self._players.seat if self.games_begun else None
        self._players = Players(self.players, Random(f"{seed} players"), self._policy)
        self._players.take_seat(seat)
        self._learned: tuple[str, ...] = ()
        self.truth = TruthLog()
        self.games_begun += 1
        self._busy = True
        self._finished = False
        self._life = self._live()

    def _live(self) -> Iterator[float]:
        """The whole game as one script; what follows rests for ever."""
        yield _EMPTY_S
        yield from self._set_up()
        while self._state.phase is not Phase.OVER:
            self._busy = False
            yield from self._may_go_on()
            action = self._players.next_action(self._state)
            if action is None:
                yield _WAIT_S
                continue
            self._busy = True
            yield from self._do(action)
        self._finished = True
        while True:
            yield 1.0

    def _may_go_on(self) -> Script:
        while self.paused and not self._steps:
            yield _WAIT_S
        self._steps = max(0, self._steps - 1)

    def _do(self, action: Action) -> Script:
        before = self._state
        after = RULES.apply(before, action)
        if RULES.actor(before) >= 0 and self.seat - 1 != RULES.actor(before):
            yield self._stage.lasting(_THINK_S * self._stage.chance.uniform(0.5, 1.5), _THINK_FLOOR_S)
        begun = self._now
        yield from self._scripts.play(before, action, after)
        self._state = after
        self._players.saw(before, action, after)
        self._learned = learned_from(before, action, after, self._players.seat) or self._learned
        self._log(begun, action, after)

    def _log(self, begun: float, action: Action, after: State) -> None:
        bed, asleep = 0, None
        if isinstance(action, Claim):
            bed, asleep = action.bed + 1, after.fates[action.bed] == ASLEEP
        entry = TruthEntry(
            round(self._now, 4),
            RULES.write_action(action),
            RULES.write_state(after),
            round(begun, 4),
            bed,
            asleep,
        )
        self.truth.entries.append(entry)

    def _set_up(self) -> Script:
        """From an empty table to the first turn; the log follows it on a table that hides hands and deck."""
        dealt, scripts = self._state, self._scripts
        told = RULES.empty_table(self.variant, self.players)
        yield from self._stage.reach(_DEALER, self.mat.zone("deck").centre)
        yield 0.2
        scripts.lay_deck()
        if dealt.game.variant.glass:
            yield from self._stage.reach(_DEALER, self.mat.zone("glass").centre)
            scripts.place_glass()
        yield from self._stage.withdraw()
        yield from self._stage.rest()
        for action, script in self._setup_steps(dealt):
            yield from self._may_go_on()
            begun = self._now
            yield from script
            told = RULES.apply(told, action)
            self._log(begun, action, told)

    def _setup_steps(self, dealt: State) -> Iterator[tuple[Action, Script]]:
        beds = self._scripts.beds
        for bed, princess in enumerate(dealt.princesses):
            yield Seat(bed, princess), beds.seat(_DEALER, bed, princess)
        for bed, slots in enumerate(dealt.beds):
            for slot in slots:
                yield Lay(bed, dealt.faces[slot]), beds.deal(_DEALER, bed, slot)
        for _ in dealt.row:
            code = self._ledger.deck[-1]
            kind = KIND_OF_TEXT[self._ledger.kinds[code]]
            yield Open(kind), self._scripts.open_from_hand(_DEALER)


def _real_board(clock: Clock, seed: int) -> Board:
    from firmware.virtual import VirtualBoard

    board: Board = VirtualBoard(clock=clock, seed=seed)
    return board
