"""The session machine alone: no sockets, and a clock that only the test moves."""
from datetime import timedelta

import pytest

import proffer
from proffer.framework import Framework
from proffer.framework_info import FrameworkInfo
from proffer.session import Backoff, SeqWindow
from proffer.wire import frames
from proffer.wire import messages as m
from proffer.wire.enums import DeclineReason, ErrorCode, Known, TaskReason, TaskState
from proffer.wire.frames import Envelope
from proffer.wire.structures import Agent, Error, KnownTask, Offer, Status, TaskDigest, Verdict
from proffer.wire.types import OfferId

CLUSTER, ID, SECRET, AGENT = "aa" * 16, "bb" * 16, "cc" * 16, "dd" * 16
RUN = proffer.Task("t", {"map": 1}, work=proffer.command("true"))


class Notes(proffer.Scheduler):
    def __init__(self):
        self.said = []

    def registered(self, driver, framework_id):
        self.said.append("registered")

    def reregistered(self, driver):
        self.said.append("reregistered")

    def disconnected(self, driver):
        self.said.append("disconnected")

    def resource_offers(self, driver, offers):
        self.said.append(("offers", [offer.id.number for offer in offers]))

    def status_update(self, driver, status):
        self.said.append((status.task, status.state.name))

    def error(self, driver, message):
        self.said.append(("error", message))


class World:
    """The other end of the session."""

    def __init__(self):
        self.scheduler = Notes()
        self.framework = Framework(FrameworkInfo("f"), self.scheduler, lambda call: call(), None, None, True)
        self.epoch, self.session, self.seq = 1, 0, 0
        self.framework.start()
        self.framework.tend()

    def sent(self, *of):
        all_sent = [frames.decode(frame) for frame in self.framework.outbox]
        self.framework.outbox.clear()
        return [one for one in all_sent if not of or isinstance(one.message, of)]

    def says(self, message, session=None, seq=None, epoch=None):
        self.seq += 1
        self.framework.receive(Envelope(CLUSTER, self.epoch if epoch is None else epoch,
                                        self.session if session is None else session,
                                        self.seq if seq is None else seq, message))
        self.framework.tend()

    def welcome(self, framework_epoch=1, framework=ID):
        self.session, self.seq = self.session + 100, 0
        self.says(m.Subscribed(framework, framework_epoch, timedelta(seconds=1), "", SECRET, 7 + self.epoch))

    def offer(self, number=1):
        self.says(m.Offers((Offer(OfferId(self.epoch, number), Agent(AGENT, "a1", "r1", "tcp://h:1"), {"map": 1}),), ()))

    def launch(self):
        self.offer()
        self.framework.accept([OfferId(self.epoch, 1)], [RUN], DeclineReason.NO_PENDING_TASK, timedelta(0))

    def passes(self, seconds):
        self.framework.now += seconds
        self.framework.tend()


@pytest.fixture
def world():
    started = World()
    hello = started.sent(m.Subscribe)[0]
    assert (hello.session, hello.seq, hello.message.framework) == (0, 0, "")
    started.welcome()
    started.sent()
    return started


def status(state, seq=1, task="t"):
    return m.Update(Status(ID, task, seq, state, agent=AGENT))


def test_a_hello_that_is_not_answered_is_sent_again():
    world = World()
    world.sent()
    world.passes(0.21)
    assert len(world.sent(m.Subscribe)) == 1


def test_a_repeated_number_has_no_effect(world):
    world.launch()
    world.says(status(TaskState.RUNNING))
    world.says(status(TaskState.FINISHED, 2), seq=world.seq)
    assert ("t", "FINISHED") not in world.scheduler.said


def test_a_status_that_comes_again_is_told_once_and_acknowledged_twice(world):
    world.launch()
    world.sent()
    world.says(status(TaskState.RUNNING))
    world.says(status(TaskState.RUNNING))
    assert world.scheduler.said.count(("t", "RUNNING")) == 1
    assert [one.message.seq for one in world.sent(m.Acknowledge)] == [1, 1]


