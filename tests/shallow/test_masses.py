"""Keys of rows over Q: equal exactly for multiples of one another, whatever a prime divides."""

from __future__ import annotations

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from relusym.shallow.masses import _PRIME, RayKey

SPECIAL = [
    fmpq(0),
    fmpq(1),
    fmpq(-2, 3),
    fmpq(_PRIME),
    fmpq(1, _PRIME),
    fmpq(_PRIME + 1, 2 * _PRIME),
    fmpq(7, _PRIME**2),
]
entries = st.one_of(st.sampled_from(SPECIAL), st.builds(fmpq, st.integers(-(2**70), 2**70), st.integers(1, 2**70)))
rows = st.lists(entries, min_size=3, max_size=3).filter(lambda row: any(row[:-1]))


def key(row: list[fmpq]) -> RayKey:
    return RayKey(row, next(value for value in row if value != 0))


def normalised(row: list[fmpq]) -> list[fmpq]:
    lead = next(value for value in row if value != 0)
    return [value / lead for value in row]


@given(rows, entries.filter(bool))
def test_multiples_are_one_key(row: list[fmpq], factor: fmpq) -> None:
    multiple = [factor * value for value in row]
    assert hash(key(row)) == hash(key(multiple))
    first, second, third = key(row), key(multiple), key(multiple)
    assert first == second
    assert first == second == third
    assert {first: 1}[third] == 1


@given(rows, rows)
def test_keys_are_equal_exactly_for_multiples(first: list[fmpq], second: list[fmpq]) -> None:
    assert (key(first) == key(second)) == (normalised(first) == normalised(second))


def test_rows_that_agree_modulo_the_prime_are_told_apart() -> None:
    first, second = [fmpq(1), fmpq(0)], [fmpq(1), fmpq(_PRIME)]
    assert hash(key(first)) == hash(key(second))
    assert key(first) != key(second)
