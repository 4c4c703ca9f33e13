"""Activation regions one by one: a walk through the tree of cuts, in memory that does not grow with their number.

A node of the tree is a polyhedron on which the first stages are linear; the first neuron of the next stage that takes
both signs on it makes two of it. The walk is depth first, so only the path to the present region and the generators
shared with its neighbours are held. Workers walk through subtrees; the regions come in the same order.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar

from relusym.limits import Budget
from relusym.polyhedral.arrangement import Arrangement
from relusym.polyhedral.cells import Cell, GeneratedCell
from relusym.polyhedral.circuit import Circuit, Generator
from relusym.polyhedral.cone import Cone, Cutter, Line

T = TypeVar("T")
N = TypeVar("N")

TASKS_A_WORKER = 8
_OUTSTANDING = 4
_REPORT_EVERY = 256


class Executor(Protocol):
    """What runs tasks: ``concurrent.futures.Executor``, or the client of Dask."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Start a task; ``.result()`` of what is returned waits for its answer."""
        ...


class Node(NamedTuple):
    """A polyhedron and the last stage whose forms are linear on it."""

    cone: Cone
    stage: int


def children(cutter: Cutter, node: Node) -> tuple[Node, Node] | None:
    """Return the two parts of a node, or None where no neuron crosses it: then it is a region."""
    cone, stage = node
    signs = cone.signs()
    both = signs[0] & signs[1]
    if not both:
        return None
    stages = cutter.circuit.stages
    while not (crossing := both & stages[stage].mask):
        stage += 1
        if stage == len(stages):
            return None
    parts = cutter.cut(cone, (crossing & -crossing).bit_length() - 1, stage, signs)
    return Node(parts.positive(), stage), Node(parts.negative(), stage)


def walk(cutter: Cutter, nodes: list[Node]) -> Iterator[Cone]:
    """Iterate over the regions below some nodes."""
    stack = nodes[::-1]
    while stack:
        node = stack.pop()
        parts = children(cutter, node)
        if parts is None:
            yield node.cone
        else:
            stack.append(parts[1])
            stack.append(parts[0])


def cones(arrangement: Arrangement, executor: Executor | None = None, workers: int | None = None) -> Iterator[Cone]:
    """Iterate over all regions as cones; the order does not depend on the executor."""
    root = Node(arrangement.root(), 0)
    if executor is None or arrangement.field.degree > 1:
        return walk(arrangement.cutter, [root])
    return _distributed(arrangement, root, executor, workers or workers_of(executor))


def regions(
    arrangement: Arrangement, budget: Budget, executor: Executor | None = None, workers: int | None = None
) -> Iterator[Cell]:
    """Iterate over all regions, within a budget.

    Raises
    ------
    LimitReached
        When the budget runs out.
    """
    for count, cone in enumerate(cones(arrangement, executor, workers), start=1):
        budget.tick(1)
        if count % _REPORT_EVERY == 0:
            budget.report("regions", count)
        yield GeneratedCell(arrangement, cone)


# -- workers


class Packed(NamedTuple):
    """Nodes as plain data: a table of generators, and the places there of each node's, one after the other.

    ``sizes`` holds for each node the number of its generators, that of the ends of its lines, its rank and its stage.
    """

    vectors: list[Any]
    signs: list[int]
    places: array[int]
    sizes: array[int]


def workers_of(executor: Executor) -> int:
    """Return how many workers an executor has, as far as it says so."""
    count = getattr(executor, "_max_workers", None)
    return int(count) if count else 4


def _distributed(arrangement: Arrangement, root: Node, executor: Executor, workers: int) -> Iterator[Cone]:
    for packed in spread(executor, workers, explore, _tasks(arrangement, root, workers)):
        for node in unpack(packed):
            yield node.cone


def counts(arrangement: Arrangement, executor: Executor, workers: int) -> Iterator[int]:
    """Iterate over numbers of regions that sum up to that of all: nothing else comes back from the workers."""
    return spread(executor, workers, count_below, _tasks(arrangement, Node(arrangement.root(), 0), workers))


def _tasks(arrangement: Arrangement, root: Node, workers: int) -> Iterator[tuple[Circuit, Packed]]:
    nodes = frontier(root, lambda node: children(arrangement.cutter, node), workers * TASKS_A_WORKER)
    return ((arrangement.circuit, pack([node])) for node in nodes)


def spread(
    executor: Executor, workers: int, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]]
) -> Iterator[T]:
    """Iterate over the results of tasks, in their order; only so many run ahead of what is asked for."""
    waiting = iter(tasks)
    running = deque(executor.submit(function, *task) for task in islice(waiting, workers * _OUTSTANDING))
    try:
        while running:
            result = running.popleft().result()
            running.extend(executor.submit(function, *task) for task in islice(waiting, 1))
            yield result
    finally:
        for task in running:
            task.cancel()


def frontier(root: N, parts_of: Callable[[N], Sequence[N] | None], count: int) -> list[N]:
    """Return at least ``count`` nodes of a tree (or all its leaves), in the order of a walk."""
    nodes, grew = [root], True
    while len(nodes) < count and grew:
        split = [parts_of(node) or (node,) for node in nodes]
        grew = any(parts[0] is not node for parts, node in zip(split, nodes, strict=True))
        nodes = [node for parts in split for node in parts]
    return nodes


def explore(circuit: Circuit, packed: Packed) -> Packed:
    """Return the regions below packed nodes, packed: a task for a worker."""
    cutter = Cutter(circuit)
    return pack(Node(cone, 0) for cone in walk(cutter, list(unpack(packed, circuit))))


def count_below(circuit: Circuit, packed: Packed) -> int:
    """Return the number of regions below packed nodes: a task for a worker."""
    return sum(1 for _ in walk(Cutter(circuit), list(unpack(packed, circuit))))


def pack(nodes: Iterable[Node]) -> Packed:
    """Return nodes as plain data."""
    known: dict[Generator, int] = {}
    packed = Packed([], [], array("L"), array("L"))
    for cone, stage in nodes:
        generators = [*cone.generators, *(end for line in cone.lines for end in line)]
        for generator in generators:
            if generator not in known:
                known[generator] = len(known)
                packed.vectors.extend(generator.vector)
                packed.signs.extend((generator.pos, generator.neg))
        packed.places.extend(map(known.__getitem__, generators))
        packed.sizes.extend((len(cone.generators), 2 * len(cone.lines), cone.rank, stage))
    return packed


def unpack(packed: Packed, circuit: Circuit | None = None) -> Iterator[Node]:
    """Iterate over packed nodes; with ``circuit`` their generators are evaluated, so that they can be cut again."""
    count = len(packed.signs) // 2
    size = len(packed.vectors) // count if count else 0
    table = []
    for index in range(count):
        vector = packed.vectors[index * size : (index + 1) * size]
        pos, neg = packed.signs[2 * index : 2 * index + 2]
        table.append(Generator(vector, [], pos, neg) if circuit is None else circuit.generator(vector))
    begin = 0
    for index in range(0, len(packed.sizes), 4):
        own, ends, rank, stage = packed.sizes[index : index + 4]
        middle, end = begin + own, begin + own + ends
        generators = tuple(map(table.__getitem__, packed.places[begin:middle]))
        directions = [table[place] for place in packed.places[middle:end]]
        yield Node(Cone(generators, tuple(_lines(directions)), rank), stage)
        begin = end


def _lines(directions: list[Generator]) -> Iterator[Line]:
    """Iterate over lines given as one list of their ends."""
    return zip(directions[::2], directions[1::2], strict=True)
