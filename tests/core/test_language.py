"""Sentences in the reader's language: made with values, sent as ids, rendered by each client."""

import ast
import copy
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.core import language
from companion.core.language import (
    Language,
    Text,
    either,
    in_english,
    listed,
    on_wire,
    plural,
    rendered,
    term,
    text,
    tr,
)
from companion.core.recognised_texts import recognised
from companion.core.sensor_terms import sensor_name
from companion.games.sleeping_queens import terms as sleeping_queens
from companion.games.sleeping_queens_2 import terms as sleeping_queens_2
from companion.session.stream.events import Event, Question, Said
from companion.session.stream.stream import decode_line, encode_line
from tests.support import catalogues
from tests.support.sources import ROOT, modules

SOME = "{most} screens are connected, and there is no room for more. Close one of them."
ENGLISH_ONLY = {
    "companion/commands/simulate.py": "for developers: random games, counted",
    "companion/games/simulation.py": "the same",
    "companion/commands/rehearse.py": "for developers: whole games, played and judged by a machine",
    "companion/rehearse": "the same",
    "companion/virtual/render/art_looks.py": "the same",
    "calibration/virtual_rig/rig_defects.py": "for developers: the set-up against a rig with defects",
    "companion/commands/bench.py": "for developers: measurements",
    "companion/commands/replay.py": "the table of --damage, for developers; all else is translated",
    "companion/session/journal/fault_injection.py": "the same",
    "companion/session/stream/stream.py": "read by programs",
    "firmware/board": "the board knows no languages; the host translates",
    "firmware/simulator": "for developers",
}
"""Modules and folders whose errors and lines stay English -> why."""
_ERRORS = ("BadInputError", "SourceError", "NotThereError", "JournalError", "LostError")
_SENTENCE = re.compile(r"[a-z]{2,} [a-z]{2,}")


def test_a_text_is_its_english_sentence() -> None:
    said = text("{who} takes {cards}.", who="Kate", cards=("3", term("card", "blanket")))
    assert said == "Kate takes 3, blanket."
    assert plural("{n} card", "{n} cards", n=1) == "1 card"
    assert plural("{n} card", "{n} cards").of(n=2) == "2 cards"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a"]) == either(["a"]) == "a"
    assert Language(language.PSEUDO).say(listed([text("one")])) == "ȯṅė", "one word stays a text"
    assert listed([]) == ""


def test_values_are_no_format_strings() -> None:
    hostile = text("{who.__class__} {0} {who}", who="{whom}", whom="nobody")
    assert hostile == "{who.__class__} {0} {whom}"


@pytest.mark.parametrize("code", ["de", "fr", "it", language.PSEUDO])
def test_each_client_reads_the_same_line_in_its_own_language(code: str) -> None:
    line = encode_line(
        Question(text(SOME, most=text("{items} and {last}", items=(3, 4), last=5)), ("yes",), "full")
    )
    english = decode_line(line, Event)
    assert english.text == SOME.replace("{most}", "3, 4 and 5")
    language.use(code)
    other = decode_line(line, Event)
    assert (other.options, other.id) == (("yes",), "full")
    assert other.text != english.text
    assert "3, 4" in other.text


def test_plain_strings_and_unknown_sentences_pass_as_they_are() -> None:
    language.use("de")
    assert decode_line(b'{"e":"said","t":1.0,"text":"from elsewhere"}', Event) == Said(1.0, "from elsewhere")
    unknown = b'{"e":"said","t":1.0,"text":{"say":"{who} came.","with":{"who":"Kate"}}}'
    assert decode_line(unknown, Event) == Said(1.0, "Kate came.")


@pytest.mark.parametrize(
    "odd", ['{"say":5}', '{"say":"a {n}","many":"b {n}","with":[1]}', '{"say":"a","with":7}']
)
def test_a_malformed_text_is_no_line_of_the_stream(odd: str) -> None:
    language.use("de")
    with pytest.raises(Exception, match="not a line"):
        decode_line(f'{{"e":"said","t":1.0,"text":{odd}}}'.encode(), Event)


