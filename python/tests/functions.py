"""Functions that tests run on agents."""
import os
import signal
import time


def square(x):
    return x * x


def fails(x):
    raise ValueError(f"no {x}")


def where():
    print("what is printed does not mix with results")
    return os.environ["PROFFER_AGENT"]


def large(n):
    return b"x" * n


def dies(how):
    os.kill(os.getpid(), signal.SIGKILL) if how == "signal" else os._exit(int(how))


def waits_for(path):
    until = time.monotonic() + 60
    while not os.path.exists(path) and time.monotonic() < until:
        time.sleep(0.02)
    return os.path.exists(path)
