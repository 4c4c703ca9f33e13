"""Regions over a cluster of Dask: the same answer, by vertices and by linear programs."""

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from distributed import Client, LocalCluster

from relusym import Network, complex_of, count_regions


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster) as connected,
    ):
        yield connected


def random_network(widths: tuple[int, ...], seed: int) -> Network:
    generator = random.Random(seed)

    def entries(count: int) -> list[int]:
        return [generator.randint(-3, 3) for _ in range(count)]

    return Network([([entries(columns) for _ in range(rows)], entries(rows)) for columns, rows in pairwise(widths)])


def test_by_vertices(client: Client) -> None:
    f = random_network((3, 6, 5, 1), 1)
    serial = complex_of(f)
    assert complex_of(f, executor=client).activation_regions == serial.activation_regions
    assert count_regions(f, executor=client, workers=1) == len(serial.activation_regions)


def test_by_programs(client: Client) -> None:
    f = random_network((9, 3, 2, 1), 2)
    serial = complex_of(f, vertices=False)
    spread = complex_of(f, vertices=False, executor=client, workers=1)
    assert spread.activation_regions == serial.activation_regions
