"""Limits on long computations: passed as an argument, never global.

A function that can be long takes ``limits=`` and ``progress=``, starts one :class:`Budget` from them, and calls
:meth:`Budget.tick` in its loops. What runs out raises :class:`LimitReached`, which the function's outermost level turns
into an undecided answer (a decision) or into :class:`relusym.errors.Undecided` (a plain value).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from relusym.errors import RelusymError

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how many steps are done, and how many there are (``None``: not known)."""

MAX_FIELD_DEGREE = 64


class LimitReached(RelusymError):
    """A limit was reached; the message says which."""


@dataclass(frozen=True)
class Limits:
    """How much a computation may use; ``None`` means no limit.

    Parameters
    ----------
    seconds
        Wall-clock time from the start of the call.
    memory
        Bytes of memory of the whole process.
    items
        How many objects (orbits, regions, sums …) may be enumerated.
    field_degree
        The largest degree over Q of a number field.

    Examples
    --------
    >>> from relusym import Limits
    >>> Limits(seconds=2)
    Limits(seconds=2, memory=None, items=None, field_degree=64)
    """

    seconds: float | None = None
    memory: int | None = None
    items: int | None = None
    field_degree: int = MAX_FIELD_DEGREE

    def __post_init__(self) -> None:
        for name in ("seconds", "memory", "items", "field_degree"):
            value = getattr(self, name)
            if value is None and name != "field_degree":
                continue
            if not (isinstance(value, (int, float)) and value >= 0):
                rest = "" if name == "field_degree" else ", or None"
                raise RelusymError(f"Limits: {name} must be a number that is not negative{rest}; got {value!r}")


class Budget:
    """A started clock and counter for one call; see :class:`Limits`."""

    def __init__(self, limits: Limits | None = None, progress: Progress | None = None) -> None:
        self.limits = limits if limits is not None else Limits()
        self.progress = progress
        self.items = 0
        self._start = time.monotonic()

    def seconds_left(self) -> float | None:
        """Return the wall-clock seconds that are left, or None when there is no limit."""
        if self.limits.seconds is None:
            return None
        return self.limits.seconds - (time.monotonic() - self._start)

    def tick(self, items: int = 0) -> None:
        """Count ``items`` and raise :class:`LimitReached` when time, memory or items have run out."""
        self.items += items
        limits = self.limits
        if limits.items is not None and self.items > limits.items:
            raise LimitReached(f"the limit of {limits.items} items was reached")
        left = self.seconds_left()
        if left is not None and left < 0:
            raise LimitReached(f"the limit of {limits.seconds} seconds was reached")
        if limits.memory is not None and resident_memory() > limits.memory:
            raise LimitReached(f"the limit of {limits.memory} bytes of memory was reached")

    def report(self, what: str, done: int, total: int | None = None) -> None:
        """Tell the progress callback, if there is one, and look at the limits."""
        if self.progress is not None:
            self.progress(what, done, total)
        self.tick()


def resident_memory() -> int:
    """Return the bytes of memory that this process holds now (its peak where the system tells only that)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            pages = int(statm.read().split()[1])
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    import resource

    return pages * resource.getpagesize()
