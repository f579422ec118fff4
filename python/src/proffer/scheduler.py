"""The interface of a framework: its author overrides what is of interest."""
from __future__ import annotations

from typing import TYPE_CHECKING, List, Sequence, Tuple

from proffer.wire.structures import Offer, Status
from proffer.wire.types import OfferId

if TYPE_CHECKING:
    from proffer.driver import SchedulerDriver


class Scheduler:
    """Callbacks of a framework, one at a time. Calls of the driver take effect when a callback has returned.

    A callback that raises ends the driver, with its tasks; ``driver.join()`` raises the same exception.
    """

    def registered(self, driver: "SchedulerDriver", framework_id: str) -> None:
        """The framework is known under a new id."""

    def reregistered(self, driver: "SchedulerDriver") -> None:
        """The framework is in session again under its id, after it was disconnected or started anew."""

    def disconnected(self, driver: "SchedulerDriver") -> None:
        """The session is lost; all offers are void, tasks run on. It is opened again by itself."""

    def resumed(self, driver: "SchedulerDriver", tasks: Sequence[str]) -> None:
        """A former process has left these tasks, which had not ended. Called once, before anything else."""

    def resource_offers(self, driver: "SchedulerDriver", offers: Sequence[Offer]) -> None:
        """Free slots. Each offer wants an answer: launch_tasks() or decline_offer()."""
        for offer in offers:
            driver.decline_offer(offer.id, "no-pending-task", refuse_seconds=None)

    def offer_rescinded(self, driver: "SchedulerDriver", offer_id: OfferId) -> None:
        """The offer is void."""

    def status_update(self, driver: "SchedulerDriver", status: Status) -> None:
        """A task is in another state."""

    def framework_message(self, driver: "SchedulerDriver", task: str, payload: bytes) -> None:
        """A running task says something."""

    def preempted(self, driver: "SchedulerDriver", kind: str, slots: int,
                  newest_first: Sequence[Tuple[str, int]]) -> Sequence[str]:
        """Others are starved. Returns the tasks to end; by default the newest."""
        victims: List[str] = []
        for task, held in newest_first:
            if slots <= 0:
                break
            slots -= held
            victims.append(task)
        return victims

    def error(self, driver: "SchedulerDriver", message: str) -> None:
        """The framework is over: it was refused for good, or another process has taken it over."""
