"""The sensor models, one file a sensor: the signs it detects, its rates, delays and words."""

from companion.fusion.sensors import (
    camera_signs,
    claim_buttons,
    load_cells,
    pad_reader,
    pressure_matrix,
    touch_electrodes,
    undetected,
)
from companion.fusion.sensors.sign_model import SignModel as SignModel

SENSORS = (
    touch_electrodes,
    claim_buttons,
    load_cells,
    pad_reader,
    pressure_matrix,
    camera_signs,
    undetected,
)
SIGN_MODELS: dict[str, SignModel] = {verb: row for sensor in SENSORS for verb, row in sensor.SIGNS.items()}
"""Verb -> its row."""
SCALE_SIGNS = load_cells.MOVES
SINGLE_CARDS = camera_signs.SINGLE_CARDS
ON_PAD = ("tag", "texture")
"""Signs of a card that lies on the pad."""
PILE_SIGNS = ("top", "topped")
"""Signs of one of the cards that came to a pile together."""
CARD_SIGNS = ("gone", "back", "new", "topped", "left", "reach")
"""Signs of cards: a card may be swept away or laid open long after its turn."""
UNREPORTED_BY_BOARD = ("press", "touch")
"""Signs that a board does not report after an outage."""
UNREPORTED_BY_CAMERA = ("left", "single", "swept", "glance")
"""Signs of a look beneath a card, which a camera cannot see after an outage."""
CHECK_SIGNS = {"touch": "board", "glance": "camera"}
"""Verb of a check of a card in place -> the source that detects it."""
UNDETECTED = tuple(undetected.SIGNS)
MISSED_ALONE = (*SCALE_SIGNS, *CHECK_SIGNS)
"""Signs of a finger, a look or a single card: clutter of one says nothing of the next."""


def detected_as(verb: str) -> str:
    """The verb as which a sign is detected."""
    return SIGN_MODELS[verb].detected_as or verb
