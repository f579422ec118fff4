"""Policies in Python: what they are asked, what they answer, and one at work on a cluster."""
import io
import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT, program

from proffer import DeclineReason
from proffer.policy import Pass, Policy, Take, serve

PATIENT = ROOT / "examples/policies/patient.py"
JOB = {"job": 4, "nearest": "rack", "has_preferences": True, "unlaunched": 2, "running": 1, "preferred_agents": 3,
       "starved": False}
SLOT = {"now_s": 1.5, "kind": "map", "agent": "a1", "rack": "r1", "offer": "1.7", "idle": False}


def answers(policy, *questions):
    said = io.StringIO()
    serve(policy, io.StringIO("".join(json.dumps(question) + "\n" for question in questions)), said)
    return [json.loads(line) for line in said.getvalue().splitlines()]


class Recorder(Policy):
    hold = 2.5

    def __init__(self, choice=Pass()):
        self.choice, self.seen = choice, []

    def consider(self, slot, jobs, now):
        self.seen.append((slot, jobs, now))
        return self.choice

    def job_ended(self, job):
        self.seen.append(job)


def test_it_says_what_it_wants_to_hear():
    assert answers(Recorder(), {"hello": 1}) == [{"version": 1, "hold_s": 2.5, "wants": ["job_ended"]}]


@pytest.mark.parametrize("choice, answer", [
    (Take(4, 0.5), {"take": 4, "waited_s": 0.5}), (Pass(DeclineReason.NO_NODE_LOCAL), {"pass": "no-node-local"}),
    (Pass(), {"pass": "policy"})])
def test_a_choice_is_an_answer(choice, answer):
    policy = Recorder(choice)
    assert answers(policy, {"consider": {**SLOT, "jobs": [JOB, {**JOB, "fair_share": 7}]}}) == [answer]
    slot, jobs, now = policy.seen[0]
    assert (slot.agent, slot.offer, now) == ("a1", "1.7", 1.5)
    assert [(job.job, job.nearest, job.fair_share) for job in jobs] == [(4, "rack", None), (4, "rack", 7)]


def test_what_is_told_is_not_answered():
    policy = Recorder()
    assert answers(policy, {"job_ended": 4}, {"something_new": {}}) == []
    assert policy.seen == [4]


def test_a_choice_that_is_none_is_a_mistake():
    with pytest.raises(TypeError, match="neither a Take nor a Pass"):
        answers(Recorder("take it"), {"consider": {**SLOT, "jobs": [JOB]}})


def test_it_decides_for_a_framework_on_a_cluster(cluster):
    ran = subprocess.run([program(), "run", "--allocator", cluster.address, "-n", "5", "--policy",
                          f"process,{sys.executable} {PATIENT}", "--", "echo", "done"],
                         capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("done") == 5


def test_when_it_fails_the_framework_says_so(cluster):
    ran = subprocess.run([program(), "run", "--allocator", cluster.address, "--policy", "process,exit 3", "--", "true"],
                         capture_output=True, text=True, timeout=60, env={**os.environ, "NO_COLOR": "1"})
    assert ran.returncode == 1
    assert "the policy 'exit 3' has failed: it has ended with exit code 3" in ran.stderr
