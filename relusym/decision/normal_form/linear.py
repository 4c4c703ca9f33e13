"""Writing rows as combinations of few others: reduced echelon forms over Q (FLINT) or a number field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq, fmpq_mat

from relusym.decision.normal_form.forms import CONSTANT, Form


def combinations(generators: Sequence[Form], rows: Sequence[Form], zero: Any) -> list[dict[int, Any]] | None:
    """Return, for each row, factors of generators that add up to its linear part; None where some row is no such sum.

    The generators that are used are linearly independent, the first ones where there is a choice. Constant parts are
    left out of account.

    Examples
    --------
    >>> one, two = fmpq(1), fmpq(2)
    >>> combinations([{0: one}, {0: two}, {1: one}], [{0: two, 1: one}], fmpq(0))
    [{0: 2, 2: 1}]
    """
    signals = sorted({signal for form in (*generators, *rows) for signal in form} - {CONSTANT})
    columns = [*generators, *rows]
    table = [[form.get(signal, zero) for form in columns] for signal in signals]
    reduced, pivots = _echelon(table, len(columns))
    if pivots and pivots[-1] >= len(generators):
        return None
    return [
        {pivot: reduced[line][column] for line, pivot in enumerate(pivots) if reduced[line][column]}
        for column in range(len(generators), len(columns))
    ]


def _echelon(table: list[list[Any]], width: int) -> tuple[list[list[Any]], list[int]]:
    """Return the reduced row echelon form and its pivot columns."""
    if all(isinstance(value, fmpq) for line in table for value in line):
        matrix, rank = fmpq_mat(len(table), width, [value for line in table for value in line]).rref()
        lines = matrix.tolist()[:rank]
        return lines, [next(i for i, value in enumerate(line) if value) for line in lines]
    lines = [list(line) for line in table]
    pivots: list[int] = []
    for column in range(width):
        done = len(pivots)
        found = next((i for i in range(done, len(lines)) if lines[i][column]), None)
        if found is None:
            continue
        lines[done], lines[found] = lines[found], lines[done]
        lead = lines[done][column]
        lines[done] = [value / lead for value in lines[done]]
        for index, line in enumerate(lines):
            if index != done and line[column]:
                factor = line[column]
                lines[index] = [a - factor * b for a, b in zip(line, lines[done], strict=True)]
        pivots.append(column)
    return lines[: len(pivots)], pivots
