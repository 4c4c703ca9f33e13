"""Are two networks the same function up to one positive output scale: is g = c · f for some c > 0?

A point x with f(x) ≠ 0 fixes the only possible c; then c · f and g are compared as any two networks are. "Different"
is shown by that point alone, where no positive c fits, or together with a second point that refutes its c.
"""

from __future__ import annotations

from typing import Any

from relusym.decision.equality import Equality, equal
from relusym.decision.witness import Counterexample
from relusym.exact.field import Field
from relusym.exact.matrix import column_of, make_matrix, rows_of
from relusym.exact.numbers import read_point, settle
from relusym.exact.polyhedral_domain import Domain, read_domain
from relusym.exact.tower import Tower, common_tower
from relusym.limits import Limits, Progress
from relusym.parameters.certificate import certificate
from relusym.parameters.network import Layer, Network
from relusym.verdict import Certificate


class EqualityUpToScale(Equality):
    """The answer of :func:`equal` with ``up_to="positive-scale"``.

    Attributes
    ----------
    scale : SymPy number or None
        For "equal", c > 0 with g = c · f (1 where both are zero).
    """

    def __init__(
        self,
        truth: bool | None,
        reason: str,
        *,
        scale: Any = None,
        counterexample: Counterexample | None = None,
        certificate: Certificate | None = None,
    ) -> None:
        super().__init__(truth, reason, counterexample=counterexample, certificate=certificate)
        self.scale = scale


def equal_up_to_scale(
    f: Network, g: Network, *, domain: object, limits: Limits | None, progress: Progress | None
) -> EqualityUpToScale:
    """Decide whether g = c · f for some c > 0; see :func:`relusym.equal`."""
    options: dict[str, Any] = {"domain": domain, "limits": limits, "progress": progress}
    zero = Network([([[0] * f.widths[0] for _ in range(f.widths[-1])], [0] * f.widths[-1])])
    vanishing = equal(f, zero, **options)
    if vanishing.truth is None:
        return EqualityUpToScale(None, f"not known whether the first network is zero: {vanishing.reason}")
    if vanishing.truth:
        return _compared(f, g, 1, options)
    assert vanishing.counterexample is not None
    x = vanishing.counterexample.x
    left, right = _values(f, g, x)
    factor = _fitting_scale(left, right)
    if factor is None:
        return _different(f, g, [x], "no positive scale fits the two outputs at a point", domain)
    return _compared(f, g, factor, options, x)


def _compared(
    f: Network, g: Network, factor: Any, options: dict[str, Any], x: tuple[Any, ...] | None = None
) -> EqualityUpToScale:
    """Compare factor · f, an element or 1, with g; x is the point that fixed the factor."""
    tower, (scale,) = settle([factor], common_tower([f.field, g.field]).field)
    scaled = _scaled_output(f, scale, tower)
    decision = equal(scaled, g, **options)
    if decision.truth is None:
        return EqualityUpToScale(None, decision.reason)
    if decision.truth:
        assert decision.certificate is not None
        frame, where = _frame(f, g, [scaled.field, g.field], options["domain"])
        proven = certificate(
            "scaled",
            "equal up to a positive scale",
            (f, g),
            frame,
            where,
            scale=frame.field.text(frame.embedding(scaled.field)(scale)),
            proof=dict(decision.certificate),
        )
        return EqualityUpToScale(True, decision.reason, scale=tower.field.sympy(scale), certificate=proven)
    assert decision.counterexample is not None
    points = [decision.counterexample.x] if x is None else [x, decision.counterexample.x]
    return _different(f, g, points, "the scale that one point asks for fails at another", options["domain"])


def _values(f: Network, g: Network, x: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Return f(x) and g(x) in one field."""
    tower, point = settle(read_point(x, f.widths[0]), common_tower([f.field, g.field]).field)
    left, right = (network.evaluate(point, tower.embedding(network.field)) for network in (f, g))
    return left, right


def _fitting_scale(left: list[Any], right: list[Any]) -> Any:
    """Return the c > 0 with right = c · left, left ≠ 0, or None where there is none."""
    index = next(i for i, value in enumerate(left) if value != 0)
    factor = right[index] / left[index]
    fits = factor > 0 and all(b == factor * a for a, b in zip(left, right, strict=True))
    return factor if fits else None


def _scaled_output(f: Network, factor: Any, tower: Tower) -> Network:
    """Return factor · f."""
    embed, field = tower.embedding(f.field), tower.field
    weight, bias = f.layers[-1]
    rows = [[factor * embed(value) for value in row] for row in rows_of(weight)]
    ends = [[factor * embed(value)] for value in column_of(bias)]
    last = Layer(make_matrix(field, rows, weight.ncols), make_matrix(field, ends, 1))
    return Network.from_layers([*f.layers[:-1], last], field)


def _different(f: Network, g: Network, points: list[tuple[Any, ...]], reason: str, domain: object) -> EqualityUpToScale:
    """Return "different" with its certificate: points whose outputs no positive scale fits."""
    frame, where = _frame(f, g, [f.field, g.field], domain)
    expressions = [read_point(point, f.widths[0]) for point in points]
    for value in (value for point in expressions for value in point):
        frame.prepare(value)
    texts = [[frame.field.text(frame.evaluate(value)) for value in point] for point in expressions]
    proven = certificate("disproportion", "different up to a positive scale", (f, g), frame, where, points=texts)
    x = points[-1]
    return EqualityUpToScale(False, reason, counterexample=Counterexample(x, f(x), g(x)), certificate=proven)


def _frame(f: Network, g: Network, fields: list[Field], domain: object) -> tuple[Tower, Domain | None]:
    """Return a tower over the fields in which both networks and the domain are, and the domain in it."""
    tower = common_tower(fields)
    for network in (f, g):
        tower.prepare_field(network.field)
    return tower, None if domain is None else read_domain(domain, f.widths[0], tower)
