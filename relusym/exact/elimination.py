"""Reduced row echelon forms over Q, by FLINT, and over number fields, by Gaussian elimination with field elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq, fmpq_mat


def reduced_echelon(rows: Sequence[Sequence[Any]]) -> tuple[list[int], list[list[Any]]]:
    """Return the pivot columns and the nonzero rows of the reduced row echelon form of exact rows of one field.

    Examples
    --------
    >>> reduced_echelon([[fmpq(0), fmpq(2)], [fmpq(3), fmpq(4)], [fmpq(3), fmpq(6)]])
    ([0, 1], [[1, 0], [0, 1]])
    """
    width = len(rows[0]) if rows else 0
    if not width:
        return [], []
    if all(isinstance(value, fmpq) for row in rows for value in row):
        matrix, rank = fmpq_mat(len(rows), width, [value for row in rows for value in row]).rref()
        table = matrix.tolist()[:rank]
        return [next(i for i, value in enumerate(row) if value != 0) for row in table], table
    table = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(width):
        done = len(pivots)
        chosen = next((i for i in range(done, len(table)) if table[i][column] != 0), None)
        if chosen is None:
            continue
        table[done], table[chosen] = table[chosen], table[done]
        lead = table[done][column]
        table[done] = [value / lead for value in table[done]]
        for index, row in enumerate(table):
            factor = row[column]
            if index != done and factor != 0:
                table[index] = [value - factor * top for value, top in zip(row, table[done], strict=True)]
        pivots.append(column)
    return pivots, table[: len(pivots)]
