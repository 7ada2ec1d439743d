"""What is said aloud: each thing once, nothing hidden, by programs that may be missing, fail or hang."""

import io
import os
import shutil
import stat
import threading
import time
import wave
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from companion.core import language
from companion.core.config import SoundConfig, load_config
from companion.dashboard.app import Dashboard
from companion.dashboard.display_settings import ScreenLook
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.plain.plain_lines import event_lines, news_of
from companion.dashboard.screens.settings_screen import SettingsScreen
from companion.dashboard.screens.verdict_and_score import VerdictScreen
from companion.dashboard.voice.announcements import BLIND_S, TURN_S, Announcement, Announcer
from companion.dashboard.voice.chimes import CHIMES, RATE, chime
from companion.dashboard.voice.sound_programs import SoundPrograms
from companion.dashboard.voice.speaker import OLD_S, Speaker, Voice
from companion.dashboard.voice.spoken_lines import NEWS_OLD_S, LinesToSpeak, lines_of_event, replies
from companion.session.stream.events import Advice, CardView, Event, HintView, Question, Said, SensorHealth
from companion.session.stream.virtual_table_events import TableState, Truth, WorldEvent, YourTurn
from tests.dashboard.test_dashboard_app import desk
from tests.dashboard.test_dashboard_text import ASK, CLAIMED, HEARD, SCORE, TABLE, WELCOME

ALL = SoundConfig(turn=True, verdict=True, score=True, request=True, chimes=True)
NAMED = msgspec.structs.replace(WELCOME, names=("Anna", "Ben", "Cleo"))
NEXT = msgspec.structs.replace(TABLE, turn=13, player=3)


def heard(*events: Event) -> list[Announcement]:
    """What an announcer says to events that come one after another; what withdraws is left out."""
    model, announcer, said = PublicModel(), Announcer(), []
    for event in events:
        model.take(event)
        said += announcer.hear(event, model)
    return [one for one in said if one.words or one.chime]


def words(*events: Event) -> list[str]:
    return [one.words for one in heard(*events) if one.words]


def test_a_turn_is_said_by_name_and_once_however_often_it_is_sent() -> None:
    assert words(NAMED, TABLE, TABLE, NAMED, TABLE) == ["Ben, it is your turn."]
    assert words(NAMED, TABLE, NEXT) == ["Ben, it is your turn.", "Cleo, it is your turn."]
    assert [one.after_s for one in heard(NAMED, TABLE)] == [TURN_S]


def test_it_is_said_in_the_language_that_the_screen_speaks() -> None:
    language.use("de")
    try:
        (said,) = heard(NAMED, TABLE)
        assert said.language == "de"
        assert "Ben" in said.words
        assert "turn" not in said.words
    finally:
        language.use(language.ENGLISH)


def test_a_score_of_a_game_that_nobody_saw_is_no_news() -> None:
    over = msgspec.structs.replace(TABLE, over=True, player=0)
    assert words(NAMED, over, SCORE) == []
    assert words(NAMED, TABLE, over, SCORE, SCORE)[1:] == [SCORE.text]


def test_a_question_is_asked_and_a_blind_camera_told_only_if_it_stays_blind() -> None:
    blind = SensorHealth("camera", False, "it is too dark")
    said = heard(NAMED, TABLE, ASK, blind, SensorHealth("camera", True), blind)
    assert [one.words for one in said[1:]] == [ASK.text, *["I cannot see the table."] * 2]
    assert {one.after_s for one in said[2:]} == {BLIND_S}
    assert said[2].what != said[3].what


def test_a_verdict_says_its_word_and_which_card_to_show() -> None:
    claimed = msgspec.structs.replace(CLAIMED, show="the top card")
    verdict, show = Announcer().verdict(claimed, PublicModel().names)
    assert (verdict.words, verdict.chime) == (CLAIMED.text, CLAIMED.verdict)
    assert show.words == "Show the camera the top card."


