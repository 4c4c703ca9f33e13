"""Counted complexes, degenerate position, domains, fields, limits."""

import random
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from relusym import (
    DomainError,
    FieldError,
    Limits,
    Network,
    RelusymError,
    ShapeError,
    Undecided,
    cell_at,
    common_refinement,
    complex_of,
    count_regions,
    iterate_regions,
    load,
    random_region,
)
from relusym.polyhedral import cone

TINY = Fraction(1, 2**60)

EXAMPLE = Network(
    [
        ([[3, 3], [1, -3], [-3, -3], [3, -2]], [2, 3, 1, 4]),
        ([[1, 3, 2, -1], [2, -4, 1, 1]], [4, -8]),
        ([[3, -7]], [0]),
    ]
)


def random_network(widths: tuple[int, ...], seed: int, size: int = 5) -> Network:
    generator = random.Random(seed)

    def entries(count: int) -> list[int]:
        return [generator.randint(-size, size) for _ in range(count)]

    return Network([([entries(columns) for _ in range(rows)], entries(rows)) for columns, rows in pairwise(widths)])


# -- counts


def test_two_hidden_layers_on_the_plane() -> None:
    c = complex_of(EXAMPLE)
    assert c.f_vector == (8, 22, 15)
    assert (len(c.activation_regions), len(c.linear_regions), len(c.affine_maps)) == (15, 15, 15)
    assert c.euler_characteristic == 1
    neurons = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1)]
    assert [len(c.bent_hyperplane(*neuron).components) for neuron in neurons] == [1, 1, 1, 1, 0, 2]


def test_the_same_network_on_a_box_with_its_walls() -> None:
    c = complex_of(EXAMPLE, domain=[(-2, 2), (-2, 2)])
    assert c.f_vector == (21, 33, 13)
    assert c.euler_characteristic == 1
    assert all(cell.is_bounded for cell in c.activation_regions)


def test_three_notions_of_region_differ() -> None:
    c = complex_of(Network.shallow([1, 1, -1], [[1, 0], [0, 1], [1, 1]], [0, 0, 0], 0))
    assert (len(c.activation_regions), len(c.linear_regions), len(c.affine_maps)) == (6, 6, 5)


@pytest.mark.parametrize(
    ("rows", "bias", "regions"),
    [
        ([[3, -3], [7, -7], [1, 0]], [1, 5, 0], 6),
        ([[1, 0], [1, 0], [0, 1]], [0, 0, 0], 4),
        ([[1, 0], [0, 1], [1, 1]], [0, 0, 0], 6),
        ([[1, 0], [1, 0], [0, 1]], [0, -TINY, 0], 6),
        ([[3, 0], [0, 3], [1, 1]], [-1, -1, Fraction(-2, 3)], 6),
        ([[3.0, 0.0], [0.0, 3.0], [1.0, 1.0]], [-1.0, -1.0, -2 / 3], 7),
        ([[1], [1], [2]], [0, -1, -2], 3),
        ([[1, 0], [0, 1], [0, 0]], [0, 0, 0], 4),
    ],
)
def test_degenerate_arrangements(rows: list[list[object]], bias: list[object], regions: int) -> None:
    c = complex_of(Network.shallow([1] * len(bias), rows, bias, 0))
    assert len(c.activation_regions) == regions
    assert c.euler_characteristic == (-1) ** len(rows[0])


def test_a_second_layer_that_vanishes_on_a_region() -> None:
    f = Network([([[1, 0], [0, 1]], [0, 0]), ([[1, -1]], [0]), ([[1]], [0])])
    c = complex_of(f)
    assert len(c.activation_regions) == 5
    assert sum(region.signs[2] == 0 for region in c.activation_regions) == 1
    assert [cell.pattern for cell in c.bent_hyperplane(1, 0).cells] == ["++0", "0-0"]


def test_generic_lines_are_counted_by_the_formula() -> None:
    generator = random.Random(4)
    rows = [[generator.randint(-99, 99) for _ in range(3)] for _ in range(9)]
    c = complex_of(Network.shallow([1] * 9, rows, [generator.randint(-99, 99) for _ in range(9)], 0))
    assert c.f_vector == (84, 288, 333, 130)  # C(9, 3), …, 9 (1 + 8 + 28), 1 + 9 + 36 + 84


