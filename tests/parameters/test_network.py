"""Networks: every kind of entry, array-like and shape, evaluation, equality by value, copies, display."""

from __future__ import annotations

import copy
import pickle
from array import array
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from relusym import FieldError, FormatError, Limits, Network, RelusymError, ShapeError, load
from strategies import ENTRY_KINDS, fractions, networks


def single(entry: Any) -> Network:
    return Network([([[entry]], [0])])


def entry_text(network: Network) -> str:
    text: str = network.to_dict()["layers"][0]["weight"][0][0]
    return text


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (3, "3"),
        (10**5000, "1" + "0" * 5000),
        (Fraction(-2, 6), "-1/3"),
        (Decimal("-0.10"), "-1/10"),
        ("1/3", "1/3"),
        ("+3", "3"),
        (0.1, "3602879701896397/36028797018963968"),
        (-0.0, "0"),
        (np.float32(0.1), "13421773/134217728"),
        (np.float16(1.1), "563/512"),
        (np.longdouble(0.5), "1/2"),
        (np.int8(-7), "-7"),
        (np.str_("2/4"), "1/2"),
        (np.array("2/4", dtype=object), "1/2"),
        (flint.fmpz(5), "5"),
        (flint.fmpq(5, 10), "1/2"),
        (sp.Rational(1, 3), "1/3"),
        (sp.Float("0.5"), "1/2"),
        (sp.sqrt(8), "2*sqrt(2)"),
        (sp.GoldenRatio, "1/2 + 1/2*sqrt(5)"),
        (sp.AlgebraicNumber(sp.sqrt(2), [3, 1]), "1 + 3*sqrt(2)"),
        (sp.cos(sp.pi / 5), "1/4 + 1/4*sqrt(5)"),
        (sp.real_root(-2, 3), "-root([-2, 0, 0, 1], 0)"),
        (sp.CRootOf(sp.Symbol("x") ** 5 - sp.Symbol("x") - 1, 0), "root([-1, -1, 0, 0, 0, 1], 0)"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_entry_kinds(entry: Any, text: str) -> None:
    assert entry_text(single(entry)) == text


@pytest.mark.parametrize(
    "entry",
    [True, np.bool_(True), None, 1j, np.complex128(1), b"1", [1, 2], {1}, {10**5000}, object(), float("nan"),
     -float("inf"), np.float32("inf"), np.longdouble("nan"), Decimal("sNaN"), Decimal("-Infinity"),
     Decimal("1e999999999"), np.datetime64("2020-01-01"), sp.pi, sp.I, sp.oo, sp.nan, sp.zoo, sp.true, sp.Symbol("x"),
     sp.cbrt(-8), sp.CRootOf(sp.Symbol("x") ** 5 - sp.Symbol("x") - 1, 1), flint.arb(1), flint.nmod(1, 7), 10**200_000,
     Fraction(1, 10**200_000), sp.Integer(10) ** 200_000, "pi", "1e999999999", "9**9**9**9", "sqrt(-2)"],
    ids=lambda entry: type(entry).__name__,
)  # fmt: skip
def test_what_is_no_number_is_refused_by_its_place(entry: Any) -> None:
    for part in ("weight", "bias"):
        rows = [[1, entry]] if part == "weight" else [[1, 2]]
        with pytest.raises((FormatError, FieldError), match=rf"^layer 0, {part}") as caught:
            Network([(rows, [entry if part == "bias" else 0])])
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 300


def test_every_constructor_takes_limits() -> None:
    entries = [["sqrt(2)"]], ["sqrt(3)"]
    data = Network([entries]).to_dict()
    makers: list[Callable[[Any], Network]] = [
        lambda limits: Network([entries], limits=limits),
        lambda limits: Network.shallow([1], *entries, 0, limits=limits),
        lambda limits: Network.from_dict(data, limits=limits),
    ]
    for make in makers:
        assert make(Limits(field_degree=4)).field.degree == make(None).field.degree == 4
        with pytest.raises(FieldError, match=r"^layer 0, .* of degree 4; at most 3 is accepted"):
            make(Limits(field_degree=3))
        with pytest.raises(RelusymError, match=r"^limits must be Limits\(...\) or None; got int$"):
            make(4)


@pytest.mark.parametrize(
    "weight",
    [
        [[1, 2], [3, 4]],
        ((1, 2), (3, 4)),
        np.array([[1, 2], [3, 4]]),
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        np.array([[1.0, 2], [3, 4]]),
        np.array([[1, 2], [3, 4]], dtype=np.float16),
        np.array([[1, 2], [3, 4]], dtype=">f4"),
        np.array([[1, 2], [3, 4]], dtype=np.longdouble),
        np.array([[1, 3], [2, 4]], dtype=float).T,
        np.array([["1", "2"], ["3", "4"]]),
        np.array([[1, "2"], [sp.Integer(3), 4.0]], dtype=object),
        np.ma.array([[1.0, 2], [3, 4]]),
        sp.Matrix([[1, 2], [3, 4]]),
        sp.ImmutableMatrix([[1, 2], [3, 4]]),
        sp.SparseMatrix([[1, 2], [3, 4]]),
        sp.Array([[1, 2], [3, 4]]),
        flint.fmpz_mat([[1, 2], [3, 4]]),
        flint.fmpq_mat([[1, 2], [3, 4]]),
        [array("d", [1, 2]), range(3, 5)],
        [np.array([1, 2]), (3, sp.Integer(4))],
    ],
    ids=lambda weight: type(weight).__name__,
)
def test_matrices_of_every_make_are_equal_by_value(weight: Any) -> None:
    reference = Network([([["1", "2"], ["3", "4"]], ["5", "6"])])
    for bias in (
        [5, 6],
        np.array([5.0, 6]),
        sp.Matrix([5, 6]),
        flint.fmpz_mat([[5], [6]]),
        [[5], [6]],
        array("i", [5, 6]),
    ):
        network = Network([(weight, bias)])
        assert network == reference
        assert hash(network) == hash(reference)


@pytest.mark.parametrize(
    "weight",
    ["12", b"12", 5, None, {0: 1}, {(1, 2)}, [{1, 2}], ["12"], [b"12"], np.array(1.0), np.array(1), np.zeros(2),
     np.zeros((1, 1, 1)), np.zeros((1, 1, 1), int), np.array([[True, False]]), np.array([[1j, 2]]), [[1, 2], [3]],
     np.array([[1], [2, 3]], dtype=object), np.ma.array([[1.0, 2.0]], mask=[[1, 0]]),
     np.ma.array([[1, 2]], mask=[[1, 0]]),
     np.array([["2020-01-01"]], dtype="M8[ns]"), np.array([[5, 6]], dtype="m8[ns]"), np.array([(1, 2.0)], dtype="i,f"),
     flint.arb_mat([[1, 2]])],
    ids=lambda weight: type(weight).__name__,
)  # fmt: skip
def test_what_is_no_matrix_is_refused(weight: Any) -> None:
    with pytest.raises(RelusymError, match=r"^layer 0"):
        Network([(weight, [0])])


@pytest.mark.parametrize(
    ("layers", "inputs", "says"),
    [
        ([], None, "at least one layer"),
        (5, None, "sequence of"),
        ("ab", None, "sequence of"),
        ([None], None, "layer 0: a pair"),
        ([([[1]],)], None, "layer 0: a pair"),
        ([([[1, 2]], [0]), ([[1, 2]], [0])], None, "layer 1, weight: it has 2 columns"),
        ([([[1, 2]], [0, 1])], None, "layer 0: the weight has 1 rows, the bias 2"),
        ([([[1, 2]], sp.Matrix([[1, 2]]))], None, "layer 0, bias: a vector"),
        ([([], []), ([[]], [1])], None, "inputs="),
        ([([[1, 2]], [0])], 3, "inputs= says 3"),
        ([([[]], [1])], None, "at least one input"),
        ([([[1]], [0]), ([], [])], None, "layer 1, weight: a network needs at least one output"),
        ([([], []), ([[]], [1])], -1, "inputs"),
        ([([], []), ([[]], [1])], True, "inputs"),
        ([([], []), ([[]], [1])], 1.0, "inputs"),
        ([([], []), ([[]], [1])], 10**12, "to 10,000,000"),
    ],
)
def test_sizes_that_do_not_fit(layers: Any, inputs: Any, says: str) -> None:
    with pytest.raises(ShapeError, match=says):
        Network(layers, inputs)


@pytest.mark.parametrize("text", ["root([1, 0, 1], 0)", "sqrt(1 - sqrt(2))", "1/(sqrt(2) - sqrt(2))", "root(2, 65)"])
def test_entries_that_fail_in_the_field_are_named(text: str) -> None:
    with pytest.raises(FieldError, match=r"^layer 1, weight\[0\]\[1\]: "):
        Network([([[1], [0.5]], [0.5, 0.25]), ([["sqrt(2)", text]], [0])])
    with pytest.raises(FieldError, match=r"^layer 0, bias\[1\]: "):
        Network([([[1], ["sqrt(2)"]], [0, text])])
    with pytest.raises(FieldError, match=r"^the input, coordinate 1: "):
        load("example:theta1")([0, text])


def test_width_zero() -> None:
    made = [
        Network([([], []), ([[], []], [1, "1/2"])], inputs=3),
        Network([([], []), ([[], []], [1, "1/2"])], inputs=np.int64(3)),
        Network([(np.zeros((0, 3)), np.zeros(0)), (np.zeros((2, 0)), np.array([1, 0.5]))]),
        Network([(sp.Matrix(0, 3, []), []), (sp.Matrix(2, 0, []), [1, 0.5])], inputs=3),
    ]
    for network in made:
        assert network == made[0]
        assert hash(network) == hash(made[0])
        assert network.widths == (3, 0, 2)
        assert network(["sqrt(2)", 1, 2]) == (1, sp.Rational(1, 2))
        assert (network.A.shape, network.M.shape) == ((0, 3), (2, 0))
        assert Network.from_dict(network.to_dict()) == network
    assert Network([([[1, 2]], [0]), ([], []), ([[]], ["1/3"])])([1, 2]) == (sp.Rational(1, 3),)


@pytest.mark.parametrize(
    ("M", "c"),
    [([1, 2], 3), ((1, 2), "3"), ([[1, 2]], [3]), (np.array([1.0, 2.0]), np.float64(3)), (["1", "2"], np.array(3)),
     (sp.Matrix([[1, 2]]), sp.Matrix([3])), (flint.fmpz_mat([[1, 2]]), flint.fmpz(3)),
     (np.array([[1, 2]]), [Fraction(3)])],
    ids=str,
)  # fmt: skip
def test_shallow_takes_flat_and_square_forms(M: Any, c: Any) -> None:
    assert Network.shallow(M, [[1], [-1]], [0, 1], c) == Network([([[1], [-1]], [0, 1]), ([[1, 2]], [3])])


def test_a_later_change_of_the_array_does_not_change_the_network() -> None:
    weight = np.array([[1.0, 2.0]])
    network = Network([(weight, [0])])
    weight[0, 0] = 7
    assert network == Network([([[1, 2]], [0])])
    with pytest.raises(AttributeError):
        network.widths = (1,)  # type: ignore[misc]


def test_equality_looks_at_values_never_at_fields() -> None:
    plain = Network.shallow([1], [["sqrt(2)"]], [0], 0)
    wide = Network.shallow(["sqrt(3)*sqrt(3)/3"], [["sqrt(2)*sqrt(3)/sqrt(3)"]], ["sqrt(3) - sqrt(3)"], 0)
    by_root = Network.shallow([1], [["root([4, 0, -4, 0, 1], 1)"]], [0], 0)
    assert wide.field != plain.field
    assert plain == wide == by_root
    assert len({plain, wide, by_root}) == 1
    assert plain != Network.shallow([1], [["-sqrt(2)"]], [0], 0)
    assert plain != Network.shallow([1], [["sqrt(2)"]], ["1e-300"], 0)
    assert plain != "plain"


@given(networks())
def test_copies_are_equal(network: Network) -> None:
    text = Network.from_dict(network.to_dict())
    for other in (text, pickle.loads(pickle.dumps(network)), copy.deepcopy(network), copy.copy(network)):
        assert other == network
        assert hash(other) == hash(network)
        assert other.widths == network.widths
    rebuilt = Network(list(zip(network.weights, network.biases, strict=True)), network.widths[0])
    assert rebuilt == network


def test_a_copied_float_network_stays_read_only() -> None:
    network = pickle.loads(pickle.dumps(Network([(np.array([[0.1]]), np.array([0.5]))])))
    assert not network.layers[0].weight.array.flags.writeable


@given(networks(max_depth=3), st.data())
def test_evaluation_against_fractions(network: Network, data: st.DataObject) -> None:
    if network.field.degree > 1:
        return
    point = data.draw(st.lists(fractions, min_size=network.widths[0], max_size=network.widths[0]))
    values = point
    for index, layer in enumerate(network.to_dict()["layers"]):
        if index:
            values = [max(Fraction(0), value) for value in values]
        rows = [[Fraction(entry) for entry in row] for row in layer["weight"]]
        biases = [Fraction(entry) for entry in layer["bias"]]
        values = [
            sum((a * x for a, x in zip(row, values, strict=True)), b) for row, b in zip(rows, biases, strict=True)
        ]
    assert [Fraction(int(v.p), int(v.q)) for v in network(point)] == values


def test_evaluation_at_irrational_points() -> None:
    theta = load("example:theta1")
    assert theta(["sqrt(2)", "cbrt(3)"])[0].equals(sp.Max(0, sp.sqrt(2) + sp.cbrt(3) - 2) - 6)
    with pytest.raises(ShapeError, match="2 are due"):
        theta([1])
    with pytest.raises(FormatError, match="coordinate 1"):
        theta([1, None])
    with pytest.raises(FormatError, match="sequence"):
        theta(5)  # type: ignore[arg-type]


@given(st.sampled_from(ENTRY_KINDS), fractions)
def test_every_entry_kind_holds_dyadic_numbers(kind: Any, value: Fraction) -> None:
    dyadic = Fraction(value.numerator, 16)
    assert single(kind(dyadic)) == single(dyadic)


@pytest.mark.parametrize("name", ["theta1", "example1-row2", "triple"])
def test_display(name: str) -> None:
    network = load(f"example:{name}")
    assert repr(network).startswith("Network(")
    assert str(network).count("\n") == sum(network.widths[1:]) + 2
    assert "sigma" in network._repr_latex_()


def test_display_of_large_things_stays_short() -> None:
    assert len(single(10**90_000)._repr_latex_()) < 200
    wide = Network([(np.ones((200, 100)), np.zeros(200))])
    assert len(str(wide)) < 200
    assert len(wide._repr_latex_()) < 200
    deep_field = single("root(2, 64)")
    assert "degree 64" in repr(deep_field)


def test_parts_of_shallow_networks_only() -> None:
    network = load("example:theta1")
    assert network.M.shape == (1, 3)
    assert network.A == sp.Matrix([[1, 1], [-1, 0], [0, -1]])
    assert (network.b, network.c) == (sp.Matrix([-2, -1, -1]), sp.Matrix([-6]))
    with pytest.raises(ShapeError, match="one hidden layer"):
        _ = Network([([[1]], [0])]).M


def test_many_long_numbers_from_short_text_are_refused_before_memory_is_gone() -> None:
    with pytest.raises(FieldError, match=r"layer 0, weight\[\d+\]\[\d+\]: the numbers of more than 4,096 digits"):
        Network([([["1e100000"] * 200 for _ in range(100)], [0] * 100)])
