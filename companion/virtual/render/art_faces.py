"""Invented cards: decks of drawn faces.

Each deck has its frame and layout.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Face = NDArray[np.uint8]
"""Picture that is printed on a card: BGR, H x W x 3."""
Colour = tuple[float, float, float]
"""Colour as (blue, green, red), each 0 to 255."""

WIDTH, HEIGHT = 280, 400
"""Size of a face in px: 63 x 90 mm at 4.4 px/mm."""
CORNER = 14
"""Radius (px) of a face's rounded corners: 3 mm."""
DECKS = ("framed", "full bleed", "portrait", "playing cards")
"""Styles of decks: how frame, picture and text of a card are arranged."""
_FONT = cv2.FONT_HERSHEY_DUPLEX
_SYLLABLES = ("ka", "lor", "mi", "ven", "sa", "dro", "wyn", "tel", "or", "bu", "shi", "gra")


@dataclass(frozen=True, slots=True)
class _Deck:
    """Colours of one deck's cards, and the function that draws a card.

    `border`, `panel`, `ink`: colours. `suits`: one colour for each suit. `layout`: draws a face, given the
    deck, chance and the card's number.
    """

    border: Colour
    panel: Colour
    ink: Colour
    suits: tuple[Colour, ...]
    layout: Callable[[Face, "_Deck", np.random.Generator, int], None]


