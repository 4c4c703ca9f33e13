"""Are two networks the same function? One decision for all depths.

At most one hidden layer on both sides: by ridge forms, complete on R^m and on boxes, linear in the parameters.
Deeper: "equal" where the normal forms agree (:mod:`relusym.decision.normal_form`), "different" where a search finds a
witness; else the cells of both decide (:mod:`relusym.decision.complete`). On polyhedra these decide at
any depth.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flint import fmpq

from relusym.decision.certificates import certificate
from relusym.decision.complete import Search, run_on, search, tree_texts
from relusym.decision.deep_equality import NormalForms, normal_forms
from relusym.decision.many import Submitter
from relusym.decision.narration import narrate
from relusym.decision.shallow_equality import compare
from relusym.decision.witness import Counterexample, shorten
from relusym.errors import RelusymError, ShapeError
from relusym.exact.box import Box, whole_space
from relusym.exact.polyhedral_domain import Domain, Polyhedron, read_domain
from relusym.exact.tower import Tower, common_tower
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network, require_network
from relusym.shallow.masses import Vector
from relusym.verdict import Certificate, Decision

_FEW = 16
_FIRST_CELLS = 256
_LARGE = 2_000


class Equality(Decision):
    """The answer of :func:`equal`.

    Attributes
    ----------
    verdict : str
        "equal", "different" or "undecided".
    counterexample : Counterexample or None
        For "different": a point with both values.
    """

    def __init__(
        self,
        truth: bool | None,
        reason: str,
        *,
        counterexample: Counterexample | None = None,
        certificate: Certificate | None = None,
    ) -> None:
        super().__init__(truth, reason, witness=counterexample, certificate=certificate)
        self.counterexample = counterexample

    @property
    def verdict(self) -> str:
        """The answer as a word."""
        return {True: "equal", False: "different", None: "undecided"}[self.truth]

    def explain(self) -> str:
        """Return the argument as text, one step a line."""
        steps = () if self.certificate is None else narrate(self.certificate)
        return "\n".join([*steps, f"{self.verdict}: {self.reason}"])


def equal(
    f: Network,
    g: Network,
    *,
    domain: object = None,
    up_to: str | None = None,
    sharpen: bool = False,
    executor: Submitter | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Equality:
    """Decide whether two networks realise the same function, exactly.

    Parameters
    ----------
    f, g
        Networks with the same number of inputs m and of outputs k; depths and widths may differ.
    domain
        None for all of R^m; a box: a sequence of one (low, high) for each input, None for an infinite end; or a
        polyhedron: a sequence of linear inequalities (row, bound), row · x <= bound. It may be of lower dimension.
    up_to
        None, or "positive-scale": is g = c · f for some c > 0? The answer then has .scale.
    sharpen
        For deeper networks: whether exact linear programs look for active and inactive neurons that interval bounds
        do not show (needs the extra ``deep``).
    executor
        Any ``concurrent.futures.Executor``, or a Dask client: where deeper networks are compared cell by cell, the
        cells are looked at there. None: here.
    limits, progress
        See :class:`relusym.Limits`. When they end the computation the answer is "undecided"; a cell is an item.

    Returns
    -------
    Equality
        .truth, .verdict, .reason, .counterexample (a rational point wherever the domain allows one, replayed
        exactly), .certificate (checked by :func:`relusym.check`), .explain(). Complete: without limits never
        "undecided". Linear in the parameters for at most one hidden layer on boxes (ridge forms; the paper's
        Theorems 3 and 4); for deeper networks the cells to compare can be exponentially many.

    Raises
    ------
    ShapeError
        Where the networks have different numbers of inputs or outputs.
    DomainError
        Where the domain is empty, or no domain of m coordinates.
    FieldError
        Where the field that holds all numbers is beyond ``limits.field_degree``.

    Examples
    --------
    >>> from relusym import Network, equal, load
    >>> equal(load("example:theta1"), load("example:theta2")).verdict
    'equal'
    >>> decision = equal(Network.shallow([1], [[1]], [0], 0), Network.shallow([1], [[1]], ["1e-9"], 0))
    >>> decision.verdict, decision.counterexample
    ('different', Counterexample(x=(0,), f=(0,), g=(1/1000000000,)))
    """
    for network in (f, g):
        require_network(network, "equal")
    for name, a, b in (("inputs", f.widths[0], g.widths[0]), ("outputs", f.widths[-1], g.widths[-1])):
        if a != b:
            raise ShapeError(f"the networks have {a} and {b} {name}; the same number is due")
    if up_to is not None:
        from relusym.decision.scale import equal_up_to_scale

        if up_to != "positive-scale":
            raise RelusymError(f'up_to must be None or "positive-scale"; got {up_to!r:.40}')
        return equal_up_to_scale(f, g, domain=domain, limits=limits, progress=progress)
    budget = Budget(limits, progress)
    tower = common_tower([f.field, g.field], budget.limits.field_degree)
    stated = None if domain is None else read_domain(domain, f.widths[0], tower)
    question = _Question(f, g, tower, stated)
    try:
        if max(f.depth, g.depth) <= 1 and not isinstance(stated, Polyhedron):
            return _shallow(question, stated or whole_space(f.widths[0]), budget)
        return _deep(question, budget, sharpen, executor)
    except LimitReached as limit:
        return Equality(None, f"{limit} before an answer was found")


class _Question:
    """Two networks over one field on one domain, with exact evaluation there."""

    def __init__(self, f: Network, g: Network, tower: Tower, stated: Domain | None) -> None:
        self.networks = f, g
        self.tower = tower
        self.stated = stated
        self.domain: Domain = whole_space(f.widths[0]) if stated is None else stated
        self.where = "" if stated is None else " on the polyhedron" if isinstance(stated, Polyhedron) else " on the box"
        self.embeddings = tower.embedding(f.field), tower.embedding(g.field)
        self.size = sum(layer.weight.nrows * layer.weight.ncols for net in (f, g) for layer in net.layers)

    def values(self, point: Vector) -> tuple[list[Any], list[Any]]:
        """Return f(x) and g(x)."""
        left, right = (
            network.evaluate(point, embedding)
            for network, embedding in zip(self.networks, self.embeddings, strict=True)
        )
        return left, right

    def differ(self, point: Vector) -> bool:
        """Return whether the two functions differ at a point."""
        left, right = self.values(point)
        return left != right

    def separating(self, points: Iterable[Vector], budget: Budget) -> Vector | None:
        """Return the first of the points where the functions differ."""
        for count, point in enumerate(points):
            budget.report("points", count)
            if self.differ(point):
                return point
        return None

    def different(self, point: Vector, reason: str) -> Equality:
        """Return the answer "different" with a witness: the point made short, replayed, with its certificate."""
        tries = 6 if self.size <= 20_000 else 1
        point = self._shortened(point, tries)
        left, right = self.values(point)
        field = self.tower.field
        x, y, z = (tuple(map(field.sympy, vector)) for vector in (point, left, right))
        texts = {name: list(map(field.text, vector)) for name, vector in (("x", point), ("f", left), ("g", right))}
        proven = certificate("point", "different", self.networks, self.tower, self.stated, **texts)
        return Equality(False, reason, counterexample=Counterexample(x, y, z), certificate=proven)

    def _shortened(self, point: Vector, tries: int) -> Vector:
        domain, field = self.domain, self.tower.field
        if isinstance(domain, Box):
            return shorten(field, domain, point, self.differ, tries)
        # in coordinates of the affine hull, and moved into the interior, so that rounding stays inside
        inside, share = domain.interior(), fmpq(1, 1 << 10)
        free = [point[index] for index in domain.free]
        if any(field.to_rational(value) is None for value in point):
            while True:
                moved = [a + share * (b - a) for a, b in zip(free, inside, strict=True)]
                if self.differ(domain.complete(moved)):
                    break
                share /= 1 << 10
            free = moved

        def replay(t: Vector) -> bool:
            x = domain.complete(t)
            return domain.contains(x) and self.differ(x)

        return domain.complete(shorten(field, whole_space(len(free)), free, replay, tries))

    def equal(self, kind: str, reason: str, **data: Any) -> Equality:
        """Return the answer "equal" with its certificate."""
        proven = certificate(kind, "equal", self.networks, self.tower, self.stated, **data)
        return Equality(True, reason, certificate=proven)


def _shallow(question: _Question, box: Box, budget: Budget) -> Equality:
    f, g = question.networks
    comparison = compare(f, g, question.tower, box, budget)
    if comparison.equal:
        return question.equal("ridges", f"the ridge forms agree{question.where}", **comparison.proof())
    point = question.separating(comparison.points(box), budget)
    assert point is not None, "a difference of ridge forms separates at one of its points"
    if comparison.ridge is not None:
        text = ", ".join(map(question.tower.field.text, comparison.ridge)) if len(comparison.ridge) <= 12 else "…"
        return question.different(point, f"the gradient jumps differ across the ridge with row ({text})")
    return question.different(point, "the ridges agree, the affine parts differ")


def _deep(question: _Question, budget: Budget, sharpen: bool, executor: Submitter | None) -> Equality:
    f, g = question.networks
    polyhedral = isinstance(question.domain, Polyhedron)
    forms = normal_forms(f, g, question.tower, question.domain, budget, sharpen=sharpen)
    if forms.equal and not polyhedral:
        return question.equal("rewrites", f"the normal forms agree{question.where}", **forms.proof())
    found = search(forms.difference, question.domain)
    point = None if polyhedral else _sampled(question, forms, found, budget)
    if point is not None:
        return question.different(point, f"the outputs differ at a point; {forms.parting()}")
    point = found.run(budget) if executor is None else run_on(executor, found, budget)
    if point is not None:
        x = found.refinement.complete(point)
        return question.different(x, f"the outputs differ in a cell; {forms.parting()}")
    return _equal_by_cells(question, forms, found)


def _sampled(question: _Question, forms: NormalForms, found: Search, budget: Budget) -> Vector | None:
    """Return a point where the functions differ, if it is easily found; some cells come before a longer search."""
    if forms.difference.is_shallow:
        return forms.witness(_FEW, budget)
    x = forms.difference.sampled(_FEW, budget)
    if x is None and question.size <= _LARGE:
        point = found.run(budget, most=_FIRST_CELLS)
        x = None if point is None else found.refinement.complete(point)
    if x is None and found.stack:
        x = forms.witness(max(_FEW, min(256, 2_000_000 // max(question.size, 1))), budget)
    return x


def _equal_by_cells(question: _Question, forms: NormalForms, found: Search) -> Equality:
    leaves = sum(entry.split is None for entry in found.entries)
    reason = f"nothing is left of the difference{question.where}" + (
        "" if leaves == 1 else f", on each of {leaves} cells"
    )
    tree = tree_texts(found, question.domain, question.tower.field)
    return question.equal("tree", reason, **forms.proof(), **tree)
