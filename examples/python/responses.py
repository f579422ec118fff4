#!/usr/bin/env python3
"""responses.py RESULTS [CELL]: response times by tenant and size of job, from jobs.csv of all seeds of each cell.

Counted are jobs that succeeded and were submitted within the measured window, as for response_mean. By pandas the same
is (for one cell; `bin` is the size: the name of the bin in the experiment, or MAPS_REDUCES):

    jobs = pandas.concat(map(pandas.read_csv, glob.glob("results/small/patient/seed-*/jobs.csv")))
    jobs.query("ok == 1 and counted == 1").groupby(["framework", "bin"])["turnaround_time"].describe()
"""
import collections
import csv
import json
import pathlib
import statistics
import sys


def responses(results):
    """(cell, tenant, size) -> seconds of each job."""
    found = collections.defaultdict(list)
    for file in sorted(pathlib.Path(results).glob("*/seed-*/jobs.csv")):
        cell = json.loads((file.parent / "summary.json").read_text())["cell"]
        with open(file, newline="") as table:
            for job in csv.DictReader(table):
                if job["ok"] == "1" and job["counted"] == "1":
                    found[cell, job["framework"], job["bin"]].append(float(job["turnaround_time"]))
    return found


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    found = responses(sys.argv[1])
    if len(sys.argv) == 3:
        found = {key: times for key, times in found.items() if key[0] == sys.argv[2]}
    if not found:
        sys.exit(f"responses.py: {' '.join(sys.argv[1:])} has no job that succeeded")
    print("cell,tenant,size,jobs,mean,median,longest")
    for (cell, tenant, size), times in sorted(found.items()):
        print(f"{cell},{tenant},{size},{len(times)},{statistics.mean(times):.6g},{statistics.median(times):.6g},"
              f"{max(times):.6g}")


if __name__ == "__main__":
    main()
