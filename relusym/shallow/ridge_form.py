"""The ridge form: a canonical form of the function of a shallow network, for any number of outputs.

    f(x) = Σ_p W_p σ(h_p(x)) + Λ x + γ,   h_p(x) = ⟨p, (x, 1)⟩

over canonical vectors p of hyperplanes: the leading coefficient of the a-part is positive; the vector is primitive
over the integers where its direction is rational, else its leading coefficient is 1. W_p ≠ 0 is the jump of the
gradient across h_p = 0, so two functions are equal exactly when their ridge forms are.
The form of a large float network stays in arrays (:mod:`relusym.shallow.float_ridges`) until its ridges are looked at.
"""

from __future__ import annotations

from functools import cached_property, cmp_to_key
from typing import Any

from flint import fmpq, fmpz

from relusym.exact.field import QQ, Field, Identity
from relusym.parameters.network import Network
from relusym.shallow.float_ridges import FloatRidges, float_ridges
from relusym.shallow.masses import Vector, masses, outer_sum


class RidgeForm:
    """The data ({p: W_p}, Λ, γ) that determine a shallow function and are determined by it; made by :func:`ridge_form`.

    Equality and hash are by value, whatever field the network was declared over.

    Attributes
    ----------
    ridges : dict
        Canonical vector (a_1, …, a_m, b) → output jump W_p (length k): tuples of SymPy numbers, in descending order
        of the vectors.
    linear : sympy.ImmutableDenseMatrix
        Λ, shape (k, m).
    constant : tuple
        γ, length k.
    """

    def __init__(
        self,
        field: Field,
        planes: list[tuple[Vector, Vector]] | FloatRidges,
        linear: list[Vector],
        constant: Vector,
    ) -> None:
        self._field = field
        self._source = planes
        self._linear = linear
        self._constant = constant

    @cached_property
    def _planes(self) -> list[tuple[Vector, Vector]]:
        """Canonical rows with their jumps, in descending order of the rows."""
        source = self._source
        if isinstance(source, FloatRidges):
            source = [(source.row(index), jump) for index, jump in enumerate(source.jumps)]
        return sorted(source, key=lambda plane: descending(plane[0]))

    @cached_property
    def ridges(self) -> dict[tuple[Any, ...], tuple[Any, ...]]:
        """The canonical vectors with their output jumps."""
        convert = self._field.sympy
        return {tuple(map(convert, row)): tuple(map(convert, jump)) for row, jump in self._planes}

    @cached_property
    def linear(self) -> Any:
        """The linear part Λ, shape (k, m)."""
        from sympy import ImmutableDenseMatrix

        width = len(self._linear[0])
        return ImmutableDenseMatrix(
            len(self._linear), width, [self._field.sympy(v) for row in self._linear for v in row]
        )

    @cached_property
    def constant(self) -> tuple[Any, ...]:
        """The constant part γ, length k."""
        return tuple(map(self._field.sympy, self._constant))

    @cached_property
    def identity(self) -> tuple[Any, ...]:
        """Sorted ridges, linear part and constant, every number by its value."""
        name = self._field.identity
        ridges = sorted((tuple(map(name, row)), tuple(map(name, jump))) for row, jump in self._planes)
        linear: tuple[tuple[Identity, ...], ...] = tuple(tuple(map(name, row)) for row in self._linear)
        return tuple(ridges), linear, tuple(map(name, self._constant))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RidgeForm):
            return NotImplemented
        mine, its = self._source, other._source
        if isinstance(mine, FloatRidges) and isinstance(its, FloatRidges):
            return (self._linear, self._constant) == (other._linear, other._constant) and mine.same_ridges(its)
        return self.identity == other.identity

    def __hash__(self) -> int:
        # What costs no object for each weight; numbers hash by value, whatever their field.
        return hash((len(self), *map(tuple, self._linear), tuple(self._constant)))

    def __len__(self) -> int:
        return len(self._source)

    def __repr__(self) -> str:
        return f"RidgeForm({len(self)} ridges, {len(self._linear[0])} inputs, {len(self._linear)} outputs)"

    def __str__(self) -> str:
        text = self._field.text
        lines = [repr(self)]
        lines += [f"  ({', '.join(map(text, row))}): jump ({', '.join(map(text, jump))})" for row, jump in self._planes]
        lines += [f"  linear ({', '.join(map(text, row))})" for row in self._linear]
        return "\n".join([*lines, f"  constant ({', '.join(map(text, self._constant))})"])


def ridge_form(f: Network) -> RidgeForm:
    """Return the ridge form of a network with at most one hidden layer.

    Raises
    ------
    ShapeError
        Where the network is deeper.

    Examples
    --------
    >>> from relusym import Network, ridge_form
    >>> form = ridge_form(Network.shallow([1, -1], [[2], [-2]], [1, -1], 0))
    >>> form.ridges, form.linear, form.constant
    ({}, Matrix([[2]]), (1,))
    """
    quick = float_ridges(f)
    if quick is not None:
        return RidgeForm(QQ, quick, quick.linear, quick.constant)
    parts = masses(f)
    zero = parts.field.rational(0)
    affine = outer_sum(parts.affine_pairs(), zero, parts.outputs, parts.free + 1)
    linear = [line[:-1] for line in affine]
    constant = [line[-1] + value for line, value in zip(affine, parts.constant, strict=True)]
    planes = []
    for plane in parts.planes.values():
        jump = plane.jump
        if any(jump):
            factor = canonical_factor(parts.field, plane.row)
            planes.append(([v * factor for v in plane.row], [v / factor for v in jump]))
    return RidgeForm(parts.field, planes, linear, constant)


def canonical_factor(field: Field, row: Vector) -> Any:
    """Return the factor that makes a row with leading coefficient 1 canonical: primitive where it is rational."""
    denominator, content = fmpz(1), fmpz(0)
    rationals = [field.to_rational(value) for value in row]
    for value in rationals:
        if value is None:
            return field.rational(1)
        denominator = denominator.lcm(value.q)
    for value in rationals:
        if value is not None:
            content = content.gcd(fmpz((value * denominator).p))
    return fmpq(denominator, content)


def _compare(first: Vector, second: Vector) -> int:
    for a, b in zip(first, second, strict=True):
        if a != b:
            return -1 if a > b else 1
    return 0


descending = cmp_to_key(_compare)
"""Sort key for vectors: descending lexicographic order, every comparison proved."""
