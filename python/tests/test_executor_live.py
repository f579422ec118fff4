"""Calls on a real cluster."""
import concurrent.futures
import sys

import functions
import pytest
from conftest import wait_until

import proffer
from proffer import pickling


@pytest.fixture(scope="module")
def executor(cluster):
    with proffer.Executor(cluster.address) as running:
        yield running


def test_results_come_back(executor):
    assert executor.submit(functions.square, 7).result(30) == 49
    assert list(executor.map(functions.square, range(20), timeout=30)) == [x * x for x in range(20)]


def test_an_exception_comes_back_with_its_traceback(executor):
    with pytest.raises(ValueError, match="no cake") as caught:
        executor.submit(functions.fails, "cake").result(30)
    assert isinstance(caught.value.__cause__, proffer.RemoteTraceback)
    assert "functions.py" in str(caught.value.__cause__)


def test_a_thousand_small_calls(cluster):
    results = list(proffer.map(functions.square, range(1000), allocator=cluster.address, name="thousand"))
    assert results == [x * x for x in range(1000)]


def test_results_are_whole_up_to_what_an_agent_keeps(executor):
    assert len(executor.submit(functions.large, 20_000_000).result(60)) == 20_000_000
    with pytest.raises(ValueError, match="too large"):
        executor.submit(functions.large, 70_000_000).result(60)


def test_a_process_that_dies_fails_its_call_alone(executor):
    for how in ("3", "signal"):
        one, other = executor.submit(functions.dies, how), executor.submit(functions.square, 3)
        with pytest.raises(proffer.TaskFailed, match="without a result"):
            one.result(30)
        assert other.result(30) == 9


def test_a_call_runs_where_it_prefers_to(executor):
    near = [executor.submit_near("n03", functions.where) for _ in range(4)]
    assert {future.result(30) for future in near} == {"n03"}


def test_a_call_that_prefers_an_agent_that_is_not_there_goes_elsewhere_after_the_wait(cluster):
    with proffer.Executor(cluster.address, name="waits", locality_wait=0.3) as executor:
        assert executor.submit_near(["n99"], functions.where).result(30).startswith("n0")


def test_a_pending_call_is_cancelled_and_one_that_runs_is_not(cluster, tmp_path):
    go = tmp_path / "go"
    with proffer.Executor(cluster.address, name="cancels", max_slots=1) as executor:
        running = executor.submit(functions.waits_for, str(go))
        wait_until(running.running)
        pending = executor.submit(functions.square, 2)
        assert pending.cancel()
        assert not running.cancel()
        go.touch()
        assert running.result(30)
    assert pending.cancelled()
    with pytest.raises(RuntimeError, match="after shutdown"):
        executor.submit(functions.square, 1)


def test_a_lambda_needs_cloudpickle_and_a_sentence_says_so(executor, monkeypatch):
    pytest.importorskip("cloudpickle")
    assert executor.submit(lambda x: x + 1, 1).result(30) == 2
    monkeypatch.setattr(pickling, "_cloudpickle", lambda: None)
    with pytest.raises(TypeError, match="with cloudpickle installed"):
        executor.submit(lambda x: x + 1, 1)
    function = functions.square
    monkeypatch.setattr(function, "__module__", "__main__")
    with pytest.raises(TypeError, match="defined in the script itself"):
        executor.submit(function, 1)


def test_what_is_too_large_to_be_shipped_is_refused(executor):
    with pytest.raises(ValueError, match="a call of .* bytes is too large"):
        executor.submit(len, bytes(300_000))


def test_an_unknown_pool_breaks_the_executor(cluster):
    with proffer.Executor(cluster.address, name="lost", pool="no.such.pool") as executor:
        with pytest.raises(concurrent.futures.BrokenExecutor, match="pool"):
            executor.submit(functions.square, 1).result(30)
    assert sys.version_info >= (3, 9)