def faces(count: int, seed: int) -> list[Face]:
    """Draw `count` different card faces, in turn from decks.

    There are four decks. Equal seeds give equal faces.
    """
    rng = np.random.default_rng([seed, 1])
    layouts = (_framed, _full_bleed, _portrait, _indexed)
    decks = [_deck(layout, rng) for layout in layouts]
    drawn = []
    for number in range(count):
        deck = decks[number % len(decks)]
        face = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        deck.layout(face, deck, rng, number // len(decks))
        drawn.append(face)
    return drawn


def deck_faces(style: str, count: int, seed: int) -> list[Face]:
    """Draw `count` different faces of cards of one deck.

    `style`: one of DECKS. Equal seeds give equal faces.
    """
    rng = np.random.default_rng([seed, 2, DECKS.index(style)])
    layout = (_framed, _full_bleed, _portrait, _indexed)[DECKS.index(style)]
    deck = _deck(layout, rng)
    drawn = []
    for number in range(count):
        face = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        layout(face, deck, rng, number)
        drawn.append(face)
    return drawn


def _deck(layout: Callable[[Face, _Deck, np.random.Generator, int], None], rng: np.random.Generator) -> _Deck:
    light = bool(rng.random() < 0.5)
    border = _colour(rng, 25, 120, (215, 250) if light else (20, 70))
    suits = tuple(_colour(rng, 120, 230, (60, 170)) for _ in range(4))
    return _Deck(border, _colour(rng, 20, 90, (190, 235)), _colour(rng, 60, 200, (20, 60)), suits, layout)


def _framed(face: Face, deck: _Deck, rng: np.random.Generator, number: int) -> None:
    """Draw a face with title bar, picture in a window and text box.

    Collectable cards look so. `number`: of the card in its deck.
    """
    face[:] = deck.border
    _scene(face[52:236, 22:258], rng)
    cv2.rectangle(face, (22, 52), (257, 235), deck.ink, 2)
    cv2.rectangle(face, (18, 18), (261, 46), deck.panel, -1)
    _word(face, rng, (26, 39), 0.62, deck.ink)
    cv2.circle(face, (246, 32), 10, _colour(rng, 120, 230, (120, 220)), -1, cv2.LINE_AA)
    cv2.rectangle(face, (22, 250), (257, 376), deck.panel, -1)
    for line in range(int(rng.integers(2, 6))):
        _word(face, rng, (30, 272 + 20 * line), 0.42, deck.ink, words=int(rng.integers(2, 4)))


def _full_bleed(face: Face, deck: _Deck, rng: np.random.Generator, number: int) -> None:
    """Draw a face with a picture over the whole card, and a banner with a name.

    `number`: of the card in its deck.
    """
    _scene(face, rng)
    top = 340 if rng.random() < 0.7 else 24
    cv2.rectangle(face, (24, top), (255, top + 36), deck.panel, -1)
    _word(face, rng, (40, top + 25), 0.7, deck.ink)


def _portrait(face: Face, deck: _Deck, rng: np.random.Generator, number: int) -> None:
    """Draw a face with white border, coloured ground and one large figure.

    Children's cards look so. `number`: of the card in its deck.
    """
    face[:] = (240, 244, 246)
    ground = _colour(rng, 60, 200, (110, 220))
    cv2.rectangle(face, (16, 16), (263, 383), ground, -1)
    cv2.ellipse(face, (140, 210), (104, 140), 0, 0, 360, _colour(rng, 40, 160, (160, 240)), -1, cv2.LINE_AA)
    _figure(face, (140, 225), 105, rng)
    for x, y in ((40, 50), (240, 372)):
        cv2.putText(face, str(number % 10 + 1), (x - 12, y), _FONT, 1.0, deck.ink, 2, cv2.LINE_AA)


def _indexed(face: Face, deck: _Deck, rng: np.random.Generator, number: int) -> None:
    """Draw a playing card: a number in two corners, and as many emblems of its suit.

    `number`: of the card in its deck, from 0; ten to a suit.
    """
    face[:] = (244, 246, 246)
    value, suit = number % 10 + 1, number // 10
    ink = deck.suits[suit % len(deck.suits)]
    for x, y in ((14, 44), (222, 388)):
        cv2.putText(face, str(value), (x, y), _FONT, 1.2, ink, 3, cv2.LINE_AA)
    rows = -(-value // 2)
    for k in range(value):
        x = 140 if value == 1 else 92 + 96 * (k % 2)
        y = round(200 + 62 * (k // 2 - (rows - 1) / 2))
        corners, inner = ((4, 1.0), (10, 0.45), (3, 1.0), (24, 1.0))[suit % 4]
        _polygon(face, (x, y), 56 if value == 1 else 25, corners, inner, ink)
    cv2.rectangle(face, (58, 40), (221, 359), deck.ink, 3)


def _scene(area: Face, rng: np.random.Generator) -> None:
    """Draw a landscape with sky, shapes and a figure over the whole `area`."""
    height, width = area.shape[:2]
    share = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    top, bottom = (np.array(_colour(rng, 30, 220, (50, 240)), np.float32) for _ in range(2))
    area[:] = (top * (1 - share) + bottom * share).astype(np.uint8)
    if rng.random() < 0.7:
        centre = (int(rng.uniform(0.1, 0.9) * width), int(rng.uniform(0.1, 0.4) * height))
        cv2.circle(area, centre, int(rng.uniform(0.06, 0.16) * width), _colour(rng, 20, 200, (190, 250)), -1)
    for _ in range(int(rng.integers(1, 4))):
        xs = np.linspace(0, width, 9)
        ys = rng.uniform(0.45, 0.9) * height + rng.normal(0, 0.06, 9) * height
        land = np.array([*zip(xs, ys, strict=True), (width, height), (0, height)]).astype(np.int32)
        cv2.fillPoly(area, [land], _colour(rng, 30, 220, (30, 220)), cv2.LINE_AA)
    for _ in range(int(rng.integers(2, 7))):
        at = (int(rng.uniform(0, width)), int(rng.uniform(0.1, 1) * height))
        _polygon(
            area,
            at,
            rng.uniform(0.04, 0.14) * width,
            int(rng.integers(3, 11)),
            rng.uniform(0.4, 1),
            _colour(rng, 40, 230, (40, 240)),
        )
    where = (int(rng.uniform(0.3, 0.7) * width), int(rng.uniform(0.5, 0.7) * height))
    _figure(area, where, rng.uniform(0.2, 0.36) * min(width, height), rng)
    coarse = rng.normal(0, 14, (height // 6 + 1, width // 6 + 1)).astype(np.float32)
    texture = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[:, :, None]
    area[:] = np.clip(area + texture, 0, 255).astype(np.uint8)


def _figure(area: Face, at: tuple[int, int], size: float, rng: np.random.Generator) -> None:
    """Draw a person with body, head, arms and a hat into a picture (`area`).

    `at`: the waist (px). `size`: px from the waist to the crown. `rng` chooses colours and shapes.
    """
    x, y = at
    dress, skin = _colour(rng, 60, 230, (40, 220)), _colour(rng, 30, 110, (90, 230))
    flare = rng.uniform(0.3, 0.9) * size
    hem = int(y + size)
    body = [
        (x - 0.25 * size, y - 0.3 * size),
        (x + 0.25 * size, y - 0.3 * size),
        (x + flare, hem),
        (x - flare, hem),
    ]
    for side in (-1, 1):
        hand = (int(x + side * rng.uniform(0.5, 0.95) * size), int(y + rng.uniform(-0.7, 0.6) * size))
        cv2.line(area, (x, int(y - 0.15 * size)), hand, skin, max(3, int(0.13 * size)), cv2.LINE_AA)
        if rng.random() < 0.5:
            _polygon(area, hand, 0.22 * size, int(rng.integers(3, 11)), 0.6, _colour(rng, 60, 230, (60, 240)))
    cv2.fillPoly(area, [np.array(body).astype(np.int32)], dress, cv2.LINE_AA)
    belt = int(y + rng.uniform(-0.1, 0.6) * size)
    cv2.line(
        area, (int(x - 0.3 * size), belt), (int(x + 0.3 * size), belt), _colour(rng, 60, 230, (40, 240)), 6
    )
    head = (x, int(y - 0.55 * size))
    radius = int(rng.uniform(0.2, 0.36) * size)
    cv2.ellipse(
        area, head, (int(radius * 1.15), int(radius * 1.3)), 0, 0, 360, _colour(rng, 20, 200, (20, 200)), -1
    )
    cv2.circle(area, (head[0], head[1] + radius // 5), radius, skin, -1, cv2.LINE_AA)
    hat = (head[0], int(head[1] - 1.1 * radius))
    _polygon(
        area,
        hat,
        radius * rng.uniform(0.5, 1.1),
        int(rng.integers(3, 11)),
        0.5,
        _colour(rng, 60, 230, (60, 240)),
    )


def _polygon(area: Face, at: tuple[int, int], radius: float, corners: int, inner: float, ink: Colour) -> None:
    """Draw a filled star with `corners` points, outer and inner ones together.

    `at`: its middle (px). `radius`: of the outer points (px). `inner`: radius of the inner points, as a share
    of `radius`; 1 makes a polygon.
    """
    angles = np.arange(corners) * 2 * np.pi / corners - np.pi / 2
    reach = radius * np.where(np.arange(corners) % 2, inner, 1.0)
    points = np.stack([at[0] + reach * np.cos(angles), at[1] + reach * np.sin(angles)], axis=1)
    cv2.fillPoly(area, [np.round(points).astype(np.int32)], ink, cv2.LINE_AA)


def _word(
    face: Face, rng: np.random.Generator, at: tuple[int, int], scale: float, ink: Colour, words: int = 1
) -> None:
    text = " ".join("".join(rng.choice(_SYLLABLES, int(rng.integers(2, 4)))) for _ in range(words))
    cv2.putText(face, text.capitalize(), at, _FONT, scale, ink, 1, cv2.LINE_AA)


def _colour(rng: np.random.Generator, least: float, most: float, light: tuple[float, float]) -> Colour:
    """Draw a random colour of any hue.

    Saturation is within `least` to `most`, brightness within `light`, all 0 to 255.
    """
    hsv = np.array([[[rng.integers(180), rng.uniform(least, most), rng.uniform(*light)]]]).astype(np.uint8)
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)
