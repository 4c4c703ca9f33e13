"""Exact facts about large float arrays, without a Python object for each entry.

An entry is an integer mantissa times a power of two. Three questions are answered here on whole arrays:

* which rows are multiples of one another (:func:`proportional_classes`): a projective fingerprint of each row modulo a
  prime, from three random linear forms, brings candidates together, and rows that share it are compared exactly.
  Different fingerprints prove that two rows are no multiples; equal ones decide nothing.
* is a sum of outer products C·R zero (:func:`nonzero_column`): modulo as many primes as the size of its entries
  needs. A
  residue that is not zero proves that the entry is not; residues that are all zero prove that it is, by the bound.
* the exact product C·R itself (:func:`exact_product`): the same residues, put together by the Chinese remainder
  theorem.

The primes are below 2^21, so that products of residues, summed over 2^11 terms, are exact in binary64 and BLAS does
the work.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from flint import fmpq, fmpz
from numpy.typing import NDArray

from relusym.exact.floats import dyadic

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.int64]

_PRIME_BITS = 21
_TERMS = 1 << (53 - 2 * _PRIME_BITS)
_CHUNK = 256
_LOWEST = -1130  # below every exponent that frexp gives once 53 bits are taken out of the mantissa
_FORMS = 3


@lru_cache(maxsize=1)
def _primes() -> list[int]:
    """Return the primes between 2^20 and 2^21, largest first."""
    sieve = np.ones(1 << _PRIME_BITS, dtype=bool)
    for value in range(2, 1 << (_PRIME_BITS // 2 + 1)):
        if sieve[value]:
            sieve[value * value :: value] = False
    return [int(p) for p in np.flatnonzero(sieve)[::-1] if p > 1 << (_PRIME_BITS - 1)]


@lru_cache(maxsize=16)
def _powers_of_two(prime: int) -> IntArray:
    """Return 2^e modulo a prime for e from _LOWEST to 1023, by position."""
    value = pow(2, _LOWEST, prime)
    powers = []
    for _ in range(1024 - _LOWEST):
        powers.append(value)
        value = value * 2 % prime
    return np.array(powers, dtype=np.int64)


def integer_parts(array: FloatArray) -> tuple[IntArray, IntArray]:
    """Return integers m and exponents e with array = m · 2^e exactly, |m| < 2^53 (0 has m = 0)."""
    mantissa, exponent = np.frexp(array)
    digits = np.finfo(array.dtype).nmant + 1
    return np.ldexp(mantissa, digits).astype(np.int64), exponent.astype(np.int64) - digits


def residues(parts: tuple[IntArray, IntArray], prime: int) -> FloatArray:
    """Return m · 2^e modulo a prime, as binary64 integers from 0 to prime − 1."""
    mantissa, exponent = parts
    return (mantissa % prime * _powers_of_two(prime)[exponent - _LOWEST] % prime).astype(np.float64)


def _modular_product(left: FloatArray, right: FloatArray, prime: int) -> FloatArray:
    """Return left @ right modulo a prime, both of residues; sums are cut so that they stay exact."""
    total = np.zeros((left.shape[0], right.shape[1]))
    for start in range(0, left.shape[1], _TERMS):
        total += _product(left[:, start : start + _TERMS], right[start : start + _TERMS]) % prime
    return total % prime


def _product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return left @ right; a few columns one by one, as BLAS starts threads for matrices but not for vectors."""
    if right.shape[1] > _FORMS:
        return np.asarray(left @ right)
    columns = np.ascontiguousarray(right.T)
    return np.array([left @ column for column in columns]).reshape(right.shape[1], left.shape[0]).T


# -- rows that are multiples of one another


def proportional_classes(blocks: list[FloatArray]) -> IntArray | None:
    """Return a class number for every row of the blocks, taken together: equal exactly for multiples of one another.

    Parameters
    ----------
    blocks
        Arrays of shape (rows, columns), float32 or float64, with the same number of columns; no row is zero before
        its last column.

    Returns ------- The class numbers, or None where no prime of the first few suits all leading coefficients (then
    rows must be compared in another way).
    """
    leads = [leading(block) for block in blocks]
    for prime in _primes()[:8]:
        names = [_fingerprints(block, lead, prime) for block, lead in zip(blocks, leads, strict=True)]
        if all(name is not None for name in names):
            _, classes = np.unique(np.concatenate([n for n in names if n is not None]), return_inverse=True)
            return _confirmed(blocks, leads, classes.reshape(-1).astype(np.int64))
    return None


