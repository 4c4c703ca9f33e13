"""Regions without a complex: one by one in bounded memory, at a point, or at random."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from relusym.errors import RelusymError, Undecided
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network
from relusym.polyhedral.arithmetic import Vector
from relusym.polyhedral.arrangement import Arrangement
from relusym.polyhedral.cells import Cell, GeneratedCell, PointedCell
from relusym.polyhedral.cone import Cone
from relusym.polyhedral.enumeration import Executor, counts, regions, workers_of
from relusym.polyhedral.programs import regions_by_programs


class Options(NamedTuple):
    """How regions are enumerated; see :func:`relusym.complex_of`."""

    vertices: bool | None = None
    executor: Executor | None = None
    workers: int | None = None
    limits: Limits | None = None
    progress: Progress | None = None


def stream(arrangement: Arrangement, options: Options) -> Iterator[Cell]:
    """Iterate over the activation regions of an arrangement.

    Raises
    ------
    Undecided
        When the limits end the enumeration; ``lower`` is the number of regions that were found.
    """
    budget = Budget(options.limits, options.progress)
    generated = arrangement.is_low_dimensional if options.vertices is None else options.vertices
    source = (
        regions(arrangement, budget, options.executor, options.workers)
        if generated
        else regions_by_programs(arrangement, budget, options.executor, options.workers)
    )
    count = 0
    try:
        for region in source:
            yield region
            count += 1
    except LimitReached as limit:
        raise Undecided(f"activation regions: {limit} after {count} of them", lower=count) from None


def count_regions(
    f: Network,
    *,
    domain: Any = None,
    vertices: bool | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> int:
    """Return the number of activation regions, in bounded memory; the parameters are those of :func:`complex_of`.

    Examples
    --------
    >>> from relusym import Network
    >>> count_regions(Network.shallow([1, 1], [[1], [1]], [0, -1], 0))
    3
    """
    arrangement = Arrangement([f], domain, limits=limits)
    options = Options(vertices, executor, workers, limits, progress)
    generated = arrangement.is_low_dimensional if vertices is None else vertices
    if executor is None or not generated or arrangement.field.degree > 1:
        return sum(1 for _ in stream(arrangement, options))
    budget, total = Budget(limits, progress), 0
    try:
        for count in counts(arrangement, executor, workers or workers_of(executor)):
            total += count
            budget.tick(count)
            budget.report("regions", total)
    except LimitReached as limit:
        raise Undecided(f"activation regions: {limit} after {total} of them", lower=total) from None
    return total


def iterate_regions(
    f: Network,
    *,
    domain: Any = None,
    vertices: bool | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Iterator[Cell]:
    """Iterate over the activation regions in bounded memory; the parameters are those of :func:`complex_of`.

    Examples
    --------
    >>> from relusym import Network
    >>> [cell.pattern for cell in iterate_regions(Network.shallow([1, 1], [[1], [1]], [0, -1], 0))]
    ['++', '+-', '--']
    """
    arrangement = Arrangement([f], domain, limits=limits)
    return stream(arrangement, Options(vertices, executor, workers, limits, progress))


def cell_at(f: Network, x: Sequence[Any], *, domain: Any = None) -> Cell:
    """Return the cell of C(θ) with a point in its relative interior; nothing else is enumerated.

    Raises
    ------
    DomainError
        Where the point is outside the domain.

    Examples
    --------
    >>> from relusym import Network
    >>> cell_at(Network.shallow([1, 1], [[1, 0], [0, 1]], [0, 0], 0), [3, 0])
    Cell(+0, dimension 1)
    """
    return cell_of_point(Arrangement([f], domain), x)


def random_region(f: Network, *, domain: Any = None, seed: int | None = None, scale: int = 10) -> Cell:
    """Return the activation region that a random rational point lies in; nothing else is enumerated.

    The point is a random convex combination of the vertices of the domain, plus random multiples (up to ``scale``) of
    its rays and lines: large regions are more likely than small ones.

    Raises
    ------
    RelusymError
        Where the domain has more than eight dimensions and is no whole space.

    Examples
    --------
    >>> from relusym import Network
    >>> random_region(Network.shallow([1, 1], [[1, 0], [0, 1]], [0, 0], 0), seed=1).dimension
    2
    """
    arrangement = Arrangement([f], domain)
    generator = random.Random(seed)
    cone = _random_source(arrangement)
    while True:
        total = [0] * (arrangement.dimension + 1)
        for g in cone.generators:
            weight = generator.randrange(1, 1 << 16)
            if not g.pos & 1:
                weight *= scale
            total = [a + weight * b for a, b in zip(total, g.vector, strict=True)]
        for line in cone.lines:
            weight = generator.randrange(-scale << 16, scale << 16)
            total = [a + weight * b for a, b in zip(total, line[0].vector, strict=True)]
        cell = _cell_of_vector(arrangement, total)
        if cell.dimension == arrangement.dimension:
            return cell


def cell_of_point(arrangement: Arrangement, x: Sequence[Any]) -> Cell:
    """Return the cell with a point in its relative interior."""
    return _cell_of_vector(arrangement, arrangement.generator_at(x).vector)


def _cell_of_vector(arrangement: Arrangement, vector: Vector) -> Cell:
    generator = arrangement.circuit.generator(vector)
    if not arrangement.is_low_dimensional:
        return PointedCell(arrangement, generator.vector, (generator.pos, generator.neg))
    cone = arrangement.cone_of(generator.pos, generator.neg)
    assert cone is not None, "the cell holds a point"
    return GeneratedCell(arrangement, cone)


def _random_source(arrangement: Arrangement) -> Cone:
    if arrangement.domain.walls and not arrangement.is_low_dimensional:
        raise RelusymError(
            f"random regions of a domain of {arrangement.dimension} dimensions with walls would need its vertices; a "
            "domain of at most eight dimensions, or none, is accepted"
        )
    return arrangement.root()
