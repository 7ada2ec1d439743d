"""Limits of the search for actions, of what it publishes, and of its work."""

from dataclasses import dataclass

from companion.core.parameters import parameter


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """How far hypotheses are followed, and when they are dropped."""

    max_expansions: int = parameter(240, unit="1", source="chosen: enough for a whole missed turn")
    """Hypotheses that a search expands at most. Bounds the time when nothing makes sense."""
    prune_nats: float = parameter(9.0, unit="nats", source="guess")
    """Hypotheses that cost more than the best one by this are dropped."""
    beam_width: int = parameter(80, unit="1", source="chosen: bounds the work")
    """Hypotheses kept at most."""
    alike: int = parameter(2, unit="1", source="chosen: they differ only in which detections they explain")
    """Hypotheses kept for one state."""
    open_weight: float = parameter(0.6, unit="1", source="chosen: of orders of a swept row")
    """Weight of what a hypothesis leaves unexplained, when the next one to expand is chosen: its next actions
    explain a part of that for nothing. With 1, a hypothesis that takes the cards of a swept row one by one is
    expanded in all its orders before one that only needs another card first."""
    most_begun: int = parameter(3, unit="cards", source="guess: there are equations of five")
    """Cards above which an action that has begun costs no more."""
    looked_back: int = parameter(12, unit="steps", source="chosen: more than three turns")
    """Steps among which the last clearing of a zone is looked for."""
    merged: int = parameter(2, unit="1", source="chosen: bounds the memory")
    """Chains to the same state that a hypothesis holds at most."""
    steps_at_once: int = parameter(
        6, unit="steps", source="rulebook: all open cards, which an arm seemed to sweep, and one more"
    )
    """Steps searched again at most."""
    anew: float = parameter(6.0, unit="nats", source="guess")
    """Hypotheses more than this behind the best one with the same hidden layout are not searched again."""
    otherwise: int = parameter(64, unit="1", source="chosen: bounds the work")
    """Chains to the same state that are looked at when players contradict hypotheses, the best first."""
    otherwise_each: int = parameter(16, unit="1", source="chosen: bounds the work")
    """Chains of one hypothesis that are looked at then."""
    carried_over: float = parameter(0.5, unit="nats", source="guess")
    """What one hidden layout is to gain at least by the steps that another one found."""
    carried_steps: int = parameter(12, unit="steps", source="chosen: bounds the work")
    """Steps before the best hypothesis of a hidden layout that are tried with the other layouts at most."""
    states_kept: int = parameter(
        5_000, unit="1", source="chosen: one game reaches more only after long confusion"
    )
    """States kept."""


SEARCH = SearchLimits()


@dataclass(frozen=True, slots=True)
class Smoothing:
    """When the last steps of every hypothesis are searched again."""

    contradiction: float = parameter(6.0, unit="nats", source="guess")
    """Unexplained cost that is more than glare or a restless scale."""
    soon_s: float = parameter(2.5, unit="s", source="guess")
    """Time after a contradiction began, or grew by `better`, until the last steps are searched again."""
    steps_again: int = parameter(4, unit="steps", source="guess")
    """Steps of every hypothesis that are searched again then."""
    better: float = parameter(3.0, unit="nats", source="guess")
    """A contradiction has grown once it costs more by this."""
    most_positions: int = parameter(
        20_000, unit="1", source="chosen: nobody waits seconds for a table of nonsense"
    )
    """A search that expands more hypotheses is given up."""
    positions_at_once: int = parameter(120, unit="1", source="chosen: bounds the work")
    """Hypotheses that are expanded in one batch, about; then it goes on with the next batch."""


SMOOTHING = Smoothing()


