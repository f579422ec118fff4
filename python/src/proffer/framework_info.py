"""How a framework introduces itself to the allocator."""
from __future__ import annotations

import dataclasses
from datetime import timedelta


@dataclasses.dataclass(frozen=True)
class FrameworkInfo:
    """How a framework introduces itself."""

    name: str
    pool: str = ""
    user: str = ""
    priority: str = ""
    failover_timeout: timedelta = timedelta(minutes=10)
