"""Deep equality by normal form: rewritten networks come back equal, perturbed ones never; certificates hold."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from pathlib import Path

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym import Network, check, equal, load
from relusym.decision.deep_equality import normal_forms
from relusym.decision.normal_form.bounds import Interval, bounds
from relusym.decision.normal_form.forms import CONSTANT, substitute
from relusym.decision.normal_form.linear import combinations
from relusym.decision.normal_form.numbering import used_neurons
from relusym.errors import CertificateError
from relusym.exact.box import read_box, settle_box, whole_space
from relusym.exact.matrix import column_of, rows_of
from relusym.exact.tower import Tower, common_tower
from relusym.limits import Budget, Limits

DATA = Path(__file__).parent.parent / "data"
ACAS = DATA / "NeuralNetworkVerification+Marabou" / "ACASXU_experimental_v2a_1_1.nnet"


def layers_of(network):
    return [[[list(row) for row in rows_of(layer.weight)], list(column_of(layer.bias))] for layer in network.layers]


def network_of(layers):
    return Network([tuple(layer) for layer in layers])


def points(inputs, count=40):
    return [
        [Fraction((7 * i * i + 5 * j * i + 3 * j) % 23 - 11, 1 + i % 4) for j in range(inputs)] for i in range(count)
    ]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_rewritten_networks_are_equal(rewritten_pairs, data):
    f, g = data.draw(rewritten_pairs)
    decision = equal(f, g)
    assert decision.verdict == "equal"
    assert check(decision.certificate, f, g)
    assert decision.explain().endswith(decision.reason)
    assert not check(decision.certificate, f, g_plus_one(g))


def g_plus_one(g):
    layers = layers_of(g)
    layers[-1][1][0] += 1
    return network_of(layers)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_perturbed_networks_are_never_equal_where_values_differ(rewritten_pairs, data):
    f, g = data.draw(rewritten_pairs)
    layers = layers_of(g)
    rows, biases = layers[data.draw(st.integers(0, len(layers) - 1))]
    row = data.draw(st.integers(0, len(rows) - 1))
    change = data.draw(st.sampled_from([1, fmpq(-1, 10**30), fmpq(1, 3)]))
    if data.draw(st.booleans()):
        biases[row] += change
    else:
        rows[row][data.draw(st.integers(0, len(rows[row]) - 1))] += change
    h = network_of(layers)
    decision = equal(f, h)
    witness = next((x for x in points(f.widths[0]) if f(x) != h(x)), None)
    if decision.truth is not False:
        assert witness is None
    else:
        x = decision.counterexample.x
        assert f(x) != h(x)
    if decision.truth is not None:
        assert check(decision.certificate, f, h)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_boxes(rewritten_pairs, data):
    f, g = data.draw(rewritten_pairs)
    ends = [sorted((data.draw(st.integers(-2, 2)), data.draw(st.integers(-2, 2)))) for _ in range(f.widths[0])]
    box = [tuple(None if data.draw(st.integers(0, 5)) == 0 else end for end in pair) for pair in ends]
    decision = equal(f, g, domain=box)
    assert decision.truth is not False
    assert decision.truth is None or check(decision.certificate, f, g)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_intervals_hold_all_values(deep_networks, data):
    f = data.draw(deep_networks)
    tower = Tower()
    box = settle_box(read_box([(-1, 2)] * f.widths[0], f.widths[0]), tower)
    forms = normal_forms(f, f, common_tower([f.field]), box, Budget())
    table = forms.table
    for x in points(f.widths[0], 12):
        point = [fmpq(2 + (v.numerator % 7) * 4 % 25, 9) - 1 for v in x]
        values = dict(enumerate(point))
        for number, unit in enumerate(table.units):
            value = unit.form.get(CONSTANT, fmpq(0)) + sum(
                factor * values[signal] for signal, factor in unit.form.items() if signal != CONSTANT
            )
            low, high = unit.interval
            assert low is None or low <= value
            assert high is None or value <= high
            values[table.signal(number)] = max(value, fmpq(0))


def test_the_difference_evaluates_to_f_minus_g():
    f = Network([([[1, 2], [-1, 1]], [0, 1]), ([[1, -1], [2, 1]], [0, 1]), ([[1, 1]], [0])])
    g = Network([([[1, 2], [3, 1]], [0, 1]), ([[1, -2], [2, 1]], [1, 1]), ([[1, -1]], [3])])
    forms = normal_forms(f, g, common_tower([]), whole_space(2), Budget())
    for x in points(2, 10):
        point = [fmpq(v.numerator, v.denominator) for v in x]
        assert forms.difference(point) == [a - b for a, b in zip(f.evaluate(point), g.evaluate(point), strict=True)]


def test_a_bump_of_width_a_millionth_far_away_is_found():
    hat = [[[1, 0], [1, 0], [1, 0]], ["-874353.999999", -874354, "-874354.000001"]]
    column = [1, -2, 1]
    f = Network([([[1, 1], [1, -1]], [0, 0]), ([[1, 2]], [1]), ([[1]], [0])])
    g = Network(
        [
            ([[1, 1], [1, -1], *hat[0]], [0, 0, *hat[1]]),
            ([[1, 2, 0, 0, 0], [0, 0, *column]], [1, 0]),
            ([[1, 1]], [0]),
        ]
    )
    decision = equal(f, g)
    assert decision.verdict == "different"
    assert check(decision.certificate, f, g)


def test_a_pyramid_that_is_active_on_a_small_set_is_climbed():
    """g − f = σ(1 − 1000(|x − 7| + |y + 3|)): samples miss it; floats climb to its top."""
    rows = [[1000, 0], [-1000, 0], [0, 1000], [0, -1000]]
    hidden = ([*rows, [1, 1]], [-7000, 7000, 3000, -3000, 0])
    f = Network([hidden, ([[0, 0, 0, 0, 1]], [0]), ([[1]], [0])])
    g = Network([hidden, ([[0, 0, 0, 0, 1], [-1, -1, -1, -1, 0]], [0, 1]), ([[1, 1]], [0])])
    decision = equal(f, g)
    assert decision.verdict == "different"
    assert check(decision.certificate, f, g)


def test_max_of_three_in_another_order_is_undecided_and_says_what_is_left():
    def tree(a, b, c):  # max(max(a, b), c) = σ(max(a, b) − c) + c
        first = [[int(i == a) - int(i == b) for i in range(3)]]
        keep = [[sign * int(i == j) for i in range(3)] for j in (b, c) for sign in (1, -1)]
        second = [[1, 1, -1, -1, 1], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
        return Network([(first + keep, [0] * 5), (second, [0] * 3), ([[1, 1, -1]], [0])])

    f, g = tree(0, 1, 2), tree(1, 2, 0)
    decision = equal(f, g)
    assert decision.verdict in ("equal", "undecided")
    if decision.truth is None:
        assert "do not cancel" in decision.reason
        assert decision.certificate is None


def test_networks_of_different_depth_over_a_number_field():
    f = Network([([["sqrt(2)"]], [1]), ([["sqrt(3)"], [1]], [0, -1]), ([[1, "sqrt(2)"]], [0])])
    g = Network(
        [
            ([[2], [-1]], ["sqrt(2)", 0]),
            ([["sqrt(1/2)", 0]], [0]),
            ([["sqrt(3)"], ["sqrt(8)"]], [0, "-sqrt(8)"]),
            ([[1, "1/2"]], [0]),
        ]
    )
    decision = equal(f, g)
    assert decision.verdict == "equal"
    assert check(decision.certificate, f, g)
    assert check(json.loads(json.dumps(decision.certificate)), f, g)
    assert equal(f, g_plus_one(g)).verdict == "different"


# -- the checker refuses what is not so


@pytest.fixture(scope="module")
def proved():
    f = Network([([[1, 0], [0, 1]], [0, 1]), ([[1, 1], [1, -1]], [1, 0]), ([[1, 1]], [0])])
    g = Network([([[-2, 0], [0, 1], [2, 0], [3, 3]], [0, 1, 0, 1]), *layers_of_g()])
    decision = equal(f, g)
    assert decision.verdict == "equal"
    return json.loads(json.dumps(decision.certificate)), f, g


def layers_of_g():
    second = ([[0, 1, "1/2", 0], [0, -1, "1/2", 0]], [1, 0])
    return [second, ([[1, 1]], [0])]


def refused(certificate, *networks):
    try:
        return not check(certificate, *networks)
    except CertificateError:
        return True


def changes(certificate):
    """Certificates that claim something else, one change each."""
    for which, network in enumerate(certificate["rewrites"]):
        for depth, roles in enumerate(network):
            for index, role in enumerate(roles):
                others = [["constant"]] if role != ["constant"] else []
                others += [["unused"]] if role != ["unused"] else [["unit", 0, "1"]]
                if role[0] == "unit":
                    others += [["unit", role[1], "-" + role[2]], ["unit", role[1], "7"], ["unit", role[1], "0"]]
                for other in others:
                    changed = copy.deepcopy(certificate)
                    changed["rewrites"][which][depth][index] = other
                    yield changed
    for number, unit in enumerate(certificate["units"]):
        changed = copy.deepcopy(certificate)
        changed["units"][number]["sign"] = -1 if unit["sign"] else 1
        yield changed
        changed = copy.deepcopy(certificate)
        changed["units"][number]["base"] = [1, 0, 0]
        yield changed
    changed = copy.deepcopy(certificate)
    changed["units"].append({"base": [1, 0, 0], "sign": 0})
    yield changed
    changed = copy.deepcopy(certificate)
    changed["rewrites"][0].pop()
    yield changed
    changed = copy.deepcopy(certificate)
    changed["rewrites"][1][0].pop()
    yield changed


def test_the_certificate_holds_and_every_change_is_refused(proved):
    certificate, f, g = proved
    assert check(certificate, f, g)
    for changed in changes(certificate):
        assert refused(changed, f, g), changed


def test_the_certificate_is_about_these_networks(proved):
    certificate, f, g = proved
    for depth in range(3):
        layers = layers_of(f)
        layers[depth][1][0] += fmpq(1, 10**30)
        assert not check(certificate, network_of(layers), g)
    assert check({**certificate, "domain": [[0, 1], [0, 1]]}, f, g)
    assert not check({**certificate, "domain": [[1, 0], [0, 1]]}, f, g)
    assert not check({**certificate, "scale": "2"}, f, g)


def test_signs_hold_on_the_domain_only():
    f = Network([([[1], [-1]], [5, 5]), ([[1, 1]], [-3]), ([[1]], [0])])  # 7 on [−5, 5]
    g = Network([([[0]], [0]), ([[0]], [0]), ([[0]], [7])])
    decision = equal(f, g, domain=[(-5, 5)])
    assert decision.verdict == "equal"
    assert check(decision.certificate, f, g)
    assert not check({**decision.certificate, "domain": None}, f, g)
    assert not check({**decision.certificate, "domain": [["-5", "6"]]}, f, g)
    assert equal(f, g).verdict == "different"


# -- parts


def test_substitution_by_matrices_agrees_with_substitution_by_entries():
    forms = [{j: fmpq(i * j % 7 - 3, 2) for j in range(40) if i * j % 7 != 3} for i in range(40)]
    long = {j: {100 + k: fmpq(j + k, 3) for k in range(1, 30)} for j in range(0, 40, 2)}
    together = substitute(forms, long)
    assert together == [result for form in forms for result in substitute([form], long)]


def test_combinations_over_a_number_field():
    tower = common_tower([Network([([["sqrt(2)"]], [0])]).field])
    root = Network([([["sqrt(2)"]], [0])]).layers[0].weight.entry(0, 0)
    zero, one = tower.field.rational(0), tower.field.rational(1)
    found = combinations([{0: one, 1: root}, {0: root, 1: one + one}, {1: one}], [{0: root, 1: root}], zero)
    assert found == [{0: root, 2: root - root * root}]
    assert combinations([{0: one}], [{1: one}], zero) is None


def test_both_sides_of_a_unit_are_bounded_together():
    box, zero = whole_space(1), fmpq(0)
    unit = lambda _: Interval(fmpq(-2), fmpq(3))  # noqa: E731
    assert bounds({1: fmpq(1), 2: fmpq(-1)}, box, unit, zero) == (-2, 3)
    assert bounds({1: fmpq(1), 2: fmpq(1)}, box, unit, zero) == (0, 3)
    assert bounds({2: fmpq(-2), CONSTANT: fmpq(1)}, box, unit, zero) == (-3, 1)
    everywhere = lambda _: Interval(None, None)  # noqa: E731
    assert bounds({1: fmpq(1), 2: fmpq(1)}, box, everywhere, zero) == (0, None)
    assert bounds({1: fmpq(1), 2: fmpq(-1)}, box, everywhere, zero) == (None, None)
    above = lambda _: Interval(fmpq(1), None)  # noqa: E731
    assert bounds({1: fmpq(2), 2: fmpq(-5)}, box, above, zero) == (2, None)


def test_used_neurons_through_rows_that_are_not_used():
    f = Network([([[1], [1]], [0, 0]), ([[1, 0], [0, 1]], [0, 0]), ([[1, 0]], [0])])
    assert used_neurons(f) == [[True, False], [True, False]]
    floats = Network([([[1.0], [1.0]], [0.0, 0.0]), ([[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]), ([[1.0, 0.0]], [0.0])])
    assert used_neurons(floats) == used_neurons(f)


def test_limits_end_with_an_answer():
    f = load(ACAS)
    assert equal(f, f, limits=Limits(seconds=0)).verdict == "undecided"


def test_acas_xu_against_itself_rewritten():
    f = load(ACAS, numbers="float32")
    layers = layers_of(f)
    for depth in range(6):
        rows, biases = layers[depth]
        order = [(7 * i + depth) % 50 for i in range(50)]
        scales = [fmpq(1 + i % 5, 1 + i % 3) for i in range(50)]
        layers[depth] = [[[scales[i] * w for w in rows[i]] for i in order], [scales[i] * biases[i] for i in order]]
        following = layers[depth + 1]
        following[0] = [[line[i] / scales[i] for i in order] for line in following[0]]
        layers[depth][0] += [[-w for w in layers[depth][0][3]], list(layers[depth][0][5])]
        layers[depth][1] += [-layers[depth][1][3], layers[depth][1][5]]
        following[0] = [[*line[:5], line[5] / 3, *line[6:], fmpq(0), line[5] * 2 / 3] for line in following[0]]
    g = network_of(layers)
    decision = equal(f, g)
    assert decision.verdict == "equal"
    assert check(decision.certificate, f, g)
    layers[2][1][7] += fmpq(1, 10**30)
    h = network_of(layers)
    decision = equal(f, h)
    assert decision.verdict == "different"
    assert check(decision.certificate, f, h)


def test_acas_xu_as_decimals_differs_from_float32():
    decimal, rounded = load(ACAS), load(ACAS, numbers="float32")
    decision = equal(decimal, rounded)
    assert decision.verdict == "different"
    assert check(decision.certificate, decimal, rounded)


# -- signs by linear programming

HIDDEN = ([[1], [1]], [0, "-1/2"])  # σ(x) − σ(x − 1/2) + 1/4 >= 0 on [−1, 1], which intervals do not show
SHARP = Network([HIDDEN, ([[1, -1]], ["1/4"]), ([[1]], [0])])
BLUNT = Network([HIDDEN, ([[1, -1]], ["1/4"])])


def sharpened_certificate():
    return {
        "format": "relusym-certificate",
        "version": 1,
        "kind": "rewrites",
        "claim": "equal",
        "domain": [["-1", "1"]],
        "field": None,
        "units": [
            {"base": [0, 0, 0], "sign": 0},
            {"base": [0, 0, 1], "sign": 0},
            # σ(x) − σ(x − 1/2) + 1/4 = 3/4 σ(x) + 1/4 (σ(x) − x) + 1/2 ((x + 1)/2 − 2 σ(x − 1/2))
            {"base": [0, 1, 0], "sign": 1, "multipliers": [["up", 0, "3/4"], ["down", 0, "1/4"], ["chord", 1, "1/2"]]},
        ],
        "rewrites": [
            [[["unit", 0, "1"], ["unit", 1, "1"]], [["unit", 2, "1"]]],
            [[["unit", 0, "1"], ["unit", 1, "1"]]],
        ],
    }


def test_a_sum_of_inequalities_proves_a_sign():
    assert check(sharpened_certificate(), SHARP, BLUNT)


@pytest.mark.parametrize(
    "multipliers",
    [
        None,
        [],
        [["up", 0, "3/4"], ["down", 0, "1/4"]],
        [["up", 0, "3/4"], ["down", 0, "1/4"], ["chord", 1, "1"]],
        [["up", 0, "1"], ["up", 1, "-1"], ["low", 0, "0"]],
        [["up", 0, "1"], ["down", 0, "0"], ["chord", 2, "1/2"]],
        [["up", 0, "1"], ["up", 7, "1"]],
        [["up", 0]],
        [["beside", 0, "1"]],
        [["low", 1, "1"]],
        [["up", 0, 0.5]],
    ],
)
def test_other_sums_do_not(multipliers):
    certificate = sharpened_certificate()
    certificate["units"][2]["multipliers"] = multipliers
    assert refused(certificate, SHARP, BLUNT)


def test_sums_of_inequalities_hold_on_their_domain_only():
    for domain in (None, [["-1", None]], [["-1", "2"]], [["-4", "1"]]):
        assert refused({**sharpened_certificate(), "domain": domain}, SHARP, BLUNT)
    assert refused({**sharpened_certificate()}, BLUNT, SHARP)
