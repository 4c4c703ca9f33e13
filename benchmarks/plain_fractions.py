"""The peer: a plain exact program over Python's Fractions that hashes normalised rows, as one writes it in an hour.

It decides equality of shallow networks by the same theorem as relusym, in one pass over each network.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

Shallow = tuple[Any, Any, Any, Any]
"""(M, A, b, c): anything whose rows iterate over numbers that Fraction takes."""
Row = list[Fraction]


def exact(row: Iterable[Any]) -> Row:
    return [Fraction(x) for x in (row.tolist() if hasattr(row, "tolist") else row)]


def masses(network: Shallow) -> tuple[dict[Any, tuple[Row, Row]], dict[Any, Row], Row]:
    """Return the total weights on both sides of each hyperplane, by a key of its row; the rows; the constants."""
    M, A, b, c = network
    columns = list(zip(*map(exact, M), strict=True))
    constants = exact(c)
    sides: dict[Any, tuple[Row, Row]] = defaultdict(
        lambda: ([Fraction(0)] * len(constants), [Fraction(0)] * len(constants))
    )
    rows: dict[Any, Row] = {}
    for weights, bias, column in zip(A, exact(b), columns, strict=True):
        form = [*exact(weights), bias]
        lead = next((x for x in form[:-1] if x), None)
        if lead is None:
            constants = [
                total + weight * max(bias, Fraction(0)) for total, weight in zip(constants, column, strict=True)
            ]
        elif any(column):
            row = [x / lead for x in form]
            key = tuple(x.as_integer_ratio() for x in row)  # hashes faster than Fractions do
            rows[key] = row
            side = sides[key][lead < 0]
            side[:] = [total + weight * abs(lead) for total, weight in zip(side, column, strict=True)]
    return dict(sides), rows, constants


def canonical(network: Shallow) -> tuple[dict[Any, Row], list[Row]]:
    """Return the gradient jumps by hyperplane, and the affine part that is left (last column: the constant)."""
    sides, rows, constants = masses(network)
    jumps = {key: [p + n for p, n in zip(*side, strict=True)] for key, side in sides.items()}
    affine = [[Fraction(0)] * len(network[1][0]) + [constant] for constant in constants]
    for key, (_, negative) in sides.items():
        subtract_outer(affine, negative, rows[key])
    return {key: jump for key, jump in jumps.items() if any(jump)}, affine


def subtract_outer(affine: list[Row], column: Row, row: Row) -> None:
    for line, weight in zip(affine, column, strict=True):
        if weight:
            for j, x in enumerate(row):
                line[j] -= weight * x


def equal(f: Shallow, g: Shallow) -> bool:
    (left, rows, constants), (right, other_rows, other_constants) = masses(f), masses(g)
    nothing = [Fraction(0)] * len(constants)
    affine = [[Fraction(0)] * len(f[1][0]) + [p - q] for p, q in zip(constants, other_constants, strict=True)]
    for key in {**left, **right}:
        (p, n), (q, o) = left.get(key, (nothing, nothing)), right.get(key, (nothing, nothing))
        if any(a + b != c + d for a, b, c, d in zip(p, n, q, o, strict=True)):
            return False
        if n != o:
            subtract_outer(affine, [a - b for a, b in zip(n, o, strict=True)], rows.get(key) or other_rows[key])
    return not any(any(line) for line in affine)


def group(networks: Sequence[Shallow]) -> list[list[int]]:
    """Return groups of equal networks, by their canonical forms as keys."""
    groups: dict[Any, list[int]] = defaultdict(list)
    for index, network in enumerate(networks):
        jumps, affine = canonical(network)
        name = frozenset((key, tuple(jump)) for key, jump in jumps.items()), tuple(map(tuple, affine))
        groups[name].append(index)
    return list(groups.values())
