"""What a framework keeps in a folder, with which another process can go on in its place."""
from __future__ import annotations

import fcntl
import json
import os
import pathlib
import sqlite3
from typing import Any, Dict, List, Optional, Tuple, Union


class StateFolder:
    """Records by key: the framework's id and secret, the allocator it belongs to, tasks that have not ended.

    Changes are on disk after commit(), which the driver calls before it sends what follows from them. One
    process at a time may hold the folder.
    """

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self._folder = pathlib.Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = open(self._folder / "lock", "w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise RuntimeError(f"another process goes on with the framework of {self._folder}") from None
        self._database = sqlite3.connect(str(self._folder / "framework.sqlite"), check_same_thread=False)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=FULL")
        self._database.execute("CREATE TABLE IF NOT EXISTS record (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
        os.chmod(self._folder / "framework.sqlite", 0o600)
        self._database.commit()
        self._changed = False

    def get(self, key: str) -> Optional[Dict[str, Any]]:
        """Returns a record, if there is one."""
        row = self._database.execute("SELECT value FROM record WHERE key = ?", (key,)).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def tasks(self) -> List[Tuple[str, Dict[str, Any]]]:
        """Returns the records of tasks, in order of asking."""
        rows = self._database.execute("SELECT key, value FROM record WHERE key LIKE 'task:%'")
        found = [(str(key)[len("task:"):], dict(json.loads(value))) for key, value in rows]
        return sorted(found, key=lambda task: int(task[1]["number"]))

    def put(self, key: str, value: Dict[str, Any]) -> None:
        """Keeps a record."""
        self._database.execute("INSERT OR REPLACE INTO record VALUES (?, ?)", (key, json.dumps(value)))
        self._changed = True

    def drop(self, key: str) -> None:
        """Drops a record."""
        self._database.execute("DELETE FROM record WHERE key = ?", (key,))
        self._changed = True

    def clear(self) -> None:
        """Drops all records: the framework is over."""
        self._database.execute("DELETE FROM record")
        self._changed = True

    def commit(self) -> None:
        """Puts all changes on disk."""
        if self._changed:
            self._database.commit()
            self._changed = False

    def close(self) -> None:
        """Lets another process have the folder."""
        self._database.commit()
        self._database.close()
        self._lock.close()