@dataclass(frozen=True, slots=True)
class Publishing:
    """When an action is firm enough to be published, and when it is revoked."""

    nonsense: float = parameter(30.0, unit="nats", source="guess")
    """Nothing new is published while the best hypothesis leaves more than this unexplained."""
    overdue_s: float = parameter(6.0, unit="s", source="guess")
    """Longest time that a choice between equally good hypotheses is put off; verdicts regard all of them
    anyway."""
    faint_s: float = parameter(3.0, unit="s", source="guess")
    """An action of which only a hand over a pile was seen is published after this time."""
    passed: float = parameter(0.9, unit="nats", source="guess")
    """Least lead of an action that looks forbidden once a later one shows."""
    revise_margin: float = parameter(1.0, unit="nats", source="guess")
    """A published action is revoked when another hypothesis is better by this and stays so."""
    revise_at_once: float = parameter(2.0, unit="nats", source="guess")
    """A published action is revoked at once when another hypothesis is better by this and has something else in
    its place."""
    near_steps: int = parameter(6, unit="steps", source="guess")
    """Steps among which a claim is looked for in another hypothesis: what was done before it may be open."""
    unheard: float = parameter(3.0, unit="nats", source="guess")
    """Least lead to publish a claim without a heard button: cards are turned up for other reasons too."""
    lost_nats: float = parameter(16.0, unit="nats", source="counted: none of 30 games at home")
    """The game is lost once the best hypothesis has left at least this unexplained for `lost_s`, what cancels
    each other not counted."""
    lost_after_s: float = parameter(20.0, unit="s", source="counted: none of 30 games at home")
    """Time for which so much is unexplained in a lost game."""
    thinks_s: float = parameter(1.0, unit="s", source="guess")
    """Longest time for which nothing is published because a search has used up its budget and goes on."""
    undone_nats: float = parameter(1.0, unit="nats", source="guess")
    """Cost of a hypothesis with a step that people took back. The key is often pressed by mistake, and the step
    had been published because its signs led by several nats."""
    weigh_again_s: float = parameter(2.0, unit="s", source="guess")
    """Longest time until histories with and without an undone step are compared again."""
    swapped_tag_penalty: int = parameter(10, unit="surprises", source="guess")
    """So many surprises are two cards whose tags turn out to be swapped when the deal is forgotten."""


PUBLISHING = Publishing()


@dataclass(frozen=True, slots=True)
class Work:
    """What a search does in one batch of observations. Fitted to times, so that the same observations give the
    same game."""

    batch: int = parameter(36_000, unit="1", source="chosen: of a game's 3,000 batches one or two need more")
    """Work of one batch, about as many microseconds on a desktop. What is left goes on in the next batch."""
    expanded: int = parameter(
        12, unit="1", source="counted: fitted to the searches of 4 rough games, correlation 0.98"
    )
    """Work of a hypothesis that is expanded."""
    tried: int = parameter(
        2, unit="1", source="counted: fitted to the searches of 4 rough games, correlation 0.98"
    )
    """Work of an action tried there."""
    followed: int = parameter(
        4, unit="1", source="counted: fitted to the searches of 4 rough games, correlation 0.98"
    )
    """Work of an association of this action."""
    associated: int = parameter(
        16, unit="1", source="counted: fitted to the searches of 4 rough games, correlation 0.98"
    )
    """Work of associating an action with the open detections."""
    opened: int = parameter(
        44, unit="1", source="counted: fitted to the searches of 4 rough games, correlation 0.98"
    )
    """Work of listing what a hypothesis leaves open."""
    layout_tried: int = parameter(
        30, unit="1", source="counted: fitted to the searches of 4 rough games, correlation 0.98"
    )
    """Work of trying one step of a hidden layout's story with another layout."""
    compared: int = parameter(
        32, unit="1", source="counted: fitted to the searches of 4 rough games, correlation 0.98"
    )
    """Work of comparing a state with what lies there."""
    chosen_from: int = parameter(
        4, unit="1", source="counted: fitted to the searches of 4 rough games, correlation 0.98"
    )
    """Work of a hypothesis among which those to keep are chosen."""


WORK = Work()
