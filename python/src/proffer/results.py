"""Results of `proffer experiment run` as pandas tables."""
from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union

if TYPE_CHECKING:
    import pandas


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("proffer.results needs pandas: pip install pandas") from None
    return pandas


class Results:
    """A folder of results. Each table has the columns `cell` and `seed` before its own."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self.folder = pathlib.Path(folder)
        if not next(self._runs(None), None):
            raise FileNotFoundError(f"{self.folder} has no results of an experiment: no CELL/seed-N/summary.json")

    def _runs(self, cell: Optional[str]) -> Iterator[Tuple[pathlib.Path, Dict[str, Any]]]:
        for file in sorted(self.folder.glob("*/seed-*/summary.json")):
            summary: Dict[str, Any] = json.loads(file.read_text())
            if cell is None or summary["cell"] == cell:
                yield file.parent, summary

    def cells(self) -> List[str]:
        """Returns the names of the cells that have a run."""
        return sorted({summary["cell"] for _, summary in self._runs(None)})

    def summaries(self, cell: Optional[str] = None) -> "pandas.DataFrame":
        """Returns a row a run, with a column for each measure of docs/MEASURES.md."""
        rows = [{"cell": summary["cell"], "seed": summary["seed"], **summary["measures"]}
                for _, summary in self._runs(cell)]
        frame: "pandas.DataFrame" = _pandas().DataFrame(rows)
        return frame.sort_values(["cell", "seed"], ignore_index=True) if rows else frame

    def jobs(self, cell: Optional[str] = None) -> "pandas.DataFrame":
        """Returns a row a job."""
        return self._table("jobs.csv", cell)

    def tasks(self, cell: Optional[str] = None) -> "pandas.DataFrame":
        """Returns a row a launch of a task."""
        return self._table("tasks.csv", cell)

    def shares(self, cell: Optional[str] = None) -> "pandas.DataFrame":
        """Returns a row a framework, kind and sample."""
        return self._table("shares.csv", cell)

    def tenants(self, cell: Optional[str] = None) -> "pandas.DataFrame":
        """Returns a row a tenant and measure."""
        return self._table("tenants.csv", cell)

    def offers(self, cell: Optional[str] = None) -> "pandas.DataFrame":
        """Returns a row an offer and kind, of runs with --offers."""
        return self._table("offers.csv", cell)

    def compared(self) -> "pandas.DataFrame":
        """Returns cells.csv: a row a cell and measure, with means and 95% intervals."""
        frame: "pandas.DataFrame" = _pandas().read_csv(self.folder / "cells.csv")
        return frame

    def _table(self, name: str, cell: Optional[str]) -> "pandas.DataFrame":
        library = _pandas()
        frames = []
        for folder, summary in self._runs(cell):
            if (folder / name).exists():
                frame = library.read_csv(folder / name)
                frame.insert(0, "cell", summary["cell"])
                frame.insert(1, "seed", summary["seed"])
                frames.append(frame)
        if not frames:
            raise FileNotFoundError(f"{self.folder} has no {name}" + (f" of a cell {cell}" if cell else ""))
        table: "pandas.DataFrame" = library.concat(frames, ignore_index=True)
        return table
