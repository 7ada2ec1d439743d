"""Captures without the board's serial number: valid frames still, whatever way they were cut."""

import pytest

from firmware.host.masked_capture import board_ids, without_serials
from firmware.wire import codec, payloads
from tests.support.board_hello import packed_hello

ID = bytes.fromhex("e6614103e7452d2f")
STATIONS = [("bed 1", codec.CAP_COUNT, 0)]


def hello() -> bytes:
    return codec.encode(
        codec.HELLO,
        packed_hello(board_id=ID, stations=STATIONS),
    )


def frames(records: list[tuple[float, bytes]]) -> list[tuple[int, bytes]]:
    decoder = codec.Decoder()
    found = [(kind, payload) for _, data in records for kind, _, _, _, payload in decoder.feed(data)]
    assert decoder.bad == 0
    return found


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_a_greeting_keeps_everything_but_the_serial_number(size: int) -> None:
    data = hello() + codec.encode(codec.CREDIT, bytes(4))
    records = [(float(at), data[at : at + size]) for at in range(0, len(data), size)]
    assert board_ids(records) == {ID}
    [(kind, payload), (other, _)] = frames(without_serials(records))
    assert (kind, other) == (codec.HELLO, codec.CREDIT)
    whole = payloads.unpack_hello(payload)
    assert whole[9] == bytes(len(ID))
    assert whole[10] == STATIONS
    assert whole[2:9] == ((0, 1, 0), 0, 5, 77, 1, 0, 0)


def test_what_the_board_says_of_its_number_is_masked_too() -> None:
    said = codec.encode(codec.LOG, b"\0" + codec.pack_text(f"board {ID.hex()} ready", 100))
    [_, (_, payload)] = frames(without_serials([(0.0, hello()), (1.0, said)]))
    assert payloads.unpack_text(payload, 1)[0] == f"board {'0' * 16} ready"


def test_a_damaged_greeting_goes_and_other_noise_stays() -> None:
    broken = bytearray(hello())
    broken[-3] ^= 1
    masked = b"".join(
        data for _, data in without_serials([(0.0, hello()), (1.0, bytes(broken)), (2.0, b"x\0")])
    )
    assert ID[:4] not in masked
    assert ID[-4:] not in masked
    assert b"x\0" in masked


def test_bytes_without_a_greeting_stay_as_they_are() -> None:
    data = codec.encode(codec.CREDIT, b"\1\2\3\4") + b"\0half"
    assert b"".join(one for _, one in without_serials([(0.0, data)])) == data
