"""An executor whose calls run in tasks of a cluster."""
from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import pathlib
import pickle
import queue
import secrets
import sys
import threading
import time
from typing import (Any, Callable, Deque, Dict, FrozenSet, Iterable, Iterator, List, Optional, Sequence, Tuple,
                    TypeVar, Union)

from proffer import runner
from proffer.driver import SchedulerDriver
from proffer.fetcher import Fetcher, FetchFailed
from proffer.pickling import pickled_call
from proffer.scheduler import Scheduler
from proffer.wire.enums import TaskReason, TaskState
from proffer.wire.structures import Command, CommandOutput, Offer, ShippedFile, Status, Task

R = TypeVar("R")

#: What a task can be shipped, less the runner and what frames the calls.
CALL_BYTES = 262144 - 16384
_ACCEPT_BYTES = 900_000


class TaskFailed(concurrent.futures.BrokenExecutor):
    """The process of a call ended without a result."""


class RemoteTraceback(Exception):
    """The traceback of a call, as its task printed it; the cause of the call's exception."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return "\n" + self.text


@dataclasses.dataclass
class _Call:
    payload: bytes
    future: "concurrent.futures.Future[Any]"
    prefer: FrozenSet[str]
    losses: int = 0


@dataclasses.dataclass
class _Batch:
    task: str
    calls: List[_Call]
    endpoint: str


class Executor(concurrent.futures.Executor):
    """Runs calls on slots of a cluster, as a framework of its own.

    Calls that are short share a task: as many as, by the calls so far, take half a second. A call runs once
    more when its agent is lost, drained or preempted under it, so it had better not mind. `prefer` names agents
    or racks; a call waits `locality_wait` seconds for one of them before it goes elsewhere.
    """

    BATCH_SECONDS, LONGEST_BATCH, MOST_LOSSES = 0.5, 256, 4

    def __init__(self, allocator: Optional[str] = None, name: str = "python", pool: str = "", kind: str = "map",
                 max_slots: Optional[int] = None, locality_wait: float = 3.0, python: Optional[str] = None) -> None:
        self._kind, self._max_slots, self._wait = kind, max_slots, locality_wait
        self._python = python or sys.executable
        self._runner = pathlib.Path(runner.__file__).read_bytes()
        self._token = secrets.token_hex(16)
        self._lock = threading.Lock()
        self._pending: Deque[_Call] = collections.deque()
        self._running: Dict[str, _Batch] = {}
        self._closed = False
        self._broken: Optional[BaseException] = None
        self._idle = threading.Condition(self._lock)
        self._tasks = self._calls_done = 0
        self._seconds = 0.0
        self._skipping_since: Optional[float] = None
        self._revive = self._woken = False
        self._ended: "queue.Queue[Optional[Tuple[_Batch, Status]]]" = queue.Queue()
        self._driver = SchedulerDriver(_Executing(self), name, allocator, pool=pool, failover_seconds=0,
                                       implicit_acknowledgements=False)
        self._reader = threading.Thread(target=self._read_results, name="proffer-results", daemon=True)
        self._reader.start()
        self._driver.start()

    # ---- for its user ----

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> "concurrent.futures.Future[R]":
        """Returns the future of a call."""
        return self.submit_near((), fn, *args, **kwargs)

    def submit_near(self, prefer: Union[str, Iterable[str]], fn: Callable[..., R], /, *args: Any,
                    **kwargs: Any) -> "concurrent.futures.Future[R]":
        """Returns the future of a call that had better run on one of these agents or racks."""
        payload = pickled_call(fn, args, kwargs)
        if len(payload) > CALL_BYTES:
            raise ValueError(f"a call of {len(payload)} bytes is too large; a task is shipped {CALL_BYTES}: "
                             "leave what it needs in a file")
        future: "concurrent.futures.Future[R]" = concurrent.futures.Future()
        future.add_done_callback(self._notice_cancel)
        near = frozenset([prefer] if isinstance(prefer, str) else prefer)
        with self._lock:
            if self._broken is not None:
                raise concurrent.futures.BrokenExecutor(str(self._broken))
            if self._closed:
                raise RuntimeError("no calls are taken after shutdown()")
            self._pending.append(_Call(payload, future, near))
            first, self._woken = not self._woken, True
        if first:
            self._driver.call(self._wake)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more calls, and ends the framework when those that there are have ended."""
        with self._lock:
            self._closed = True
            if cancel_futures:
                for call in self._pending:
                    call.future.cancel()
        self._driver.call(self._end_when_idle)
        if wait:
            with self._idle:
                self._idle.wait_for(lambda: self._broken is not None or not (self._pending or self._running))
            self._driver._over.wait(30.0)
            self._reader.join(30.0)

    # ---- in the driver's thread ----

    def _wake(self) -> None:
        with self._lock:
            self._woken = False
        if self._revive:
            self._revive = False
            self._driver.revive_offers()
        self._declare()

    def _notice_cancel(self, future: "concurrent.futures.Future[Any]") -> None:
        if future.cancelled():
            self._driver.call(self._end_when_idle)

    def _drop_cancelled(self) -> None:
        """Drops pending calls that were cancelled, and tells those that wait for them."""
        kept = [call for call in self._pending
                if not call.future.cancelled() or call.future.set_running_or_notify_cancel()]
        self._pending = collections.deque(kept)

    def _declare(self) -> None:
        with self._lock:
            size = self._batch_size(1)
            wanted = len(self._running) + -(-len(self._pending) // size)
        if self._max_slots is not None:
            wanted = min(wanted, self._max_slots)
        self._driver.declare_demand({self._kind: wanted})

    def _batch_size(self, slots: int) -> int:
        """Returns how many calls a task gets: enough for half a second, but so that all slots have some."""
        if self._calls_done == 0:
            return 1
        mean = max(self._seconds / self._calls_done, 1e-6)
        return max(1, min(int(self.BATCH_SECONDS / mean), self.LONGEST_BATCH,
                          -(-len(self._pending) // max(slots, 1))))

    def _offered(self, offers: Sequence[Offer]) -> None:
        slots = sum(offer.resources.get(self._kind, 0) for offer in offers)
        for offer in offers:
            tasks: List[Task] = []
            size = 0
            for _ in range(offer.resources.get(self._kind, 0)):
                if self._max_slots is not None and len(self._running) >= self._max_slots:
                    break
                calls = self._take(offer, self._batch_size(slots))
                if not calls:
                    break
                task = self._task_of(calls, offer)
                size += sum(len(call.payload) for call in calls) + len(self._runner) + 4096
                tasks.append(task)
                if size + CALL_BYTES > _ACCEPT_BYTES:
                    break
            reason, refuse = self._rest()
            if tasks:
                self._driver.launch_tasks(offer, tasks, reason, refuse)
            else:
                self._driver.decline_offer(offer, reason, refuse)
        self._declare()

    def _rest(self) -> Tuple[str, Optional[float]]:
        """Returns why no more is taken, and for how long."""
        with self._lock:
            full = self._max_slots is not None and len(self._running) >= self._max_slots
            if not self._pending or full:
                self._revive = True
                return "no-pending-task", None
        if self._skipping_since is None:
            return "no-pending-task", 0.0
        return "no-node-local", max(0.05, self._skipping_since + self._wait - time.monotonic())

    def _take(self, offer: Offer, most: int) -> List[_Call]:
        """Takes calls for a slot: of those that prefer it, or else that prefer none, or have waited."""
        here = {offer.agent.name, offer.agent.rack}
        with self._lock:
            if not self._pending:
                return []
            rules: List[Callable[[_Call], bool]] = [lambda call: bool(call.prefer & here),
                                                    lambda call: not call.prefer]
            since = self._skipping_since
            if since is not None and time.monotonic() >= since + self._wait:
                rules.append(lambda call: True)
            for local, rule in zip((True, False, False), rules):
                taken = self._take_by(rule, most)
                if taken:
                    if local:
                        self._skipping_since = None
                    return taken
            if since is None:
                self._skipping_since = time.monotonic()
            return []

    def _take_by(self, rule: Callable[[_Call], bool], most: int) -> List[_Call]:
        taken: List[_Call] = []
        left: List[_Call] = []
        size = 0
        while self._pending and len(taken) < most and size < CALL_BYTES and len(left) < 4096:
            call = self._pending.popleft()
            fits = size + len(call.payload) <= CALL_BYTES
            if not (rule(call) and fits):
                left.append(call)
            elif call.future.running() or call.future.set_running_or_notify_cancel():
                taken.append(call)
                size += len(call.payload) + 16
        self._pending.extendleft(reversed(left))
        return taken

    def _task_of(self, calls: List[_Call], offer: Offer) -> Task:
        self._tasks += 1
        name = f"call-{self._tasks}"
        work = pickle.dumps({"path": [path for path in sys.path if path], "calls": [call.payload for call in calls]},
                            protocol=4)
        files = (ShippedFile("runner.py", self._runner), ShippedFile("calls.pickle", work))
        with self._lock:
            self._running[name] = _Batch(name, calls, offer.agent.data_endpoint)
        command = Command((self._python, "runner.py"), (), self._token, files)
        return Task(name, {self._kind: 1}, 1, command)

    def _updated(self, status: Status) -> None:
        with self._lock:
            batch = self._running.get(status.task)
        if batch is not None and status.state.is_terminal:
            self._ended.put((batch, status))
        else:
            self._driver.acknowledge(status.task)

    def _end_when_idle(self) -> None:
        with self._idle:
            self._drop_cancelled()
            if not self._closed or self._pending or self._running:
                return
            self._idle.notify_all()
        self._ended.put(None)
        self._driver.stop()

    def _break(self, why: BaseException) -> None:
        with self._idle:
            self._broken = why
            left = [*self._pending, *(call for batch in self._running.values() for call in batch.calls)]
            self._pending.clear()
            self._running.clear()
            self._idle.notify_all()
        for call in left:
            if not call.future.done():
                call.future.set_exception(concurrent.futures.BrokenExecutor(str(why)))
        self._ended.put(None)

    # ---- in the thread that reads results ----

    def _read_results(self) -> None:
        fetcher = Fetcher()
        while True:
            ended = self._ended.get()
            if ended is None:
                fetcher.close()
                return
            batch, status = ended
            again = self._settle(fetcher, batch, status)
            with self._lock:
                self._running.pop(batch.task, None)
                self._pending.extendleft(reversed(again))
            self._driver.acknowledge(batch.task)
            self._driver.call(self._wake)
            self._driver.call(self._end_when_idle)

    def _settle(self, fetcher: Fetcher, batch: _Batch, status: Status) -> List[_Call]:
        """Hands results on. Returns the calls that have to run again."""
        ran = status.state in (TaskState.FINISHED, TaskState.FAILED, TaskState.KILLED)
        records: List[Tuple[bool, bytes, float]] = []
        errors = ""
        if ran and status.reason != TaskReason.SPAWN_FAILED:
            what = CommandOutput(status.framework, 1, batch.task)
            try:
                records = list(_records(fetcher.all(batch.endpoint, self._token, what)))
                if status.state == TaskState.FAILED:
                    what = dataclasses.replace(what, is_err=True)
                    told = fetcher.all(batch.endpoint, self._token, what)[-2000:].decode("utf-8", "replace")
                    errors = f": {told.strip()}" if told.strip() else ""
            except FetchFailed as error:
                return self._lost(batch.calls, str(error))
        for call, (returned, payload, seconds) in zip(batch.calls, records):
            _fulfil(call.future, returned, payload)
            self._calls_done, self._seconds = self._calls_done + 1, self._seconds + seconds
        left = batch.calls[len(records):]
        if not left or status.state == TaskState.FINISHED:
            return left if records else self._lost(left, "its process wrote no result")
        why = f"{status.state.name}, {status.reason.name.lower().replace('_', '-')}"
        told = status.message + errors
        if _says_nothing_about_calls(status):
            return self._lost(left, f"its task ended as {why}")
        if status.reason in (TaskReason.EXIT, TaskReason.SIGNAL):
            left[0].future.set_exception(TaskFailed(f"the process of the call ended without a result ({told})"))
            return left[1:]
        for call in left:
            call.future.set_exception(TaskFailed(f"its task ended as {why} ({told})"))
        return []

    def _lost(self, calls: List[_Call], why: str) -> List[_Call]:
        again = []
        for call in calls:
            call.losses += 1
            if call.losses < self.MOST_LOSSES:
                again.append(call)
            else:
                call.future.set_exception(TaskFailed(f"{why}, {call.losses} times in a row"))
        return again


class _Executing(Scheduler):
    """The scheduler of an executor."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def resource_offers(self, driver: SchedulerDriver, offers: Sequence[Offer]) -> None:
        self._guarded(lambda: self._executor._offered(offers))

    def status_update(self, driver: SchedulerDriver, status: Status) -> None:
        self._guarded(lambda: self._executor._updated(status))

    def _guarded(self, callback: Callable[[], None]) -> None:
        """Nobody waits for ever for calls of an executor that made a mistake."""
        try:
            callback()
        except BaseException as error:
            self._executor._break(error)
            raise

    def error(self, driver: SchedulerDriver, message: str) -> None:
        self._executor._break(RuntimeError(message))


def _says_nothing_about_calls(status: Status) -> bool:
    faults = (TaskReason.AGENT_REFUSED, TaskReason.PREEMPTED, TaskReason.AGENT_LOST, TaskReason.OFFER_GONE)
    lost = (TaskState.LOST, TaskState.GONE, TaskState.DROPPED)
    return status.state in lost or status.reason in faults or status.reason >= TaskReason.AGENT_FAILED


def _records(stream: bytes) -> Iterator[Tuple[bool, bytes, float]]:
    """Yields the whole records of what a task has written."""
    at, head = 0, runner.RECORD
    while at + head.size <= len(stream):
        returned, length, seconds = head.unpack_from(stream, at)
        at += head.size
        if at + length > len(stream):
            return
        yield returned, stream[at:at + length], seconds
        at += length


def _fulfil(future: "concurrent.futures.Future[Any]", returned: bool, payload: bytes) -> None:
    try:
        value = pickle.loads(payload)
    except Exception as error:
        future.set_exception(TypeError(f"the result of the call cannot be read here ({error})"))
        return
    if returned:
        future.set_result(value)
        return
    raised, told = value
    raised.__cause__ = RemoteTraceback(told)
    future.set_exception(raised)


def map(fn: Callable[..., R], items: Iterable[Any], *, prefer: Optional[Callable[[Any], Iterable[str]]] = None,
        ahead: int = 4096, executor: Optional[Executor] = None, **settings: Any) -> Iterator[R]:
    """Yields fn(item) for each item, in their order, computed on the cluster.

    At most `ahead` items are taken before their results are asked for, so that what is kept stays bounded.
    `prefer` gives the agents or racks near an item. `settings` are those of Executor.
    """
    own = Executor(**settings) if executor is None else None
    runs = executor or own
    assert runs is not None
    under_way: Deque["concurrent.futures.Future[R]"] = collections.deque()
    try:
        for item in items:
            under_way.append(runs.submit_near(prefer(item) if prefer else (), fn, item))
            if len(under_way) >= ahead:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        for future in under_way:
            future.cancel()
        if own is not None:
            own.shutdown(cancel_futures=True)
