"""When a framework that sees other tasks than the allocator asks about all of them."""
from __future__ import annotations


class DigestWatch:
    """Compares digests of tasks, one a heartbeat: messages under way make them differ for a beat or two."""

    BEATS = 3
    FIRST_PAUSE, LONGEST_PAUSE = 10.0, 600.0

    def __init__(self) -> None:
        self._differing = 0
        self._pause = self.FIRST_PAUSE
        self._not_before = 0.0

    def doubtful(self, equal: bool, now: float) -> bool:
        """Returns whether it is time to ask: after three beats that differ, then twice as late each time."""
        if equal:
            self._differing, self._pause = 0, self.FIRST_PAUSE
            return False
        self._differing += 1
        if self._differing < self.BEATS or now < self._not_before:
            return False
        self._differing = 0
        self._not_before = now + self._pause
        self._pause = min(2 * self._pause, self.LONGEST_PAUSE)
        return True
