"""Runs the scripts of examples/python/ on a small experiment, and holds what they print against the figures that
proffer itself has worked out.

    examples.py PROFFER SOURCES [--packages]   # only what needs pandas and matplotlib
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def close(ours, theirs):
    assert abs(ours - theirs) <= 1e-4 * max(1.0, abs(theirs)), (ours, theirs)


def rows(file):
    with open(file, newline="") as table:
        return list(csv.DictReader(table))


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def check_compare(scripts, results):
    known = next(row for row in rows(results / "cells.csv")
                 if row["cell"] == "patient" and row["measure"] == "response_mean")
    printed = run(sys.executable, scripts / "compare.py", results, "patient", "greedy")
    figures = re.search(r"response_mean: patient less greedy (\S+) ±(\S+)", printed).groups()
    close(float(figures[0]), float(known["difference"]))
    close(float(figures[1]), float(known["difference_ci95"]))
    wrong = subprocess.run([sys.executable, scripts / "compare.py", results, "patient", "gredy"],
                           capture_output=True, text=True)
    assert wrong.returncode == 1 and "no run of a cell 'gredy'" in wrong.stderr, wrong.stderr


def check_responses(scripts, results):
    printed = list(csv.DictReader(run(sys.executable, scripts / "responses.py", results, "patient").splitlines()))
    assert {row["tenant"] for row in printed} == {"tenant-0", "tenant-1", "tenant-2"}, printed
    for row in printed:
        means, jobs = [], 0
        for file in results.glob("patient/seed-*/summary.json"):
            measures = json.loads(file.read_text())["measures"]
            means.append(measures["response_mean.framework." + row["tenant"]])
            jobs += measures["jobs.framework." + row["tenant"]]
        assert int(row["jobs"]) == jobs
        close(float(row["mean"]), sum(means) / len(means))  # as many jobs in each seed


def check_tables(page, results):
    """Every table and column of a run stands in the page, and nothing else does."""
    section = page.read_text().split("## Results, table by table")[1].split("\n## ")[0]
    told = {name: re.findall(r"`(\w+)`", columns)
            for name, columns in re.findall(r"^- \*\*(\w+)\.csv\*\*(.*?)(?=^- |^$)", section, re.M | re.S)}
    for file in results.glob("patient/seed-1/*.csv"):
        with open(file, newline="") as table:
            assert told.pop(file.stem) == next(csv.reader(table)), file.stem
    cells = told.pop("cells")
    with open(results / "cells.csv", newline="") as table:
        assert [name for name in next(csv.reader(table)) if name != "variant"] == cells
    assert not told, told


def check_pandas(scripts, results):
    try:
        import pandas
    except ImportError:
        return "pandas is not there: the tables were not read by it"
    for file in results.rglob("*.csv"):
        assert list(pandas.read_csv(file).columns) == next(csv.reader(open(file, newline=""))), file
    files = sorted(results.glob("patient/seed-*/jobs.csv"))
    jobs = pandas.concat(map(pandas.read_csv, files)).query("ok == 1 and counted == 1")
    grouped = jobs.groupby(["framework", "bin"])["turnaround_time"].mean()
    means = {(tenant, str(size)): mean for (tenant, size), mean in grouped.items()}  # "12" is read as a number
    for row in csv.DictReader(run(sys.executable, scripts / "responses.py", results, "patient").splitlines()):
        close(float(row["mean"]), means[row["tenant"], row["size"]])
    return "read by pandas " + pandas.__version__


def check_plot(scripts, results):
    try:
        import matplotlib
    except ImportError:
        return "matplotlib is not there: nothing was drawn"
    run(sys.executable, scripts / "compare.py", results, "patient", "greedy", "--plot", results / "plot.png")
    assert (results / "plot.png").read_bytes().startswith(b"\x89PNG")
    return "drawn by matplotlib " + matplotlib.__version__


def main():
    proffer, sources = sys.argv[1], pathlib.Path(sys.argv[2])
    scripts = sources / "examples" / "python"
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "small"
        run(proffer, "experiment", "run", sources / "examples" / "small.toml", "--quiet", "--offers", "-d", results)
        if sys.argv[3:] == ["--packages"]:
            print(check_pandas(scripts, results))
            print(check_plot(scripts, results))
            return
        check_compare(scripts, results)
        check_responses(scripts, results)
        check_tables(sources / "docs" / "EXPERIMENTS.md", results)


main()
