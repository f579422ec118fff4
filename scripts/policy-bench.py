#!/usr/bin/env python3
"""policy-bench.py [OPTIONS] CASES...: runs cases (TOML files, or folders of them) under all reset rules and waits, and
under the policies that are judged, and prints for each case how far these are from the best setting.

--seeds N        paired seeds (10)
--rules A,B      reset rules of `wait` that compete
--waits A,B      their waits; greedy, which does not wait, competes as well
--judged P       a policy that is judged and does not compete; may be repeated (default: auto)
--all            prints every setting of every case, not only the judged ones and the best
--keep DIR       keeps the results of those that compete there, and goes on with what is there
-j N             runs at a time (1)

The best setting is the one of shortest mean response. Differences are paired by seed, with 95% intervals (Student's t):
of the response in % of the best's mean, of the node-local part in points. PROFFER names the program.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

RULES = "pro-rata,on-launch,on-local-launch,never,no-rejects,share-aware"
T95 = [0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
       2.120, 2.110, 2.101, 2.093, 2.086]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--rules", default=RULES)
    parser.add_argument("--waits", default="1,2,5,10,15")
    parser.add_argument("--judged", action="append")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("-j", type=int, default=1)
    return parser.parse_args()


def competing(options):
    waits = [wait for wait in options.waits.split(",") if wait]
    rules = [rule for rule in options.rules.split(",") if rule]
    return ["greedy"] + [f"wait,node_wait={w}s,rack_wait=0s,reset={rule}" for rule in rules for w in waits]


def run(case, policies, options, folder):
    """Returns policy -> list of (response, node-local part), a seed each."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{case.stem}.toml"
    listed = ", ".join(json.dumps(policy) for policy in policies)
    file.write_text(f'{case.read_text()}\n[sweep]\n"framework.policy" = [{listed}]\n')
    results = folder / case.stem
    program = os.environ.get("PROFFER", "build/release/bin/proffer")
    done = subprocess.run([program, "experiment", "run", file, "-d", results, "--seeds", str(options.seeds), "--quiet",
                           "-j", str(options.j)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{case}: {done.stderr or done.stdout}")
    measured = {policy: [] for policy in policies}
    for summary in sorted(results.glob("*/seed-*/summary.json"), key=lambda path: int(path.parent.name[5:])):
        said = json.loads(summary.read_text())
        measures = said["measures"]
        unfinished = measures["jobs.unfinished"] + measures["jobs.failed"]
        response = measures["response_mean"] if not unfinished else math.inf
        measured[said["cell"].removeprefix("policy=")].append((response, measures["node_local"]))
    return measured


def mean(values):
    return statistics.fmean(values)


def interval(values):
    if len(values) < 2:
        return math.nan
    return T95[min(len(values) - 1, 20)] * statistics.stdev(values) / math.sqrt(len(values))


def short(policy):
    return policy.replace("wait,node_wait=", "").replace(",rack_wait=0s,reset=", " ")


def judge(case, measured, competitors, options):
    """Prints the lines of one case. Returns judged policy -> whether it is within the bound."""
    best = min(competitors, key=lambda policy: mean([r for r, _ in measured[policy]]))
    reference = measured[best]
    scale = mean([r for r, _ in reference])
    near = max(mean([l for _, l in measured[policy]]) for policy in competitors
               if mean([r for r, _ in measured[policy]]) <= 1.03 * scale)
    verdicts = {}
    judged = [policy for policy in measured if policy not in competitors]
    for policy in [best] + judged + ([p for p in competitors if p != best] if options.all else []):
        slower = [100 * (a[0] - b[0]) / scale for a, b in zip(measured[policy], reference)]
        nearer = [100 * (a[1] - b[1]) for a, b in zip(measured[policy], reference)]
        local = mean([l for _, l in measured[policy]])
        within = mean(slower) <= 3 and mean(nearer) >= -2
        strictly = within and local >= near - 0.02
        if policy in judged:
            verdicts[policy] = (within, strictly)
        mark = "best" if policy == best else "strictly" if strictly else "within" if within else "OUTSIDE"
        print(f"| {case.stem} | {short(policy)} | {mean([r for r, _ in measured[policy]]):.1f} s"
              f" | {mean(slower):+.1f} ±{interval(slower):.1f}% | {100 * local:.1f}%"
              f" | {mean(nearer):+.1f} ±{interval(nearer):.1f} | {mark} |", flush=True)
    return verdicts


def main():
    options = arguments()
    competitors = competing(options)
    judged = options.judged or ["auto"]
    cases = [file for case in options.cases for file in (sorted(case.glob("*.toml")) if case.is_dir() else [case])]
    print("| case | setting | response | against the best | node-local | points | |\n|---|---|---|---|---|---|---|")
    counts = {policy: [0, 0] for policy in judged}
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch) / "competing"
        for case in cases:
            measured = run(case, competitors, options, folder)
            measured.update(run(case, judged, options, pathlib.Path(scratch) / "judged"))
            for policy, verdict in judge(case, measured, competitors, options).items():
                counts[policy] = [count + fine for count, fine in zip(counts[policy], verdict)]
    for policy, (within, strictly) in counts.items():
        print(f"\n{policy}: within the bound in {within} of {len(cases)} cases, strictly in {strictly}", end="")
    print()


main()
