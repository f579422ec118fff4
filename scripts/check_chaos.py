#!/usr/bin/env python3
"""check_chaos.py DIR: judges a run of `proffer study chaos DIR` from what its tasks wrote themselves.

DIR/batches.jsonl       a line for each batch of tasks, written when its framework had ended: how many tasks, exit code
DIR/batches/B/truth/    a file for each task, with lines "start INDEX PID TIME" and "end INDEX PID TIME"
DIR/batches/B/stdout    what the framework printed: "result INDEX" of every task
DIR/left.jsonl          slots that were taken, and processes that were alive, when all was over
DIR/chaos.jsonl         what was killed and paused, when

A task is lost if it never ended or its framework never said its result, doubled if it started twice, killed if it
started and did not end. Exit code 1 if there is any, or anything is left; 2 if DIR is no such folder.
"""
import collections
import json
import pathlib
import re
import sys


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def judge(batch, folder):
    """Returns (kind of fault, sentence) for everything that is wrong with one batch."""
    name, count = batch["batch"], batch["tasks"]
    said = collections.Counter(re.findall(r"^result (\d+)$", (folder / "stdout").read_text(errors="replace"), re.M))
    if batch["signal"] or batch["exit"]:
        yield "failed", f"{name}: its framework ended with exit code {batch['exit']}, signal {batch['signal']}"
    for index in range(count):
        truth = folder / "truth" / f"task.{index}"
        lines = [line.split() for line in truth.read_text().splitlines()] if truth.exists() else []
        starts = [line for line in lines if line and line[0] == "start"]
        ends = [line for line in lines if line and line[0] == "end"]
        where = f"{name}, task {index}"
        if len(starts) + len(ends) != len(lines):
            yield "unreadable", f"{where}: its file has a line that no task writes"
        if len(starts) > 1:
            yield "doubled", f"{where}: started {len(starts)} times: {'; '.join(' '.join(line) for line in starts)}"
        if len(ends) > 1:
            yield "doubled", f"{where}: ended {len(ends)} times"
        if not starts:
            yield "lost", f"{where}: never started"
        elif not ends:
            yield "killed", f"{where}: started as process {starts[0][2]} at {starts[0][3]}, and never ended"
        elif starts[0][2] != ends[0][2]:
            yield "doubled", f"{where}: started as process {starts[0][2]}, ended as {ends[0][2]}"
        if ends and said[str(index)] == 0:
            yield "unsaid", f"{where}: ended, and its framework never printed its result"


def main(argv):
    if len(argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder = pathlib.Path(argv[1])
    if not (folder / "left.jsonl").exists():
        print(f"{folder} has no left.jsonl: it is no folder of a run of chaos that came to its end", file=sys.stderr)
        return 2
    batches = lines_of(folder / "batches.jsonl")
    began = {path.name for path in (folder / "batches").iterdir()}
    faults = [fault for batch in batches for fault in judge(batch, folder / "batches" / batch["batch"])]
    for name in sorted(began - {batch["batch"] for batch in batches}):
        faults.append(("failed", f"{name}: its framework never ended"))
    left = {key: value for line in lines_of(folder / "left.jsonl") for key, value in line.items()}
    if left.get("slots"):
        faults.append(("leaked", f"{left['slots']} slots were taken when no framework was left"))
    for pid in left.get("processes", []):
        faults.append(("orphan", f"process {pid} was alive when the cluster had ended"))
    events = collections.Counter((line["what"], line["role"]) for line in lines_of(folder / "chaos.jsonl"))
    for what in ("kill", "pause"):
        roles = ", ".join(f"{role} {n}" for (kind, role), n in sorted(events.items()) if kind == what)
        print(f"{what + 's':8} {sum(n for (kind, _), n in events.items() if kind == what)}  {roles}")
    print(f"tasks    {sum(batch['tasks'] for batch in batches)} in {len(batches)} batches,"
          f" {sum(batch['kills'] for batch in batches)} kills of their frameworks")
    counts = collections.Counter(kind for kind, _ in faults)
    print("faults   " + ", ".join(f"{kind} {counts[kind]}" for kind in
                                  ("lost", "doubled", "killed", "unsaid", "failed", "leaked", "orphan", "unreadable")))
    for _, sentence in faults[:50]:
        print("  " + sentence)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
