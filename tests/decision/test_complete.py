"""The complete decision: against vertices of the common refinement, on boxes and polyhedra; tampered certificates."""

from __future__ import annotations

import copy
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, Max, Min, Rational, sqrt, symbols

from relusym import CertificateError, DomainError, Limits, Network, check, common_refinement, equal, prove_equal
from relusym.decision.certificates import verification

X = symbols("x0:6")
ABS = Network.shallow([1, 1], [[1], [-1]], [0, 0], 0)
TRIANGLE = [([-1, 0], 0), ([0, -1], 0), ([1, 1], 1)]
SEGMENT = [*TRIANGLE, ([1, -1], 0), ([-1, 1], 0)]  # x = y inside it


def two(a, b):
    return a + Max(b - a, 0)


def maxima(count):
    """max of some inputs, nested from either side."""
    items = X[:count]
    left, right = (reduce(two, order) for order in (items, items[::-1]))
    return Network.from_sympy(left, items), Network.from_sympy(right, items)


def refused(certificate, f, g):
    """Whether a certificate proves nothing: what it says is wrong, or has no meaning."""
    try:
        return not check(certificate, f, g)
    except CertificateError:
        return True


@st.composite
def networks(draw, inputs, outputs=1):
    widths = [inputs, *draw(st.sampled_from([[3, 2], [2, 2, 2], [3]])), outputs]
    entry = st.integers(-2, 2)
    return Network(
        [
            ([[draw(entry) for _ in range(m)] for _ in range(n)], [draw(entry) for _ in range(n)])
            for m, n in zip(widths, widths[1:], strict=False)  # noqa: RUF007
        ]
    )


@st.composite
def domains(draw, inputs):
    """Bounded boxes, thin ones included, and bounded polyhedra as inequalities."""
    low = [draw(st.integers(-2, 1)) for _ in range(inputs)]
    box = [(a, a + draw(st.integers(0, 2))) for a in low]
    if draw(st.booleans()):
        return box
    middle = [Fraction(a + b, 2) for a, b in box]
    rows = [[sign * int(i == j) for j in range(inputs)] for i in range(inputs) for sign in (1, -1)]
    inequalities = [(r, sum(r[i] * box[i][r[i] > 0] for i in range(inputs))) for r in rows]
    for _ in range(draw(st.integers(0, 2))):
        r = [draw(st.integers(-2, 2)) for _ in range(inputs)]
        at_middle = sum(a * b for a, b in zip(r, middle, strict=True))
        inequalities.append((r, at_middle + draw(st.integers(0, 1))))
        if draw(st.integers(0, 3)) == 0:
            inequalities.append(([-v for v in r], -at_middle))
    return inequalities


def inside(domain, x):
    if isinstance(domain[0][0], list):
        return all(sum(a * b for a, b in zip(row, x, strict=True)) <= bound for row, bound in domain)
    return all(low <= value <= high for (low, high), value in zip(domain, x, strict=True))


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_against_the_vertices_of_the_common_refinement(data):
    inputs = data.draw(st.integers(1, 3))
    f, g = data.draw(networks(inputs)), data.draw(networks(inputs))
    how = data.draw(st.sampled_from(["other", "moved", "sum"]))
    if how != "other":
        *hidden, (weight, bias) = [(layer.weight.plain(), [row[0] for row in layer.bias.plain()]) for layer in f.layers]
        if how == "moved":
            hidden[-1][1][0] += 1
        g = Network([*hidden, (weight, bias)])
    domain = data.draw(domains(inputs))
    decision = equal(f, g, domain=domain)
    points = [cell.interior_point() for cell in common_refinement([f, g], domain=domain).cells(0)]
    assert decision.truth is all(f(x) == g(x) for x in points)
    assert check(decision.certificate, f, g)
    if decision.counterexample is not None:
        x = [Fraction(str(value)) for value in decision.counterexample.x]
        assert inside(domain, x)
        assert f(x) != g(x)


@pytest.mark.parametrize("count", [3, 4, 5])
def test_maxima_nested_in_two_orders(count):
    f, g = maxima(count)
    decision = equal(f, g)
    assert decision.verdict == "equal"
    assert decision.certificate["kind"] == "tree"
    assert check(decision.certificate, f, g)
    assert decision.explain().endswith("cells")
    assert "nothing is left of the difference" in decision.explain()


