"""Recomputes every measure of docs/MEASURES.md from a run's event log, with code of its own.

    recompute.py RUN...         RUN: a folder of `proffer sim --tables RUN --events RUN/events.jsonl`, or of
                                `proffer experiment run --events`: DIR/CELL/seed-N

Read are: events.jsonl; of jobs.csv what the plan says of a job (when it is submitted, its bin, pool and bytes, the
length of its clean-up, its time alone); of summary.json when the run ended, what part of it is measured, and the
figures that are to be right. Exit code 1 if a figure differs by more than 1e-6 of it, or is on one side only.
"""

import os
import sys

from run import Run


def differences(folder):
    """Returns what differs, a sentence each, and how many measures were compared."""
    run = Run(folder)
    run.read(os.path.join(folder, "events.jsonl"))
    ours, theirs = run.measures(), run.summary["measures"]
    found = []
    for name in sorted(set(ours) | set(theirs)):
        if name not in ours or name not in theirs:
            found.append(f"{name}: only {'here' if name in ours else 'in summary.json'}")
        elif abs(ours[name] - theirs[name]) > 1e-6 * max(1.0, abs(ours[name])):
            found.append(f"{name}: {ours[name]!r} here, {theirs[name]!r} in summary.json")
    return found, len(ours)


def main(folders):
    wrong = 0
    for folder in folders:
        found, compared = differences(folder)
        print(f"{folder}: {compared} measures, {len(found)} differ", flush=True)
        for sentence in found:
            print("  " + sentence)
        wrong += len(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
