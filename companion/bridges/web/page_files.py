"""The page's files, all in memory: HTML with its first words and state, style sheets, scripts, icon."""

import json
from collections.abc import Mapping
from importlib.resources import files

from companion.bridges.web.page_state import page_words
from companion.core.language import LANGUAGES, current, tr
from companion.dashboard.svg_pictures import svg_picture
from companion.dashboard.themes import CONTRAST, DAY, NIGHT, Palette, variables
from companion.dashboard.widgets.call_pictures import COLOURS, PICTURES

_FOLDER = files("companion.bridges.web") / "page"
"""Folder with the page's HTML, style sheets and scripts."""


def page_files() -> dict[str, tuple[str, bytes]]:
    """Files that the page loads: name in the address -> (media type, content)."""
    kinds = dict.fromkeys(("page.css", "desk.css"), "text/css")
    kinds |= dict.fromkeys(("page.js", "desk.js"), "text/javascript")
    found = {name: (kind, (_FOLDER / name).read_bytes()) for name, kind in kinds.items()}
    found["colours.css"] = ("text/css", colours_css().encode())
    found["icon.svg"] = ("image/svg+xml", icon_svg().encode())
    return found


def colours_css() -> str:
    """Style sheet with the colours of the terminal's themes.

    Night, day or high contrast follow the browser's wish, unless the page has chosen a theme.
    """

    def rules(palette: Palette) -> str:
        scheme = "dark" if palette.dark else "light"
        given = "".join(f"--{name}:{value};" for name, value in variables(palette).items())
        return f"{{color-scheme:{scheme};{given}}}"

    wished = f":root{rules(NIGHT)}@media(prefers-color-scheme:light){{:root{rules(DAY)}}}"
    wished += f"@media(prefers-contrast:more){{:root{rules(CONTRAST)}}}"
    chosen = (f":root[data-theme={one.name}]{rules(one)}" for one in (NIGHT, DAY, CONTRAST))
    looks = {**{f"p{n}": f"p{n}" for n in range(1, 6)}, "yes": "yes", "no": "no", "perhaps": "perhaps"}
    looks |= {name: name for name in ("awake", "asleep", "out")}
    grounds = "".join(f".g-{name}{{background:var(--{name});color:var(--state-ink)}}" for name in looks)
    cards = "".join(
        f".c-{name}{{background:var(--{name});color:var(--{name}-ink)}}"
        for name in variables(NIGHT)
        if f"{name}-ink" in variables(NIGHT)
    )
    return wished + "".join(chosen) + grounds + cards


def icon_svg() -> str:
    """Icon of the browser's tab as SVG: a moon."""
    return svg_picture(PICTURES["moon"], COLOURS, fills=variables(NIGHT))


class HtmlPage:
    """The page's HTML, with its texts and the table's present state.

    So the first paint needs no stream.
    """

    def __init__(self) -> None:
        self._template = (_FOLDER / "index.html").read_bytes()

    def filled(self, state: bytes, more_words: Mapping[str, str]) -> bytes:
        """The page in the reader's language.

        `state`: the table as JSON. `more_words`: texts of the page's desk: name used by the page -> text.
        """
        page = self._template
        words = json.dumps({**page_words(), **more_words, "languages": dict(LANGUAGES)}).encode()
        for mark, data in (
            (b"%too old%", tr("This browser is too old for this page. Open it with a newer one.").encode()),
            (b"%words%", words),
            (b"%state%", state),
            (b"%language%", current().code.encode()),
        ):
            page = page.replace(mark, data.replace(b"<", b"\\u003c"))
        return page
