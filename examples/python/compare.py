#!/usr/bin/env python3
"""compare.py RESULTS CELL OTHER [MEASURE] [--plot FILE.png]: two cells of an experiment by paired seeds.

Prints MEASURE (response_mean unless another is named; docs/MEASURES.md has all) of both cells for each seed that both
have, then the mean of CELL less OTHER with its 95% interval (Student's t). With --plot also draws it, by matplotlib:
a line a seed, from one cell to the other.

    proffer experiment run examples/small.toml --seeds 10
    python3 examples/python/compare.py results/small patient greedy
"""
import argparse
import json
import math
import pathlib
import statistics
import sys


def by_seed(results, cell, measure):
    """Seed -> value, of the runs of a cell that have the measure."""
    values = {}
    for file in pathlib.Path(results).glob("*/seed-*/summary.json"):
        run = json.loads(file.read_text())
        if run["cell"] == cell and measure in run["measures"]:
            values[run["seed"]] = run["measures"][measure]
    if not values:
        sys.exit(f"compare.py: no run of a cell {cell!r} in {results} has the measure {measure}")
    return values


def student_t(freedom, part=0.975, steps=2000):
    """The quantile of Student's t: where the integral of its density (Simpson's rule) has reached `part`."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def density(x):
        return scale * (1 + x * x / freedom) ** (-(freedom + 1) / 2)

    def reached(t):
        inner = sum((4 if i % 2 else 2) * density(t * i / steps) for i in range(1, steps))
        return 0.5 + t / steps / 3 * (density(0) + inner + density(t))

    low, high = 0.0, 1.0
    while reached(high) < part:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if reached(middle) < part else (low, middle)
    return low


def interval(differences):
    """The mean of paired differences, and half of its 95% interval; none with one pair."""
    n = len(differences)
    half = student_t(n - 1) * statistics.stdev(differences) / math.sqrt(n) if n > 1 else None
    return statistics.mean(differences), half


def plot(pairs, labels, measure, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(4, 3), layout="constrained")
    for one, other in pairs.values():
        axes.plot([0, 1], [one, other], "o-", color="tab:blue", alpha=0.6)
    axes.set_xticks([0, 1], labels)
    axes.set_xlim(-0.3, 1.3)
    axes.set_ylabel(measure)
    figure.savefig(file, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("cell")
    parser.add_argument("other")
    parser.add_argument("measure", nargs="?", default="response_mean")
    parser.add_argument("--plot")
    options = parser.parse_args()
    one = by_seed(options.results, options.cell, options.measure)
    other = by_seed(options.results, options.other, options.measure)
    pairs = {seed: (one[seed], other[seed]) for seed in sorted(one.keys() & other.keys())}
    if not pairs:
        sys.exit(f"compare.py: {options.cell} and {options.other} have no seed in common")
    print(f"seed  {options.cell:>12}  {options.other:>12}")
    for seed, (a, b) in pairs.items():
        print(f"{seed:4}  {a:12.6g}  {b:12.6g}")
    mean, half = interval([a - b for a, b in pairs.values()])
    spread = "" if half is None else f" ±{half:.6g}"
    print(f"{options.measure}: {options.cell} less {options.other} {mean:+.6g}{spread}")
    if options.plot:
        plot(pairs, (options.cell, options.other), options.measure, options.plot)


if __name__ == "__main__":
    main()
