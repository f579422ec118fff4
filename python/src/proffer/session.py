"""A client's end of a session: attempts to open it, which arrivals belong to it, heartbeats."""
from __future__ import annotations

import enum
import random
from typing import Optional

from proffer.wire import frames
from proffer.wire.enums import ErrorCode
from proffer.wire.frames import Envelope
from proffer.wire.messages import ErrorMessage, Message

__all__ = ["Backoff", "Resend", "SeqWindow", "Session", "Verdict", "ErrorCode"]


class Backoff:
    """Delays that are random below a bound, which doubles: clients of a server that failed spread out."""

    def __init__(self, first: float = 0.2, most: float = 10.0) -> None:
        self._first, self._most, self._bound = first, most, first

    def next(self) -> float:
        """Returns the delay before the next attempt, in seconds."""
        delay = max(random.uniform(0, self._bound), self._first / 4)
        self._bound = min(2 * self._bound, self._most)
        return delay

    def reset(self) -> None:
        """Makes the next delay one of a first attempt."""
        self._bound = self._first


class Resend:
    """The next time of a message that wants an answer; the delay doubles each time."""

    def __init__(self, first: float, most: float, now: float) -> None:
        self.at, self._delay, self._most = now + first, first, most

    def sent(self, now: float) -> None:
        """Sets the next time, after the message was sent again."""
        self._delay = min(2 * self._delay, self._most)
        self.at = now + self._delay


class SeqWindow:
    """The last 64 numbers, so that each message of a session takes effect once."""

    _WIDTH = 64

    def __init__(self) -> None:
        self._newest, self._seen = 0, 0

    def take(self, seq: int) -> bool:
        """Marks a number as seen, and returns False when it was before. 0 is no number, and always new."""
        if seq == 0:
            return True
        if seq > self._newest:
            self._seen = (self._seen << min(seq - self._newest, self._WIDTH) | 1) & (2**self._WIDTH - 1)
            self._newest = seq
            return True
        behind = self._newest - seq
        if behind >= self._WIDTH or self._seen >> behind & 1:
            return False
        self._seen |= 1 << behind
        return True


class Verdict(enum.Enum):
    """What to do with an arrival."""

    TAKE = 1
    DROP = 2
    RESTARTED = 3
    OTHER_CLUSTER = 4


class Session:
    """A session with the allocator. It is open exactly while its id is not zero."""

    SILENT_AFTER = 5.0

    def __init__(self, cluster: str = "", epoch: int = 0) -> None:
        self.cluster, self.epoch, self.attempted_in, self.id = cluster, epoch, 0, 0
        self.attempt_at = 0.0
        self._backoff = Backoff()
        self._received = SeqWindow()
        self._sent = self._beats = 0
        self._period = self._silent_after = self._heard_at = self._sent_at = 0.0
        self._woke_at: Optional[float] = None

    @property
    def open(self) -> bool:
        """Whether there is a session."""
        return self.id != 0

    def woke(self, now: float) -> None:
        """Notices a pause of this process; to be called first in each turn. Silence in it proves nothing."""
        gap = now - self._woke_at if self._woke_at is not None else 0.0
        self._woke_at = now
        if self.open and self._period > 0 and gap > 2 * self._period:
            self._heard_at = min(self._heard_at + gap, now)

    def check(self, arrival: Envelope, is_welcome: bool, now: float) -> Verdict:
        """Says what to do with an arrival, and learns a later epoch.

        Cluster and epoch come first: session ids and numbers mean something within one life of a server only.
        """
        if self.cluster and arrival.cluster and arrival.cluster != self.cluster:
            return Verdict.OTHER_CLUSTER
        if arrival.epoch < self.epoch:
            return Verdict.DROP
        later, self.epoch = arrival.epoch > self.epoch, arrival.epoch
        if is_welcome:
            return Verdict.TAKE
        if self.open and later:
            return Verdict.RESTARTED
        if isinstance(arrival.message, ErrorMessage):
            belongs = not self.open or arrival.session in (0, self.id)
        else:
            belongs = self.open and arrival.session == self.id and self._received.take(arrival.seq)
        if belongs:
            self._heard_at = now
        return Verdict.TAKE if belongs else Verdict.DROP

    def begin(self, welcome: Envelope, heartbeat: float, now: float) -> bool:
        """Opens the session that a welcome names. Returns False when that very session is open already."""
        self._heard_at = now
        if welcome.session == self.id:
            return False
        self.cluster, self.id, self._sent, self._received = welcome.cluster, welcome.session, 0, SeqWindow()
        self._received.take(welcome.seq)
        self._period, self._silent_after = heartbeat, max(self.SILENT_AFTER, 3 * heartbeat)
        self._sent_at = now
        self._backoff.reset()
        return True

    def end(self, now: float) -> None:
        """Ends the session, and delays the next attempt by a random while."""
        self.abandon()
        self.delay_attempt(now)

    def abandon(self) -> None:
        """Ends the session for good."""
        self.id, self._period = 0, 0.0

    def attempted(self, now: float) -> None:
        """Notes that a hello is about to be sent, and sets the time of the next."""
        self.attempted_in = self.epoch
        self.delay_attempt(now)

    def delay_attempt(self, now: float) -> None:
        """Sets the next attempt to a random while from now."""
        self.attempt_at = now + self._backoff.next()

    def silent(self, now: float) -> bool:
        """Returns whether the server has said nothing for too long."""
        return self.open and self._period > 0 and now >= self._heard_at + self._silent_after

    def beat_due(self, now: float) -> bool:
        """Returns whether a heartbeat is due; any message counts as one."""
        return self.open and self._period > 0 and now >= self._sent_at + self._period

    def next_beat(self) -> int:
        """Returns the number of the next heartbeat: from 1, over all sessions."""
        self._beats += 1
        return self._beats

    def next_deadline(self) -> Optional[float]:
        """Returns when the next hello, heartbeat or silence is due."""
        if not self.open:
            return self.attempt_at
        if self._period == 0:
            return None
        return min(self._sent_at + self._period, self._heard_at + self._silent_after)

    def wrap(self, message: Message, now: float) -> bytes:
        """Returns the frame of a message, addressed and, in a session, numbered."""
        seq = self._sent + 1 if self.open else 0
        frame = frames.encode(Envelope(self.cluster, self.epoch, self.id, seq, message))
        self._sent, self._sent_at = seq if self.open else self._sent, now
        return frame
