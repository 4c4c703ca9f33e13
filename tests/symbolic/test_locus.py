"""The non-generic locus: its components, their numbers and points, and its agreement with the decision layer."""

from __future__ import annotations

from itertools import islice, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Poly, symbols

from relusym import Network, dependent, fibre, is_generic, load, nongeneric_locus, semi_dependent, v_a, v_dep
from relusym.errors import FormatError, RelusymError, ShapeError

SIZES = [(1, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3), (3, 4)]
READINGS = [{}, {"weighted": False}, {"open_set": "sharp"}]


@pytest.mark.parametrize("size", SIZES)
def test_counts_of_irreducible_components(size: tuple[int, int]) -> None:
    _, n = size
    whole = 2 * n + comb(n, 2) + (3**n - 1) // 2 - n
    assert nongeneric_locus(*size).irredundant().count == whole
    assert nongeneric_locus(*size, weighted=False).irredundant().count == whole
    assert nongeneric_locus(*size, open_set="sharp").irredundant().count == n + comb(n, 2) + 2**n - 1


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("irredundant", [False, True])
@pytest.mark.parametrize("size", [(2, 3, 1), (1, 3, 2), (2, 3, 2), (2, 4, 3)])
def test_random_access_is_iteration(size: tuple[int, int, int], irredundant: bool, reading: dict[str, object]) -> None:
    locus = nongeneric_locus(*size, **reading)  # type: ignore[arg-type]
    if irredundant:
        locus = locus.irredundant()
    listed = list(locus)
    assert len(listed) == len(locus) == locus.count
    assert [locus[i].name for i in range(-len(listed), 0)] == [component.name for component in listed]
    assert len({component.name for component in listed}) == len(listed)
    assert len({str(component) for component in listed}) == len(listed)
    assert [c.name for c in locus[3:100:2]] == [c.name for c in listed[3:100:2]]
    with pytest.raises(IndexError):
        locus[len(listed)]


def test_sign_vectors_are_all_there_once_up_to_sign() -> None:
    names = [component.name for component in nongeneric_locus(1, 4).V4]
    vectors = [beta for beta in product((-1, 0, 1), repeat=4) if next((x for x in beta if x), 0) == 1]
    expected = ["".join(f"{'+' if x > 0 else '-'}{i}" for i, x in enumerate(beta, 1) if x) for beta in vectors]
    assert sorted(names) == sorted(f"V4[{name}]" for name in expected)


def test_large_loci_answer_at_once() -> None:
    locus = nongeneric_locus(5, 40)
    assert locus.count == 40 + comb(40, 2) + 40 + (3**40 - 1) // 2
    assert locus[locus.count - 1].polynomials == locus[-1].polynomials
    assert locus[10**18].contains(locus[10**18].sample_point())
    assert not locus[10**18].contains(locus.point_off())
    assert next(iter(locus[10**18 :])).name == locus[10**18].name
    assert locus.codimension == 1
    assert locus.V2.codimension == 5


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(
    "size", [(1, 1, 1), (1, 3, 1), (2, 3, 1), (3, 3, 1), (2, 4, 1), (1, 3, 2), (2, 3, 2), (2, 4, 3)]
)
def test_points_on_one_component_and_on_none(size: tuple[int, int, int], reading: dict[str, object]) -> None:
    """A point of each irreducible component is on no other: so none is redundant."""
    locus = nongeneric_locus(*size, **reading)  # type: ignore[arg-type]
    pieces = locus.irredundant()
    assert pieces.irreducible
    for component in pieces:
        point = component.sample_point()
        assert isinstance(point, Network)
        assert [c.name for c in pieces.components_through(point)] == [component.name]
        assert locus.contains(point)
    assert not locus.contains(locus.point_off())
    for component in locus:
        assert component.contains(component.sample_point())


@given(st.data())
def test_membership_is_what_the_decision_layer_says(data: st.DataObject) -> None:
    m, n, k = (data.draw(st.integers(1, top)) for top in (2, 3, 2))
    small = st.integers(-2, 2)
    rows = [[data.draw(small) for _ in range(m)] for _ in range(n)]
    M = [[data.draw(small) for _ in range(n)] for _ in range(k)]
    f = Network.shallow(M, rows, [data.draw(small) for _ in range(n)], [0] * k)
    for open_set in ("U", "sharp"):
        locus = nongeneric_locus(m, n, k, open_set=open_set)
        assert locus.contains(f) is not is_generic(f, open_set=open_set).truth
        assert locus.irredundant().contains(f) is locus.contains(f)


def test_membership_over_a_number_field() -> None:
    f = Network.shallow(["sqrt(2)", 1], [[1], ["sqrt(2)"]], [0, 1], 0)
    assert [c.name for c in nongeneric_locus(1, 2).components_through(f)] == ["V4[+1-2]"]
    assert not nongeneric_locus(1, 2, open_set="sharp").contains(f)


def test_the_unweighted_form_misses_a_hidden_symmetry() -> None:
    """v = (1, 2), a = (2, −1): no Σ β_i a_i vanishes, yet flipping both neurons gives another orbit."""
    f = load("example:weighted")
    assert not nongeneric_locus(1, 2, weighted=False).contains(f)
    assert nongeneric_locus(1, 2).contains(f)
    assert v_a((1, 1), 1, 2).contains(f)
    assert not v_a((1, 1), 1, 2, weighted=False).contains(f)
    assert (0, 1) in fibre(f).flips


def test_forms_agree_where_weights_are_signs() -> None:
    signs = {"v1": 1, "v2": -1, "v3": 1}
    weighted, unweighted = (nongeneric_locus(1, 3, weighted=w).V4.subs(signs) for w in (True, False))
    left, right = ({_up_to_sign(c.generators[0]) for c in part} for part in (weighted, unweighted))
    assert left == right


