"""Algebra of sets, polynomials for whole sets, and the exports."""

from __future__ import annotations

import json
from functools import reduce as fold
from operator import mul
from typing import Any

import pytest
import sympy
from click.testing import CliRunner
from sympy import ImmutableDenseMatrix, Poly, groebner, latex, srepr, symbols

from relusym import Limits, Network, Undecided, nongeneric_locus, v_a, v_dep
from relusym.cli.symbolic import locus as locus_command
from relusym.errors import FormatError, ShapeError
from relusym.symbolic.algebraic_set import AlgebraicSet


def test_union_and_intersection_are_those_of_points() -> None:
    first, second = v_a((1, 1), 1, 2), v_a((1, -1), 1, 2)
    points = [Network.shallow([v, w], [[1], [2]], [0, 1], 0) for v in (-2, 0, 2) for w in (-1, 0, 1)]
    union, meet = first | second, first & second
    for point in points:
        assert union.contains(point) == (first.contains(point) or second.contains(point))
        assert meet.contains(point) == (first.contains(point) and second.contains(point))
    assert (union.count, meet.count) == (2, 1)
    assert meet.codimension == 2
    assert meet[0].contains(meet[0].sample_point())
    assert (nongeneric_locus(1, 3) & nongeneric_locus(1, 3)).count == nongeneric_locus(1, 3).count ** 2


def test_sets_in_other_symbols_join_a_parameter_space() -> None:
    locus = nongeneric_locus(2, 2)
    rows = locus.ring.A.tolist()
    parallel = v_dep(*rows)
    joined = locus.V3 | parallel
    assert joined.ring == locus.ring
    assert joined[-1].irreducible
    assert parallel[0].generators[0].as_expr() == rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
    assert (locus.V2 & locus.V3).is_subset(joined).truth
    x, y = symbols("x y")
    assert [str(s) for s in (v_dep([x], [1]) | v_dep([x, y], [1, 1])).ring.symbols] == ["x", "y"]
    with pytest.raises(FormatError, match="different parameter spaces"):
        _ = locus | nongeneric_locus(1, 2)
    with pytest.raises(FormatError, match="different symbols of one name"):
        _ = v_dep([x, y], [1, 1]) | v_dep([sympy.Symbol("x", real=True), y], [1, 1])


def test_a_field_is_extended_where_sets_meet() -> None:
    x, y = symbols("x y")
    lines = v_dep([x, y], [1, "sqrt(2)"]) & v_dep([x, y], [1, "sqrt(3)"])
    assert lines.ring.field.degree == 4
    assert lines[0].contains([0, 0])
    assert lines[0].codimension == 2


def test_known_values_leave_polynomials_in_the_rest() -> None:
    left = nongeneric_locus(1, 2).subs({"v1": 1, "v2": 2, "b1": 0, "b2": 1, "C": 0})
    assert [str(symbol) for symbol in left.ring.symbols] == ["a1_1", "a2_1"]
    assert [c.generators[-1].as_expr() for c in left.V4 if len(c.polynomials) == 1] == [
        sympy.Symbol("a1_1"),
        2 * sympy.Symbol("a2_1"),
        sympy.sympify("a1_1 + 2*a2_1"),
        sympy.sympify("a1_1 - 2*a2_1"),
    ]
    assert [c.codimension for c in left.V1] == [3, 3]
    assert left.contains([2, -1])
    assert not left.contains([1, 1])


def test_known_values_in_a_number_field() -> None:
    left = v_a((1, 1), 1, 2).subs({"v1": "sqrt(2)", "v2": 1})
    point = left[0].sample_point()
    assert left.contains(point)
    assert left[0].generators[0].domain.is_Algebraic
    assert left[0].codimension == 1


def test_containment_is_decided_both_ways() -> None:
    locus = nongeneric_locus(2, 3)
    assert (locus.V1 | locus.V3).is_subset(locus.V4).truth
    answer = locus.V4.is_subset(locus.V1 | locus.V3)
    assert answer.truth is False
    assert isinstance(answer.witness, Network)
    assert locus.V4.contains(answer.witness)
    assert not (locus.V1 | locus.V3).contains(answer.witness)
    unweighted = nongeneric_locus(2, 3, weighted=False)
    assert not (unweighted.V1 | unweighted.V3).is_subset(unweighted.V4)
    assert (locus.V1 & locus.V4).is_subset(locus.V1).truth
    assert locus.is_subset(nongeneric_locus(2, 2)).truth is None


