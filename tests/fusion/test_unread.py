"""Open cards that the camera sees and cannot read: swept away by a witch they are not forgotten."""

from math import log
from typing import Any

import pytest

from companion.fusion.clutter import clutter_cost, doubted
from companion.fusion.detections import SensedTable
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.tracker import Tracker
from companion.games.rules import IllegalError
from companion.games.signs import Sign, Verb
from companion.games.sleepless_princess.rules.actions import Discard, Open, Play, Take
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN, WITCH
from companion.games.sleepless_princess.rules.state import Phase
from companion.sensing.observation import UNREAD, Reach, Seen, Sighting
from tests.support.observed import GAME, ObservedGame, sighting
from vision.art_codes import CardKinds


def filling() -> ObservedGame:
    """A game in which the row is being filled: one more card, then a witch."""
    game = ObservedGame(4)
    game.set_up()
    actions = game.play_on()
    while game.state.phase is not Phase.LAY or len(game.state.row) > 3:
        next(actions)
    deck = list(game.state.deck)
    card = next(n for n, kind in enumerate(deck) if kind != WITCH)
    deck[-1], deck[card] = deck[card], deck[-1]
    witch = deck.index(WITCH)
    deck[-2], deck[witch] = deck[witch], deck[-2]
    game.state = game.state._replace(deck=tuple(deck))
    return game


def open_unread(game: ObservedGame, *, seen: bool) -> Sighting:
    """The next card is laid open and not read, nor even seen; what a camera would see that read it."""
    after = GAME.apply(game.state, Open())
    reach, row = (batch[0] for batch in game.rig.notice(game.state, Open(), after))
    game.feed([reach])
    assert isinstance(row, Sighting)
    if seen:
        game.feed([Sighting(row.t, "row", (*row.cards[:-1], Seen(UNREAD, 0, 0)))])
    game.state = after
    game.rig.t += 2
    game.feed([])
    return row


@pytest.mark.parametrize("seen", [True, False])
def test_an_open_card_that_nobody_read_is_discarded_as_unknown(seen: bool) -> None:
    """If the camera does not tell of it either, the deck keeps one card too many."""
    game = filling()
    open_unread(game, seen=seen)
    game.do(Open())
    assert game.state.row == game.tracker.state.row == ()
    assert game.tracker.state.discard.count(UNKNOWN) == seen
    assert len(game.tracker.state.deck) == len(game.state.deck) + (not seen)
    game.do(Open())
    assert game.tracker.state.row == game.state.row != ()


def test_a_card_that_is_read_at_last_was_no_other() -> None:
    game = filling()
    row = open_unread(game, seen=True)
    game.feed([Sighting(game.rig.t, "row", row.cards)])
    game.rig.t += 2
    game.feed([])
    assert game.tracker.state.row == game.state.row
    game.do(Open())
    assert UNKNOWN not in game.tracker.state.discard
    assert len(game.tracker.state.deck) == len(game.state.deck)


@pytest.mark.parametrize(
    ("after", "swept"),
    [
        ([()], 1),  # swept
        ([("H05A",)], 1),  # swept, and one laid open since
        ([("H01A", "H02A")], 0),  # no card at all
        ([("H01A", "H02A", "H03A")], 0),  # read
        ([("H01A", "H02A", UNREAD), ()], 1),
        ([("H02A", UNREAD), ("H02A",)], 0),
    ],
)
def test_unread_cards_go_with_those_that_were_read_only(after: list[tuple[str, ...]], swept: int) -> None:
    kinds = {card.code: card.kind for card in GAME.cards("basic")}
    sensed = SensedTable(kinds, GAME.watched("basic"), {})
    for t, codes in enumerate([("H01A", "H02A"), ("H01A", "H02A", UNREAD), *after]):
        sensed.feed([sighting("row", *codes, t=t)])
    assert [one.sign for one in sensed.detections if one.sign.verb == "unread"] == [
        Sign(Verb.UNREAD, "row")
    ] * swept


def test_a_camera_that_begins_anew_sweeps_nothing() -> None:
    """After a push it forgets what it could not read: that alone is no witch."""
    sensed = SensedTable({}, GAME.watched("basic"), {})
    for t, codes in enumerate([(), (UNREAD,), ()]):
        sensed.feed([sighting("row", *codes, t=t)])
    assert sensed.detections == []


