"""Setup step: ask for the family's names of unnamed characters."""

from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import NameCharacter
from calibration.wizard.step_result import Check, StepResult, Verdict, result_of, skipped
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.registry import give_names

NAME = "names"
TRIES = 3
"""How often one name is asked for, if the game refuses the answer. A guess."""


def name_characters(bench: SetupBench) -> StepResult:
    """Ask for the family's name of each character of the game.

    Those that the game accepts are saved. The result counts names.
    """
    unnamed = bench.game.words.unnamed
    if not unnamed:
        return skipped(NAME, text("every character of this game has a name"))
    before = bench.profile.names
    names: list[str] = []
    for number, usual in enumerate(unnamed):
        name = _name(bench, usual, before[number] if number < len(before) else "", names)
        if not name:
            break
        names.append(name)
        bench.say(text("{usual} is called {name}", usual=usual, name=name))
    # A person who stops leaves later names as they were, up to one that is taken now.
    for name in before[len(names) : len(unnamed)]:
        if _refused(bench, names, name):
            break
        names.append(name)
    give_names(bench.game, names)
    bench.update(names=tuple(names))
    others = text("without a name: {characters}", characters=tuple(unnamed[len(names) :]))
    told = [text("{names}", names=tuple(names))] if names else []
    told += [others] if len(names) < len(unnamed) else []
    said = text("{told}", told=tuple(told))
    return result_of(NAME, [Check(NAME, Verdict.GOOD, len(names), "names", said)])


def _name(bench: SetupBench, usual: str, before: str, names: list[str]) -> str:
    """Ask for the family's name of one character.

    `usual`: its usual name. `before`: name at the last setup. `names`: those given so far. "" if the family
    gives no more names.
    """
    for _ in range(TRIES):
        typed = bench.ask_text(NameCharacter(usual, before))
        name = before if typed is not None and not typed.strip() else (typed or "").strip()
        if not name:
            return ""
        refused = _refused(bench, names, name)
        if not refused:
            return name
        bench.say(refused)
    return ""


def _refused(bench: SetupBench, names: list[str], name: str) -> str:
    """Reason why the game refuses `name` after the other `names`; "" if it accepts it."""
    try:
        give_names(bench.game, [*names, name])
    except BadInputError as error:
        return error.what
    return ""
