"""Which of many networks are the same shallow function: groups by digest, on one processor or on many.

A digest costs one pass over a network, so that n networks need n passes instead of n² comparisons.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial

from relusym.decision.many import Item, Submitter, spread
from relusym.errors import RelusymError, Undecided
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network


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
        Any ``concurrent.futures.Executor``, or a Dask client: files are read and hashed there. None: here. A worker
        that is killed costs a retry; the groups and their order do not depend on who finishes first.
    numbers, normalize
        How files are read, see :func:`relusym.load`.

    Raises
    ------
    ShapeError, FormatError
        Where a network is deeper, or a file cannot be read; the message names it.
    RelusymError
        Where workers die one after the other at the same item; the message names it.
    Undecided
        Where ``limits`` end the work; ``.partial`` holds the groups so far.

    Examples
    --------
    >>> from relusym import dedupe
    >>> dedupe(["example:theta1", "example:weighted", "example:theta2"])
    [['example:theta1', 'example:theta2'], ['example:weighted']]
    """
    if isinstance(networks_or_paths, (str, os.PathLike, Network)):
        raise RelusymError("dedupe takes a sequence of networks or paths, not a single one")
    items = list(networks_or_paths)
    budget = Budget(limits, progress)
    names: dict[int, str] = {}
    call = partial(item_digest, numbers=numbers, normalize=normalize)
    try:
        for index, name in spread(call, items, executor, budget):
            names[index] = name
            budget.report("networks", len(names), len(items))
    except LimitReached as limit:
        raise Undecided(f"{limit} after {len(names)} of {len(items)} networks", partial=_groups(items, names)) from None
    return _groups(items, names)


def _groups(items: list[Item], names: Mapping[int, str]) -> list[list[Item]]:
    groups: dict[str, list[Item]] = {}
    for index in sorted(names):
        groups.setdefault(names[index], []).append(items[index])
    return list(groups.values())


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
