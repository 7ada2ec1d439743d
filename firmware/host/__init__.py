"""The host's end of the wire: ports, the link to a board, its messages.

`link.open_link` opens a real board, `link.Link` any port. A virtual board in memory takes the same calls:

>>> from firmware.clock import ManualClock
>>> from firmware.host.link import Link
>>> from firmware.simulator.lockstep import step
>>> from firmware.simulator.virtual_board import VirtualBoard
>>> from firmware.simulator.virtual_port import MemoryEnd
>>> clock, end = ManualClock(), MemoryEnd()
>>> board = VirtualBoard(clock=clock, end=end)
>>> link = Link("", clock, opener=end.open)
>>> def messages_of(seconds):
...     for _ in range(round(seconds * 50)):
...         clock.sleep(0.02)
...         yield from step(board, link, clock.now())
>>> hello, *_ = messages_of(4)
>>> hello.protocol, hello.stations[0].name
('1.2', 'bed 1')
>>> board.press_button("bed 1", True)
>>> [message] = messages_of(0.2)
>>> message.station, message.pressed
('bed 1', True)
"""
