"""Sentences of the games with values filled in, as a family reads them: articles, number, two meanings."""

import pytest

from companion.core.language import Language, Text, listed, text
from companion.games import number_words
from companion.games.sleeping_queens import terms as queens
from companion.games.sleeping_queens.hints.hint_wording import HINTS as QUEENS_HINTS
from companion.games.sleeping_queens.rules.game_end import points_words
from companion.games.sleeping_queens.rules.kinds import DRAGON, KIND_OF_TEXT, KIND_TEXT
from companion.games.sleeping_queens.wording import MESSAGES as QUEENS_MESSAGES
from companion.games.sleeping_queens_2 import terms as queens_2
from companion.games.sleeping_queens_2.hints.hint_wording import HINTS as QUEENS_2_HINTS
from companion.games.sleeping_queens_2.hints.hint_wording import REMEMBERED as QUEENS_2_REMEMBERED
from companion.games.sleeping_queens_2.rules.parts import DEFAULT_PARTS
from companion.games.sleeping_queens_2.wording import PROMPTS as QUEENS_2_PROMPTS
from companion.games.sleepless_princess import terms as princess
from companion.games.sleepless_princess.rules.card_kinds import BLANKET
from companion.games.sleepless_princess.wording import MESSAGES

COMPANION, QUEEN = 27, 11
"""Kinds of Sleeping Queens 2: the first companion, the first queen."""


def said(code: str, words: object) -> str:
    return Language(code).say(words)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "Your blanket, your two fives; the open 5 and the 4; a 2 and a blanket."),
        ("de", "Deine Decke, deine beiden Fünfen; die offene 5 und die 4; eine 2 und eine Decke."),
        ("fr", "Ta couverture, tes deux 5; le 5 de la rangée et le 4; un 2 et une couverture."),
        ("it", "La tua coperta, i tuoi due 5; il 5 della fila e il 4; un 2 e una coperta."),
    ],
)
def test_cards_have_their_article(code: str, sentence: str) -> None:
    hand = f"{said(code, princess.yours((BLANKET,)))}, {said(code, princess.yours((5, 5)))}"
    row = said(code, listed([princess.the_open(5), princess.the(4)]))
    laid = said(code, listed([princess.one(2), princess.one(BLANKET)]))
    whole = f"{hand}; {row}; {laid}."
    assert whole[0].upper() + whole[1:] == sentence


def test_italian_elides_before_one_and_eight() -> None:
    cards = [number_words.the_number(1), number_words.the_number(8), number_words.the_open_number(1)]
    assert [said("it", card) for card in cards] == ["l’1", "l’8", "l’1 della fila"]
    book = QUEENS_2_HINTS["book"].of(number=number_words.the_number(1))
    assert said("it", book).endswith("prendi l’1 dagli scarti.")


@pytest.mark.parametrize(
    ("code", "one", "two"),
    [
        ("de", "Am Schluss schläft auch Bat.", "Am Schluss schlafen auch Bat und Cat."),
        (
            "fr",
            "Vérification finale\u00a0: Bat dort aussi.",
            "Vérification finale\u00a0: Bat et Cat dorment aussi.",
        ),
        ("it", "Verifica finale: dorme anche Bat.", "Verifica finale: dormono anche Bat e Cat."),
    ],
)
def test_the_verb_follows_how_many_sleep(code: str, one: str, two: str) -> None:
    final = MESSAGES["final, some"]
    assert said(code, final.of(names="Bat", n=1)) == one
    assert said(code, final.of(names=listed(["Bat", "Cat"]), n=2)) == two
    asleep = QUEENS_2_REMEMBERED["asleep"]
    name = queens_2.card(QUEEN, DEFAULT_PARTS)
    assert said(code, asleep.of(who="Anna", queens=name, n=1)) != said(
        code, asleep.of(who="Anna", queens=name, n=2)
    )


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "Discard until you have 5 cards."),
        ("de", "Leg ab, bis du nur noch 5 Karten hast."),
        ("fr", "Défausse jusqu’à n’avoir plus que 5 cartes."),
        ("it", "Scarta finché ti restano 5 carte."),
    ],
)
def test_down_to_five_is_not_up_to_five(code: str, sentence: str) -> None:
    assert said(code, QUEENS_2_PROMPTS["discard"].of(limit=5)) == sentence


def test_no_points_are_one_in_french() -> None:
    assert [said("fr", points_words(number)) for number in (0, 1, 2)] == ["0 point", "1 point", "2 points"]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("de", "Rette einen König: nimm Königin 1 und den Gefährten 1."),
        ("fr", "Sauve un roi avec la reine 1 et le compagnon 1."),
        ("it", "Salva un re: usa la regina 1 e il compagno 1."),
    ],
)
def test_queens_and_companions_have_their_article(code: str, sentence: str) -> None:
    names = {"queen": queens_2.one(QUEEN, DEFAULT_PARTS), "companion": queens_2.one(COMPANION, DEFAULT_PARTS)}
    assert said(code, QUEENS_2_HINTS["rescue"].of(**names)) == sentence


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "Put away your wand and draw a new card."),
        ("de", "Leg deinen Zauberstab weg und zieh eine neue Karte."),
        ("fr", "Défausse ta baguette magique et pioche une autre carte."),
        ("it", "Scarta la tua bacchetta magica e pesca una carta nuova."),
    ],
)
def test_nobody_draws_the_card_that_is_put_away(code: str, sentence: str) -> None:
    wand = queens.yours(KIND_OF_TEXT["WA"])
    assert said(code, QUEENS_HINTS["single"].of(card=wand)) == sentence


def test_the_card_that_the_jester_brings_is_kept_whatever_its_gender() -> None:
    turned = QUEENS_MESSAGES["jester power"].of(card=queens.one(KIND_TEXT[DRAGON]), who="Anna")
    assert said("fr", turned) == "Le bouffon retourne un dragon\u00a0: Anna garde la carte et rejoue."
    assert said("it", turned).startswith("Il pagliaccio scopre un drago")


def test_italian_has_one_word_for_the_draw_pile() -> None:
    assert said("it", text("Draw from the deck")) == "Pesca dal pozzo"
    assert said("it", Text("deck", context="pile")) == "pozzo"
