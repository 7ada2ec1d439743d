"""Result of one rehearsed game, compared with the truth."""

from dataclasses import dataclass, field

from companion.fusion.explain.sign_rates import SignCount
from companion.games.signs import Verb
from companion.rehearse.board_comparison import Rests
from companion.rehearse.outage import OutageReport
from companion.rehearse.pulled_cable import LinkReport
from companion.rehearse.truth_comparison import Comparison, compare


@dataclass(slots=True)
class GameReport:
    """Result of one rehearsed game, compared with the truth.

    `seed`, `variant`, `players`: which game it was. `comparison`: faults, claims and verdicts.
    `table_seconds`: duration (s) on the table's clock. `keys_pressed`: number of keys that people pressed at
    the companion. `cpu_seconds`: processor time (s) of the rehearsal.
    """

    seed: int
    variant: str
    players: int
    comparison: Comparison
    table_seconds: float
    keys_pressed: int
    questions: tuple[str, ...]
    """Questions that the companion asked, in words."""
    retractions: int = 0
    """Number of sentences in which the companion corrected an earlier sentence."""
    followed: bool | None = None
    """Whether all public facts, such as open cards, are right at the end; None without a world."""
    happened: int = 0
    """How often people or sensors did what is unusual in the game's world; 0 without a world."""
    judged: tuple[tuple[float, bool], ...] = ()
    """Pairs (probability stated for a verdict, 0 to 1; whether it was right); only through observations."""
    rates: dict[Verb, SignCount] = field(default_factory=dict)
    """Verb (kind of sign, such as a press) -> counts of its signs.

    Empty unless a game through observations was asked to count them.
    """
    shown_ms: tuple[float, ...] = ()
    """Time (ms) from each action's last card at rest until the sensors had reported the action.

    Empty except for a game through observations.
    """
    link: LinkReport | None = None
    """What became of the board's events and the cable's pulls; None except for a game through bytes."""
    outage: OutageReport | None = None
    """How the companion followed the game after an outage; None without an outage."""
    rests: Rests | None = None
    """Counts of rests (times without movement) and of the host's errors in them.

    None except for a game through bytes. The host is the computer that runs the engine.
    """
    cpu_seconds: float = field(default=0.0, compare=False)
    batch_ms: tuple[float, ...] = field(default=(), compare=False)
    """Processor time (ms) of the session for each batch of observations."""
    undone: int = 0
    """Number of steps that people took back by undo; only through pixels hands lay the cards back."""
    made_up: int = 0
    """Number of actions that the companion believes at the end and that never happened.

    0 except for a game through observations.
    """
    same_end: bool | None = field(default=None, compare=False)
    """Whether the game has equal faults at its end as without restarts; None without restarts."""

    @property
    def troubles(self) -> tuple[str, ...]:
        """All faults, troubles of claims, and questions ("asked: ...") in words; empty for a perfect game."""
        return (
            *self.comparison.faults,
            *self.comparison.troubles,
            *(f"asked: {text}" for text in self.questions),
        )


def not_begun(seed: int, variant: str, players: int, why: str, cpu_seconds: float) -> GameReport:
    """Report of a game that setup failed to prepare, so that nobody played: the fault `why`, and no claim.

    `seed`, `variant`, `players`: which game it was. `cpu_seconds`: processor time (s) of the setup.
    """
    return GameReport(
        seed, variant, players, compare((why,), None, (), (), ()), 0.0, 0, (), cpu_seconds=cpu_seconds
    )
