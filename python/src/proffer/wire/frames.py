"""Frames: a message with its envelope, as bytes."""
from __future__ import annotations

import dataclasses

import msgpack

from proffer.wire import types as t
from proffer.wire.messages import BODIES, NUMBERS, Message

VERSION = 1
FRAME_BYTES = 1048576
#: The bytes that an ACCEPT leaves free, since what is sent on is a little longer.
HEAD_ROOM_BYTES = 1024


@dataclasses.dataclass(frozen=True)
class Envelope:
    """A message, and whose it is."""

    cluster: str
    epoch: int
    session: int
    seq: int
    message: Message


def encode(envelope: Envelope) -> bytes:
    """Returns the frame of a message. Raises Malformed for what the protocol does not allow."""
    number = NUMBERS[type(envelope.message)]
    try:
        body = BODIES[number].encode(envelope.message)
    except t.Malformed as error:
        raise t.Malformed(f"{type(envelope.message).__name__}{error}") from None
    parts = [VERSION, number, t.ident.encode(envelope.cluster), envelope.epoch, envelope.session,
             envelope.seq, body]
    frame: bytes = msgpack.packb(parts, use_bin_type=True, unicode_errors="surrogateescape")
    if len(frame) > FRAME_BYTES:
        raise t.Malformed(f"{type(envelope.message).__name__} has {len(frame)} bytes; the bound is {FRAME_BYTES}")
    return frame


def decode(frame: bytes) -> Envelope:
    """Returns the message of a frame. Raises Malformed for what cannot be read, or is not known here."""
    try:
        parts = msgpack.unpackb(frame, raw=False, unicode_errors="surrogateescape", strict_map_key=False)
    except Exception as error:
        raise t.Malformed(f"no MessagePack: {error}") from None
    if not isinstance(parts, list) or len(parts) < 7:
        raise t.Malformed("an envelope has seven elements")
    if parts[0] != VERSION:
        raise t.Malformed(f"version {parts[0]!r:.20} of the protocol; this is version {VERSION}")
    number = t.u64.decode(parts[1])
    if number not in BODIES:
        raise t.Malformed(f"message type {number} is not known here")
    return Envelope(t.ident.decode(parts[2]), t.u64.decode(parts[3]), t.u64.decode(parts[4]),
                    t.u64.decode(parts[5]), BODIES[number].decode(parts[6]))
