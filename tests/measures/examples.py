"""Holds recompute.py against every experiment in examples/: a run as it is, one with faults, and one with faults, a
warm-up and a drain.

    examples.py PROFFER EXAMPLES...     EXAMPLES: experiment files, or folders of them

An experiment that is long is made shorter by SHORTER. One whose trace is not there is told of, and left out.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

import recompute

# What is set over the files of experiments that would take long, by their names.
SHORTER = {
    "a10-batch": ["horizon=150s"],
    "a10-limits": ["horizon=150s"],
    "a12-trace": ["horizon=40s"],
    "a2-sticky-slots": ["horizon=20s"],
    "a5-macro-io": ["horizon=250s"],
    "a5-reset-rules": ["horizon=150s"],
    "a6-macro-cpu": ["horizon=250s"],
    "a7-hierarchy": ["horizon=40s"],
    "a8-batching": ["horizon=150s"],
    "a8-central": ["horizon=100s"],
    "a8-mtbf": ["horizon=250s"],
    "a8-reset-rules": ["horizon=100s"],
    "a9-four-tenants": ["horizon=100s"],
    "b1-a5": ["horizon=150s"],
    "b1-a8": ["horizon=100s"],
    "b5-idle-frameworks": ["horizon=60s"],
    "deadlines": ["horizon=500s"],
    "job-graphs": ["horizon=400s"],
    "schedulers-a5": ["horizon=150s"],
    "schedulers-a8": ["horizon=100s"],
}
# Experiments whose cells have nodes of other names each: their faults are drawn, and name none.
OTHER_NODES_IN_EACH_CELL = {"node-kinds", "stragglers"}
KINDS_OF_RUN = ("as it is", "with faults", "with faults, a warm-up and a drain")


def cells_of(proffer, file, settings):
    """Returns the names of the cells; none when the experiment cannot be read since its trace is not there."""
    listed = subprocess.run([proffer, "experiment", "list", file] + settings, capture_output=True, text=True)
    if listed.returncode != 0:
        print(f"{file}: left out: {listed.stderr.strip()}")
        return []
    names = [re.split(r"\s{2,}", row)[0] for row in listed.stdout.splitlines()[1:]]
    return ["" if name == "(one)" else name for name in names]


def end_of(folder):
    with open(os.path.join(folder, "summary.json")) as file:
        return json.load(file)["run_seconds"]


def faults_for(name, folder):
    """Two nodes die while the run is under way and come back, another is slow."""
    end = end_of(folder)
    if name in OTHER_NODES_IN_EACH_CELL:
        return ["--set", f'faults.nodes={{ mtbf = "exponential({end:.0f}s)", mttr = "constant({end * 0.1 + 1:.0f}s)" }}']
    nodes = []
    with open(os.path.join(folder, "events.jsonl")) as file:
        for text in file:
            line = json.loads(text)
            if line["event"] == "agent_registered" and line["source"] == "allocator":
                nodes.append(line["name"])
            elif nodes and line["event"] not in ("agent_registered", "allocator_rules"):
                break
    faults = [f'{{ at = "{end * 0.3:.0f}s", kill = "{nodes[0]}", for = "{end * 0.2 + 1:.0f}s" }}',
              f'{{ at = "{end * 0.5:.0f}s", kill = "{nodes[-1]}", for = "40s" }}',
              f'{{ at = "{end * 0.1:.0f}s", slow = "{nodes[len(nodes) // 2]}", for = "60s", factor = 2 }}']
    return ["--set", f"cluster.faults=[{', '.join(faults)}]"]


def run(proffer, file, cell, folder, settings):
    command = [proffer, "sim", file, "--seed", "1", "--tables", folder, "--quiet",
               "--events", os.path.join(folder, "events.jsonl")] + settings
    os.makedirs(folder)
    return subprocess.run(command + (["--cell", cell] if cell else []), capture_output=True, text=True)


def compare(proffer, file):
    """Returns how many runs were compared, and what differs."""
    name = os.path.splitext(os.path.basename(file))[0]
    settings = [word for setting in SHORTER.get(name, []) for word in ("--set", setting)]
    cells = cells_of(proffer, file, settings)
    found = []
    with tempfile.TemporaryDirectory(prefix="proffer-measures-") as root:
        faults = []
        for n, kind in enumerate(KINDS_OF_RUN if cells else ()):
            folder = os.path.join(root, str(n))
            begin = time.monotonic()
            ran = run(proffer, file, cells[-1], folder, settings + faults)
            if ran.returncode not in (0, 5) and not os.path.exists(os.path.join(folder, "summary.json")):
                found.append(f"{name}, {kind}: {ran.stderr.strip()}")
                break
            differ, compared = recompute.differences(folder)
            size = os.path.getsize(os.path.join(folder, "events.jsonl")) / 1e6
            print(f"{name}, {kind}: {compared} measures, {len(differ)} differ; {size:.0f} MB of events, "
                  f"{time.monotonic() - begin:.1f} s", flush=True)
            found += [f"{name}, {kind}: {sentence}" for sentence in differ]
            if n == 0:
                faults = faults_for(name, folder)
            else:
                faults += ["--set", f"warm_up={end_of(folder) * 0.2:.0f}s", "--set", f"drain={end_of(folder) * 0.1:.0f}s"]
    return (len(KINDS_OF_RUN) if cells else 0), found


def main(proffer, places):
    files = []
    for place in places:
        files += [place] if os.path.isfile(place) else \
            [os.path.join(place, name) for name in sorted(os.listdir(place)) if name.endswith(".toml")]
    runs, found = 0, []
    for file in files:
        compared, differ = compare(proffer, file)
        runs += compared
        found += differ
    for sentence in found:
        print(sentence)
    print(f"{runs} runs, {len(found)} differences")
    return 1 if found or runs == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