@pytest.mark.parametrize(
    ("pile_s", "row", "swept"),
    [
        (5.1, (), 2),  # two cards beneath a reflection, and a witch that found them there
        (4.9, (), 2),
        (20.0, (), 0),
        (5.1, ("H01A",), 0),  # one of them was read at last
    ],
)
def test_cards_that_were_never_read_are_swept_if_the_pile_changes(
    pile_s: float, row: tuple[str, ...], swept: int
) -> None:
    kinds = {card.code: card.kind for card in GAME.cards("basic")}
    sensed = SensedTable(kinds, GAME.watched("basic"), {})
    seen = [sighting("row", *row, t=5.0), sighting("discard", "H04A", t=pile_s)]
    for one in (
        sighting("row", t=0.0),
        sighting("row", UNREAD, UNREAD, t=3.0),
        *sorted(seen, key=lambda s: s.t),
    ):
        sensed.feed([one])
    assert [one.t for one in sensed.copy().detections if one.sign.verb == "unread"] == [5.0] * swept


def test_a_witch_sweeps_a_row_of_which_nothing_was_read() -> None:
    """Two witches in a row: between them lies one card, which a reflection hides until it is swept."""
    game = filling()
    *others, card = (kind for kind in game.state.deck if kind != WITCH)
    more = (WITCH,) * (game.state.deck.count(WITCH) - 2)
    game.state = game.state._replace(deck=(*more, *others, WITCH, card, WITCH))
    game.do(Open())
    assert game.tracker.state.row == game.state.row == ()
    open_unread(game, seen=True)
    game.do(Open())
    assert game.tracker.state.discard.count(UNKNOWN) == 1
    assert len(game.tracker.state.discard) == len(game.state.discard)
    assert len(game.tracker.state.deck) == len(game.state.deck)


@pytest.mark.parametrize(
    ("views", "taken"),
    [
        ([(0, "H01A", "H02A"), (3, "H01A"), (4,)], ("2",)),
        ([(0, "H01A", "H02A"), (3, "H01A"), (3.3,)], ()),  # one hand sweeps both
        ([(0, "H01A", "H02A"), (3, "H01A", UNREAD), (9,)], ()),  # it lies there, and cannot be read
        ([(0, "H01A", "H02A"), (3, "H01A"), (5, "H01A", "H02A"), (8,)], ()),  # it was laid back
    ],
)
def test_a_card_that_went_before_the_others_was_not_swept(
    views: list[tuple[Any, ...]], taken: tuple[str, ...]
) -> None:
    kinds = {card.code: card.kind for card in GAME.cards("basic")}
    sensed = SensedTable(kinds, {("lies", "row"), ("left", "row")}, {})
    for t, *codes in views:
        sensed.feed([sighting("row", *codes, t=t)])
    (left,) = sensed.copy().detections
    assert (left.sign, left.taken) == (Sign(Verb.LEFT, "row", ("1", "2")), taken)


@pytest.mark.parametrize(
    ("views", "topped"),
    [
        ([(), ("H01A",), ("H02A",), ("H01A",)], ["1", "2", "1"]),  # it lay there before the pile was shuffled
        ([("H01A",), (), ("H01A",)], ["1"]),  # out of sight for a while
        ([("H01A",), (UNREAD,), ("H02A",)], ["1", "2"]),
    ],
)
def test_a_pile_is_topped_when_another_card_is_read_there(
    views: list[tuple[str, ...]], topped: list[str]
) -> None:
    kinds = {card.code: card.kind for card in GAME.cards("basic")}
    sensed = SensedTable(kinds, {("topped", "discard")}, {})
    for t, codes in enumerate(views):
        sensed.copy().feed([sighting("discard", *codes, t=t)])
        sensed.feed([sighting("discard", *codes, t=t)])
    assert [one.sign for one in sensed.detections] == [Sign(Verb.TOPPED, "discard", (kind,)) for kind in topped]


def test_an_unknown_card_is_laid_open_from_an_unknown_deck_only() -> None:
    game = filling()
    with pytest.raises(IllegalError, match="no card"):
        GAME.apply(game.state, Open(UNKNOWN))
    unknown = game.tracker.state
    assert GAME.apply(unknown, Open(UNKNOWN)).row == (UNKNOWN, *unknown.row)
    with pytest.raises(IllegalError, match="no card"):
        GAME.apply(GAME.empty_table("basic", 3), Open(UNKNOWN))