@pytest.mark.parametrize("layers", [[([[1, 2]], [3])], [([[0, 0]], [1]), ([[1]], [0])]])
def test_no_neuron_that_changes_sign_leaves_one_cell(layers: list[object]) -> None:
    c = complex_of(Network(layers))
    assert c.f_vector == (0, 0, 1)
    (region,) = c.activation_regions
    assert len(region.lines()) == 2
    assert region.facets() == []


def test_a_hidden_layer_of_width_zero() -> None:
    c = complex_of(Network([([], []), ([[]], [2])], inputs=2))
    assert len(c.activation_regions) == 1
    assert c.affine_maps[0].constant == (2,)


# -- self-checks


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("widths", [(1, 4, 4, 1), (2, 4, 3, 2), (3, 4, 4, 1), (3, 2, 3, 1), (4, 4, 3, 1)])
def test_euler_characteristic(widths: tuple[int, ...], seed: int) -> None:
    f = random_network(widths, seed, size=seed % 4 + 1)
    assert complex_of(f).euler_characteristic == (-1) ** widths[0]
    box = [(-1, 2)] * widths[0]
    assert complex_of(f, domain=box).euler_characteristic == 1


@given(st.data())
def test_each_point_is_in_the_relative_interior_of_one_cell(data: st.DataObject) -> None:
    f = random_network((2, 3, 3, 1), data.draw(st.integers(0, 30)), size=2)
    c = complex_of(f)
    x = [data.draw(st.fractions(-3, 3, max_denominator=3)) for _ in range(2)]
    home = c.cell_at(x)
    cells = [cell for dimension in range(3) for cell in c.cells(dimension)]
    assert cells.count(home) == 1
    assert home.dimension == next(cell.dimension for cell in cells if cell == home)
    for cell in cells:
        above = all(h in (0, s) for h, s in zip(home.signs, cell.signs, strict=True))
        assert cell.contains(x) == above
    assert home.affine_map()([fmpq(t.numerator, t.denominator) for t in x]) == tuple(
        fmpq(int(v.p), int(v.q)) for v in f(x)
    )


@pytest.mark.parametrize("seed", range(6))
def test_interior_points_have_the_signs_of_their_cells(seed: int) -> None:
    f = random_network((3, 3, 3, 1), seed, size=3)
    for domain in (None, [(-1, 1)] * 3):
        c = complex_of(f, domain=domain)
        for dimension in range(4):
            for cell in c.cells(dimension):
                assert c.cell_at(cell.interior_point()) == cell
                assert cell.dimension == dimension


def test_facets_of_regions_have_two_sides_except_at_walls() -> None:
    c = complex_of(EXAMPLE, domain=[(-2, 2), (-2, 2)])
    assert all(len(facet.sides) == (1 if facet.cell.on_wall else 2) for facet in c.facets)
    assert all(len(facet.sides) == 2 for facet in complex_of(EXAMPLE).facets)


def test_vertices_and_rays() -> None:
    c = complex_of(Network.shallow([1, 1], [[1, 0], [0, 1]], [-1, 0], 0))
    (corner,) = c.cells(0)
    assert corner.vertices() == [(1, 0)]
    quadrant = cell_at(c.networks[0], [5, 5])
    assert quadrant.vertices() == [(1, 0)]
    assert sorted(quadrant.rays()) == [(0, 1), (1, 0)]
    assert quadrant.lines() == []
    assert not quadrant.is_bounded


def test_graphs() -> None:
    c = complex_of(EXAMPLE)
    dual = c.dual_graph()
    assert (dual.number_of_nodes(), dual.number_of_edges()) == (15, 22)
    poset = c.face_poset()
    assert poset.number_of_nodes() == 45
    assert sum(1 for _, degree in poset.out_degree() if degree == 0) == 8


# -- domains


def test_a_domain_of_lower_dimension() -> None:
    c = complex_of(EXAMPLE, domain=[([1, 1], 1), ([-1, -1], -1)])
    assert c.dimension == 1
    assert c.euler_characteristic == -1
    for cell in c.activation_regions:
        for x in (cell.interior_point(), *cell.vertices()):
            assert sum(x) == 1
            assert tuple(map(str, cell.affine_map()(x))) == tuple(map(str, EXAMPLE(list(x))))


