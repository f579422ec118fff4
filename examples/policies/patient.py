"""Waits for slots beside the data, and takes any once it has let so many pass in a row.

    proffer mr --policy 'process,python3 patient.py --passes 20' ...
"""
import argparse

from proffer.policy import Pass, Policy, Take, run
from proffer import DeclineReason


class Patient(Policy):
    def __init__(self, passes, hold):
        self.passes = passes
        self.passed = 0
        self.hold = hold

    def consider(self, slot, jobs, now):
        for job in jobs:
            if job.nearest == "node" or not job.has_preferences or self.passed >= self.passes:
                self.passed = 0
                return Take(job.job)
        self.passed += 1
        return Pass(DeclineReason.NO_NODE_LOCAL)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--passes", type=int, default=5)
parser.add_argument("--hold", type=float, default=1.0, help="seconds for which an agent is hidden")
arguments = parser.parse_args()
run(Patient(arguments.passes, arguments.hold))
