"""The structures of messages, as docs/PROTOCOL.md names their fields."""
from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import Any, Dict, Optional, Tuple

from proffer.wire import types as t
from proffer.wire.enums import ErrorCode, Known, TaskReason, TaskState
from proffer.wire.types import OfferId, wire

_ZERO = timedelta(0)


@dataclasses.dataclass(frozen=True)
class Demand:
    """Slots that a framework could use now, running ones included. A kind that is not named is unbounded."""

    kinds: Dict[str, int] = wire(t.quantities, {})
    task: Dict[str, int] = wire(t.quantities, {})
    least: Dict[str, int] = wire(t.quantities, {})


@dataclasses.dataclass(frozen=True)
class Agent:
    """An agent as frameworks see it."""

    id: str = wire(t.ident)
    name: str = wire(t.name)
    rack: str = wire(t.name)
    data_endpoint: str = wire(t.endpoint)


@dataclasses.dataclass(frozen=True)
class Offer:
    """Free slots of one kind on one agent."""

    id: OfferId = wire(t.epoch_id)
    agent: Agent = wire(t.structure(Agent))
    resources: Dict[str, int] = wire(t.resources)
    idle: bool = wire(t.boolean, False)


@dataclasses.dataclass(frozen=True)
class Standing:
    """Where the framework stands for one kind."""

    kind: str = wire(t.kind)
    used: int = wire(t.i64)
    fair: int = wire(t.i64)
    starved: bool = wire(t.boolean)
    contended: bool = wire(t.boolean)
    complete: bool = wire(t.boolean)


@dataclasses.dataclass(frozen=True)
class ShippedFile:
    """A small file for the sandbox of a task."""

    name: str = wire(t.file_name)
    bytes: bytes = wire(t.blob(262144))
    executable: bool = wire(t.boolean, False)


@dataclasses.dataclass(frozen=True)
class Command:
    """A program that a task runs in its sandbox. With an output token, what it writes can be fetched."""

    argv: Tuple[str, ...] = wire(t.many(t.argument, 1024))
    env: Tuple[Tuple[str, str], ...] = wire(t.many(t.pair(t.variable, t.argument), 1024), ())
    output_token: str = wire(t.short_text, "")
    files: Tuple[ShippedFile, ...] = wire(t.many(t.structure(ShippedFile)), ())


@dataclasses.dataclass(frozen=True)
class Replica:
    """An agent that holds a block."""

    agent: str = wire(t.ident)
    endpoint: str = wire(t.endpoint)
    rack: str = wire(t.name_or_empty)


@dataclasses.dataclass(frozen=True)
class BlockRead:
    """A block to be read."""

    block: int = wire(t.u64)
    length: int = wire(t.u64)
    first_record: int = wire(t.u64)
    token: str = wire(t.short_text)
    replicas: Tuple[Replica, ...] = wire(t.many(t.structure(Replica)))


@dataclasses.dataclass(frozen=True)
class CachedFile:
    """A file of the store that a task finds in its sandbox."""

    name: str = wire(t.file_name)
    blocks: Tuple[BlockRead, ...] = wire(t.many(t.structure(BlockRead)))


@dataclasses.dataclass(frozen=True)
class OutputPath:
    """Where a task writes its part of the job's output."""

    path: str = wire(t.path)
    catalog_endpoint: str = wire(t.endpoint)
    replication: int = wire(t.u32)
    block_bytes: int = wire(t.u64)


@dataclasses.dataclass(frozen=True)
class MapOutput:
    """One partition of one map's output."""

    map: str = wire(t.name)
    agent: str = wire(t.ident)
    endpoint: str = wire(t.endpoint)
    offset: int = wire(t.u64)
    length: int = wire(t.u64)
    crc32: int = wire(t.u32)


@dataclasses.dataclass(frozen=True)
class SyntheticInput:
    """What a synthetic reduce reads at one agent."""

    map: str = wire(t.name)
    agent: str = wire(t.ident)
    endpoint: str = wire(t.endpoint)
    output_bytes: int = wire(t.u64)
    bytes: int = wire(t.u64)


_env = t.many(t.pair(t.variable, t.argument), 1024)
_cached = t.many(t.structure(CachedFile), 8)


@dataclasses.dataclass(frozen=True)
class MapWork:
    """The map of a MapReduce job."""

    job: int = wire(t.u32)
    index: int = wire(t.u32)
    job_token: str = wire(t.short_text)
    mapper: str = wire(t.argument)
    combiner: str = wire(t.argument)
    blocks: Tuple[BlockRead, ...] = wire(t.many(t.structure(BlockRead)))
    input_path: str = wire(t.path)
    partitions: int = wire(t.u32)
    output: OutputPath = wire(t.structure(OutputPath))
    env: Tuple[Tuple[str, str], ...] = wire(_env)
    files: Tuple[ShippedFile, ...] = wire(t.many(t.structure(ShippedFile)))
    cached: Tuple[CachedFile, ...] = wire(_cached)


