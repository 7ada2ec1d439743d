"""Simulated players with hints: careless people, people who ask for hints, and a coach."""

from collections.abc import Sequence
from random import Random

from companion.games.sleepless_princess.hints.ranked_options import options
from companion.games.sleepless_princess.hints.team_knowledge import SMOOTH, TeamKnowledge, is_private, kinds
from companion.games.sleepless_princess.players.hand_quality import best_discard, best_draw, play_worth
from companion.games.sleepless_princess.players.perfect_memory import Memory
from companion.games.sleepless_princess.players.policies import Policy, View
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

MISREAD = 0.03
"""Chance (0 to 1) that fingers name a wrong texture. A guess."""


class CoachPolicy:
    """Players who follow every hint and never err: the best that hints can do.

    `misread`: assumed chance (0 to 1) that fingers name a wrong texture.
    """

    name = "coach"

    def __init__(self, misread: float = 0.0) -> None:
        self._misread = misread
        self.known: TeamKnowledge

    def start(self, view: View) -> None:
        """Begin a game and forget the last one.

        `view`: any player's view of the dealt game.
        """
        self.known = TeamKnowledge(view, self._misread)

    def observe(self, player: int, action: Action, seen: Sequence[str]) -> None:
        """The team learns an action of `player` (from 0) and what was felt or seen (`seen`)."""
        self.known.observe(player, action, seen)

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """Choose what the best hint recommends, whatever else is `legal`."""
        return options(self.known, view)[0].action


class GreedyPolicy(CoachPolicy):
    """Players who follow hints about beds, but choose cards by their immediate gain.

    They show what planning of hands is worth.
    """

    name = "greedy"

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """Choose the best hint on beds, and the play, discard or draw that gains most at once."""
        first = options(self.known, view)[0].action
        variant, deck = view["variant"], view["deck"] > 0
        if isinstance(first, Claim | Skip) or view["phase"] == "check":
            return first
        hand, row = kinds(view["hand"]), kinds(view["row"])
        if view["phase"] == "play":
            plays = [action for action in legal if isinstance(action, Play)]
            if plays:
                return max(plays, key=lambda play: play_worth(variant, play))
            most = max((len(action.cards) for action in legal if isinstance(action, Discard)), default=0)
            return Discard(best_discard(variant, hand, row, deck, most))
        _, cards = best_draw(variant, hand, row, deck)
        return Take(cards[0]) if cards else Deck() if deck else Take(row[0])


class CarelessPolicy:
    """People who forget and err: they make the first play, and guess where memory fails.

    `people`: random stream of their errors, not that of the cards. `forget`: chance (0 to 1) that a mattress is
    forgotten before a turn. `misread`: chance (0 to 1) that a touch names a wrong texture.
    """

    name = "careless"

    def __init__(self, people: Random, forget: float = 0.08, misread: float = MISREAD) -> None:
        self._people = people
        self._forget = forget
        self._misread = misread
        self._memory = Memory("basic")
        self._words: list[str] = []
        self._turn = 0

    def start(self, view: View) -> None:
        """Begin a game and forget the last one."""
        self._memory = Memory(view["variant"])
        self._words = [str(kind) for kind in view["princesses"]]
        if view["variant"] == "basic":
            self._words.append(SMOOTH)
        self._turn = 0

    def observe(self, player: int, action: Action, seen: Sequence[str]) -> None:
        """Remember an action and what was felt or seen (`seen`), a texture perhaps wrongly."""
        self._memory.observe(action, self.name_it(action, seen))

    def name_it(self, action: Action, seen: Sequence[str]) -> Sequence[str]:
        """What a player says was felt or seen.

        A texture is wrong with chance `misread`.
        """
        if isinstance(action, Touch) and seen and self._people.random() < self._misread:
            return [self._people.choice([word for word in self._words if word != seen[0]])]
        return seen

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """Choose a claim that seems proved, or a check by memory; else the first legal action."""
        if view["turns"] != self._turn:
            self._turn = view["turns"]
            self._lose()
        for bed in self._memory.certain(view):
            if Claim(bed) in legal:
                return Claim(bed)
        return self._check(view) if view["phase"] == "check" else legal[0]

    def _lose(self) -> None:
        """Forget each known mattress with chance `forget`."""
        memory = self._memory
        for slot in sorted({*memory.types, *memory.smooth}):
            if self._people.random() < self._forget:
                memory.types.pop(slot, None)
                memory.smooth.discard(slot)

    def _check(self, view: View) -> Action:
        """A move of a mattress that belongs elsewhere, else a touch, a look, or the end."""
        memory, fates = self._memory, view["fates"]
        for bed in view["checked_beds"]:
            home = memory.home(memory.beds[bed][0], view)
            if home is not None and home != bed and fates[home] == "awake":
                return Move(bed, home)
            if home == bed and any(memory.types.get(slot) is None for slot in memory.beds[bed][1:]):
                return Move(bed, bed)
        filled = [bed for bed, fate in enumerate(fates) if fate == "awake" and memory.beds[bed]]
        open_beds = [bed for bed in filled if memory.home(memory.beds[bed][0], view) != bed] or filled
        if view["touches"] and open_beds:
            return Touch(self._people.choice(open_beds))
        if view["looks"] and open_beds:
            return Look(self._people.choice(open_beds))
        return Done()


