"""The zones of a game's mat, for a drawing of the table on a screen."""

from typing import Any

from companion.games.table_game import TableGame
from companion.session.stream.events import MatZone


def drawn_mat(
    game: TableGame[Any, Any], variant: str, state: Any, places: int
) -> tuple[tuple[MatZone, ...], float]:
    """Compute how a screen draws a game's mat: (its zones, its width divided by its height).

    Zones are in shares (0 to 1) of the mat's width and height. `places`: number of places that a screen shows
    in `state`.
    """
    mat = game.mat(variant)
    stations = {game.claim_station(state, at): f"place {at + 1}" for at in range(places)}
    zones = (
        MatZone(
            round(zone.x / mat.w, 3),
            round(zone.y / mat.h, 3),
            round(zone.w / mat.w, 3),
            round(zone.h / mat.h, 3),
            stations.get(zone.name, zone.holds),
        )
        for zone in mat.zones
    )
    return tuple(zones), round(mat.w / mat.h, 3)
