"""One call for each of many items, on any executor: progress, order, and a lost worker costs a retry, not the answer.

Items travel in chunks, so that small networks are not drowned in messages. Where a worker process dies, what it held
is done again: first by a fresh pool of the same kind, item by item, then one item at a time, so that an item that
kills its workers (a file too large for memory, say) is found and named. A Dask cluster replaces its workers by
itself, and retries there; it is asked again in the same three steps.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeAlias

from relusym.errors import RelusymError
from relusym.exact.matrix import FloatMatrix
from relusym.limits import Budget
from relusym.parameters.network import Network

Item: TypeAlias = Network | str | os.PathLike[str]
"""A network, or the path of its file."""

_CHUNKS = 128
_LONGEST_CHUNK = 64
_PATIENCE = 0.5  # seconds between two looks at the limits while nothing is finished


class Submitter(Protocol):
    """What runs calls elsewhere: a ``concurrent.futures.Executor``, or a Dask client."""

    def submit(self, function: Any, /, *args: Any) -> Any:
        """Start a call and return its future."""
        ...


def spread(
    call: Callable[[Any], Any], items: Sequence[Any], executor: Submitter | None, budget: Budget
) -> Iterator[tuple[int, Any]]:
    """Yield (index, call(item)) for every item, as they are finished; where the iterator is left, the rest is dropped.

    Parameters
    ----------
    call
        A function that can be pickled.
    items
        Networks or paths, or tuples of them.
    executor
        A ``concurrent.futures.Executor`` or a Dask client; None: here, in order.

    Raises
    ------
    RelusymError
        Whatever ``call`` raises; or, with the name of the item, where its workers die one after the other.
    """
    if executor is None:
        yield from ((index, call(item)) for index, item in enumerate(items))
        return
    tasks = _chunks(len(items))
    for attempt in range(3):
        submitter = _as_executor(executor) if attempt == 0 else _replacement(executor)

        def submit(task: list[int], submitter: Any = submitter) -> Future[Any]:
            future: Future[Any] = submitter.submit(_work, call, [_portable(items[index]) for index in task])
            return future

        lost: list[int] = []
        try:
            for task, values in _run(submit, tasks, budget, together=attempt < 2):
                if values is not None:
                    yield from zip(task, values, strict=True)
                elif attempt < 2:
                    lost += task
                else:
                    raise RelusymError(f"{_name(items[task[0]])}: every worker process that took it died at it")
        finally:
            if submitter is not executor:
                submitter.shutdown(wait=False)
        if not lost:
            return
        tasks = [[index] for index in sorted(lost)]


def process_pool(workers: int | None = None, context: Any = None) -> ProcessPoolExecutor:
    """Return a running pool whose workers leave Ctrl-C to the process that started them."""
    pool = ProcessPoolExecutor(workers, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
    with _interrupts_held():  # one between the workers and the thread that feeds them would leave them waiting for ever
        pool.submit(int)
    return pool


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Put Ctrl-C off until the end of the block, where the system can."""
    mask = getattr(signal, "pthread_sigmask", None)
    before = None if mask is None else mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if mask is not None:
            mask(signal.SIG_SETMASK, before)


def _as_executor(executor: Submitter) -> Any:
    """Return a Dask client as an executor, which runs every call anew: files change between two calls."""
    adapt = getattr(executor, "get_executor", None)
    return executor if adapt is None else adapt(pure=False)


def _replacement(executor: Any) -> Any:
    """Return what takes the place of an executor that lost a worker: a pool of the same size, or a cluster itself."""
    if hasattr(executor, "get_executor"):
        return _as_executor(executor)
    return process_pool(getattr(executor, "_max_workers", None), getattr(executor, "_mp_context", None))


def _chunks(count: int) -> list[list[int]]:
    size = max(1, min(_LONGEST_CHUNK, count // _CHUNKS))
    return [list(range(start, min(start + size, count))) for start in range(0, count, size)]


def _run(
    submit: Callable[[list[int]], Future[Any]], tasks: list[list[int]], budget: Budget, *, together: bool
) -> Iterator[tuple[list[int], list[Any] | None]]:
    """Yield tasks with their values as they finish, with None where the worker was lost; together, or one by one."""
    waiting, running = deque(tasks), dict[Future[Any], list[int]]()
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    try:
        while waiting or running:
            while waiting and (together or not running):
                task = waiting.popleft()
                try:
                    future = submit(task)
                except BrokenExecutor:
                    yield task, None
                    continue
                running[future] = task
                future.add_done_callback(finished.put)
            if running:
                future = _next(finished, budget)
                yield running.pop(future), _values(future)
    finally:
        for future in running:
            future.cancel()


def _next(finished: SimpleQueue[Future[Any]], budget: Budget) -> Future[Any]:
    while True:
        try:
            return finished.get(timeout=_PATIENCE)
        except Empty:
            budget.tick()


def _values(future: Future[Any]) -> list[Any] | None:
    """Return what a task gave, None where its worker was lost; raise what it raised."""
    try:
        values: list[Any] = future.result()
    except BrokenExecutor:
        return None
    except CancelledError:
        raise RelusymError(
            "the executor dropped the calls before they were done; is it, or its cluster, closed?"
        ) from None
    except Exception as error:
        if type(error).__name__ == "KilledWorker":  # Dask's word for a task whose workers died several times
            return None
        raise
    return values


def _work(call: Callable[[Any], Any], parcels: list[Any]) -> list[Any]:
    """Make the calls of one task; this runs on the worker."""
    return [call(_unpacked(parcel)) for parcel in parcels]


class _Written:
    """A network as its JSON object: FLINT's matrices do not travel between processes."""

    def __init__(self, network: Network) -> None:
        self.data = network.to_dict()


def _portable(item: Any) -> Any:
    if isinstance(item, tuple):
        return tuple(map(_portable, item))
    if not isinstance(item, Network):
        return item
    floats = all(isinstance(part, FloatMatrix) for layer in item.layers for part in layer)
    return item if floats else _Written(item)


def _unpacked(parcel: Any) -> Any:
    if isinstance(parcel, tuple):
        return tuple(map(_unpacked, parcel))
    return Network.from_dict(parcel.data) if isinstance(parcel, _Written) else parcel


def _name(item: Any) -> str:
    if isinstance(item, tuple):
        return " and ".join(map(_name, item))
    return str(item) if isinstance(item, str | os.PathLike) else repr(item)