def test_hints_and_what_only_one_player_knows_are_never_said() -> None:
    hint = Advice("coach", 2, (HintView("Play 5 5."),), 9, private=True)
    assert heard(NAMED, hint) == []


@pytest.mark.parametrize("name", CHIMES)
def test_a_chime_is_a_short_wav_that_does_not_click(name: str) -> None:
    with wave.open(io.BytesIO(chime(name))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        samples = array("h", file.readframes(file.getnframes()))
    assert 0.2 < len(samples) / RATE < 2
    assert 5000 < max(samples) < 20000
    assert max(map(abs, samples[:5])) < 1000
    assert max(map(abs, samples[-20:])) < 1500


class Obeying:
    """Programs that note what they are to do, and speak until they are let go on."""

    def __init__(self, *, works: bool = True) -> None:
        self.done: list[str] = []
        self.cuts = 0
        self.works = works
        self.may_end = threading.Event()
        self.may_end.set()

    def speak(self, said: str, _language: str) -> bool:
        self.done.append(said)
        self.may_end.wait(60)
        return self.works

    def play(self, file: Path) -> bool:
        assert file.exists()
        self.done.append(file.stem)
        return self.works

    def begin(self) -> None:
        pass

    def cut(self) -> None:
        self.cuts += 1
        self.may_end.set()

    def stop(self) -> None:
        self.may_end.set()


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    assert true()


def test_while_a_sentence_lasts_only_the_newest_of_each_kind_waits(tmp_path: Path) -> None:
    programs = Obeying()
    programs.may_end.clear()
    speaker = Speaker(programs, tmp_path, lambda _why: None)
    speaker.say([Announcement("turn", "one", what=1)])
    until(lambda: programs.done == ["one"])
    speaker.say([Announcement("turn", "two", what=2)])
    speaker.say([Announcement("turn", "three", what=3), Announcement("request", "asked")])
    speaker.say([Announcement("score", "the end"), Announcement("request")])
    programs.may_end.set()
    until(lambda: len(programs.done) == 3)
    speaker.close()
    assert programs.done == ["one", "the end", "three"]


def test_what_is_old_or_was_just_said_is_dropped_and_what_is_early_waits(tmp_path: Path) -> None:
    now = [100.0]
    speaker = Speaker(Obeying(), tmp_path, lambda _why: None, clock=lambda: now[0])
    speaker.close()  # the thread: what follows asks in its place
    speaker.say([Announcement("turn", "your turn", after_s=1.0, what=7)])
    assert speaker.due(100.0) == (None, 1.0)
    one, _ = speaker.due(101.0)
    assert one is not None
    assert one.words == "your turn"
    now[0] = 102.0
    speaker.say([Announcement("turn", "your turn", what=7)])
    assert speaker.due(102.0) == (None, None)
    speaker.say([Announcement("verdict", "she sleeps")])
    assert speaker.due(102.1 + OLD_S) == (None, None)


def test_silence_is_told_once(tmp_path: Path) -> None:
    told: list[str] = []
    programs = Obeying(works=False)
    speaker = Speaker(programs, tmp_path, told.append)
    for text in ("a", "b", "c"):
        speaker.say([Announcement("turn", text, "asked")])
        until(lambda text=text: text in programs.done)
    speaker.close()
    assert sorted(one.split(":")[0] for one in told) == ["No chimes", "Nothing is said"]


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., Path]:
    """Makes a program of a name that notes how it was called, and then does what it is told."""
    (tmp_path / "bin").mkdir()

    def make(name: str, behaviour: str = "exit 0") -> Path:
        program, notes = tmp_path / "bin" / name, tmp_path / f"{name}.notes"
        program.write_text(f'#!/bin/sh\necho "$@" >> {notes}\n{behaviour}\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return notes

    return make


def test_words_reach_a_speaking_program_as_words_and_never_as_options(
    fake: Callable[..., Path], tmp_path: Path
) -> None:
    notes = fake("spd-say")
    programs = SoundPrograms(tmp_path, str(tmp_path / "bin"))
    assert programs.speak("--version; rm -rf $HOME", "fr")
    assert notes.read_text() == "--wait --language fr -- --version; rm -rf $HOME\n"


def test_a_program_that_fails_is_given_up_for_the_next_one(fake: Callable[..., Path], tmp_path: Path) -> None:
    failing = fake("spd-say", "exit 1")
    notes = fake("espeak-ng", f"cat >> {tmp_path}/read; touch $4")
    played = fake("aplay")
    programs = SoundPrograms(tmp_path, str(tmp_path / "bin"))
    assert programs.speak("Ben, it is your turn.", "de")
    assert programs.speak("Cleo, it is your turn.", "de")
    assert failing.read_text().count("\n") == 1
    assert notes.read_text().startswith(f"-v de -w {tmp_path}/words.wav --stdin")
    assert (tmp_path / "read").read_text() == "Ben, it is your turn.Cleo, it is your turn."
    assert played.read_text().count("words.wav") == 2


def test_a_program_that_hangs_is_ended_with_what_it_started(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.dashboard.voice.sound_programs.SPEECH_S", 0.2)
    monkeypatch.setattr("companion.dashboard.voice.sound_programs.LETTER_S", 0.0)
    fake("spd-say", f"sleep 60 & echo $! > {tmp_path}/child; wait")
    programs = SoundPrograms(tmp_path, str(tmp_path / "bin"))
    assert not programs.speak("Ben, it is your turn.", "en")
    assert programs.speakers == []
    child = Path(f"/proc/{(tmp_path / 'child').read_text().strip()}/status")
    until(lambda: not child.exists() or "Z (zombie)" in child.read_text())


def test_what_a_hanging_program_has_kept_is_old_and_the_next_one_speaks_the_next_sentence(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.dashboard.voice.sound_programs.SPEECH_S", 0.2)
    monkeypatch.setattr("companion.dashboard.voice.sound_programs.LETTER_S", 0.1)
    monkeypatch.setattr("companion.dashboard.voice.sound_programs.LATE_S", 0.1)
    fake("spd-say", "exec sleep 60")
    fake("espeak-ng", f"cat >> {tmp_path}/read")
    programs = SoundPrograms(tmp_path, str(tmp_path / "bin"))
    assert programs.speak("", "en")
    assert programs.speak("Cleo, go.", "en")
    assert (tmp_path / "read").read_text() == "Cleo, go."


def test_leaving_ends_a_sentence_at_once(fake: Callable[..., Path], tmp_path: Path) -> None:
    notes = fake("spd-say", "exec sleep 60")
    programs = SoundPrograms(tmp_path, str(tmp_path / "bin"))
    told: list[str] = []
    speaker = Speaker(programs, tmp_path, told.append)
    speaker.say([Announcement("turn", "your turn")])
    until(notes.exists)
    began = time.monotonic()
    speaker.close()
    assert time.monotonic() - began < 5
    assert told == []


def test_of_two_screens_one_speaks_and_the_other_when_it_has_left(tmp_path: Path) -> None:
    (one_said, other_said) = (Obeying(), Obeying())
    one = Voice(tmp_path / "engine.sock", ALL, lambda _why: None, lambda _folder: one_said)
    other = Voice(tmp_path / "engine.sock", ALL, lambda _why: None, lambda _folder: other_said)
    model = PublicModel()
    for event in (NAMED, TABLE):
        model.take(event)
        one.hear(event, model)
        other.hear(event, model)
    model.take(ASK)
    for voice in (one, other):
        voice.hear(ASK, model)
    until(lambda: ASK.text in one_said.done)
    one.close()
    other.hear(HEARD, model)
    until(lambda: "heard" in other_said.done)
    other.close()
    assert ASK.text not in other_said.done


def test_what_is_switched_off_is_not_said(tmp_path: Path) -> None:
    said = Obeying()
    voice = Voice(tmp_path / "e", SoundConfig(request=True), lambda _why: None, lambda _folder: said)
    model = PublicModel()
    for event in (NAMED, TABLE, HEARD, ASK, Question(""), ASK):
        model.take(event)
        voice.hear(event, model)
    voice.verdict(CLAIMED, model)
    until(lambda: len(said.done) == 2)
    voice.close()
    assert set(said.done) == {ASK.text, f"Show the camera {CLAIMED.show}."}


async def test_the_screen_speaks_once_it_is_switched_on_and_says_the_verdict_with_its_word(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = fake("spd-say")
    monkeypatch.setattr("companion.dashboard.screens_over_table.BREATH_S", 0.3)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    file = tmp_path / "companion.toml"
    app = Dashboard(tmp_path / "e", look=ScreenLook(file=file))
    async with desk(tmp_path, app=app) as one:
        end = await one.plays()
        await one.press("f4")
        await one.until(lambda: isinstance(app.screen, SettingsScreen))
        rows = app.screen.form.rows
        assert not notes.exists()
        for name in ("turn", "verdict"):
            app.screen.form.row = rows.index(name)
            await one.press("space")
        await one.press("escape")
        await one.until(lambda: notes.exists() and "Player 2, it is your turn." in notes.read_text())
        end.server.send(HEARD)
        end.server.send(CLAIMED)
        await one.until(lambda: isinstance(app.screen, VerdictScreen) and not app.screen.told)
        assert CLAIMED.text not in notes.read_text()
        await one.until(lambda: CLAIMED.text in notes.read_text())
    assert load_config(file).sound == SoundConfig(turn=True, verdict=True)


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed here")
def test_a_real_speaking_program_makes_sound_of_a_sentence(
    fake: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin" / "espeak-ng").symlink_to(str(shutil.which("espeak-ng")))
    fake("aplay", f"cp $2 {tmp_path}/played.wav")
    programs = SoundPrograms(tmp_path, f"{tmp_path / 'bin'}:/bin:/usr/bin")
    programs.speakers, programs.players = ["espeak-ng"], ["aplay"]
    lengths = []
    for said in ("Ben.", "Ben, it is your turn."):
        assert programs.speak(said, "de")
        with wave.open(str(tmp_path / "played.wav")) as file:
            lengths.append(file.getnframes() / file.getframerate())
    assert 0.3 < lengths[0] < lengths[1] < 4


LINES = SoundConfig(lines=True)
ACTIONS = ("Draw a card", "Claim: Daisies sleeps")
SEAT = YourTurn(1, (CardView("3", "a 3"),), ("Daisies feels like a Bat",), ACTIONS, on_turn=True)


class Reader:
    """Every line that a voice has begun to speak; one at a time, until it is let go on."""

    def __init__(self, folder: Path, switches: SoundConfig = LINES) -> None:
        self.programs = Obeying()
        (folder / "engine.sock").touch()
        self.model, self.world = PublicModel(), WorldModel()
        self.voice = Voice(folder / "engine.sock", switches, lambda _why: None, lambda _: self.programs)

    def hear(self, *events: Event) -> None:
        for event in events:
            self.model.take(event)
            self.voice.hear(event, self.model)

    def see(self, *events: WorldEvent) -> None:
        for event in events:
            self.world.take(event)
            self.voice.hear_world(event, self.world)

    def said(self, *wanted: str) -> None:
        until(lambda: all(one in self.programs.done for one in wanted))

    def busy(self, line: str) -> None:
        """Until `line` is being spoken, and speak it until something is cut."""
        self.programs.may_end.clear()
        self.voice.reply([line])
        until(lambda: line in self.programs.done)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    one = Reader(tmp_path)
    yield one
    one.voice.close()


def test_every_line_of_an_event_is_spoken(reader: Reader) -> None:
    events = (
        NAMED,
        TABLE,
        ASK,
        Advice("coach", 2, (HintView("Play 5 5."),), 9),
        SCORE,
        SensorHealth("board", False),
    )
    wanted = []
    for event in events:
        before = reader.model.table
        reader.hear(event)
        wanted += event_lines(event, reader.model, before)
    reader.said(*wanted)


def test_a_hint_that_the_next_table_withdraws_is_not_begun(reader: Reader) -> None:
    reader.hear(NAMED, TABLE)
    reader.busy("a long answer")
    reader.hear(Advice("coach", 2, (HintView("Play 5 5."),), 9), NEXT)
    reader.programs.may_end.set()
    reader.said(*news_of(NEXT, reader.model.names)[:1])
    assert "Play 5 5." not in reader.programs.done


def test_a_question_interrupts_news_and_a_withdrawn_one_is_not_spoken(reader: Reader) -> None:
    reader.programs.may_end.clear()
    reader.hear(Said(1.0, "Anna draws."), Said(2.0, "Ben draws."))
    until(lambda: reader.programs.done)
    reader.hear(NAMED, ASK)
    until(lambda: len(reader.programs.done) > 1)
    assert (reader.programs.done[:2], reader.programs.cuts) == (["Anna draws.", ASK.text], 1)
    reader.busy("later")
    reader.hear(msgspec.structs.replace(ASK, text="Another?", id="q2"), Question(""))
    reader.programs.may_end.set()
    reader.said("Ben draws.")
    assert "Another?" not in reader.programs.done


def test_choices_that_a_question_has_cut_are_read_again_from_there(reader: Reader) -> None:
    reader.programs.may_end.clear()
    reader.see(TableState(1, 1.0, False, 1), SEAT)
    until(lambda: "Your hand: a 3" in reader.programs.done)
    reader.hear(NAMED, ASK)
    reader.said(ASK.text, *(f"{n}: {action}" for n, action in enumerate(ACTIONS, 1)))
    assert reader.programs.done.count("Your hand: a 3") == 2


def test_choices_of_a_turn_that_is_over_are_not_read(reader: Reader) -> None:
    reader.busy("wait")
    reader.see(TableState(1, 1.0, False, 1), SEAT, YourTurn(1, SEAT.hand, (), ()))
    reader.programs.may_end.set()
    reader.said("You are player 1.")
    assert not any("Draw a card" in line for line in reader.programs.done)


def test_a_hidden_hand_and_the_truth_of_a_virtual_table_are_never_spoken(reader: Reader) -> None:
    reader.see(TableState(1, 1.0, False, 1), Truth(("M3 lies under bed 2",)))
    reader.world.hand_hidden = True
    reader.see(SEAT)
    reader.voice.reply(["the end"])
    reader.said("You are player 1.", "the end")
    assert not any("a 3" in line or "M3" in line for line in reader.programs.done)


def test_what_is_typed_ends_an_answer_and_silence_ends_everything(reader: Reader) -> None:
    reader.busy("one")
    reader.voice.reply(["two"])
    until(lambda: "two" in reader.programs.done)
    reader.busy("three")
    reader.hear(Said(1.0, "Anna draws."))
    reader.voice.hush()
    reader.voice.reply(["four"])
    reader.said("four")
    assert "Anna draws." not in reader.programs.done


def test_news_that_waited_for_long_is_dropped() -> None:
    lines = LinesToSpeak()
    lines.put(lines_of_event(Said(1.0, "old"), ["old"], PublicModel()), 0.0)
    lines.put(replies(["asked"]), 0.0)
    spoken = lines.next(NEWS_OLD_S + 1)
    assert spoken is not None
    assert spoken.words == "asked"
    assert lines.next(NEWS_OLD_S + 1) is None


def test_without_the_switch_no_line_is_spoken(tmp_path: Path) -> None:
    one = Reader(tmp_path, SoundConfig(turn=True))
    one.hear(NAMED, TABLE)
    one.said("Ben, it is your turn.")
    one.voice.close()
    assert one.programs.done == ["Ben, it is your turn."]
