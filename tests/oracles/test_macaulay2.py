"""Macaulay2 reads the exports as they are, and decomposes the small ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from relusym import nongeneric_locus, v_dep

DECOMPOSE = "print toString flatten apply(locus, c -> apply(decompose c#1, p -> codim p));"
COUNT = "print toString(#locus); print toString numgens R;"


@pytest.mark.parametrize("size", [(1, 2, 1), (2, 2, 1)])
def test_it_decomposes_the_components(size: tuple[int, int, int], macaulay2: Callable[[str], str]) -> None:
    locus = nongeneric_locus(*size)
    answer = macaulay2(f"{locus.to_macaulay2()}\n{DECOMPOSE}\nexit 0\n")
    ours = [piece.codimension for component in locus for piece in component.irreducible_components() or ()]
    assert sorted(map(int, answer.strip(" {}\n").split(","))) == sorted(ours)


@pytest.mark.parametrize("size", [(3, 3, 1), (2, 3, 2)])
def test_it_reads_the_larger_ones(size: tuple[int, int, int], macaulay2: Callable[[str], str]) -> None:
    locus = nongeneric_locus(*size, open_set="sharp")
    answer = macaulay2(f"{locus.to_macaulay2()}\n{COUNT}\nexit 0\n")
    assert answer.split() == [str(locus.count), str(len(locus.ring))]


def test_it_reads_other_rings(macaulay2: Callable[[str], str]) -> None:
    from sympy import symbols

    x, y = symbols("x_1 y_1")
    sliced = v_dep([x, y], ["1/2", 0]) | nongeneric_locus(1, 1).subs({"a1_1": 0})
    answer = macaulay2(f"{sliced.to_macaulay2()}\n{COUNT}\nexit 0\n")
    assert answer.split() == ["4", "5"]
