"""How far apart are two networks on a bounded domain? The exact supremum of |f − g|, and a point where it is taken.

Branch and bound over the cells of both networks (:mod:`relusym.decision.cells`). On a cell, every unit that is left is
bounded by lines: σ(h) ≤ the chord of σ between bounds of h, σ(h) ≥ h or 0. Put in for the units, from the last one to
the first, they leave forms in the inputs, whose greatest value an exact linear program finds: an upper bound of
±(f_j − g_j). The point that it finds gives a lower bound. The cell with the largest upper bound is split next. Where no
units are left both bounds agree; so the search ends with the exact value, or, when limits end it, with exact bounds.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from relusym.decision.cells import Cell, Refinement, Vector
from relusym.decision.deep_equality import normal_forms
from relusym.decision.normal_form.difference import Difference
from relusym.decision.relaxation import tightened, unbounded_end
from relusym.errors import DomainError, ShapeError, Undecided
from relusym.exact.field import Field
from relusym.exact.polyhedral_domain import read_domain
from relusym.exact.tower import common_tower
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network, require_network


@dataclass(frozen=True)
class MaxDifference:
    """The greatest value of |f_j − g_j| over a domain and all outputs j, or exact bounds of it.

    Attributes
    ----------
    value : SymPy number or None
        The supremum, exactly; None where limits ended the search.
    lower, upper : SymPy number
        Proved bounds: ``lower`` is taken at ``point``; both are ``value`` where that is known. ``upper`` is None
        where limits ended the search before there was any.
    point : tuple
        A point of the domain, exact SymPy numbers.
    output : int
        The j with |f_j − g_j| = ``lower`` at ``point``.
    cells : int
        How many cells were looked at.
    reason : str
        One line.
    texts : mapping
        value, lower, upper and point as text that reads back equal.
    """

    value: Any | None
    lower: Any
    upper: Any | None
    point: tuple[Any, ...]
    output: int
    cells: int
    reason: str
    texts: Mapping[str, Any]


def max_difference(
    f: Network, g: Network, domain: object, *, limits: Limits | None = None, progress: Progress | None = None
) -> MaxDifference:
    """Return the exact supremum of |f − g| over a bounded domain and all outputs, and where it is taken.

    Parameters
    ----------
    f, g
        Networks with the same numbers of inputs and outputs; depths and widths may differ.
    domain
        A bounded box or polyhedron, as in :func:`relusym.equal`.
    limits, progress
        See :class:`relusym.Limits`; a cell is an item. When they end the search, ``.value`` is None, and ``.lower`` and
        ``.upper`` are exact bounds.

    Raises
    ------
    ShapeError
        Where the networks have different numbers of inputs or outputs.
    DomainError
        Where the domain is empty, not bounded, or no domain of m coordinates.
    Undecided
        Where limits end the computation before there are any bounds.

    Examples
    --------
    >>> from relusym import Network
    >>> f = Network.shallow([1, 1], [[1], [-1]], [0, 0], 0)  # |x|
    >>> found = max_difference(f, Network([([["1/2"]], [0])]), [(-1, 3)])
    >>> found.value, found.point
    (3/2, (-1,))
    """
    require_network(f, "max_difference")
    require_network(g, "max_difference")
    for name, a, b in (("inputs", f.widths[0], g.widths[0]), ("outputs", f.widths[-1], g.widths[-1])):
        if a != b:
            raise ShapeError(f"the networks have {a} and {b} {name}; the same number is due")
    budget = Budget(limits, progress)
    tower = common_tower([f.field, g.field], budget.limits.field_degree)
    if domain is None:
        raise DomainError("max_difference needs a bounded domain: a box or inequalities; None is all of R^m")
    where = read_domain(domain, f.widths[0], tower)
    refinement = Refinement(where, tower.field)
    end = unbounded_end(refinement)
    if end is not None:
        raise DomainError(f"the domain is not bounded: input {end[0]} has no {end[1]} end; a bounded one is due")
    try:
        difference = normal_forms(f, g, tower, where, budget).difference
    except LimitReached as limit:
        raise Undecided(f"{limit} before there were any bounds") from None
    forms = {unit: difference.table.units[unit].form for unit in difference.units}
    root = refinement.root(forms, difference.outputs)
    search = _Search(refinement, root, tower.field, _partners(difference), _interval_bound(difference))
    try:
        search.run(budget)
    except LimitReached as limit:
        return search.answer(f"{limit}: exact bounds, not the value", False)
    return search.answer("the upper bound is taken at the point", True)


def _interval_bound(difference: Difference) -> Any:
    """Return an upper bound of the outputs' sizes by interval arithmetic, or None where an interval is not bounded."""
    ends: list[Any] = [end for form in difference.outputs for end in difference.table.bounds(form, form)]
    return None if any(end is None for end in ends) else max(abs(end) for end in ends)


