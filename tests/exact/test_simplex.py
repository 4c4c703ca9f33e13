"""Exact linear programs: every answer comes with what proves it."""

from __future__ import annotations

from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from relusym.exact.simplex import Dictionary, interior_point
from relusym.exact.tower import Tower


def row(width: int) -> st.SearchStrategy[list[fmpq]]:
    return st.lists(st.integers(-3, 3).map(fmpq), min_size=width, max_size=width)


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[list[fmpq]], list[fmpq]]:
    dimension = draw(st.integers(1, 4))
    return draw(st.lists(row(dimension + 1), max_size=9)), draw(row(dimension + 1))


def value(form: list[Any], point: list[Any]) -> Any:
    return sum((a * b for a, b in zip(form, point, strict=False)), start=form[-1])


def combination(form: list[Any], walls: list[list[Any]], factors: dict[int, Any]) -> list[Any]:
    for index, factor in factors.items():
        assert factor > 0
        form = [a + factor * b for a, b in zip(form, walls[index], strict=True)]
    return form


@given(programs())
def test_minimum_and_emptiness_are_proved(program: tuple[list[list[fmpq]], list[fmpq]]) -> None:
    rows, objective = program
    dictionary, walls = Dictionary(fmpq(0), fmpq(1), len(objective) - 1), []
    for wall in rows:
        proof = dictionary.add(wall)
        if proof is None:
            walls.append(wall)
        else:
            *weights, constant = combination(wall, walls, proof)
            assert not any(weights)
            assert constant < 0
        assert all(value(known, dictionary.point()) >= 0 for known in walls)
    assert dictionary.walls == len(walls)
    least = dictionary.least(objective, stop_below=None)
    assert all(value(wall, least.point) >= 0 for wall in walls)
    if least.value is None:
        # every other bound is exceeded as well: walls that keep the form up make the polyhedron empty
        far = dictionary.copy()
        assert far.add([*(-entry for entry in objective[:-1]), -1000 - objective[-1]]) is None
    else:
        assert value(objective, least.point) == least.value
        rest = [-entry for entry in objective]
        assert combination(rest, walls, least.multipliers) == [*[0] * (len(objective) - 1), -least.value]


@given(programs(), st.integers(-3, 3))
def test_stopping_early_ends_below(program: tuple[list[list[fmpq]], list[fmpq]], goal: int) -> None:
    rows, objective = program
    dictionary = Dictionary(fmpq(0), fmpq(1), len(objective) - 1)
    walls = [wall for wall in rows if dictionary.add(wall) is None]
    least = dictionary.least(objective, stop_below=fmpq(goal))
    assert all(value(wall, least.point) >= 0 for wall in walls)
    if least.value is None:
        assert value(objective, least.point) < goal
    else:
        assert least.value >= goal


@given(st.lists(row(3).filter(lambda wall: any(wall[:-1])), max_size=8))
def test_interior_points(walls: list[list[fmpq]]) -> None:
    point = interior_point(fmpq(0), fmpq(1), 2, walls)
    if point is not None:
        assert all(value(wall, point) > 0 for wall in walls)
    else:
        # no point is inside all of them: with their complements one by one moved out by any margin, they are empty
        dictionary = Dictionary(fmpq(0), fmpq(1), 2)
        assert any(dictionary.add([*wall[:-1], wall[-1] - fmpq(1, 10**6)]) is not None for wall in walls)


def test_a_degenerate_program_ends() -> None:
    # Beale's example, on which the largest slope alone goes round in a circle
    dictionary = Dictionary(fmpq(0), fmpq(1), 4)
    for wall in (
        ["-1/4", 60, "1/25", -9, 0],
        ["-1/2", 90, "1/50", -3, 0],
        [0, 0, -1, 0, 1],
        *([int(i == j) for j in range(4)] + [0] for i in range(4)),
    ):
        assert dictionary.add([entry if isinstance(entry, fmpq) else _number(entry) for entry in wall]) is None
    assert dictionary.least([_number(entry) for entry in ("-3/4", 150, "-1/50", 6, 0)]).value == fmpq(-1, 20)


def _number(entry: Any) -> fmpq:
    return fmpq(*map(int, str(entry).split("/")))


@pytest.mark.parametrize("text", ["sqrt(2)", "cbrt(5)"])
def test_over_a_number_field(text: str) -> None:
    from relusym.exact.numbers import read_number

    tower = Tower()
    expression = read_number(text)
    tower.prepare(expression)
    root = tower.evaluate(expression)
    zero, one = tower.field.rational(0), tower.field.rational(1)
    dictionary = Dictionary(zero, one, 2)
    for wall in ([one, zero, zero], [zero, one, zero], [-one, -root, root]):  # x, y >= 0, x + r y <= r
        assert dictionary.add(wall) is None
    least = dictionary.least([-one, -one, zero])
    assert least.value == -root
    assert least.point == [root, zero]
    assert dictionary.add([one, zero, -root - 1]) is not None
