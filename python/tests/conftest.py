"""A real cluster on this machine, for tests: free ports, a folder of its own, ended with the test."""
import contextlib
import os
import pathlib
import shutil
import signal
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
    def __init__(self, folder, *arguments):
        self.folder = pathlib.Path(folder)
        self._log = open(self.folder.parent / "dev.err", "wb")
        self._process = subprocess.Popen(
            [program(), "dev", "--port", "0", "--dir", str(folder), *arguments], stdout=self._log,
            stderr=self._log, start_new_session=True)
        self.address = wait_until(self._ready)

    def _ready(self):
        said = (self.folder.parent / "dev.err").read_text()
        assert self._process.poll() is None, said
        for word in said.split():
            if word.startswith("tcp://") and "kill" in said:
                return word
        return None

    def end(self):
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._log.close()


@contextlib.contextmanager
def a_cluster(tmp_path, *arguments):
    cluster = Cluster(tmp_path / "cluster", *arguments)
    try:
        yield cluster
    finally:
        cluster.end()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with a_cluster(tmp_path_factory.mktemp("live")) as started:
        yield started