def _up_to_sign(poly: Poly) -> Poly:
    return poly if poly.LC() > 0 else -poly


@given(st.data())
def test_hidden_flips_are_membership(data: st.DataObject) -> None:
    m, n = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 4))
    nonzero = st.sampled_from([-2, -1, 1, 2])
    v = [data.draw(nonzero) for _ in range(n)]
    rows = [[data.draw(nonzero) for _ in range(m)] for _ in range(n)]
    f = Network.shallow(v, rows, [3**i for i in range(n)], 0)
    if not any(dependent([*r, 3**i], [*s, 3**j]) for i, r in enumerate(rows) for j, s in enumerate(rows) if i < j):
        flips = {F for F in fibre(f).flips if F}
        sets = [tuple(i for i, x in enumerate(beta) if x) for beta in product((0, 1), repeat=n) if any(beta)]
        found = {F for F in sets if v_a([int(i in F) for i in range(n)], m, n).contains(f)}
        assert found == flips


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=3))
def test_semi_dependence_is_v_dep_and_signs(pairs: list[tuple[int, int]]) -> None:
    u, w = ([p[i] for p in pairs] for i in (0, 1))
    variables = symbols(f"u:{len(u)} w:{len(u)}")
    on_variety = v_dep(variables[: len(u)], variables[len(u) :]).contains([*u, *w])
    assert on_variety == dependent(u, w)
    one_sign = all(a * b >= 0 for a, b in pairs)
    assert semi_dependent(u, w) == (on_variety and (one_sign or not any(u) or not any(w)))


def test_v_dep_takes_numbers_and_symbols() -> None:
    a, b, c = symbols("a b c")
    component = v_dep([a, b, c], [1, "sqrt(2)", 0])[0]
    assert component.contains({a: 2, b: "2*sqrt(2)", c: 0})
    assert not component.contains({a: 2, b: 3, c: 0})
    assert component.codimension == 2
    assert v_dep([a, b], [a, b])[0].polynomials == ()
    assert v_dep([a, b], [a, b])[0].codimension == 0


def test_the_two_readings_over_two_outputs() -> None:
    every, sharp = nongeneric_locus(1, 2, 2), nongeneric_locus(1, 2, 2, open_set="sharp")
    assert [c.name for c in every.V1] == ["V1[1;1]", "V1[1;2]", "V1[2;1]", "V1[2;2]"]
    assert [str(c) for c in sharp.V1] == ["V1[1] = V(M1_1, M2_1)", "V1[2] = V(M1_2, M2_2)"]
    f = Network.shallow([[0, 1], [1, 1]], [[1], [2]], [1, 0], [0, 0])
    assert every.contains(f)
    assert not sharp.contains(f)
    assert sharp.is_subset(every).truth


def test_order_of_the_variables() -> None:
    assert nongeneric_locus(2, 1).ring.names == ("v1", "a1_1", "a1_2", "b1", "C")
    names = ("M1_1", "M1_2", "M2_1", "M2_2", "a1_1", "a2_1", "b1", "b2", "c1", "c2")
    ring = nongeneric_locus(1, 2, 2).ring
    assert ring.names == names
    f = Network.shallow([[1, 2], [3, 4]], [[5], [6]], [7, 8], [9, 10])
    assert ring.values(f)[1] == list(range(1, 11))
    assert ring.point(*ring.values(f)) == f


def test_generators_are_ordinary_polys() -> None:
    for component in islice(iter(nongeneric_locus(2, 3).irredundant()), 20):
        for poly, element in zip(component.generators, component.elements, strict=True):
            assert poly == Poly(poly.as_expr(), *poly.gens, domain="QQ")
            assert poly.as_expr() == element.as_expr()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nongeneric_locus(0, 2), r"m \(inputs\) must be an integer of at least 1"),
        (lambda: nongeneric_locus(1, 2, 0), r"k \(outputs\)"),
        (lambda: nongeneric_locus(1, 2, open_set="u"), 'open_set takes "U" or "sharp"'),
        (lambda: nongeneric_locus(1, 2, weighted=False, open_set="sharp"), "about weighted sums"),
        (lambda: v_a((1, 2), 1, 2), "entries -1, 0 and 1"),
        (lambda: v_a((0, 0), 1, 2), "not all of them 0"),
        (lambda: v_a((1,), 1, 2), "one for each of the 2 hidden neurons"),
        (lambda: v_dep([1], [2]), "no entry is one"),
        (lambda: v_dep(symbols("a b"), [1]), "2 and 1 entries"),
        (lambda: v_dep(symbols("a b"), [1, "x"]), "entry 3: a symbol or an exact number is due"),
        (lambda: nongeneric_locus(1, 2).contains(load("example:theta1")), "are due for a point"),
        (lambda: nongeneric_locus(1, 2).contains([1, 2]), "2 coordinates; 7 are due"),
        (lambda: nongeneric_locus(1, 1).contains({"v1": 1}), "a1_1, b1, C has no value"),
        (lambda: nongeneric_locus(1, 1).subs({"v2": 1}), "v2 is no variable"),
        (lambda: v_a((1, 1), 1, 2).V1, "there is no part 'V1'"),
    ],
)
def test_errors_say_what_is_accepted(call: object, message: str) -> None:
    with pytest.raises(RelusymError, match=message) as caught:
        call()  # type: ignore[operator]
    assert isinstance(caught.value, (FormatError, ShapeError, RelusymError))
    assert "\n" not in str(caught.value)
