"""Games for the tests of hints: watched ones, and the same with other hidden cards nobody can tell apart."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from types import FrameType
from typing import NamedTuple

import msgspec

from companion.core.clock import ManualClock
from companion.core.language import on_wire
from companion.games.registry import load_game
from companion.games.sleepless_princess.hints.hinted_players import MISREAD
from companion.games.sleepless_princess.hints.team_knowledge import SMOOTH, TeamKnowledge, is_private
from companion.games.sleepless_princess.players.policies import make_policy
from companion.games.sleepless_princess.players.simulation import play_out
from companion.games.sleepless_princess.rules.actions import Action, Claim, Final, Look, Touch
from companion.games.sleepless_princess.rules.card_kinds import WITCH, face_text
from companion.games.sleepless_princess.rules.hidden_state import spell_out
from companion.games.sleepless_princess.rules.player_view import told, touch_text
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import AWAKE, State
from companion.games.sleepless_princess.wording import message
from companion.sensing.observation import Observation, TagRead, Texture
from companion.session.journal.journal import Journal
from companion.session.session import Session
from companion.session.stream.commands import Tell
from companion.session.stream.events import Event
from companion.virtual.games.sleepless_princess.perfect_rig import PerfectRig
from tests.support.journaled import Beginning, beginning, copy

GAME = load_game(RULES.name)
GOLDEN = Path(__file__).parents[1] / "golden" / "hints"
TABLES = [(variant, players) for variant, numbers in RULES.variants.items() for players in numbers]


def golden(name: str, text: str) -> None:
    """Compare with the file of that name; UPDATE_GOLDEN=1 in the environment writes it anew."""
    path = GOLDEN / name
    if "UPDATE_GOLDEN" in os.environ:
        path.write_text(text, encoding="utf-8")
    assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()


def counted(work: Callable[[], object]) -> int:
    """How many calls of and by the companion's own code some work takes."""
    calls = 0

    def count(frame: FrameType, _event: str, _arg: object) -> None:
        nonlocal calls
        # The garbage collector may run whenever it likes, with callbacks of the test tools.
        calls += frame.f_globals["__name__"].startswith("companion.")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


class Played(NamedTuple):
    """A game by the rules: how it was dealt, and each action with the state before it."""

    dealt: State
    history: list[tuple[State, Action]]


def play(seed: int, variant: str, players: int, *, silent: bool = False) -> Played:
    """A whole game of people who remember, check, move, and sometimes claim what they do not know."""
    chance = Random(seed)
    dealt = RULES.setup(variant, players, chance, silent=silent)
    team = make_policy("sensible", rash=0.15)
    return Played(dealt, [(step.before, step.action) for step in play_out(dealt, team, chance)])


def other_faces(played: Played, upto: int, chance: Random, player: int | None = None) -> State:
    """The same deal with other mattresses wherever the first `upto` actions told nobody what lay there.

    With `player` only what that player was told counts, what others felt and saw alone does not.
    """
    faces = list(played.dealt.faces)
    words: dict[int, set[str]] = {}
    for before, action in played.history[:upto]:
        if player in (None, before.turn) or isinstance(action, Claim | Final):
            for slot, word in told_slots(before, action):
                words.setdefault(slot, set()).add(word)
    for _ in range(200):
        one, other = chance.sample(range(len(faces)), 2)
        swapped = {one: faces[other], other: faces[one]}
        if all(words.get(slot, set()) <= _words(face) for slot, face in swapped.items()):
            faces[one], faces[other] = faces[other], faces[one]
    return played.dealt._replace(faces=tuple(faces))


def _words(face: int) -> set[str]:
    """What a touch and a look tell of a face."""
    return {face_text(face), touch_text(face)}


def told_slots(before: State, action: Action) -> Iterator[tuple[int, str]]:
    """The mattresses that an action told people something of, and what."""
    if isinstance(action, Touch | Look):
        yield before.beds[action.bed][0], told(before, action)[0]
    elif isinstance(action, Claim | Final):
        awake = [bed for bed, fate in enumerate(before.fates) if fate == AWAKE]
        beds = [action.bed] if isinstance(action, Claim) else awake
        yield from zip((slot for bed in beds for slot in before.beds[bed]), told(before, action), strict=True)


