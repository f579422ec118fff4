"""The messages of frameworks, data ports and people, as docs/PROTOCOL.md describes them."""
from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import Any, Dict, Optional, Tuple, Type

from proffer.wire import structures as s
from proffer.wire import types as t
from proffer.wire.enums import DeclineReason
from proffer.wire.types import OfferId, wire

_reason = t.enumeration(DeclineReason, DeclineReason.OTHER)
_kinds = t.many(t.kind, 64)
_demand = t.structure(s.Demand)
_error = t.structure(s.Error)


class Message:
    """The body of a message."""


@dataclasses.dataclass(frozen=True)
class Subscribe(Message):
    framework: str = wire(t.ident)
    name: str = wire(t.name)
    pool: str = wire(t.pool)
    user: str = wire(t.short_text)
    failover_timeout: timedelta = wire(t.duration)
    demand: s.Demand = wire(_demand)
    priority: str = wire(t.short_text)
    secret: str = wire(t.ident)
    instance: int = wire(t.u64)
    framework_epoch: int = wire(t.u64)
    claims: bool = wire(t.boolean)


@dataclasses.dataclass(frozen=True)
class Subscribed(Message):
    framework: str = wire(t.ident)
    framework_epoch: int = wire(t.u64)
    heartbeat: timedelta = wire(t.duration)
    catalog_endpoint: str = wire(t.endpoint)
    secret: str = wire(t.ident)
    incarnation: int = wire(t.u64)


@dataclasses.dataclass(frozen=True)
class Offers(Message):
    offers: Tuple[s.Offer, ...] = wire(t.many(t.structure(s.Offer), 1024))
    standings: Tuple[s.Standing, ...] = wire(t.many(t.structure(s.Standing)))


@dataclasses.dataclass(frozen=True)
class Accept(Message):
    accept: int = wire(t.u64)
    offers: Tuple[OfferId, ...] = wire(t.many(t.epoch_id, 1024))
    tasks: Tuple[s.Task, ...] = wire(t.many(t.structure(s.Task), 1024))
    rest_reason: DeclineReason = wire(_reason)
    rest_refuse_for: Optional[timedelta] = wire(t.optional(t.duration))
    demand: s.Demand = wire(_demand)


@dataclasses.dataclass(frozen=True)
class Accepted(Message):
    accept: int = wire(t.u64)
    verdicts: Tuple[s.Verdict, ...] = wire(t.many(t.structure(s.Verdict), 1024))


@dataclasses.dataclass(frozen=True)
class Decline(Message):
    offers: Tuple[OfferId, ...] = wire(t.many(t.epoch_id, 1024))
    reason: DeclineReason = wire(_reason)
    refuse_for: Optional[timedelta] = wire(t.optional(t.duration))
    demand: s.Demand = wire(_demand)


@dataclasses.dataclass(frozen=True)
class Rescind(Message):
    offers: Tuple[OfferId, ...] = wire(t.many(t.epoch_id, 4096))


@dataclasses.dataclass(frozen=True)
class Revive(Message):
    kinds: Tuple[str, ...] = wire(_kinds)
    demand: s.Demand = wire(_demand)


@dataclasses.dataclass(frozen=True)
class Suppress(Message):
    kinds: Tuple[str, ...] = wire(_kinds)


@dataclasses.dataclass(frozen=True)
class Update(Message):
    status: s.Status = wire(t.structure(s.Status))


@dataclasses.dataclass(frozen=True)
class Acknowledge(Message):
    framework: str = wire(t.ident)
    task: str = wire(t.name)
    seq: int = wire(t.u64)


@dataclasses.dataclass(frozen=True)
class Kill(Message):
    framework: str = wire(t.ident)
    task: str = wire(t.name)
    grace: timedelta = wire(t.duration)


@dataclasses.dataclass(frozen=True)
class TaskMessage(Message):
    framework: str = wire(t.ident)
    task: str = wire(t.name)
    payload: bytes = wire(t.blob(65536))


@dataclasses.dataclass(frozen=True)
class Release(Message):
    framework: str = wire(t.ident)
    job: int = wire(t.u32)


@dataclasses.dataclass(frozen=True)
class Teardown(Message):
    """The framework is done."""


