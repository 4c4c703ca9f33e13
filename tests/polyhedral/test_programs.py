"""Regions by exact linear programs: the same as those by vertices."""

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from relusym import Network, RelusymError, cell_at, complex_of, iterate_regions, random_region


def random_network(widths: tuple[int, ...], seed: int, size: int = 3) -> Network:
    generator = random.Random(seed)

    def entries(count: int) -> list[int]:
        return [generator.randint(-size, size) for _ in range(count)]

    return Network([([entries(columns) for _ in range(rows)], entries(rows)) for columns, rows in pairwise(widths)])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("domain", [None, [(-1, 1)] * 3, [([1, 1, 1], 1), ([-1, -1, -1], -1), ([1, 0, 0], 0)]])
def test_programs_agree_with_vertices(seed: int, domain: object) -> None:
    f = random_network((3, 4, 3, 1), seed, size=seed % 3 + 1)
    ours, expected = complex_of(f, domain=domain, vertices=False), complex_of(f, domain=domain)
    assert {c.key for c in ours.activation_regions} == {c.key for c in expected.activation_regions}
    assert {c.key for c in ours.cells(ours.dimension - 1)} == {c.key for c in expected.cells(ours.dimension - 1)}
    assert len(ours.linear_regions) == len(expected.linear_regions)
    for cell in (*ours.activation_regions, *ours.cells(ours.dimension - 1)):
        assert ours.arrangement.circuit.generator(cell.vector).pos == cell.key[0]
        assert cell.dimension == next(c for d in range(4) for c in expected.cells(d) if c == cell).dimension


def test_ten_inputs_on_a_box() -> None:
    f = random_network((10, 4, 1), 1)
    box = [(-1, 1)] * 10
    c = complex_of(f, domain=box)
    assert 1 < len(c.activation_regions) <= 16
    assert list(iterate_regions(f, domain=box)) == c.activation_regions
    with ThreadPoolExecutor(1) as executor:
        assert complex_of(f, domain=box, executor=executor).activation_regions == c.activation_regions
    assert {region.signs for region in c.activation_regions} <= {
        region.signs for region in complex_of(f).activation_regions
    }
    with pytest.raises(RelusymError, match="vertices=True"):
        c.activation_regions[0].vertices()
    with pytest.raises(RelusymError, match="vertices"):
        random_region(f, domain=box)
    assert cell_at(f, [0] * 10, domain=box) in [*c.activation_regions, *c.cells(9)]


def test_ten_inputs_with_an_implicit_equation() -> None:
    f = random_network((10, 4, 1), 1)
    box = [([int(i == j) for j in range(10)], 1) for i in range(10)] + [
        ([-int(i == j) for j in range(10)], 1 if i else -1) for i in range(10)
    ]
    assert complex_of(f, domain=box).dimension == 9
    fixed = complex_of(f, domain=[(1, 1)] + [(-1, 1)] * 9)
    assert {c.signs for c in complex_of(f, domain=box).activation_regions} == {
        c.signs for c in fixed.activation_regions
    }


def test_handlers_of_signals_are_put_back() -> None:
    code = (
        "import signal; before = signal.getsignal(signal.SIGINT);"
        "from relusym.exact.polyhedron import least; assert least([1, 0], [[1, -2]])[0] == 2;"
        "assert signal.getsignal(signal.SIGINT) is before"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_another_thread_cannot_be_the_first() -> None:
    code = (
        "from concurrent.futures import ThreadPoolExecutor as T; from relusym.exact.polyhedron import least\n"
        "try: T(1).submit(least, [1, 0], [[1, -2]]).result()\n"
        "except ValueError as error: assert 'main thread' in str(error)\n"
        "else: raise SystemExit('no error')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_thread_that_may_not_import_the_library_has_a_child_do_it() -> None:
    code = (
        "from concurrent.futures import ThreadPoolExecutor as T; from relusym import Network\n"
        "from relusym.polyhedral.arrangement import Arrangement; from relusym.polyhedral import programs\n"
        "a = Arrangement([Network.shallow([1, 1], [[1, 0], [1, 0]], [0, 1], 0)])\n"
        "root = programs.Node((), [0, 0, 1], (), 1, 0)\n"
        "points = T(1).submit(programs.explore, a.circuit, root).result()\n"
        "assert len(points) == 3, points"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_missing_library_is_named() -> None:
    code = (
        "import sys; sys.modules['ppl'] = None; from relusym.exact.polyhedron import least; import relusym\n"
        "try: least([1, 0], [[1, -2]])\n"
        "except relusym.MissingExtra as error: assert 'relusym[deep]' in str(error)\n"
        "else: raise SystemExit('no error')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
