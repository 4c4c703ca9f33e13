"""The complete decision: is the difference of two networks 0 on a domain, whatever their depths?

Depth-first search over cells (:mod:`relusym.decision.cells`): on each, what is left of the difference is rewritten; a
cell ends where nothing is left. Where all units are gone and an affine map that is not 0 is left, or at any point that
linear programs come past with a value that is not 0, the networks differ. The tree, with the steps of each cell, is the
proof of equality. Each split removes a unit, so the search ends; how many cells it needs is another matter, and limits
apply.

With an executor, the tree is first split into some hundred cells; each is a task.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from relusym.decision.cells import Cell, Refinement, Step, Vector
from relusym.decision.many import Submitter, spread
from relusym.decision.normal_form.difference import Difference
from relusym.decision.normal_form.forms import Form
from relusym.decision.normal_form.units import UnitTable
from relusym.decision.relaxation import somewhere_positive, unbounded_end
from relusym.decision.relaxed_signs import Fact
from relusym.exact.field import Field
from relusym.exact.polyhedral_domain import Domain, Polyhedron
from relusym.limits import Budget, Limits

_FRONTIER = 128
_REPORT_EVERY = 8


class Entry(NamedTuple):
    """A cell of the tree in the proof: its steps, and the unit that it is split along (None: nothing is left)."""

    steps: list[Step]
    split: int | None


class Search:
    """A search that can be taken up again; see :meth:`run`.

    Parameters
    ----------
    refinement
        The domain.
    stack
        The cells to look at, last one first.

    Attributes
    ----------
    entries
        The tree so far: a cell comes before its parts, the positive one first.
    """

    def __init__(self, refinement: Refinement, stack: list[Cell]) -> None:
        self.refinement = refinement
        self.stack = stack
        self.entries: list[Entry] = []

    def run(self, budget: Budget, most: int | None = None) -> Vector | None:
        """Search until the end, or for some cells; return the free inputs of a point where the networks differ."""
        while self.stack and most != 0:
            most = None if most is None else most - 1
            budget.tick(1)
            if len(self.entries) % _REPORT_EVERY == 0:
                budget.report("cells", len(self.entries))
            point = self._next()
            if point is not None:
                return point
        return None

    def _next(self) -> Vector | None:
        cell = self.stack.pop()
        steps, point = settle(self.refinement, cell)
        if point is not None:
            return point
        if cell.is_zero:
            self.entries.append(Entry(steps, None))
            return None
        unit = self.refinement.choice(cell)
        self.entries.append(Entry(steps, unit))
        self.stack.extend(reversed(self.refinement.split(cell, unit)))
        return None


def settle(refinement: Refinement, cell: Cell) -> tuple[list[Step], Vector | None]:
    """Rewrite the program of a cell; return the steps, and a point where it is not 0, if one is at hand."""
    steps = refinement.rewrite(cell)
    return steps, None if cell.is_zero else refinement.witness(cell)


def search(difference: Difference, domain: Domain) -> Search:
    """Return a search that has not begun."""
    table = difference.table
    refinement = Refinement(domain, table.field)
    forms = {unit: table.units[unit].form for unit in difference.units}
    return Search(refinement, [refinement.root(forms, difference.outputs)])


def run_on(executor: Submitter, found: Search, budget: Budget) -> Vector | None:
    """Run a search to its end on an executor; as :meth:`Search.run`."""
    tree: list[Entry | Cell] = [*found.entries, *reversed(found.stack)]
    refinement = found.refinement
    while 0 < sum(isinstance(item, Cell) for item in tree) < _FRONTIER and len(tree) < 4 * _FRONTIER:
        grown: list[Entry | Cell] = []
        for item in tree:
            budget.tick(1)
            if not isinstance(item, Cell):
                grown.append(item)
                continue
            single = Search(refinement, [item])
            point = single.run(budget, most=1)
            if point is not None:
                return point
            grown += [*single.entries, *reversed(single.stack)]
        tree = grown
    cells = [item for item in tree if isinstance(item, Cell)]
    left = budget.seconds_left()
    limits = Limits(seconds=None if left is None else max(left, 0), memory=budget.limits.memory)
    parts: dict[int, list[Entry]] = {}
    for index, (point, entries) in spread(partial(_explore, refinement, limits), cells, executor, budget):
        budget.tick(len(entries))
        budget.report("tasks", len(parts) + 1, len(cells))
        if point is not None:
            return list(point)
        parts[index] = entries
    waiting = iter(range(len(cells)))
    found.entries = [entry for item in tree for entry in (parts[next(waiting)] if isinstance(item, Cell) else (item,))]
    found.stack = []
    return None


def _explore(refinement: Refinement, limits: Limits, cell: Cell) -> tuple[Vector | None, list[Entry]]:
    below = Search(refinement, [cell])
    return below.run(Budget(limits)), below.entries


def tree_texts(found: Search, domain: Domain, ground: Field) -> dict[str, Any]:
    """Return what a "tree" certificate says beyond the units and roles of both networks."""
    text = ground.text
    data: dict[str, Any] = {"tree": [_entry(entry, text) for entry in found.entries]}
    if isinstance(domain, Polyhedron):
        data["hull"] = {
            "tight": [[item.wall, _factors(item.multipliers, text)] for item in domain.tight],
            "inputs": [
                {
                    "input": item.name,
                    "form": list(map(text, item.form)),
                    "factors": _factors(item.factors, text),
                }
                for item in domain.solved
            ],
        }
    return data


def _factors(factors: Mapping[int, Any], text: Any) -> list[list[Any]]:
    return [[wall, text(factor)] for wall, factor in factors.items()]


def _fact(fact: Fact, factor: Any, text: Callable[[Any], str]) -> list[Any]:
    """Return ["wall", i, factor], or as the fact is called, with its units and numbers."""
    word, *places = fact
    return [word, *(place if isinstance(place, int) else text(place) for place in places), text(factor)]


def _entry(entry: Entry, text: Any) -> dict[str, Any]:
    steps: list[list[Any]] = []
    for step in entry.steps:
        if step.word == "constant":
            steps.append(["constant", step.unit])
        elif step.word == "multiple":
            steps.append(["multiple", step.unit, step.other, text(step.factor)])
        else:
            proof = () if step.multipliers is None else ([_fact(*item, text) for item in step.multipliers],)
            steps.append(["sign", step.unit, step.factor, *proof])
    return {"steps": steps} if entry.split is None else {"steps": steps, "split": entry.split}


def hull_of(domain: Polyhedron) -> dict[int, Form]:
    """Return the inputs of a polyhedron that are not free as forms in those that are."""
    return {item.name: domain.coordinate(item.name) for item in domain.solved}


def table_on(domain: Domain, ground: Field, *, sharpen: bool = False, thorough: Budget | None = None) -> UnitTable:
    """Return an empty table of units on a domain; ``thorough``: with a budget for cells to decide signs."""
    box = domain.frame if isinstance(domain, Polyhedron) else domain
    hull = hull_of(domain) if isinstance(domain, Polyhedron) else None
    if thorough is None:
        return UnitTable(ground, box, sharpen=sharpen, hull=hull)
    refinement = Refinement(domain, ground)
    bounded = unbounded_end(refinement) is None
    sign_of = partial(_sign, refinement, bounded, thorough)
    return UnitTable(ground, box, hull=hull, sign_of=sign_of)


def _sign(refinement: Refinement, bounded: bool, budget: Budget, table: UnitTable, form: Form) -> int:
    """Return 1 where a form in units is never negative on the domain, −1 where never positive, else 0."""
    forms = {unit: table.units[unit].form for unit in table.below([form])}
    for sign in (1, -1):
        opposite = {signal: value * -sign for signal, value in form.items()}
        if not somewhere_positive(refinement, forms, opposite, bounded, budget):
            return sign
    return 0