def leading(block: FloatArray) -> FloatArray:
    """Return the first entry that is not zero of each row."""
    places = np.argmax(block != 0, axis=1)
    return np.asarray(block[np.arange(len(block)), places])


def _fingerprints(block: FloatArray, lead: FloatArray, prime: int) -> IntArray | None:
    draw = np.random.default_rng(20260416)  # any fixed forms do: fingerprints only bring candidates together
    forms = draw.integers(1, prime, size=(block.shape[1], _FORMS)).astype(np.float64)
    units = residues(integer_parts(lead), prime).astype(np.int64)
    if not units.all():
        return None
    inverse = _inverses(units, prime)
    names = np.empty(len(block), dtype=np.int64)
    for start in range(0, len(block), _CHUNK):
        part = slice(start, start + _CHUNK)
        values = _modular_product(residues(integer_parts(block[part]), prime), forms, prime).astype(np.int64)
        values = values * inverse[part, None] % prime
        names[part] = (values[:, 0] * prime + values[:, 1]) * prime + values[:, 2]
    return names


def _inverses(units: IntArray, prime: int) -> IntArray:
    result, base, exponent = np.ones_like(units), units.copy(), prime - 2
    while exponent:
        if exponent & 1:
            result = result * base % prime
        base = base * base % prime
        exponent >>= 1
    return result


def _confirmed(blocks: list[FloatArray], leads: list[FloatArray], classes: IntArray) -> IntArray:
    """Compare the rows of each class with its first one, exactly, and split off those that are no multiples."""
    starts = np.cumsum([0, *(len(block) for block in blocks)])
    _, first = np.unique(classes, return_index=True)
    reference = first[classes]
    doubtful = []
    for block, lead, start in zip(blocks, leads, starts, strict=False):
        for at in range(0, len(block), _CHUNK):
            rows = np.arange(at, min(at + _CHUNK, len(block)))
            rows = rows[reference[start + rows] != start + rows]
            if len(rows):
                owner = reference[start + rows]
                same = _multiples(block[rows], lead[rows], *_gather(blocks, leads, starts, owner))
                doubtful += (start + rows[~same]).tolist()
    return _split(blocks, starts, classes, reference, doubtful)


