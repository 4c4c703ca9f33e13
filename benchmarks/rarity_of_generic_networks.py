"""How rare networks with Gaussian parameters are that are generic in each of the four senses, and in all of them."""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import pairwise

from relusym import Network, genericity

ARCHITECTURES = ((2, 3, 1), (2, 6, 1), (2, 3, 3, 1), (2, 6, 6, 1), (3, 4, 4, 1), (2, 3, 3, 3, 1))


def random_network(widths: tuple[int, ...], generator: random.Random) -> Network:
    def entries(count: int) -> list[float]:
        return [generator.gauss(0, 1) for _ in range(count)]

    return Network([([entries(m) for _ in range(n)], entries(n)) for m, n in pairwise(widths)])


def main(samples: int) -> None:
    for widths in ARCHITECTURES:
        generator, held = random.Random(0), Counter[str]()
        for _ in range(samples):
            report = genericity(random_network(widths, generator))
            held.update(name for name, decision in report.conditions.items() if decision.truth)
            held["all four"] += report.generic.truth is True
        print(f"{list(widths)}: of {samples}, " + ", ".join(f"{name} {count}" for name, count in sorted(held.items())))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
