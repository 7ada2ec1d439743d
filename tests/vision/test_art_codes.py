"""Codes of cards known by their art, and the kinds behind them."""

import pytest

from vision.art_codes import CardKinds, art_code, kind_by_art


def test_a_code_by_art_names_the_kind_and_no_copy():
    assert kind_by_art(art_code("6", 17)) == "6"
    assert kind_by_art("H06A") is None


def test_kinds_are_those_of_copies_and_of_cards_known_by_their_art():
    kinds = CardKinds({"H06A": "6", "H06B": "6"})
    assert kinds["H06B"] == kinds[art_code("6", 3)] == "6"
    assert art_code("6", 3) in kinds
    assert art_code("7", 3) not in kinds
    assert "H07A" not in kinds
    for code in ("H07A", art_code("7", 1)):
        with pytest.raises(KeyError):
            kinds[code]
