"""Claims, taken back or not, give a word and no more: other hidden mattresses change no byte that is shown."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.advice.sleepless_princess import answer
from companion.core.errors import CompanionError
from companion.core.language import in_english
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.screen_layout import GRIDS, Size
from companion.dashboard.screens.verdict_and_score import ScoreScreen, VerdictScreen
from companion.dashboard.widgets import table_panels
from companion.dashboard.widgets.banner import banner, call_of, question
from companion.dashboard.widgets.card_row import piles, rows_of_cards
from companion.dashboard.widgets.place_box import place_box
from companion.games.advice import LEVELS
from companion.games.sleepless_princess.rules.actions import Action
from companion.games.sleepless_princess.rules.actions import Claim as ClaimAction
from companion.games.sleepless_princess.rules.claim_rules import full_set
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, State
from companion.sensing.observation import Button, Health, Observation, Reach, Sighting, TagRead, Texture
from companion.session.journal.journal import Journal, read_journal
from companion.session.narration import last_verdict
from companion.session.session import Session
from companion.session.stream.commands import AskHint, Claim, Command, EndGame, TableIsRight, Turn, Undo
from companion.session.stream.events import Claimed, Event, Score, Table
from tests.support.hinting import GAME, WatchedGame, other_faces, play
from tests.support.told_rig import ToldRig

WORDS = {
    r'"verdict":"(proved|refuted)"': '"verdict":WORD',
    r'"badge":"(asleep|out)"': '"badge":WORD',
    r'"text":"(She sleeps!|Still awake!)"': '"text":WORD',
    r'"id":"(sleeps|stays awake):': '"id":"WORD:',
    r"(sleeps sweetly!|stays awake and leaves the game\.)": "WORD",
    r"(All \d|Not all \d|Both|Not both) mattresses are hers\.": "WORD",
}
"""What a verdict's word is in events: all else is the same whatever it says."""


class DimRig(ToldRig):
    """A rig whose pad misses every fourth mattress while they are dealt."""

    def setup(self, dealt: State) -> Iterator[list[Observation]]:
        pads = 0
        for batch in super().setup(dealt):
            pads += any(isinstance(seen, TagRead) and seen.card is not None for seen in batch)
            missed = pads % 4 == 0
            yield [seen for seen in batch if not (missed and isinstance(seen, TagRead | Texture))]


class SteadyRig(ToldRig):
    """A rig that takes the first copy of a card, whatever the others of its kind are."""

    def _take_copy(self, kind: str) -> str:
        return self._free[kind].pop(0)


