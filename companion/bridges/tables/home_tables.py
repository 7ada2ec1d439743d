"""All tables without a broker: those of this machine, and those that others announce on the home network."""

import asyncio
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.bridges.tables.on_this_machine import TablesHere
from companion.core.language import tr
from companion.core.optional_packages import install_step

if TYPE_CHECKING:
    from companion.bridges.tables.on_the_network import TablesOnNetwork


class HomeTables:
    """Tables of this machine, and those that others announce on the home network.

    Without the package zeroconf only this machine's tables are listed, and `said` tells so. `needed`: always
    False, because the list is of use without the network, too.
    """

    needed: bool = False

    def __init__(self, folder: Path, on_change: Callable[[], None]) -> None:
        """Prepare the list; `run` fills it.

        `folder`: where sockets of this user's engines lie. `on_change`: called without arguments when a row may
        have changed.
        """
        self._here = TablesHere(folder, on_change)
        self._network = _on_the_network(on_change, self._here.pages)

    @property
    def said(self) -> str:
        """Sentence: only this machine's tables are listed, and why. "" if all are."""
        if self._network is None:
            return tr(
                "Only this machine's tables; for those of the network: {step}", step=install_step("zeroconf")
            )
        if self._network.wrong:
            return tr("Only this machine's tables: {why}", why=self._network.wrong)
        return ""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each table, as from `ListedTable.row`; this machine's first."""
        return [*self._here.rows(), *(self._network.rows() if self._network else ())]

    def nothing_yet(self) -> str:
        """Sentence for an empty list: no table is there, and how to start one."""
        return tr("No table is there yet. At this machine: companion run --at NAME; elsewhere: companion serve")

    async def run(self) -> None:
        """Keep the list up to date until cancelled."""
        await asyncio.gather(self._here.run(), *([self._network.run()] if self._network else []))


def _on_the_network(on_change: Callable[[], None], here: Callable[[], set[str]]) -> "TablesOnNetwork | None":
    """Tables that other machines announce on the home network.

    None without the package zeroconf. `on_change`: called when a row may have changed. `here`: returns the
    pages ("host:port") of this machine, which are left out.
    """
    if find_spec("zeroconf") is None:
        return None
    from companion.bridges.tables.on_the_network import TablesOnNetwork

    return TablesOnNetwork(on_change, here)