@dataclasses.dataclass(frozen=True)
class ReduceWork:
    """A reduce of a MapReduce job."""

    job: int = wire(t.u32)
    index: int = wire(t.u32)
    job_token: str = wire(t.short_text)
    reducer: str = wire(t.argument)
    inputs: Tuple[MapOutput, ...] = wire(t.many(t.structure(MapOutput)))
    output: OutputPath = wire(t.structure(OutputPath))
    env: Tuple[Tuple[str, str], ...] = wire(_env)
    files: Tuple[ShippedFile, ...] = wire(t.many(t.structure(ShippedFile)))
    complete: bool = wire(t.boolean)
    cached: Tuple[CachedFile, ...] = wire(_cached)


@dataclasses.dataclass(frozen=True)
class SyntheticWork:
    """Moves and computes as much as an experiment says."""

    job: int = wire(t.u32)
    index: int = wire(t.u32)
    map: bool = wire(t.boolean)
    job_token: str = wire(t.short_text)
    blocks: Tuple[BlockRead, ...] = wire(t.many(t.structure(BlockRead)))
    inputs: Tuple[SyntheticInput, ...] = wire(t.many(t.structure(SyntheticInput)))
    compute: timedelta = wire(t.duration)
    output_bytes: int = wire(t.u64)
    complete: bool = wire(t.boolean)
    cached: Tuple[CachedFile, ...] = wire(_cached)
    output: OutputPath = wire(t.structure(OutputPath))


@dataclasses.dataclass(frozen=True)
class Task:
    """A task to be run: its id is never used twice by a framework."""

    id: str = wire(t.name)
    resources: Dict[str, int] = wire(t.resources)
    job: int = wire(t.u32, 0)
    work: Any = wire(t.optional(t.tagged(Command, MapWork, ReduceWork, SyntheticWork)), None)