def test_containment_needs_the_radical() -> None:
    """V(a_1) meets V_dep inside {a_1 = 0, b_1 a_2 = 0}: no generator is among the others."""
    locus = nongeneric_locus(2, 2)
    piece = (locus.V3[:1] & locus.V2)[0]
    b1, a21 = symbols("b1 a2_1")
    target = (v_dep([b1, a21], [0, 1]) | locus.V3).part("V3") | (v_dep([b1, 0], [0, 1]) & locus.V3[:1])
    assert piece.is_subset(locus.V3[0]).truth
    assert piece.is_subset(target[-1]).truth is False


def test_irredundant_by_comparison_is_the_closed_form() -> None:
    for reading in ({}, {"weighted": False}, {"open_set": "sharp"}):
        locus = nongeneric_locus(1, 2, **reading)
        compared = AlgebraicSet(locus.ring, locus.families, "no closed form").irredundant()
        known = locus.irredundant()
        assert compared.count == known.count
        assert compared.is_subset(known).truth
        assert known.is_subset(compared).truth
    with pytest.raises(Undecided, match="not known here"):
        (v_a((1, 1), 1, 2) & v_a((1, -1), 1, 2)).irredundant()


@pytest.mark.parametrize("n", [1, 2, 3])
def test_product_polynomial(n: int) -> None:
    locus = nongeneric_locus(1, n)
    product = locus.product_polynomial()
    factors = [component.generators[0] for component in locus.irredundant()]
    assert product.total_degree() == sum(factor.total_degree() for factor in factors)
    assert sympy.rem(product, factors[-1]) == 0
    expanded = fold(mul, factors) if n < 3 else product
    assert expanded in (product, -product)
    assert sympy.expand(locus.product_polynomial(expand=False)) in (product.as_expr(), -product.as_expr())
    assert product == locus.irredundant().product_polynomial()


def test_product_polynomial_is_for_hypersurfaces() -> None:
    with pytest.raises(ShapeError, match="no hypersurface"):
        nongeneric_locus(2, 2).product_polynomial()


def test_ideal_of_a_union() -> None:
    locus = nongeneric_locus(2, 1)
    names = [poly.as_expr() for poly in locus.ideal()]
    v1, a, b = symbols("v1 a1_1 a1_2")
    assert groebner(names, v1, a, b, order="grevlex") == groebner(
        [v1**2 * a**2, v1**2 * a * b, v1**2 * b**2], v1, a, b, order="grevlex"
    )
    with pytest.raises(Undecided, match="limit of 50 items"):
        nongeneric_locus(3, 3).ideal(limits=Limits(items=50))


def test_limits_end_a_search() -> None:
    locus = nongeneric_locus(5, 40)
    with pytest.raises(Undecided, match="none of the first 100 components"):
        locus.contains(locus.point_off(), limits=Limits(items=100))


def test_the_whole_space_has_no_point_off() -> None:
    x, y = symbols("x y")
    with pytest.raises(Undecided, match="no point off"):
        v_dep([x, y], [x, y]).point_off()
    assert not v_dep([x, y], [1, 2]).contains(v_dep([x, y], [1, 2]).point_off())


def test_empty_sets_have_no_point() -> None:
    left = v_a((1,), 1, 1).subs({"v1": 1, "a1_1": 1})
    assert left.codimension == 3
    assert left.dimension == -1
    with pytest.raises(Undecided, match="there may be none"):
        left[0].sample_point()


# -- exports


def test_srepr_reads_back() -> None:
    locus = nongeneric_locus(2, 2)
    text = "\n".join(locus.lines("sympy"))
    names = {name: getattr(sympy, name) for name in ("Tuple", "Add", "Mul", "Symbol", "Integer", "Pow")}
    assert eval(text, names) == locus.to_sympy()
    assert text.splitlines()[1] == f"    {srepr(locus.to_sympy()[0])},"


