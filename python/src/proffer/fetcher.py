"""Reading from the data ports of agents what commands have written."""
from __future__ import annotations

import time
from typing import Dict, Iterator, Tuple

import zmq

from proffer.wire import frames, types
from proffer.wire.enums import ErrorCode
from proffer.wire.frames import Envelope
from proffer.wire.messages import Chunk, DataFailed, Fetch
from proffer.wire.structures import CommandOutput

CHUNK_BYTES = 262144
#: What an agent keeps of each stream.
KEPT_BYTES = 67108864


class FetchFailed(RuntimeError):
    """An agent that does not answer, or does not have what was asked for."""


class Fetcher:
    """Connections to data ports. It belongs to one thread."""

    def __init__(self, patience: float = 30.0) -> None:
        self._context = zmq.Context()
        self._patience = patience
        self._sockets: Dict[str, "zmq.Socket[bytes]"] = {}
        self._requests = 0

    def piece(self, endpoint: str, token: str, what: CommandOutput, offset: int) -> Tuple[bytes, int]:
        """Returns what stands from an offset on, of at most 256 KiB, and how much there is so far."""
        until, pause = time.monotonic() + self._patience, 1.0
        while True:
            self._requests += 1
            asked = self._requests
            socket = self._socket(endpoint)
            fetch = Fetch(asked, token, what, offset, CHUNK_BYTES)
            socket.send(frames.encode(Envelope("", 0, 0, 0, fetch)))
            answer = self._answer(socket, asked, min(time.monotonic() + 5.0, until))
            if isinstance(answer, Chunk):
                return answer.bytes, answer.total
            over = time.monotonic() >= until
            if isinstance(answer, DataFailed) and (answer.error.code != ErrorCode.SLOW_DOWN or over):
                raise FetchFailed(f"{what.task}: {answer.error.message}")
            if over:
                raise FetchFailed(f"{what.task}: the agent at {endpoint} does not answer")
            if answer is None:
                self._sockets.pop(endpoint).close(0)
            else:
                socket.poll(int(1000 * min(pause, until - time.monotonic())))
                pause *= 2

    def all(self, endpoint: str, token: str, what: CommandOutput) -> bytes:
        """Returns all that an agent keeps of a stream of a task that has ended."""
        found = bytearray()
        while True:
            piece, total = self.piece(endpoint, token, what, len(found))
            found += piece
            if not piece or len(found) >= total:
                return bytes(found)

    def follow(self, endpoint: str, token: str, what: CommandOutput) -> Iterator[bytes]:
        """Yields what is there, piece by piece."""
        offset = 0
        while True:
            piece, _ = self.piece(endpoint, token, what, offset)
            if not piece:
                return
            offset += len(piece)
            yield piece

    def close(self) -> None:
        """Ends all connections."""
        self._context.destroy(linger=0)

    def _socket(self, endpoint: str) -> "zmq.Socket[bytes]":
        if endpoint not in self._sockets:
            socket = self._context.socket(zmq.DEALER)
            socket.setsockopt(zmq.MAXMSGSIZE, frames.FRAME_BYTES)
            socket.connect(endpoint)
            self._sockets[endpoint] = socket
        return self._sockets[endpoint]

    @staticmethod
    def _answer(socket: "zmq.Socket[bytes]", asked: int, until: float) -> object:
        while socket.poll(max(0, int(1000 * (until - time.monotonic())))):
            try:
                message = frames.decode(socket.recv()).message
            except types.Malformed:
                continue
            if isinstance(message, (Chunk, DataFailed)) and message.request == asked:
                return message
        return None
