"""What a pressed mattress felt like, as evidence: it stands in for a tag that was missed, and for no more."""

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from companion.fusion.explain.reasons import why, why_lines
from companion.fusion.explain.sensor_health import SensorWatch
from companion.fusion.parameters.claims import CLAIM
from companion.fusion.parameters.health import HEALTH
from companion.fusion.parameters.reading_costs import COSTS
from companion.games.signs import Sign, Verb
from companion.games.sleepless_princess.rules.actions import Know, Lay, Move
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN_FACE, face_from_text, face_text
from companion.games.sleepless_princess.rules.state import Phase
from companion.games.sleepless_princess.sensing.appearance import signs
from companion.sensing.observation import Count, Observation, TagRead, Texture
from companion.sensing.observation import Touch as TouchSeen
from companion.session.entries.player_statements import PlayerStatements
from companion.session.journal.journal_lines import Observed, Opened
from companion.virtual.games.sleepless_princess import VIRTUAL
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.rig.sensor_faults import SensorFaults
from tests.support.observed import GAME, ObservedGame, nats, sighting

Mishap = Callable[[int, list[Observation]], list[Observation]]
"""What comes of a batch on the pad, by the number of the mattress, from 0."""


def dealt(mishap: Mishap, seed: int = 3, variant: str = "basic") -> ObservedGame:
    """A table laid out by a perfect rig but for what happens on the pad."""
    game = ObservedGame(seed, variant)
    for batch in game.rig.setup(game.state):
        tapped = isinstance(batch[0], TagRead) and batch[0].card is not None
        game.feed(mishap(len(game.rig.slots) - 1, batch) if tapped else batch)
    game.rig.t += 10
    game.feed([])
    assert game.tracker.state.phase is Phase.PLAY
    return game


def textured(game: ObservedGame, number: int) -> bool:
    return not game.state.faces[number] & 1


def untagged(*numbers: int, felt: bool = True) -> Mishap:
    """The tags of these are not read; their textures are `felt` or not."""
    return lambda number, batch: [one for one in batch if number not in numbers or (felt and one is batch[1])]


def two_textured(seed: int) -> tuple[int, int]:
    """Two textured mattresses of different types, in the order of the deal."""
    faces = ObservedGame(seed).state.faces
    first = next(n for n, face in enumerate(faces) if n > 1 and not face & 1)
    second = next(n for n, face in enumerate(faces) if n > first and not face & 1 and face != faces[first])
    return first, second


@pytest.mark.long
def test_mattresses_whose_tags_are_missed_are_known_by_their_raised_pictures() -> None:
    for seed in range(2):
        missed = two_textured(seed)
        game = dealt(untagged(*missed), seed)
        assert game.tracker.state.faces == game.state.faces
        blind = dealt(untagged(*missed, felt=False), seed)
        assert [blind.tracker.state.faces[number] for number in missed] == [UNKNOWN_FACE] * 2


def rival(game: ObservedGame) -> float:
    """By how much anything else is weaker than what is believed of the mattresses, in nats."""
    (best, node), *others = game.tracker.hypotheses
    return min((total - best for total, other in others if other.state.faces != node.state.faces), default=99.0)


def test_a_texture_alone_is_enough_for_a_verdict_and_less_than_a_tag() -> None:
    tags, textures = dealt(lambda _, batch: batch), dealt(untagged(*two_textured(3)))
    assert CLAIM.verdict_log_odds < nats(0.0045) <= rival(textures) < rival(tags)


@pytest.mark.long
def test_without_a_reader_textures_settle_nothing() -> None:
    game = dealt(lambda _, batch: batch[1:])
    assert rival(game) < CLAIM.verdict_log_odds


def test_a_tag_is_believed_against_a_texture_at_a_cost_of_both() -> None:
    def wrong(number: int, batch: list[Observation]) -> list[Observation]:
        other = "9t" if ObservedGame(3).state.faces[number] != face_from_text("9t") else "8t"
        return [batch[0], Texture(batch[1].t, "pad", other, 0.99)] if number == 4 else batch

    game = dealt(wrong)
    assert game.tracker.state.faces == game.state.faces
    step = next(
        step for step in game.tracker.steps if isinstance(step.action, Lay) and len(step.before.faces) == 4
    )
    assert step.cost == pytest.approx(nats(0.0045))
    assert len([one for one in step.used if one.sign.verb == "texture"]) == 1
    bed = next(bed for bed, slots in enumerate(game.state.beds) if 4 in slots)
    (line,) = (line for line in why_lines(why(game.tracker, f"bed {bed + 1}")) if "against it" in line)
    assert "the pressure matrix at the pad felt 9t: strong, about 200 to 1 against it" in line


