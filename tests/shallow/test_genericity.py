"""Genericity: the corrected conditions, the witness of each, several outputs, the ladder, limits and interrupts."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from sympy import sqrt

from relusym import Limits, Network, RelusymError, ShapeError, check, fibre, is_generic, load
from relusym.shallow.genericity import Failure


def witness(f: Network, open_set: str = "U") -> Failure:
    decision = is_generic(f, open_set=open_set)
    assert decision.truth is False
    assert check(decision.certificate or {}, f)
    assert isinstance(decision.witness, Failure)
    return decision.witness


def test_e6_the_sum_is_weighted() -> None:
    """v = (1, 2), a = (2, −1): no unweighted sum vanishes, v_1 a_1 + v_2 a_2 = 0 does, and the other orbit is there."""
    f = load("example:weighted")
    assert all(2 * x - y != 0 for x, y in product((-1, 0, 1), repeat=2) if (x, y) != (0, 0))
    assert witness(f).beta == (1, 1)
    assert fibre(f).orbits()[1] == load("example:weighted-flipped")


def test_e7_signs_are_sufficient_and_not_necessary() -> None:
    """v = (1, 1), a = (1, 1), b = (0, 1) is in U♯ and not in U: β = (1, −1) vanishes, but flips no neurons."""
    f = Network.shallow([1, 1], [[1], [1]], [0, 1], 0)
    assert witness(f).beta == (1, -1)
    assert is_generic(f, open_set="sharp").truth
    assert fibre(f).is_single_orbit


def test_each_condition_is_named() -> None:
    assert witness(Network.shallow([1, 0], [[1], [2]], [0, 1], 0)) == Failure("V1", (1,), output=0)
    assert witness(Network.shallow([1, 1], [[1], ["sqrt(2)"]], [1, "sqrt(2)"], 0)) == Failure(
        "V2", (0, 1), factor=sqrt(2)
    )
    assert witness(Network.shallow([1, 1], [[1], [0]], [1, 0], 0)) == Failure("V2", (1, 0))
    assert witness(Network.shallow([1, 1], [[1], [0]], [1, 1], 0)) == Failure("V3", (1,))
    found = witness(load("example:theta1"))
    assert found == Failure("V4", (0, 1, 2), output=0, beta=(1, 1, 1))
    assert str(found) == "V4: Σ β_i v_i a_i = 0 on the neurons 0, 1, 2 (output 0)"


def test_several_outputs() -> None:
    """U asks for every projection; U♯ takes all outputs at once."""
    rows, biases = [[1, 0], [-1, 0], [0, 1]], [0, 1, 2]
    f = Network.shallow([[1, 1, 1], [1, 2, 3]], rows, biases, [0, 0])
    assert witness(f).output == 0
    assert is_generic(f, open_set="sharp").truth
    zero = Network.shallow([[1, 1, 1], [0, 2, 3]], [[1, 0], [1, 1], [0, 1]], biases, [0, 0])
    assert witness(zero) == Failure("V1", (0,), output=1)
    assert is_generic(zero, open_set="sharp").truth
    whole = Network.shallow([[1, 1, 1], [2, 2, 3]], rows, biases, [0, 0])
    assert witness(whole, "sharp").beta == (1, 1, 0)


def test_a_field_is_expanded_over_the_rationals() -> None:
    """Weights 1 and √2 have rank 1 over Q(√2) and 2 over Q: no sum vanishes."""
    f = Network.shallow(["1", "sqrt(2)"], [[1], [1]], [0, 1], 0)
    decision = is_generic(f)
    assert decision.truth
    assert check(decision.certificate or {}, f)
    assert witness(Network.shallow(["1 + sqrt(2)", "1", "sqrt(2)"], [[-1], [1], [1]], [0, 1, 2], 0)).beta == (1, 1, 1)


def planted(n: int, m: int, members: tuple[int, ...]) -> Network:
    """Return a network of random floats in which the rows of ``members``, weighted, add up to 0."""
    random = np.random.default_rng(5)
    rows = random.integers(-(2**20), 2**20, (n, m)).astype(float)
    weights = 2.0 ** random.integers(-3, 4, n)
    last = members[-1]
    rows[last] = -sum(weights[i] * rows[i] for i in members[:-1]) / weights[last]
    return Network([(rows, random.standard_normal(n)), (weights[None, :], np.zeros(1))])


def test_a_planted_relation_is_found() -> None:
    members = (3, 7, 11, 18, 25, 31, 38)
    f = planted(40, 24, members)
    for open_set in ("U", "sharp"):
        assert witness(f, open_set).neurons == members
    assert fibre(f).flips == [(), members]


def test_a_yes_by_a_lattice_is_checked_alone() -> None:
    random = np.random.default_rng(1)
    f = Network([(random.standard_normal((40, 9)), np.zeros(40)), (random.standard_normal((1, 40)), np.zeros(1))])
    for open_set in ("U", "sharp"):
        decision = is_generic(f, open_set=open_set)
        assert (decision.truth, "by lattice" in decision.reason) == (True, True)
        assert check(decision.certificate or {}, f)


def test_explained() -> None:
    lines = is_generic(Network.shallow([1, 2], [[1], [1]], [0, 1], 0)).explain().splitlines()
    assert [line[:3] for line in lines] == ["V1:", "V2:", "V3:", "V4:", "in "]


def test_no_neurons() -> None:
    f = Network([(np.zeros((0, 2)), np.zeros(0)), (np.zeros((1, 0)), np.ones(1))])
    for open_set in ("U", "sharp"):
        decision = is_generic(f, open_set=open_set)
        assert decision.truth
        assert check(decision.certificate or {}, f)


def test_limits_leave_it_undecided_and_say_why() -> None:
    random = np.random.default_rng(2)
    f = Network([(random.standard_normal((90, 3)), np.zeros(90)), (np.ones((1, 90)), np.zeros(1))])
    decision = is_generic(f, limits=Limits(seconds=0.05))
    assert decision.truth is None
    assert "the limit of 0.05 seconds" in decision.reason
    with pytest.raises(RelusymError, match="undecided"):
        bool(decision)


_INTERRUPTED = """
import numpy, signal, sys, threading
from relusym import Network, is_generic

def progress(what, done, total):
    if what.startswith("reducing") and done == 0:
        threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()

random = numpy.random.default_rng(0)
weights = (random.standard_normal((190, 40)), numpy.zeros(190)), (random.standard_normal((1, 190)), numpy.zeros(1))
try:
    is_generic(Network(weights), progress=progress)
except KeyboardInterrupt:
    sys.exit(42)
"""


def test_control_c_ends_a_reduction_that_takes_long() -> None:
    script = [sys.executable, "-c", _INTERRUPTED]
    assert subprocess.run(script, env=dict(os.environ), timeout=60, check=False).returncode == 42


def test_bad_input() -> None:
    deep = Network([([[1]], [0]), ([[1]], [0]), ([[1]], [0])])
    for f, message in ((deep, "one hidden layer; this one has 2"), (Network([([[1]], [0])]), "this one has none")):
        for question in (is_generic, fibre):
            with pytest.raises(ShapeError, match=message):
                question(f)
    with pytest.raises(RelusymError, match='open_set must be "U" or "sharp"'):
        is_generic(load("example:theta1"), open_set="V")