def test_a_tree_is_not_accepted_for_other_networks_or_when_tampered_with():
    f, g = maxima(3)
    certificate = equal(f, g).certificate
    layers = [(layer.weight.plain(), [row[0] for row in layer.bias.plain()]) for layer in g.layers]
    layers[-1][1][0] += Fraction(1, 10**9)
    assert not check(certificate, f, Network(layers))
    tree = certificate["tree"]
    for index, entry in enumerate(tree):
        changed = copy.deepcopy(certificate)
        changed["tree"][index].pop("split", None)
        if "split" in entry:
            assert refused(changed, f, g)
        changed = copy.deepcopy(certificate)
        del changed["tree"][index]
        assert refused(changed, f, g)
        for number, step in enumerate(entry["steps"]):
            for other in variants(step):
                changed = copy.deepcopy(certificate)
                changed["tree"][index]["steps"][number] = other
                assert refused(changed, f, g), (step, other)
    assert refused({**certificate, "tree": [*tree, {"steps": []}]}, f, g)
    assert "has ended" in verification({**certificate, "tree": [*tree, {"steps": []}]}, f, g).reason


def variants(step):
    """Claims that a step in the tree of two maxima does not make."""
    if step[0] == "sign":
        yield ["sign", step[1], -step[2], *step[3:]]
        yield ["sign", step[1], step[2]]
        if len(step) == 4 and step[3]:
            (*fact, factor), *rest = step[3]
            yield [*step[:3], [[*fact, f"-{factor}"], *rest]]
            yield [*step[:3], [[*fact, f"{factor}/7"], *rest]]
            yield [*step[:3], rest]
            yield [*step[:3], [["below", *fact[1:], factor], *rest]]
    if step[0] == "multiple":
        yield [*step[:3], "-1" if step[3] != "-1" else "1"]
        yield ["multiple", step[1], step[1], "1"]
    yield ["constant", step[1]] if step[0] != "constant" else ["multiple", step[1], 0, "1"]


@pytest.mark.parametrize(
    ("rows", "second", "domain", "facts"),
    [
        # σ(x + 1) − σ(x) is from 0 to 1, everywhere
        (([[1], [1]], [1, 0]), ([[1, -1]], [0]), None, {"above"}),
        (([[1], [2]], [1, 0]), ([[2, -1]], [0]), None, {"above"}),
        (([[1], [1]], [1, 0]), ([[-1, 1]], [1]), None, {"steep"}),
        # 2 σ(x) <= x + 1 between −1 and 1
        (([[1], [1]], [0, 2]), ([[-2, 1]], [-1]), [(-1, 1)], {"chord"}),
    ],
)
def test_facts_about_units_are_checked(rows, second, domain, facts):
    f = Network([rows, second, ([[1]], [0])])
    g = Network([rows, second])  # one neuron more is active everywhere
    certificate = equal(f, g, domain=domain).certificate
    assert check(certificate, f, g)
    (entry,) = certificate["tree"]
    found = {
        fact[0]: (number, place) for number, step in enumerate(entry["steps"]) for place, fact in enumerate(step[-1])
    }
    assert facts <= found.keys()
    for word in facts:
        number, place = found[word]
        fact = entry["steps"][number][-1][place]
        wrong = [[*fact[:-1], f"{fact[-1]}/3"], [*fact[:1], 7, *fact[2:]], fact[:-1], ["wall", 99, "1"]]
        if word == "chord":
            wrong += [["chord", fact[1], f"{fact[2]}/9", *fact[3:]], [*fact[:3], f"{fact[3]}/9", fact[4]]]
        if word in ("above", "steep"):
            wrong += [[word, fact[2], fact[1], *fact[3:]], [*fact[:3], f"-{fact[3]}", fact[4]]]
        for other in wrong:
            changed = copy.deepcopy(certificate)
            changed["tree"][0]["steps"][number][-1][place] = other
            assert refused(changed, f, g), other


def test_polyhedra():
    f, g = Network.shallow([1], [[1, -1]], [0], 0), Network([([[0, 0]], [0])])  # σ(x − y) and 0
    assert equal(f, g, domain=TRIANGLE).verdict == "different"
    for domain in (SEGMENT, [*TRIANGLE, ([1, -1], 0)]):
        decision = equal(f, g, domain=domain)
        assert decision.verdict == "equal"
        assert check(decision.certificate, f, g)
        assert refused({**decision.certificate, "domain": None}, f, g)
    point = equal(f, g, domain=TRIANGLE).certificate
    assert refused({**point, "domain": [[["1", "0"], "-5"]]}, f, g)


def test_a_hull_is_proved():
    f, g = Network([([[1, 1]], [0]), ([[1]], [0]), ([[1]], [0])]), Network([([[2, 0]], [0])])
    certificate = equal(f, g, domain=SEGMENT).certificate
    assert certificate["hull"]["inputs"]
    assert check(certificate, f, g)
    for change in ("tight", "inputs"):
        changed = copy.deepcopy(certificate)
        changed["hull"][change] = []
        assert refused(changed, f, g)
    changed = copy.deepcopy(certificate)
    changed["hull"]["inputs"][0]["form"][-1] = "1"
    assert refused(changed, f, g)
    changed = copy.deepcopy(certificate)
    changed["domain"] = [[row, bound if row != ["-1", "1"] else "1"] for row, bound in changed["domain"]]
    assert refused(changed, f, g)


