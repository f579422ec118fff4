"""Types of fields: each turns a value into the element that stands for it on the wire, and back."""
from __future__ import annotations

import dataclasses
import enum
import re
import typing
from datetime import timedelta
from typing import Any, Callable, Dict, Generic, List, NamedTuple, Optional, Tuple, Type, TypeVar

T = TypeVar("T")
E = TypeVar("E", bound=enum.IntEnum)


class Malformed(ValueError):
    """A value that the protocol does not allow; the text names the field."""


class OfferId(NamedTuple):
    """An epoch of a server and a counter within it; never reused."""

    epoch: int
    number: int


@dataclasses.dataclass(frozen=True)
class Codec(Generic[T]):
    """A type of the protocol, with both of its directions."""

    name: str
    encode: Callable[[T], Any]
    decode: Callable[[Any], T]
    parts: Tuple[Any, ...] = ()


def _must(holds: bool, what: str, value: object) -> None:
    if not holds:
        raise Malformed(f"must be {what}, not {value!r:.80}")


def _integer(name: str, least: int, most: int) -> Codec[int]:
    def check(value: Any) -> int:
        is_int = isinstance(value, int) and not isinstance(value, bool)
        _must(is_int and least <= value <= most, f"a whole number from {least} to {most}", value)
        return int(value)

    return Codec(name, check, check)


def _string(name: str, most: int, what: str, pattern: Optional[str] = None) -> Codec[str]:
    compiled = re.compile(pattern) if pattern is not None else None

    def check(value: Any) -> str:
        _must(isinstance(value, str), what, value)
        long = len(value.encode("utf-8", "surrogateescape")) > most
        _must(not long and (compiled is None or compiled.fullmatch(value) is not None), what, value)
        return str(value)

    return Codec(name, check, check)


def _boolean(value: Any) -> bool:
    _must(isinstance(value, bool), "true or false", value)
    return bool(value)


boolean: Codec[bool] = Codec("bool", _boolean, _boolean)
u8 = _integer("u8", 0, 2**8 - 1)
u32 = _integer("u32", 0, 2**32 - 1)
u64 = _integer("u64", 0, 2**64 - 1)
i32 = _integer("i32", -(2**31), 2**31 - 1)
i64 = _integer("i64", -(2**63), 2**63 - 1)

_NAME = r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,128}"
_PART = r"[A-Za-z0-9_-]+"
name = _string("name", 128, "1-128 bytes of [A-Za-z0-9._-]", _NAME)
name_or_empty = _string("name or empty", 128, "1-128 bytes of [A-Za-z0-9._-], or nothing", f"({_NAME})?")
pool = _string("pool", 4096, "names joined by dots, at most 8", rf"({_PART}(\.{_PART}){{0,7}})?")
kind = _string("kind", 15, "1-15 bytes of [a-z0-9_]", r"[a-z0-9_]{1,15}")
text = _string("text", 65536, "a text of at most 65536 bytes")
short_text = _string("short text", 128, "a text of at most 128 bytes")
path = _string("path", 4096, "a path of at most 4096 bytes")
endpoint = _string("endpoint", 256, "an address of at most 256 bytes")
argument = _string("argument", 65536, "at most 65536 bytes without zeros", r"[^\0]*")
variable = _string("variable name", 128, "1-128 bytes without = and zero", r"[^=\0]+")
file_name = _string("file name", 255, "1-255 bytes without / and zero", r"(?!\.{1,2}\Z)[^/\0]+")


def _encode_id(value: str) -> bytes:
    _must(isinstance(value, str) and re.fullmatch(r"([0-9a-f]{32})?", value) is not None,
          "32 hexadecimal digits, or nothing", value)
    return bytes.fromhex(value)


def _decode_id(element: Any) -> str:
    _must(isinstance(element, bytes) and len(element) in (0, 16), "16 bytes, or none", element)
    return typing.cast(bytes, element).hex()


ident: Codec[str] = Codec("id", _encode_id, _decode_id)

_MICROSECOND = timedelta(microseconds=1)


def _encode_duration(value: timedelta) -> int:
    _must(isinstance(value, timedelta) and 0 <= value // _MICROSECOND <= 2**53,
          "a time from 0 to 2^53 microseconds", value)
    return value // _MICROSECOND


def _decode_duration(element: Any) -> timedelta:
    is_int = isinstance(element, int) and not isinstance(element, bool)
    _must(is_int and 0 <= element <= 2**53, "microseconds from 0 to 2^53", element)
    return timedelta(microseconds=element)


duration: Codec[timedelta] = Codec("duration", _encode_duration, _decode_duration)


def _array(element: Any, what: str = "an array") -> List[Any]:
    _must(isinstance(element, (list, tuple)), what, element)
    return typing.cast(List[Any], element)


def _decode_epoch_id(element: Any) -> OfferId:
    numbers = _array(element, "[epoch, n]")
    _must(len(numbers) >= 2, "[epoch, n]", element)
    return OfferId(u64.decode(numbers[0]), u64.decode(numbers[1]))


epoch_id: Codec[OfferId] = Codec(
    "epoch id", lambda value: [u64.encode(value[0]), u64.encode(value[1])], _decode_epoch_id)


def blob(most: int) -> Codec[bytes]:
    """Returns the type of at most so many bytes."""

    def check(value: Any) -> bytes:
        _must(isinstance(value, bytes) and len(value) <= most, f"at most {most} bytes", value)
        return bytes(value)

    return Codec("bytes", check, check)