@dataclasses.dataclass(frozen=True)
class Heartbeat(Message):
    beat: int = wire(t.u64)
    demand: Optional[s.Demand] = wire(t.optional(_demand))
    tasks: Optional[s.TaskDigest] = wire(t.optional(t.structure(s.TaskDigest)))
    revives: int = wire(t.u64)
    suppressed: Tuple[str, ...] = wire(_kinds)
    all_suppressed: bool = wire(t.boolean)


@dataclasses.dataclass(frozen=True)
class ErrorMessage(Message):
    error: s.Error = wire(_error)
    about_seq: int = wire(t.u64)


@dataclasses.dataclass(frozen=True)
class Preempt(Message):
    slots: Dict[str, int] = wire(t.resources)
    within: timedelta = wire(t.duration)


@dataclasses.dataclass(frozen=True)
class MoreInputs(Message):
    framework: str = wire(t.ident)
    task: str = wire(t.name)
    from_: int = wire(t.u32)
    to: int = wire(t.u32)
    inputs: Tuple[s.MapOutput, ...] = wire(t.many(t.structure(s.MapOutput)))
    synthetic: Tuple[s.SyntheticInput, ...] = wire(t.many(t.structure(s.SyntheticInput)))
    complete: bool = wire(t.boolean)


@dataclasses.dataclass(frozen=True)
class Reconcile(Message):
    request: int = wire(t.u64)
    tasks: Tuple[s.TaskAt, ...] = wire(t.many(t.structure(s.TaskAt), 1024))


@dataclasses.dataclass(frozen=True)
class Reconciled(Message):
    request: int = wire(t.u64)
    tasks: Tuple[s.KnownTask, ...] = wire(t.many(t.structure(s.KnownTask), 1024))
    last: bool = wire(t.boolean)
    complete: bool = wire(t.boolean)


@dataclasses.dataclass(frozen=True)
class Bye(Message):
    why: str = wire(t.text)


@dataclasses.dataclass(frozen=True)
class Fetch(Message):
    request: int = wire(t.u64)
    token: str = wire(t.short_text)
    what: Any = wire(s.data_name)
    offset: int = wire(t.u64)
    length: int = wire(t.u32)


@dataclasses.dataclass(frozen=True)
class Chunk(Message):
    request: int = wire(t.u64)
    bytes: bytes = wire(t.blob(262144))
    total: int = wire(t.u64)


@dataclasses.dataclass(frozen=True)
class Store(Message):
    request: int = wire(t.u64)
    token: str = wire(t.short_text)
    block: int = wire(t.u64)
    offset: int = wire(t.u64)
    bytes: bytes = wire(t.blob(262144))
    last: bool = wire(t.boolean)
    crc32: int = wire(t.u32)


@dataclasses.dataclass(frozen=True)
class Stored(Message):
    request: int = wire(t.u64)


@dataclasses.dataclass(frozen=True)
class DataFailed(Message):
    request: int = wire(t.u64)
    error: s.Error = wire(_error)


@dataclasses.dataclass(frozen=True)
class SubmitJob(Message):
    request: int = wire(t.u64)
    id: str = wire(t.name)
    name: str = wire(t.name)
    user: str = wire(t.short_text)
    summary: str = wire(t.short_text)
    framework: str = wire(t.ident)
    secret: str = wire(t.ident)
    command: s.Command = wire(t.structure(s.Command))


@dataclasses.dataclass(frozen=True)
class DescribeJobs(Message):
    request: int = wire(t.u64)
    id: str = wire(t.name_or_empty, "")


@dataclasses.dataclass(frozen=True)
class DetachedJobs(Message):
    request: int = wire(t.u64)
    jobs: Tuple[s.DetachedJob, ...] = wire(t.many(t.structure(s.DetachedJob)))


@dataclasses.dataclass(frozen=True)
class ChangeAgent(Message):
    request: int = wire(t.u64)
    agent: str = wire(t.name)
    verb: str = wire(t.short_text)
    kill_after: Optional[timedelta] = wire(t.optional(t.duration), None)


@dataclasses.dataclass(frozen=True)
class Describe(Message):
    request: int = wire(t.u64)
    tasks: int = wire(t.u64, 0)


