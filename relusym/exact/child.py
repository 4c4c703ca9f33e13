"""Slow foreign calls in a child process, so that limits hold and Ctrl-C works.

One call into a C library (a lattice reduction of some minutes, say) cannot be interrupted from Python and knows nothing
of a :class:`~relusym.limits.Budget`. Here it runs in a child process that the parent watches: when the budget runs out,
or the user interrupts, the child is killed.

The child is a fresh interpreter (neither forked nor started by ``multiprocessing``): forking a process in which NumPy
has started threads is unsafe, and a spawned worker would run the user's script again. Function and arguments travel
through the child's own pipes as plain data (``marshal``), so the function must be importable by its name and take and
return only None, bool, int, float, str, bytes and tuples, lists and dicts of those.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import marshal
import math
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any, TypeVar

from relusym.errors import RelusymError
from relusym.limits import Budget, LimitReached, resident_memory

T = TypeVar("T")

_POLL_SECONDS = 0.05
_BOOT = (
    "import marshal, sys; order = marshal.load(sys.stdin.buffer); sys.path[:] = order['path']; "
    "from relusym.exact.child import serve; serve(order)"
)


def call_in_child(function: Callable[..., T], *args: Any, budget: Budget, always: bool = False) -> T:
    """Return ``function(*args)``, computed in a child process when ``budget`` limits seconds or memory.

    Parameters
    ----------
    function
        A function that its module and name find again in a fresh interpreter.
    *args
        Plain data; see the module's first lines.
    budget
        Without a limit of seconds or memory the call is made directly.
    always
        Use a child even without limits: for calls so long that Ctrl-C must be able to end them.

    Raises
    ------
    LimitReached
        When the budget runs out; the child is dead by then.
    RelusymError
        When the function raises in the child (the message carries its error) or the child dies by itself.

    Examples
    --------
    >>> import math
    >>> from relusym.limits import Budget, Limits
    >>> call_in_child(math.comb, 5, 2, budget=Budget(Limits(seconds=60)))
    10
    """
    limited = budget.limits.seconds is not None or budget.limits.memory is not None
    if not (limited or always) or not sys.executable:
        return function(*args)
    budget.tick()
    order = {
        "path": [entry or os.getcwd() for entry in sys.path if isinstance(entry, str)],
        "parent": os.getpid(),
        "seconds": budget.seconds_left(),
        "module": function.__module__,
        "name": function.__qualname__,
        "args": args,
    }
    answer = _run(marshal.dumps(order), budget)
    if "error" in answer:
        raise RelusymError(f"{function.__qualname__} failed in a child process: {answer['error']}")
    result: T = answer["result"]
    return result


def _run(order: bytes, budget: Budget) -> dict[str, Any]:
    """Send ``order`` to a new child and return its answer; whatever happens, no child is left behind."""
    with (
        tempfile.TemporaryFile() as spool
    ):  # a pipe would need its own writer: communicate() forgets input at a time-out
        spool.write(order)
        spool.seek(0)
        command = [sys.executable, "-c", _BOOT]
        with subprocess.Popen(command, stdin=spool, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
            try:
                output = _watch(child, budget)
            finally:
                child.kill()  # does nothing to a child that has ended
    if child.returncode != 0:
        budget.tick()  # a child that its own backstop ended has reached the limit of seconds
        raise RelusymError(f"a child process ended with status {child.returncode} before it answered")
    answer: dict[str, Any] = marshal.loads(output)
    return answer


def _watch(child: subprocess.Popen[bytes], budget: Budget) -> bytes:
    """Read what the child writes until it ends, looking at the limits all the while."""
    while True:
        try:
            return child.communicate(timeout=_POLL_SECONDS)[0]
        except subprocess.TimeoutExpired:
            budget.tick()
            memory = budget.limits.memory
            if memory is not None and resident_memory() + _resident_memory_of(child.pid) > memory:
                raise LimitReached(f"the limit of {memory} bytes of memory was reached") from None


def _resident_memory_of(pid: int) -> int:
    """Return the bytes of memory that another process holds (0 when it has just ended)."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        pass
    with contextlib.suppress(OSError, ValueError):
        listing = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False)
        return int(listing.stdout) * 1024
    return 0


def serve(order: dict[str, Any]) -> None:
    """Carry out one order in the child process and write the answer to standard output."""
    _die_with_parent(order["parent"], order["seconds"])
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)  # whatever the function prints must not mix with the answer
        try:
            function: Any = importlib.import_module(order["module"])
            for part in order["name"].split("."):
                function = getattr(function, part)
            answer = marshal.dumps({"result": function(*order["args"])})
        except Exception as error:  # every failure is the parent's to tell
            answer = marshal.dumps({"error": f"{type(error).__name__}: {error}"})
        output.write(answer)


def _die_with_parent(parent: int, seconds: float | None) -> None:
    """See to it that the child ends when its parent is killed: no signal handler of Python runs inside a C call."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if seconds is not None and sys.platform != "win32":
        import resource

        cpu = math.ceil(max(seconds, 0)) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
    if hasattr(os, "getppid") and os.getppid() != parent:
        sys.exit(1)  # it was killed while this child started