def test_sage_script_runs_with_its_two_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for Sage: PolynomialRing with gens and ideal, over SymPy."""
    import sys
    import types

    class Ring:
        def __init__(self, base: object, names: str) -> None:
            self._gens = symbols(names)

        def gens(self) -> Any:
            return self._gens

        def ideal(self, generators: list[Any]) -> Any:
            return tuple(generators)

    module = types.ModuleType("sage.all")
    module.QQ, module.PolynomialRing = "QQ", Ring  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sage", types.ModuleType("sage"))
    monkeypatch.setitem(sys.modules, "sage.all", module)
    locus, space = nongeneric_locus(2, 2, 2), {}
    exec(locus.to_sage(), space)
    assert [name for name, _ in space["components"]] == [c.name for c in locus]
    assert [ideal for _, ideal in space["components"]] == [
        tuple(poly.as_expr() for poly in c.generators) for c in locus
    ]


def test_latex_is_that_of_sympy_symbols() -> None:
    locus = nongeneric_locus(2, 2)
    assert locus.to_latex().splitlines()[1] == "V_{1}^{[1]} &= V\\left(v_{1}\\right) \\\\"
    assert latex(ImmutableDenseMatrix([symbols("x_1")])).count("x_{1}")
    assert "\\cup" in locus._repr_latex_()
    assert locus._repr_latex_().count("(") == locus._repr_latex_().count(")")
    assert "\\cap" in (locus.V1 & locus.V3)[0]._repr_latex_()
    x, y = symbols("x_1 y")
    assert "x_{1}" in v_dep([x, y], [1, "sqrt(2)"])[0].latex()
    assert "\\sqrt{2}" in v_dep([x, y], [1, "sqrt(2)"])[0].latex()


def test_number_fields_are_not_exported_to_other_systems() -> None:
    x, y = symbols("x y")
    with pytest.raises(FormatError, match="rational coefficients"):
        v_dep([x, y], [1, "sqrt(2)"]).to_singular()
    with pytest.raises(FormatError, match="is no format; there are text, latex"):
        list(nongeneric_locus(1, 1).lines("maple"))


def test_text_and_display() -> None:
    locus = nongeneric_locus(1, 2)
    assert locus.to_text().splitlines()[2] == "V2[1,2]: a1_1*b2 - a2_1*b1"
    assert repr(locus.V1) == (
        "AlgebraicSet(V1 of the non-generic locus of Ω(1, 2, 1): 2 components in QQ[v1, v2, a1_1, a2_1, b1, b2, C])"
    )
    assert str(locus).splitlines()[-1] == "  … 1 more"
    assert repr(locus[0]) == "Component(V1[1] = V(v1))"


# -- the command


def test_command_streams_the_first_components() -> None:
    done = CliRunner().invoke(locus_command, ["5", "40", "--first", "3", "--part", "V4"], standalone_mode=False)
    assert done.output.splitlines()[-1] == "V4[+3]: v3*a3_1, v3*a3_2, v3*a3_3, v3*a3_4, v3*a3_5"
    assert done.return_value == 0


@pytest.mark.parametrize("system", ["text", "latex", "singular", "macaulay2", "sage", "sympy"])
def test_command_prints_what_the_methods_return(system: str) -> None:
    arguments = ["2", "2", "2", "--open-set", "sharp", "--irredundant", "--format", system]
    done = CliRunner().invoke(locus_command, arguments, standalone_mode=False)
    expected = nongeneric_locus(2, 2, 2, open_set="sharp").irredundant().lines(system)
    assert done.output.splitlines() == list(expected)


def test_command_prints_one_json_object() -> None:
    done = CliRunner().invoke(locus_command, ["1", "2", "--unweighted", "--json"], standalone_mode=False)
    data = json.loads(done.output)
    locus = nongeneric_locus(1, 2, weighted=False)
    assert (data["count"], len(data["components"]), data["variables"]) == (9, 9, list(locus.ring.names))
    assert data["components"][-1] == {"name": "V4[+1-2]", "codimension": 1, "generators": ["a1_1 - a2_1"]}
    assert [Poly(g, *locus.ring.symbols) for g in data["components"][2]["generators"]] == [
        Poly(locus[2].generators[0].as_expr(), *locus.ring.symbols)
    ]