def test_a_point_as_a_domain_and_unbounded_ones():
    f, g = maxima(3)
    corner = [
        ([sign * int(i == j) for j in range(3)], sign * value) for i, value in enumerate((1, 2, 3)) for sign in (1, -1)
    ]
    decision = equal(f, g, domain=corner)
    assert decision.verdict == "equal"
    assert check(decision.certificate, f, g)
    half = Network([([[1, 0, 0]], [0])])
    assert equal(f, half, domain=[([-1, 1, 0], 0), ([-1, 0, 1], 0)]).verdict == "equal"
    assert equal(f, half, domain=[([-1, 1, 0], 0)]).verdict == "different"


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        ([([1], 0), ([-1], -1)], "empty"),
        ([([0], -1)], "empty"),
        ([([1, 2], 0)], "2 coordinates"),
        ([([1], "x")], "inequality 0"),
    ],
)
def test_domains_are_checked(domain, message):
    with pytest.raises(DomainError, match=message):
        equal(ABS, ABS, domain=domain)


def test_irrational_domains_have_rational_witnesses():
    f, g = ABS, Network([([[1]], [0])])
    assert equal(f, g, domain=[(["-sqrt(2)"], 0)]).verdict == "equal"
    decision = equal(f, g, domain=[(["-1"], "sqrt(2)/10^9".replace("10^9", "1000000000")), ([1], 5)])
    assert decision.verdict == "different"
    assert check(decision.certificate, f, g)
    assert all(value.is_Rational for value in decision.counterexample.x)
    h, zero = (
        Network([([["sqrt(2)"], [1]], [0, 0]), ([["1/sqrt(2)", -1]], ["0"]), ([[1]], [0])]),
        Network([([[0]], [0])]),
    )
    decision = equal(h, zero)
    assert decision.verdict == "equal"
    assert check(decision.certificate, h, zero)


def test_limits_and_executors():
    f, g = maxima(6)
    few = equal(f, g, limits=Limits(items=10))
    assert few.verdict == "undecided"
    assert "10 items" in few.reason
    seen = []
    whole = equal(f, g, progress=lambda *event: seen.append(event))
    assert any(what == "cells" for what, _, _ in seen)
    with ProcessPoolExecutor(2) as executor:
        spread = equal(f, g, executor=executor)
    assert spread.certificate == whole.certificate
    assert check(spread.certificate, f, g)


def test_differences_are_found_in_narrow_cells():
    tip = Network([([[1], [-1]], [-(10**6), 10**6]), ([[-1, -1]], [Fraction(1, 2 * 10**6)]), ([[1]], [0])])
    decision = equal(tip, Network([([[0]], [0])]))
    assert decision.verdict == "different"
    assert abs(decision.counterexample.x[0] - 10**6) < Rational(1, 10**6)


def test_identities_with_linear_assumptions():
    x, y, z = X[:3]
    assert prove_equal(Max(two(x, y), z), two(x, two(y, z))).truth
    assert prove_equal(Abs(Abs(x) - Abs(y)), Max(Abs(x), Abs(y)) - Min(Abs(x), Abs(y))).truth
    inside_simplex = [x >= 0, y >= 0, x + y <= 1]
    assert prove_equal(Max(x + y, 1), 1, assumptions=inside_simplex).truth
    found = prove_equal(Max(2 * x + y, 1), 1, assumptions=inside_simplex)
    assert found.truth is False
    assert 2 * found.assignment[x] + found.assignment[y] > 1
    nested = Max(0, Max(x, y) - Min(x, y) - 1)
    assert prove_equal(nested, 0, assumptions=inside_simplex).truth
    assert prove_equal(Abs(x - sqrt(2) * y), x - sqrt(2) * y, assumptions=[x >= sqrt(2) * y]).truth


def test_up_to_a_scale_on_a_polyhedron():
    f, g = Network.shallow([1], [[1, -1]], [0], 0), Network([([[2, -2]], [0])])
    decision = equal(f, g, domain=[([-1, 1], 0)], up_to="positive-scale")
    assert decision.verdict == "equal"
    assert decision.scale == 2
    assert check(decision.certificate, f, g)
    other = equal(f, g, domain=[([-1, 0], 0)], up_to="positive-scale")
    assert other.verdict == "different"
    assert check(other.certificate, f, g)
