"""What docs/PYTHON.md and the examples tell to type works as it stands."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(os.environ.get("PROFFER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))


def blocks():
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs/PYTHON.md").read_text(), re.DOTALL)


def typed(program, cluster):
    words = [sys.executable, str(program)]
    ran = subprocess.run(words, env={**os.environ, "PROFFER_ALLOCATOR": cluster.address}, capture_output=True,
                         text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("number, says", [(0, "hello-0 FINISHED"), (1, "2432902008176640000"), (2, "research")])
def test_the_page_says_what_works(number, says, cluster, tmp_path):
    program = tmp_path / "typed.py"
    program.write_text(blocks()[number])
    assert says in typed(program, cluster)


def test_every_block_is_typed():
    assert len(blocks()) == 3


def test_the_first_framework_has_forty_lines_and_works(cluster):
    program = ROOT / "examples/python/first_framework.py"
    assert len(program.read_text().splitlines()) <= 40
    assert typed(program, cluster).count("FINISHED") == 20
