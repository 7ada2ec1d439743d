"""What was read in a picture, as plain values for JSON, with the names of the games' cards."""

from functools import cache
from typing import Any

from companion.games.registry import GAME_NAMES, load_game, load_mat
from companion.sensing.parameters import PICTURE
from vision.codes.code_reader import Corners
from vision.photos.picture_files import Picture, PictureReading
from vision.photos.table_photo import TablePrint


def report(name: str, picture: Picture, found: PictureReading) -> dict[str, Any]:
    """Picture's codes, markers and cards, as values for JSON.

    `name`: file name. `found`: what was read in it. Corners are px of the picture turned upright.
    """
    cards = _cards()
    return {
        "file": name,
        "width": picture.width,
        "height": picture.height,
        "codes": [
            {
                "text": code.text,
                "sticker": code.payload in cards,
                "card": cards.get(code.payload or ""),
                "corners": _points(code.corners),
                "stage": code.stage,
                "quality": code.quality,
            }
            for code in found.codes
        ],
        "markers": [
            {
                "id": marker.id,
                "card": cards.get(str(marker.id)),
                "corners": _points(marker.corners),
                "stage": marker.stage,
                "quality": 1.0,
            }
            for marker in found.markers
        ],
        "cards": [
            {
                "text": card.name,
                "corners": _points(card.corners),
                "stage": "art",
                "quality": round(card.quality, 3),
            }
            for card in found.cards
        ],
    }


def printed() -> TablePrint:
    """Stickers and mats of all games, so that a photograph's stickers are recognised even if too small to be
    decoded."""
    games = [load_game(name) for name in GAME_NAMES]
    cards = [card for game in games for variant in game.variants for card in game.cards(variant)]
    return TablePrint(
        frozenset(card.payload for card in cards if card.payload),
        tuple(load_mat(name) for name in GAME_NAMES),
        PICTURE.sticker_mm,
    )


@cache
def _cards() -> dict[str, str]:
    """Payload or marker id (as text) -> "CODE NAME", for every card of every game."""
    games = [load_game(name) for name in GAME_NAMES]
    cards = [card for game in games for variant in game.variants for card in game.cards(variant)]
    named = {card.payload: f"{card.code} {card.name}" for card in cards if card.payload}
    return named | {str(card.marker): f"{card.code} {card.name}" for card in cards if card.marker is not None}


def _points(corners: Corners) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in corners]