def test_an_accept_is_sent_until_it_is_answered(world):
    world.launch()
    assert len(world.sent(m.Accept)) == 1
    world.passes(4.9)
    assert not world.sent(m.Accept)
    world.says(m.Rescind(()))
    world.passes(0.2)
    again = world.sent(m.Accept)
    assert [one.message.accept for one in again] == [1]
    world.says(m.Accepted(1, (Verdict("t", True, TaskState.PENDING, TaskReason.NONE),)))
    world.says(m.Rescind(()))
    world.passes(4.0)
    assert not world.sent(m.Accept)


def test_a_refused_task_ends(world):
    world.launch()
    world.says(m.Accepted(1, (Verdict("t", False, TaskState.DROPPED, TaskReason.OFFER_GONE),)))
    assert world.scheduler.said[-1] == ("t", "DROPPED")


def test_a_server_that_is_silent_is_given_up_and_asked_again(world):
    for _ in range(6):
        world.passes(1.0)
    assert world.scheduler.said[-1] == "disconnected"
    world.passes(0.21)
    hello = world.sent(m.Subscribe)[-1].message
    assert (hello.framework, hello.secret) == (ID, SECRET)


def test_after_a_restart_tasks_are_asked_about_and_those_that_never_came_are_dropped(world):
    world.launch()
    world.epoch = 2
    world.says(m.Heartbeat(1, None, None, 0, (), False))
    assert world.scheduler.said[-1] == "disconnected"
    world.welcome(2)
    asked = world.sent(m.Reconcile)
    assert [task.task for task in asked[0].message.tasks] == ["t"]
    world.says(m.Reconciled(1, (KnownTask("t", AGENT, Known.AWAITED, TaskState.PENDING, {"map": 1}, 0),), True, False))
    assert ("t", "DROPPED") not in world.scheduler.said
    world.says(m.Reconciled(1, (KnownTask("t", AGENT, Known.UNKNOWN, TaskState.PENDING, {"map": 1}, 0),), True, True))
    assert world.scheduler.said[-2:] == ["reregistered", ("t", "DROPPED")]


def test_digests_that_differ_three_times_are_looked_into(world):
    for _ in range(3):
        assert not world.sent(m.Reconcile)
        world.says(m.Heartbeat(1, None, TaskDigest(1, 99), 0, (), False))
    assert world.sent(m.Reconcile)[0].message.tasks == ()
    world.says(m.Reconciled(1, (KnownTask("x", AGENT, Known.KNOWN, TaskState.RUNNING, {"map": 1}, 0),), True, True))
    assert [one.message.task for one in world.sent(m.Kill)] == ["x"]


def test_a_framework_that_is_not_known_any_more_loses_its_tasks_and_comes_as_a_new_one(world):
    world.launch()
    world.says(m.ErrorMessage(Error(ErrorCode.UNKNOWN_FRAMEWORK, "nobody"), 0))
    assert world.scheduler.said[-1] == ("t", "LOST")
    assert world.sent(m.Subscribe)[-1].message.framework == ""


def test_who_is_fenced_stops_for_good(world):
    world.says(m.ErrorMessage(Error(ErrorCode.FENCED, "another"), 0))
    assert world.framework.finished
    assert world.scheduler.said[-1][0] == "error"


def test_another_cluster_is_refused(world):
    world.framework.receive(Envelope("ee" * 16, 1, world.session, 9, m.Rescind(())))
    assert world.framework.failure.code == ErrorCode.WRONG_CLUSTER


def test_a_kill_is_sent_until_the_task_has_ended(world):
    world.launch()
    world.says(status(TaskState.RUNNING))
    world.framework.kill("t", timedelta(0))
    world.passes(1.1)
    assert len(world.sent(m.Kill)) == 2
    world.says(status(TaskState.KILLED, 2))
    world.passes(3)
    assert not world.sent(m.Kill)


def test_an_offer_that_was_rescinded_before_it_came_is_not_told(world):
    world.says(m.Rescind((OfferId(1, 5),)))
    world.offer(5)
    assert world.scheduler.said == ["registered"]


def test_windows_of_numbers_are_64_wide():
    window = SeqWindow()
    assert window.take(100) and window.take(40) and not window.take(36) and not window.take(100)
    assert window.take(0) and window.take(0)


def test_delays_double_up_to_ten_seconds():
    backoff = Backoff()
    delays = [backoff.next() for _ in range(50)]
    assert all(0.05 <= delay <= 10 for delay in delays) and delays[0] <= 0.2