class Claims(WatchedGame):
    """A watched game with all that its screens show, letter by letter."""

    def __init__(self, dealt: State, rig: type[ToldRig] = ToldRig, journal: Path | None = None) -> None:
        super().__init__(dealt, rig=rig, journal=journal)
        self.shown: list[bytes] = []
        """Events, refusals, hints and screens since the cards were dealt."""
        self.model = PublicModel()
        self.model.connected(True)
        self._rendered = 0
        for event in self.session.welcome():
            self.model.take(event)

    @property
    def words(self) -> tuple[str, ...]:
        """The verdicts so far."""
        return tuple(event.verdict for event in self.events if isinstance(event, Claimed))

    def wait(self, seconds: float = 2.4) -> None:
        for _ in range(round(seconds / 0.6)):
            self.rig.t += 0.6
            self._tell([])
        self._render()

    def claim(self, bed: int, *, button: bool) -> None:
        self.rig.t += 1
        if button:
            self._tell([Button(self.rig.t, f"bed {bed + 1}")])
        else:
            self._clock.sleep(self.rig.t - self._clock.now())
            self.say_to(Claim(bed + 1))
        self.wait()

    def undo(self) -> None:
        """The verdict, if one was said: first as if by mistake, then confirmed."""
        fates = self.session.tracker.state.fates
        verdict = last_verdict(GAME, self.session.tracker.steps)
        if not verdict:
            return
        self.say_to(Undo())
        self.wait()
        assert self.session.tracker.state.fates == fates, "a verdict was taken back unasked"
        self.say_to(Undo(verdict.id))
        self.wait()
        assert self.session.tracker.state.fates != fates

    def turn_up(self, bed: int) -> None:
        """The camera sees what lies on a bed, and how it is covered again."""
        state = self.session.tracker.state
        n = len(state.beds[bed])
        codes = sorted(self.rig.slots[slot] for slot in state.beds[bed])
        asleep = state.fates[bed] == ASLEEP
        self._tell([self.rig.count(bed, -n), self.rig.zone(f"bed {bed + 1}", codes)])
        self.wait()
        tile = [f"P{state.princesses[bed]}D"] if asleep else []
        self._tell([self.rig.count(bed, n), self.rig.zone(f"bed {bed + 1}", tile)])
        self.wait()

    def say_to(self, command: Command) -> None:
        self.shown += [refusal.encode() for refusal in self.session.step([], [command])]

    def ask(self) -> None:
        """Hints at all levels."""
        for level in LEVELS:
            try:
                hint = msgspec.json.encode(
                    answer(self.session.statements.recorded, AskHint(level)), enc_hook=in_english
                )
            except CompanionError as error:
                hint = str(error).encode()
            self.shown.append(hint)

    def _render(self) -> None:
        for event in self.events[self._rendered :]:
            self.model.take(event)
            self.shown.append(msgspec.json.encode(event, enc_hook=in_english))
            self.shown.append("\n".join(self._screens(event)).encode())
        self._rendered = len(self.events)

    def _screens(self, event: Event) -> Iterator[str]:
        model, world, names, grid = self.model, WorldModel(), PlayerNames(), GRIDS[Size.LARGE]
        match event:
            case Claimed():
                place = model.table.places[event.subject - 1] if model.table else None
                yield VerdictScreen(event, place, breath=0).page(120, 40).markup
            case Score():
                yield ScoreScreen(event).page(120, 40).markup
            case Table():
                yield banner(call_of(model, names), grid, 120).markup
                sentences = (*event.may, *event.may_not)
                yield from (row.markup for row in table_panels.say(sentences, 120, 9))
                yield from (place_box(view, 1, 24, 14, names).markup for view in event.places)
                yield rows_of_cards(event.rows, 1, 9).markup
                yield piles(event, names, 40, 9).markup
        yield table_panels.header(model, names, 120).markup
        yield table_panels.status(model, world, 120).markup
        yield table_panels.log(model, names, 100).markup
        yield question(model.question.text, model.question.options, grid, 120).markup
        yield table_panels.keys(table_panels.keys_now(model), 120).markup


def other_worlds(dealt: State, right: Sequence[int], chance: Random) -> State:
    """The same table with other mattresses: on the beds `right` their princess's own, on no other bed."""
    variant = dealt.game.variant
    own = [list(full_set(variant, princess)) for princess in dealt.princesses]
    while True:
        pool = [face for bed, faces in enumerate(own) if bed not in right for face in faces]
        chance.shuffle(pool)
        beds = []
        for bed, faces in enumerate(own):
            n = variant.mattresses_per_bed
            there, pool = (faces, pool) if bed in right else (pool[:n], pool[n:])
            beds.append(chance.sample(there, n))
        if all((sorted(there) == sorted(own[bed])) == (bed in right) for bed, there in enumerate(beds)):
            faces = [0] * len(dealt.faces)
            for slots, there in zip(dealt.beds, beds, strict=True):
                for slot, face in zip(slots, there, strict=True):
                    faces[slot] = face
            return dealt._replace(faces=tuple(faces))


def claim_and_undo(game: Claims) -> None:
    """Every bed is claimed, taken back, claimed by the other way and taken back; then all but one are."""
    beds = range(len(game.state.beds))
    for bed in beds:
        for button in (bed % 2 == 0, bed % 2 == 1):
            game.claim(bed, button=button)
            if button and bed < 2:
                game.ask()
            game.undo()
    for bed in beds[:-1]:
        game.claim(bed, button=bed % 2 == 0)
        game.wait(4.8)
    for _ in beds:
        game.undo()


def agree(games: Iterable[Claims]) -> int:
    """Whether games whose verdicts are the same show the same; how many had a twin."""
    alike: defaultdict[tuple[str, ...], list[Claims]] = defaultdict(list)
    for game in games:
        alike[game.words].append(game)
    twins = 0
    for first, *others in alike.values():
        for other in others:
            twins += other.state.faces != first.state.faces
            assert other.shown == first.shown
    return twins


