"""The framework machine: a session with the allocator on behalf of a scheduler, without sockets or clock."""
from __future__ import annotations

import collections
import dataclasses
import functools
import random
from datetime import timedelta
from typing import TYPE_CHECKING, Callable, Deque, Dict, List, Optional, Sequence, Set, Tuple

from proffer.demand import DemandTable
from proffer.digest_watch import DigestWatch
from proffer.framework_info import FrameworkInfo
from proffer.ledger import Ledger, News
from proffer.scheduler import Scheduler
from proffer.session import Resend, Session, Verdict
from proffer.state_folder import StateFolder
from proffer.wire import messages as m
from proffer.wire.enums import DeclineReason, ErrorCode, Known, TaskReason, TaskState
from proffer.wire.frames import Envelope
from proffer.wire.structures import Error, KnownTask, Status, Task, TaskAt
from proffer.wire.types import OfferId

if TYPE_CHECKING:
    from proffer.driver import SchedulerDriver

_ZERO = timedelta(0)
_PAGE = 1024


@dataclasses.dataclass
class _Open:
    accept: m.Accept
    resend: Resend
    older_session: bool = False


class Framework:
    """Says what is to be sent (`outbox`), and calls the scheduler, one event after the other.

    `now` is set before each event. Calls that a scheduler makes within a callback are carried out when it has
    returned, after the status that it was told has been acknowledged.
    """

    ACCEPT_RETRY, LONGEST_RETRY = 5.0, 10.0
    KILL_RETRY, ASK_AGAIN = 1.0, 0.5
    REMEMBER_RESCINDS = 60.0

    def __init__(self, info: FrameworkInfo, scheduler: Scheduler, call: Callable[[Callable[[], None]], None],
                 driver: "SchedulerDriver", kept: Optional[StateFolder], implicit: bool) -> None:
        self.info, self.scheduler, self._call, self._driver, self._kept = info, scheduler, call, driver, kept
        self._implicit = implicit
        self.now = 0.0
        self.outbox: List[bytes] = []
        self.finished = self.leaving = False
        self.failure: Optional[Error] = None
        self.id = self._secret = ""
        self._epoch = self._incarnation = self._server_epoch = 0
        self._instance = random.getrandbits(63) | 1
        self.session = Session()
        self.tasks = Ledger()
        self.demand = DemandTable()
        self._offers: Dict[OfferId, str] = {}
        self._rescinded: Dict[OfferId, float] = {}
        self._accepts: Dict[int, _Open] = {}
        self._next_accept = 1
        self._kills: Dict[str, Tuple[m.Kill, Resend]] = {}
        self._unacknowledged: Dict[str, Status] = {}
        self._ends: Deque[Status] = collections.deque()
        self._releases: Set[int] = set()
        self._revives = 0
        self._foreign_tasks = False
        self._questions: Set[str] = set()
        self._ask_all = False
        self._all_request = self._requests = 0
        self._ask_at: Optional[Resend] = None
        self._digests = DigestWatch()

    # ---- events ----

    def start(self) -> None:
        """Takes up what a former process has kept, and asks for a session."""
        self.session.attempt_at = self.now
        identity = self._kept.get("identity") if self._kept else None
        if self._kept and identity:
            self.id, self._secret = identity["id"], identity["secret"]
            self.tasks.framework, self._foreign_tasks = self.id, True
            server = self._kept.get("server")
            if server:
                self.session = Session(server["cluster"], server["epoch"])
                self.session.attempt_at = self.now
                self._server_epoch, self._incarnation = server["epoch"], server["incarnation"]
            for task, record in self._kept.tasks():
                self.tasks.restore(task, record["agent"], record["resources"], TaskState(record["state"]),
                                   record["seq"])
            left = self.tasks.all_current()
            self._tell(lambda: self.scheduler.resumed(self._driver, left))

    def receive(self, arrival: Envelope) -> None:
        """Takes a message of the allocator."""
        if self.finished:
            return
        welcome = isinstance(arrival.message, m.Subscribed)
        verdict = self.session.check(arrival, welcome, self.now)
        if verdict == Verdict.RESTARTED:
            self._lose_session()
        elif verdict == Verdict.OTHER_CLUSTER:
            self._fail(Error(ErrorCode.WRONG_CLUSTER,
                             "the allocator belongs to another cluster than the one this framework began in"))
        elif verdict == Verdict.TAKE:
            self._dispatch(arrival)

    def lost(self) -> None:
        """The connection was lost."""
        self._lose_session()

    def tend(self) -> None:
        """Does what is due by now."""
        if self.finished:
            return
        session = self.session
        if session.silent(self.now):
            self._lose_session()
        if not session.open and self.now >= session.attempt_at:
            self._subscribe()
        if session.open:
            self._send_due()
            told_late = self.demand.tell_by is not None and self.demand.tell_by <= self.now
            if self.demand.risen or told_late or session.beat_due(self.now):
                self._beat()
        self._deliver_ends()
        for task in self.tasks.forget(self.now):
            self._drop(f"task:{task}")

    def next_deadline(self) -> Optional[float]:
        """Returns when tend() has something to do."""
        if self.finished:
            return None
        due = [self.session.next_deadline()]
        if self.session.open:
            due.append(self.demand.tell_by)
            due += [one.resend.at for one in self._accepts.values()]
            due += [resend.at for _, resend in self._kills.values()]
            if self._ask_at is not None and (self._questions or self._ask_all):
                due.append(self._ask_at.at)
        return min((at for at in due if at is not None), default=None)

    # ---- calls of the scheduler ----

    def accept(self, offers: Sequence[OfferId], tasks: Sequence[Task], reason: DeclineReason,
               refuse_for: Optional[timedelta]) -> None:
        """Launches tasks on offers of one agent; the rest of these is declined."""
        if self.finished or self.leaving:
            return
        agents = [self._offers.pop(offer, "") for offer in offers]
        for task in tasks:
            self.tasks.ask(task, max(agents, default=""))
        if not self.session.open:
            for task in tasks:
                self._report_end(task.id, TaskState.DROPPED, TaskReason.OFFER_GONE, "the session was lost")
            return
        if not tasks:
            return self._send(m.Decline(tuple(offers), reason, refuse_for, self.demand.to_send()))
        for task in tasks:
            self._keep_task(task.id)
        accept = m.Accept(self._next_accept, tuple(offers), tuple(tasks), reason, refuse_for,
                          self.demand.to_send())
        self._next_accept += 1
        self._accepts[accept.accept] = _Open(accept, Resend(self.ACCEPT_RETRY, self.LONGEST_RETRY, self.now))
        self._send(accept)

    def decline(self, offers: Sequence[OfferId], reason: DeclineReason, refuse_for: Optional[timedelta]) -> None:
        """Gives offers back."""
        for offer in offers:
            self._offers.pop(offer, None)
        self._send(m.Decline(tuple(offers), reason, refuse_for, self.demand.to_send()))

    def revive(self, kinds: Sequence[str]) -> None:
        """Forgets filters. A new session has none, so nothing is sent without one."""
        self.demand.revive(kinds)
        if self.session.open:
            self._revives += 1
            self._send(m.Revive(tuple(kinds), self.demand.to_send()))

    def suppress(self, kinds: Sequence[str]) -> None:
        """Wants no offers of these kinds; none named: of any."""
        self.demand.suppress(kinds)
        self._send(m.Suppress(tuple(kinds)))

    def kill(self, task: str, grace: timedelta) -> None:
        """Ends a task; repeated until it has ended."""
        if self.tasks.current(task):
            kill = m.Kill(self.id, task, grace)
            self._kills[task] = (kill, Resend(self.KILL_RETRY, self.LONGEST_RETRY, self.now))
            self._send(kill)

    def send_to_task(self, task: str, payload: bytes) -> None:
        """Says something to a running task. It may be lost."""
        if self.tasks.current(task):
            self._send(m.TaskMessage(self.id, task, payload))

    def release(self, job: int) -> None:
        """Lets agents delete what the commands of a job wrote."""
        if self.session.open:
            self._send(m.Release(self.id, job))
        elif self.id:
            self._releases.add(job)

    def acknowledge(self, task: str) -> None:
        """Acknowledges the newest status of a task that was told and not acknowledged yet."""
        status = self._unacknowledged.pop(task, None)
        if status is None:
            return
        self._keep_task(task)
        if status.seq:
            self._send(m.Acknowledge(self.id, task, status.seq))

    def leave(self) -> None:
        """Ends the framework with its tasks; without a session, as soon as it has one again."""
        self.leaving = True
        if self.session.open:
            self._send(m.Teardown())
        if self.session.open or not self.id:
            if self._kept:
                self._kept.clear()
            self._finish()

    def depart(self) -> None:
        """Ends the session, and leaves tasks to a later process."""
        self._send(m.Bye("it goes on later"))
        self._finish()

    # ---- the session ----

    def _subscribe(self) -> None:
        info = self.info
        self.session.attempted(self.now)
        self._emit(m.Subscribe(self.id, info.name, info.pool, info.user, info.failover_timeout,
                               self.demand.to_send(), info.priority, self._secret, self._instance,
                               self._epoch, False))

    def _subscribed(self, arrival: Envelope, told: m.Subscribed) -> None:
        if arrival.session == 0 or not told.framework:
            return
        same_life = self._server_epoch == arrival.epoch
        if same_life and self._incarnation and told.incarnation not in (0, self._incarnation):
            return  # a twin of the allocator, on a copy of its folder: our place is with the first
        had_one = self.session.open
        if not self.session.begin(arrival, told.heartbeat.total_seconds(), self.now):
            return
        if had_one:
            self._tell_disconnected()
        if self.id and self.id != told.framework:
            self._give_up_identity()
        new = not self.id
        self.id, self._secret = told.framework, told.secret
        self.tasks.framework = self.id
        self._revives, self._digests = 0, DigestWatch()
        taken_over = self._epoch == 0 and self._foreign_tasks
        restarted = self._server_epoch not in (0, arrival.epoch)
        self._epoch, self._server_epoch, self._incarnation = (
            told.framework_epoch, arrival.epoch, told.incarnation)
        self._keep("identity", {"id": self.id, "secret": self._secret})
        self._keep("server", {"cluster": arrival.cluster, "epoch": arrival.epoch,
                              "incarnation": told.incarnation})
        if taken_over or restarted:
            self._doubt_all()
        if self.leaving:
            return self.leave()
        self._send_unanswered()
        if new:
            self._tell(lambda: self.scheduler.registered(self._driver, self.id))
        else:
            self._tell(lambda: self.scheduler.reregistered(self._driver))

    def _send_unanswered(self) -> None:
        """Accept numbers rise within a session, so what is open goes before anything new."""
        for one in self._accepts.values():
            one.older_session, one.resend.at = True, self.now
        for _, resend in self._kills.values():
            resend.at = self.now
        self._send_due()
        for job in sorted(self._releases):
            self._send(m.Release(self.id, job))
        self._releases.clear()

    def _send_due(self) -> None:
        for number in sorted(self._accepts):
            one = self._accepts[number]
            if one.resend.at <= self.now:
                one.resend.sent(self.now)
                self._send(dataclasses.replace(one.accept, demand=self.demand.to_send()))
        for kill, resend in self._kills.values():
            if resend.at <= self.now:
                resend.sent(self.now)
                self._send(kill)
        if self._ask_at is not None and self._ask_at.at <= self.now:
            self._ask()

    def _beat(self) -> None:
        beat = self.session.next_beat()
        self._send(m.Heartbeat(beat, self.demand.to_send(), self.tasks.digest(), self._revives,
                               tuple(sorted(self.demand.suppressed)), self.demand.all_suppressed))

    def _lose_session(self) -> None:
        if self.session.open:
            self.session.end(self.now)
            self._tell_disconnected()

    def _tell_disconnected(self) -> None:
        self._offers.clear()
        self._rescinded.clear()
        self._tell(lambda: self.scheduler.disconnected(self._driver))

    def _give_up_identity(self) -> None:
        """The allocator does not know the framework any more: whatever ran is being killed."""
        self._accepts.clear()
        self._kills.clear()
        self._releases.clear()
        self._unacknowledged.clear()
        self._questions.clear()
        self._ask_all, self._epoch = False, 0
        for task in self.tasks.all_current():
            self._report_end(task, TaskState.LOST, TaskReason.FRAMEWORK_GONE,
                             "the allocator had given the framework up")
        self.id = self._secret = ""
        self._drop("identity")
        self._deliver_ends()

    def _complained(self, arrival: Envelope, complaint: m.ErrorMessage) -> None:
        code, session = complaint.error.code, self.session
        if code == ErrorCode.FENCED:
            return self._fail(Error(code, "another process has taken this framework over; this one stops"))
        if code in (ErrorCode.UNKNOWN_SESSION, ErrorCode.UNKNOWN_FRAMEWORK, ErrorCode.WRONG_CLUSTER):
            self._lose_session()
        if code == ErrorCode.UNKNOWN_FRAMEWORK:
            self._give_up_identity()
            if self.leaving:
                return self._finish()
            session.attempt_at = self.now
        elif not session.open and arrival.session == 0 and complaint.about_seq == 0:
            if code.may_pass:
                return
            if code != ErrorCode.WRONG_CLUSTER or session.attempted_in == 0:
                return self._fail(complaint.error)
            if session.epoch > session.attempted_in:
                session.attempt_at = self.now
            else:
                session.delay_attempt(self.now)
        elif not session.open and code == ErrorCode.WRONG_CLUSTER and session.epoch > session.attempted_in:
            session.attempt_at = self.now

    def _fail(self, error: Error) -> None:
        """Ends for good. Its tasks may be another process's, so nothing is asked for and nothing forgotten."""
        self.session.abandon()
        self.failure = error
        self._finish()
        self._call(lambda: self.scheduler.error(self._driver, error.message))

    def _finish(self) -> None:
        self.finished = True
        self.session.abandon()
        self._offers.clear()
        self._accepts.clear()
        self._kills.clear()
        self._ends.clear()

    # ---- what the allocator says ----

    def _dispatch(self, arrival: Envelope) -> None:
        message = arrival.message
        if isinstance(message, m.Subscribed):
            self._subscribed(arrival, message)
        elif isinstance(message, m.ErrorMessage):
            self._complained(arrival, message)
        elif isinstance(message, m.Bye):
            self._lose_session()
        elif isinstance(message, m.Offers):
            self._offered(message)
        elif isinstance(message, m.Rescind):
            self._rescind(message)
        elif isinstance(message, m.Accepted):
            self._accepted(message)
        elif isinstance(message, m.Update):
            self._updated(message.status)
        elif isinstance(message, m.Preempt):
            self._preempt(message)
        elif isinstance(message, m.TaskMessage):
            if message.framework == self.id and self.tasks.current(message.task):
                self._tell(lambda: self.scheduler.framework_message(
                    self._driver, message.task, message.payload))
        elif isinstance(message, m.Heartbeat):
            self._compare(message)
        elif isinstance(message, m.Reconciled):
            self._reconciled(message)
        elif isinstance(message, (m.KillJob, m.MoveJob, m.SubmitJob, m.DescribeJobs)):
            # Of a framework in Python there is nothing to be killed or moved from outside but tasks.
            self._send(m.AdminDone(message.request, Error(ErrorCode.REFUSED, "it knows no such change")))

    def _offered(self, message: m.Offers) -> None:
        for offer_id, at in list(self._rescinded.items()):
            if self.now - at <= self.REMEMBER_RESCINDS:
                break
            del self._rescinded[offer_id]
        fresh = [offer for offer in message.offers
                 if offer.id not in self._rescinded and offer.id not in self._offers]
        self._offers.update({offer.id: offer.agent.id for offer in fresh})
        if fresh:
            self._tell(lambda: self.scheduler.resource_offers(self._driver, fresh))

    def _rescind(self, message: m.Rescind) -> None:
        for offer in message.offers:
            self._rescinded[offer] = self.now
            if self._offers.pop(offer, None) is not None:
                self._tell(functools.partial(self.scheduler.offer_rescinded, self._driver, offer))

    def _accepted(self, message: m.Accepted) -> None:
        one = self._accepts.pop(message.accept, None)
        if one is None:
            return
        unanswered = {task.id for task in one.accept.tasks}
        for verdict in message.verdicts:
            if verdict.task not in unanswered:
                continue
            unanswered.discard(verdict.task)
            # Sent again in a new session, an accept that was carried out in the old one finds its own tasks.
            own_twin = one.older_session and verdict.reason == TaskReason.DUPLICATE_ID
            if not self.tasks.asked(verdict.task):
                continue
            if verdict.ok or own_twin:
                self.tasks.confirm(verdict.task)
            else:
                end = verdict.state if verdict.state.is_terminal else TaskState.DROPPED
                self._report_end(verdict.task, end, verdict.reason, "the accept was refused for this task")
        for task in sorted(unanswered):
            if self.tasks.asked(task):
                self._report_end(task, TaskState.DROPPED, TaskReason.NONE, "the accept was not answered for it")

    def _updated(self, status: Status) -> None:
        """Tells a status, keeps the task's record, and then acknowledges.

        Who comes back between the two hears the status once more; in the other order it would never hear of it.
        """
        if status.framework != self.id:
            return
        if status.state != TaskState.UNREACHABLE:
            self._questions.discard(status.task)
        if status.state.is_terminal:
            self._kills.pop(status.task, None)
        news = self.tasks.judge(status)
        if news == News.FRESH:
            self.tasks.note(status, self.now)
            if not self._implicit:
                self._unacknowledged[status.task] = status
                self._tell(lambda: self.scheduler.status_update(self._driver, status))
                return
            self._call(lambda: self.scheduler.status_update(self._driver, status))
            self._keep_task(status.task)
        elif news == News.REPEAT:
            self.tasks.note_repeat(status)
            if status.task in self._unacknowledged:
                self._unacknowledged[status.task] = status
                return
        else:
            self._send(m.Kill(self.id, status.task, _ZERO))
        self._send(m.Acknowledge(self.id, status.task, status.seq))

    def _preempt(self, message: m.Preempt) -> None:
        for kind, slots in message.slots.items():
            running = [held for held in self.tasks.newest_first(kind) if held[0] not in self._kills]

            def choose(of: str = kind, n: int = slots,
                       held: Sequence[Tuple[str, int]] = tuple(running)) -> None:
                victims = self.scheduler.preempted(self._driver, of, n, held)
                for victim in victims:
                    self.kill(victim, message.within / 2)

            self._tell(choose)

    # ---- views of the tasks, here and at the allocator ----

    def _compare(self, beat: m.Heartbeat) -> None:
        if beat.tasks is None or not self._digests.doubtful(beat.tasks == self.tasks.digest(), self.now):
            return
        self._want({task for task in self.tasks.all_current() if not self.tasks.asked(task)}, True)

    def _doubt_all(self) -> None:
        for one in self._accepts.values():
            for task in one.accept.tasks:
                if self.tasks.asked(task.id):
                    self.tasks.doubt(task.id)
        self._accepts.clear()
        self._questions.clear()
        self._ask_all = False
        self._want(set(self.tasks.all_current()), self._foreign_tasks)

    def _want(self, tasks: Set[str], ask_all: bool) -> None:
        self._questions |= tasks
        self._ask_all = self._ask_all or ask_all
        if self._questions or self._ask_all:
            self._ask_at = Resend(self.ASK_AGAIN, self.LONGEST_RETRY, self.now)
            self._ask_at.at = self.now

    def _ask(self) -> None:
        self._questions = {task for task in self._questions if self.tasks.current(task)}
        if not (self._questions or self._ask_all) or self._ask_at is None:
            self._ask_at = None
            return
        wanted = [TaskAt(task, entry.agent) for task in sorted(self._questions)
                  for entry in [self.tasks.get(task)] if entry is not None]
        for i in range(0, len(wanted), _PAGE):
            self._requests += 1
            self._send(m.Reconcile(self._requests, tuple(wanted[i:i + _PAGE])))
        if self._ask_all:
            self._requests += 1
            self._all_request = self._requests
            self._send(m.Reconcile(self._requests, ()))
        self._ask_at.sent(self.now)

    def _reconciled(self, page: m.Reconciled) -> None:
        for known in page.tasks:
            if known.known == Known.AWAITED or self.tasks.asked(known.task):
                continue
            # Of a task that is unreachable nobody may ever say more, so it is asked about until its agent is
            # back.
            if known.state != TaskState.UNREACHABLE:
                self._questions.discard(known.task)
            if self.tasks.current(known.task):
                self._settle(known)
            elif known.known == Known.KNOWN and not known.state.is_terminal:
                self._send(m.Kill(self.id, known.task, _ZERO))
        if page.request == self._all_request and page.last and page.complete:
            self._ask_all = False
        self._deliver_ends()

    def _settle(self, known: KnownTask) -> None:
        entry = self.tasks.get(known.task)
        assert entry is not None
        if known.known == Known.UNKNOWN:
            if entry.state == TaskState.PENDING:
                self._report_end(known.task, TaskState.DROPPED, TaskReason.NEVER_ARRIVED,
                                 "its launch was lost in a restart of the allocator")
            else:
                self._report_end(known.task, TaskState.LOST, TaskReason.AGENT_LOST,
                                 "its agent does not have it any more")
            return
        self.tasks.confirm(known.task)
        if known.state == TaskState.GONE:
            self._report_end(known.task, TaskState.GONE, TaskReason.AGENT_GONE,
                             "an operator has declared its agent gone")
        elif not known.state.is_terminal and self.tasks.move(known.task, known.state):
            reason = (TaskReason.AGENT_LOST if known.state == TaskState.UNREACHABLE else TaskReason.NONE)
            self._keep_task(known.task)
            told = Status(self.id, known.task, 0, known.state, reason, agent=known.agent)
            self._tell(lambda: self.scheduler.status_update(self._driver, told))

    def _report_end(self, task: str, end: TaskState, reason: TaskReason, why: str) -> None:
        entry = self.tasks.get(task)
        agent = entry.agent if entry else ""
        never_ran = end in (TaskState.REJECTED, TaskState.DROPPED)
        self.tasks.end(task, end, never_ran, self.now)
        self._kills.pop(task, None)
        self._ends.append(Status(self.id, task, 0, end, reason, message=why, agent=agent))

    def _deliver_ends(self) -> None:
        while self._ends and not self.finished:
            status = self._ends.popleft()
            self._tell(functools.partial(self.scheduler.status_update, self._driver, status))
            self._keep_task(status.task)

    # ---- keeping and sending ----

    def _tell(self, callback: Callable[[], None]) -> None:
        if not (self.finished or self.leaving):
            self._call(callback)

    def _keep(self, key: str, record: Dict[str, object]) -> None:
        if self._kept:
            self._kept.put(key, record)

    def _drop(self, key: str) -> None:
        if self._kept:
            self._kept.drop(key)

    def _keep_task(self, task: str) -> None:
        """Keeps what is known of a task until its end was acknowledged: a later process hears of it again."""
        entry = self.tasks.get(task)
        if entry is None or task in self._unacknowledged:
            return
        if entry.over:
            return self._drop(f"task:{task}")
        self._keep(f"task:{task}", {"agent": entry.agent, "resources": entry.resources,
                                    "number": entry.number, "state": int(entry.state), "seq": entry.seq})

    def _send(self, message: m.Message) -> None:
        if self.session.open:
            self._emit(message)

    def _emit(self, message: m.Message) -> None:
        self.outbox.append(self.session.wrap(message, self.now))
