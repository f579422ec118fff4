"""A scheduler on a real cluster."""
import collections
import threading

import pytest
from conftest import daemons, wait_until

import proffer
from proffer.framework import Framework


class Runs(proffer.Scheduler):
    """Runs so many commands, and notes what it was told."""

    def __init__(self, wanted, *argv, refuse=1.0):
        self.left = [f"t-{i}" for i in range(wanted)]
        self.total, self.argv, self.refuse = wanted, argv, refuse
        self.ends, self.states, self.calls = {}, collections.defaultdict(list), []
        self.offers_seen = []
        self.all_ended = threading.Event()

    def registered(self, driver, framework_id):
        self.calls.append("registered")
        driver.declare_demand({"map": self.total, "reduce": 0})

    def reregistered(self, driver):
        self.calls.append("reregistered")

    def disconnected(self, driver):
        self.calls.append("disconnected")

    def resumed(self, driver, tasks):
        self.calls.append(("resumed", list(tasks)))

    def error(self, driver, message):
        self.calls.append(("error", message))

    def resource_offers(self, driver, offers):
        self.offers_seen += offers
        for offer in offers:
            taken = self.left[:offer.resources.get("map", 0)]
            del self.left[:len(taken)]
            if taken:
                driver.launch_tasks(offer, [proffer.Task(one, {"map": 1}, work=proffer.command(*self.argv))
                                            for one in taken])
            else:
                driver.decline_offer(offer, "no-pending-task", refuse_seconds=self.refuse)

    def status_update(self, driver, status):
        self.states[status.task].append(status.state.name)
        if status.state.is_terminal:
            self.ends[status.task] = status
            if len(self.ends) == self.total:
                self.all_ended.set()


def test_twenty_tasks_run_and_each_end_is_told_once(cluster):
    scheduler = Runs(20, "true")
    with proffer.SchedulerDriver(scheduler, "twenty", cluster.address) as driver:
        assert scheduler.all_ended.wait(30)
        assert driver.connected
    assert len(scheduler.ends) == 20
    assert {end.state for end in scheduler.ends.values()} == {proffer.TaskState.FINISHED}
    assert all(states.count("FINISHED") == 1 for states in scheduler.states.values())
    assert scheduler.calls == ["registered"]


def test_an_exit_code_and_a_program_that_is_not_there_are_told(cluster):
    for argv, state, reason in (("false", "FAILED", "EXIT"), ("no-such-program", "FAILED", "SPAWN_FAILED")):
        scheduler = Runs(1, argv)
        with proffer.SchedulerDriver(scheduler, "fails", cluster.address):
            assert scheduler.all_ended.wait(20)
        end = scheduler.ends["t-0"]
        assert (end.state.name, end.reason.name) == (state, reason)


def test_a_decline_hides_the_agent_until_revive(cluster):
    class Wants(Runs):
        def registered(self, driver, framework_id):
            driver.declare_demand({"map": 8, "reduce": 0})

    scheduler = Wants(0, refuse=None)
    with proffer.SchedulerDriver(scheduler, "declines", cluster.address) as driver:
        wait_until(lambda: len({offer.agent.name for offer in scheduler.offers_seen}) == 4)
        first = len(scheduler.offers_seen)
        # Another framework comes and goes on the same slots: none of them is offered here again.
        other = Runs(8, "true")
        with proffer.SchedulerDriver(other, "passes", cluster.address):
            assert other.all_ended.wait(20)
        assert len(scheduler.offers_seen) == first
        driver.revive_offers()
        wait_until(lambda: len(scheduler.offers_seen) > first)


def test_a_task_is_killed(cluster):
    scheduler = Runs(1, "sleep", "1000")
    with proffer.SchedulerDriver(scheduler, "kills", cluster.address) as driver:
        wait_until(lambda: "RUNNING" in scheduler.states["t-0"])
        driver.kill_task("t-0", grace_seconds=1)
        assert scheduler.all_ended.wait(20)
    assert scheduler.ends["t-0"].state == proffer.TaskState.KILLED
    assert scheduler.ends["t-0"].reason == proffer.TaskReason.KILL_REQUESTED


def test_the_allocator_counts_the_same_tasks(cluster, monkeypatch):
    told = []
    monkeypatch.setattr(Framework, "_compare",
                        lambda self, beat: told.append((beat.tasks, self.tasks.digest())))
    scheduler = Runs(3, "sleep", "1000")
    with proffer.SchedulerDriver(scheduler, "counts", cluster.address):
        theirs, ours = wait_until(lambda: [pair for pair in told if pair[0] and pair[0].count == 3])[-1]
    assert theirs == ours


def test_a_mistake_in_a_callback_ends_the_driver_and_is_raised(cluster):
    class Wrong(proffer.Scheduler):
        def registered(self, driver, framework_id):
            raise KeyError("a mistake")

    with pytest.raises(KeyError, match="a mistake"):
        proffer.SchedulerDriver(Wrong(), "wrong", cluster.address).run()


def test_an_unknown_pool_is_an_error(cluster):
    scheduler = Runs(1, "true")
    driver = proffer.SchedulerDriver(scheduler, "lost", cluster.address, pool="no.such.pool").start()
    with pytest.raises(proffer.FrameworkFailed, match="pool"):
        driver.join(20)
    assert scheduler.calls[-1][0] == "error"


def test_a_later_process_goes_on_with_the_tasks_of_a_former(cluster, tmp_path):
    go = tmp_path / "go"
    first = Runs(2, "sh", "-c", f"until [ -e {go} ]; do sleep 0.05; done")
    driver = proffer.SchedulerDriver(first, "moves", cluster.address, state_folder=tmp_path / "state").start()
    wait_until(lambda: all("RUNNING" in first.states[f"t-{i}"] for i in range(2)))
    with pytest.raises(RuntimeError, match="another process"):
        proffer.SchedulerDriver(Runs(0), "moves", cluster.address, state_folder=tmp_path / "state")
    driver.stop(failover=True)
    assert driver.join(10)
    second = Runs(2, "true")
    second.left = []
    driver_two = proffer.SchedulerDriver(second, "moves", cluster.address, state_folder=tmp_path / "state")
    with driver_two:
        wait_until(lambda: "reregistered" in second.calls)
        assert second.calls[0] == ("resumed", ["t-0", "t-1"])
        assert driver_two.framework_id == driver.framework_id
        go.touch()
        assert second.all_ended.wait(20)
    assert {end.state.name for end in second.ends.values()} == {"FINISHED"}


def test_tasks_and_their_framework_survive_a_restart_of_the_allocator(tmp_path):
    with daemons(tmp_path, slots=8) as cluster:
        go = tmp_path / "go"
        scheduler = Runs(8, "sh", "-c", f"until [ -e {go} ]; do sleep 0.05; done")
        with proffer.SchedulerDriver(scheduler, "survives", cluster.address) as driver:
            wait_until(lambda: all("RUNNING" in scheduler.states[f"t-{i}"] for i in range(8)))
            former = driver.framework_id
            cluster.kill_allocator()
            wait_until(lambda: "disconnected" in scheduler.calls)
            cluster.start_allocator()
            wait_until(lambda: "reregistered" in scheduler.calls)
            assert driver.framework_id == former
            go.touch()
            assert scheduler.all_ended.wait(40)
    assert {end.state.name for end in scheduler.ends.values()} == {"FINISHED"}
    assert all(states.count("FINISHED") == 1 for states in scheduler.states.values())
