"""Held-out decks: faces in styles for which nothing in the recogniser was ever chosen."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.virtual.render.art_faces import HEIGHT, WIDTH, Face

HELD_OUT = ("engraving", "watercolour", "night", "letters", "photograph")
"""Styles of held-out decks."""
_FONTS = (cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX, cv2.FONT_HERSHEY_COMPLEX)


def held_out_faces(style: str, count: int, seed: int) -> list[Face]:
    """`count` different faces of a deck in this style; the same seed, the same faces."""
    rng = np.random.default_rng([seed, 9, HELD_OUT.index(style)])
    draw = _STYLES[style]
    return [draw(rng, number) for number in range(count)]


def _engraving(rng: np.random.Generator, number: int) -> Face:
    """Hatched hills and a tower in sepia ink on cream, in an oval: no colours tell such cards apart."""
    face = _paper((206, 226, 236))
    inside = np.zeros(face.shape[:2], np.uint8)
    cv2.ellipse(inside, (WIDTH // 2, HEIGHT // 2), (112, 168), 0, 0, 360, 255, -1)
    drawn = face.copy()
    ink = (40, 62, 84)
    for _ in range(6):
        angle, gap = rng.uniform(0, np.pi), int(rng.integers(5, 13))
        area = np.zeros(face.shape[:2], np.uint8)
        points = rng.uniform((20, 30), (WIDTH - 20, HEIGHT - 30), (int(rng.integers(3, 7)), 2)).astype(np.int32)
        cv2.fillPoly(area, [cv2.convexHull(points)], 255)
        lines = np.zeros(face.shape[:2], np.uint8)
        along = np.array((np.cos(angle), np.sin(angle)))
        across = np.array((-along[1], along[0]))
        for step in range(-40, 40):
            middle = np.array((WIDTH, HEIGHT)) / 2 + across * step * gap
            ends = (middle - 400 * along).astype(int), (middle + 400 * along).astype(int)
            cv2.line(lines, tuple(map(int, ends[0])), tuple(map(int, ends[1])), 255, 2, cv2.LINE_AA)
        drawn[(area > 0) & (lines > 0)] = ink
    x, top, wide = int(rng.integers(80, 200)), int(rng.integers(90, 200)), int(rng.integers(24, 60))
    cv2.rectangle(drawn, (x - wide, top), (x + wide, 320), ink, int(rng.choice([3, -1])))
    cv2.fillPoly(drawn, [np.array([(x - wide - 8, top), (x + wide + 8, top), (x, top - 60)])], ink)
    face[inside > 0] = drawn[inside > 0]
    cv2.ellipse(face, (WIDTH // 2, HEIGHT // 2), (112, 168), 0, 0, 360, ink, 3, cv2.LINE_AA)
    return face


def _watercolour(rng: np.random.Generator, number: int) -> Face:
    """Pale blots that run into each other: no edges."""
    face = np.full((HEIGHT, WIDTH, 3), 246, np.float32)
    for _ in range(int(rng.integers(7, 13))):
        blot = np.zeros((HEIGHT, WIDTH), np.float32)
        at = (int(rng.uniform(20, WIDTH - 20)), int(rng.uniform(20, HEIGHT - 20)))
        axes = (int(rng.uniform(25, 90)), int(rng.uniform(20, 70)))
        cv2.ellipse(blot, at, axes, rng.uniform(0, 180), 0, 360, 1, -1)
        soft = np.asarray(cv2.GaussianBlur(blot, (0, 0), rng.uniform(6, 22)), np.float32)[:, :, None]
        hue = np.array([[[rng.integers(180), rng.uniform(60, 150), 235]]]).astype(np.uint8)
        face *= 1 - soft * (1 - cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32) / 255)
    return np.clip(face, 0, 255).astype(np.uint8)


def _night(rng: np.random.Generator, number: int) -> Face:
    """Nearly black, with a few dim figures and stars."""
    face = _paper((38, 24, 20))
    for _ in range(int(rng.integers(4, 8))):
        shade = rng.uniform(30, 95, 3) * (1.0, 0.8, 0.8)
        corners = rng.uniform((30, 60), (WIDTH - 30, HEIGHT - 40), (int(rng.integers(3, 8)), 2)).astype(
            np.int32
        )
        cv2.fillPoly(face, [cv2.convexHull(corners)], shade.tolist(), cv2.LINE_AA)
    for _ in range(int(rng.integers(5, 20))):
        at = (int(rng.uniform(20, WIDTH - 20)), int(rng.uniform(20, 200)))
        cv2.circle(face, at, int(rng.integers(2, 5)), (150, 190, 200), -1, cv2.LINE_AA)
    cv2.circle(
        face, (int(rng.uniform(50, 230)), 70), int(rng.integers(14, 34)), (120, 170, 190), -1, cv2.LINE_AA
    )
    return face


def _letters(rng: np.random.Generator, number: int) -> Face:
    """White, with two large letters in one of three inks: most of every card is the same."""
    face = _paper((250, 250, 250))
    letters = "".join(chr(65 + int(n)) for n in (number * 7 % 26, (number * 11 + number // 26) % 26))
    font, ink = _FONTS[number % 3], ((150, 60, 40), (50, 50, 160), (60, 120, 40))[number // 12 % 3]
    for text, scale, y in ((letters[0], 6.5, 200), (letters[1], 4.5, 345)):
        (wide, _), _ = cv2.getTextSize(text, font, scale, 10)
        cv2.putText(face, text, ((WIDTH - wide) // 2, y), font, scale, ink, 10, cv2.LINE_AA)
    cv2.rectangle(face, (12, 12), (WIDTH - 13, HEIGHT - 13), ink, 4)
    return face


def _photograph(rng: np.random.Generator, number: int) -> Face:
    """Noise of all sizes in a few colours, as photographs of leaves and stones have it, under a name plate."""
    planes = []
    for _ in range(3):
        plane = np.zeros((HEIGHT, WIDTH), np.float32)
        for cell in (4, 10, 26, 70):
            coarse = rng.normal(0, 1, (HEIGHT // cell + 2, WIDTH // cell + 2)).astype(np.float32)
            fine = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
            plane += np.asarray(fine, np.float32) * (6 + cell**0.75)
        planes.append(plane)
    tint = rng.uniform(70, 170, 3)
    light = planes[0][:, :, None] * 0.8 + np.stack(planes, axis=2) * 0.5
    face = np.clip(tint + light, 0, 255).astype(np.uint8)
    cv2.rectangle(face, (30, 344), (WIDTH - 31, 382), (225, 232, 235), -1)
    cv2.putText(
        face, f"no. {number + 1}", (88, 372), cv2.FONT_HERSHEY_DUPLEX, 0.9, (30, 30, 30), 2, cv2.LINE_AA
    )
    return face


def _paper(colour: tuple[int, int, int]) -> NDArray[np.uint8]:
    face = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    face[:] = colour
    return face


_STYLES: dict[str, Callable[[np.random.Generator, int], Face]] = {
    "engraving": _engraving,
    "watercolour": _watercolour,
    "night": _night,
    "letters": _letters,
    "photograph": _photograph,
}
