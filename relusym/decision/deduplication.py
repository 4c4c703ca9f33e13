"""Which of many networks are the same shallow function: groups by digest, on one processor or on many."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from relusym.errors import RelusymError, Undecided
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network

Item: TypeAlias = Network | str | os.PathLike[str]


class Submitter(Protocol):
    """What runs calls elsewhere: a ``concurrent.futures.Executor``, or a Dask client."""

    def submit(self, function: Any, /, *args: Any) -> Any:
        """Start a call and return its future."""
        ...


def dedupe(
    networks_or_paths: Iterable[Item],
    *,
    executor: Submitter | None = None,
    numbers: str = "decimal",
    normalize: bool = False,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> list[list[Item]]:
    """Return groups of equal shallow functions, in the order of their first members.

    Parameters
    ----------
    networks_or_paths
        Networks with at most one hidden layer, or paths of their files.
    executor
        Any ``concurrent.futures.Executor``, or a Dask client: files are read and hashed there. None: here.
    numbers, normalize
        How files are read, see :func:`relusym.load`.

    Raises
    ------
    ShapeError, FormatError
        Where a network is deeper, or a file cannot be read; the message names it.
    Undecided
        Where ``limits`` end the work; ``.partial`` holds the groups so far.

    Examples
    --------
    >>> from relusym import dedupe
    >>> dedupe(["example:theta1", "example:weighted", "example:theta2"])
    [['example:theta1', 'example:theta2'], ['example:weighted']]
    """
    items = list(networks_or_paths)
    budget = Budget(limits, progress)
    groups: dict[str, list[Item]] = {}
    try:
        for count, (item, name) in enumerate(zip(items, _digests(items, executor, numbers, normalize), strict=True)):
            groups.setdefault(name, []).append(item)
            budget.report("networks", count + 1, len(items))
    except LimitReached as limit:
        raise Undecided(
            f"{limit} after {sum(map(len, groups.values()))} of {len(items)} networks", partial=groups
        ) from None
    return list(groups.values())


def _digests(items: Sequence[Item], executor: Submitter | None, numbers: str, normalize: bool) -> Iterable[str]:
    if executor is None:
        return (item_digest(item, numbers, normalize) for item in items)
    futures = [executor.submit(item_digest, item, numbers, normalize) for item in items]
    return (future.result() for future in futures)


def item_digest(item: Item, numbers: str = "decimal", normalize: bool = False) -> str:
    """Return the digest of a network or of the network in a file."""
    from relusym.io import load
    from relusym.shallow.digest import digest

    if isinstance(item, Network):
        return digest(item)
    network = load(item, numbers=numbers, normalize=normalize)
    try:
        return digest(network)
    except RelusymError as error:
        raise error.at(os.fspath(item)) from None
