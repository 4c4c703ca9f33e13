"""The functional dimension against difference quotients, its invariance, and the kernel in words."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym import Limits, Network, Undecided, complex_of, functional_dimension, load
from relusym.polyhedral.derivative import ModularSpan, Residues, exact_derivative, independent_rows
from relusym.polyhedral.functional_dimension import FunctionalDimension

Layers = list[tuple[list[list[Fraction]], list[Fraction]]]


def random_layers(generator: random.Random, widths: list[int], size: int = 4) -> Layers:
    def entries(count: int) -> list[Fraction]:
        return [Fraction(generator.randint(-size, size), generator.choice([1, 1, 2, 3])) for _ in range(count)]

    return [([entries(m) for _ in range(n)], entries(n)) for m, n in pairwise(widths)]


# -- a second way: f is affine in one parameter while no neuron changes its sign, so difference quotients are exact


def forward(layers: Layers, x: list[Fraction]) -> tuple[list[Fraction], list[int]]:
    signs: list[int] = []
    for index, (weight, bias) in enumerate(layers):
        values = [sum((a * b for a, b in zip(row, x, strict=True)), end) for row, end in zip(weight, bias, strict=True)]
        if index < len(layers) - 1:
            signs += [(value > 0) - (value < 0) for value in values]
            values = [max(value, Fraction(0)) for value in values]
        x = values
    return x, signs


def moved(layers: Layers, place: tuple[int, int, int], step: Fraction) -> Layers:
    copy = [([list(row) for row in weight], list(bias)) for weight, bias in layers]
    layer, row, column = place
    weight, bias = copy[layer]
    if column == len(weight[row]):
        bias[row] += step
    else:
        weight[row][column] += step
    return copy


def quotients(layers: Layers, x: list[Fraction]) -> list[list[Fraction]]:
    """The derivative of all outputs in all parameters at a point where no neuron is 0."""
    value, signs = forward(layers, x)
    columns = []
    for layer, (weight, _) in enumerate(layers):
        for row in range(len(weight)):
            for column in range(len(weight[row]) + 1):
                step = Fraction(1, 2)
                while True:
                    there, new_signs = forward(moved(layers, (layer, row, column), step), x)
                    if new_signs == signs:
                        break
                    step /= 16
                columns.append([(b - a) / step for a, b in zip(value, there, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def rank_by_quotients(layers: Layers) -> int:
    """The rank of the derivative at m + 1 points of each region on which no neuron vanishes identically."""
    rows = []
    for region in complex_of(Network(layers)).activation_regions:
        if 0 in region.signs:
            continue
        inside = [Fraction(int(value.p), int(value.q)) for value in region.interior_point()]
        for shifted in range(-1, len(inside)):
            step = Fraction(1, 2)
            while True:
                x = [value + (step if index == shifted else 0) for index, value in enumerate(inside)]
                if forward(layers, x)[1] == list(region.signs):
                    break
                step /= 16
            rows += quotients(layers, x)
    if not rows:
        return 0
    return fmpq_mat(len(rows), len(rows[0]), [fmpq(v.numerator, v.denominator) for row in rows for v in row]).rank()


@pytest.mark.parametrize("seed", range(30))
def test_value_by_difference_quotients(seed: int) -> None:
    generator = random.Random(seed)
    widths = [generator.randint(1, 2), *(generator.randint(1, 3) for _ in range(generator.randint(0, 3)))]
    layers = random_layers(generator, [*widths, generator.randint(1, 2)], size=2)
    assert functional_dimension(Network(layers)).value == rank_by_quotients(layers)


def test_the_kernel_keeps_the_function_to_first_order() -> None:
    for seed in range(20):
        generator = random.Random(seed)
        f = Network(random_layers(generator, [2, 3, 3, 1], size=2))
        found = functional_dimension(f)
        kernel = found.kernel()
        rows = [row for pattern in found.survey.patterns for row in exact_derivative(f).rows(pattern)]
        for symmetry in kernel:
            assert all(sum(a * b for a, b in zip(row, symmetry.vector, strict=True)) == 0 for row in rows)
            assert symmetry.words
        bound = found.parameters - found.hidden
        # a neuron without any weights has no scaling, so there may be more than the missing dimensions
        assert len(kernel) >= bound - found.value
        assert kernel or found.is_full


# -- values that are known


def test_the_example_that_is_not_smooth() -> None:
    f = Network([([[1], [1]], [-2, 0]), ([[-2, 1]], [0]), ([[-2]], [-2])])
    found = functional_dimension(f)
    assert (found.value, found.parameters, found.hidden, found.smooth) == (5, 9, 3, False)
    assert found.survey.vanishing is not None
    assert "not smooth" in found.explain()
    shifted = Network([([[1], [1]], [-2, 0]), ([[-2, 1]], [1]), ([[-2]], [-2])])
    assert functional_dimension(shifted).smooth is True


@settings(max_examples=60)
@given(st.data())
def test_shallow_formula(data) -> None:
    m, n, k = (data.draw(st.integers(1, 3)) for _ in range(3))
    generator = random.Random(data.draw(st.integers(0, 10**6)))
    rows: list[list[int]] = []
    while len(rows) < n:
        row = [generator.randint(-4, 4) for _ in range(m + 1)]
        independent = all(
            any(row[i] * other[j] != row[j] * other[i] for i in range(m + 1) for j in range(i)) for other in rows
        )
        if any(row[:-1]) and independent:
            rows.append(row)
    columns = [[generator.choice([-2, -1, 1, 3]) for _ in range(k)] for _ in range(n)]
    f = Network.shallow(
        [list(line) for line in zip(*columns, strict=True)], [r[:-1] for r in rows], [r[-1] for r in rows], [0] * k
    )
    found = functional_dimension(f)
    assert found.value == (m + k) * n + k
    assert found.is_full
    assert found.smooth


def scaled(generator: random.Random, layers: Layers) -> Layers:
    """The parameter after a random permutation and positive scaling of each hidden layer."""
    result = [([list(row) for row in weight], list(bias)) for weight, bias in layers]
    for layer in range(len(layers) - 1):
        (weight, bias), (after, after_bias) = result[layer], result[layer + 1]
        order = generator.sample(range(len(weight)), len(weight))
        scale = [Fraction(generator.randint(1, 5), generator.randint(1, 5)) for _ in order]
        result[layer] = (
            [[scale[i] * value for value in weight[i]] for i in order],
            [scale[i] * bias[i] for i in order],
        )
        result[layer + 1] = ([[row[i] / scale[i] for i in order] for row in after], after_bias)
    return result


def test_invariant_under_permutations_and_positive_scalings() -> None:
    for seed in range(200):
        generator = random.Random(seed)
        widths = [generator.randint(1, 3), *(generator.randint(1, 3) for _ in range(generator.randint(1, 2)))]
        layers = random_layers(generator, [*widths, generator.randint(1, 2)], size=2)
        one, other = functional_dimension(Network(layers)), functional_dimension(Network(scaled(generator, layers)))
        assert (one.value, one.smooth) == (other.value, other.smooth)
        assert one.survey.regions == other.survey.regions


def test_number_fields_have_the_dimension_of_their_pattern() -> None:
    root = Network(
        [([["sqrt(2)", 1], [1, "cbrt(2)"]], [-2, 0]), ([[-2, 1], [1, 1]], [1, "sqrt(3)"]), ([[-2, 1]], [-2])]
    )
    plain = Network(
        [([[Fraction(7, 5), 1], [1, Fraction(5, 4)]], [-2, 0]), ([[-2, 1], [1, 1]], [1, 2]), ([[-2, 1]], [-2])]
    )
    one, other = functional_dimension(root), functional_dimension(plain)
    assert (one.value, one.smooth) == (other.value, other.smooth)
    assert len(one.kernel()) == len(other.kernel())


def test_rank_over_the_field_and_not_over_the_rationals() -> None:
    # the rows are √2 times one another: one ridge, so the rank is that of one neuron
    f = Network.shallow([1, 1], [[1, 1], ["sqrt(2)", "sqrt(2)"]], [1, "sqrt(2)"], 0)
    assert functional_dimension(f).value == functional_dimension(Network.shallow([3], [[1, 1]], [1], 0)).value


def test_no_hidden_layer_and_no_hidden_neuron() -> None:
    assert functional_dimension(Network([([[1, 2], [0, 0]], [3, 0])])).value == 6
    empty = functional_dimension(Network([([], []), ([[]], [5])], inputs=2))
    assert (empty.value, empty.parameters, empty.hidden) == (1, 1, 0)


def test_a_neuron_that_is_zero_everywhere() -> None:
    found = functional_dimension(Network.shallow([1, 1], [[0], [1]], [0, 0], 0))
    assert (found.value, found.smooth) == (0, False)


# -- words


def words(f: Network) -> set[str]:
    return {symmetry.words for symmetry in functional_dimension(f).kernel()}


def test_words_for_dead_always_active_and_equal_neurons() -> None:
    base = [[1, 0], [0, 1], [-1, -1]], [0, 0, 1]
    never = Network([base, ([[-1, -1, -1], [1, 2, 3]], [-1, -1]), ([[1, 1]], [0])])
    assert {
        "the weights into neuron 0 of layer 1 do not matter: it is never active",
        "the weights out of neuron 0 of layer 1 do not matter: it is never active",
    } & words(never)
    always = Network([base, ([[1, 1, 1], [1, -2, 3]], [1, -1]), ([[1, 1]], [0])])
    assert any(text.startswith("neuron 0 of layer 1 is always active") for text in words(always))
    equal = Network.shallow([1, 2, 1], [[1, 0], [2, 0], [0, 1]], [1, 2, 0], 0)
    assert words(equal) == {"neurons 0 and 1 of layer 0 are active on the same regions: their weights trade"}
    opposite = Network.shallow([1, 2], [[1], [-1]], [0, 0], 0)
    assert words(opposite) == {
        "neurons 0 and 1 of layer 0 are active on opposite sides of one zero set: their weights trade"
    }
    unread = Network.shallow([0, 2], [[1], [-1]], [0, 1], 0)
    assert words(unread) == {
        "the weights into neuron 0 of layer 0 do not matter: what it adds never reaches the outputs"
    }


def test_full_dimension_has_no_kernel() -> None:
    found = functional_dimension(load("example:theta1"))
    assert found.is_full
    assert found.kernel() == []
    assert "identifiable nearby" in found.explain()


# -- limits and many inputs


def test_limits_give_bounds() -> None:
    f = Network(random_layers(random.Random(1), [2, 3, 3, 1]))
    value = functional_dimension(f)
    assert not value.is_full
    with pytest.raises(Undecided) as caught:
        functional_dimension(f, limits=Limits(items=2))
    assert caught.value.lower is not None
    assert caught.value.upper is not None
    assert caught.value.lower <= value.value <= caught.value.upper == value.parameters - value.hidden


def test_smooth_is_unknown_where_limits_end_the_enumeration() -> None:
    full = functional_dimension(load("example:theta1"), limits=Limits(items=2))
    assert full.is_full
    assert full.smooth is None


def test_many_inputs_by_random_points() -> None:
    found = functional_dimension(Network(random_layers(random.Random(0), [10, 6, 5, 2])), limits=Limits(items=0))
    assert found.is_full


# -- parts


def test_an_unlucky_prime_is_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modulo 5 ranks are often too small; the exact kernel notices it, and the value stays right."""
    unlucky = 0
    for seed in range(12):
        generator = random.Random(seed)
        f = Network(random_layers(generator, [2, 2, 2, 1], size=7))
        right = functional_dimension(f)
        with monkeypatch.context() as patch:
            patch.setattr("relusym.polyhedral.derivative._FIRST_PRIME", 5)
            found = functional_dimension(f)
        assert found.value == right.value
        assert len(found.kernel()) == len(right.kernel())
        unlucky += found._span.rank < found.value
    assert unlucky


