"""Frameworks, executors and tools for clusters of proffer."""
from proffer.driver import FrameworkFailed, SchedulerDriver, command
from proffer.scheduler import Scheduler
from proffer.wire.enums import DeclineReason, TaskReason, TaskState
from proffer.wire.structures import Agent, Command, Offer, ShippedFile, Status, Task
from proffer.wire.types import Malformed, OfferId

__all__ = [
    "Agent", "Command", "DeclineReason", "FrameworkFailed", "Malformed", "Offer", "OfferId", "Scheduler",
    "SchedulerDriver", "ShippedFile", "Status", "Task", "TaskReason", "TaskState", "command",
]
