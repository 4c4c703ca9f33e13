"""Equality of shallow functions: two routes that agree, boxes, witnesses replayed by other code, certificates."""

from __future__ import annotations

import copy
import itertools
import json
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relusym import (
    CertificateError,
    DomainError,
    Limits,
    Network,
    RelusymError,
    ShapeError,
    check,
    equal,
    equivalent,
    load,
    ridge_form,
    similar,
)
from strategies import Shallow, equal_pairs, fractions, network_of, shallows

ZERO = Fraction(0)


def at(theta: Shallow, x: list[Fraction]) -> list[Fraction]:
    """Evaluate with Python's fractions alone."""
    M, A, b, c = theta
    hidden = [max(ZERO, sum((a * t for a, t in zip(row, x, strict=True)), s)) for row, s in zip(A, b, strict=True)]
    return [sum((w * h for w, h in zip(row, hidden, strict=True)), s) for row, s in zip(M, c, strict=True)]


def fraction(number: Any) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def replayed(decision: Any, first: Shallow, second: Shallow) -> list[Fraction]:
    """Check a witness with :func:`at`, and return the point."""
    x, f, g = ([fraction(v) for v in part] for part in decision.counterexample)
    assert (at(first, x), at(second, x)) == (f, g)
    assert f != g
    return x


@st.composite
def any_pairs(draw: st.DrawFn) -> tuple[int, Shallow, Shallow]:
    """Independent pairs, and pairs that differ in one entry."""
    m, k = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    first = draw(shallows(m=m, k=k))
    if draw(st.booleans()):
        return m, first, draw(shallows(m=m, k=k))
    second = copy.deepcopy(first)
    places = [(second[3], i) for i in range(k)] + [(second[2], i) for i in range(len(second[2]))]
    places += [(row, i) for rows in second[:2] for row in rows for i in range(len(row))]
    part, index = draw(st.sampled_from(places))
    part[index] += draw(st.sampled_from([ZERO, Fraction(1), Fraction(1, 10**30)]))
    return m, first, second


@given(any_pairs())
def test_the_two_routes_agree(pair: tuple[int, Shallow, Shallow]) -> None:
    m, first, second = pair
    f, g = network_of(first, m), network_of(second, m)
    decision = equal(f, g)
    assert decision.truth is equivalent(f, g) is (ridge_form(f) == ridge_form(g))
    assert check(decision.certificate, f, g)
    assert decision.explain().endswith(decision.reason)
    if not decision.truth:
        replayed(decision, first, second)


@settings(max_examples=40)
@given(st.sampled_from(["Q", "sqrt(2)", "cbrt(2)"]).flatmap(equal_pairs))
def test_disguises_are_equal_by_both_routes(pair: tuple[Network, Network]) -> None:
    f, g = pair
    decision = equal(f, g)
    assert (decision.verdict, decision.counterexample, bool(decision)) == ("equal", None, True)
    assert equivalent(f, g)
    assert check(json.loads(json.dumps(decision.certificate)), f, g)


@settings(max_examples=40)
@given(shallows(m=2, k=1, field="sqrt(2)"), shallows(m=2, k=1, field="sqrt(2)"))
def test_irrational_networks_have_rational_witnesses(first: Shallow, second: Shallow) -> None:
    f, g = network_of(first, 2), network_of(second, 2)
    decision = equal(f, g)
    assert decision.truth is equivalent(f, g)
    assert check(decision.certificate, f, g)
    if not decision.truth:
        x = decision.counterexample.x
        assert all(value.is_Rational for value in x)
        assert sp.expand(f(x)[0] - g(x)[0]) != 0


boxes = st.tuples(st.integers(-2, 2), st.integers(0, 3)).map(lambda t: (t[0], t[0] + t[1]))


def equal_on_interval(first: Shallow, second: Shallow, low: int, high: int) -> bool:
    """Compare on [low, high] by the breakpoints of both: an argument without ridge forms (m = 1)."""
    points = {Fraction(low), Fraction(high)}
    for _, A, b, _ in (first, second):
        points |= {-s / row[0] for row, s in zip(A, b, strict=True) if row[0]}
    inside = sorted(x for x in points if low <= x <= high)
    return all(at(first, [x]) == at(second, [x]) for x in inside)


@given(shallows(m=1, k=1), shallows(m=1, k=1), boxes, st.booleans())
def test_intervals_by_their_breakpoints(first: Shallow, second: Shallow, side: tuple[int, int], same: bool) -> None:
    if same:  # rows that do not change sign on the interval, so that equality there is not rare
        M, A, b, c = first
        second = [[*row, Fraction(3)] for row in M], [*A, [Fraction(-1)]], [*b, Fraction(side[0])], c
    f, g = network_of(first, 1), network_of(second, 1)
    decision = equal(f, g, domain=[side])
    assert decision.truth is equal_on_interval(first, second, *side)
    assert check(decision.certificate, f, g)
    if not decision.truth:
        [x] = replayed(decision, first, second)
        assert side[0] <= x <= side[1]