@pytest.mark.long
def test_a_rig_without_a_matrix_pays_nothing_and_a_press_untold_pays_little() -> None:
    bare = dealt(lambda _, batch: batch[:1])
    assert all(step.cost == 0.0 for step in bare.tracker.steps if isinstance(step.action, Lay))
    assert "matrix" not in "\n".join(why_lines(why(bare.tracker, "bed 1")))
    once = dealt(lambda number, batch: batch[:1] if number == 4 else batch)
    costs = [step.cost for step in once.tracker.steps if isinstance(step.action, Lay)]
    assert 0.0 < max(costs) < 1.0
    assert sum(cost > 0 for cost in costs) == 1


def test_a_smooth_mattress_is_named_only_where_one_is_left() -> None:
    state = ObservedGame(3).state
    smooth = [number for number, face in enumerate(state.faces) if face & 1]
    first, last = smooth[0], smooth[-1]
    texture = next(n for n, face in enumerate(state.faces) if n > 1 and not face & 1)
    game = dealt(untagged(first, last))
    assert [game.tracker.state.faces[number] for number in (first, last)] == [UNKNOWN_FACE] * 2
    # Of two that were missed one is smooth: once the other smooth ones are known, that says which it is.
    both = untagged(last)
    mixed = dealt(lambda number, batch: [] if number == texture else both(number, batch))
    assert mixed.tracker.state.faces == mixed.state.faces


def test_what_was_too_uncertain_counts_as_nothing() -> None:
    first, second = two_textured(3)

    def unsure(number: int, batch: list[Observation]) -> list[Observation]:
        seen = batch[1]
        assert isinstance(seen, Texture)
        return (
            [Texture(seen.t, "pad", seen.cls, COSTS.sure_texture - 0.01)]
            if number in (first, second)
            else batch
        )

    assert dealt(unsure).tracker.state.faces.count(UNKNOWN_FACE) == 2


def test_of_two_that_are_pressed_together_nobody_knows_which_was_felt() -> None:
    first, second = two_textured(3)

    def stuck(number: int, batch: list[Observation]) -> list[Observation]:
        tag, felt = batch[:2]
        assert isinstance(tag, TagRead)
        assert isinstance(felt, Texture)
        other = face_text(ObservedGame(3).state.faces[second])
        if number != first:
            return batch
        return [tag, TagRead(tag.t, "pad", f"M{other[0]}A"), msgspec.structs.replace(felt, cls=other)]

    game = dealt(stuck)
    assert game.tracker.state.faces == game.state.faces
    laid = [step for step in game.tracker.steps if isinstance(step.action, Lay)]
    felt = [[one for one in step.used if one.sign.verb == "texture"] for step in laid]
    assert [number for number, one in enumerate(felt) if not one] == [first]


def moving(felt: list[Observation]) -> ObservedGame:
    """Two mattresses are unknown; the one at the bottom of a bed comes by the pad on its way to another."""
    state = ObservedGame(3).state
    bottom = state.beds[1][0]
    other = next(n for n in range(len(state.faces)) if state.faces[n] != state.faces[bottom] and n > bottom)
    game = dealt(untagged(bottom, other, felt=False))
    assert game.tracker.state.faces[bottom] == UNKNOWN_FACE
    t, tracker = game.rig.t, game.tracker
    tracker.feed(t, [sighting("play", "H03A", "H03B", "H03C", t=t)])
    tracker.feed(t + 3, [TouchSeen(t + 3, "bed 2", True)])
    tracker.feed(t + 3.5, [TouchSeen(t + 3.5, "bed 2", False)])
    tracker.feed(t + 4, [Count(t + 4, "bed 2", 2, 2.0)])
    for n, seen in enumerate(felt):
        tracker.feed(t + 5 + n / 2, [msgspec.structs.replace(seen, t=t + 5 + n / 2)])
    tracker.feed(t + 7, [Count(t + 7, "bed 4", 4, 4.0)])
    for n in range(40):
        tracker.feed(t + 8 + n / 4, [])
    game.rig.t = t + 20
    assert [type(step.action) for step in tracker.steps[-2:]].count(Move) == 1
    return game


