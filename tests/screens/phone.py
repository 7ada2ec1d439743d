"""The page for phones in Chromium, in all colours and as a player's own: `python -m tests.screens.phone`.

Fails if the page is wider than the phone, text is cut, its contrast is too low, or no key closes a verdict.
"""

import argparse
import asyncio
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from companion.core.language import LANGUAGES
from companion.dashboard.themes import LEAST_CONTRAST, THEMES, contrast
from companion.games.registry import GAME_NAMES
from companion.session.stream.events import Claimed, Table
from tests.benchmarks.browser import browser_tab, chromium
from tests.benchmarks.browser_bench import PHONE, _serving

SIZES = (PHONE, (740, 360), (820, 1180))
"""SIZES: width and height (CSS px) of a small phone, the same on its side, a tablet."""
TEXTS = """(() => {
  const hex = c => { const p = c.match(/[\\d.]+/g).map(Number); return p.length > 3 && p[3] === 0 ? "" :
    "#" + p.slice(0, 3).map(v => Math.round(v).toString(16).padStart(2, "0")).join(""); };
  const ground = e => { for (; e; e = e.parentElement) { const g = hex(getComputedStyle(e).backgroundColor);
    if (g) return g; } return "#ffffff"; };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim(), e = walk.currentNode.parentElement;
    if (!text || !e.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    if (["SCRIPT", "STYLE", "OPTION"].includes(e.tagName)) continue;
    const range = document.createRange(); range.selectNodeContents(walk.currentNode);
    const box = range.getBoundingClientRect();
    const cut = e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "hidden";
    let card = e; while (card && !hex(getComputedStyle(card).backgroundColor)) card = card.parentElement;
    const edge = (card || document.body).getBoundingClientRect();
    const over = Math.round(Math.max(edge.left - box.left, box.right - edge.right));
    if (box.width) found.push({text, ink: hex(getComputedStyle(e).color), ground: ground(e),
      right: Math.round(box.right), left: Math.round(box.left), cut, over});
  }
  return {found, wide: document.scrollingElement.scrollWidth, room: innerWidth};
})()"""


def wrong(told: dict[str, Any]) -> list[str]:
    """What is wrong with a page."""
    found = [f"{told['wide']} px wide on {told['room']}"] if told["wide"] > told["room"] else []
    for one in told["found"]:
        if one["cut"] or one["left"] < 0 or one["right"] > told["room"]:
            found.append(f"cut: {one['text'][:60]!r} from {one['left']} to {one['right']} px")
        if one["over"] > 1:
            found.append(f"over the edge: {one['text'][:60]!r} by {one['over']} px")
        if contrast(one["ink"], one["ground"]) < LEAST_CONTRAST:
            found.append(f"faint: {one['text'][:60]!r} {one['ink']} on {one['ground']}")
    return found


async def measured(game: str, pictures: Path | None) -> tuple[int, list[str]]:
    """Number of pages, and what is wrong with them."""
    from tests.dashboard.test_golden_screens import told

    faults, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        async with _serving(Path(folder) / "s") as (stream, address, _), browser_tab(chromium()) as tab:

            async def greet() -> None:
                while True:
                    new, _ = stream.poll()
                    for event in told(game):
                        stream.send(event, new)
                    await asyncio.sleep(0.005)

            greeting = asyncio.ensure_future(greet())

            async def measure(page: str, size: tuple[int, int], code: str) -> None:
                nonlocal count, faults
                await tab.size(*size, scale=2, touch=True)
                await tab.open(f"{page}?language={code}")
                await tab.wait_for("performance.getEntriesByName('drawn').length")
                await tab.wait_for("document.body.innerText.includes('Anna')")
                for theme in THEMES:
                    await tab.value(f"document.documentElement.dataset.theme = {theme!r}")
                    await tab.wait_for("document.getAnimations().every(one => one.playState !== 'running')")
                    where = f"{game} {size[0]}x{size[1]} {code} {theme} {'own' if page != address else 'table'}"
                    faults += [f"{where}: {one}" for one in wrong(await tab.value(TEXTS))]
                    count += 1
                    if pictures is not None:
                        await tab.picture(pictures / f"{where.replace(' ', '_')}.png")

            async def press(key: str, number: int) -> None:
                nonlocal faults
                stream.send(Claimed(float(number), 1, key, "refuted", "Still awake!", "out", ()))
                await tab.wait_for("at('over').open")
                code = {"Enter": 13, "Escape": 27}[key]
                for kind in ("rawKeyDown", "char", "keyUp")[:: 1 if key == "Enter" else 2]:
                    typed = {"text": "\r"} if kind == "char" else {}
                    await tab.call(
                        "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **typed
                    )
                await tab.value("new Promise(done => setTimeout(() => { draw(); done(1); }, 200))")
                faults += [f"{game}: {key} closes no verdict"] if await tab.value("at('over').open") else []
                await tab.wait_for("!state.verdict")

            for size, code in product(SIZES, LANGUAGES):
                await measure(address, size, code)
            for number, key in enumerate(("Enter", "Escape")):
                await press(key, number)
            player = next(event.player for event in told(game) if isinstance(event, Table))
            await tab.value(f"sit({player or 1})")
            await tab.wait_for("state.mine && document.body.innerText.includes(words.leave)")
            if await tab.value("location.search") == "":
                faults.append(f"{game}: whoever sits down loses the language")
            own = await tab.value("location.href.split('?')[0]")
            for size, code in product(SIZES, LANGUAGES):
                await measure(own, size, code)
            greeting.cancel()
    return count, faults


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.screens.phone", description=__doc__)
    parser.add_argument("--game", action="append")
    parser.add_argument("--pictures", type=Path, help="also keep a picture of each page in this folder")
    asked = parser.parse_args()
    if not chromium():
        print("no Chromium here: apt install chromium", file=sys.stderr)
        return 2
    if asked.pictures:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    count, faults = 0, []
    for game in asked.game or GAME_NAMES:
        pages, found = asyncio.run(measured(game, asked.pictures))
        count, faults = count + pages, faults + found
    print(*faults, f"{count} pages, {len(faults)} findings", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
