"""Runs calls in a task: shipped to agents as a file, and nothing but the standard library is needed there.

The sandbox holds `calls.pickle`: where modules are looked for, and the calls, each pickled by itself. Records of
results go to stdout, one a call: whether it returned, how long the rest is, how many seconds it took, and the
pickled result or exception. What calls print goes to stderr.
"""
import os
import pickle
import struct
import sys
import time
import traceback

RECORD = struct.Struct(">?Qd")
KEPT_BYTES = 67108864


def outcome(call):
    """Returns whether a call returned, and its pickled result, or exception with its traceback."""
    try:
        function, arguments, named = pickle.loads(call)
        return True, pickle.dumps(function(*arguments, **named), protocol=4)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, GeneratorExit)):
            raise
        told = traceback.format_exc()
        try:
            pickled = pickle.dumps((error, told), protocol=4)
            pickle.loads(pickled)
            return False, pickled
        except Exception:
            return False, pickle.dumps((RuntimeError(f"{type(error).__name__}: {error}"), told), protocol=4)


def main():
    records = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with open("calls.pickle", "rb") as file:
        work = pickle.load(file)
    sys.path += [path for path in work["path"] if path not in sys.path and os.path.exists(path)]
    written = 0
    for call in work["calls"]:
        began = time.monotonic()
        returned, payload = outcome(call)
        size = RECORD.size + len(payload)
        if size > KEPT_BYTES:
            sentence = f"a result of {len(payload)} bytes is too large; an agent keeps {KEPT_BYTES}: leave it in a file"
            returned, payload = False, pickle.dumps((ValueError(sentence), ""), protocol=4)
            size = RECORD.size + len(payload)
        if written + size > KEPT_BYTES:
            return  # the calls that are left run in another task
        records.write(RECORD.pack(returned, len(payload), time.monotonic() - began) + payload)
        records.flush()
        written += size


if __name__ == "__main__":
    main()
