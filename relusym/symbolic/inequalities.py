"""Is a small system of linear inequalities feasible? Fourier–Motzkin elimination over an ordered field.

For the conditions of a Piecewise: a handful of inequalities in a few variables. Elimination can square the number of
inequalities with every variable, so this is no linear programming for larger systems.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from relusym.errors import Undecided
from relusym.exact.field import Field

_MOST_INEQUALITIES = 2000


class Inequality(NamedTuple):
    """row·x + constant > 0, or ≥ 0 where not strict."""

    row: tuple[Any, ...]
    constant: Any
    strict: bool


def feasible(field: Field, system: Sequence[Inequality]) -> bool:
    """Return whether some x satisfies all inequalities.

    Raises
    ------
    Undecided
        Where elimination makes more than 2000 inequalities.

    Examples
    --------
    >>> from flint import fmpq
    >>> from relusym.exact.field import QQ
    >>> above, below = Inequality((fmpq(1),), fmpq(0), True), Inequality((fmpq(-1),), fmpq(0), False)
    >>> feasible(QQ, [above]), feasible(QQ, [above, below])
    (True, False)
    """
    while system and system[0].row:
        positive = [item for item in system if item.row[-1] > 0]
        negative = [item for item in system if item.row[-1] < 0]
        rest = [item._replace(row=item.row[:-1]) for item in system if item.row[-1] == 0]
        system = _distinct(field, rest + [_combined(p, n) for p in positive for n in negative])
        if len(system) > _MOST_INEQUALITIES:
            raise Undecided("the conditions of a Piecewise are too many for elimination; fewer or simpler ones are due")
    return all(item.constant > 0 or (item.constant == 0 and not item.strict) for item in system)


def _combined(positive: Inequality, negative: Inequality) -> Inequality:
    p, n = positive.row[-1], -negative.row[-1]
    row = tuple(n * a + p * b for a, b in zip(positive.row[:-1], negative.row[:-1], strict=True))
    return Inequality(row, n * positive.constant + p * negative.constant, positive.strict or negative.strict)


def _distinct(field: Field, system: Sequence[Inequality]) -> list[Inequality]:
    """Scale every inequality to a leading coefficient of ±1, and keep the tightest of those with one row."""
    tightest: dict[Hashable, Inequality] = {}
    for item in system:
        lead = next((abs(value) for value in item.row if value != 0), None)
        if lead is not None:
            item = Inequality(tuple(value / lead for value in item.row), item.constant / lead, item.strict)
        name = tuple(map(field.key, item.row))
        known = tightest.get(name)
        if known is None or (item.constant, not item.strict) < (known.constant, not known.strict):
            tightest[name] = item
    return list(tightest.values())