def test_a_kind_that_is_doubtful_costs_less_as_clutter_and_as_a_strange_card() -> None:
    costs = []
    for probability in (1.0, 0.9):
        table = SensedTable(CardKinds({"A1": "A"}), [("new", "row")], {})
        table.feed([Sighting(1.0, "row", (Seen("A~1", 0, 0, quality=probability),))])
        (detection,) = table.detections
        assert table.copy().doubt["row"] == pytest.approx(1 - probability)
        costs.append(clutter_cost([detection], 9.0))
    assert costs[1] < costs[0]
    assert doubted(COSTS.strange_card, 0.1) == pytest.approx(-log(0.1), abs=0.02)
    assert doubted(COSTS.strange_card, 0.0) == COSTS.strange_card


def test_a_card_by_art_that_lies_where_one_of_its_kind_went_may_be_that_one_or_another() -> None:
    table = SensedTable(
        CardKinds({"A1": "A", "A2": "A"}), {("new", "row"), ("gone", "row"), ("back", "row")}, {}
    )

    def nats(*rows: tuple[str, ...]) -> float:
        """Cost of what these sightings of the row left without a cause."""
        sensed = table.copy()
        for t, row in enumerate(rows):
            sensed.feed([Sighting(float(t), "row", tuple(Seen(code, 0, 0) for code in row))])
        assert [one.sign.verb for one in sensed.detections][-1] in ("new", "back")
        return clutter_cost(sensed.detections, 100.0)

    by_sticker = nats(("A1",), (), ("A1",))
    assert nats(("A~1",), (), ("A~1",)) == nats(("A~1",), (), ("A~2",)) == by_sticker
    assert nats(("A1",), (), ("A2",)) > by_sticker + 3
    # A card that came and one that went before have nothing to do with each other.
    assert nats(("A~1",), ("A~1", "A~2")) == nats(("A1",), ("A1", "A2"))


def test_a_card_by_art_that_lies_otherwise_than_the_one_that_went_is_more_than_hidden() -> None:
    def nats(x: float, angle: float) -> float:
        """Cost of two cards that went, and of one of their kind that lies there then."""
        sensed = SensedTable(CardKinds({"A1": "A"}), {("new", "row"), ("gone", "row"), ("back", "row")}, {})
        went = (Seen("A~1", 100.0, 50.0, 359.5), Seen("A~2", 160.0, 50.0, 3.0))
        for t, row in enumerate((went, went[1:], (), (Seen("A~3", x, 50.0, angle),))):
            sensed.feed([Sighting(float(t), "row", row)])
        return clutter_cost(sensed.detections, 100.0)

    just_so = nats(100.0, 359.5)
    assert nats(100.8, 0.2) == nats(160.0, 3.0) == just_so
    assert nats(101.2, 359.5) == nats(100.0, 1.0) == pytest.approx(just_so + COSTS.taken_up - COSTS.reappeared)


def test_a_turn_after_which_all_kinds_lie_as_before_is_told_by_what_happened_meanwhile() -> None:
    """A reflection hides the card that is discarded; one of its kind was swept there before. Then a card is
    taken, and another one of its kind is laid open in its place."""
    state = GAME.empty_table("5+", 2)
    slots = tuple(range(8))
    tracker = Tracker(
        GAME,
        "5+",
        state._replace(
            phase=Phase.PLAY,
            turn=1,
            turns=2,
            hands=((UNKNOWN,) * 5,) * 2,
            row=(3, 3, 4, 11, 11),
            deck=(UNKNOWN,) * 15,
            discard=(2, 4, 5, 1, 2, 11, WITCH),
            fresh=4,
            beds=tuple(zip(slots[::2], slots[1::2], strict=True)),
            faces=(-1,) * 8,
            princesses=(0, 1, 2, 3),
        ),
    )
    before = [f"{kind}~{n}" for n, kind in enumerate(("3", "3", "4", "B", "B"))]
    for seen in (
        sighting("row", *before, t=0.0),
        sighting("discard", "W~9", t=0.0),
        sighting("discard", "2~10", t=10.0),
        sighting("row", *before[1:], t=12.0),
        Reach(12.7, "deck", True),
        Reach(13.1, "deck", False),
        sighting("row", *before, t=13.7),
        sighting("play", "5~11", "5~12", "5~13", t=16.3),
    ):
        tracker.feed(seen.t, [seen])
    for later in range(17, 25):
        tracker.feed(later, [])
    told = [step.action for step in tracker.steps]
    assert told == [Discard((2,)), Take(3), Open(3), Play(((5,), (5,), (5,)))], told
