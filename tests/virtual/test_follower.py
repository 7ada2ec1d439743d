"""Players wait for the engine that watches them: never before it spoke, and never for ever."""

import socket
from collections.abc import Iterator
from pathlib import Path

from companion.core.address_card import CONTROL_NAME
from companion.core.clock import ManualClock
from companion.session.stream.stream import StreamServer, connect, encode_line
from companion.session.stream.table_attachment import TableAttachment
from companion.session.stream.virtual_table_events import Followed, Watching, WorldCommand, WorldEvent
from companion.virtual.companion_requests import Wanted
from companion.virtual.hand_movements import Follower
from companion.virtual.parameters import PLAYERS
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.table_server import TableServer
from companion.virtual.virtual_table import VirtualTable
from tests.support.virtual_tables import a_table, run

LONG_S = 30.0
"""Longer than any movement of a game that is laid out."""


def test_nobody_waits_for_an_engine_that_never_says_how_far_it_is() -> None:
    follower = Follower()
    follower.lose()
    assert not follower.behind(1000.0, settled=999.0)


def test_an_engine_is_behind_until_it_has_read_a_picture_of_what_came_to_rest() -> None:
    follower = Follower()
    follower.hear(10.0, 9.9, read=True)
    assert not follower.behind(10.0, settled=9.5)
    assert follower.behind(10.5, settled=10.4)
    follower.hear(10.6, 10.5, read=False)
    assert follower.behind(10.6, settled=10.4)
    follower.hear(10.8, 10.7, read=True)
    assert not follower.behind(10.8, settled=10.4)
    follower.hear(15.0, 10.4 + PLAYERS.read_most_s, read=False)
    assert not follower.behind(15.0, settled=10.4), "what is never read delays nobody for long"


def test_an_engine_is_waited_for_while_it_is_gone_or_silent_and_not_for_ever() -> None:
    follower = Follower()
    follower.hear(10.0, 10.0, read=True)
    assert not follower.behind(10.0 + PLAYERS.silent_s, settled=5.0)
    assert follower.behind(10.1 + PLAYERS.silent_s, settled=5.0)
    follower.lose()
    assert follower.behind(10.1, settled=5.0)
    assert follower.behind(10.0 + PLAYERS.give_up_s, settled=5.0)
    assert not follower.behind(10.1 + PLAYERS.give_up_s, settled=5.0)
    follower.hear(200.0, 199.9, read=True)
    assert not follower.behind(200.0, settled=5.0), "another engine goes on"


def followed_for(table: VirtualTable, seconds: float, *, late_s: float) -> None:
    """An engine follows for so long, and its newest picture is always `late_s` old."""
    until = table.clock.now() + seconds
    while table.clock.now() < until:
        table.followed(table.clock.now() - late_s, read=True)
        run(table, 0.2)


def done(table: VirtualTable) -> int:
    return len(table.truth.entries)


def test_players_stop_with_the_engine_and_go_on_with_it_or_without_it() -> None:
    table = a_table()
    table.speed = 8
    followed_for(table, 20.0, late_s=0.1)
    before = done(table)
    assert before > 5
    table.unfollowed()
    run(table, LONG_S)
    assert done(table) <= before + 1, "a movement that has begun is finished"
    stopped = done(table)
    followed_for(table, 10.0, late_s=0.1)
    resumed = done(table)
    assert resumed > stopped + 1
    table.unfollowed()
    run(table, PLAYERS.give_up_s - 1)
    assert done(table) <= resumed + 1
    run(table, LONG_S)
    assert done(table) > resumed + 5


def test_players_do_not_outrun_a_slow_engine_and_the_game_is_the_same() -> None:
    """Its pictures are two seconds old: nobody moves before it has seen what came to rest."""
    quick, slow = a_table(), a_table()
    quick.speed = slow.speed = 8
    followed_for(quick, 60.0, late_s=0.1)
    followed_for(slow, 60.0, late_s=2.0)
    assert 0 < done(slow) < done(quick)
    actions = [one.action for one in quick.truth.entries]
    assert [one.action for one in slow.truth.entries] == actions[: done(slow)]


def test_a_new_game_is_laid_out_once_a_slow_engine_has_seen_the_table_bare() -> None:
    table = a_table()
    table.speed = 8
    followed_for(table, 20.0, late_s=8.0)
    table.restart(7)
    followed_for(table, 8.0 + PLAYERS.bare_s - 0.5, late_s=8.0)
    assert not table.world.things
    followed_for(table, 30.0, late_s=8.0)
    assert table.world.things
    table.restart(8)
    table.wanted = Wanted(turns=True)  # the screen still shows the last game
    followed_for(table, 20.0, late_s=0.1)
    assert not table.world.things
    table.wanted = Wanted()
    followed_for(table, 5.0, late_s=0.1)
    assert table.world.things
    table.wanted = Wanted(turns=True)
    table.restart(9)
    followed_for(table, PLAYERS.bare_most_s + 10, late_s=0.1)
    assert table.world.things, "nobody waits for ever"


def test_the_table_hears_how_far_its_engine_is_and_that_it_is_gone(tmp_path: Path) -> None:
    clock = ManualClock()
    table = VirtualTable(1, "basic", 2, clock=clock, board=NoBoard(), waiting=True)
    server = TableServer(table, tmp_path / "table.json", clock)
    engine, noted = connect(tmp_path / CONTROL_NAME), list[int]()

    def rounds() -> Iterator[bool]:
        engine.sendall(encode_line(Watching("nobody")))
        for _ in range(12):
            engine.sendall(encode_line(Followed(clock.now(), read=True)))
            yield True
        noted.append(done(table))
        engine.close()
        for _ in range(12):
            yield True
        noted.append(done(table))
        yield False

    course = rounds()

    def alive() -> bool:
        clock.sleep(2)
        return next(course)

    server.run(alive)
    assert noted[0] > 0
    assert noted[1] <= noted[0] + 1


def test_an_engine_takes_what_the_table_tells_all_screens_or_it_would_be_cut_off(tmp_path: Path) -> None:
    table: StreamServer[WorldEvent, WorldCommand] = StreamServer(tmp_path / "world.sock", WorldCommand)
    attached = TableAttachment()
    attached.follow(0.5, True)  # without a table it does nothing
    attached.attach(tmp_path / "world.sock", tmp_path / "engine.sock")
    heard: list[object] = []
    for number in range(1500):
        attached.follow(number / 2, number % 2 == 0)
        heard += [command for _, command in table.poll()[1]]
        table.send(Watching("x" * 1000))
    assert heard[0] == Watching(str((tmp_path / "engine.sock").absolute()))
    assert heard[-1] == Followed(749.5, read=False)
    attached.follow(749.5, False)
    assert table.poll()[1] == [], "what has not changed is not told"
    table.close()
    attached.follow(800.0, True)
    attached.close()
    assert attached._socket is None
    with socket.socket(socket.AF_UNIX) as nobody:
        assert nobody.connect_ex(str(tmp_path / "world.sock")) != 0
