"""Equality of many pairs of networks, on one processor or on many."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from relusym.decision.equality import Equality, equal
from relusym.decision.many import Item, Submitter, spread
from relusym.errors import Undecided
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network


def equal_pairs(
    pairs: Iterable[tuple[Item, Item]],
    *,
    executor: Submitter | None = None,
    domain: object = None,
    numbers: str = "decimal",
    normalize: bool = False,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> list[Equality]:
    """Decide for each pair whether its networks are the same function; see :func:`relusym.equal`.

    Parameters
    ----------
    pairs
        Pairs of networks, or of paths of their files.
    executor
        Any ``concurrent.futures.Executor``, or a Dask client: files are read and compared there. None: here.
    domain
        A box for all pairs, or None.
    numbers, normalize
        How files are read, see :func:`relusym.load`.
    limits
        For each pair; its seconds bound the whole as well.

    Raises
    ------
    ShapeError, FormatError, DomainError
        As :func:`relusym.equal` and :func:`relusym.load` do.
    Undecided
        Where ``limits`` end the whole; ``.partial`` maps the index of each pair that was answered to its answer.

    Examples
    --------
    >>> from relusym import equal_pairs
    >>> answers = equal_pairs([("example:theta1", "example:theta2"), ("example:weighted", "example:swapped")])
    >>> [answer.verdict for answer in answers]
    ['equal', 'different']
    """
    items = list(pairs)
    budget = Budget(limits, progress)
    answers: dict[int, Equality] = {}
    call = partial(_equal_pair, domain=domain, numbers=numbers, normalize=normalize, limits=limits)
    try:
        for index, answer in spread(call, items, executor, budget):
            answers[index] = answer
            budget.report("pairs", len(answers), len(items))
    except LimitReached as limit:
        raise Undecided(f"{limit} after {len(answers)} of {len(items)} pairs", partial=answers) from None
    return [answers[index] for index in range(len(items))]


def _equal_pair(
    pair: tuple[Item, Item], domain: object, numbers: str, normalize: bool, limits: Limits | None
) -> Equality:
    f, g = (_loaded(item, numbers, normalize) for item in pair)
    return equal(f, g, domain=domain, limits=limits)


def _loaded(item: Any, numbers: str, normalize: bool) -> Network:
    from relusym.io import load

    return item if isinstance(item, Network) else load(item, numbers=numbers, normalize=normalize)
