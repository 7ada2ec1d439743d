"""The address card of a virtual table: for its owner alone."""

import stat
from pathlib import Path

import pytest

from companion.core.address_card import AddressCard, wait_for_card, write_card
from companion.core.clock import ManualClock
from companion.core.errors import SourceError

CARD = AddressCard("http://127.0.0.1:1", "/dev/pts/9", "/run/world.sock", {"04": "M0A"}, "5+", 2)


def test_nobody_else_reads_the_card_and_no_link_leads_it_elsewhere(tmp_path: Path) -> None:
    path, victim = tmp_path / "table.json", tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / ".table.json.part").symlink_to(victim)
    for _ in range(2):
        write_card(path, CARD)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert wait_for_card(path, ManualClock()) == CARD
    assert victim.read_text() == "mine"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["table.json", "victim"]


def test_a_table_is_waited_for_as_long_as_its_process_lives(tmp_path: Path) -> None:
    path, clock = tmp_path / "table.json", ManualClock()

    def starting() -> bool:
        if clock.now() > 90.0:
            write_card(path, CARD)
        return True

    assert wait_for_card(path, clock, starting) == CARD
    with pytest.raises(SourceError):
        wait_for_card(tmp_path / "none.json", clock, lambda: False)