@dataclasses.dataclass(frozen=True)
class LivingTask:
    """A task that has not ended."""

    agent: str = wire(t.ident)
    framework: str = wire(t.ident)
    task: str = wire(t.name)
    job: int = wire(t.u32)
    state: TaskState = wire(t.enumeration(TaskState))
    resources: Dict[str, int] = wire(t.resources)


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What has become of one task of an ACCEPT."""

    task: str = wire(t.name)
    ok: bool = wire(t.boolean)
    state: TaskState = wire(t.enumeration(TaskState))
    reason: TaskReason = wire(t.enumeration(TaskReason, TaskReason.NONE))


@dataclasses.dataclass(frozen=True)
class Exit:
    """How a process ended; a signal of 0 is none."""

    code: int = wire(t.i32, 0)
    signal: int = wire(t.i32, 0)


@dataclasses.dataclass(frozen=True)
class Span:
    """A partition's place in a map's output file."""

    offset: int = wire(t.u64)
    length: int = wire(t.u64)
    crc32: int = wire(t.u32)


@dataclasses.dataclass(frozen=True)
class Counter:
    """A counter of a MapReduce job."""

    group: str = wire(t.text)
    name: str = wire(t.text)
    value: int = wire(t.i64)


@dataclasses.dataclass(frozen=True)
class NoResult:
    """The result of a task that has nothing to tell."""


@dataclasses.dataclass(frozen=True)
class MapResult:
    """What a map tells its framework."""

    partitions: Tuple[Span, ...] = wire(t.many(t.structure(Span)))
    local_bytes: int = wire(t.u64)
    remote_bytes: int = wire(t.u64)
    input_records: int = wire(t.u64)
    output_records: int = wire(t.u64)
    output_bytes: int = wire(t.u64)
    counters: Tuple[Counter, ...] = wire(t.many(t.structure(Counter)))


@dataclasses.dataclass(frozen=True)
class ReduceResult:
    """What a reduce tells its framework."""

    missing: Tuple[str, ...] = wire(t.many(t.name))
    local_bytes: int = wire(t.u64)
    remote_bytes: int = wire(t.u64)
    input_records: int = wire(t.u64)
    output_records: int = wire(t.u64)
    output_bytes: int = wire(t.u64)
    counters: Tuple[Counter, ...] = wire(t.many(t.structure(Counter)))


@dataclasses.dataclass(frozen=True)
class Status:
    """A state of a task, as its agent recorded it, or the allocator."""

    framework: str = wire(t.ident)
    task: str = wire(t.name)
    seq: int = wire(t.u64)
    state: TaskState = wire(t.enumeration(TaskState))
    reason: TaskReason = wire(t.enumeration(TaskReason, TaskReason.NONE), TaskReason.NONE)
    exit: Exit = wire(t.structure(Exit), Exit())
    message: str = wire(t.text, "")
    agent: str = wire(t.ident, "")
    run_time: timedelta = wire(t.duration, _ZERO)
    result: Any = wire(t.optional(t.tagged(NoResult, MapResult, ReduceResult)), None)


@dataclasses.dataclass(frozen=True)
class TaskDigest:
    """The living tasks of a session, to be compared."""

    count: int = wire(t.u64)
    hash: int = wire(t.u64)


@dataclasses.dataclass(frozen=True)
class TaskAt:
    """A task, and where it is believed to be."""

    task: str = wire(t.name)
    agent: str = wire(t.ident)


@dataclasses.dataclass(frozen=True)
class KnownTask:
    """What the allocator knows of a task."""

    task: str = wire(t.name)
    agent: str = wire(t.ident)
    known: Known = wire(t.enumeration(Known))
    state: TaskState = wire(t.enumeration(TaskState))
    resources: Dict[str, int] = wire(t.resources)
    job: int = wire(t.u32)


@dataclasses.dataclass(frozen=True)
class Error:
    """What went wrong, in one clear sentence."""

    code: ErrorCode = wire(t.enumeration(ErrorCode, ErrorCode.INVALID))
    message: str = wire(t.text)


@dataclasses.dataclass(frozen=True)
class MapOutputFile:
    """The file with all partitions of one map."""

    framework: str = wire(t.ident)
    job: int = wire(t.u32)
    map: str = wire(t.name)


@dataclasses.dataclass(frozen=True)
class CommandOutput:
    """The stdout or stderr of one command."""

    framework: str = wire(t.ident)
    job: int = wire(t.u32)
    task: str = wire(t.name)
    is_err: bool = wire(t.boolean, False)


data_name = t.tagged(t.u64, MapOutputFile, CommandOutput)


@dataclasses.dataclass(frozen=True)
class DetachedJob:
    """A command that the cluster drives, and where its newest driver is."""

    id: str = wire(t.name)
    name: str = wire(t.name)
    user: str = wire(t.short_text)
    summary: str = wire(t.short_text)
    state: str = wire(t.short_text)
    text: str = wire(t.text)
    starts: int = wire(t.u32)
    exit: Exit = wire(t.structure(Exit))
    framework: str = wire(t.ident)
    job: int = wire(t.u32)
    task: str = wire(t.name_or_empty)
    output_token: str = wire(t.short_text)
    agent: str = wire(t.name_or_empty)
    data_endpoint: str = wire(t.endpoint)


@dataclasses.dataclass(frozen=True)
class AgentState:
    """An agent, for people."""

    id: str = wire(t.ident)
    name: str = wire(t.name)
    rack: str = wire(t.name)
    data_endpoint: str = wire(t.endpoint)
    reachable: bool = wire(t.boolean)
    total: Dict[str, int] = wire(t.resources)
    used: Dict[str, int] = wire(t.resources)
    offered: Dict[str, int] = wire(t.resources)
    trouble: str = wire(t.text)
    wish: str = wire(t.short_text)
    tasks: int = wire(t.u64)
    reach: str = wire(t.short_text)


@dataclasses.dataclass(frozen=True)
class FrameworkState:
    """A framework, for people."""

    id: str = wire(t.ident)
    name: str = wire(t.name)
    pool: str = wire(t.pool)
    user: str = wire(t.short_text)
    connected: bool = wire(t.boolean)
    used: Dict[str, int] = wire(t.resources)
    offered: Dict[str, int] = wire(t.resources)
    demand: Dict[str, int] = wire(t.quantities)
    fair: Dict[str, int] = wire(t.quantities)
    offers_sent: int = wire(t.u64)
    offers_accepted: int = wire(t.u64)
    offers_rescinded: int = wire(t.u64)
    offers_expired: int = wire(t.u64)
    offers_declined: Tuple[int, ...] = wire(t.many(t.u64, 6))
    tasks_launched: int = wire(t.u64)
    tasks_finished: int = wire(t.u64)
    tasks_failed: int = wire(t.u64)
    offers_held: timedelta = wire(t.duration)
    priority: str = wire(t.short_text)
    given_up_in: Optional[timedelta] = wire(t.optional(t.duration))


@dataclasses.dataclass(frozen=True)
class PoolState:
    """A pool, for people. The root's name is empty."""

    name: str = wire(t.pool)
    weight_milli: int = wire(t.i64)
    min_share: Dict[str, int] = wire(t.quantities)
    used: Dict[str, int] = wire(t.quantities)
    demand: Dict[str, int] = wire(t.quantities)
    fair: Dict[str, int] = wire(t.quantities)
    frameworks: int = wire(t.u32)
    order: str = wire(t.short_text)
    max_running: int = wire(t.u32)
    max_running_per_user: int = wire(t.u32)
    waiting: int = wire(t.u32)
    racks: Tuple[str, ...] = wire(t.many(t.name, 100))
    agents: Tuple[str, ...] = wire(t.many(t.name, 100))
    private_agents: int = wire(t.u32)
    user_limit: int = wire(t.u32)
    min_share_timeout: Optional[timedelta] = wire(t.optional(t.duration))
    return_after: timedelta = wire(t.duration)

    @property
    def weight(self) -> float:
        """The weight among its siblings."""
        return self.weight_milli / 1000
