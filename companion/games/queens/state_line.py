"""Head of the line in which both Sleeping Queens games write a state: variant, number of players, fields."""

from collections.abc import Sequence

from companion.games.notation_words import fields_of, number, within


def head_and_fields(
    line: str, variant: str, allowed: Sequence[int], names: Sequence[str]
) -> tuple[int, dict[str, str]]:
    """Parse a state's line into (number of players, field -> text).

    ValueError unless it begins with `variant` and one of the `allowed` numbers of players (ascending), and has
    each field of `names` once.
    """
    head, fields = line.split()[:2], fields_of(line.split()[2:], names)
    if len(head) < 2 or head[0] != variant:
        raise ValueError(f"a state begins with variant and number of players, e.g. {variant} 3")
    players = within("players", head[1], number)
    if players not in allowed:
        raise ValueError(f"players: {players} is not one of {allowed[0]} to {allowed[-1]}")
    return players, fields