@settings(max_examples=40)
@given(shallows(m=2, k=2), shallows(m=2, k=2), st.tuples(boxes, boxes))
def test_boxes_against_a_dense_grid(first: Shallow, second: Shallow, box: Any) -> None:
    f, g = network_of(first, 2), network_of(second, 2)
    decision = equal(f, g, domain=box)
    steps = [[Fraction(low) + Fraction((high - low) * i, 6) for i in range(7)] for low, high in box]
    differs = any(at(first, list(x)) != at(second, list(x)) for x in itertools.product(*steps))
    assert check(decision.certificate, f, g)
    if decision.truth:
        assert not differs
    else:
        x = replayed(decision, first, second)
        assert all(low <= t <= high for t, (low, high) in zip(x, box, strict=True))


@given(equal_pairs(), st.data())
def test_equal_functions_are_equal_on_every_box(pair: tuple[Network, Network], data: st.DataObject) -> None:
    f, g = pair
    ends = st.none() | fractions
    box = data.draw(st.lists(st.tuples(ends, ends), min_size=f.widths[0], max_size=f.widths[0]))
    assume(all(low is None or high is None or low <= high for low, high in box))
    decision = equal(f, g, domain=box)
    assert decision.truth is True
    assert check(decision.certificate, f, g)


def rows(*neurons: tuple[int, list[Any], Any], c: Any = 0) -> Network:
    return Network.shallow([w for w, _, _ in neurons], [a for _, a, _ in neurons], [b for _, _, b in neurons], c)


PLANE = {
    "x+y": rows((1, [1, 1], 0)),
    "x-y": rows((1, [1, 1], 0), (-1, [1, -1], 0)),
    "zero": Network([([[0, 0]], [0])]),
    "sum": Network([([[1, 1]], [0])]),
    "far": rows((1, [1, 1], -2)),
    "below": rows((1, [1, 1], "-2 + 1e-300")),
}
UNIT = [(0, 1), (0, 1)]


@pytest.mark.parametrize(
    ("f", "g", "domain", "verdict"),
    [
        ("x-y", "zero", [(-1, 1), (0, 0)], "equal"),
        ("x-y", "zero", None, "different"),
        ("x-y", "zero", [(-1, 1), (0, "1e-300")], "different"),
        ("far", "zero", UNIT, "equal"),
        ("far", "zero", [(0, 1), (0, "1 + 1e-300")], "different"),
        ("far", "zero", [(None, 1), (None, 1)], "equal"),
        ("far", "zero", [(None, 1), (None, None)], "different"),
        ("below", "zero", UNIT, "different"),
        ("x+y", "sum", UNIT, "equal"),
        ("x+y", "sum", [(0, None), (0, None)], "equal"),
        ("x+y", "sum", [("-1e-300", 1), (0, 1)], "different"),
        ("x+y", "sum", [("-sqrt(2)", 5), ("sqrt(2)", "sqrt(3)")], "equal"),
        ("x+y", "sum", [("-sqrt(2)", 5), ("7/5", "sqrt(3)")], "different"),
        ("far", "below", [(0, 0), (0, 0)], "equal"),
        ("far", "below", [(1, 1), (1, 1)], "different"),
        ("far", "below", [("sqrt(2)", "sqrt(2)"), ("sqrt(2)", "sqrt(2)")], "different"),
    ],
)
def test_boxes_by_hand(f: str, g: str, domain: Any, verdict: str) -> None:
    decision = equal(PLANE[f], PLANE[g], domain=domain)
    assert decision.verdict == verdict
    assert check(decision.certificate, PLANE[f], PLANE[g])


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("1/3", "0.333", "different"),
        ("sqrt(2)*sqrt(3)", "sqrt(6)", "equal"),
        ("cbrt(-8)", "-2", "equal"),
        ("3 - 2*sqrt(2)", "(1 - sqrt(2))**2", "equal"),
        ("1", "1 + 1e-300", "different"),
        ("sqrt(2)", "sqrt(2) + 1e-300", "different"),
        ("sqrt(2) + sqrt(3)", "root([1, 0, -10, 0, 1], 3)", "equal"),
        ("root(2, 16)", "root([-2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 1)", "equal"),
        ("1e20000", "10**20000", "equal"),
        ("1e20000", "1e20000 + 1", "different"),
    ],
)
def test_numbers(left: str, right: str, verdict: str) -> None:
    for where in range(3):
        pair = []
        for text in (left, right):
            entries = ["1", "1", "1"]
            entries[where] = text
            pair.append(Network.shallow([entries[0]], [[entries[1]]], [entries[2]], "1/7"))
        decision = equal(*pair)
        assert decision.verdict == verdict
        assert check(decision.certificate, *pair)


@pytest.mark.parametrize("scale", ["1e-300", "1e300", "sqrt(2)*1e-100"])
def test_scales_far_from_one(scale: str) -> None:
    f = Network.shallow([1], [[scale, 1]], [scale], 0)
    g = Network.shallow([1], [[f"({scale})*(1 + 1e-50)", 1]], [scale], 0)
    decision = equal(f, g)
    assert decision.truth is False
    assert check(decision.certificate, f, g)
    assert equal(f, f).truth is True


