"""Limits hold on calls that Python cannot interrupt, and no child process outlives its call."""

from __future__ import annotations

import math
import operator
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from relusym.errors import RelusymError
from relusym.exact.child import call_in_child
from relusym.limits import Budget, LimitReached, Limits, resident_memory

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def children() -> list[str]:
    listing = subprocess.run(["ps", "-o", "ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = (line.split(maxsplit=1) for line in listing.splitlines())
    return [command for parent, command in rows if int(parent) == os.getpid() and "relusym.exact.child" in command]


def test_without_limits_the_call_stays_in_this_process() -> None:
    assert call_in_child(os.getpid, budget=Budget()) == os.getpid()


@pytest.mark.parametrize("limits", [Limits(seconds=60), Limits(memory=1 << 40)])
def test_with_limits_it_does_not(limits: Limits) -> None:
    assert call_in_child(os.getpid, budget=Budget(limits)) != os.getpid()
    assert call_in_child(os.getpid, budget=Budget(), always=True) != os.getpid()


def test_big_integers_and_nested_data_travel() -> None:
    rows = [[3**5000, -1], [0, -(7**4000)]]
    assert call_in_child(sorted, rows, budget=Budget(Limits(seconds=60))) == sorted(rows)
    # more than the pipes hold, both ways
    assert len(call_in_child(bytes, b"\1" * 3_000_000, budget=Budget(Limits(seconds=60)))) == 3_000_000


def test_the_limit_of_seconds_ends_a_call_that_cannot_be_interrupted() -> None:
    with pytest.raises(LimitReached, match=r"0\.5 seconds"):
        call_in_child(math.factorial, 10**9, budget=Budget(Limits(seconds=0.5)))
    assert not children()


def test_the_limit_of_memory_ends_a_call() -> None:
    with pytest.raises(LimitReached, match="memory"):
        call_in_child(pow, 3, 10**10, budget=Budget(Limits(memory=1)))


def test_memory_of_the_child_counts() -> None:
    room = resident_memory() + (128 << 20)
    with pytest.raises(LimitReached, match="memory"):
        call_in_child(operator.mul, [0], 5 * 10**7, budget=Budget(Limits(memory=room)))


def test_errors_are_carried_over() -> None:
    with pytest.raises(RelusymError, match="factorial failed in a child process: ValueError"):
        call_in_child(math.factorial, -1, budget=Budget(Limits(seconds=60)))


def test_a_child_that_dies_is_reported() -> None:
    with pytest.raises(RelusymError, match="status -11"):
        call_in_child(signal.raise_signal, int(signal.SIGSEGV), budget=Budget(Limits(seconds=60)))


def test_what_the_function_prints_does_not_mix_with_the_answer() -> None:
    assert call_in_child(print, "noise", budget=Budget(Limits(seconds=60))) is None


@pytest.mark.parametrize("deadly", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_or_killed_parent_leaves_no_orphan(deadly: signal.Signals) -> None:
    script = textwrap.dedent(
        """
        import math
        from relusym.exact.child import call_in_child
        from relusym.limits import Budget
        print("ready", flush=True)
        call_in_child(math.factorial, 10**9, budget=Budget(), always=True)
        """
    )
    environment = {**os.environ, "PYTHONPATH": ROOT}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline().strip() == b"ready"
        child = ""
        while not child:
            child = subprocess.run(
                ["ps", "-o", "pid=", "--ppid", str(parent.pid)], capture_output=True, text=True, check=False
            ).stdout.strip()
        time.sleep(0.5)  # let it enter the call
        parent.send_signal(deadly)
        assert parent.wait(timeout=20) != 0
    for _ in range(100):
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", child], capture_output=True, text=True, check=False
        ).stdout.strip()
        if not state or state.startswith("Z"):
            return
        time.sleep(0.05)
    pytest.fail("the child is still running")
