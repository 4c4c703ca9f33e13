"""Linear dependence and semi-dependence of two vectors (the paper's Definition 6), from 2×2 minors and signs alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from relusym.errors import FormatError, ShapeError
from relusym.exact.numbers import read_point, settle


def ratio(u: Sequence[Any], w: Sequence[Any]) -> Any:
    """Return λ with w = λu for exact vectors, u ≠ 0, or None where there is none."""
    pivot = next(index for index, value in enumerate(u) if value != 0)
    if any(u[pivot] * b != w[pivot] * a for a, b in zip(u, w, strict=True)):
        return None
    return w[pivot] / u[pivot]


def _read(u: Sequence[Any], w: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    first, second = _entries(u, "the first vector"), _entries(w, "the second vector")
    if len(first) != len(second):
        raise ShapeError(f"the two vectors have {len(first)} and {len(second)} entries; the same number is due")
    size = len(first)
    expressions = read_point(first, size, "the first vector") + read_point(second, size, "the second vector")
    _, values = settle(expressions)
    return values[:size], values[size:]


def _entries(vector: Sequence[Any], name: str) -> list[Any]:
    try:
        return list(vector)
    except TypeError:
        raise FormatError(f"{name} must be a sequence of numbers; got {type(vector).__name__}") from None


def semi_dependent(u: Sequence[Any], w: Sequence[Any]) -> bool:
    """Return whether λu = w or λw = u for some λ >= 0.

    Parameters
    ----------
    u, w
        Sequences of exact numbers, of the same length.

    Raises
    ------
    ShapeError
        Where the lengths differ.

    Examples
    --------
    >>> from relusym import semi_dependent
    >>> semi_dependent([1, 2], ["1/2", 1]), semi_dependent([1, 2], [-1, -2]), semi_dependent([1, 2], [0, 0])
    (True, False, True)
    """
    u, w = _read(u, w)
    if not any(u) or not any(w):
        return True
    factor = ratio(u, w)
    return factor is not None and bool(factor > 0)


def dependent(u: Sequence[Any], w: Sequence[Any]) -> bool:
    """Return whether λu = w or λw = u for some real λ: all 2×2 minors vanish.

    Examples
    --------
    >>> from relusym import dependent
    >>> dependent([1, 2], [-1, -2]), dependent(["sqrt(2)", 2], [1, "sqrt(2)"]), dependent([1, 2], [2, 1])
    (True, True, False)
    """
    u, w = _read(u, w)
    return not any(u) or not any(w) or ratio(u, w) is not None
