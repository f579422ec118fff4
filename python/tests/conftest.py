"""A real cluster on this machine, for tests: free ports, a folder of its own, ended with the test."""
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def program():
    named = os.environ.get("PROFFER_BIN")
    candidates = [named] if named else [ROOT / "build/dev/bin/proffer", ROOT / "build/release/bin/proffer"]
    for candidate in candidates:
        found = shutil.which(str(candidate))
        if found:
            return found
    pytest.skip("there is no program proffer: build it, or name it by PROFFER_BIN")


def wait_until(condition, seconds=30.0):
    """Waits for a condition, and returns what it gave."""
    until = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < until, "it did not come true in time"
        time.sleep(0.02)


class Cluster:
    """A `proffer dev` that ends with its standard input, so also when the tests are killed."""

    def __init__(self, folder, *arguments):
        self.folder = pathlib.Path(folder)
        tells = ["--", "sh", "-c", 'echo "$PROFFER_ALLOCATOR" > "$0" && cat', str(self.folder.parent / "address")]
        self._log = open(self.folder.parent / "dev.log", "wb")
        self._process = subprocess.Popen(
            [program(), "dev", "--port", "0", "--dir", str(folder), *arguments, *tells], stdin=subprocess.PIPE,
            stdout=self._log, stderr=self._log)
        self.address = wait_until(self._ready)

    def _ready(self):
        assert self._process.poll() is None, (self.folder.parent / "dev.log").read_text()
        told = self.folder.parent / "address"
        return told.exists() and told.read_text().strip()

    def end(self):
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


@contextlib.contextmanager
def a_cluster(tmp_path, *arguments):
    cluster = Cluster(tmp_path / "cluster", *arguments)
    try:
        yield cluster
    finally:
        cluster.end()


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Daemons:
    """An allocator and an agent under known ports, so that the allocator can be started again."""

    def __init__(self, folder, slots):
        self.folder, self._processes = folder, []
        frameworks, agents = (f"tcp://127.0.0.1:{free_port()}" for _ in range(2))
        self.address = frameworks
        self._allocator = [program(), "allocator", "--frameworks-endpoint", frameworks, "--agents-endpoint", agents,
                           "--state-dir", str(folder / "allocator")]
        self.start_allocator()
        self._start([program(), "agent", "--allocator", agents, "--name", "a1", "--slots", f"map={slots}",
                     "--work-dir", str(folder / "a1"), "--kill-tasks"])

    def _start(self, words):
        self._processes.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return self._processes[-1]

    def start_allocator(self):
        self._running = self._start(self._allocator)

    def kill_allocator(self):
        self._running.kill()
        self._running.wait()

    def end(self):
        for process in reversed(self._processes):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(15)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


@contextlib.contextmanager
def daemons(tmp_path, slots):
    started = Daemons(tmp_path, slots)
    try:
        yield started
    finally:
        started.end()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with a_cluster(tmp_path_factory.mktemp("live")) as started:
        yield started
