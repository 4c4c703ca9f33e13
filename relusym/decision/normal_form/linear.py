"""Writing rows as combinations of few others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from relusym.decision.normal_form.forms import CONSTANT, Form
from relusym.exact.elimination import reduced_echelon


def combinations(generators: Sequence[Form], rows: Sequence[Form], zero: Any) -> list[dict[int, Any]] | None:
    """Return, for each row, factors of generators that add up to its linear part; None where some row is no such sum.

    The generators that are used are linearly independent, the first ones where there is a choice. Constant parts are
    left out of account.

    Examples
    --------
    >>> from flint import fmpq
    >>> one, two = fmpq(1), fmpq(2)
    >>> combinations([{0: one}, {0: two}, {1: one}], [{0: two, 1: one}], fmpq(0))
    [{0: 2, 2: 1}]
    """
    signals = sorted({signal for form in (*generators, *rows) for signal in form} - {CONSTANT})
    columns = [*generators, *rows]
    table = [[form.get(signal, zero) for form in columns] for signal in signals]
    pivots, reduced = reduced_echelon(table)
    if pivots and pivots[-1] >= len(generators):
        return None
    return [
        {pivot: reduced[line][column] for line, pivot in enumerate(pivots) if reduced[line][column]}
        for column in range(len(generators), len(columns))
    ]