def _within(at: object, convert: Callable[[Any], T], value: Any) -> T:
    """Converts a part, and names it when it is malformed."""
    try:
        return convert(value)
    except Malformed as error:
        told = str(error)
        joint = "" if told.startswith(("[", ".")) else " "
        raise Malformed(f"{at}{joint}{told}") from None


def many(item: Codec[T], most: int = 65536) -> Codec[Tuple[T, ...]]:
    """Returns the type of a list."""

    def checked(values: Any) -> List[Any]:
        _must(isinstance(values, (list, tuple)) and len(values) <= most, f"a list of at most {most}", values)
        return list(values)

    def encode(values: Tuple[T, ...]) -> Any:
        return [_within(f"[{i}]", item.encode, value) for i, value in enumerate(checked(values))]

    def decode(element: Any) -> Tuple[T, ...]:
        return tuple(_within(f"[{i}]", item.decode, part) for i, part in enumerate(checked(element)))

    return Codec("list", encode, decode, (item,))


def pair(first: Codec[Any], second: Codec[Any]) -> Codec[Tuple[Any, Any]]:
    """Returns the type of an array of two."""

    def decode(element: Any) -> Tuple[Any, Any]:
        parts = _array(element)
        _must(len(parts) >= 2, "an array of two", element)
        return first.decode(parts[0]), second.decode(parts[1])

    return Codec("pair", lambda value: [first.encode(value[0]), second.encode(value[1])], decode,
                 (first, second))


def optional(item: Codec[T]) -> Codec[Optional[T]]:
    """Returns the type of a value or nil."""
    return Codec("optional", lambda value: None if value is None else item.encode(value),
                 lambda element: None if element is None else item.decode(element), (item,))


def _quantities(type_name: str, least: int, most: int) -> Codec[Dict[str, int]]:
    amount = _integer(type_name, least, most)

    def encode(value: Dict[str, int]) -> Any:
        _must(isinstance(value, dict) and len(value) <= 64, "at most 64 kinds with their quantities", value)
        return [[kind.encode(k), _within(k, amount.encode, value[k])] for k in sorted(value)]

    def decode(element: Any) -> Dict[str, int]:
        return {kind.decode(k): amount.decode(n) for k, n in (_array(part)[:2] for part in _array(element))}

    return Codec(type_name, encode, decode)


resources = _quantities("resources", 1, 2**40)
quantities = _quantities("quantities", 0, 2**63 - 1)


def enumeration(of: Type[E], unknown: Optional[E] = None) -> Codec[E]:
    """Returns the type of an enumeration; an unknown number counts as `unknown` where that is given."""

    def decode(element: Any) -> E:
        number = u64.decode(element)
        try:
            return of(number)
        except ValueError:
            if unknown is not None:
                return unknown
            raise Malformed(f"must be a {of.__name__}, not {number}") from None

    return Codec("enum", lambda value: int(of(value)), decode)


def wire(codec: Codec[T], default: Any = dataclasses.MISSING) -> Any:
    """Declares a field of a structure, in its place on the wire."""
    if isinstance(default, (dict, list)):
        return dataclasses.field(default_factory=lambda: type(default)(default), metadata={"codec": codec})
    return dataclasses.field(default=default, metadata={"codec": codec})


def structure(of: Type[T]) -> Codec[T]:
    """Returns the type of a structure: an array of its fields, in their order."""
    fields = [(f.name, typing.cast(Codec[Any], f.metadata["codec"]))
              for f in dataclasses.fields(of)]  # type: ignore[arg-type]

    def encode(value: T) -> Any:
        _must(isinstance(value, of), f"a {of.__name__}", value)
        return [_within(f".{key}", codec.encode, getattr(value, key)) for key, codec in fields]

    def decode(element: Any) -> T:
        parts = _array(element, f"the fields of a {of.__name__}")
        _must(len(parts) >= len(fields), f"{len(fields)} fields", element)
        return of(**{key: _within(f".{key}", codec.decode, part)
                     for (key, codec), part in zip(fields, parts)})

    return Codec("structure", encode, decode, (of,))


def tagged(*alternatives: Any) -> Codec[Any]:
    """Returns the type of one of several structures or types, told apart by their number."""
    codecs: List[Codec[Any]] = [a if isinstance(a, Codec) else structure(a) for a in alternatives]

    def encode(value: Any) -> Any:
        for tag, (alternative, codec) in enumerate(zip(alternatives, codecs)):
            if isinstance(alternative, Codec):
                if isinstance(value, int):
                    return [tag, codec.encode(value)]
            elif type(value) is alternative:
                return [tag, *codec.encode(value)]
        raise Malformed(f"must be one of {', '.join(getattr(a, '__name__', a) for a in alternatives)}")

    def decode(element: Any) -> Any:
        parts = _array(element)
        _must(len(parts) >= 1 and isinstance(parts[0], int) and 0 <= parts[0] < len(codecs),
              "the number of an alternative, and its fields", element)
        codec, rest = codecs[parts[0]], list(parts[1:])
        if isinstance(alternatives[parts[0]], Codec):
            _must(bool(rest), "a value", element)
            return codec.decode(rest[0])
        return codec.decode(rest)

    return Codec("tagged", encode, decode, tuple(alternatives))