def _partners(difference: Difference) -> dict[int, int]:
    """Return, for units of g, those of f that are in the same place: near ones, where the networks are nearly equal."""
    places: dict[tuple[int, int], int] = {}
    partners = {}
    for unit in difference.units:
        network, layer, place = difference.table.units[unit].base
        if network == 0:
            places[layer, place] = unit
        elif (layer, place) in places:
            partners[unit] = places[layer, place]
    return partners


class _Open(NamedTuple):
    """A cell with an upper bound; the one with the greatest comes first."""

    bound: Any
    number: int
    cell: Cell
    unit: int | None

    def __lt__(self, other: Any) -> bool:
        return bool(self.bound > other.bound or (self.bound == other.bound and self.number < other.number))


class _Search:
    """Branch and bound; the best point so far, and the cells that may hold a better one."""

    def __init__(
        self, refinement: Refinement, root: Cell, field: Field, partners: Mapping[int, int], first_bound: Any
    ) -> None:
        self._refinement, self._field, self._partners = refinement, field, partners
        self._first_bound = first_bound
        self._root = root
        self._heap: list[_Open] = []
        self._cells = 0
        self._started = False
        self._pending: list[Any] = []  # upper bounds of cells whose parts are being looked at
        self._point = root.points[0]
        self._lower, self._output = refinement.zero, 0
        self._try(root, self._point)

    def run(self, budget: Budget) -> None:
        """Search until the lower bound is the upper one."""
        self._look_at(self._root, budget)
        self._started = True
        while self._heap and self._heap[0].bound > self._lower:
            budget.report("cells", self._cells)
            top = heapq.heappop(self._heap)
            self._pending = [top.bound]
            assert top.unit is not None, "a cell without units has a bound that is taken"
            for part in self._refinement.split(top.cell, top.unit):
                self._look_at(part, budget)
            self._pending = []

    def answer(self, reason: str, done: bool) -> MaxDifference:
        """Return what is known."""
        bounds = [self._lower, *(item.bound for item in self._heap[:1]), *self._pending]
        upper = max(bounds) if self._started else self._first_bound
        value = self._lower if done else None
        point = self._refinement.complete(self._point)
        numbers = {"value": value, "lower": self._lower, "upper": upper}
        sympy, text = self._field.sympy, self._field.text
        exact = {name: None if number is None else sympy(number) for name, number in numbers.items()}
        texts: dict[str, Any] = {name: None if number is None else text(number) for name, number in numbers.items()}
        texts["point"] = list(map(text, point))
        return MaxDifference(
            **exact,
            point=tuple(map(sympy, point)),
            output=self._output,
            cells=self._cells,
            reason=reason,
            texts=texts,
        )

    def _look_at(self, cell: Cell, budget: Budget) -> None:
        budget.tick(1)
        self._cells += 1
        refinement = self._refinement
        bounder = tightened(refinement, cell, budget, self._partners)
        bound = refinement.zero
        for form in cell.outputs:
            for sign in (1, -1):
                most = bounder.most({signal: value * sign for signal, value in form.items()})
                bound = max(bound, most[0])
                self._try(cell, most[1])
        if bound > self._lower:
            unit = bounder.widest(refinement.choice(cell)) if cell.forms else None
            heapq.heappush(self._heap, _Open(bound, self._cells, cell, unit))

    def _try(self, cell: Cell, point: Vector) -> None:
        for output, value in enumerate(self._refinement.outputs_at(cell, point)):
            if abs(value) > self._lower:
                self._lower, self._point, self._output = abs(value), point, output
