"""The masses that a shallow network puts on the two sides of each hyperplane.

For a neuron with a ≠ 0 write (a, b) = s·q, q the row divided by its leading coefficient s. Neurons with the same q
share a hyperplane; those with s > 0 put the total mass P_q = Σ s M_i on its positive side, the others N_q = Σ |s| M_i
on its negative side. Then, as σ(−h) = σ(h) − h,

    f(x) = Σ_q ( P_q σ(h_q) + N_q σ(−h_q) ) + affine = Σ_q (P_q + N_q) σ(h_q) − Σ_q N_q h_q + affine.

Every form of a shallow function (ridge form, minimal form, equality, fibre) is read off these masses, which cost one
pass over the parameters. On a box the coordinates with low = high are substituted first, and a neuron that does not
change sign there is affine or zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from flint import fmpq, nmod

from relusym.errors import ShapeError
from relusym.exact.box import Box, whole_space
from relusym.exact.field import Field
from relusym.exact.matrix import column_of, rows_of
from relusym.exact.tower import Embedding
from relusym.limits import Budget
from relusym.parameters.network import Network, require_network

Vector = list[Any]
_PRIME = (1 << 61) - 1


class RowKey:
    """A row of one field as the key of a dictionary: hashed once, compared exactly."""

    __slots__ = ("_hash", "_row")

    def __init__(self, field: Field, row: Vector) -> None:
        self._row = row
        # Python integers hash far faster than FLINT's fractions.
        self._hash = hash(tuple([(int(q.p), int(q.q)) for value in row for q in field.coordinates(value)]))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowKey) and self._row == other._row


class RayKey:
    """The direction of a row over Q as the key of a dictionary, without the row divided by its leading coefficient.

    Residues of the divided row modulo a prime are hashed; the exact comparison needs one ratio of two rows.
    """

    __slots__ = ("_hash", "_ray")

    def __init__(self, form: Vector, lead: fmpq) -> None:
        self._ray = form, lead
        self._hash = hash(_residues(form, lead))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RayKey):
            return False
        if self._ray is other._ray:
            return True
        (form, lead), (others, other_lead) = self._ray, other._ray
        ratio = other_lead / lead
        same = all(ratio * value == its for value, its in zip(form, others, strict=True))
        if same:  # from now on they share one row, and compare at once
            other._ray = self._ray
        return same


def _residues(form: Vector, lead: fmpq) -> tuple[int, ...]:
    """Return a row divided by its leading coefficient modulo the prime, −1 where a denominator is no unit."""
    try:
        unit = pow(int(nmod(lead, _PRIME)), -1, _PRIME)
        return tuple([int(nmod(value, _PRIME)) * unit % _PRIME for value in form])
    except (ValueError, ZeroDivisionError):  # the prime divides the leading coefficient or a denominator
        divided = [value / lead for value in form]
        return tuple([-1 if value.q % _PRIME == 0 else int(nmod(value, _PRIME)) for value in divided])


PlaneKey: TypeAlias = RowKey | RayKey


class Hyperplane:
    """A hyperplane h_q = 0 with the masses on its two sides and the neurons that lie on it, each with its factor s.

    It is made from the row (a, b) of its first neuron with the leading coefficient of a.
    """

    __slots__ = ("_form", "_lead", "_row", "negative", "neurons", "positive")

    def __init__(self, form: Vector, lead: Any, nothing: Vector) -> None:
        self._form = form
        self._lead = lead
        self._row: Vector | None = None
        self.positive = self.negative = nothing
        self.neurons: list[tuple[int, Any]] = []

    @property
    def row(self) -> Vector:
        """The row q with leading coefficient 1, computed when it is first asked for."""
        if self._row is None:
            self._row = divided(self._form, self._lead)
        return self._row

    @property
    def jump(self) -> Vector:
        """W_q = P_q + N_q: the jump of the gradient across the hyperplane, in units of its row."""
        return add(self.positive, self.negative)


@dataclass
class Masses:
    """A shallow (or affine) network as masses on hyperplanes, an affine part and a constant.

    Attributes
    ----------
    planes
        The hyperplanes, by the key of their row, in the order of their first neurons.
    affine
        Pairs (c, row): c ⊗ row adds to the affine part. Here are the layers of depth 0 and, on a box, the neurons
        that are active all over it.
    constant
        The output bias and the constant neurons.
    dead, constant_neurons, active, inactive
        The neurons that lie on no hyperplane, by the reason.
    """

    field: Field
    box: Box
    outputs: int
    planes: dict[PlaneKey, Hyperplane]
    affine: list[tuple[Vector, Vector]]
    constant: Vector
    dead: list[int]
    constant_neurons: list[int]
    active: list[int]
    inactive: list[int]

    @property
    def free(self) -> int:
        """The number of free coordinates."""
        return len(self.box.free)

    def affine_pairs(self) -> list[tuple[Vector, Vector]]:
        """Return pairs (c, row) whose c ⊗ row add up to Λx + γ of the ridge form, but for the constant."""
        flipped = [
            ([-value for value in plane.negative], plane.row) for plane in self.planes.values() if any(plane.negative)
        ]
        return self.affine + flipped


def add(first: Vector, second: Vector) -> Vector:
    """Return the sum of two vectors."""
    return [a + b for a, b in zip(first, second, strict=True)]


def subtract(first: Vector, second: Vector) -> Vector:
    """Return the difference of two vectors."""
    return [a - b for a, b in zip(first, second, strict=True)]


def scaled(vector: Vector, factor: Any) -> Vector:
    """Return a multiple of a vector."""
    return [factor * value for value in vector]


def outer_sum(pairs: Iterable[tuple[Vector, Vector]], zero: Any, outputs: int, width: int) -> list[Vector]:
    """Return Σ c ⊗ row, of shape (outputs, width)."""
    total = [[zero] * width for _ in range(outputs)]
    for coefficients, row in pairs:
        for line, coefficient in zip(total, coefficients, strict=True):
            if coefficient == 0:
                continue
            for index, value in enumerate(row):
                if value != 0:
                    line[index] = line[index] + coefficient * value
    return total


def divided(vector: Vector, factor: Any) -> Vector:
    """Return a vector divided by a number, which is inverted once."""
    inverse = 1 / factor
    return [inverse * value for value in vector]


def require_shallow(network: Network, what: str) -> None:
    """Raise :class:`ShapeError` unless the network has at most one hidden layer."""
    require_network(network, what)
    if network.depth > 1:
        raise ShapeError(f"{what} takes a network with one hidden layer; this one has {network.depth}")


def masses(
    network: Network, embedding: Embedding | None = None, box: Box | None = None, budget: Budget | None = None
) -> Masses:
    """Return the masses of a network of depth 0 or 1, with all numbers in the target field of ``embedding``."""
    require_shallow(network, "the ridge form")
    target = network.field if embedding is None else embedding.target
    box = whole_space(network.widths[0]) if box is None else box
    last = network.layers[-1]
    embed: Callable[[Any], Any] = _same if embedding is None or target.degree == 1 else embedding
    result = Masses(target, box, network.widths[-1], {}, [], [embed(v) for v in column_of(last.bias)], [], [], [], [])
    if network.depth == 0:
        unit = [target.rational(int(i == 0)) for i in range(result.outputs)]
        for index, row in enumerate(rows_of(last.weight)):
            form = box.restrict([*map(embed, row), target.rational(0)])
            result.affine.append((unit[-index:] + unit[:-index] if index else unit, form))
        return result
    hidden = network.layers[0]
    columns = list(zip(*(map(embed, row) for row in rows_of(last.weight)), strict=True))
    biases = column_of(hidden.bias)
    whole = len(box.free) == network.widths[0]
    for index, row in enumerate(rows_of(hidden.weight)):
        column = list(columns[index])
        if not any(column):
            result.dead.append(index)
            continue
        form = [embed(value) for value in row]
        form.append(embed(biases[index]))
        _place(result, index, column, form if whole else box.restrict(form))
        if budget is not None and index % 64 == 0:
            budget.report("neurons", index, network.widths[1])
    return result


def _same(value: Any) -> Any:
    return value


def _place(result: Masses, index: int, column: Vector, form: Vector) -> None:
    """Put one living neuron where it belongs: on its hyperplane, in the affine part or in the constant."""
    lead = next((value for value in form[:-1] if value != 0), None)
    if lead is None:
        result.constant_neurons.append(index)
        if form[-1] > 0:
            result.constant = add(result.constant, scaled(column, form[-1]))
        return
    least, greatest = result.box.least(form), result.box.greatest(form)
    if least is not None and least >= 0:
        result.active.append(index)
        result.affine.append((column, form))
        return
    if greatest is not None and greatest <= 0:
        result.inactive.append(index)
        return
    plane = Hyperplane(form, lead, [result.field.rational(0)] * result.outputs)
    name = RayKey(form, lead) if result.field.degree == 1 else RowKey(result.field, plane.row)
    plane = result.planes.setdefault(name, plane)
    plane.neurons.append((index, lead))
    if lead > 0:
        plane.positive = add(plane.positive, scaled(column, lead))
    else:
        plane.negative = add(plane.negative, scaled(column, -lead))