@dataclasses.dataclass(frozen=True)
class ClusterPage(Message):
    request: int = wire(t.u64)
    catalog_endpoint: str = wire(t.endpoint)
    agents: Tuple[s.AgentState, ...] = wire(t.many(t.structure(s.AgentState)))
    frameworks: Tuple[s.FrameworkState, ...] = wire(t.many(t.structure(s.FrameworkState)))
    pools: Tuple[s.PoolState, ...] = wire(t.many(t.structure(s.PoolState)))
    more: bool = wire(t.boolean)
    event_log: str = wire(t.path)
    preemption: str = wire(t.short_text)
    fair_share_timeout: Optional[timedelta] = wire(t.optional(t.duration))
    fair_share_threshold_milli: int = wire(t.i64)
    preemption_deadline: timedelta = wire(t.duration)
    agents_known: int = wire(t.u64)
    agents_back: int = wire(t.u64)
    recovers_for: Optional[timedelta] = wire(t.optional(t.duration))
    degraded: str = wire(t.text)
    http: str = wire(t.short_text, "")
    tasks: Tuple[s.LivingTask, ...] = wire(t.many(t.structure(s.LivingTask)), ())
    living: int = wire(t.u64, 0)


@dataclasses.dataclass(frozen=True)
class ChangePool(Message):
    request: int = wire(t.u64)
    verb: str = wire(t.short_text)
    pool: str = wire(t.pool)
    weight_milli: Optional[int] = wire(t.optional(t.i64), None)
    min_share: Dict[str, int] = wire(t.quantities, {})
    order: str = wire(t.short_text, "")
    max_running: Optional[int] = wire(t.optional(t.u32), None)
    max_running_per_user: Optional[int] = wire(t.optional(t.u32), None)
    min_share_timeout: Optional[timedelta] = wire(t.optional(t.duration), None)
    racks: Optional[Tuple[str, ...]] = wire(t.optional(t.many(t.name)), None)
    agents: Optional[Tuple[str, ...]] = wire(t.optional(t.many(t.name)), None)
    private_agents: Optional[int] = wire(t.optional(t.u32), None)
    return_after: Optional[timedelta] = wire(t.optional(t.duration), None)
    user_limit: Optional[int] = wire(t.optional(t.u32), None)


@dataclasses.dataclass(frozen=True)
class ReloadPools(Message):
    request: int = wire(t.u64)


@dataclasses.dataclass(frozen=True)
class MoveFramework(Message):
    request: int = wire(t.u64)
    framework: str = wire(t.name)
    pool: str = wire(t.pool)


@dataclasses.dataclass(frozen=True)
class AdminDone(Message):
    request: int = wire(t.u64)
    error: Optional[s.Error] = wire(t.optional(_error))
    text: str = wire(t.text, "")
    warnings: Tuple[str, ...] = wire(t.many(t.text, 20), ())


@dataclasses.dataclass(frozen=True)
class KillJob(Message):
    request: int = wire(t.u64)
    framework: str = wire(t.name_or_empty)
    job: str = wire(t.short_text)
    by: str = wire(t.short_text)
    why: str = wire(t.text)


@dataclasses.dataclass(frozen=True)
class MoveJob(Message):
    request: int = wire(t.u64)
    framework: str = wire(t.name_or_empty)
    job: str = wire(t.short_text)
    pool: str = wire(t.pool)


#: Messages by their numbers.
BY_NUMBER: Dict[int, Type[Message]] = {
    1: Subscribe, 2: Subscribed, 3: Offers, 4: Accept, 5: Accepted, 6: Decline, 7: Rescind, 8: Revive,
    9: Suppress, 10: Update, 11: Acknowledge, 12: Kill, 13: TaskMessage, 14: Release, 15: Teardown,
    16: Heartbeat, 17: ErrorMessage, 18: Preempt, 19: MoreInputs, 20: Reconcile, 21: Reconciled, 22: Bye,
    96: Fetch, 97: Chunk, 98: Store, 99: Stored, 100: DataFailed,
    116: SubmitJob, 117: DescribeJobs, 118: DetachedJobs, 119: ChangeAgent, 120: Describe, 121: ClusterPage,
    122: ChangePool, 123: ReloadPools, 124: MoveFramework, 125: AdminDone, 126: KillJob, 127: MoveJob,
}
NUMBERS: Dict[Type[Message], int] = {of: number for number, of in BY_NUMBER.items()}
BODIES: Dict[int, t.Codec[Any]] = {number: t.structure(of) for number, of in BY_NUMBER.items()}