def other_cards(state: State, player: int, held: Sequence[tuple[int, ...]], chance: Random) -> State:
    """The state with another deck and other hands, the player's own and what all saw go to a hand apart."""
    public = [list(cards) for cards in held]
    hands = [list(cards) for cards in state.hands]
    places: list[tuple[int, int]] = []
    for seat, hand in enumerate(hands):
        for at, kind in enumerate(hand):
            if seat == player:
                continue
            if kind in public[seat]:
                public[seat].remove(kind)
            else:
                places.append((seat, at))
    pool = [hands[seat][at] for seat, at in places] + [kind for kind in state.deck if kind != WITCH]
    chance.shuffle(pool)
    for seat, at in places:
        hands[seat][at] = pool.pop()
    # A witch never enters a hand.
    deck = pool + [kind for kind in state.deck if kind == WITCH]
    chance.shuffle(deck)
    return state._replace(hands=tuple(tuple(sorted(hand)) for hand in hands), deck=tuple(deck))


class Moment(NamedTuple):
    """After an action: the state, what the players know by then, and all that screens show and say of it."""

    state: State
    minds: Sequence[TeamKnowledge]
    """What each player knows: all the same where the team talks, in a silent game each for themselves."""
    screens: bytes


def lived(played: Played, dealt: State) -> Iterator[Moment]:
    """The game again from a deal that may be another."""
    game, state = dealt.game, dealt
    minds = [TeamKnowledge(RULES.view(dealt, 0), MISREAD) for _ in range(game.players)]
    for _, action in played.history:
        actor = RULES.actor(state)
        for player, mind in enumerate(minds):
            private = game.silent and is_private(action) and player != actor
            mind.observe(actor, spell_out(state, action), () if private else told(state, action))
        after = RULES.apply(state, action)
        told_to_all = message(state, action, after)
        shown = [GAME.screen(after, "referee"), GAME.screen(after, "memory"), told_to_all]
        state = after
        yield Moment(state, minds, msgspec.json.encode(shown, enc_hook=on_wire))


class BlindRig(PerfectRig):
    """A rig without a reader: it never learns which mattress is which."""

    def notice(self, before: State, action: Action, after: State) -> Iterator[list[Observation]]:
        """The same without tags and textures."""
        for batch in super().notice(before, action, after):
            yield [seen for seen in batch if not isinstance(seen, TagRead | Texture)]


_WATCHED: dict[tuple[State, type[PerfectRig]], Beginning] = {}
"""Deals that this process has watched once: they need not be followed again."""


class WatchedGame:
    """A session that watches a game through a rig, an action at a time; `events` is all that screens hear."""

    def __init__(
        self, dealt: State, *, rig: type[PerfectRig] = PerfectRig, journal: Path | None = None
    ) -> None:
        key = (dealt, rig)
        if key not in _WATCHED:
            with tempfile.TemporaryDirectory() as folder:
                self._watch(dealt, rig, Path(folder) / "journal.jsonl")
                _WATCHED[key] = beginning(self, Path(folder) / "journal.jsonl")
                self.close()
        vars(self).update(copy(_WATCHED[key], journal))

    def _watch(self, dealt: State, rig: type[PerfectRig], journal: Path) -> None:
        """The cards are dealt."""
        game = dealt.game
        self.state = dealt
        self.events: list[Event] = []
        self.rig = rig(GAME.cards(game.variant.name), Random(1))
        self._clock = ManualClock()
        self._journal: Journal | None = Journal(journal, sync=False)
        self.session = Session(
            GAME,
            game.variant.name,
            game.players,
            clock=self._clock,
            publish=self.events.append,
            journal=self._journal,
            options=("silent",) if game.silent else (),
        )
        for batch in self.rig.setup(dealt):
            self._tell(batch)

    def do(self, action: Action) -> None:
        """One action, and a quiet moment."""
        after = RULES.apply(self.state, action)
        for batch in self.rig.notice(self.state, action, after):
            self._tell(batch)
        self.state = after
        self.rig.t += 2
        self._tell([])

    def close(self) -> None:
        """Let the journal go."""
        if self._journal:
            self._journal.close()

    def say(self, before: State, action: Action) -> None:
        """Players tell the companion what a touch or look has just told them."""
        for word in told(before, action):
            whose = [str(before.princesses.index(int(word[0])) + 1)] if word[0].isdecimal() else []
            smooth = ["smooth"] if word.endswith("s") or word == SMOOTH else []
            assert self.session.step([], [Tell(" ".join(smooth + whose))]) == []

    def _tell(self, batch: list[Observation]) -> None:
        self._clock.sleep(self.rig.t - self._clock.now())
        self.session.take(self.rig.t, batch)
