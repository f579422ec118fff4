"""Frameworks, executors and tools for clusters of proffer."""
import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proffer.client import Change, Client, ClusterError, ClusterState
    from proffer.driver import FrameworkFailed, SchedulerDriver, command
    from proffer.executor import Executor, RemoteTraceback, TaskFailed, map
    from proffer.scheduler import Scheduler
    from proffer.wire.enums import DeclineReason, TaskReason, TaskState
    from proffer.wire.structures import (Agent, AgentState, Command, DetachedJob, FrameworkState, LivingTask, Offer,
                                         PoolState, ShippedFile, Status, Task)
    from proffer.wire.types import Malformed, OfferId

# Loaded when they are asked for: policies and readers of results need no sockets.
_HOMES = {
    "client": ("Change", "Client", "ClusterError", "ClusterState"),
    "driver": ("FrameworkFailed", "SchedulerDriver", "command"),
    "executor": ("Executor", "RemoteTraceback", "TaskFailed", "map"),
    "scheduler": ("Scheduler",),
    "wire.enums": ("DeclineReason", "TaskReason", "TaskState"),
    "wire.structures": ("Agent", "AgentState", "Command", "DetachedJob", "FrameworkState", "LivingTask", "Offer",
                        "PoolState", "ShippedFile", "Status", "Task"),
    "wire.types": ("Malformed", "OfferId"),
}

__all__ = [
    "Agent", "AgentState", "Change", "Client", "ClusterError", "ClusterState", "Command", "DeclineReason",
    "DetachedJob", "Executor", "FrameworkFailed", "FrameworkState", "LivingTask", "Malformed", "Offer", "OfferId",
    "PoolState", "RemoteTraceback", "Scheduler", "SchedulerDriver", "ShippedFile", "Status", "Task",
    "TaskFailed", "TaskReason", "TaskState", "command", "map",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"proffer.{home}"), name)
    raise AttributeError(f"module 'proffer' has no attribute {name!r}")
