"""Calls as bytes: by cloudpickle where it is installed, otherwise by pickle."""
from __future__ import annotations

import pickle
import types
from typing import Any, Callable, Dict, Optional, Tuple


def _cloudpickle() -> Optional[types.ModuleType]:
    try:
        import cloudpickle
    except ImportError:
        return None
    module: types.ModuleType = cloudpickle
    return module


def pickled_call(function: Callable[..., Any], arguments: Tuple[Any, ...], named: Dict[str, Any]) -> bytes:
    """Returns a call as bytes. Raises TypeError with a sentence for one that cannot be sent."""
    cloud = _cloudpickle()
    called = getattr(function, "__qualname__", repr(function))
    if cloud is None and getattr(function, "__module__", None) == "__main__":
        raise TypeError(f"{called} is defined in the script itself, where agents cannot import it: "
                        "install cloudpickle, or put it into a module")
    try:
        dumped: bytes = (cloud or pickle).dumps((function, arguments, named), protocol=4)
        return dumped
    except Exception as error:
        cure = "" if cloud else "; with cloudpickle installed, lambdas and inner functions can be"
        raise TypeError(f"a call of {called} cannot be pickled ({error}){cure}") from error
