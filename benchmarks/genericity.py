"""Genericity and fibres of trained and generated networks: answers, times, and the check of every certificate.

    python benchmarks/genericity.py [digits planted wide grid large narrow]

Each line gives the question, the answer, the seconds that it took, and the seconds of the check that stands alone.
"""

from __future__ import annotations

import resource
import sys
import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from relusym import Network, fibre, is_generic
from relusym.decision.certificates import verification
from relusym.verdict import Decision


def timed(question: Callable[[], Any]) -> tuple[Any, float]:
    """Return an answer and the seconds that it took."""
    start = time.perf_counter()
    return question(), time.perf_counter() - start


def generic(name: str, f: Network, open_set: str = "U") -> Decision:
    """Decide, check and print."""
    decision, seconds = timed(lambda: is_generic(f, open_set=open_set))
    line = f"{name}, {open_set}: {decision.truth} in {seconds:.1f} s: {decision.reason}"
    if decision.certificate is not None:
        (ok, reason), checking = timed(lambda: verification(decision.certificate or {}, f))
        line += f"; {'accepted' if ok else 'REFUSED'} in {checking:.1f} s" + ("" if ok else f": {reason}")
    print(line, flush=True)
    return decision


def trained() -> tuple[Any, ...]:
    """Return the parameters of a 64-100-10 network trained on scikit-learn's digits."""
    from sklearn.datasets import load_digits
    from sklearn.neural_network import MLPClassifier

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MLPClassifier((100,), max_iter=30, random_state=0).fit(*load_digits(return_X_y=True))
    return model.coefs_[0].T, model.intercepts_[0], model.coefs_[1].T, model.intercepts_[1]


def digits() -> None:
    """Ask about the first output of a trained network, and about all ten."""
    A, b, M, c = trained()
    f = Network([(A, b), (M[:1], c[:1])])
    generic("digits 64-100-1 (float64)", f)
    generic("digits 64-100-1 (float64)", f, "sharp")
    generic("digits 64-100-10 (float64)", Network([(A, b), (M, c)]))


def planted() -> None:
    """Ask about the same network with a relation among seven rows: the last of them is a sum of the others."""
    A, b, M, c = trained()
    members = (4, 17, 23, 42, 58, 71, 96)
    rows = [list(map(Fraction, row)) for row in A.tolist()]
    weights = list(map(Fraction, M[0].tolist()))
    last = members[-1]
    rows[last] = [-sum(weights[i] * rows[i][j] for i in members[:-1]) / weights[last] for j in range(64)]
    f = Network.shallow(weights, rows, b, float(c[0]))
    for open_set in ("U", "sharp"):
        decision = generic("digits with a planted relation", f, open_set)
        assert decision.truth is False
        assert decision.witness.neurons == members  # type: ignore[attr-defined]


def wide() -> None:
    """Ask about random float32 weights with more inputs than neurons."""
    random = np.random.default_rng(0)
    A, v = (random.standard_normal(shape, dtype=np.float32) for shape in ((512, 784), (1, 512)))
    f = Network([(A, random.standard_normal(512, dtype=np.float32)), (v, np.zeros(1, np.float32))])
    generic("784-512-1 (float32)", f)


def grid() -> None:
    """List all flip sets of networks with integer weights in −9..9."""
    for seed in range(3):
        random = np.random.default_rng(seed)
        while True:
            A, b, v = (random.integers(-9, 10, shape) for shape in ((24, 2), 24, 24))
            f = Network.shallow(v.tolist(), A.tolist(), b.tolist(), 0)
            found = fibre(f)
            if found.obstacle is None:
                break
        count, counting = timed(lambda found=found: found.count)
        flips, listing = timed(lambda found=found: found.flips)
        assert len(flips) == count
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"2-24-1, seed {seed}: {count} flip sets, counted in {counting:.2f} s, listed in {listing:.2f} s; "
            f"at most {peak:.2f} GiB",
            flush=True,
        )


def large() -> None:
    """Ask about 200 neurons with 24-bit weights."""
    random = np.random.default_rng(0)
    A, v = (random.integers(-(2**23), 2**23, shape) for shape in ((200, 100), 200))
    generic("100-200-1 (24 bits)", Network.shallow(v.tolist(), A.tolist(), list(range(200)), 0))


def narrow() -> None:
    """Ask about 40 neurons with two inputs and 10-bit weights: far more sums than values."""
    random = np.random.default_rng(0)
    A, v = random.integers(-(2**9), 2**9, (40, 2)), [1] * 40
    for name, weights in (("unit output weights", v), ("10-bit output weights", random.integers(1, 2**9, 40).tolist())):
        f = Network.shallow(weights, A.tolist(), list(range(1, 41)), 0)
        for open_set in ("U", "sharp"):
            generic(f"2-40-1 (10 bits, {name})", f, open_set)


if __name__ == "__main__":
    parts = {part.__name__: part for part in (digits, planted, wide, grid, large, narrow)}
    for chosen in sys.argv[1:] or parts:
        parts[chosen]()