def without_words(events: Iterable[Event]) -> bytes:
    """Events as bytes, but for the words of verdicts."""
    text = b"\n".join(
        msgspec.json.encode(event, enc_hook=in_english) for event in events if not isinstance(event, Score)
    ).decode()
    for word, blank in WORDS.items():
        text = re.sub(word, blank, text)
    return text.encode()


@pytest.mark.quick(1)
@pytest.mark.parametrize(("variant", "players"), [("5+", 2), ("basic", 3)])
def test_claims_and_undos_tell_a_word_and_no_more(variant: str, players: int) -> None:
    chance = Random(f"{variant} {players}")
    dealt = RULES.setup(variant, players, chance)
    games = []
    for right in ((), (), (1,), (1,)):
        games.append(Claims(other_worlds(dealt, right, chance)))
        claim_and_undo(games[-1])
    beds = len(dealt.beds)
    assert all(len(game.words) == 3 * beds - 1 for game in games)
    assert len({game.words for game in games}) == 2
    assert "cannot tell" not in {word for game in games for word in game.words}
    assert agree(games) == 2
    assert len({without_words(game.events) for game in games}) == 1


@pytest.mark.long
def test_where_the_pad_missed_some_the_word_is_all_that_is_told_too() -> None:
    """Some claims stay open then: neither why nor what to show tells which mattress is which."""
    chance = Random(4)
    dealt = RULES.setup("basic", 3, chance)
    games = []
    for right in ((), (), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4)):
        games.append(Claims(other_worlds(dealt, right, chance), rig=DimRig))
        claim_and_undo(games[-1])
    assert "cannot tell" in {word for game in games for word in game.words}
    assert agree(games) == 2
    opened = {
        (event.subject, event.reasons, event.show)
        for game in games
        for event in game.events
        if isinstance(event, Claimed) and event.verdict == "cannot tell"
    }
    assert len(opened) == len({bed for bed, *_ in opened})


@pytest.mark.long
@pytest.mark.parametrize(("seed", "variant", "players"), [(2, "5+", 4), (1, "basic", 3)])
def test_amid_a_game_claims_tell_no_more_than_the_team_found_out(seed: int, variant: str, players: int) -> None:
    """Mattresses were felt, looked at and moved: those stay what they are, all others may be others."""
    played = play(seed, variant, players)
    upto = next(at for at, (_, action) in enumerate(played.history) if isinstance(action, ClaimAction))
    upto = min(upto, 60)
    games = []
    for world in range(2):
        games.append(Claims(other_faces(played, upto, Random(world))))
        for _, action in played.history[:upto]:
            games[-1].do(action)
        claim_and_undo(games[-1])
    assert agree(games)
    assert len({without_words(game.events) for game in games}) == 1


def shown_beds(game: Claims) -> None:
    """Two beds are claimed and turned up, and one of the claims is taken back after that."""
    for bed in (0, 1):
        game.claim(bed, button=bed == 0)
        game.turn_up(bed)
    game.ask()
    game.undo()
    for bed in (*range(2, len(game.state.beds)), 1):
        game.claim(bed, button=True)
        game.wait(4.8)  # who presses at many beds at once claims nothing
    game.turn_up(1)  # presses alone end no game


@pytest.mark.long
@pytest.mark.parametrize("rig", [ToldRig, DimRig])
def test_cards_that_are_turned_up_are_named_sorted_and_tell_nothing_of_others(rig: type[ToldRig]) -> None:
    """The beds that are shown hold the same in every world, in another order; the others hold anything."""
    chance = Random(9)
    dealt = RULES.setup("basic", 3, chance)
    for right in ((), (0,)) if rig is ToldRig else ((0,),):
        first = other_worlds(dealt, right, chance)
        games = []
        for _ in range(2):
            faces = [list(chance.sample([first.faces[slot] for slot in pile], 3)) for pile in dealt.beds]
            rest = [face for there in faces[2:] for face in there]
            while True:
                chance.shuffle(rest)
                faces[2:] = [rest[at : at + 3] for at in range(0, len(rest), 3)]
                own = [full_set(dealt.game.variant, princess) for princess in dealt.princesses]
                if not any(sorted(there) == sorted(her) for there, her in zip(faces[2:], own[2:], strict=True)):
                    break
            games.append(
                Claims(dealt._replace(faces=tuple(face for there in faces for face in there)), rig=rig)
            )
            shown_beds(games[-1])
        assert agree(games) == 1
        tables = [event for event in games[0].events if isinstance(event, Table)]
        named = [view.shown for view in tables[-1].places]
        assert len(named[0]) == 3
        if rig is ToldRig:
            assert tables[-1].phase == "over"
            assert len(named[1]) == 3, "what all have seen stays seen"
            assert named[2:] == [(), (), ()], "nobody was shown those"