def test_widths_depths_and_outputs_may_differ() -> None:
    identity = Network([([[1]], [0])])
    two = Network.shallow([1, -1], [[1], [-1]], [0, 0], 0)
    nothing = Network([([], []), ([[]], [0])], inputs=1)
    assert equal(identity, two).truth is True
    assert equal(two, identity).truth is True
    assert equal(identity, nothing).counterexample.x == (1,)
    assert equal(nothing, Network([([[0]], [0])])).truth is True
    for other in (load("example:theta1"), Network([([[1], [1]], [0, 0])])):
        with pytest.raises(ShapeError, match="the same number is due"):
            equal(identity, other)


@pytest.mark.parametrize("domain", [[], [(0, 1)], [(0, 1), (2, 1)], "box", [(0, 1), (0, "pi")], [(0, 1), 3], 7])
def test_domains_that_are_none(domain: Any) -> None:
    with pytest.raises(DomainError, match="domain"):
        equal(PLANE["far"], PLANE["zero"], domain=domain)


def test_limits_end_undecided() -> None:
    f = Network.shallow([1] * 200, [[i, 1] for i in range(200)], [0] * 200, 0)
    decision = equal(f, f, limits=Limits(seconds=0))
    assert (decision.verdict, decision.truth, decision.certificate) == ("undecided", None, None)
    assert "seconds" in decision.reason
    with pytest.raises(RelusymError, match="undecided"):
        bool(decision)
    seen = []
    assert equal(f, f, progress=lambda *report: seen.append(report)).truth is True
    assert seen


# -- certificates that have been tampered with


def mutations(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """List single changes of the proof part of a certificate."""
    if isinstance(value, dict):
        return [m for key, item in value.items() for m in mutations(item, (*path, key))]
    if isinstance(value, list):
        inner = [m for index, item in enumerate(value) for m in mutations(item, (*path, index))]
        return inner + ([(path, value[:-1])] if value else [])
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, int):
        return [(path, value + 1), (path, -1)]
    return [(path, "7/3" if value != "7/3" else "5/3"), (path, "-" + value), (path, "")]


def changed(certificate: Any, path: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(certificate)
    place = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return changed


def accepted(certificate: Any, f: Network, g: Network) -> bool:
    try:
        return check(certificate, f, g)
    except CertificateError:
        return False


def test_tampered_points_are_refused() -> None:
    f, g = load("example:theta1"), Network.shallow([1, 1, 2], [[1, 1], [-1, 0], [0, -1]], [-2, -1, -1], -6)
    certificate = equal(f, g).certificate
    assert check(certificate, f, g)
    for path, value in mutations({key: certificate[key] for key in ("f", "g", "kind", "claim", "version", "format")}):
        assert not accepted(changed(certificate, path, value), f, g), (path, value)
    for path, value in mutations({"x": certificate["x"]}):
        tampered = changed(certificate, path, value)
        if accepted(tampered, f, g):  # another point with the same two values proves the claim as well
            values = [[str(v) for v in net(tampered["x"])] for net in (f, g)]
            assert values == [certificate["f"], certificate["g"]]
    assert not accepted(certificate, f, f)
    assert not accepted(certificate, f, load("example:triple"))


def test_tampered_ridges_are_refused_or_still_a_proof() -> None:
    """A changed proof may happen to be another proof of a true claim; for a false claim no proof is accepted."""
    f, g = load("example:theta1"), load("example:theta2")
    wrong = Network.shallow([1, 1, 1], [[-1, -1], [1, 0], [0, 1]], [2, 1, 1], "-10 + 1e-300")
    certificate = equal(f, g).certificate
    assert check(certificate, f, g)
    assert not accepted(certificate, f, wrong)
    assert not accepted(certificate, wrong, g)
    refused = 0
    for path, value in mutations(certificate):
        tampered = changed(certificate, path, value)
        assert not accepted(tampered, f, wrong), (path, value)
        refused += not accepted(tampered, f, g)
    assert refused > 20
    for part in ([], {}, None, "certificate", 7, {"format": "other"}):
        with pytest.raises(CertificateError):
            check(part, f, g)  # type: ignore[arg-type]


@given(any_pairs())
def test_no_tampered_certificate_proves_different_functions_equal(pair: tuple[int, Shallow, Shallow]) -> None:
    m, first, second = pair
    f, g = network_of(first, m), network_of(second, m)
    assume(not equal(f, g).truth)
    for proof in (equal(f, f).certificate, equal(g, g).certificate):
        assert not accepted(proof, f, g)


@settings(max_examples=30)
@given(shallows(m=2, k=1), shallows(m=2, k=1))
def test_certificates_of_similarity(first: Shallow, second: Shallow) -> None:
    f, g = network_of(first, 2), network_of(second, 2)
    for p, q in ((f, g), (f, f)):
        decision = similar(p, q)
        assert check(decision.certificate, p, q)
        if decision.truth:
            assert equal(p, q).truth is True
    assert similar(f, f).truth is True


def test_arguments_must_be_networks() -> None:
    with pytest.raises(RelusymError, match="equal takes a Network; got str"):
        equal(load("example:theta1"), "example:theta2")