def _gather(
    blocks: list[FloatArray], leads: list[FloatArray], starts: IntArray, rows: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return rows of the blocks taken together, with their leading entries, in binary64."""
    which = np.searchsorted(starts, rows, side="right") - 1
    values = np.empty((len(rows), blocks[0].shape[1]))
    heads = np.empty(len(rows))
    for number, (block, lead) in enumerate(zip(blocks, leads, strict=True)):
        here = which == number
        values[here] = block[rows[here] - starts[number]]
        heads[here] = lead[rows[here] - starts[number]]
    return values, heads


def _multiples(rows: FloatArray, heads: FloatArray, others: FloatArray, other_heads: FloatArray) -> NDArray[np.bool_]:
    """Return which rows are proved multiples of the others; False where binary64 cannot tell."""
    rows, heads = rows.astype(np.float64), heads.astype(np.float64)
    if _single(rows) and _single(others):  # products of two binary32 numbers are exact in binary64
        return np.asarray((rows * other_heads[:, None] == others * heads[:, None]).all(axis=1))
    (mantissa, exponent), (other_mantissa, other_exponent) = np.frexp(heads), np.frexp(other_heads)
    with np.errstate(over="ignore", under="ignore"):
        moved = np.ldexp(others, (exponent - other_exponent)[:, None]) * np.sign(heads * np.sign(other_heads))[:, None]
    # A result of ldexp above the least normal number was not rounded; that one may have been rounded up to.
    normal = (rows == 0) | (np.abs(rows) > np.finfo(np.float64).tiny)
    same = (moved == rows) & normal & ((others == 0) == (rows == 0))
    return np.asarray(same.all(axis=1) & (np.abs(mantissa) == np.abs(other_mantissa)))


def _single(rows: FloatArray) -> bool:
    with np.errstate(over="ignore", under="ignore"):
        return bool((rows.astype(np.float32) == rows).all())


def _split(
    blocks: list[FloatArray], starts: IntArray, classes: IntArray, reference: IntArray, doubtful: list[int]
) -> IntArray:
    """Settle the doubtful rows with rational arithmetic: they stay in their class, or form new ones."""
    classes = classes.copy()
    fresh = int(classes.max(initial=-1)) + 1
    known: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
    for row in doubtful:
        owner = int(reference[row])
        group = int(classes[owner])
        mine, its = (_normalised(blocks, starts, index) for index in (row, owner))
        if mine == its:
            continue
        name = (group, mine)
        if name not in known:
            known[name] = fresh
            fresh += 1
        classes[row] = known[name]
    return classes


def _normalised(blocks: list[FloatArray], starts: IntArray, index: int) -> tuple[tuple[int, int], ...]:
    which = int(np.searchsorted(starts, index, side="right")) - 1
    row = [dyadic(value) for value in blocks[which][index - starts[which]].tolist()]
    lead = next(value for value in row if value != 0)
    return tuple((int(q.p), int(q.q)) for q in (value / lead for value in row))


# -- products


def _bits(parts: tuple[IntArray, IntArray]) -> tuple[int, int]:
    """Return (lowest, highest): every entry is an integer times 2^lowest, and at most 2^highest in size."""
    mantissa, exponent = parts
    living = exponent[mantissa != 0]
    if not living.size:
        return 0, 0
    return int(living.min()), int(living.max()) + 53


def _product_residues(left: FloatArray, right: FloatArray) -> Iterator[tuple[int, FloatArray]]:
    """Yield primes and left @ right modulo each, until twice the bound of the (integral) entries is passed."""
    left_parts, right_parts = integer_parts(left), integer_parts(right)
    (left_low, left_high), (right_low, right_high) = _bits(left_parts), _bits(right_parts)
    needed = left_high - left_low + right_high - right_low + left.shape[1].bit_length() + 1
    for prime in _primes():
        yield prime, _modular_product(residues(left_parts, prime), residues(right_parts, prime), prime)
        needed -= _PRIME_BITS - 1  # every prime is above 2^20
        if needed < 0:
            return
    raise ArithmeticError("the exponents span more bits than there are primes")  # pragma: no cover - 70,000 primes


def nonzero_column(left: FloatArray, right: FloatArray) -> int | None:
    """Return a column in which left @ right, computed exactly, is not zero; None is a proof that all of it is zero.

    Parameters
    ----------
    left, right
        Shapes (k, n) and (n, m), float32 or float64.
    """
    if not left.size or not right.size:
        return None
    for _, residue in _product_residues(left, right):
        columns = np.flatnonzero(residue.any(axis=0))
        if len(columns):
            return int(columns[0])
    return None


def exact_product(left: FloatArray, right: FloatArray) -> list[list[fmpq]]:
    """Return left @ right as rational numbers."""
    shape = left.shape[0], right.shape[1]
    if not left.size or not right.size:
        return [[fmpq(0)] * shape[1] for _ in range(shape[0])]
    modulus, values = fmpz(1), [fmpz(0)] * (shape[0] * shape[1])
    low = _bits(integer_parts(left))[0] + _bits(integer_parts(right))[0]
    for prime, residue in _product_residues(left, right):
        # Entries are integers times 2^low: take that power out modulo the prime, then lift.
        shift = pow(2, -low, prime)
        lift = pow(int(modulus), -1, prime)
        for place, target in enumerate(residue.reshape(-1).astype(np.int64).tolist()):
            known = values[place]
            values[place] = known + modulus * ((target * shift - int(known)) * lift % prime)
        modulus *= prime
    half = modulus // 2
    unit = fmpq(2) ** low
    flat = [unit * (value - modulus if value > half else value) for value in values]
    return [flat[row * shape[1] : (row + 1) * shape[1]] for row in range(shape[0])]