class Outage(Claims):
    """A game during which the camera sees nothing for long, with a program that can be killed."""

    def __init__(self, dealt: State, journal: Path) -> None:
        super().__init__(dealt, rig=SteadyRig, journal=journal)
        self._path = journal

    def miss(self, actions: Iterable[Action]) -> None:
        """Actions of which the camera sees nothing."""
        self.rig.t += 1
        self._tell([Health(self.rig.t, "camera", False)])
        for action in actions:
            after = RULES.apply(self.state, action)
            for batch in self.rig.notice(self.state, action, after):
                self._tell([seen for seen in batch if not isinstance(seen, Sighting | Reach)])
            self.state = after
        self.rig.t += 30
        self._tell([])

    def look(self, sleeping: int) -> None:
        """The camera is back, and sees a sleeping tile on a bed that nobody was seen to claim."""
        self.rig.t += 1
        beds = [
            self.rig.zone(f"bed {bed + 1}", [f"P{self.state.princesses[bed]}D"] if tile else [])
            for bed, fate in enumerate(self.state.fates)
            for tile in [fate == ASLEEP or bed == sleeping]
        ]
        row = self.rig.zone("row", self.rig.row)
        self._tell([Health(self.rig.t, "camera", True), row, self.rig.zone("play", self.rig.played), *beds])
        self.wait()

    def key(self, command: Command) -> None:
        self.rig.t += 1
        self._clock.sleep(self.rig.t - self._clock.now())
        self.say_to(command)
        self.wait(1.2)

    def position(self) -> None:
        """Somebody looks at what could be taken over."""
        self.shown.append(msgspec.json.encode(self.session.position(), enc_hook=in_english))

    def join(self) -> None:
        """A new screen."""
        self.shown += [msgspec.json.encode(event, enc_hook=in_english) for event in self.session.welcome()]

    def restart(self) -> None:
        """The program is killed and started again."""
        self.close()
        self._journal = Journal(self._path, sync=False, resume=True)
        game = self.state.game
        self.session = Session(
            GAME,
            game.variant.name,
            game.players,
            clock=self._clock,
            publish=self.events.append,
            journal=self._journal,
            recorded=read_journal(self._path).lines,
        )
        self.look(-1)
        counts = [self.rig.count(bed, 0) for bed in range(len(self.state.beds))]
        self._tell([Health(self.rig.t, "board", True), *counts])
        self.wait()


def left_behind(game: Outage) -> None:
    """Everything that leads out of an outage is done, taken back and done again, and the program killed."""
    awake = tuple(bed + 1 for bed, fate in enumerate(game.session.tracker.state.fates) if fate == AWAKE)[:1]
    for keys in ((TableIsRight(), Turn(1), EndGame()), (Turn(2),), (TableIsRight(2, awake),)):
        for command in keys:
            game.position()
            game.key(command)
        game.ask()
        game.claim(1, button=True)
        game.undo()
        game.join()
        game.key(Undo())
    game.key(TableIsRight())
    game.restart()
    game.join()
    game.claim(2, button=False)
    game.undo()
    game.ask()


@pytest.mark.long
def test_what_leads_out_of_an_outage_tells_nothing_of_hidden_mattresses(tmp_path: Path) -> None:
    """Whatever is settled by t, g and f, taken back, and gone on with after the program was killed."""
    played = play(1, "basic", 3)
    actions = [action for _, action in played.history]
    upto = next(at for at, action in enumerate(actions) if isinstance(action, ClaimAction))
    upto = min(upto, 30)
    games = []
    for world in range(2):
        games.append(Outage(other_faces(played, upto, Random(world)), tmp_path / f"{world}.jsonl"))
        for action in actions[: upto - 8]:
            games[-1].do(action)
        games[-1].miss(actions[upto - 8 : upto])
        games[-1].look(0)
        left_behind(games[-1])
        games[-1].close()
    assert agree(games)
    assert len({without_words(game.events) for game in games}) == 1
