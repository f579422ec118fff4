"""Questions to a real cluster, and changes."""
import os
import subprocess

import functions
import pytest
from conftest import free_port, program, wait_until

import proffer


@pytest.fixture
def client(cluster):
    with proffer.Client(cluster.address) as asking:
        yield asking


def test_agents_and_pools_are_told(client):
    state = wait_until(lambda: (s := client.status()) and len(s.agents) == 4 and s)
    assert [agent.name for agent in state.agents] == ["n01", "n02", "n03", "n04"]
    assert all(agent.total == {"map": 2, "reduce": 1} for agent in state.agents)
    assert state.pools[0].name == ""
    assert state.event_log.endswith("events.jsonl")


def test_a_pool_is_created_set_and_removed(client):
    assert "created" in client.create_pool("research", weight=2, min_share={"map": 4}).text
    pool = [one for one in client.pools() if one.name == "research"][0]
    assert (pool.weight, pool.min_share) == (2.0, {"map": 4})
    client.set_pool("research", weight=0.5, min_share_timeout=20)
    assert [one.weight for one in client.pools() if one.name == "research"] == [0.5]
    client.remove_pool("research")
    with pytest.raises(proffer.ClusterError, match="research"):
        client.remove_pool("research")
    with pytest.raises(TypeError, match="no setting wieght"):
        client.set_pool("research", wieght=2)


def test_tasks_that_run_are_told(client, cluster, tmp_path):
    with proffer.Executor(cluster.address) as running:
        waiting = running.submit(functions.waits_for, str(tmp_path / "go"))
        task = wait_until(lambda: [one for one in client.tasks() if one.state == proffer.TaskState.RUNNING])[0]
        assert task.agent in {agent.id for agent in client.agents()}
        assert task.resources == {"map": 1}
        (tmp_path / "go").touch()
        waiting.result(30)


def test_an_agent_is_drained(client):
    client.drain_agent("n04")
    wait_until(lambda: [a.wish for a in client.agents() if a.name == "n04"] != [""])
    client.undrain_agent("n04")
    with pytest.raises(proffer.ClusterError):
        client.drain_agent("n99")


def test_jobs_and_their_logs_are_told(client, cluster):
    run = [program(), "run", "--detach", "--allocator", cluster.address, "--", "echo", "out"]
    home = {**os.environ, "HOME": str(cluster.folder)}
    said = subprocess.run(run, capture_output=True, text=True, timeout=30, env=home)
    assert said.returncode == 0, said.stderr
    job = wait_until(lambda: [one for one in client.jobs() if one.state == "ended"])[0]
    assert job.exit.code == 0
    assert b"out" in b"".join(client.logs(job.id))


def test_a_job_that_is_not_there_is_named(client):
    with pytest.raises(proffer.ClusterError):
        client.kill_job("no-such-job", framework="nobody")


def test_nobody_answers():
    with proffer.Client(f"tcp://127.0.0.1:{free_port()}", timeout=0.3) as client:
        with pytest.raises(proffer.ClusterError, match="no allocator answers"):
            client.status()
    with pytest.raises(ValueError, match="looks like tcp://"):
        proffer.Client("nonsense")
