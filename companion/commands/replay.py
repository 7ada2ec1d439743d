"""`companion replay`: a recorded game again, by its actions, its observations, or with damaged sensors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.core import process_tuning
from companion.core.config import load_config
from companion.core.errors import BadInputError
from companion.core.language import choose, in_english, localized, plural, term, text, tr, use
from companion.core.option_types import FILE_PATH, at_option, language_option
from companion.core.packed_folder import is_packed, unpacked
from companion.core.printable import follow, say
from companion.core.sensor_terms import sensor_name
from companion.dashboard.labels import title, variant_title
from companion.fusion.explain.sign_rates import count_signs, rate_lines, rate_table
from companion.session.journal.fault_injection import DAMAGES
from companion.session.journal.journal_replay import OWN_TRUTH, relived, replay_damaged, replay_journal


@click.command()
@click.argument("journal", type=FILE_PATH)
@click.option("--damage", metavar="PROFILE",
              help=f"Play it once more for each sensor, damaged: {', '.join(DAMAGES)} or all.")  # fmt: skip
@click.option("--count-rates", is_flag=True,
              help="How often each sign was missed and came without a cause, beside the model.")  # fmt: skip
@click.option("--screen", is_flag=True, help="Watch it step by step; what lay hidden after its end.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--faces", is_flag=True,
              help="With --json: also what lies hidden in a game that is on; not for players.")  # fmt: skip
@language_option
@at_option
def replay(
    journal: Path, damage: str | None, count_rates: bool, screen: bool, as_json: bool, faces: bool
) -> None:
    """Replay a JOURNAL: its actions give one final state, its observations must give the same.

    Or a recording (a folder of --record, or what companion pack made of it): its pictures and bytes are read
    again, and what they lead to now is held against its journals.

    With damage every verdict is held against the truth recorded beside the journal (truth.jsonl), without
    one against the verdicts of the undamaged game.
    """
    use(choose(load_config().language))
    process_tuning.freeze_garbage()
    otherwise = damage is not None or count_rates
    if journal.is_dir() or is_packed(journal):
        if screen or otherwise:
            raise BadInputError(
                text("this is a recording, which is only read again"),
                where=str(journal),
                next_step=text("name a journal in it: {folder}/journals", folder=str(journal)),
            )
        _replay_recording(journal, as_json=as_json, faces=faces)
        return
    if screen:
        if as_json or otherwise:
            raise BadInputError(
                text("a screen shows the game as it was"), where="--screen", next_step=text("use it alone")
            )
        from companion.commands.replay_screen import watch

        watch(journal)
        return
    if count_rates and damage is not None:
        raise BadInputError(
            text("rates are counted in the game as it was"), next_step=text("leave out --damage")
        )
    _replay_journal(journal, damage, count_rates=count_rates, as_json=as_json, faces=faces)


def _replay_journal(
    journal: Path, damage: str | None, *, count_rates: bool, as_json: bool, faces: bool
) -> None:
    """Replay a journal and print the result.

    `damage`: kind of damaged sensor; None: an undamaged replay. `count_rates`: also how often signs were
    missed. `as_json`: as one JSON object, with hidden cards of an unfinished game only if `faces`. SystemExit
    with status 1 if the replay ends in another state than the journal, or, with `damage`, if a damaged sensor
    led to a wrong verdict.
    """
    along = follow(tr("reading {journal}", journal=journal.name))
    result = replay_journal(journal, along) if damage is None else replay_damaged(journal, damage, along)
    if count_rates:
        result["rates"] = rate_table([count_signs(relived(journal, along).tracker)])
    if as_json:
        click.echo(msgspec.json.encode(_for_programs(result, faces=faces), enc_hook=in_english))
    elif damage is not None:
        _print_damages(result)
    else:
        _print(result)
        for line in rate_lines(result["rates"]) if count_rates else ():
            say(line)
    if result["wrong_verdicts"] if damage is not None else not result["matches"]:
        raise SystemExit(1)


def _for_programs(result: dict[str, Any], *, faces: bool) -> dict[str, Any]:
    """A replay's result for JSON.

    If the game is not over, keys that tell hidden cards (HIDING) are left out unless `faces`; a warning on
    stderr says so.
    """
    if result.get("over", True):
        return result
    say(NOT_FOR_PLAYERS if faces else FACES_LEFT_OUT, err=True)
    return result if faces else {name: of for name, of in result.items() if name not in HIDING}


def _replay_recording(path: Path, *, as_json: bool, faces: bool) -> None:
    """Decode a recording's pictures and bytes again; print the result.

    Verdicts and score are printed. `path`: folder of `--record`, or a file of `companion pack`. `as_json`: one
    JSON object. `faces`: with hidden cards of unfinished games. SystemExit with status 1 if a verdict or score
    differs from the recording's journals.
    """
    from companion.session.journal.recording_replay import replay_recording

    with unpacked(path) as folder:
        result = replay_recording(folder, follow(tr("reading {journal}", journal=path.name)))
    if as_json:
        if not result["over"]:
            say(NOT_FOR_PLAYERS if faces else FACES_LEFT_OUT, err=True)
        for game in result["games"]:
            if not game["over"] and not faces:
                for name in HIDING:
                    del game[name]
        click.echo(msgspec.json.encode(result, enc_hook=in_english))
    else:
        _print_recording(result)
    if not result["matches"]:
        raise SystemExit(1)


def _print_recording(result: dict[str, Any]) -> None:
    """Print each game of a recording: outcome, verdicts, and whether the journal agrees.

    `result`: what the command prints with --json.
    """
    for game in result["games"]:
        names = {"game": title(game["game"]), "variant": variant_title(game["variant"])}
        say(tr("{game} ({variant}), {players} players", players=game["players"], **names))
        say("  " + localized(game["outcome"] or text("the game is not over")))
        journal = game["verdicts"] is not None
        say("  " + tr("verdicts: {verdicts}", verdicts=_verdicts(game["replayed_verdicts"])))
        if journal and game["verdicts"] != game["replayed_verdicts"]:
            say("  " + tr("verdicts then: {verdicts}", verdicts=_verdicts(game["verdicts"])))
        if journal and game["score"] != game["replayed_score"]:
            then = tr("none") if game["score"] is None else str(game["score"])
            say("  " + tr("score then: {score}", score=then))
        if not journal:
            say("  " + tr("there is no journal to hold it against"))
        elif game["matches"]:
            say("  " + tr("pictures and bytes lead to what the journal says"))
        else:
            say("  " + tr("pictures and bytes lead to something ELSE than the journal says"))
            if game["differs"]:
                say("  " + tr("the state differs in: {parts}", parts=", ".join(game["differs"])))
    for missing in result["missing"]:
        say("  " + tr("note: {lost}", lost=missing))


def _verdicts(verdicts: Sequence[tuple[int, str]]) -> str:
    """Claims in words, such as "3 proved, 1 cannot tell". "-" for no claims.

    `verdicts`: (number of the place, verdict) of each claim.
    """
    return (
        ", ".join(f"{subject} {localized(_VERDICTS.get(verdict, verdict))}" for subject, verdict in verdicts)
        or "-"
    )


_VERDICTS = {
    "proved": term("verdict", "proved"),
    "refuted": term("verdict", "refuted"),
    "cannot_tell": term("verdict", "cannot tell"),
}
HIDING = ("final_state", "replayed_state")
"""Keys of a replay's result that tell where which cards lie hidden."""
NOT_FOR_PLAYERS = text("The game is not over, and this tells what lies hidden. Not for players.")
"""Warning beside hidden cards of a game that is not over."""
FACES_LEFT_OUT = text("The game is not over: what lies hidden is left out. --faces tells it; not for players.")
"""Note that hidden cards of an unfinished game were left out."""
_DAMAGED = {
    "dead": text("dead from the start"),
    "dying": text("dead from the middle on"),
    "away": text("away for a third"),
    "lossy": text("every fifth report lost"),
    "stuck": text("stuck from the middle on"),
}
"""Kind of damage to a sensor in a replay -> its description."""


