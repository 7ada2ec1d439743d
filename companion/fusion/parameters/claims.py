"""When a claim is judged, what makes it doubtful, and when players are asked."""

from dataclasses import dataclass

from companion.core.parameters import parameter


@dataclass(frozen=True, slots=True)
class ClaimModel:
    """How long a claim waits, and how sure its verdict must be."""

    verdict_log_odds: float = parameter(5.3, unit="nats", source="chosen: 200 to 1")
    """Log-odds that a verdict needs against everything else."""
    claimed_true: float = parameter(2.0, unit="1", source="guess: in rehearsals two of three claims are true")
    """How much readier people are to claim what is true than what is not, as they remember what they felt. A
    claim made at random would be true far less often."""
    judge_after_s: float = parameter(1.0, unit="s", source="guess")
    """Time from the button to the judgement: slower sensors have reported by then, and a child has pressed the
    next button. Screens keep the word for longer than that."""
    trouble: float = parameter(4.0, unit="nats", source="guess")
    """A claim stays open while more than this of the last `troubled_s` is unexplained."""
    troubled_s: float = parameter(20.0, unit="s", source="guess")
    """Time whose unexplained detections keep a claim open."""
    unseen_touches: int = parameter(
        2, unit="1", source="guess: profile `home` misses 1 hand in 100, and 1 touch in 200 is spurious"
    )
    """A claim stays open after so many unexplained touches at which the camera showed no hand: its picture may
    be frozen."""
    noisy: float = parameter(
        1.1,
        unit="nats",
        source="counted: 22 claims at six rough tables, at most 0.9; 4 at a hostile one, at least 1.26",
    )
    """A claim that would fail stays open if the steps of the last `noisy_s`, at least `noisy_steps`, cost more
    than this each by the best hypothesis. A hostile table is one for which the sensor model is not made."""
    noisy_steps: int = parameter(20, unit="steps", source="guess")
    """Least number of steps by which a table is called noisy."""
    noisy_s: float = parameter(
        300.0, unit="s", source="counted: windows of 60 to 180 s mixed rough and hostile tables"
    )
    """Time of these steps."""
    lasting_s: float = parameter(1.5, unit="s", source="guess")
    """A hypothesis that has been the best for this long is stable."""
    cheap: float = parameter(1.0, unit="nats", source="guess")
    """Steps up to this cost, late scales left aside, need only a careless player or sensor."""
    answered_s: float = parameter(8.0, unit="s", source="guess")
    """Time after a claim that players have for an answer."""
    beside_s: float = parameter(4.0, unit="s", source="guess")
    """Longest time that a claim waits for its cards, if a hand was over another place at the press and nobody
    knows whose button is whose."""
    turned_down_s: float = parameter(3.0, unit="s", source="guess")
    """Time after turned up cards were turned down again in which the tile of a proved claim would be seen."""
    fan_timeout_s: float = parameter(10.0, unit="s", source="guess")
    """How long a claim waits for a tile after turned up cards that leave it open. One of them may have been
    hidden: the tile may be, too."""
    tile_s: float = parameter(5.0, unit="s", source="guess")
    """Time for which one turned up card that speaks against a proved claim waits for the tile: its sticker may
    have been misread, and players lay the tile once they have looked. At most `LATELY_S` of the beam."""
    in_turn_s: float = parameter(10.0, unit="s", source="guess")
    """Cards that are turned up in `at_the_end` places or more within this time, while nobody pressed a button
    there, are no claims: people look who sleeps when the game is over."""
    at_the_end: int = parameter(3, unit="1", source="guess")
    """Places at which people look then."""
    turned_up_s: float = parameter(20.0, unit="s", source="guess")
    """Time after a verdict in which cards turned up there confirm or contradict it."""
    early_s: float = parameter(10.0, unit="s", source="guess")
    """Longest time for which cards are turned up before the button of their claim is pressed."""
    lapsed_s: float = parameter(25.0, unit="s", source="guess")
    """Time after a claim in which its cards are turned up; else nobody may have meant it."""
    unshown_s: float = parameter(15.0, unit="s", source="guess")
    """Time after a claim, or after the last cards turned up at the end, in which the next are turned up; else
    there may be none."""
    endings_kept: int = parameter(64, unit="1", source="chosen: bounds the memory")
    """Number of states for which it is kept what the end of the game turns up."""


