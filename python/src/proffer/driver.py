"""The driver of a scheduler: its connection to the allocator, in a thread of its own."""
from __future__ import annotations

import collections
import getpass
import os
import threading
import time
from datetime import timedelta
from typing import Callable, Deque, Iterable, List, Mapping, Optional, Sequence, Union

import zmq
import zmq.utils.monitor

from proffer.framework import Framework
from proffer.framework_info import FrameworkInfo
from proffer.scheduler import Scheduler
from proffer.state_folder import StateFolder
from proffer.wire import frames, structures, types
from proffer.wire.enums import DeclineReason
from proffer.wire.structures import Command, Offer, Task
from proffer.wire.types import OfferId

ALLOCATOR = "tcp://127.0.0.1:5150"


class FrameworkFailed(RuntimeError):
    """The framework was refused for good, or another process has taken it over."""


def allocator_address(given: Optional[str]) -> str:
    """Returns the address of the allocator: as given, by PROFFER_ALLOCATOR, or that of this machine."""
    return given or os.environ.get("PROFFER_ALLOCATOR") or ALLOCATOR


def user_name() -> str:
    """Returns the name of the user, or nothing where there is none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _seconds(value: Optional[float]) -> Optional[timedelta]:
    return None if value is None else timedelta(seconds=value)


def _offer_id(offer: Union[Offer, OfferId]) -> OfferId:
    return offer.id if isinstance(offer, Offer) else offer


class SchedulerDriver:
    """A scheduler in session with the allocator.

    Callbacks run in the driver's thread, one at a time. All methods may be called from any thread. With a
    `state_folder`, a later process goes on with the framework and its tasks, under the same id; otherwise an
    end without stop() leaves tasks for the failover timeout.
    """

    def __init__(self, scheduler: Scheduler, name: str, allocator: Optional[str] = None, pool: str = "",
                 user: Optional[str] = None, priority: str = "", failover_seconds: float = 600.0,
                 state_folder: Union[None, str, "os.PathLike[str]"] = None,
                 implicit_acknowledgements: bool = True) -> None:
        types.name.encode(name)
        info = FrameworkInfo(name, pool, user_name() if user is None else user, priority,
                             timedelta(seconds=failover_seconds))
        self._address = allocator_address(allocator)
        self._kept = None if state_folder is None else StateFolder(state_folder)
        self._framework = Framework(info, scheduler, self._callback, self, self._kept,
                                    implicit_acknowledgements)
        self._calls: Deque[Callable[[], None]] = collections.deque()
        self._thread: Optional[threading.Thread] = None
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        self._raised: Optional[BaseException] = None
        self._over = threading.Event()

    # ---- the life of a driver ----

    def start(self) -> "SchedulerDriver":
        """Begins; callbacks follow."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="proffer-driver", daemon=True)
            self._thread.start()
        return self

    def run(self) -> None:
        """Begins, and returns when the framework is over."""
        self.start().join()

    def join(self, timeout: Optional[float] = None) -> bool:
        """Waits for the end, and returns whether it has come. Raises what ended the framework, if anything."""
        if not self._over.wait(timeout):
            return False
        if self._raised is not None:
            raise self._raised
        if self._framework.failure is not None:
            raise FrameworkFailed(self._framework.failure.message)
        return True

    def stop(self, failover: bool = False) -> None:
        """Ends the framework and its tasks. `failover`: tasks run on, for a later process."""
        self._later(self._framework.depart if failover else self._framework.leave)

    def __enter__(self) -> "SchedulerDriver":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._over.wait(10.0)

    @property
    def framework_id(self) -> str:
        """The id of the framework; empty before it is registered."""
        return self._framework.id

    @property
    def connected(self) -> bool:
        """Whether the framework is in session with the allocator."""
        return self._framework.session.open

    # ---- calls ----

    def launch_tasks(self, offers: Union[Offer, OfferId, Iterable[Union[Offer, OfferId]]],
                     tasks: Iterable[Task], reason: Union[str, DeclineReason] = "no-pending-task",
                     refuse_seconds: Optional[float] = 0.0) -> None:
        """Launches tasks on offers of one agent. What is left of these is declined as by decline_offer()."""
        several: List[Union[Offer, OfferId]] = (
            [offers] if isinstance(offers, (Offer, OfferId)) else list(offers))
        taken, launched = [_offer_id(one) for one in several], list(tasks)
        for task in launched:
            try:
                _TASK.encode(task)
            except types.Malformed as error:
                raise types.Malformed(f"task {task.id!r}{error}") from None
        why, refuse = _reason(reason), _seconds(refuse_seconds)
        self._later(lambda: self._framework.accept(taken, launched, why, refuse))

    accept_offers = launch_tasks

    def decline_offer(self, offer: Union[Offer, OfferId], reason: Union[str, DeclineReason] = "no-pending-task",
                      refuse_seconds: Optional[float] = 5.0) -> None:
        """Gives an offer back, and hides that agent's slots of the kind for so long.

        0: until something changes on that agent; None: until revive_offers().
        """
        taken, why, refuse = _offer_id(offer), _reason(reason), _seconds(refuse_seconds)
        self._later(lambda: self._framework.decline([taken], why, refuse))

    def revive_offers(self, kinds: Sequence[str] = ()) -> None:
        """Forgets which agents were declined, and that offers were suppressed; none named: of all kinds."""
        self._later(lambda: self._framework.revive(tuple(kinds)))

    def suppress_offers(self, kinds: Sequence[str] = ()) -> None:
        """Wants no offers, until revive_offers() or until demand rises; none named: of any kind."""
        self._later(lambda: self._framework.suppress(tuple(kinds)))

    def declare_demand(self, kinds: Mapping[str, int], task: Optional[Mapping[str, int]] = None,
                       least: Optional[Mapping[str, int]] = None) -> None:
        """Says how many slots of each kind the framework could use now, those that it uses included.

        `task` and `least` are the bulk resources that one task takes, at most and at least, as
        {"cpus": 1000, "memory": 512}: thousandths of a processor, and MiB.
        """
        wanted, most, fewest = dict(kinds), dict(task or {}), dict(least or {})
        for quantities in (wanted, most, fewest):
            types.quantities.encode(quantities)

        def declare() -> None:
            self._framework.demand.set_task_size(most, fewest)
            for kind, units in wanted.items():
                self._framework.demand.set(kind, units, self._framework.now)

        self._later(declare)

    def kill_task(self, task: str, grace_seconds: float = 5.0) -> None:
        """Ends a task: by SIGTERM, and by SIGKILL so many seconds later."""
        grace = timedelta(seconds=grace_seconds)
        self._later(lambda: self._framework.kill(task, grace))

    def send_framework_message(self, task: str, payload: bytes) -> None:
        """Says something to a running task, of at most 65536 bytes. It may be lost."""
        types.blob(65536).encode(payload)
        self._later(lambda: self._framework.send_to_task(task, payload))

    def acknowledge(self, task: str) -> None:
        """Acknowledges the newest status of a task, where that is not done by itself.

        What a command wrote stays at its agent until the status of its end is acknowledged.
        """
        self._later(lambda: self._framework.acknowledge(task))

    def release(self, job: int) -> None:
        """Lets agents delete what commands of a job wrote."""
        self._later(lambda: self._framework.release(job))

    def call(self, function: Callable[[], None]) -> None:
        """Calls a function in the driver's thread, between callbacks."""
        self._later(function)

    # ---- the thread ----

    def _later(self, call: Callable[[], None]) -> None:
        self._calls.append(call)
        if threading.current_thread() is not self._thread:
            try:
                os.write(self._wake_write, b"x")
            except (BlockingIOError, OSError):
                pass  # it is awake already, or over

    def _callback(self, callback: Callable[[], None]) -> None:
        if self._raised is None:
            try:
                callback()
            except BaseException as error:
                self._raised = error

    def _carry_out_calls(self) -> None:
        while self._calls and not self._framework.finished:
            self._callback(self._calls.popleft())
            if self._raised is not None:
                return

    def _run(self) -> None:
        context = zmq.Context()
        try:
            self._converse(context)
        except BaseException as error:
            self._raised = self._raised or error
        finally:
            if self._kept:
                self._kept.close()
            context.destroy(linger=1000)
            self._over.set()

    def _converse(self, context: "zmq.Context[zmq.Socket[bytes]]") -> None:
        framework = self._framework
        socket, monitor = self._connect(context)
        framework.now = time.monotonic()
        framework.start()
        while True:
            framework.now = time.monotonic()
            framework.session.woke(framework.now)
            self._carry_out_calls()
            if self._raised is not None and not framework.finished:
                self._end_after_a_mistake()
            framework.tend()
            self._carry_out_calls()
            # What has to be durable is on disk before what follows from it is sent.
            if self._kept:
                self._kept.commit()
            for frame in framework.outbox:
                socket.send(frame)
            framework.outbox.clear()
            if framework.finished:
                return
            if self._calls:
                continue
            lost = self._wait(socket, monitor)
            framework.now = time.monotonic()
            if lost:
                # A new connection needs a new session, and a server may only then be told of it.
                framework.lost()
                continue
            self._receive(socket)

    def _end_after_a_mistake(self) -> None:
        """Ends the framework with its tasks; without a session these end with the failover timeout."""
        if self._framework.session.open:
            self._framework.leave()
        else:
            self._framework.depart()

    def _connect(self, context: "zmq.Context[zmq.Socket[bytes]]") -> "tuple[zmq.Socket[bytes], zmq.Socket[bytes]]":
        socket = context.socket(zmq.DEALER)
        socket.setsockopt(zmq.LINGER, 1000)
        socket.setsockopt(zmq.RECONNECT_IVL, 50)
        socket.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
        socket.setsockopt(zmq.MAXMSGSIZE, frames.FRAME_BYTES)
        # Messages of a session are void on another connection: none are kept while there is none.
        socket.setsockopt(zmq.RCVHWM, 0)
        socket.setsockopt(zmq.SNDHWM, 0)
        monitor = socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        try:
            socket.connect(self._address)
        except zmq.ZMQError as error:
            raise ValueError(f"{self._address} is no address of an allocator ({error}); "
                             "one looks like tcp://HOST:PORT") from None
        return socket, monitor

    def _wait(self, socket: "zmq.Socket[bytes]", monitor: "zmq.Socket[bytes]") -> bool:
        """Waits for something to happen. Returns whether the connection was lost."""
        poller = zmq.Poller()
        for one in (socket, monitor):
            poller.register(one, zmq.POLLIN)
        poller.register(self._wake_read, zmq.POLLIN)
        due = self._framework.next_deadline()
        left = None if due is None else int(max(0.0, due - time.monotonic()) * 1000) + 1
        ready = dict(poller.poll(left))
        if self._wake_read in ready:
            os.read(self._wake_read, 65536)
        if monitor in ready:
            while monitor.poll(0):
                zmq.utils.monitor.recv_monitor_message(monitor)
            return True
        return False

    def _receive(self, socket: "zmq.Socket[bytes]") -> None:
        for _ in range(256):
            try:
                parts = socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            if len(parts) != 1:
                continue
            try:
                envelope = frames.decode(parts[0])
            except types.Malformed:
                continue
            self._framework.receive(envelope)
            self._carry_out_calls()
            if self._framework.finished or self._raised is not None:
                return


_TASK = types.structure(Task)


def _reason(reason: Union[str, DeclineReason]) -> DeclineReason:
    if isinstance(reason, DeclineReason):
        return reason
    try:
        return DeclineReason[reason.upper().replace("-", "_")]
    except KeyError:
        known = ", ".join(one.name.lower().replace("_", "-") for one in DeclineReason)
        raise ValueError(f"{reason!r} is no reason to decline; there are {known}") from None


def command(*argv: str, env: Optional[Mapping[str, str]] = None, output_token: str = "",
            files: Iterable[structures.ShippedFile] = ()) -> Command:
    """Returns the work of a task: a program, its arguments, what is added to its environment."""
    return Command(tuple(argv), tuple((env or {}).items()), output_token, tuple(files))
