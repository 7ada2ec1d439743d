"""`companion guide`: what to buy for a rig, taken from the steps of its build guide."""

import json

import click

from companion.core.config import load_config
from companion.core.errors import BadInputError
from companion.core.language import choose, plural, text, tr, use
from companion.core.option_types import language_option
from companion.core.printable import say


@click.command()
@click.argument("rig", required=False, metavar="[RIG]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@language_option
def guide(rig: str | None, as_json: bool) -> None:
    """List the parts of a rig with prices, or all rigs.

    RIG is webcam, pad, judge or full. The names of parts are English, as in the guide (docs/build-guide.md)
    that has the steps. Prices are estimates in euros, without the computer and the game.
    """
    use(choose(load_config().language))
    from calibration.guide.build_steps import load_guide
    from calibration.guide.parts_list import hours_of, parts_of, price_of

    steps = load_guide()
    rungs = [one for one in steps.rung if rig in (None, one.id)]
    if not rungs:
        known = text("choose one of: {names}", names=tuple(one.id for one in steps.rung))
        raise BadInputError(text("there is no such rig"), where=str(rig), next_step=known)
    if as_json:
        told = [
            {
                "rig": one.id,
                "euros": price_of(steps, one),
                "hours": hours_of(steps, one),
                "page": f"docs/{one.page}",
                "parts": [
                    {"id": need.id, "part": need.part.name, "count": need.count, "euros_each": need.part.price,
                     "instead": need.part.instead, "note": need.part.note, "steps": need.steps}
                    for need in parts_of(steps, one)
                ],
            }
            for one in rungs
        ]  # fmt: skip
        click.echo(json.dumps({"rigs": told}))
        return
    for one in rungs:
        least, most = price_of(steps, one)
        hours = plural("{n} hour", "{n} hours", n=hours_of(steps, one))
        say(tr("{rig}: {least} to {most} euros, {hours}; steps: {page}",
               rig=one.id, least=least, most=most, hours=hours, page=f"docs/{one.page}"))  # fmt: skip
        if rig is None:
            continue
        for need in parts_of(steps, one):
            instead = f" ({need.part.instead})" if need.part.instead else ""
            low, high = need.price
            say(f"{need.count:4} x {need.part.name}{instead}, {low:g}-{high:g}")