def test_one_point_is_a_domain() -> None:
    c = complex_of(EXAMPLE, domain=[(1, 1), ("1/2", 0.5)])
    assert c.f_vector == (1,)
    assert c.activation_regions[0].vertices() == [(1, fmpq(1, 2))]
    assert c.facets == []


def test_inequalities_and_box_agree() -> None:
    box = complex_of(EXAMPLE, domain=[(-2, 2), (0, None)])
    rows = complex_of(EXAMPLE, domain=[([1, 0], 2), ([-1, 0], 2), ([0, -1], 0), ([0, 0], 1), ([1, 0], 3)])
    assert box.f_vector == rows.f_vector
    assert {c.signs for c in box.cells(2)} == {c.signs for c in rows.cells(2)}


@pytest.mark.parametrize(
    "domain",
    [
        [(1, 0), (0, 1)],
        [([1, 0], 0), ([-1, 0], -1)],
        [([0, 0], -1)],
        [(0, 1)],
        "box",
        7,
        [([1], 0)],
        [([1, "x"], 0)],
        [([1, 0], 1), ([1, 1], 1), ([-2, -1], -3)],
    ],
)
def test_domains_that_are_refused(domain: object) -> None:
    with pytest.raises(DomainError) as raised:
        complex_of(EXAMPLE, domain=domain)
    assert "\n" not in str(raised.value)


def test_points_outside_the_domain() -> None:
    c = complex_of(EXAMPLE, domain=[(0, 1), (0, 1)])
    with pytest.raises(DomainError):
        c.cell_at([2, 0])
    with pytest.raises(DomainError):
        complex_of(EXAMPLE, domain=[(0, 0), (0, 1)]).cell_at([1, 0])


# -- fields


def test_a_number_field_gives_the_complex_of_its_rational_twin() -> None:
    root = Network.shallow([1, 1, 1], [["sqrt(2)", 0], [0, "sqrt(2)"], ["sqrt(2)", "sqrt(2)"]], [0, 0, "-sqrt(2)"], 0)
    twin = Network.shallow([1, 1, 1], [[1, 0], [0, 1], [1, 1]], [0, 0, -1], 0)
    ours, expected = complex_of(root), complex_of(twin)
    assert ours.f_vector == expected.f_vector
    for dimension in range(3):
        assert {c.signs for c in ours.cells(dimension)} == {c.signs for c in expected.cells(dimension)}
    assert len(ours.linear_regions) == len(expected.linear_regions)


def test_irrational_vertices_are_exact() -> None:
    c = complex_of(Network.shallow([1, 1], [["sqrt(2)"], [1]], [-2, "-sqrt(2)"], 0))
    assert len(c.activation_regions) == 2
    (vertex,) = c.cells(0)[0].vertices()
    assert vertex[0] * vertex[0] == 2


def test_many_dimensions_over_a_number_field_are_refused() -> None:
    rows = [["sqrt(2)" if i == j else 1 for j in range(9)] for i in range(9)]
    with pytest.raises(FieldError):
        complex_of(Network.shallow([1] * 9, rows, [0] * 9, 0))


# -- streaming, limits, workers


def test_streaming_gives_the_regions_in_the_order_of_the_complex() -> None:
    f = random_network((3, 5, 4, 1), 1)
    assert list(iterate_regions(f)) == complex_of(f).activation_regions


def test_workers_give_the_same_answer() -> None:
    f = random_network((3, 5, 4, 1), 2)
    serial = complex_of(f)
    with ThreadPoolExecutor(2) as executor:
        spread = complex_of(f, executor=executor)
        assert count_regions(f, executor=executor) == len(serial.activation_regions)
        with pytest.raises(Undecided):
            count_regions(f, executor=executor, limits=Limits(items=3))
    assert spread.activation_regions == serial.activation_regions
    assert spread.f_vector == serial.f_vector
    assert [r.interior_point() for r in spread.activation_regions] == [
        r.interior_point() for r in serial.activation_regions
    ]


