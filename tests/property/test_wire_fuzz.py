"""The decoder against chance: round trips, junk, splits at every byte, flipped bits."""

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.wire import codec, payloads

byte = st.integers(0, 255)
frames = st.tuples(byte, byte, byte, byte, st.binary(max_size=codec.MAX_PAYLOAD))


def encoded(frame):
    kind, flags, seq, ack, payload = frame
    return codec.encode(kind, payload, flags, seq, ack)


@given(st.binary(max_size=600))
def test_cobs_round_trip(data):
    stuffed = codec.cobs_encode(data)
    assert 0 not in stuffed
    assert codec.cobs_decode(stuffed) == data


@given(st.lists(frames, max_size=5), st.data())
def test_frames_survive_any_cutting(sent, data):
    stream = b"".join(encoded(frame) for frame in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=20)))
    decoder = codec.Decoder()
    got = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        got += decoder.feed(stream[start:end])
    assert got == sent
    assert decoder.bad == 0


@given(frames)
def test_one_byte_at_a_time(frame):
    decoder = codec.Decoder()
    got = [found for value in encoded(frame) for found in decoder.feed(bytes([value]))]
    assert got == [frame]


@given(st.lists(st.one_of(frames, st.binary(max_size=400)), max_size=8))
def test_junk_between_frames_costs_no_frame(parts):
    decoder = codec.Decoder()
    got = []
    for part in parts:
        got += decoder.feed(encoded(part) if isinstance(part, tuple) else part)
    wanted = [part for part in parts if isinstance(part, tuple)]
    # Every real frame arrives, in order: its leading delimiter ends whatever came before.
    rest = iter(got)
    assert all(any(frame == found for found in rest) for frame in wanted)


@given(st.binary(max_size=2000))
def test_noise_is_no_frame(noise):
    decoder = codec.Decoder()
    assert decoder.feed(noise) == []
    assert len(decoder.pending()) <= codec.MAX_ENCODED


@settings(max_examples=200)
@given(frames, st.data())
def test_flipped_bits_never_give_another_frame(frame, data):
    line = bytearray(encoded(frame))
    for at in data.draw(st.lists(st.integers(0, len(line) * 8 - 1), min_size=1, max_size=3, unique=True)):
        line[at // 8] ^= 1 << at % 8
    got = codec.Decoder().feed(bytes(line) + b"\0")
    assert got in ([], [frame])


@given(st.binary(max_size=codec.MAX_PAYLOAD))
def test_payload_readers_say_valueerror_or_an_answer(payload):
    for read in (payloads.unpack_hello, codec.unpack_ident, payloads.unpack_event, payloads.unpack_snapshot):
        try:
            read(payload)
        except ValueError:
            continue
