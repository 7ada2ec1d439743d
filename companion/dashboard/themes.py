"""The palettes of all screens, registered as Textual themes.

They are night, day and contrast. Widgets name colours by their task (`$muted`, `$p2`, `$red-ink`), never by
value. `pairs` has every ink with the grounds it is written on. docs/design.md has the reasons.
"""

from collections.abc import Iterator, Mapping
from colorsys import hls_to_rgb
from dataclasses import dataclass
from functools import cache

from textual.theme import Theme

LEAST_CONTRAST = 4.5
"""LEAST_CONTRAST: least contrast of text against its ground (WCAG 2.2, criterion 1.4.3, level AA)."""

HUES: Mapping[str, float] = {
    "red": 0.98,
    "orange": 0.07,
    "violet": 0.72,
    "blue": 0.55,
    "yellow": 0.14,
    "amber": 0.10,
    "teal": 0.42,
    "indigo": 0.62,
    "pink": 0.86,
    "green": 0.30,
}
"""HUES: name of a colour printed on cards -> its hue (0 to 1)."""
PLAIN = "plain"
"""PLAIN: name of the colour for cards whose printed colour is unknown."""
COLOURS = (*HUES, PLAIN)
"""COLOURS: names of all colours of cards."""

PLAYER_SIGNS = "♥♦♣♠■"
"""PLAYER_SIGNS: sign of each player, for people who cannot tell the colours apart."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one theme, as #rrggbb.

    `name`: name of the theme. `dark`: True if its text is brighter than its background. `accent_ink`: text on
    `accent`.
    """

    name: str
    dark: bool
    background: str
    surface: str
    """Background of header, keys and dialogs."""
    line: str
    """Colour of lines and frames, never of text."""
    cloth: str
    """Background of the drawn mat and of the backs of cards."""
    text: str
    muted: str
    """Colour of less important text, on `background` and `surface`."""
    key: str
    """Background of a drawn key; `key_ink` is its text."""
    key_ink: str
    accent: str
    """Background of the banner while no player is on turn; also a colour for headings."""
    accent_ink: str
    good: str
    bad: str
    warn: str
    """`good`, `bad`, `warn`: colours of text that says so, on `background` and `surface`. `warn`: needs
    attention."""
    state_ink: str
    yes: str
    no: str
    perhaps: str
    """`yes`, `no`, `perhaps`: backgrounds of a state (good, bad, needs attention); its text has the colour
    `state_ink`."""
    awake: str
    asleep: str
    out: str
    """`awake`, `asleep`, `out`: backgrounds of a sleeper's state; its text has the colour `state_ink`. `out`:
    gone."""
    players: tuple[str, ...]
    """Background of each player, the first player's first; text on it has the colour `state_ink`."""
    player_texts: tuple[str, ...]
    """Colour of each player's text on `background` and `surface`."""
    card: tuple[float, float]
    """(lightness, saturation), each 0 to 1, of card faces; HUES gives the hue."""
    ink: tuple[float, float]
    """(lightness, saturation), each 0 to 1, of text and pictures on card faces."""
    layer: tuple[str, str]
    """Two colours that alternate in a stack of layers lying face down."""
    bare: str
    """Background of a card whose printed colour is unknown (PLAIN)."""
    own: tuple[tuple[str, str], ...] = ()
    """Colours to use instead of those that `card` and `ink` give, as (name in `variables`, #rrggbb)."""


_PASTELS = ("#ff9fae", "#ffb454", "#84dd8c", "#8fbcff", "#d4adff")
"""_PASTELS: colours of the five players in the themes night and day."""

