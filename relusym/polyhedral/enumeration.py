"""Activation regions one by one: a walk through the tree of cuts, in memory that does not grow with their number.

A node of the tree is a polyhedron on which the first stages are linear; the first neuron of the next stage that takes
both signs on it makes two of it. The walk is depth first, so only the path to the present region and the generators
shared with its neighbours are held. Workers walk through subtrees; the regions come in the same order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeAlias

from relusym.limits import Budget
from relusym.polyhedral.arrangement import Arrangement
from relusym.polyhedral.cells import Cell, GeneratedCell
from relusym.polyhedral.circuit import Circuit, Generator
from relusym.polyhedral.cone import Cone, Cutter, Line

_TASKS_A_WORKER = 16
_OUTSTANDING = 8
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
    return _distributed(arrangement, root, executor, workers or _workers(executor))


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

_Packed: TypeAlias = tuple[list[tuple[list[Any], int, int]], list[tuple[list[int], list[int], int, int]]]


def _workers(executor: Executor) -> int:
    count = getattr(executor, "_max_workers", None)
    return int(count) if count else 4


def _distributed(arrangement: Arrangement, root: Node, executor: Executor, workers: int) -> Iterator[Cone]:
    circuit = arrangement.circuit
    frontier = iter(_frontier(arrangement.cutter, root, workers * _TASKS_A_WORKER))
    running: deque[Any] = deque()

    def start(count: int) -> None:
        for node in islice(frontier, count):
            running.append(executor.submit(explore, circuit, _pack([node])))

    start(workers * _OUTSTANDING)
    while running:
        packed = running.popleft().result()
        start(1)
        for node in _unpack(packed):
            yield node.cone


def _frontier(cutter: Cutter, root: Node, count: int) -> list[Node]:
    """Return at least ``count`` nodes (or all regions), in the order of the walk."""
    nodes, grew = [root], True
    while len(nodes) < count and grew:
        split = [children(cutter, node) or (node,) for node in nodes]
        grew = any(len(parts) > 1 for parts in split)
        nodes = [node for parts in split for node in parts]
    return nodes


def explore(circuit: Circuit, packed: _Packed) -> _Packed:
    """Return the regions below packed nodes, packed: a task for a worker."""
    cutter = Cutter(circuit)
    nodes = _unpack(packed, circuit)
    return _pack([Node(cone, 0) for cone in walk(cutter, nodes)])


def _pack(nodes: list[Node]) -> _Packed:
    """Return nodes as plain data: a table of generators, and the places there of each node's."""
    places: dict[Generator, int] = {}

    def place(generator: Generator) -> int:
        return places.setdefault(generator, len(places))

    listed = [
        (
            [place(g) for g in cone.generators],
            [place(g) for line in cone.lines for g in line],
            cone.rank,
            stage,
        )
        for cone, stage in nodes
    ]
    return [(g.vector, g.pos, g.neg) for g in places], listed


def _unpack(packed: _Packed, circuit: Circuit | None = None) -> list[Node]:
    """Return the nodes; with ``circuit`` their generators are evaluated, so that they can be cut again."""
    table, listed = packed
    generators = [
        Generator(vector, [], pos, neg) if circuit is None else circuit.generator(vector) for vector, pos, neg in table
    ]
    nodes = []
    for own, ends, rank, stage in listed:
        directions = [generators[index] for index in ends]
        lines: tuple[Line, ...] = tuple(zip(directions[::2], directions[1::2], strict=True))
        nodes.append(Node(Cone(tuple(generators[index] for index in own), lines, rank), stage))
    return nodes
