"""The codec against its golden vectors, and the corners of its payloads."""

import re
from pathlib import Path

import pytest

from firmware.wire import codec, payloads
from firmware.wire.acknowledged import SequenceIn, SequenceOut

VECTORS = Path(__file__).parent.parent / "golden" / "wire_vectors.txt"
PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
"""The page from which boards in other languages are written."""


def vectors():
    for line in VECTORS.read_text().splitlines():
        if line and not line.startswith("#"):
            kind, flags, seq, ack, payload, frame = line.split()
            fields = int(kind), int(flags), int(seq), int(ack), bytes.fromhex(payload.strip("-"))
            yield pytest.param(fields, bytes.fromhex(frame), id=line[:30])


@pytest.mark.parametrize(("fields", "frame"), vectors())
def test_golden_vectors(fields, frame):
    kind, flags, seq, ack, payload = fields
    assert codec.encode(kind, payload, flags, seq, ack) == frame
    assert codec.Decoder().feed(frame) == [fields]


@pytest.mark.parametrize(
    ("table", "prefix"),
    [("flag", "FLAG_"), ("type", ""), ("kind", "EV_"), ("op", "OP_"), ("key", "CONF_")],
)
def test_numbers_are_those_of_the_page(table, prefix):
    """A board that was flashed long ago says them. Both ends of one program would agree on others, too."""
    rows = PAGE.split(f"\n| {table} |")[1].split("\n\n")[0]
    numbers = re.findall(r"^\| (\d+) \| ([^|]+) \|", rows, re.MULTILINE)
    assert numbers
    for number, meaning in numbers:
        words = meaning.upper().replace("-", "").split()
        names = [prefix + "_".join(words[:count]) for count in range(1, len(words) + 1)]
        assert [getattr(codec, name) for name in names if hasattr(codec, name)] == [int(number)], meaning


def test_capabilities_have_the_bits_of_the_page():
    bits = re.search(r"Capability bits: ([^.]+)\.", PAGE)[1]
    told = {name: int(bit) for bit, name in (one.split() for one in bits.split(", "))}
    assert told == {name: 1 << at for at, name in enumerate(codec.CAPABILITIES)}
    assert told == {name: getattr(codec, f"CAP_{name.upper()}") for name in codec.CAPABILITIES}


def test_names_are_cut_to_the_lengths_of_the_page():
    assert payloads.unpack_part(codec.pack_part(codec.CAP_TOUCH, True, "x" * 80)) == (8, True, "x" * 60, 0)
    assert payloads.unpack_text(payloads.pack_ident(1, 2, "x" * 80), 7)[0] == "x" * 24
    assert codec.pack_text("x" * 80, codec.NAME_BYTES)[0] == 15


@pytest.mark.parametrize(
    ("plain", "stuffed"),
    [
        (b"", b"\x01"),
        (b"\0", b"\x01\x01"),
        (b"\0\0", b"\x01\x01\x01"),
        (b"\x11\x22\0\x33", b"\x03\x11\x22\x02\x33"),
        (bytes(range(1, 255)), b"\xff" + bytes(range(1, 255)) + b"\x01"),
        (bytes(range(1, 254)), b"\xfe" + bytes(range(1, 254))),
    ],
)
def test_cobs(plain, stuffed):
    assert codec.cobs_encode(plain) == stuffed
    assert codec.cobs_decode(stuffed) == plain


@pytest.mark.parametrize("chunk", [b"\x05\x01", b"\x02", b"\x01\0\x01"])
def test_broken_cobs(chunk):
    with pytest.raises(ValueError, match="cobs"):
        codec.cobs_decode(chunk)


def test_a_payload_has_an_end():
    with pytest.raises(ValueError, match="too long"):
        codec.encode(codec.LOG, bytes(201))
    assert len(codec.encode(codec.LOG, bytes(200))) == codec.MAX_ENCODED + 2


def test_a_flood_without_end_is_one_bad_frame():
    decoder = codec.Decoder()
    for _ in range(1000):
        assert decoder.feed(b"x" * 1000) == []
    assert len(decoder.pending()) <= codec.MAX_ENCODED
    assert decoder.feed(b"\0" + codec.encode(codec.PING, b"12345678")) == [(codec.PING, 0, 0, 0, b"12345678")]
    assert (decoder.frames, decoder.bad) == (1, 1)
    assert len(decoder.rejected) <= 512


def test_hello_fits_with_the_largest_rig():
    stations = [("fifteen letters", 63, 63)] * 8
    hello = codec.pack_hello(
        firmware=(1, 2, 3),
        code_hash=0xDEADBEEF,
        boot_id=1,
        session=2,
        cause=3,
        base=4,
        t_us=1 << 40,
        board_id=b"12345678",
        stations=stations,
    )
    assert len(hello) <= codec.MAX_PAYLOAD
    assert payloads.unpack_hello(hello)[2:] == (
        (1, 2, 3),
        0xDEADBEEF,
        1,
        2,
        3,
        4,
        1 << 40,
        b"12345678",
        stations,
    )


@pytest.mark.parametrize("uids", [None, [], [b"\x04\x01\x02\x03\x04\x05\x06"], [b"abcd", b"efghijk"]])
@pytest.mark.parametrize("weight", [None, (-5, 81234, 80000)])
@pytest.mark.parametrize("switch", [None, True, False])
def test_snapshots(uids, weight, switch):
    payload = codec.pack_snapshot(station=3, t_us=99, uids=uids, weight=weight, touched=switch, pressed=switch)
    assert payloads.unpack_snapshot(payload) == (3, 99, uids, weight, switch, switch)


def test_a_stream_takes_each_number_once():
    incoming = SequenceIn()
    assert [incoming.take(seq) for seq in (0, 0, 2, 1, 1, 2)] == [True, False, False, True, False, True]
    assert incoming.ack() == 2
    assert incoming.repeats == 3


def test_a_stream_sends_again_later_and_later():
    out = SequenceOut(8, 4, 100)
    assert out.resends == 0
    for letter in b"abcdef":
        assert out.put(codec.EVENT, bytes([letter])) >= 0
    assert [frame[3] for frame in out.due(0)] == [0, 1, 2, 3]
    assert out.due(99) == []
    assert [frame[3] for frame in out.due(100)] == [0, 1, 2, 3]
    assert out.due(250) == []
    assert len(out.due(300)) == 4
    out.acked(1)
    assert [frame[3] for frame in out.due(301)] == [4, 5]
    out.acked(200)
    assert out.base() == 2
    out.acked(5)
    assert out.queue == []
    assert out.resends == 8


def test_a_stream_waits_as_long_while_the_boards_clock_wraps():
    out = SequenceOut(8, 4, 100)
    out.put(codec.EVENT, b"")
    assert len(out.due((1 << 30) - 50)) == 1
    assert out.due(49) == []
    assert len(out.due(50)) == 1


def test_a_stream_is_bounded_and_wraps():
    out = SequenceOut(32, 8, 100)
    incoming = SequenceIn()
    for _ in range(1000):
        assert out.put(codec.EVENT, b"") >= 0
        (frame,) = out.due(0)
        assert incoming.take(frame[3])
        out.acked(incoming.ack())
    for _ in range(32):
        assert out.put(codec.EVENT, b"") >= 0
    assert out.put(codec.EVENT, b"") == -1
