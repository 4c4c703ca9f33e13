"""The ladder against brute force, each rung by itself, and certificates by a checker in plain Python."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from flint import fmpq, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

import relusym.exact.subset_sums as module
from relusym.exact.subset_sums import (
    Absence,
    all_subsets_with_sum,
    all_vanishing_subsets,
    clear_denominators,
    clear_with_target,
    count_subsets_with_sum,
    count_vanishing_subsets,
    subset_with_sum,
    vanishing_signs,
    vanishing_subsets,
)
from relusym.limits import Budget, LimitReached, Limits

Rows = list[list[int]]

# -- a checker of certificates that shares nothing with what makes them ------------------------------------------------


def conditions(rows: Rows, certificate: Mapping[str, Any], coefficients: list[range]) -> Rows | None:
    """The conditions β·C = 0 that the certificate rests on, or None where one of them is not proved."""
    proved = [[row[column] for row in rows] for column in certificate["columns"]]
    for k in certificate.get("multipliers", []):
        modulus, columns = int(certificate["modulus"]), certificate["functional_columns"]
        functional = [sum(int(x) * row[column] for x, column in zip(k, columns, strict=True)) % modulus for row in rows]
        functional = [entry - modulus if 2 * entry > modulus else entry for entry in functional]
        products = [[value * entry for value in values] for entry, values in zip(functional, coefficients, strict=True)]
        if max(sum(map(max, products)), -sum(map(min, products))) >= modulus:
            return None
        proved.append(functional)
    return proved


def verify(rows: Rows, certificate: Mapping[str, Any]) -> bool:
    certificate = json.loads(json.dumps(certificate))
    n, prime, free = len(rows), certificate["prime"], certificate["free"]
    assert n == certificate["rows"]
    allowed = range(-1, 2) if certificate["coefficients"] == "signs" else range(2)
    coefficients = [allowed] * n
    if certificate["target"]:
        coefficients[-1] = range(-1, 0)
    proved = conditions(rows, certificate, coefficients)
    if proved is None:
        return False
    bound = [index for index in range(n) if index not in set(free)]
    table = [[condition[index] % prime for index in bound + free] for condition in proved]
    for place in range(len(bound)):
        pivot = next((line for line in range(place, len(table)) if table[line][place]), None)
        if pivot is None:
            return False
        table[place], table[pivot] = table[pivot], table[place]
        inverse = pow(table[place][place], -1, prime)
        table[place] = [entry * inverse % prime for entry in table[place]]
        for line in range(len(table)):
            if line != place and table[line][place]:
                factor = table[line][place]
                table[line] = [(x - factor * y) % prime for x, y in zip(table[line], table[place], strict=True)]
    residues = [{value % prime for value in coefficients[index]} for index in bound]
    for chosen in itertools.product(*(coefficients[index] for index in free)):
        implied = [-sum(x * y for x, y in zip(chosen, line[len(bound) :], strict=True)) % prime for line in table]
        fits = all(value in values for value, values in zip(implied, residues, strict=False))
        if fits and (any(chosen) or any(implied[: len(bound)])):
            return False
    return True


def refuses_damage(rows: Rows, certificate: Mapping[str, Any]) -> bool:
    """Whether a certificate with one condition less does not check."""
    key = "multipliers" if certificate.get("multipliers") else "columns"
    return not verify(rows, {**certificate, key: certificate[key][1:]})


# -- matrices ----------------------------------------------------------------------------------------------------------


@st.composite
def problems(draw: st.DrawFn) -> tuple[Rows, list[int]]:
    n, c = draw(st.integers(1, 7)), draw(st.integers(1, 3))
    size, scale = draw(st.sampled_from([2, 4, 30])), draw(st.sampled_from([1, 10**9]))
    vectors = st.lists(st.integers(-size, size).map(lambda entry: entry * scale), min_size=c, max_size=c)
    return [draw(vectors) for _ in range(n)], draw(vectors)


def products(n: int, m: int, bits: int, seed: int = 0) -> Rows:
    """v_i a_i for integer weights of so many bits."""
    rng = random.Random(seed)
    scales = [rng.choice([-1, 1]) * rng.randrange(1, 1 << bits) for _ in range(n)]
    return [[scale * rng.randrange(1 - (1 << bits), 1 << bits) for _ in range(m)] for scale in scales]


def floats(n: int, m: int, seed: int = 0) -> Rows:
    """v_i a_i for float64 weights, denominators cleared."""
    rng = random.Random(seed)
    scales = [fmpq(*rng.gauss(0, 1).as_integer_ratio()) for _ in range(n)]
    entries = [[scale * fmpq(*rng.gauss(0, 1).as_integer_ratio()) for _ in range(m)] for scale in scales]
    return [[int(entry) for entry in row] for row in clear_denominators(entries).tolist()]


def planted(rows: Rows, relation: Mapping[int, int]) -> Rows:
    """The rows, the last one of the relation changed so that it holds."""
    *others, last = sorted(relation)
    rows = [list(row) for row in rows]
    rows[last] = [
        -relation[last] * sum(relation[index] * rows[index][column] for index in others)
        for column in range(len(rows[0]))
    ]
    return rows


def brute_force(rows: Rows, values: Sequence[int], target: Sequence[int]) -> list[tuple[int, ...]]:
    return [
        beta
        for beta in itertools.product(values, repeat=len(rows))
        if all(sum(x * row[j] for x, row in zip(beta, rows, strict=True)) == target[j] for j in range(len(target)))
    ]


def check_answer(answer: Absence, solutions: list[tuple[int, ...]], rows: Rows) -> None:
    assert answer.truth is (not solutions)
    if solutions:
        assert answer.witness in solutions
    elif answer.method != "enumeration":
        assert answer.certificate is not None
        assert verify(rows, answer.certificate)


# -- tests -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rungs", [{}, {"_FEW": 1}, {"_FEW": 1, "_MANY": 1}], ids=["all", "no kernel", "no lattice"])
def test_every_rung_agrees_with_brute_force(rungs: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in rungs.items():
        monkeypatch.setattr(module, name, value)

    @given(problems())
    def agree(problem: tuple[Rows, list[int]]) -> None:
        rows, target = problem
        matrix, zero = fmpz_mat(rows), [0] * len(target)
        signs = [beta for beta in brute_force(rows, (-1, 0, 1), zero) if any(beta)]
        sets, with_sum = brute_force(rows, (0, 1), zero), brute_force(rows, (0, 1), target)
        check_answer(vanishing_signs(matrix, Budget()), signs, rows)
        check_answer(vanishing_subsets(matrix, Budget()), [beta for beta in sets if any(beta)], rows)
        check_answer(subset_with_sum(matrix, target, Budget()), with_sum, [*rows, target])
        as_indices = [
            sorted(tuple(index for index, entry in enumerate(beta) if entry) for beta in found)
            for found in (sets, with_sum)
        ]
        assert sorted(all_vanishing_subsets(matrix, Budget())) == as_indices[0]
        assert sorted(all_subsets_with_sum(matrix, target, Budget())) == as_indices[1]
        assert count_vanishing_subsets(matrix, Budget()) == len(sets)
        assert count_subsets_with_sum(matrix, target, Budget()) == len(with_sum)

    agree()


@pytest.mark.parametrize(
    ("rows", "method"),
    [(products(60, 70, 24), "rank"), (products(30, 28, 24), "kernel"), (products(40, 8, 24), "lattice")],
    ids=["rank", "kernel", "lattice"],
)
def test_certificates_check_and_damaged_ones_do_not(rows: Rows, method: str) -> None:
    for decide in (vanishing_signs, vanishing_subsets):
        answer = decide(fmpz_mat(rows), Budget())
        assert (answer.truth, answer.method) == (True, method)
        assert answer.certificate is not None
        assert verify(rows, answer.certificate)
        assert refuses_damage(rows, answer.certificate)
        assert not verify(planted(rows, {0: 1, 3: 1, 7: 1}), answer.certificate)


def test_float_weights_of_a_wide_network() -> None:
    rows = floats(100, 64)
    answer = vanishing_signs(fmpz_mat(rows), Budget())
    assert answer.method == "lattice"
    assert answer.certificate is not None
    assert verify(rows, answer.certificate)


@pytest.mark.parametrize("signs", [(1, -1, 1, 1, -1, 1, 1), (1,) * 7])
def test_a_planted_relation_is_found(signs: tuple[int, ...]) -> None:
    relation = dict(zip([2, 5, 17, 23, 31, 40, 59], signs, strict=True))
    matrix = fmpz_mat(planted(floats(60, 30), relation))
    expected = tuple(relation.get(index, 0) for index in range(60))
    assert vanishing_signs(matrix, Budget()).witness == expected
    sets = vanishing_subsets(matrix, Budget())
    assert sets.witness == (expected if min(signs) == 1 else None)
    assert len(list(all_vanishing_subsets(matrix, Budget()))) == (2 if min(signs) == 1 else 1)


def test_a_planted_sum_is_found() -> None:
    rows = floats(60, 30)
    chosen = (1, 4, 9, 16, 25, 36, 49)
    target = [sum(rows[index][column] for index in chosen) for column in range(30)]
    answer = subset_with_sum(fmpz_mat(rows), target, Budget())
    assert answer.witness == tuple(int(index in chosen) for index in range(60))
    assert list(all_subsets_with_sum(fmpz_mat(rows), target, Budget())) == [chosen]
    target[0] += 1
    answer = subset_with_sum(fmpz_mat(rows), target, Budget())
    assert answer.certificate is not None
    assert verify([*rows, target], answer.certificate)


def test_relations_abound_where_there_are_more_vectors_than_values() -> None:
    for rows in (products(40, 2, 10), products(300, 2, 10)):
        witness = vanishing_signs(fmpz_mat(rows), Budget()).witness
        assert witness is not None
        assert set(witness) == {-1, 0, 1}
        assert not any(sum(x * row[j] for x, row in zip(witness, rows, strict=True)) for j in range(2))


def test_sets_of_rows_are_counted_and_listed() -> None:
    rows = products(24, 1, 3)
    found = list(all_vanishing_subsets(fmpz_mat(rows), Budget()))
    assert len(set(found)) == len(found) == count_vanishing_subsets(fmpz_mat(rows), Budget()) > 1000
    assert all(sum(rows[index][0] for index in chosen) == 0 for chosen in found)


def test_independent_blocks_multiply() -> None:
    block = [[1, 2], [-1, -2], [3, 1], [-3, -1]]
    rows = [[0] * (2 * i) + row + [0] * (2 * (19 - i)) for i in range(20) for row in block] + [[0] * 40] * 600
    assert count_vanishing_subsets(fmpz_mat(rows), Budget()) == 4**20 * 2**600
    first = list(itertools.islice(all_vanishing_subsets(fmpz_mat(rows), Budget()), 50))
    assert len(set(first)) == 50


def test_counts_without_listing() -> None:
    assert count_subsets_with_sum(fmpz_mat([[1, 0]] * 60 + [[0, 2]] * 60), [30, 60], Budget()) == math.comb(60, 30) ** 2


def test_the_limits_of_reach() -> None:
    powers = fmpz_mat([[3**place] for place in range(60)])  # more values than 3^60, and no lattice sees far enough
    answer = vanishing_signs(powers, Budget(Limits(seconds=0)))
    assert (answer.truth, answer.method, answer.certificate) == (None, "", None)
    assert "0 seconds" in answer.reason
    hard = fmpz_mat(products(70, 2, 30))
    assert vanishing_signs(hard, Budget()).truth is not True
    assert vanishing_subsets(hard, Budget(Limits(seconds=5))).reason.startswith("undecided")
    with pytest.raises(LimitReached):
        list(all_vanishing_subsets(hard, Budget(Limits(seconds=5))))


@given(st.lists(st.lists(st.fractions(max_denominator=50), min_size=2, max_size=2), min_size=1, max_size=6))
def test_denominators_are_cleared_by_column(entries: list[list[Any]]) -> None:
    rows = [[fmpq(entry.numerator, entry.denominator) for entry in row] for row in entries]
    cleared, target = clear_with_target(rows, rows[0])
    for column in range(2):
        scales = {cleared[i, column] / row[column] for i, row in enumerate(rows) if row[column] != 0}
        assert len(scales) <= 1
        assert all(scale > 0 for scale in scales)
    assert target == [int(entry) for entry in cleared.tolist()[0]]


def test_no_rows_and_no_columns() -> None:
    empty = fmpz_mat(0, 2)
    assert vanishing_signs(empty, Budget()).truth is True
    assert list(all_vanishing_subsets(empty, Budget())) == [()]
    assert subset_with_sum(empty, [0, 0], Budget()).witness == ()
    assert subset_with_sum(empty, [0, 1], Budget()).truth is True
    bare = clear_denominators([[], []])
    assert vanishing_subsets(bare, Budget()).truth is False
    assert count_vanishing_subsets(bare, Budget()) == 4