def test_a_fraction_has_the_decimal_sign_of_the_language() -> None:
    said = text("{scale} px per mm", scale=1.9)
    assert said == "1.9 px per mm"
    assert [Language(code).say(said) for code in ("en", "de")] == ["1.9 px per mm", "1,9 px je mm"]


def test_files_and_json_for_programs_are_english() -> None:
    assert msgspec.json.encode({"a": text("Goodbye!")}, enc_hook=in_english) == b'{"a":"Goodbye!"}'
    with pytest.raises(TypeError):
        msgspec.json.encode({"a": object()}, enc_hook=on_wire)


def test_copies_keep_what_a_text_says() -> None:
    said = plural("{n} card", "{n} cards", n=3)
    for other in (copy.deepcopy(said), pickle.loads(pickle.dumps(said))):
        assert isinstance(other, Text)
        assert (other, other.id, other.many, other.values) == (said, said.id, said.many, said.values)


def test_french_says_nought_in_the_singular(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for code in ("de", "fr"):
        (tmp_path / f"{code}.po").write_text(
            f'msgid ""\nmsgstr ""\n"Plural-Forms: {catalogues.RULES[code]}\\n"\n\n'
            '#, fuzzy\nmsgid "unsure"\nmsgstr "wrong"\n\n'
            'msgctxt "card"\nmsgid ""\n"king"\nmsgstr "R\\"oi\\""\n\n'
            'msgid "{n} card"\nmsgid_plural "{n} cards"\nmsgstr[0] "{n} carte"\nmsgstr[1] "{n} cartes"\n'
        )
    monkeypatch.setattr(language, "FOLDER", tmp_path)
    cards = plural("{n} card", "{n} cards", n=0)
    assert [Language(code).say(cards) for code in ("en", "de", "fr")] == ["0 cards", "0 cartes", "0 carte"]
    assert Language("fr").say(term("card", "king")) == 'R"oi"'
    assert Language("fr").say(text("king")) == "king"
    assert Language("fr").say(text("unsure")) == "unsure"


@pytest.mark.parametrize(
    ("chosen", "setting", "system", "code"),
    [
        ("", "", {"LANG": "de_AT.UTF-8"}, "de"),
        ("", "", {"LANG": "C.UTF-8"}, "en"),
        ("", "", {"LANG": "de_DE", "LC_ALL": "fr_FR.UTF-8"}, "fr"),
        ("", "", {"LANGUAGE": "sv:it:de", "LANG": "de_DE"}, "it"),
        ("", "it", {"LANG": "de_DE.UTF-8"}, "it"),
        ("fr", "it", {"LANG": "de_DE.UTF-8"}, "fr"),
    ],
)
def test_option_before_setting_before_system(
    chosen: str, setting: str, system: dict[str, str], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, system.get(name, ""))
    monkeypatch.setenv(language.CHOSEN, chosen)
    assert language.choose(setting) == code


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(KeyError):
        language.use("klingon")


def test_every_sentence_is_in_every_language() -> None:
    assert catalogues.faults(ROOT) == []


def test_the_check_finds_what_is_wrong() -> None:
    wanted = catalogues.template(ROOT)
    known = catalogues.catalogue(ROOT, "de")
    known.update(wanted, no_fuzzy_matching=True)
    known[SOME].string = "{many} Bildschirme"
    known.add("nobody says this", "das sagt niemand")
    known["Goodbye!"].string = 'Auf "Wiedersehen"!'
    french = catalogues.catalogue(ROOT, "fr")
    french["It is the turn of {who}."].string = "C’est le tour de {who}."
    elided = list(catalogues.faults_of(french, wanted, catalogues.TYPOGRAPHY["fr"]))
    assert [one for one in elided if "elided before some names" in one] == elided[:1] == elided
    found = list(catalogues.faults_of(known, wanted, catalogues.TYPOGRAPHY["de"]))
    assert any("other names in braces" in one for one in found)
    assert any("of another language" in one for one in found)
    assert any("said nowhere any more" in one for one in found)


@pytest.mark.parametrize("sign", list(":;!?»%"))
def test_a_french_sign_stands_after_a_space_of_its_width_that_breaks_no_line(sign: str) -> None:
    wrong = catalogues.TYPOGRAPHY["fr"]
    space, other = ("\u202f", "\xa0") if sign in ";!?" else ("\xa0", "\u202f")
    good = [f"oui{space}{sign} non", f"({{why}}){space}{sign} {{n}}"]
    assert not any(map(wrong.search, [*good, "http://pi:8080/?a=1&b", "« oui »".replace(" ", "\xa0")]))
    assert wrong.search(f"oui{other}{sign} non")
    assert wrong.search("«\u202foui\xa0»")
    assert wrong.search(f"oui {sign} non")
    assert sign == "%" or (wrong.search(f"oui{sign} non") and wrong.search(f"({{why}}){sign} {{n}}"))


def test_in_the_tests_language_every_letter_shows_that_it_was_translated() -> None:
    language.use(language.PSEUDO)
    assert tr("{who} goes on", who="Kate") == "Kate ġȯėṡ ȯṅ"
    assert rendered({"say": "a {b}", "with": {"b": {"say": "c"}}}) == "ȧ ċ"


def untranslated(source: str) -> Iterator[str]:
    """Sentences of errors, their next steps and printed lines that do not go through the catalogues."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            known = ast.unparse(node.exc.func) in _ERRORS
            steps = (word.value for word in node.exc.keywords if word.arg == "next_step")
            said = [*node.exc.args[:1], *steps] if known else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
            said = node.args[:1]
        else:
            continue
        for one in said:
            parts = one.values if isinstance(one, ast.JoinedStr) else [one]
            words = "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
            if _SENTENCE.search(words) and not words.startswith(("companion", "--")):
                yield words


def test_errors_and_lines_that_people_can_meet_are_translated() -> None:
    candidate = re.compile(r"""(?:Error\(|say\(|next_step=)\s*f?["']""")
    found = []
    for path in modules():
        name, source = path.relative_to(ROOT).as_posix(), path.read_text()
        if not name.startswith(tuple(ENGLISH_ONLY)) and candidate.search(source):
            found += [f"{name}: {words}" for words in untranslated(source)]
    assert found == []
    assert list(untranslated('raise BadInputError(f"no such file {x}", next_step="name one")')) == [
        "no such file ",
        "name one",
    ]


def test_no_sentence_is_hidden_in_an_f_string() -> None:
    """The catalogues are made from the source: what stands within an f-string is not found there."""
    hidden = re.compile(r"""\{(?:[^{}"\n]* or )?(?:tr|text|plural|term)\(["']""")
    found = [path.name for path in modules() if hidden.search(path.read_text())]
    assert found == []


@pytest.mark.parametrize("code", ["de", "fr", "it"])
def test_parts_that_break_have_a_name_in_every_language(code: str) -> None:
    tongue = Language(code)
    plain = [part for part in ("cable", "pad reader", "journal") if tongue.say(sensor_name(part)) == part]
    assert plain == []


@pytest.mark.parametrize(
    "said",
    [
        text(
            "{said}; it is dark",
            said=text("mat not found: {seen} of {all} corner markers in sight", seen=0, all=4),
        ),
        text("{said}; it is dark", said="the lamp of {all}"),
        text("two cards carry the same sticker: {code} in {places}", code="SP12", places="a and b"),
        text("it is dark"),
    ],
)
def test_what_a_journal_says_of_a_sensor_is_a_text_again(said: Text) -> None:
    again = recognised(str(said))
    assert again == str(said)
    assert Language("de").say(again) == Language("de").say(said) != said


def test_words_that_no_sentence_on_sensors_has_stay_as_they_are() -> None:
    for words in ("no picture at all", "", "x" * 5000, "; ", "{said}; {next_step}"):
        assert type(recognised(words)) is str


@pytest.mark.parametrize("code", sorted(set(language.LANGUAGES) - {"en"}))
def test_no_section_of_a_rulebook_is_english_in_other_languages(code: str) -> None:
    for sections in (sleeping_queens.SECTIONS, sleeping_queens_2.SECTIONS):
        for section in sections.values():
            assert Language(code).say(section) != section
