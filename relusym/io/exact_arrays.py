"""Arithmetic on arrays of exact numbers.

An array of float32 or float64 stays one as long as its entries are only moved about, so that large weights cost what
they cost in the file. As soon as two numbers meet, both become ``fmpq`` in an array of objects, and what comes out is
exact.
Matrix products go through ``flint.fmpq_mat``, which is fast; with irrational entries they go entry by entry.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from flint import fmpq, fmpq_mat, fmpz
from numpy.typing import NDArray

from relusym.errors import FieldError, FormatError
from relusym.io.files import claim
from relusym.io.radicals import RootSum

Array: TypeAlias = NDArray[Any]
"""An array of floats, of integers, or of objects that are ``fmpq`` or :class:`relusym.io.radicals.RootSum`."""

MAX_EXACT: Final = 2**22
"""How many numbers an array may have that is not one of machine numbers."""
_MOST_BITS: Final = 2**13
_MOST_PRODUCT_BITS: Final = 2**34
_MOST_DENOMINATOR_BITS: Final = 2**20
_MOST_WORDS: Final = 2**36

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
    claim(array.size, "exact arithmetic", MAX_EXACT)
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
    claim(math.prod(np.broadcast_shapes(first.shape, second.shape)), "the result", MAX_EXACT)
    if is_integral(first) and is_integral(second):
        a, b = np.broadcast_arrays(first, second)
        return integers([operation(x, y) for x, y in zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)], a.shape)
    return _objects(operation(exact(first), exact(second)))


def _objects(result: Any) -> Array:
    """Return an array, also where NumPy unpacks one of dimension zero."""
    array = np.empty(np.shape(result), dtype=object)
    array[...] = result
    return _bounded(array)


def _bounded(array: Array) -> Array:
    """Return the array, or refuse it where numbers have grown too long."""
    if any(bits(x) > _MOST_BITS for x in array.flat):
        raise FieldError(f"a number would have more than {_MOST_BITS} bits")
    return array


def bits(value: fmpq | RootSum) -> int:
    """Return the size of an exact number in bits."""
    return value.bits if isinstance(value, RootSum) else int(value.p.bit_length() + value.q.bit_length())


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
    _check_effort(a, b)
    table = (_matrix(a) * _matrix(b)).entries()
    result = np.empty(len(table), dtype=object)
    result[:] = table
    return _bounded(result.reshape(a.shape[0], b.shape[1]))


def _check_effort(first: Array, second: Array) -> None:
    """Refuse a product that would take too long, or too much memory: FLINT brings each factor to one denominator."""
    (rows, inner), columns = first.shape, second.shape[1]
    length = sum(map(_common_bits, (first, second)))
    claim((rows * inner + inner * columns + rows * columns) * length, "the bits of a product", _MOST_PRODUCT_BITS)
    claim(rows * inner * columns * (length // 64 + 1), "the words of a product", _MOST_WORDS)


def _common_bits(array: Array) -> int:
    """Return about how long the numerators over the common denominator of all entries are."""
    denominator = fmpz(1)
    for q in {x.q for x in array.flat}:
        denominator = denominator.lcm(q)
        if denominator.bit_length() > _MOST_DENOMINATOR_BITS:
            break
    return int(denominator.bit_length()) + max(int(x.p.bit_length()) for x in array.flat)


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
        array = np.ascontiguousarray(array)
        array.setflags(write=False)  # what nobody else writes to need not be copied
        return array
    if array.ndim == 1:
        return [x.text if isinstance(x, RootSum) else x for x in array.tolist()]
    return [[x.text if isinstance(x, RootSum) else x for x in row] for row in array.tolist()]
