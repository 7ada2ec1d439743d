"""The virtual table: hands play a game with cards.

A companion observes it by camera and board alone.
"""

from collections.abc import Mapping
from functools import cached_property
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core.clock import Clock
from companion.core.errors import BadInputError
from companion.core.files import Scratch
from companion.core.language import text
from companion.games.hidden_cards import AskableFact
from companion.games.registry import DEFAULT_GAME, NO_PARTS, load_game, load_virtual
from companion.session.stream.virtual_table_events import YourTurn
from companion.virtual.card_art import CORNERS, NO_MAT, PRINTED, Art
from companion.virtual.companion_requests import Wanted, WantedBy
from companion.virtual.game_api import Reins, RunningGame, VirtualGame
from companion.virtual.ground_truth import TruthLog
from companion.virtual.hand_movements import Script, Stage
from companion.virtual.parameters import PLAYERS, SIGHT
from companion.virtual.render.looks import Looks
from companion.virtual.render.overhead_camera import TableCamera
from companion.virtual.render.table_surface import corners_alone, tablecloth
from companion.virtual.rig.board_readings import Board, Rig, enrol_cards
from companion.virtual.rig.breakages import CAMERA, Faults
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.world import World


class VirtualTable:
    """Simulated table with players, camera and board, moved on by `step`.

    `game` names a game that has virtual players; `players` is their number. `noise` names a noise profile,
    which says how often sensors err. `pace`: factor on every duration that has no floor. `policy` and `rash`
    are how the players play (see `VirtualGame.begin`). `art`: cards have drawn pictures instead of stickers.
    `mat`: PRINTED, CORNERS (its corner markers alone, laid by hand on a cloth) or NO_MAT (a cloth alone).
    `deal`: "pad" (each card that has a tag is tapped) or "hand". `board`: None makes a virtual one. Equal
    seeds and equal times given to `step` make equal games, frames and bytes.
    The table's time counts movements, accidents and truth entries. It is 0 s when the table is made, or, for a
    `waiting` table, when `begin` is called. Before `begin` only the board runs, so a longer wait changes
    nothing.
    """

    def __init__(
        self,
        seed: int,
        variant: str,
        players: int,
        *,
        clock: Clock,
        game: str = DEFAULT_GAME,
        noise: str = "clean",
        pace: float = 1.0,
        policy: str = "sensible",
        rash: float = PLAYERS.rash,
        deal: str = "pad",
        board: Board | None = None,
        waiting: bool = False,
        parts: Mapping[str, str] = NO_PARTS,
        art: Art | None = None,
        mat: str = PRINTED,
    ) -> None:
        self.clock = clock
        self.variant = variant
        self.players = players
        self.seed = seed
        self.noise = profile(noise)
        self.game = game
        self._rules = rules = load_game(game, parts)
        self._virtual: VirtualGame = load_virtual(game, parts)
        self.mat = rules.mat(variant)
        cards, plan = rules.cards(variant), self._virtual.rig(variant)
        self.world = World()
        tags = enrol_cards(cards, seed)
        self.enrolment: dict[str, str] = {uid.hex(): code for code, uid in tags.items()}
        """RFID tag (hex) -> card code; unchanged in later games."""
        self.textures = {
            kind: [press.hex() for press in those] for kind, those in plan.raised.enrolled(seed).items()
        }
        """Class of a texture -> presses of it (hex); unchanged in later games."""
        self.board: Board = board if board is not None else _real_board(plan, clock, seed)
        self.rig = Rig(self.board, tags, plan, self.noise, Random(f"{seed} rig"))
        self.faults = Faults(self.board, plan.stations, self.rig.wear)
        """Parts that are broken now; `set` breaks or mends one."""
        self.stations = plan.stations
        """Names of stations with a scale, an electrode and a claim button each."""
        self.presses = bool(plan.stations)
        """Whether the players press buttons to claim."""
        self.cards, self._mounted = cards, seed
        self._surface = self.mat if mat == PRINTED else tablecloth(self.mat)
        if mat == CORNERS:
            self._surface = corners_alone(self.mat, Random(f"{seed} corners"))
        self.bare = mat == NO_MAT
        """Whether the table has only a cloth, so that the camera has nothing to find its way by."""
        self.art_looks = None if art is None else art.looks(self._virtual.looks, cards)
        """Looks of cards with art instead of stickers. None for stickers."""
        self._stage = Stage(self.world, self.rig, self.mat, self.noise, Random(f"{seed} world"), cards, pace)
        self._stage.dealt_by_hand = deal == "hand"
        self._pace, self._speed = pace, 1.0
        self._policy, self._rash = policy, rash
        self._reins = Reins()
        self.games_begun = 0
        self.waiting = waiting
        """Whether nothing happens yet, because no engine follows the table."""
        self._zero = self.rig.zero = clock.now()
        self._now = self._due = 0.0
        self._game = self._begin()
        self._life = self._game.life()

    def step(self, now: float) -> None:
        """Move world and board on to clock time `now` (s).

        A table that waits moves its board alone.
        """
        if self.waiting:
            self._zero = now
            self.board.step(now)
            return
        now -= self._zero
        while self._due <= now:
            self._now = self._stage.now = self._due
            self.rig.step(self._due)
            self._due += next(self._life)
        self._now = self._stage.now = max(self._now, now)
        if self.noise.glare:
            self._stage.fade()
        self.rig.step(now)

    def lay_corners(self) -> None:
        """Lay the printed corner cards on the cloth by hand."""
        self._surface, self.bare = corners_alone(self.mat, Random(f"{self._mounted} corners")), False
        self.camera.lay(self._surface)

    def begin(self) -> None:
        """Start the table's time at the last `step`; does nothing if it has begun."""
        if self.waiting:
            self.waiting = False
            self.rig.zero = self._zero
            self.camera.begin()

    def followed(self, seen_at: float, *, read: bool) -> None:
        """Note that an engine has decoded a picture made at `seen_at` (s on the clock).

        `read`: whether every card in it was decoded.
        """
        self._stage.follower.hear(self._now, seen_at - self._zero, read=read)

    def unfollowed(self) -> None:
        """Note that the watching engine is gone.

        Players wait a while for another one.
        """
        self._stage.follower.lose()

    def frame(self) -> NDArray[np.uint8]:
        """Take a picture now, with fresh noise.

        BGR, 1080 x 1920 pixels.
        """
        return self._through_lens(self.camera.frame(self._now))

    def grey(self) -> NDArray[np.uint8]:
        """Take a picture now in grey, 1080 x 1920 pixels; many times cheaper than `frame`."""
        return self._through_lens(self.camera.grey(self._now))

    @property
    def coloured(self) -> bool:
        """True if cards have drawn pictures instead of stickers.

        Then only a picture in colour shows which is which.
        """
        return self.art_looks is not None

    @cached_property
    def camera(self) -> TableCamera:
        """Camera above the table.

        Making it at first use takes half a second.
        """
        return self.camera_at_setup(self.world)

    def camera_at_setup(self, world: World) -> TableCamera:
        """Make another camera above the things of `world`.

        It is mounted as in the game.
        """
        chance = Random(f"{self._mounted} camera")
        return TableCamera(world, self._surface, self.cards, self.looks, self.noise, chance)

    @property
    def state(self) -> Any:
        """True state of the game, with every card known.

        It is in the type of the rules.
        """
        return self._game.state

    @property
    def truth(self) -> TruthLog:
        """Log of the players' real actions in this game."""
        return self._game.truth

    @property
    def askable_facts(self) -> set[AskableFact]:
        """Facts true so far that players can confirm or deny."""
        return self._game.askable_facts

    @property
    def over(self) -> bool:
        """True when the game is over and nothing moves."""
        return self._game.finished

    @property
    def asked(self) -> bool:
        """True while the players answer the companion's question; they turn no cards up then."""
        return self._stage.asked

    @asked.setter
    def asked(self, asked: bool) -> None:
        """Say whether the players answer the companion's question.

        They turn no cards up then.
        """
        self._stage.asked = asked

    @property
    def paused(self) -> bool:
        """True while the players are held.

        They finish the running action and begin no other.
        """
        return self._reins.paused

    @paused.setter
    def paused(self, paused: bool) -> None:
        """Hold the players (True) or let them go on; single steps still due are dropped."""
        self._reins.paused = paused
        self._reins.steps = 0

    @property
    def held(self) -> bool:
        """True if the players are paused and nothing moves."""
        return self._reins.paused and (self._reins.held or self.over or self.waiting)

    @property
    def looks(self) -> Looks:
        """Look of cards and mat from above."""
        looks: Looks = self.art_looks or self._virtual.looks
        return looks

    @property
    def wanted_by(self) -> WantedBy:
        """Function (table shown, question or notice) -> what a screen asks of people here."""
        return self._virtual.wanted_by

    @property
    def wanted(self) -> Wanted:
        """What the companion's screen asks of people now."""
        return self._reins.wanted

    @wanted.setter
    def wanted(self, wanted: Wanted) -> None:
        """Tell the players what the companion's screen asks of them now."""
        self._reins.wanted = wanted

    def step_once(self) -> None:
        """Allow the paused players one more action."""
        self._reins.steps += 1

    @property
    def speed(self) -> float:
        """Speed of the players, 0.25 to 8.

        1 is the speed of people. How long cards rest does not change.
        """
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        """Set the speed, within `PLAYERS.slowest` to `PLAYERS.fastest`."""
        self._speed = min(PLAYERS.fastest, max(PLAYERS.slowest, speed))
        self._stage.pace = self._pace / self._speed

    def restart(self, seed: int | None = None) -> None:
        """Clear the table and begin a new game from `seed`; None: the last seed plus 1.

        A taken seat stays taken.
        """
        seat = self._game.seat
        self.seed = self.seed + 1 if seed is None else seed
        self.world.clear()
        self.rig.clear()
        self._stage.chance.seed(f"{self.seed} world")
        self._game = self._begin()
        self._game.take_seat(seat)
        self._life = chain(self._lie_bare(), self._game.life())
        self._stage.settled = self._due = self._now

    def _lie_bare(self) -> Script:
        """Leave the table bare until the watching engine has begun another game.

        On a busy machine it believes seconds later that all cards are gone, and would mix two games.
        """
        since = self._stage.now
        yield from self._stage.until_followed()
        yield PLAYERS.bare_s
        while self.wanted.turns and self._stage.now - since < PLAYERS.bare_most_s:
            yield PLAYERS.look_up_s

    @property
    def seat(self) -> int:
        """Player (from 1) whom a person plays; else 0."""
        seat = self._game.seat
        return 0 if seat is None else seat + 1

    def take_seat(self, player: int) -> None:
        """Let a person play for `player` (from 1).

        0 gives the seat back. BadInputError if no such player exists.
        """
        self._game.take_seat(None if player == 0 else player - 1)

    def pending_choice(self) -> YourTurn | None:
        """What the seated person sees and may choose now.

        None if no seat is taken.
        """
        return self._game.choice()

    def choose(self, index: int) -> None:
        """Choose option `index` (from 0) for the seated person.

        BadInputError if no choice is possible now.
        """
        self._game.choose(index)

    def call_claim(self, subject: int) -> None:
        """Have players claim `subject` (from 1) after the running action.

        BadInputError if nobody may claim it.
        """
        self._game.call_claim(subject - 1)

    @property
    def laying_back(self) -> bool:
        """True while hands lay cards back to an earlier state, or will after this action."""
        return self._game.laying_back

    def lay_back(self, tracked: str, action: str) -> bool:
        """Lay the cards back as in an earlier state, because a companion undid an action.

        `tracked` is the companion's state, `action` the undone action, both in the notation of the rules.
        Returns False if the cards lie so already, or if they never lay so. BadInputError if `tracked` is no
        state of the game.
        """
        try:
            state = self._rules.read_state(tracked)
        except ValueError as error:
            raise BadInputError(text("no state of this game"), where=str(error)) from None
        return self._game.lay_back(state, action, self._virtual.differences)

    def truth_lines(self) -> list[str]:
        """Words for the table's true contents, one line each."""
        return self._game.truth_lines()

    def write_truth(self, path: Path) -> None:
        """Write the ground truth so far to `path`: a line of JSON for each action."""
        self.truth.write(path)

    def close(self) -> None:
        """Close the board."""
        self.board.close()

    def _through_lens(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return picture // SIGHT.lens_cover if CAMERA in self.faults.broken else picture

    def _begin(self) -> RunningGame:
        self.games_begun += 1
        return self._virtual.begin(
            self.variant, self.players, self.seed, self._stage, self._reins, self._policy, self._rash
        )


def _real_board(plan: RigPlan, clock: Clock, seed: int) -> Board:
    from firmware.simulator.virtual_board import VirtualBoard
    from firmware.simulator.virtual_port import PtyEnd

    return VirtualBoard(plan.board_rig(), clock, seed, end=PtyEnd(Scratch("board-")))
