"""What people ask of a cluster: its state, changes of pools, agents and jobs, and what jobs wrote."""
from __future__ import annotations

import dataclasses
import time
from datetime import timedelta
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Type, TypeVar

import zmq

from proffer.driver import allocator_address, user_name
from proffer.fetcher import Fetcher
from proffer.wire import frames, messages, types
from proffer.wire.enums import ErrorCode
from proffer.wire.frames import Envelope
from proffer.wire.structures import (AgentState, CommandOutput, DetachedJob, Error, FrameworkState, LivingTask,
                                     PoolState)

A = TypeVar("A", bound=messages.Message)


class ClusterError(RuntimeError):
    """An answer that something is wrong, or none."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.code = error.code


@dataclasses.dataclass(frozen=True)
class ClusterState:
    """The state of a cluster."""

    agents: Tuple[AgentState, ...]
    frameworks: Tuple[FrameworkState, ...]
    pools: Tuple[PoolState, ...]
    catalog_endpoint: str
    event_log: str
    preemption: str
    agents_known: int
    agents_back: int
    recovers_for: Optional[timedelta]
    degraded: str


@dataclasses.dataclass(frozen=True)
class Change:
    """A change that was made, in words, and what is amiss with it nevertheless."""

    text: str
    warnings: Tuple[str, ...]


class Client:
    """Questions to an allocator, and changes. It belongs to one thread."""

    def __init__(self, allocator: Optional[str] = None, timeout: float = 5.0) -> None:
        self._address, self._timeout, self._requests = allocator_address(allocator), timeout, 0
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.MAXMSGSIZE, frames.FRAME_BYTES)
        try:
            self._socket.connect(self._address)
        except zmq.ZMQError:
            self._context.destroy(linger=0)
            raise ValueError(f"{self._address} is no address; one looks like tcp://HOST:PORT") from None

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection."""
        self._context.destroy(linger=0)

    # ---- looking ----

    def _describe(self, tasks: int) -> List[messages.ClusterPage]:
        pages: List[messages.ClusterPage] = []
        self._requests += 1
        self._send(messages.Describe(self._requests, tasks))
        while not pages or pages[-1].more:
            pages.append(self._answer(messages.ClusterPage))
        return pages

    def tasks(self, most: int = 10_000) -> Tuple[LivingTask, ...]:
        """Returns the newest tasks that have not ended, at most 10,000."""
        return tuple(task for page in self._describe(most) for task in page.tasks)

    def status(self) -> ClusterState:
        """Returns the agents, frameworks and pools, as the allocator sees them."""
        pages = self._describe(0)
        first = pages[0]
        return ClusterState(
            tuple(agent for page in pages for agent in page.agents),
            tuple(framework for page in pages for framework in page.frameworks),
            tuple(pool for page in pages for pool in page.pools), first.catalog_endpoint, first.event_log,
            first.preemption, first.agents_known, first.agents_back, first.recovers_for, first.degraded)

    def agents(self) -> Tuple[AgentState, ...]:
        """Returns the agents, by name."""
        return self.status().agents

    def frameworks(self) -> Tuple[FrameworkState, ...]:
        """Returns the frameworks, in order of their coming."""
        return self.status().frameworks

    def pools(self) -> Tuple[PoolState, ...]:
        """Returns the pools, the root first."""
        return self.status().pools

    def jobs(self, id: str = "") -> Tuple[DetachedJob, ...]:
        """Returns detached jobs: that of an id, or those whose ids begin with it."""
        return self._ask(messages.DescribeJobs(self._next(), id), messages.DetachedJobs).jobs

    def logs(self, job: str, stderr: bool = False) -> Iterator[bytes]:
        """Yields what the newest driver of a detached job has written so far, in pieces."""
        found = [one for one in self.jobs(job) if one.id == job] or list(self.jobs(job))
        if len(found) != 1:
            raise ClusterError(Error(ErrorCode.NOT_FOUND, f"{len(found)} detached jobs have ids that begin with {job}"))
        one = found[0]
        if not one.task or not one.data_endpoint:
            return
        fetcher = Fetcher(self._timeout)
        try:
            what = CommandOutput(one.framework, one.job, one.task, stderr)
            yield from fetcher.follow(one.data_endpoint, one.output_token, what)
        finally:
            fetcher.close()

    # ---- changing ----

    def create_pool(self, pool: str, **settings: Any) -> Change:
        """Creates a pool; settings are as in set_pool()."""
        return self._pool("create", pool, settings)

    def set_pool(self, pool: str, **settings: Any) -> Change:
        """Changes a pool: weight, min_share, order, max_running, racks, ... as CHANGE_POOL names them."""
        return self._pool("set", pool, settings)

    def remove_pool(self, pool: str) -> Change:
        """Removes a pool that nobody is in."""
        return self._pool("remove", pool, {})

    def reload_pools(self) -> Change:
        """Has the allocator read its file of pools again."""
        return self._change(messages.ReloadPools(self._next()))

    def move_framework(self, framework: str, pool: str) -> Change:
        """Moves a framework into another pool."""
        return self._change(messages.MoveFramework(self._next(), framework, pool))

    def kill_job(self, job: str, framework: str = "", why: str = "") -> Change:
        """Ends a job of a framework, with its tasks."""
        return self._change(messages.KillJob(self._next(), framework, job, user_name(), why))

    def move_job(self, job: str, pool: str, framework: str = "") -> Change:
        """Moves a job into another pool of its framework's own."""
        return self._change(messages.MoveJob(self._next(), framework, job, pool))

    def drain_agent(self, agent: str, kill_after: Optional[float] = None) -> Change:
        """Has an agent get no new tasks; what runs after so many seconds is killed."""
        after = None if kill_after is None else timedelta(seconds=kill_after)
        return self._change(messages.ChangeAgent(self._next(), agent, "drain", after))

    def undrain_agent(self, agent: str) -> Change:
        """Has an agent get tasks again."""
        return self._change(messages.ChangeAgent(self._next(), agent, "undrain"))

    def give_up_agent(self, agent: str) -> Change:
        """Says that an agent never comes back."""
        return self._change(messages.ChangeAgent(self._next(), agent, "gone"))

    def _pool(self, verb: str, pool: str, settings: Dict[str, Any]) -> Change:
        wanted = dict(settings)
        if "weight" in wanted:
            wanted["weight_milli"] = round(wanted.pop("weight") * 1000)
        for key in ("min_share_timeout", "return_after"):
            if isinstance(wanted.get(key), (int, float)):
                wanted[key] = timedelta(seconds=wanted[key])
        known = [f.name for f in dataclasses.fields(messages.ChangePool)][3:]
        for key in wanted:
            if key not in known:
                raise TypeError(f"a pool has no setting {key}; there are weight, {', '.join(known[1:])}")
        return self._change(messages.ChangePool(self._next(), verb, pool, **wanted))

    def _next(self) -> int:
        self._requests += 1
        return self._requests

    def _change(self, message: messages.Message) -> Change:
        done = self._ask(message, messages.AdminDone)
        return Change(done.text, done.warnings)

    def _ask(self, question: messages.Message, answer: Type[A]) -> A:
        self._send(question)
        return self._answer(answer)

    def _send(self, message: messages.Message) -> None:
        self._socket.send(frames.encode(Envelope("", 0, 0, 0, message)))

    def _answer(self, of: Type[A]) -> A:
        until = time.monotonic() + self._timeout
        while self._socket.poll(max(0, int(1000 * (until - time.monotonic())))):
            try:
                message = frames.decode(self._socket.recv()).message
            except types.Malformed as error:
                raise ClusterError(Error(ErrorCode.BODY, f"the answer cannot be read: {error}")) from None
            if isinstance(message, messages.ErrorMessage):
                raise ClusterError(message.error)
            if getattr(message, "request", None) != self._requests:
                continue  # of a question that was given up
            if isinstance(message, messages.AdminDone) and message.error is not None:
                raise ClusterError(message.error)
            if isinstance(message, of):
                return message
        raise ClusterError(Error(ErrorCode.UNREACHABLE, f"no allocator answers at {self._address}"))
