"""The enumerations of the protocol."""
from __future__ import annotations

import enum


class DeclineReason(enum.IntEnum):
    """Why an offer is declined; in text as in ``no-node-local``."""

    NO_NODE_LOCAL = 0
    NO_RACK_LOCAL = 1
    TOO_SMALL = 2
    NO_PENDING_TASK = 3
    POLICY = 4
    OTHER = 5


class TaskState(enum.IntEnum):
    """The state of a task. From FINISHED on it has ended, and nothing follows."""

    PENDING = 0
    STARTING = 1
    RUNNING = 2
    KILLING = 3
    UNREACHABLE = 4
    FINISHED = 5
    FAILED = 6
    KILLED = 7
    REJECTED = 8
    DROPPED = 9
    LOST = 10
    GONE = 11

    @property
    def is_terminal(self) -> bool:
        """Whether the task has ended."""
        return self >= TaskState.FINISHED

    def can_become(self, other: "TaskState") -> bool:
        """Returns whether a task in this state may be in the other one next."""
        return other in _NEXT[self]


_ENDS = {TaskState.FINISHED, TaskState.FAILED, TaskState.KILLED, TaskState.LOST, TaskState.GONE}
_NEVER_RAN = {TaskState.REJECTED, TaskState.DROPPED}
_NEXT = {state: set() if state.is_terminal else set(_ENDS) for state in TaskState}
_NEXT[TaskState.PENDING] |= _NEVER_RAN | {
    TaskState.STARTING, TaskState.RUNNING, TaskState.KILLING, TaskState.UNREACHABLE}
_NEXT[TaskState.STARTING] |= _NEVER_RAN | {TaskState.RUNNING, TaskState.KILLING, TaskState.UNREACHABLE}
_NEXT[TaskState.RUNNING] |= {TaskState.KILLING, TaskState.UNREACHABLE}
_NEXT[TaskState.KILLING] |= _NEVER_RAN | {TaskState.UNREACHABLE}
_NEXT[TaskState.UNREACHABLE] |= {
    TaskState.PENDING, TaskState.STARTING, TaskState.RUNNING, TaskState.KILLING, TaskState.DROPPED}


class TaskReason(enum.IntEnum):
    """Why a task is in its state."""

    NONE = 0
    EXIT = 1
    SIGNAL = 2
    SPAWN_FAILED = 3
    KILL_REQUESTED = 4
    FRAMEWORK_GONE = 5
    OFFER_GONE = 6
    TOO_LARGE = 7
    INVALID = 8
    DUPLICATE_ID = 9
    AGENT_LOST = 10
    AGENT_REFUSED = 11
    PREEMPTED = 12
    AGENT_FAILED = 13
    OUTPUT_LOST = 14
    HOST_REBOOT = 15
    AGENT_GONE = 16
    AGENT_DISK = 17
    NEVER_ARRIVED = 18
    DRAINED = 19


class ErrorCode(enum.IntEnum):
    """Which kind of error."""

    INVALID = 0
    VERSION = 1
    TYPE = 2
    BODY = 3
    WRONG_CLUSTER = 4
    UNKNOWN_SESSION = 5
    UNKNOWN_FRAMEWORK = 6
    UNKNOWN_POOL = 7
    UNKNOWN_KIND = 8
    NAME_IN_USE = 9
    NOT_FOUND = 10
    EXISTS = 11
    REFUSED = 12
    SLOW_DOWN = 13
    UNREACHABLE = 14
    TIMED_OUT = 15
    IO = 16
    CORRUPT = 17
    NO_SPACE = 18
    DISK = 19
    FENCED = 20
    AGENT_GONE = 21
    SPLIT_BRAIN = 22

    @property
    def may_pass(self) -> bool:
        """Whether the same hello may succeed later."""
        return self in (ErrorCode.UNKNOWN_SESSION, ErrorCode.SLOW_DOWN, ErrorCode.UNREACHABLE,
                        ErrorCode.TIMED_OUT, ErrorCode.IO)


class Known(enum.IntEnum):
    """What the allocator knows of a task that was asked about."""

    KNOWN = 0
    AWAITED = 1
    UNKNOWN = 2
