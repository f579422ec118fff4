"""Decline policies in Python: what takes a slot that was offered, or why nothing does.

A policy is a program that the framework starts, and asks about each slot:

    proffer mr --policy 'process,python3 my_policy.py' ...

and the program ends in ``run(MyPolicy())``. The same program answers a live framework and a simulated one. It must
take time from ``now`` alone, and randomness from a generator with a seed: then equal runs have equal results.
"""
import abc
import json
import os
import sys
from typing import Any, Dict, NamedTuple, Optional, Sequence, TextIO, Tuple, Union

from proffer.wire.enums import DeclineReason

_VERSION = 1


class Slot(NamedTuple):
    """A slot to be filled."""

    kind: str
    agent: str
    rack: str
    offer: str  #: slots of one offer are looked at one after the other
    idle: bool  #: the slot could have been looked at before


class Job(NamedTuple):
    """A job with a task that could take the slot."""

    job: int
    nearest: str  #: how near to its data a task would be: ``node``, ``rack`` or ``any``
    has_preferences: bool  #: false: none of its tasks prefers a place, so there is nothing to wait for
    unlaunched: int
    running: int
    preferred_agents: int  #: agents on which some task would be beside its data
    starved: bool  #: a pool of the job has been short of slots for too long
    fair_share: Optional[int] = None  #: in slots; None before the framework has heard of its share


class Standing(NamedTuple):
    """The framework's share of one kind of slots."""

    kind: str
    used: int
    fair: int
    starved: bool
    contended: bool  #: somebody else wants such slots
    complete: bool  #: no other free slot of the kind is there for this framework


class Take(NamedTuple):
    """Launch the nearest task of that job. ``waited``: for how many seconds the job let others pass, for logs."""

    job: int
    waited: float = 0.0


class Pass(NamedTuple):
    """Launch nothing on the slot, nor on those of its offer and kind that follow."""

    reason: DeclineReason = DeclineReason.POLICY


class Policy(abc.ABC):
    """A decline policy; all times are in seconds."""

    #: For so long an agent whose slot was passed is hidden, unless next_level_change() is defined.
    hold = 1.0

    @abc.abstractmethod
    def consider(self, slot: Slot, jobs: Sequence[Job], now: float) -> Union[Take, Pass]:
        """Decides about one slot. ``jobs``: at least one, neediest first."""

    def opportunity(self, standings: Sequence[Standing], now: float) -> None:
        """A message of offers came; its slots are shown next."""

    def job_ended(self, job: int) -> None:
        """The job has ended: forget it."""

    def next_level_change(self, kind: str, jobs: Sequence[int], now: float) -> Optional[float]:
        """Returns in how many seconds some job accepts farther tasks; None: not before tasks are added."""
        return self.hold


def _wants(policy: Policy) -> Tuple[str, ...]:
    """The functions that the policy defines itself: nothing is said of the others."""
    return tuple(name for name in ("opportunity", "job_ended", "next_level_change")
                 if getattr(type(policy), name) is not getattr(Policy, name))


def _choice(choice: Union[Take, Pass]) -> Dict[str, Any]:
    if isinstance(choice, Take):
        return {"take": choice.job, "waited_s": choice.waited}
    if isinstance(choice, Pass):
        return {"pass": choice.reason.name.lower().replace("_", "-")}
    raise TypeError(f"consider() returned {choice!r}, which is neither a Take nor a Pass")


def _answer(policy: Policy, question: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    (name, said), = question.items()
    if name == "consider":
        slot = Slot(said["kind"], said["agent"], said["rack"], said["offer"], said["idle"])
        return _choice(policy.consider(slot, [Job(**job) for job in said["jobs"]], said["now_s"]))
    if name == "next_level_change":
        return {"in_s": policy.next_level_change(said["kind"], said["jobs"], said["now_s"])}
    if name == "opportunity":
        policy.opportunity([Standing(**standing) for standing in said["standings"]], said["now_s"])
    elif name == "job_ended":
        policy.job_ended(said)
    elif name == "hello":
        return {"version": _VERSION, "hold_s": policy.hold, "wants": _wants(policy)}
    return None  # what a later proffer may say


def serve(policy: Policy, questions: TextIO, answers: TextIO) -> None:
    """Answers one question a line, until there are no more."""
    for line in questions:
        answer = _answer(policy, json.loads(line))
        if answer is not None:
            answers.write(json.dumps(answer, separators=(",", ":")) + "\n")
            answers.flush()


def run(policy: Policy) -> None:
    """Serves the framework that has started this program. What the policy prints goes to standard error."""
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)
        serve(policy, sys.stdin, answers)
