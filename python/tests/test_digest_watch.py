"""When a framework asks about all of its tasks."""
from proffer.digest_watch import DigestWatch


def test_three_beats_that_differ_are_a_reason_to_ask():
    watch = DigestWatch()
    assert [watch.doubtful(False, now) for now in (1, 2, 3)] == [False, False, True]


def test_a_beat_that_agrees_begins_anew():
    watch = DigestWatch()
    assert [watch.doubtful(equal, 1) for equal in (False, False, True, False, False)] == [False] * 5


def test_each_further_time_comes_twice_as_late():
    watch = DigestWatch()
    asked = [now for now in range(100) if watch.doubtful(False, now)]
    assert asked == [2, 12, 32, 72]
