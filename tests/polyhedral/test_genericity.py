"""Genericity: each condition on both sides of its edge, with the cell or the neurons that break it."""

from __future__ import annotations

import pytest

from relusym import Limits, Network, genericity, load
from relusym.polyhedral.arrangement import Neuron

GENERIC = Network(
    [([[7, 3], [9, 2], [-16, -5]], [14, 17, -17]), ([[9, -2, 1], [-9, 2, -1]], [-19, 47]), ([[-5, -6]], [0])]
)


def test_the_two_parameters_of_one_function() -> None:
    one, two = genericity(load("example:theta1")), genericity(load("example:theta2"))
    assert all(decision.truth is True for decision in two.conditions.values())
    assert two.generic.truth is True
    assert {name for name, decision in one.conditions.items() if decision.truth is False} == {"transparent"}
    assert one.transparent.witness.layer == 0
    assert one.transparent.witness.cell.pattern == "---"
    assert one.generic.truth is False


def shallow(rows, biases, weights=None) -> Network:
    return Network.shallow(weights or [1] * len(rows), rows, biases, 0)


def test_supertransversal_and_three_lines_through_a_point() -> None:
    rows = [[1, 0], [0, 1], [1, 1]]
    assert genericity(shallow(rows, [0, 0, 1])).supertransversal.truth is True
    decision = genericity(shallow(rows, [0, 0, 0])).supertransversal
    assert decision.truth is False
    assert decision.witness.cell.dimension == 0
    assert len(decision.witness.neurons) == 3


def test_supertransversal_and_one_line_twice() -> None:
    assert genericity(shallow([[1, 0], [-1, 0]], [0, 1])).supertransversal.truth is True
    decision = genericity(shallow([[1, 0], [-1, 0]], [0, 0])).supertransversal
    assert decision.truth is False
    assert decision.witness.cell.dimension == 1
    assert decision.witness.neurons == (Neuron(0, 0), Neuron(0, 1))


def test_a_region_where_a_neuron_vanishes_is_in_no_bent_hyperplane() -> None:
    # z = 1 − σ(x) − σ(1 − x) is 0 for 0 ≤ x ≤ 1 and positive nowhere
    f = Network([([[1, 0], [-1, 0]], [0, 1]), ([[-1, -1], [1, 0]], [1, 1]), ([[1, 1]], [0])])
    assert genericity(f).supertransversal.truth is True
    # −z is positive outside, so it bends where the two neurons of the first layer do
    g = Network([([[1, 0], [-1, 0]], [0, 1]), ([[1, 1], [1, 0]], [-1, 1]), ([[1, 1]], [0])])
    decision = genericity(g).supertransversal
    assert decision.truth is False
    assert len(decision.witness.neurons) == 2


def test_cancellation_free_and_a_zero_output_weight() -> None:
    rows, biases = [[1, 0], [0, 1]], [0, 0]
    assert genericity(shallow(rows, biases, [1, 1])).cancellation_free.truth is True
    decision = genericity(shallow(rows, biases, [1, 0])).cancellation_free
    assert decision.truth is False
    assert decision.witness.neurons == (Neuron(0, 1),)


def test_a_later_layer_that_is_wholly_inactive_is_no_cancellation() -> None:
    f = Network([([[1, 0], [0, 1]], [0, 0]), ([[1, 1]], [-1]), ([[1]], [0])])
    report = genericity(f)
    assert report.cancellation_free.truth is True
    assert report.transparent.truth is False
    # with a second neuron that is active there and does not read the first layer, it is one
    g = Network([([[1, 0], [0, 1]], [0, 0]), ([[1, 1], [0, 0]], [-1, 1]), ([[1, 1]], [0])])
    assert genericity(g).cancellation_free.truth is False


def test_transparent_by_a_neuron_that_is_never_inactive() -> None:
    rows, biases = [[1, 0], [0, 1]], [0, 0]
    assert genericity(shallow(rows, biases)).transparent.truth is False
    assert genericity(shallow([*rows, [-1, -1]], [0, 0, 1])).transparent.truth is True
    # zero is not active: the three neurons vanish together at no region, but on a point only
    assert genericity(shallow([*rows, [-1, -1]], [0, 0, 0])).transparent.truth is True


def test_tpic_meets_and_does_not() -> None:
    inner = ([[1, 0], [0, 1], [0, -1]], [0, 0, 0])
    crossing = Network([inner, ([[1, 1, -1]], [1]), ([[1]], [0])])  # σ(x) + y + 1 = 0 is below y = 0: only x = 0 is met
    decision = genericity(crossing).tpic
    assert decision.truth is False
    assert decision.witness.cell is None
    assert decision.witness.neurons == (Neuron(0, 1), Neuron(1, 0))
    both = Network([([[1, 0], [0, 1]], [0, 0]), ([[1, 1]], [-1]), ([[1]], [0])])
    assert genericity(both).tpic.truth is True


def test_tpic_touching() -> None:
    # z = σ(x) + σ(y) − σ(−x) … is zero on a piece of x = 0: a common cell of codimension 1
    f = Network([([[1, 0], [0, 1]], [0, 0]), ([[1, 0]], [0]), ([[1]], [0])])
    decision = genericity(f).tpic
    assert decision.truth is False
    assert decision.witness.cell.dimension == 1
    assert "touch" in decision.reason


def test_a_generic_network_of_depth_two() -> None:
    assert genericity(GENERIC).generic.truth is True, genericity(GENERIC).explain()


def test_no_hidden_layer_and_one_input() -> None:
    assert genericity(Network([([[1, 2]], [0])])).generic.truth is True
    deep = Network([([[1], [-1]], [0, 1]), ([[1, 1]], [-3]), ([[1]], [0])])
    assert genericity(deep).tpic.truth is False  # points of a line do not cross


def test_limits_leave_it_undecided() -> None:
    report = genericity(GENERIC, limits=Limits(items=2))
    assert {decision.truth for decision in report.conditions.values()} == {None}
    assert report.generic.truth is None
    with pytest.raises(ValueError, match="undecided"):
        bool(report.generic)


def test_many_inputs() -> None:
    rows = [[int(i == j) for j in range(9)] for i in range(9)]
    f = Network([(rows[:2], [0, 0]), ([[1, 1]], [-1]), ([[1]], [0])])
    assert genericity(f).supertransversal.truth is True  # only two of the nine dimensions count
    wide = Network([([*rows, [-1] * 9], [1] * 10), ([[1] * 10], [-1]), ([[1]], [0])])
    report = genericity(wide, limits=Limits(items=3000))
    assert report.supertransversal.truth is None
    assert report.transparent.truth is not None