NIGHT = Palette(
    name="night",
    dark=True,
    background="#16132e",
    surface="#221e42",
    line="#4b4580",
    cloth="#221e42",
    text="#f5f1ff",
    muted="#b9b2dd",
    key="#3a3468",
    key_ink="#ffffff",
    accent="#ffd166",
    accent_ink="#1d1736",
    good="#7fe3a6",
    bad="#ff9c9c",
    warn="#ffcf70",
    state_ink="#1a1533",
    yes="#7fe3a6",
    no="#ff9c9c",
    perhaps="#ffcf70",
    awake="#ffd166",
    asleep="#8fb8ff",
    out="#9892b8",
    players=_PASTELS,
    player_texts=_PASTELS,
    card=(0.78, 0.72),
    ink=(0.20, 0.80),
    layer=("#cfc8ef", "#8f86c4"),
    bare="#ece8dd",
)
DAY = Palette(
    name="day",
    dark=False,
    background="#fbf7ee",
    surface="#efe8d8",
    line="#b9ad93",
    cloth="#efe8d8",
    text="#221c3a",
    muted="#574f70",
    key="#ded4bd",
    key_ink="#221c3a",
    accent="#5b3fa8",
    accent_ink="#ffffff",
    good="#17643a",
    bad="#a3172a",
    warn="#7a4b00",
    state_ink="#1a1533",
    yes="#86dfaa",
    no="#ffa3a3",
    perhaps="#ffd27a",
    awake="#ffd166",
    asleep="#a8c7ff",
    out="#c4bfd2",
    players=_PASTELS,
    player_texts=("#a81f3d", "#8f4a00", "#1c6b34", "#1f52a6", "#6c35b0"),
    card=(0.80, 0.75),
    ink=(0.19, 0.85),
    layer=("#d8cdb4", "#a3946f"),
    bare="#ffffff",
)
CONTRAST = Palette(
    name="contrast",
    dark=True,
    background="#000000",
    surface="#000000",
    line="#ffffff",
    cloth="#000080",
    text="#ffffff",
    muted="#ffffff",
    key="#ffffff",
    key_ink="#000000",
    accent="#ffff00",
    accent_ink="#000000",
    good="#00ff66",
    bad="#ff8080",
    warn="#ffff00",
    state_ink="#000000",
    yes="#00ff66",
    no="#ff8080",
    perhaps="#ffff00",
    awake="#ffff00",
    asleep="#66ccff",
    out="#c0c0c0",
    players=("#ffffff", "#ffff00", "#00ff66", "#66ccff", "#ff80ff"),
    player_texts=("#ffffff", "#ffff00", "#00ff66", "#66ccff", "#ff80ff"),
    card=(0.70, 1.0),
    ink=(0.08, 1.0),
    layer=("#ffffff", "#808080"),
    bare="#ffffff",
    # As bright as the others they would be a blue in 16 colours on which nothing dark can be read.
    # The gold on golden cards has to be darker than them there, too.
    own=(
        *(("violet", "#b266ff"), ("indigo", "#7aa0ff")),
        *(("amber-deep", "#b98a00"), ("yellow-deep", "#b98a00")),
    ),
)
PALETTES = (NIGHT, DAY, CONTRAST)

SPRITES: Mapping[str, str] = {
    "skin": "#ffd9b3",
    "skin-dark": "#c98d5e",
    "line": "#2a1f3d",
    "lid": "#9b5a3c",
    "lip": "#d6455d",
    "gold": "#ffc928",
    "wood": "#96623c",
    "wood-dark": "#6b4327",
    "linen": "#ffffff",
    "hair-1": "#5a3620",
    "hair-2": "#e8b23a",
    "hair-3": "#c2502b",
    "hair-4": "#2b2140",
    "leaf": "#3e9b4f",
    "steel": "#9fb0c6",
}
"""SPRITES: name of a colour in pixel pictures -> #rrggbb, equal in all themes. No text stands on these
colours."""


def tint(hue: float, light: float, strength: float) -> str:
    """Colour #rrggbb of a hue, lightness and saturation, each 0 to 1.

    `light` is the lightness, `strength` the saturation.
    """
    return "#" + "".join(f"{round(255 * part):02x}" for part in hls_to_rgb(hue, light, strength))