def _print(result: dict[str, Any]) -> None:
    """Print a replayed game: players, actions, outcome, and whether journal and replay agree.

    `result`: what the command prints with --json.
    """
    names = {"game": title(result["game"]), "variant": variant_title(result["variant"])}
    counts = {name: result[name] for name in ("players", "actions")}
    say(tr("{game} ({variant}), {players} players: {actions} actions", **names, **counts))
    if result["lost"]:
        say("  " + tr("note: {lost}", lost=result["lost"]))
    say("  " + localized(result["outcome"] or text("the game is not over")))
    same = tr("recorded actions and replayed observations agree")
    say("  " + (same if result["matches"] else tr("recorded actions and replayed observations DIFFER")))


def _print_damages(result: dict[str, Any]) -> None:
    """Print how many verdicts were right, open, unheard or wrong with each sensor damaged.

    `result`: what the command prints with --json and --damage.
    """
    own = result["truth"] == OWN_TRUTH
    words = text("what was true (truth.jsonl)") if own else text("the undamaged game")
    say(
        plural(
            "{n} claim, held against {truth}",
            "{n} claims, held against {truth}",
            n=result["claims"],
            truth=words,
        )
    )
    runs = [{"sensor": "", "damage": "", "same_end": True, **result["undamaged"]}, *result["runs"]]
    named = [_sensor(run["sensor"]) for run in runs]
    hurt = [localized(_DAMAGED.get(run["damage"], "")) for run in runs]
    wide, deep = (max(map(len, column)) for column in (named, hurt))
    for run, sensor, damage in zip(runs, named, hurt, strict=True):
        kinds = ("right", "cannot_tell", "unheard", "wrong")
        counts = tr(
            "{right} right, {cannot_tell} left open, {unheard} unheard, {wrong} wrong",
            **{kind: run[kind] for kind in kinds},
        )
        end = "" if run["same_end"] else "; " + tr("another end")
        say(f"  {sensor:{wide}}  {damage:{deep}}  {counts}{end}")


def _sensor(name: str) -> str:
    """Name of a sensor for people.

    `name`: as replays have it, e.g. "camera"; "" stands for the undamaged game.
    """
    return localized(
        sensor_name("pressure matrix" if name == "texture" else name) if name else text("undamaged")
    )
