"""Simulated players that decide from a view and from what the team was told, never from the state."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol

from companion.games.sleepless_princess.players.hand_quality import best_discard, best_draw, play_worth
from companion.games.sleepless_princess.players.perfect_memory import Memory
from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Done,
    Look,
    Move,
    Play,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import KIND_OF_TEXT

View = Mapping[str, Any]

RANDOM_CLAIM = 0.002
"""Chance (0 to 1) of a claim in each decision of a random player. A guess.

If it were higher, all princesses would soon be out.
"""


class Policy(Protocol):
    """A way to play, as an object that may remember.

    One object plays for a team that talks; in a silent game each seat has its own. Call `start` once, `observe`
    for every action in order, and `choose` when the player is on turn.
    """

    name: str

    def start(self, view: View) -> None:
        """Begin a game.

        `view`: any player's view of the dealt game.
        """
        ...

    def observe(self, player: int, action: Action, seen: Sequence[str]) -> None:
        """Learn of an action of `player` (from 0, or CHANCE).

        `seen`: what it showed to people, as in `player_view.told`; empty if not told.
        """
        ...

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """Choose a legal action from the acting player's view."""
        ...


class RandomPolicy:
    """Players who choose at random, but rarely claim (see RANDOM_CLAIM)."""

    name = "random"

    def start(self, view: View) -> None:
        """Do nothing: the policy has no memory."""

    def observe(self, player: int, action: Action, seen: Sequence[str]) -> None:
        """Do nothing: the policy has no memory."""

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """Choose a random legal action, rarely a claim."""
        claims = sum(type(action) is Claim for action in legal)
        moves = len(legal) - claims
        # Claims come last among the legal actions.
        if claims and rng.random() < RANDOM_CLAIM:
            return legal[moves + rng.randrange(claims)]
        return legal[rng.randrange(moves)]


class SensiblePolicy:
    """Players who remember all they were told, and claim what they can prove.

    They move mattresses to the beds where these belong. `rash`: chance (0 to 1) of a claim without proof, at
    the end of each turn with a check.
    """

    name = "sensible"

    def __init__(self, rash: float = 0.0) -> None:
        self.rash = rash
        self._memory = Memory("basic")

    def start(self, view: View) -> None:
        """Begin a game and forget the last one."""
        self._memory = Memory(view["variant"])

    def observe(self, player: int, action: Action, seen: Sequence[str]) -> None:
        """Remember an action and what was felt or seen (`seen`)."""
        self._memory.observe(action, seen)

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """Choose a proved claim, else the most useful legal action."""
        for bed in self._memory.certain(view):
            if Claim(bed) in legal:
                return Claim(bed)
        if view["phase"] == "play":
            return self._play(view, legal)
        if view["phase"] == "check":
            action = self._check(view)
            if isinstance(action, Done) and self.rash and rng.random() < self.rash:
                return rng.choice([a for a in legal if type(a) is Claim])
            return action
        return self._draw(view)

    def _play(self, view: View, legal: Sequence[Action]) -> Action:
        plays = [action for action in legal if type(action) is Play]
        if plays and any(self._gain(view, bed, True) > 0 for bed in self._filled(view)):
            return max(plays, key=lambda play: play_worth(view["variant"], play))
        most = max((len(action.cards) for action in legal if isinstance(action, Discard)), default=0)
        if most:
            deck = view["deck"] > 0
            cards = best_discard(view["variant"], _kinds(view["hand"]), _kinds(view["row"]), deck, most)
            return Discard(cards)
        return plays[0] if plays else Skip()

    def _draw(self, view: View) -> Action:
        deck = view["deck"] > 0
        _, cards = best_draw(view["variant"], _kinds(view["hand"]), _kinds(view["row"]), deck)
        if cards:
            return Take(cards[0])
        return Deck() if deck else Take(_kinds(view["row"])[0])

    def _check(self, view: View) -> Action:
        for bed in view["checked_beds"]:
            target = self._target(view, bed)
            if target is not None:
                return Move(bed, target)
        # The touch comes first, because a look can follow if the mattress is smooth.
        for left, looking in ((view["touches"], False), (view["looks"], True)):
            if not left:
                continue
            gain, bed = max(
                ((self._gain(view, bed, looking), -bed) for bed in self._filled(view)), default=(0.0, 0)
            )
            if gain > 0:
                return Look(-bed) if looking else Touch(-bed)
        return Done()

    def _filled(self, view: View) -> list[int]:
        return [bed for bed, fate in enumerate(view["fates"]) if fate != "asleep" and self._memory.beds[bed]]

    def _target(self, view: View, bed: int) -> int | None:
        """Bed (from 0) where `bed`'s bottom mattress should go.

        None: it stays.
        """
        memory, fates = self._memory, view["fates"]
        slot = memory.beds[bed][0]
        home = memory.home(slot, view)
        if home is None:
            return None
        if fates[home] != "awake":
            # Nobody needs the mattress, so it goes from a bed in play to one whose princess is out.
            if fates[bed] == "awake":
                return next((other for other, fate in enumerate(fates) if fate == "out"), None)
            return bed if self._buried(view, bed) else None
        if home != bed:
            return home
        return bed if self._buried(view, bed) else None

    def _buried(self, view: View, bed: int) -> bool:
        """True if a mattress above the bottom one is unknown or has to leave the bed."""
        memory = self._memory
        for slot in memory.beds[bed][1:]:
            home = memory.home(slot, view)
            if home is None:
                return True
            if home != bed and (view["fates"][home] == "awake" or view["fates"][bed] == "awake"):
                return True
        return False

    def _gain(self, view: View, bed: int, looking: bool) -> float:
        """How useful it is to check a bed's (from 0) bottom mattress: 0 useless to 1 best.

        Guesses. `looking`: by a look through the glass, else by a touch.
        """
        memory = self._memory
        slot = memory.beds[bed][0]
        if memory.home(slot, view) is not None:
            target = self._target(view, bed)
            if target is None:
                return 0.0
            return 0.4 if target == bed else 1.0
        if slot in memory.smooth:
            return 0.85 if looking else 0.0
        return 0.8 if looking else 0.55


def _kinds(cards: Sequence[str]) -> tuple[int, ...]:
    return tuple(KIND_OF_TEXT[card] for card in cards)


POLICIES = ("random", "sensible")


def make_policy(name: str, *, rash: float = 0.0) -> Policy:
    """Create the policy "random" or "sensible" for one game.

    ValueError for another name.

    `rash`: chance (0 to 1) of a claim without proof, for "sensible" only.
    """
    if name == "random":
        return RandomPolicy()
    if name == "sensible":
        return SensiblePolicy(rash)
    raise ValueError(f"no policy {name!r}; there are {', '.join(POLICIES)}")
