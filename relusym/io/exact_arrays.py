"""Arithmetic on arrays of exact numbers.

An array of float32 or float64 stays one as long as its entries are only moved about, so that large weights cost what
they cost in the file. As soon as two numbers meet, both become ``fmpq`` in an array of objects, and what comes out is
exact.
Matrix products go through ``flint.fmpq_mat``, which is fast; with irrational entries they go entry by entry.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from relusym.errors import FieldError, FormatError
from relusym.io.files import claim
from relusym.io.radicals import RootSum

Array: TypeAlias = NDArray[Any]
"""An array of floats, of integers, or of objects that are ``fmpq`` or :class:`relusym.io.radicals.RootSum`."""

INT64 = np.dtype(np.int64)


def exact(array: Array) -> Array:
    """Return the entries as ``fmpq`` (or sums of roots) in an array of objects.

    Examples
    --------
    >>> exact(np.array([0.5, 3.0]))
    array([1/2, 3], dtype=object)
    """
    if array.dtype == object:
        return array
    result = np.empty(array.size, dtype=object)
    if array.dtype.kind == "f":
        result[:] = [fmpq(*x.as_integer_ratio()) for x in array.ravel().tolist()]
    else:
        result[:] = [fmpq(int(x)) for x in array.ravel().tolist()]
    return result.reshape(array.shape)


def is_integral(array: Array) -> bool:
    """Return whether the array is one of machine integers, such as sizes and positions."""
    return array.dtype.kind in "iu"


def negated(array: Array) -> Array:
    """Return the array with all signs changed."""
    return -array if array.dtype.kind == "f" else _combined(operator.sub, np.zeros((), INT64), array)


def total(first: Array, second: Array) -> Array:
    """Return the sum of two arrays, broadcast against one another."""
    return _combined(operator.add, first, second)


def product(first: Array, second: Array) -> Array:
    """Return the entrywise product of two arrays, broadcast against one another."""
    return _combined(operator.mul, first, second)


def quotient(first: Array, second: Array) -> Array:
    """Return the entrywise quotient; two arrays of integers are divided as integers, towards zero.

    Raises
    ------
    FieldError
        If an entry of the divisor is zero, or irrational.
    """
    if any(isinstance(x, RootSum) for x in second.flat) or np.any(second == 0):
        raise FieldError("division by zero, or by an irrational number; rational numbers other than zero are accepted")
    return _combined(_truncated if is_integral(first) and is_integral(second) else operator.truediv, first, second)


def _truncated(first: int, second: int) -> int:
    size = abs(first) // abs(second)
    return size if (first < 0) == (second < 0) else -size


def _combined(operation: Callable[[Any, Any], Any], first: Array, second: Array) -> Array:
    claim(_size(np.broadcast_shapes(first.shape, second.shape)), "the result")
    if is_integral(first) and is_integral(second):
        a, b = np.broadcast_arrays(first, second)
        return integers([operation(x, y) for x, y in zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)], a.shape)
    return _objects(operation(exact(first), exact(second)))


def _objects(result: Any) -> Array:
    """Return an array also where NumPy unpacks one of dimension zero."""
    if isinstance(result, np.ndarray):
        return result
    array = np.empty((), dtype=object)
    array[()] = result
    return array


def _size(shape: Sequence[int]) -> int:
    size = 1
    for extent in shape:
        size *= extent
    return size


def integers(values: list[int], shape: tuple[int, ...]) -> Array:
    """Return an array of 64-bit integers, or raise :class:`FormatError` where they do not fit."""
    try:
        return np.array(values, dtype=INT64).reshape(shape)
    except OverflowError:
        raise FormatError("an integer result does not fit into 64 bits") from None


def matrix_product(first: Array, second: Array) -> Array:
    """Return the exact product of two matrices.

    Parameters
    ----------
    first, second
        Shapes (p, n) and (n, q).
    """
    a, b = exact(first), exact(second)
    if 0 in (*a.shape, b.shape[1]):
        return exact(np.zeros((a.shape[0], b.shape[1]), INT64))
    if any(isinstance(x, RootSum) for array in (a, b) for x in array.flat):
        return _objects(a.dot(b))
    table = (_matrix(a) * _matrix(b)).entries()
    result = np.empty(len(table), dtype=object)
    result[:] = table
    return result.reshape(a.shape[0], b.shape[1])


def _matrix(array: Array) -> fmpq_mat:
    rows, columns = array.shape
    return fmpq_mat(rows, columns, list(array.flat))


def common(arrays: Sequence[Array]) -> list[Array]:
    """Return the arrays in one type that holds all their entries exactly."""
    types = {array.dtype for array in arrays}
    if len(types) == 1:
        return list(arrays)
    if all(dtype.kind == "f" for dtype in types):
        widest = np.result_type(*types)
        return [array.astype(widest) for array in arrays]
    return [exact(array) for array in arrays]


def joined(arrays: Sequence[Array], axis: int = 0) -> Array:
    """Concatenate arrays in one type that holds all their entries exactly."""
    return arrays[0] if len(arrays) == 1 else np.concatenate(common(arrays), axis=axis)


def entries_for_network(array: Array) -> Any:
    """Return a matrix or vector as :class:`relusym.Network` takes it: an array of floats, or lists of exact entries."""
    if array.dtype.kind == "f":
        return array
    if array.ndim == 1:
        return [x.text if isinstance(x, RootSum) else x for x in array.tolist()]
    return [[x.text if isinstance(x, RootSum) else x for x in row] for row in array.tolist()]