def test_workers_with_lines() -> None:
    f = Network([([[1, 1, 0], [1, 1, 1]], [0, 1]), ([[1, -1], [2, 1]], [0, -1]), ([[1, 1]], [0])])
    serial = complex_of(f)
    with ThreadPoolExecutor(1) as executor:
        assert complex_of(f, executor=executor).f_vector == serial.f_vector
    assert serial.f_vector[0] == 0


def test_sharing_that_starts_again_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    f = random_network((3, 5, 4, 1), 3)
    expected = complex_of(f).f_vector
    monkeypatch.setattr(cone, "_SHARED", 5)
    assert complex_of(f).f_vector == expected


def test_limits_end_with_what_is_known() -> None:
    with pytest.raises(Undecided) as raised:
        complex_of(EXAMPLE, limits=Limits(items=5))
    assert raised.value.lower == 5
    with pytest.raises(Undecided):
        complex_of(EXAMPLE, limits=Limits(seconds=0))


def test_progress_is_told() -> None:
    told: list[str] = []
    complex_of(random_network((2, 20, 1), 1, 50), progress=lambda what, done, total: told.append(what)).f_vector  # noqa: B018
    assert set(told) == {"cells of dimension 0", "cells of dimension 1"}


def test_random_regions_are_regions() -> None:
    regions = complex_of(EXAMPLE).activation_regions
    found = {random_region(EXAMPLE, seed=seed).key for seed in range(20)}
    assert found <= {region.key for region in regions}
    assert len(found) > 1
    inside = {random_region(EXAMPLE, domain=[(0, 1), (0, 1)], seed=seed).signs for seed in range(5)}
    assert inside <= {region.signs for region in regions}


# -- bent hyperplanes, level sets, refinements


def test_level_set_of_the_figure() -> None:
    for name in ("theta1", "theta2"):
        level = complex_of(load(f"example:{name}")).level_set()
        assert level.f_vector == (6, 6, 0)
        assert len(level.components) == 1
        corners = {vertex for cell in level.cells(0) for vertex in cell.vertices()}
        assert corners == {(-1, 9), (-7, 9), (9, -1), (9, -7), (-7, -1), (-1, -7)}


def test_level_set_where_the_function_is_constant() -> None:
    level = complex_of(Network.shallow([1], [[1, 0]], [0], 0)).level_set(0, 0)
    assert level.f_vector == (0, 1, 1)


def test_decision_boundary() -> None:
    f = Network.shallow([[1, 0], [0, 1]], [[1, 0], [0, 1]], [0, 0], [0, 0])
    boundary = complex_of(f).decision_boundary(0, 1)
    assert boundary.f_vector == (1, 3, 1)  # the diagonal ray, and the closed quadrant where both are zero
    with pytest.raises(ShapeError):
        complex_of(f).decision_boundary(0, 0)
    with pytest.raises(ShapeError):
        complex_of(f).level_set(2)


def test_a_bent_hyperplane_needs_non_positive_values_on_one_side() -> None:
    f = Network([([[1], [-1]], [0, 0]), ([[1, 1]], [0]), ([[1]], [0])])  # |x|: zero at 0, positive on both sides
    c = complex_of(f)
    assert c.bent_hyperplane(1, 0).cells == []
    assert len(c.bent_hyperplane(0, 0).cells) == 1
    with pytest.raises(ShapeError):
        c.bent_hyperplane(2, 0)


def test_common_refinement_of_networks_of_different_depth() -> None:
    f = Network([([[1], [1]], [0, -1]), ([[1, -2]], [0]), ([[1]], [0])])
    g = Network.shallow([1, -2, 1], [[1], [1], [1]], [0, -1, -2], 0)
    c = common_refinement([f, g])
    assert len(c.activation_regions) == 4
    for region in c.activation_regions:
        assert region.affine_map(0) == region.affine_map(1)
    with pytest.raises(ShapeError):
        common_refinement([f, EXAMPLE])


def test_cells_need_vertices_only_where_they_do() -> None:
    c = complex_of(EXAMPLE, vertices=False)
    assert len(c.linear_regions) == 15
    assert len(c.cells(1)) == 22
    with pytest.raises(RelusymError, match="vertices=True"):
        c.f_vector  # noqa: B018
