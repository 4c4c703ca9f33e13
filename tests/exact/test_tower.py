"""Number fields for many entries: degrees, fields that are equal by other generators, limits that are kept quickly."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from flint import fmpq

from relusym.errors import FieldError
from relusym.exact.expression import RootOf, radical
from relusym.exact.field import QQ
from relusym.exact.numbers import read_number, settle
from relusym.exact.tower import Tower, common_tower


def settled(*texts: str, max_degree: int = 64) -> tuple[Tower, list[Any]]:
    return settle(map(read_number, texts), QQ, max_degree)


@pytest.mark.parametrize(
    ("texts", "degree"),
    [
        (["1/2", "cbrt(8)", "root([6, -5, 1], 0)"], 1),
        (["sqrt(2)", "sqrt(8)", "1/sqrt(2)"], 2),
        (["sqrt(2)", "sqrt(3)", "sqrt(6)"], 4),
        (["sqrt(2)", "cbrt(2)"], 6),
        (["root(2, 6)", "sqrt(2)", "cbrt(2)"], 6),
        (["sqrt(2)", "root(2, 16)", "root(2, 8)"], 16),
        (["sqrt(2)", "sqrt(3)", "sqrt(5)", "sqrt(7)"], 16),
        (["sqrt(2)", "sqrt(3)", "sqrt(5)", "sqrt(7)", "sqrt(11)", "sqrt(13)"], 64),
        (["root(2, 64)"], 64),
        (["sqrt(10**40 + 1)", "sqrt((10**40 + 1)*4)"], 2),
        (["root(36, 4)"], 2),
        (["root(4, 6)", "cbrt(2)"], 3),
        (["sqrt(1 + sqrt(2))"], 4),
        (["sqrt(1 + sqrt(1 + sqrt(1 + sqrt(2))))"], 16),
        (["sqrt(5 + 2*sqrt(6))"], 4),
        (["sqrt(3 - 2*sqrt(2))"], 2),
        (["root([1, -3, 0, 1], 0)", "root([1, -3, 0, 1], 1)", "root([1, -3, 0, 1], 2)"], 3),
        (["root([-1, -1, 0, 1], 0)"], 3),
        (["root([-1, -1, 0, 0, 0, 0, 0, 0, 1], 0)", "root([-1, -1, 0, 0, 0, 0, 0, 0, 1], 1)"], 56),
    ],
)
def test_degrees(texts: list[str], degree: int) -> None:
    tower, values = settled(*texts)
    assert tower.field.degree == degree
    for text, value in zip(texts, values, strict=True):
        if degree > 16:
            break  # a minimal polynomial of degree 32 takes seconds
        alone, [other] = settled(text)
        assert tower.field.identity(value) == alone.field.identity(other)


def test_the_order_of_adjoining_does_not_matter() -> None:
    texts = ["sqrt(2)", "cbrt(3)", "sqrt(1 + sqrt(2))"]
    names = set()
    for order in itertools.permutations(texts):
        tower, values = settled(*order, "sqrt(2)*cbrt(3) - sqrt(1 + sqrt(2))")
        names.add(tower.field.identity(values[-1]))
        assert tower.field.degree == 12
    assert len(names) == 1


def test_conjugates_of_a_cyclic_cubic_sum_to_nothing() -> None:
    tower, values = settled("root([1, -3, 0, 1], 0)", "root([1, -3, 0, 1], 1)", "root([1, -3, 0, 1], 2)")
    a, b, c = values
    assert a + b + c == 0
    assert a * b * c == -1
    assert a < b < c
    assert b * b - 2 == a or b * b - 2 == c
    assert tower.field.degree == 3


@pytest.mark.parametrize(
    "texts",
    [
        ["root(2, 65)"],
        ["root(2, 99991)"],
        ["sqrt(2)", "root(3, 61)"],
        ["sqrt(2)", "sqrt(3)", "sqrt(5)", "sqrt(7)", "sqrt(11)", "sqrt(13)", "sqrt(17)"],
        ["root([-1, -1" + ", 0" * 14 + ", 1], 0)", "root([-1, -1" + ", 0" * 14 + ", 1], 1)"],
        ["root([-1, -1" + ", 0" * 30 + ", 1], 0)", "root([-1, -1" + ", 0" * 30 + ", 1], 1)"],
        ["root([-1, 3" + ", 0" * 254 + ", 1], 0)"],
        ["root([1" + ", 0" * 20_000 + ", 1], 0)"],
        ["root(1 + root(2, 32), 32)"],
    ],
)
def test_degrees_beyond_the_limit_are_refused_early(texts: list[str]) -> None:
    with pytest.raises(FieldError, match="at most 64"):
        settled(*texts)


def test_other_limits() -> None:
    with pytest.raises(FieldError, match="degree 4; at most 3"):
        settled("sqrt(2)", "sqrt(3)", max_degree=3)
    assert settled("root(2, 81)", max_degree=81)[0].field.degree == 81


def test_fields_given_by_other_generators_are_one() -> None:
    first, [a] = settled("sqrt(2) + sqrt(3)")
    second, [b] = settled("root([1, 0, -10, 0, 1], 3)")
    tower = common_tower([first.field, second.field])
    assert tower.field.degree == 4
    assert tower.embedding(first.field)(a) == tower.embedding(second.field)(b)
    assert a == b
    assert hash(a) == hash(b)


def test_common_tower_of_different_fields() -> None:
    fields = [settled(text)[0].field for text in ("sqrt(2)", "cbrt(2)", "1", "root([-1, -1, 0, 1], 0)")]
    tower = common_tower(fields)
    assert tower.field.degree == 18
    with pytest.raises(FieldError, match="at most 17"):
        common_tower(fields, 17)
    assert common_tower([]).field is QQ
    assert tower.embedding(QQ)(fmpq(1, 3)) == fmpq(1, 3)


def test_powers_and_sizes() -> None:
    _, [value, inverse] = settled("(1 + sqrt(2))**10000", "(sqrt(2) - 1)**-10000")
    assert value == inverse
    for text in ("(10**50000*sqrt(2))**100", "(1 + sqrt(2))**100001"):
        with pytest.raises(FieldError, match=r"100,00[01]"):
            settled(text)


@pytest.mark.parametrize("exponent", [101, 999, 2999])
def test_atoms_of_very_different_size(exponent: int) -> None:
    """Conjugates would lie in clusters; the second atom is made comparable to the first, whichever is tiny."""
    tiny = RootOf((fmpq(-2), fmpq(0), fmpq(10) ** exponent), 1)
    root_two = radical(fmpq(2), 2)
    for order in ([root_two, tiny], [tiny, root_two]):
        tower, values = settle(order)
        assert tower.field.degree == 4
        small = values[order.index(tiny)]
        assert small * small * fmpq(10) ** exponent == 2
        assert small > 0
        product = values[0] * values[1]
        assert product * product * fmpq(10) ** exponent == 4
        other, again = settle([root_two, tiny], tower.field)
        assert other.field == tower.field
        assert again[1] == small


def test_an_equal_field_of_other_atoms_is_held_when_the_tower_grows() -> None:
    """√2 is known as the greatest root of t³ − 2t, then as sqrt(2); then cbrt(2) makes another field of the tower."""
    fields = [settled(text)[0].field for text in ("root([0, -2, 0, 1], 2)", "sqrt(2)")]
    tower = common_tower(fields)
    tower.prepare(read_number("cbrt(2)"))
    images = {tower.field.text(tower.embedding(field)(field.generator)) for field in fields}  # type: ignore[attr-defined]
    assert tower.field.degree == 6
    assert len(images) == 1
