"""The hierarchy of symmetries: its implications on random parameters, and an example where each converse fails."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from relusym import Limits, Network, load
from relusym.shallow.hierarchy import LEVELS, hierarchy

small = st.integers(-2, 2)


def test_a_symmetry_of_the_first_layer_need_not_fix_the_parameter() -> None:
    report = hierarchy(Network.shallow([1, 5], [[1, 1], [2, 2]], [1, 2], 0))
    assert report.level == "first layer"
    assert (report.parameter.is_trivial, report.first_layer.isomorphism_type) == (True, "S_2")
    assert report.is_free_orbit is False
    assert report.explain().splitlines()[-1] == "the fibre is not one free H_n-orbit, since Stab(A, b) ≠ 1"


def test_a_second_orbit_needs_no_symmetry_of_the_first_layer() -> None:
    report = hierarchy(load("example:theta1"))
    assert report.level == "fibre"
    assert report.parameter.is_trivial
    assert report.first_layer.is_trivial
    assert report.is_free_orbit is False


def test_the_ends() -> None:
    assert hierarchy(load("example:triple")).level == "parameter"
    report = hierarchy(Network.shallow([1, 2], [[1], [1]], [0, 1], 0))
    assert (report.level, report.is_free_orbit) == ("none", True)
    assert repr(report) == "Hierarchy(none)"


def test_undecided_within_limits() -> None:
    random = np.random.default_rng(2)
    f = Network([(random.standard_normal((90, 3)), np.zeros(90)), (np.ones((1, 90)), np.zeros(1))])
    report = hierarchy(f, limits=Limits(seconds=0))
    assert (report.level, report.is_free_orbit) == (None, None)
    assert "the fibre is undecided" in report.explain()


@given(
    st.integers(1, 3).flatmap(
        lambda n: st.tuples(*(st.lists(small, min_size=n, max_size=n) for _ in range(3)), st.integers(1, 2))
    )
)
def test_each_statement_implies_the_next(parts: tuple[list[int], list[int], list[int], int]) -> None:
    v, a, b, k = parts
    report = hierarchy(Network.shallow([v] * k, [[x] for x in a], b, [0] * k))
    assert report.level in LEVELS
    if not report.parameter.is_trivial:
        assert not report.first_layer.is_trivial
    if not report.first_layer.is_trivial:
        assert report.fibre.is_single_orbit is False  # it would not be free; in fact it is not even one orbit
    assert (report.level == "none") is (report.is_free_orbit is True)