@cache
def variables(palette: Palette) -> dict[str, str]:
    """Colours of a palette as Textual variables: name -> #rrggbb.

    Names are such as "muted", "p2", "red-ink" or "art-gold". Fields `background`, `text` and `surface` are
    named "page", "words" and "strip", because Textual uses their names otherwise.
    """
    found = {name: getattr(palette, name) for name in _ROLES}
    found = {name.replace("_", "-"): value for name, value in found.items()}
    # Textual has words of its own for some: `text` there is a rule, not a colour.
    found["page"], found["words"] = found.pop("background"), found.pop("text")
    found["strip"] = found.pop("surface")
    found |= {f"p{number}": colour for number, colour in enumerate(palette.players, 1)}
    found |= {f"p{number}-text": colour for number, colour in enumerate(palette.player_texts, 1)}
    for name, hue in HUES.items():
        found[name] = tint(hue, *palette.card)
        found[f"{name}-ink"] = tint(hue, *palette.ink)
        found[f"{name}-deep"] = tint(hue, 0.52, 0.72)
    found |= dict(palette.own)
    found[PLAIN], found[f"{PLAIN}-ink"], found[f"{PLAIN}-deep"] = palette.bare, "#241d3d", "#8a7fae"
    found["layer-1"], found["layer-2"] = palette.layer
    return found | {f"art-{name}": colour for name, colour in SPRITES.items()}


_ROLES = (
    *("background", "surface", "line", "cloth", "text", "muted", "key", "key_ink", "accent", "accent_ink"),
    *("good", "bad", "warn", "state_ink", "yes", "no", "perhaps", "awake", "asleep", "out"),
)
"""_ROLES: fields of a Palette that are colours of text and backgrounds."""


def pairs() -> Iterator[tuple[str, str]]:
    """Yield all pairs (text colour, background) used on screens.

    Names are those in `variables`. Tests check the contrast of each pair.
    """
    for ground in ("page", "strip"):
        yield from ((ink, ground) for ink in ("words", "muted", "good", "bad", "warn"))
        yield from ((f"p{number}-text", ground) for number in range(1, len(PLAYER_SIGNS) + 1))
    yield from (("words", "cloth"), ("muted", "cloth"))
    yield from (("key-ink", "key"), ("accent-ink", "accent"), ("accent", "page"), ("accent", "strip"))
    yield from (("state-ink", ground) for ground in ("awake", "asleep", "out", "yes", "no", "perhaps"))
    yield from (("state-ink", f"p{number}") for number in range(1, len(PLAYER_SIGNS) + 1))
    yield from ((f"{name}-ink", name) for name in COLOURS)


def luminance(colour: str) -> float:
    """Relative luminance (0 black to 1 white; WCAG 2.2) of a colour.

    `colour`: #rrggbb.
    """
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast (1 equal to 21 black on white; WCAG 2.2) of two colours.

    `one`, `other`: #rrggbb, in any order.
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def theme_of(palette: Palette) -> Theme:
    """Textual theme with the colours of a palette.

    It also colours inputs, lists and the command palette.
    """
    return Theme(
        name=palette.name,
        primary=palette.accent,
        secondary=palette.player_texts[3],
        accent=palette.accent,
        warning=palette.warn,
        error=palette.bad,
        success=palette.good,
        foreground=palette.text,
        background=palette.background,
        surface=palette.surface,
        panel=palette.surface,
        dark=palette.dark,
        variables={
            **variables(palette),
            "block-cursor-background": palette.accent,
            "block-cursor-foreground": palette.accent_ink,
            "block-cursor-text-style": "bold",
            "input-selection-background": palette.key,
            "border": palette.accent,
        },
    )


THEMES = {palette.name: palette for palette in PALETTES}
"""THEMES: name of a theme -> its palette."""
DEFAULT_THEME = NIGHT.name
