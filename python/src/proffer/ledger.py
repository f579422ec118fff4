"""The tasks of a framework: which the allocator has, what was told of them, and their digest."""
from __future__ import annotations

import collections
import dataclasses
import enum
from typing import Deque, Dict, List, Optional, Tuple

from proffer.wire.enums import TaskState
from proffer.wire.structures import Status, Task, TaskDigest

_MASK = 2**64 - 1


def hash_of_task(framework: str, task: str) -> int:
    """Returns the part of a digest that stands for a task: FNV-1a, mixed at the end."""
    value = 0xCBF29CE484222325
    words = [int(framework[:16], 16), int(framework[16:], 16)] if framework else [0, 0]
    for word in [*words, *task.encode()]:
        value = ((value ^ word) * 0x100000001B3) & _MASK
    value = ((value ^ value >> 32) * 0xD6E8FEB86659FD93) & _MASK
    return value ^ value >> 32


class Phase(enum.IntEnum):
    """How much the allocator is known to know of a task."""

    ASKED = 0
    UNSURE = 1
    LIVE = 2
    ENDED = 3
    REFUSED = 4


class News(enum.Enum):
    """The meaning of an UPDATE: to be told, told before, or of a task that nobody wants to run."""

    FRESH = 1
    REPEAT = 2
    FOREIGN = 3


@dataclasses.dataclass
class Entry:
    """A task, as the framework knows it."""

    agent: str
    resources: Dict[str, int]
    number: int
    phase: Phase = Phase.ASKED
    seq: int = 0
    state: TaskState = TaskState.PENDING
    ended_at: float = 0.0

    @property
    def over(self) -> bool:
        """Whether its end was told."""
        return self.phase >= Phase.ENDED


class Ledger:
    """All tasks that were asked for, until ten minutes after their ends."""

    REMEMBER_ENDS = 600.0

    def __init__(self, framework: str = "") -> None:
        self.framework = framework
        self._tasks: Dict[str, Entry] = {}
        self._live: Dict[str, int] = {}
        self._hash = self._asked = 0
        self._ended: Deque[Tuple[float, str]] = collections.deque()

    def ask(self, task: Task, agent: str) -> None:
        """Notes that launching is asked for. Raises ValueError for an id that was used before."""
        former = self._tasks.get(task.id)
        if former is not None and former.phase != Phase.REFUSED:
            raise ValueError(f"task {task.id} was launched before; an id is used once")
        self._asked += 1
        self._tasks[task.id] = Entry(agent, dict(task.resources), self._asked)

    def restore(self, task: str, agent: str, resources: Dict[str, int], state: TaskState, seq: int) -> None:
        """Takes over a task of a former process that has not ended."""
        self._asked += 1
        self._tasks[task] = Entry(agent, resources, self._asked, seq=seq, state=state)
        self._enter(task, Phase.LIVE if seq > 0 else Phase.UNSURE)

    def _enter(self, task: str, phase: Phase) -> None:
        entry = self._tasks[task]
        entry.phase = phase
        if phase == Phase.LIVE and task not in self._live:
            self._live[task] = hash_of_task(self.framework, task)
            self._hash ^= self._live[task]
        elif phase != Phase.LIVE and task in self._live:
            self._hash ^= self._live.pop(task)

    def confirm(self, task: str) -> None:
        """Notes that the allocator has the task."""
        if not self._tasks[task].over:
            self._enter(task, Phase.LIVE)

    def doubt(self, task: str) -> None:
        """Notes that the ACCEPT of a task will never be answered."""
        if self._tasks[task].phase == Phase.ASKED:
            self._enter(task, Phase.UNSURE)

    def judge(self, status: Status) -> News:
        """Returns what a status means. The same state under a new number is no news."""
        entry, ends = self._tasks.get(status.task), status.state.is_terminal
        if entry is None or (entry.over and status.seq > entry.seq):
            return News.REPEAT if ends else News.FOREIGN
        if status.seq <= entry.seq:
            return News.REPEAT
        return News.FRESH if ends or entry.state.can_become(status.state) else News.REPEAT

    def note(self, status: Status, now: float) -> None:
        """Notes a fresh status, which is about to be told."""
        entry = self._tasks[status.task]
        self._enter(status.task, Phase.LIVE)
        entry.seq, entry.state = status.seq, status.state
        if status.state.is_terminal:
            self.end(status.task, status.state, False, now)

    def note_repeat(self, status: Status) -> None:
        """Notes a status that is no news: none up to its number is news any more."""
        entry = self._tasks.get(status.task)
        if entry is not None and not entry.over:
            self._enter(status.task, Phase.LIVE)
            entry.seq = max(entry.seq, status.seq)

    def move(self, task: str, state: TaskState) -> bool:
        """Notes a state that no numbered status has told. Returns False when the task cannot be in it."""
        entry = self._tasks[task]
        if state.is_terminal or not entry.state.can_become(state):
            return False
        entry.state = state
        return True

    def end(self, task: str, state: TaskState, refused: bool, now: float) -> None:
        """Ends a task. `refused`: it never ran, so its id may be used again."""
        self._enter(task, Phase.REFUSED if refused else Phase.ENDED)
        entry = self._tasks[task]
        entry.state, entry.ended_at = state, now
        self._ended.append((now, task))

    def get(self, task: str) -> Optional[Entry]:
        """Returns the entry of a task, if it is known."""
        return self._tasks.get(task)

    def asked(self, task: str) -> bool:
        """Returns whether the ACCEPT of a task is not answered yet."""
        entry = self._tasks.get(task)
        return entry is not None and entry.phase == Phase.ASKED

    def current(self, task: str) -> bool:
        """Returns whether a task was asked for and has not ended."""
        entry = self._tasks.get(task)
        return entry is not None and not entry.over

    def all_current(self) -> List[str]:
        """Returns the tasks that have not ended, in order of asking."""
        return [task for task, entry in self._tasks.items() if not entry.over]

    def newest_first(self, kind: str) -> List[Tuple[str, int]]:
        """Returns the tasks on resources of a kind, and how much each has; the newest first."""
        held = [(self._tasks[task].number, task) for task in self._live]
        return [(task, self._tasks[task].resources[kind]) for _, task in sorted(held, reverse=True)
                if self._tasks[task].resources.get(kind, 0) > 0]

    def digest(self) -> TaskDigest:
        """Returns a digest of the tasks that the allocator is known to have."""
        return TaskDigest(len(self._live), self._hash)

    def forget(self, now: float) -> List[str]:
        """Forgets tasks that ended long ago, and returns them."""
        gone = []
        while self._ended and now - self._ended[0][0] > self.REMEMBER_ENDS:
            at, task = self._ended.popleft()
            entry = self._tasks.get(task)
            # An id that was refused and used again has an end of its own.
            if entry is not None and entry.over and entry.ended_at == at:
                del self._tasks[task]
                gone.append(task)
        return gone