class HelpedPolicy(CarelessPolicy):
    """Careless people who follow the coach's hints now and then.

    They do so in each turn of the game whose number is a multiple of `every`.
    """

    name = "coach-every"

    def __init__(self, people: Random, every: int, forget: float = 0.08, misread: float = MISREAD) -> None:
        super().__init__(people, forget, misread)
        self._every = every
        self.known: TeamKnowledge

    def start(self, view: View) -> None:
        """Begin a game: people and coach forget everything."""
        super().start(view)
        self.known = TeamKnowledge(view, self._misread)

    def observe(self, player: int, action: Action, seen: Sequence[str]) -> None:
        """Remember an action; the coach learns what people felt.

        People say what they felt. `seen`: what the action showed, of which a texture may be named wrongly.
        """
        said = self.name_it(action, seen)
        self._memory.observe(action, said)
        self.known.observe(player, action, said)

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """Choose as the coach in helped turns, otherwise carelessly."""
        own = super().choose(view, legal, rng)
        return own if view["turns"] % self._every else options(self.known, view)[0].action


class SilentTable:
    """Policies of a silent game, one for each seat.

    Only who touches or looks learns the result.
    """

    def __init__(self, seats: Sequence[Policy]) -> None:
        self._seats = seats
        self.name = seats[0].name

    def start(self, view: View) -> None:
        """Begin a game in every seat."""
        for seat in self._seats:
            seat.start(view)

    def observe(self, player: int, action: Action, seen: Sequence[str]) -> None:
        """Tell every seat of an action.

        `seen`: what the action showed; the result of a touch or look is told only to the seat `player` (from
        0).
        """
        for number, seat in enumerate(self._seats):
            seat.observe(player, action, () if is_private(action) and number != player else seen)

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        """Let the policy of the acting player's seat choose."""
        return self._seats[view["you"]].choose(view, legal, rng)


HINTED = ("careless", "greedy", "coach", "coach-every-2 (or any number)")
"""Names of the policies of this module, for the help."""


def make_hinted(
    name: str, people: Random, forget: float, misread: float
) -> "CoachPolicy | CarelessPolicy | None":
    """Create a policy: "careless", "greedy", "coach" or "coach-every-N".

    None for another name.

    `people`, `forget` and `misread`: see `CarelessPolicy`.
    """
    if name == "coach":
        return CoachPolicy()
    if name == "greedy":
        return GreedyPolicy()
    if name == "careless":
        return CarelessPolicy(people, forget, misread)
    every = name.removeprefix("coach-every-")
    if every != name and every.isascii() and every.isdecimal() and 0 < int(every) < 1000:
        return HelpedPolicy(people, int(every), forget, misread)
    return None