def test_residues_of_a_number_field_respect_its_polynomial() -> None:
    f = Network.shallow(["sqrt(2)", "1/3"], [["sqrt(2)"], [1]], [0, 0], 0)
    residues = Residues(f)
    root, third = (residues(value) for value in (f.layers[1].weight.entry(0, 0), f.layers[1].weight.entry(0, 1)))
    assert root * root % residues.prime == 2
    assert third * 3 % residues.prime == 1


def test_the_span_modulo_a_prime() -> None:
    span = ModularSpan(3, 101)
    assert span.extend([[1, 2, 3], [2, 4, 6]])
    assert not span.extend([[3, 6, 9]])
    assert not span.extend([])
    assert span.extend([[0, 0, 5], [1, 2, 0]])
    assert span.rank == 2
    vector = span.annihilated(random.Random(0))
    assert any(vector)
    assert all(sum(a * b for a, b in zip(row, vector, strict=True)) % 101 == 0 for row in ([1, 2, 3], [0, 0, 5]))
    assert independent_rows([[0, 0, 0], [1, 2, 3], [2, 4, 6], [0, 1, 0]], 101) == [1, 3]


def test_repr() -> None:
    found = functional_dimension(load("example:theta1"))
    assert isinstance(found, FunctionalDimension)
    assert repr(found) == "FunctionalDimension(10 of 13 parameters, 3 hidden neurons)"
