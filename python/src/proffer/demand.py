"""What a framework wants: the slots that it could use now, and the kinds of which it wants no offers."""
from __future__ import annotations

from typing import Dict, Iterable, Optional, Set

from proffer.wire.structures import Demand


class DemandTable:
    """Declared demand. A rise is to be told at once, a fall within a second."""

    TELL_FALL_WITHIN = 1.0

    def __init__(self) -> None:
        self._units: Dict[str, int] = {}
        self._task: Dict[str, int] = {}
        self._least: Dict[str, int] = {}
        self.suppressed: Set[str] = set()
        self.all_suppressed = self.risen = False
        self.tell_by: Optional[float] = None

    def set(self, kind: str, units: int, now: float) -> None:
        """Declares how many slots of a kind could be used now, those that are used included."""
        former = self._units.get(kind)
        self._units[kind] = units
        was_suppressed = units > 0 and kind in self.suppressed
        if was_suppressed:
            self.suppressed.discard(kind)
            self.all_suppressed = False
        if former is None or units > former or was_suppressed:
            self.risen = True
        elif units < former and self.tell_by is None:
            self.tell_by = now + self.TELL_FALL_WITHIN

    def set_task_size(self, most: Dict[str, int], least: Dict[str, int]) -> None:
        """Declares the bulk resources that one task takes, at most and at least."""
        if (self._task, self._least) != (most, least):
            self._task, self._least, self.risen = most, least, True

    def suppress(self, kinds: Iterable[str]) -> None:
        """Notes that no offers of these kinds are wanted; none named: of any."""
        named = set(kinds)
        self.all_suppressed = self.all_suppressed or not named
        self.suppressed |= named or set(self._units)

    def revive(self, kinds: Iterable[str]) -> None:
        """Notes that offers of these kinds are wanted; none named: of all."""
        named = set(kinds)
        self.all_suppressed = False
        self.suppressed -= named or self.suppressed

    def to_send(self) -> Demand:
        """Returns the demand for a message that is sent now."""
        self.risen, self.tell_by = False, None
        return Demand({**self._units, **{kind: 0 for kind in self.suppressed}}, self._task,
                      self._least)
