"""Two cards that carry each other's tag are found by how they feel, and the deal is read again."""

from collections.abc import Iterable

import pytest

from companion.fusion.parameters.people import PEOPLE
from companion.fusion.parameters.search import WORK
from companion.fusion.swapped_tags import SwappedTags
from companion.sensing.observation import Observation, TagRead, Texture
from companion.session.sensor_monitor import SensorMonitor
from tests.support.inside import beam_of, doubts_of
from tests.support.observed import GAME, ObservedGame

TEXTURES = {"A": "1t", "B": "2t", "C": "", "D": "1t"}


def pressed(t: float, tag: str, felt: str | None) -> list[Observation]:
    """A card with this tag is laid on the pad, pressed, and taken away."""
    return [TagRead(t, "pad", tag), Texture(t + 1, "pad", felt, 1.0), TagRead(t + 2, "pad", None)]


def read(tags: SwappedTags, seen: Iterable[Observation]) -> list[str | None]:
    return [one.card for one in tags.read(list(seen)) if isinstance(one, TagRead) and one.card]


@pytest.mark.parametrize(("other", "felt"), [("B", "2t"), ("C", None)], ids=["raised", "smooth"])
def test_two_tags_that_feel_like_each_other_are_swapped(other: str, felt: str | None) -> None:
    tags = SwappedTags(TEXTURES)
    assert read(tags, pressed(1.0, "A", felt)) == ["A"]
    assert not tags.found
    assert read(tags, pressed(5.0, other, "1t")) == [other]
    assert tags.found == [("A", other)]
    assert read(tags, [*pressed(9.0, "A", felt), *pressed(13.0, other, "1t")]) == [other, "A"]


def test_a_tag_that_once_felt_right_is_not_swapped() -> None:
    tags = SwappedTags(TEXTURES)
    read(tags, [*pressed(1.0, "A", "1t"), *pressed(5.0, "A", "2t"), *pressed(9.0, "B", "1t")])
    assert not tags.found


def test_two_cards_on_the_pad_and_uncertain_presses_tell_nothing() -> None:
    tags = SwappedTags(TEXTURES)
    both: list[Observation] = [
        TagRead(1.0, "pad", "A"),
        TagRead(1.1, "pad", "C"),
        Texture(2.0, "pad", "2t", 1.0),
    ]
    unsure = [TagRead(3.0, "pad", None), TagRead(4.0, "pad", "A"), Texture(5.0, "pad", "2t", 0.9)]
    read(tags, [*both, *unsure, TagRead(6.0, "pad", None), *pressed(9.0, "B", "1t")])
    assert not tags.found


@pytest.mark.long
def test_the_deal_is_read_again_with_the_tags_that_were_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    game, straight = ObservedGame(5), ObservedGame(5)
    straight.set_up()
    batches = straight.batches
    felt = {}
    for _, batch in batches:
        tags = [one.card for one in batch if isinstance(one, TagRead) and one.card]
        if tags:
            felt[tags[0]] = next(one.cls for one in batch if isinstance(one, Texture))
    one = next(iter(felt))
    other = next(card for card, cls in felt.items() if cls != felt[one])
    meant = {one: other, other: one}
    monitor, said, spent = SensorMonitor(), [], list[int]()
    budget = beam_of(game.tracker).budget

    def refill() -> None:
        spent[-1] += WORK.batch - budget.left
        budget.left = WORK.batch

    def feed(t: float, seen: list[Observation]) -> None:
        spent.append(0)
        game.tracker.feed(t, seen)
        said.extend(monitor.hear(t, seen, game.tracker).events)

    monkeypatch.setattr(budget, "refill", refill)
    for t, batch in batches:
        seen = [
            TagRead(o.t, o.station, meant.get(o.card or "", o.card)) if isinstance(o, TagRead) else o
            for o in batch
        ]
        feed(t, seen)
    while game.tracker._deal is not None and game.tracker._deal.reading:
        t += 0.25
        feed(t, [])
    assert game.tracker.tags_swapped == 1
    # One hypothesis that is expanded may need a little more than is left.
    assert max(spent) < 1.2 * WORK.batch
    assert game.tracker.state == straight.tracker.state
    assert ["tag" in str(event) for event in said].count(True) == 1


def test_tags_found_swapped_after_the_deal_is_forgotten_are_doubted_even_after_an_undo() -> None:
    game = ObservedGame(5)
    game.set_up()
    next(game.play_on())
    tracker, t = game.tracker, game.rig.t + PEOPLE.deal_s
    felt = {one.code: one.texture for one in GAME.cards("basic") if one.texture is not None}
    one = next(iter(felt))
    other = next(card for card, cls in felt.items() if cls != felt[one])
    tracker.feed(t, [])
    tracker.feed(t + 9, [*pressed(t + 1, one, felt[other]), *pressed(t + 5, other, felt[one])])
    assert tracker.tags_swapped == 1
    assert doubts_of(tracker).misbelieved
    assert tracker.undo() is not None
    tracker.feed(t + 20, [])
    assert doubts_of(tracker).misbelieved
