"""The vectors that the C++ tests read, too: each message becomes exactly the bytes, and back."""
import dataclasses
import json
import os
import pathlib

import pytest

from proffer.wire import frames, messages, types
from proffer.wire.frames import Envelope

VECTORS = pathlib.Path(os.environ.get(
    "PROFFER_SOURCE", pathlib.Path(__file__).resolve().parents[2])) / "tests/formats/vectors"


def value_of(codec, json_value):
    """The value that a vector's JSON stands for."""
    if codec.name == "id":
        return json_value
    if codec.name == "bytes":
        return bytes.fromhex(json_value)
    if codec.name == "structure":
        return struct_of(codec.parts[0], json_value)
    if codec.name == "list":
        return tuple(value_of(codec.parts[0], one) for one in json_value)
    if codec.name == "pair":
        return tuple(value_of(part, one) for part, one in zip(codec.parts, json_value))
    if codec.name == "optional":
        return None if json_value is None else value_of(codec.parts[0], json_value)
    if codec.name in ("resources", "quantities"):
        return dict(json_value)
    if codec.name == "tagged":
        of = codec.parts[json_value["tag"]]
        return value_of(of, json_value["value"]) if isinstance(of, types.Codec) else struct_of(of, json_value)
    return codec.decode(json_value)


def struct_of(of, fields):
    known = {f.name: value_of(f.metadata["codec"], fields[f.name.rstrip("_")]) for f in dataclasses.fields(of)}
    return of(**known)


def vectors():
    for conversation in ("framework", "data", "people"):
        for vector in json.loads((VECTORS / f"{conversation}.json").read_text()):
            yield pytest.param(vector, id=vector["name"])


@pytest.mark.parametrize("vector", list(vectors()))
def test_bytes_become_the_message_and_the_message_the_bytes(vector):
    message, frame = vector["message"], bytes.fromhex(vector["bytes"])
    body = struct_of(messages.BY_NUMBER[message["type"]], message["body"])
    envelope = Envelope(message["cluster"], message["epoch"], message["session"], message["seq"], body)
    assert frames.decode(frame) == envelope
    assert frames.encode(envelope).hex() == vector["bytes"]


def test_every_message_of_these_conversations_has_a_vector():
    seen = {vector.values[0]["message"]["type"] for vector in vectors()}
    assert seen == set(messages.BY_NUMBER)


def test_elements_behind_those_that_are_known_are_ignored():
    import msgpack

    parts = [1, 22, b"", 3, 4, 5, ["so long", "of a later version"], "this as well"]
    assert frames.decode(msgpack.packb(parts)).message == messages.Bye("so long")


@pytest.mark.parametrize("task, sentence", [
    (dict(id="a b", resources={"map": 1}), "id must be 1-128 bytes"),
    (dict(id="..", resources={"map": 1}), "id must be 1-128 bytes"),
    (dict(id="a", resources={"map": 0}), "whole number from 1"),
    (dict(id="a", resources={"MAP": 1}), "1-15 bytes of"),
])
def test_a_mistake_is_named(task, sentence):
    from proffer.wire.enums import DeclineReason
    from proffer.wire.structures import Demand, Task

    accept = messages.Accept(1, (), (Task(**task),), DeclineReason.OTHER, None, Demand())
    with pytest.raises(types.Malformed, match=sentence):
        frames.encode(Envelope("", 0, 0, 0, accept))


def test_what_is_cut_short_is_malformed():
    whole = frames.encode(Envelope("", 0, 0, 0, messages.Describe(1)))
    for frame in (b"", b"\x97\x01", b"\x90", b"\xc1", whole[:-1], whole + b"\0"):
        with pytest.raises(types.Malformed):
            frames.decode(frame)
