"""The functional dimension of random networks: regions, value, and the time for the value and for smoothness."""

from __future__ import annotations

import random
import sys
import time
from itertools import pairwise

from relusym import Network, functional_dimension

ARCHITECTURES = ((2, 8, 8, 1), (3, 8, 8, 2), (4, 10, 10, 1))


def random_network(widths: tuple[int, ...], generator: random.Random) -> Network:
    def entries(count: int) -> list[float]:
        return [generator.gauss(0, 1) for _ in range(count)]

    return Network([([entries(m) for _ in range(n)], entries(n)) for m, n in pairwise(widths)])


def main(seeds: int) -> None:
    print("widths, seed: regions; dimension of D − N; smooth; seconds for the value, for all regions, for the kernel")
    for widths in ARCHITECTURES:
        for seed in range(seeds):
            f = random_network(widths, random.Random(seed))
            start = time.perf_counter()
            found = functional_dimension(f)
            value_seconds = time.perf_counter() - start
            start = time.perf_counter()
            smooth, regions = found.smooth, found.survey.regions
            region_seconds = time.perf_counter() - start
            start = time.perf_counter()
            found.kernel()
            kernel_seconds = time.perf_counter() - start
            bound = found.parameters - found.hidden
            print(
                f"{list(widths)}, {seed}: {regions}; {found.value} of {bound}; {smooth}; "
                f"{value_seconds:.2f}, {region_seconds:.2f}, {kernel_seconds:.2f}"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
