"""The comparison on whole float arrays against the one in rational arithmetic, on floats of every size."""

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym import Network, check, digest, equal
from relusym.decision.float_equality import compare_floats
from relusym.decision.shallow_equality import compare_masses
from relusym.exact.box import whole_space
from relusym.exact.float_arrays import exact_product, nonzero_column, proportional_classes
from relusym.exact.tower import Tower
from relusym.limits import Budget
from relusym.parameters.network import Network as Parameters
from relusym.shallow import float_neurons

AWKWARD = [0.0, -0.0, 1.0, -1.0, 1.5, 3.0, 0.1, 1 / 3, 5e-324, 1.5e-323, 2.0**-1022, 2.0**1000, 1.7e308, -7.0, 2.0**-30]
AWKWARD_SINGLE = [float(np.float32(x)) for x in (0, 1, -1, 1.5, 3, 0.1, 1 / 3, 1e-45, 3e-45, 2.0**-126, 3e38, -7)]


@st.composite
def float_networks(draw: st.DrawFn) -> tuple[Network, Network]:
    """Two float networks: the second a disguise of the first, perhaps with one entry moved, or an independent one."""
    single = draw(st.booleans())
    dtype = np.float32 if single else np.float64
    entries = st.sampled_from(AWKWARD_SINGLE if single else AWKWARD)
    m, n, k = draw(st.integers(1, 3)), draw(st.integers(1, 6)), draw(st.integers(1, 2))

    def array(*shape: int) -> np.ndarray:
        size = int(np.prod(shape))
        return np.array(draw(st.lists(entries, min_size=size, max_size=size)), dtype=dtype).reshape(shape)

    A, b, M, c = array(n, m), array(n), array(k, n), array(k)
    for _ in range(draw(st.integers(0, 2))):  # plant multiples and opposites of rows
        i, j = draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1))
        factor = dtype(draw(st.sampled_from([1.0, -1.0, 2.0, -0.5])))
        with np.errstate(all="ignore"):
            row, bias = A[i] * factor, b[i] * factor
        if np.isfinite(row).all() and np.isfinite(bias):
            A[j], b[j] = row, bias
    f = Network([(A, b), (M, c)])
    if draw(st.integers(0, 4)) == 0:
        return f, Network([(array(n, m), array(n)), (array(k, n), array(k))])
    order = draw(st.permutations(range(n)))
    powers = [draw(st.integers(-3, 3)) for _ in range(n)]
    with np.errstate(all="ignore"):
        A2, b2, M2 = np.ldexp(A.T, powers).T, np.ldexp(b, powers), np.ldexp(M, [-p for p in powers])
    lost = any(not np.isfinite(x).all() for x in (A2, b2, M2)) or not (
        np.array_equal(np.ldexp(A2.T, [-p for p in powers]).T, A)
        and np.array_equal(np.ldexp(b2, [-p for p in powers]), b)
        and np.array_equal(np.ldexp(M2, powers), M)
    )
    if lost:
        A2, b2, M2 = A.copy(), b.copy(), M.copy()
    A2, b2, M2 = A2[order], b2[order], M2[:, order]
    if draw(st.booleans()):
        i = draw(st.integers(0, n - 1))
        A2[i], b2[i] = -A2[i], -b2[i]
    if draw(st.integers(0, 3)) == 0:
        i, j = draw(st.integers(0, n - 1)), draw(st.integers(0, m - 1))
        A2[i, j] = np.nextafter(A2[i, j], dtype(0))
    return f, Network([(A2, b2), (M2, c)])


@pytest.fixture(autouse=True)
def arrays_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(float_neurons, "_WORTHWHILE", 0)


@settings(max_examples=400, deadline=None)
@given(float_networks())
def test_the_two_routes_agree(pair: tuple[Network, Network]) -> None:
    f, g = pair
    box = whole_space(f.widths[0])
    quick = compare_floats(f, g, Budget())
    assert quick is not None
    slow = compare_masses(f, g, Tower(), box, Budget())
    assert quick.equal == slow.equal
    assert (quick.ridge is None) == (slow.ridge is None)
    decision = equal(f, g)
    assert decision.truth == slow.equal
    assert check(decision.certificate, f, g)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(AWKWARD), min_size=3, max_size=3), min_size=1, max_size=8),
    st.sampled_from([np.float32, np.float64]),
)
def test_proportional_classes(rows: list[list[float]], dtype: type) -> None:
    with np.errstate(all="ignore"):
        block = np.array(rows).astype(dtype)
    block = block[np.isfinite(block).all(axis=1) & block.any(axis=1)]
    classes = proportional_classes([block[:3], block[3:]])
    assert classes is not None

    def name(row: np.ndarray) -> tuple[fmpq, ...]:
        exact = [fmpq(*value.as_integer_ratio()) for value in row.tolist()]
        lead = next(value for value in exact if value != 0)
        return tuple(value / lead for value in exact)

    names = [name(row) for row in block]
    for i in range(len(names)):
        for j in range(i):
            assert (classes[i] == classes[j]) == (names[i] == names[j])


def test_rows_that_only_rational_arithmetic_tells_apart() -> None:
    """Multiples by numbers that are no powers of two, equal and one unit in the last place off."""
    base = np.array([0.3, 0.7, -1.1])
    third = np.array([3 * 2.0**-52 + 3, 5.0, 7.0])
    rows = np.array(
        [base, base, third, [third[0], np.nextafter(5, 6), 7.0], [3.0, 6.0, 9.0], [1.0, 2.0, 3.0], [5, 10, 15]]
    )
    classes = proportional_classes([rows])
    assert classes is not None
    assert classes[0] == classes[1]
    assert classes[4] == classes[5] == classes[6]
    assert len(set(classes.tolist())) == 4


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_exact_products(data: st.DataObject) -> None:
    k, n, m = (data.draw(st.integers(0, 3)) for _ in range(3))

    def array(rows: int, columns: int) -> np.ndarray:
        size = rows * columns
        entries = data.draw(st.lists(st.sampled_from(AWKWARD), min_size=size, max_size=size))
        return np.array(entries, dtype=np.float64).reshape(rows, columns)

    left, right = array(k, n), array(n, m)
    exact = [
        [
            sum(
                (fmpq(*x.as_integer_ratio()) * fmpq(*y.as_integer_ratio()) for x, y in zip(row, column, strict=True)),
                fmpq(0),
            )
            for column in right.T.tolist()
        ]
        for row in left.tolist()
    ]
    if n == 0:
        exact = [[fmpq(0)] * m for _ in range(k)]
    column = nonzero_column(left, right)
    assert (column is None) == (not any(any(row) for row in exact))
    assert column is None or any(row[column] for row in exact)
    if n and k and m:
        assert exact_product(left, right) == exact


def test_large_networks_take_this_route(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    draw = np.random.default_rng(3)
    A, b, M, c = draw.normal(size=(64, 100)), draw.normal(size=64), draw.normal(size=(2, 64)), draw.normal(size=2)
    f = Parameters([(A, b), (M, c)])
    assert compare_floats(f, f, Budget()) is not None
    small = Parameters([(A[:3], b[:3]), (M[:, :3], c)])
    assert compare_floats(small, small, Budget()) is None


@settings(max_examples=200, deadline=None)
@given(float_networks())
def test_digests_of_arrays_and_of_rational_numbers_agree(pair: tuple[Network, Network]) -> None:
    f, g = pair
    rational = Network.from_dict(f.to_dict())
    assert digest(f) == digest(rational)
    assert (digest(f) == digest(g)) == equal(f, g).truth