@pytest.mark.long
def test_a_mattress_that_comes_by_the_pad_is_felt_there() -> None:
    face = ObservedGame(3).state.faces[ObservedGame(3).state.beds[1][0]]
    code = f"M{face >> 1}{'S' if face & 1 else 'A'}"
    texture = Texture(0.0, "pad", None if face & 1 else f"{face >> 1}t", 0.99)
    tag = TagRead(0.0, "pad", code)
    once, twice = moving([tag]), moving([tag, texture])
    for game in (once, twice):
        assert game.tracker.state.faces == game.state.faces
        assert Know in [type(step.action) for step in game.tracker.steps[-3:]]
        # Taken up before it was read and laid down after: that is one way, and not out of order.
        move = next(step for step in game.tracker.steps if isinstance(step.action, Move))
        assert [one.sign.verb for one in move.used] == ["lift", "put"]
        assert move.cost == pytest.approx(nats(0.7))
    # Felt when its tag was believed already: no sign without a cause, only one more while a scale lacks a card.
    assert twice.tracker.hypotheses[0][0] < once.tracker.hypotheses[0][0] + COSTS.lingering_most
    know = next(step for step in reversed(twice.tracker.steps) if isinstance(step.action, Know))
    assert [one.sign.verb for one in know.used] == ["tag", "texture"]


def test_pressing_leaves_the_signs_of_a_face_or_of_any_smooth_one() -> None:
    state = ObservedGame(3).tracker.state
    lay = signs(state, Lay(0, face_from_text("3t")))
    assert lay[:2] == (Sign(Verb.TAG, "pad", ("3t",)), Sign(Verb.TEXTURE, "pad", ("3t",)))
    _, (verb, _, kinds), _ = signs(state, Lay(0, UNKNOWN_FACE))
    assert (verb, len(kinds)) == ("texture", 10)


def test_a_matrix_that_feels_nothing_any_more_is_named() -> None:
    game, sensors = ObservedGame(3), SensorWatch()
    news = []
    for batch in game.rig.setup(game.state):
        kept = [one for one in batch if not isinstance(one, Texture) or len(game.rig.slots) < 3]
        game.feed(kept)
        news += sensors.feed(game.rig.t, kept, game.tracker)
    t = game.rig.t + HEALTH.certain_s + 5
    seen = [Count(t, "bed 1", 3, 3.0)]
    game.tracker.feed(t, seen)
    news += sensors.feed(t, seen, game.tracker)
    assert [(one.source, one.ok) for one in news] == [("pad pressure matrix", False)]


def test_a_texture_reaches_no_hint() -> None:
    talk = PlayerStatements(GAME, Opened(0.0, "sleepless-princess", "basic", 3, ""), ObservedGame(3).state)
    talk.hear([Observed(1.0, (Texture(1.0, "pad", "3t", 0.99),))], ObservedGame(3).state)
    assert talk.recorded.lines == ()


def test_presses_are_felt_by_the_classifier_and_lost_without_power() -> None:
    told: list[Observation] = []
    for n in range(60):
        t, code = 2.0 + 4 * n, f"M{n % 10}{'S' if n % 3 == 0 else 'A'}"
        cls = None if code.endswith("S") else f"{n % 10}t"
        told += [TagRead(t, "pad", code), Texture(t, "pad", cls, 1.0), TagRead(t + 1, "pad", None)]
    heard = list(
        SensorFaults(profile("rough"), VIRTUAL.rig("basic"), Random(1), Random(1), 4).disturb(told, 0.0)
    )
    assert heard == list(
        SensorFaults(profile("rough"), VIRTUAL.rig("basic"), Random(1), Random(1), 4).disturb(told, 0.0)
    )
    felt = [one for one in heard if isinstance(one, Texture) and one.p >= COSTS.sure_texture]
    assert 35 < len(felt) < 60
    meant = {one.t: one.cls for one in told if isinstance(one, Texture)}
    wrong = [one for one in felt if meant[max(t for t in meant if t < one.t)] != one.cls]
    assert len(wrong) <= 2  # two cards at once
