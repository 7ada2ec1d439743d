"""Game on the virtual table: a generator of movements.

Each game adds its movements and sentences.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.hidden_cards import AskableFact
from companion.games.rules import Rules
from companion.session.stream.virtual_table_events import YourTurn
from companion.virtual.companion_requests import SETUP, Wanted
from companion.virtual.game_api import Reins
from companion.virtual.ground_truth import TruthEntry, TruthLog
from companion.virtual.hand_movements import Script, Stage
from companion.virtual.kept_layouts import Differences, Moment, Moments, filled_again
from companion.virtual.parameters import PLAYERS
from companion.virtual.seated_players import Players


class PlayedGame(ABC):
    """Base of a virtual game: true state, players and controls.

    A subclass adds the movements and sentences of its game. `life` plays it.
    """

    def __init__(
        self, rules: Rules[Any, Any], dealt: Any, stage: Stage, players: Players, reins: Reins
    ) -> None:
        self.state = dealt
        self.truth = TruthLog()
        self.finished = False
        """True when the game is over and nothing moves."""
        self._rules = rules
        self._stage = stage
        self._players = players
        self._reins = reins
        self._busy = True
        self._dealt = self._begun = False
        self._called: Any | None = None
        self._learned: tuple[str, ...] = ()
        self._obeyed: set[str] = set()
        """Texts of screens for which cards were already straightened."""
        self._moments = Moments()
        self._back_to: Moment | None = None
        """Moment to which hands will lay the cards back once the running action has ended."""
        self._asked_back_at = 0.0
        self._coming = dealt
        """True state once the running action has ended."""
        self._plays_on_at = 0.0

    @abstractmethod
    def _lay_out(self) -> Script:
        """Movements from the empty table to the first turn.

        An implementation logs each action (`_log`), lets the game be held (`_may_go_on`) and does what the
        screen asks (`_do_as_asked`).
        """

    @abstractmethod
    def _play(self, before: Any, action: Any, after: Any) -> Script:
        """Movements of hands and cards for one action.

        `before`, `after`: true states around it. At the end everything rests and no hand is over the table.
        """

    @abstractmethod
    def _choice(self, player: int, options: tuple[Any, ...], *, on_turn: bool) -> YourTurn:
        """What `player` (from 0) sees and may choose, in words.

        `options`: the actions that may be chosen. `on_turn`: whether it is the player's turn.
        """

    def truth_lines(self) -> list[str]:
        """Words for the table's true contents, one line each.

        By default the state in the notation of the rules.
        """
        return [self._rules.write_state(self.state)]

    def _places(self) -> tuple[Any, ...]:
        """Lists, deques and dicts of the game that say where its cards lie.

        They come in a fixed order, so that a moment of the game can be stored. By default there are none, for
        a game whose state says it.
        """
        return ()

    @property
    def askable_facts(self) -> set[AskableFact]:
        """Facts true so far that players can confirm or deny; by default none."""
        return set()

    def _claim(self, _subject: int) -> Any | None:
        """Action that claims `_subject` (from 0).

        None in a game without claims.
        """
        return None

    def _claimed(self, _action: Any, _after: Any) -> tuple[int, bool] | None:
        """What an action claims: (subject from 0, true or not).

        None for an action that is no claim. `_after`: state after it.
        """
        return None

    def _can_show(self, _place: int) -> bool:
        """True if people can show the camera a card of `_place` once more.

        `_place`: number of a place on the screen, from 0.
        """
        return False

    def _show(self, _place: int) -> Script:
        """Movements that show the camera a card of `_place` again.

        Places count from 0.
        """
        yield from ()

    def _straighten(self, _zone: str) -> Script:
        """Movements that straighten the cards of the zone `_zone`."""
        yield from ()

    def _tells(self, _before: Any, _action: Any, _after: Any, _player: int | None) -> tuple[str, ...]:
        """Sentences on what an action taught the seated player.

        Empty if it taught nothing. `_before`, `_after`: true states around it. `_player`: from 0; None if no
        seat is taken.
        """
        return ()

    def _still_so(self, _before: Any, _after: Any) -> bool:
        """True if what the seated person learned before an action still holds after it.

        `_before`, `_after`: true states around it.
        """
        return True

    @property
    def seat(self) -> int | None:
        """Player (from 0) whom a person plays; else None."""
        return self._players.seat

    def life(self) -> Iterator[float]:
        """Play the whole game, movement by movement.

        Yields the time (s) until the next movement. After the end it waits, for ever or until the companion's
        screen takes an end back that somebody had told it too early.
        """
        yield PLAYERS.empty_s
        yield from self._lay_out()
        self._dealt = True
        while True:
            if self._back_to is not None:
                yield from self._lay_back(self._back_to)
            elif self._rules.outcome(self.state) is None and not self._reins.wanted.over:
                self._busy = self.finished = False
                yield from self._may_go_on()
                yield from self._do_as_asked()
                yield from self._next_action()
            else:
                self._busy = self.finished = True
                yield 1.0
                yield from self._do_as_asked()

    def _next_action(self) -> Script:
        self._begun = True
        called, self._called = self._called, None
        legal = called is not None and called in self._rules.legal_actions(self.state)
        waits = self._back_to is not None or self._stage.now < self._plays_on_at
        if not legal and waits and self._rules.actor(self.state) != self.seat:
            yield PLAYERS.wait_s
            return
        action = called if legal else self._players.next_action(self.state)
        if action is None:
            yield PLAYERS.wait_s
            return
        self._busy = True
        yield from self._do(action)

    @property
    def laying_back(self) -> bool:
        """True while hands lay cards back to an earlier state, or will after this action."""
        return self._back_to is not None

    def lay_back(self, tracked: Any, action: str, differences: Differences) -> bool:
        """Lay the cards back as before the undone `action`.

        A companion undid it. `tracked`: the state in which the companion believes the game now. `differences`:
        compares a true state with it. Returns False if the cards lie so already, or if they never lay so.
        """
        found = self._moments.find(tracked, action, self._coming, differences) if self._dealt else None
        if found is not None:
            self._back_to, self._asked_back_at = found, self._stage.now
        return found is not None

    def take_seat(self, player: int | None) -> None:
        """Let a person play for `player` (from 0).

        None gives the seat back. BadInputError if no such player exists.
        """
        self._players.take_seat(player)
        self._learned = ()

    def choice(self) -> YourTurn | None:
        """What the seated person sees and may choose now.

        None if no seat is taken.
        """
        seat = self.seat
        if seat is None:
            return None
        options = () if self._busy else self._players.options(self.state)
        return self._choice(seat, options, on_turn=self._dealt and self._rules.actor(self.state) == seat)

    def choose(self, index: int) -> None:
        """Choose option `index` (from 0) for the seated person.

        BadInputError if no choice is possible now.
        """
        if self._busy:
            raise BadInputError(
                text("it is not your turn"), where="choice", next_step=text("wait for your actions")
            )
        self._players.wish(self.state, index)

    def call_claim(self, subject: int) -> None:
        """Have players claim `subject` (from 0) after the running action.

        BadInputError if nobody may claim it.
        """
        claim = self._claim(subject)
        if not self._dealt or claim is None or claim not in self._rules.legal_actions(self.state):
            stations = self._stage.rig.plan.stations
            name = stations[subject] if 0 <= subject < len(stations) else f"number {subject + 1}"
            raise BadInputError(text("nobody can claim {name} now", name=name), where="claim")
        self._called = claim

    def _may_go_on(self) -> Script:
        yield from self._stage.until_followed()
        while self._reins.paused and not self._reins.steps and self._called is None and self._back_to is None:
            self._reins.held = True
            yield PLAYERS.wait_s
        self._reins.held = False
        if self._called is None:
            self._reins.steps = max(0, self._reins.steps - 1)

    def _do_as_asked(self) -> Script:
        """Movements by which people do what the companion's screen asks.

        They begin once people have read it, if the screen still asks. They draw from a separate random state,
        so the rest of the game does not depend on them.
        """
        stage = self._stage
        for again in range(1 if self._begun else PLAYERS.tries):
            if not self._possible():
                return
            yield stage.lasting(PLAYERS.read_s, PLAYERS.read_floor_s)
            wanted = self._possible()
            chance = stage.chance.getstate()
            stage.chance.seed(f"{chance[1][:8]} {again}")
            for place in wanted.places:
                yield from self._show(place)
            for zone in wanted.zones:
                yield from self._straighten(zone)
            stage.chance.setstate(chance)
            if wanted.zones and wanted.text != SETUP:
                self._obeyed.add(wanted.text)

    def _possible(self) -> Wanted:
        """Part of the screen's request that people can do now.

        Only cards that can be shown; a zone is straightened once for each text.
        """
        wanted = self._reins.wanted
        stale = wanted.text in self._obeyed or (wanted.text == SETUP and self._begun)
        zones = wanted.zones if self._dealt and not stale else ()
        places = tuple(place for place in wanted.places if self._can_show(place))
        return replace(wanted, places=places, zones=zones)

    def _do(self, action: Any) -> Script:
        stage, players, rules = self._stage, self._players, self._rules
        before = self.state
        after = rules.apply(before, action)
        actor = rules.actor(before)
        if actor >= 0 and actor != players.seat:
            yield stage.lasting(PLAYERS.think_s * stage.chance.uniform(0.5, 1.5), PLAYERS.think_floor_s)
            if actor == players.seat or self._back_to is not None:
                return  # The new holder of the seat chooses, or the cards go back first.
        self._coming = after
        self._keep_moment(action)
        begun = stage.now
        yield from self._play(before, action, after)
        if self._claimed(action, after) is not None:
            begun = stage.claimed
        self.state = after
        players.saw(before, action)
        stands = self._learned if self._still_so(before, after) else ()
        self._learned = self._tells(before, action, after, players.seat) or stands
        self._log(begun, action, after)

    def _keep_moment(self, action: Any) -> None:
        world, rig = self._stage.world, self._stage.rig
        self._moments.keep(
            Moment(
                self.state,
                self._rules.write_action(action),
                dict(world.things),
                rig.loads,
                deepcopy(self._places()),
                deepcopy(self._players.policy),
                len(self.truth.entries),
            )
        )

    def _lay_back(self, moment: Moment) -> Script:
        """Movements that lay all cards back as at a moment.

        That moment's own player does it. State, policy and truth log go back too.
        """
        self._busy, self.finished = True, False
        self._called = None
        actor = self._rules.actor(moment.state)
        yield from self._stage.lay_back(max(actor, 0), moment.things, moment.loads)
        filled_again(self._places(), moment.places)
        self._players.remember(deepcopy(moment.policy))
        self._moments.drop_from(moment)
        self.truth.take_back(moment.logged, self._asked_back_at)
        self.state = self._coming = moment.state
        self._learned = ()
        if self._back_to is moment:
            self._back_to = None
        self._plays_on_at = self._stage.now + self._stage.lasting(PLAYERS.again_s, PLAYERS.again_s / 2)

    def _log(self, begun: float, action: Any, after: Any) -> None:
        """Add an action to the truth log.

        `begun`: time (s) at which it began; it ends now. `after`: true state after it.
        """
        claimed = self._claimed(action, after)
        subject, true = (claimed[0] + 1, claimed[1]) if claimed else (0, None)
        entry = TruthEntry(
            round(max(begun, self._stage.settled), 4),
            self._rules.write_action(action),
            self._rules.write_state(after),
            round(begun, 4),
            subject,
            true,
        )
        self.truth.entries.append(entry)
