"""Frameworks, executors and tools for clusters of proffer."""
from proffer.client import Change, Client, ClusterError, ClusterState
from proffer.driver import FrameworkFailed, SchedulerDriver, command
from proffer.executor import Executor, RemoteTraceback, TaskFailed, map
from proffer.scheduler import Scheduler
from proffer.wire.enums import DeclineReason, TaskReason, TaskState
from proffer.wire.structures import (Agent, AgentState, Command, DetachedJob, FrameworkState, Offer,
                                     PoolState, ShippedFile, Status, Task)
from proffer.wire.types import Malformed, OfferId

__all__ = [
    "Agent", "AgentState", "Change", "Client", "ClusterError", "ClusterState", "Command", "DeclineReason",
    "DetachedJob", "Executor", "FrameworkFailed", "FrameworkState", "Malformed", "Offer", "OfferId",
    "PoolState", "RemoteTraceback", "Scheduler", "SchedulerDriver", "ShippedFile", "Status", "Task",
    "TaskFailed", "TaskReason", "TaskState", "command", "map",
]
