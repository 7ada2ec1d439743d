"""The set-up wizard in the reader's language: pages, requests, and the report's decision; nothing too wide."""

import re
from typing import cast

import pytest

from calibration.doctor.check_words import VERDICTS
from calibration.wizard import setup_requests as ask
from calibration.wizard.screens.live_pictures import weight_bars
from calibration.wizard.screens.report_screen import ReportScreen, report_words
from calibration.wizard.screens.setup_app import SetupApp
from calibration.wizard.screens.step_pages import PAGES
from calibration.wizard.setup_run import TITLES, SetupReport, SetupRun
from calibration.wizard.setup_walk import ScreenPerson
from calibration.wizard.step_result import Check, Decision, Verdict, result_of
from companion.core import language
from companion.core.language import LANGUAGES, PSEUDO, Language, localized, term, text

REQUESTS = (
    ask.ClearTable(),
    ask.LayCorners(100, 60),
    ask.ChooseCamera("0"),
    ask.LayLensSheet(1, 6, False),
    ask.LayLensSheet(5, 6, True),
    ask.LayRows(2),
    ask.LayInOrder(("5", "6"), ("5", "6")),
    ask.ConfirmOrder((("5", "6"),)),
    ask.LeaveOut(2, "5, 6"),
    ask.LayLeftOut("5, 6"),
    ask.NameCharacter("5"),
    ask.NameCharacter("5", "7"),
    ask.ShowCard("bed 1"),
    ask.ShowCard("bed 1", "8"),
    ask.PressCard("bed 1", "8"),
    ask.LoadScale("bed 2", 0),
    ask.LoadScale("bed 2", 1),
    ask.LoadScale("bed 2", 3),
    ask.TouchElectrode("bed 1"),
    ask.LampsBeside(),
    ask.PushButton("bed 1"),
    ask.PushBesideLamp(),
    ask.LayCard("bed 1", ""),
    ask.LayCard("bed 1", "8"),
)
_PLAIN = re.compile(r"[A-Za-z]{2,}")


def test_enter_answers_a_question_with_yes_and_not_with_done() -> None:
    asks = {
        type(request)
        for request in REQUESTS
        if request.headline.endswith("?") and request.confirmed and not request.typed
    }
    assert asks == {type(request) for request in REQUESTS if request.question}
    assert ask.ConfirmOrder in asks


def test_pages_and_requests_are_translated() -> None:
    language.use(PSEUDO)
    said = [localized(one) for request in REQUESTS for one in (request.sentence, request.headline, request.no)]
    for page in PAGES.values():
        said += [localized(one) for one in (page.big, page.text, page.ready, page.takes)]
    said += map(localized, (*TITLES.values(), *VERDICTS.values()))
    assert [one for one in said if _PLAIN.search(one)] == []


def test_keys_and_stations_of_the_wizard_are_translated() -> None:
    language.use(PSEUDO)
    report = ReportScreen(SetupReport(Decision.NO_GO, (), ()))
    app = SetupApp(cast("SetupRun", None), ScreenPerson())
    keys = [one for node in (app, report) for those in node._bindings.key_to_bindings.values() for one in those]
    said = [one.description for one in keys if one.show and "command" not in one.action]
    assert len(said) > 6
    assert [one for one in (*said, *weight_bars({"bed 1": 4.0}, 30)) if _PLAIN.search(one)] == []


@pytest.mark.parametrize("code", list(LANGUAGES))
def test_what_is_listed_or_written_big_has_room_in_every_language(code: str) -> None:
    tongue = Language(code)
    assert max(len(tongue.say(one)) for one in TITLES.values()) <= 30
    assert max(len(tongue.say(one)) for one in VERDICTS.values()) <= 10
    assert max(len(tongue.say(page.big)) for page in PAGES.values()) <= 17


def test_the_report_says_its_decision_in_the_readers_language() -> None:
    language.use("de")
    steps = tuple(result_of(name, ()) for name in TITLES)
    told = report_words(SetupReport(Decision.GO_WITHOUT, ("camera",), steps))
    assert told.startswith("Los, aber ohne: Kamera")
    assert localized(VERDICTS[Verdict.NOT_TESTED]) in told
    told = report_words(SetupReport(Decision.GO_WITHOUT, ("camera",), steps[:1], left=("lens", "cards")))
    assert told.startswith("Noch nicht fertig:\n  Linse"), "a rig is not said to be ready while steps are left"


def test_a_report_for_programs_is_english() -> None:
    """What a device says of itself is a text with a translation."""
    language.use("de")
    check = Check("camera", Verdict.NOT_GOOD, said=text("no camera can be opened"), fix=text("check the cable"))
    told = SetupReport(Decision.NO_GO, (), (result_of("find", [check]),)).plain()["steps"][0]
    assert (told["said"], told["fix"]) == ("no camera can be opened", "check the cable")


def test_names_of_cards_in_a_row_are_in_the_readers_language() -> None:
    names = (term("princess", "Watermelons"), term("princess", "Pizza"))
    language.use("de")
    assert "Melone · Pizza" in localized(ask.LayInOrder(("PA", "PB"), names).sentence)
    assert "Melone / Pizza" in localized(ask.ConfirmOrder((names[:1], names[1:])).sentence)
