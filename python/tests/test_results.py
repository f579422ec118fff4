"""Results of small experiments, and the notebook that draws figures from them."""
import json
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import program

ROOT = pathlib.Path(os.environ.get("PROFFER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))


def run_experiment(name, folder, *arguments):
    words = [program(), "experiment", "run", str(ROOT / "examples" / name), "--seeds", "1", "--quiet",
             "-d", str(folder)]
    ran = subprocess.run([*words, *arguments], capture_output=True, text=True, timeout=120)
    assert ran.returncode in (0, 5), ran.stderr  # 5: a check that wants more seeds


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results") / "small"
    run_experiment("small.toml", folder)
    return folder


def test_tables_are_read(small):
    pytest.importorskip("pandas")
    from proffer.results import Results

    results = Results(small)
    assert "patient" in results.cells()
    summaries = results.summaries()
    assert set(summaries["cell"]) == set(results.cells())
    assert summaries["node_local"].between(0, 1).all()
    jobs, tasks, shares = results.jobs("patient"), results.tasks("patient"), results.shares("patient")
    assert set(jobs["cell"]) == {"patient"} and (jobs["turnaround_time"] > 0).any()
    assert set(tasks["locality"].dropna()) <= {"node", "rack", "any"}
    assert {"time", "framework", "running", "fair"} <= set(shares.columns)
    assert (results.compared()["measure"] == "response_mean").any()
    with pytest.raises(FileNotFoundError, match="no jobs.csv of a cell nowhere"):
        results.jobs("nowhere")


def test_a_folder_without_results_is_named(tmp_path):
    from proffer.results import Results

    with pytest.raises(FileNotFoundError, match="no results of an experiment"):
        Results(tmp_path)


def test_without_pandas_a_sentence_says_what_is_missing(small, monkeypatch):
    from proffer.results import Results

    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="needs pandas"):
        Results(small).summaries()


def test_the_notebook_draws_its_figures(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run_experiment("experiments/a4-sensitivity.toml", tmp_path / "a4-sensitivity")
    run_experiment("experiments/a8-several-hadoops.toml", tmp_path / "a8-several-hadoops")
    monkeypatch.setenv("PROFFER_RESULTS", str(tmp_path))
    notebook = json.loads((ROOT / "examples/python/papers.ipynb").read_text())
    assert notebook["nbformat"] == 4
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "papers.ipynb", "exec"), names)
    assert names["by_wait"]["mean"].is_monotonic_increasing
    assert names["by_cell"]["node_local"]["5s"] > names["by_cell"]["node_local"]["static"]
    names["figure"].savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 1000