CLAIM = ClaimModel()


@dataclass(frozen=True, slots=True)
class DoubtModel:
    """Probabilities that something happened which the model does not know."""

    swapped: float = parameter(0.3, unit="1", source="guess")
    """Probability that two cards changed places, which were in hands at once and came back to their two places.
    The rules have no such step."""
    unchecked: float = parameter(0.2, unit="1", source="guess")
    """Probability that a move put an earlier one right, if no sensor showed its check and the camera no
    hand; or that a card which goes on was moved by itself, if its check was felt."""
    unexplained: tuple[float, float, float] = parameter(
        (0.001, 0.004, 0.1), unit="1", source="counted: wrong were 0 of 78 claims, 0 of 6; in worlds 2 of 16"
    )
    """Probability that the model does not fit this table after one sign of a scale without a cause, after two,
    and after three or more."""
    carried: float = parameter(0.3, unit="1", source="guess")
    """Probability that a card was moved otherwise than the rules have it. One scale lost a card and another one
    gained one within `PEOPLE.in_hand_s`, both without a cause."""
    misbelieved: float = parameter(0.02, unit="1", source="guess")
    """Probability at every place, for each card that carries another one's tag."""
    misplaced: float = parameter(0.1, unit="1", source="guess")
    """Probability of cards that came from a place where others were turned up than believed: which ones changed
    places is open."""
    unweighed: float = parameter(0.1, unit="1", source="guess")
    """Probability of a place at which a hand worked while the board was away: the bottom card may lie on top
    now."""
    reordered: float = parameter(0.0005, unit="1", source="guess")
    """Probability that cards were put back in another order, against the rules. One was moved, and not read,
    from a place whose cards had been turned up."""
    reordered_here: float = parameter(0.3, unit="1", source="guess")
    """The probability at a table where that was found to be so."""
    astray: float = parameter(0.3, unit="1", source="guess")
    """Probability at every place after a scale was taken to be a card off beside which a hand was: another
    scale may be stuck, and the card lie there."""
    stuck: float = parameter(0.0005, unit="1", source="guess")
    """Probability that a scale is stuck without notice."""
    kept: float = parameter(
        0.1, unit="1", source="counted: 3 of 453 checks in 59 games, home and rough; families may keep more"
    )
    """Share of checks after which no scale reports anything before the next one. Each of them makes it likelier
    that the scales are stuck."""


DOUBTS = DoubtModel()


@dataclass(frozen=True, slots=True)
class QuestionModel:
    """When players are asked, and for how long."""

    ask_after_s: float = parameter(18.0, unit="s", source="guess")
    """Time that a doubt between two equally likely hypotheses is left to the sensors: most doubts end by what
    happens next."""
    ask_later_s: float = parameter(12.0, unit="s/nat", source="guess")
    """Additional time for each nat by which the rival is behind."""
    worth: float = parameter(
        0.2,
        unit="1",
        source="counted: 445 claims, with 0.04 a quarter more questions, 13 instead of 16 left open",
    )
    """Least odds of rival hypotheses that are worth a question without a claim: smaller doubts are asked about
    when a verdict waits for the answer."""
    claimed_s: float = parameter(2.0, unit="s", source="guess")
    """Time before a question when somebody waits for a verdict: a card may still be in a hand."""
    ask_until_s: float = parameter(4.0, unit="s", source="guess: people take 2 to 5 s")
    """Longest time after a claim at which its next question is asked sooner than others. Who answers later than
    `answered_s` after it answers in vain."""
    given_up_s: float = parameter(60.0, unit="s", source="guess")
    """A question without an answer is withdrawn after this time."""
    turns: int = parameter(12, unit="turns", source="guess")
    """Players are asked about actions of this many turns at most."""


QUESTIONS = QuestionModel()
