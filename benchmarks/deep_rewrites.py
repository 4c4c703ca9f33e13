"""Deep networks against rewritten copies of themselves: equal, aligned, compressed; times, memory, tables.

    python benchmarks/deep_rewrites.py acas         ACAS Xu 1_1 rewritten; one bias moved by 10^-30; .nnet and .onnx
    python benchmarks/deep_rewrites.py classifier   784-256-256-10 random float32, permuted and scaled by powers of two
    python benchmarks/deep_rewrites.py compress [FILES]    neurons before and after, by layer and reason

Every "equal" and "different" has its certificate checked. Files are those of tests/data where none are named; the
.onnx parts need the extra ``onnx``.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq

from relusym import Network, check, equal, load
from relusym.decision.alignment import alignment
from relusym.decision.compression import compression
from relusym.exact.matrix import column_of, rows_of

DATA = Path(__file__).parent.parent / "tests" / "data"
ACAS = DATA / "NeuralNetworkVerification+Marabou" / "ACASXU_experimental_v2a_1_1"
FILES = (
    "sisl+NeuralVerification.jl/spiky_nnet.nnet",
    "sisl+NeuralVerification.jl/small_nnet.nnet",
    "NeuralNetworkVerification+Marabou/fc1.onnx",
    "NeuralNetworkVerification+Marabou/twin_ladder-5_inp-2_layers-5_width-1_margin.nnet",
    "sisl+NNet/TestNetwork2.nnet",
)


def timed(label: str, action: Callable[[], Any]) -> Any:
    """Run, print the time, return the result."""
    start = time.perf_counter()
    result = action()
    print(f"{label}: {getattr(result, 'verdict', result)} in {time.perf_counter() - start:.2f} s")
    return result


def decided(label: str, f: Network, g: Network) -> None:
    """Decide and check; print both times."""
    decision = timed(label, lambda: equal(f, g))
    if decision.certificate is not None:
        timed("    certificate checked", lambda: check(decision.certificate, f, g))
    print(f"    {decision.reason}")


def layers_of(network: Network) -> list[Any]:
    """Return [rows, biases] of every layer."""
    return [[[*map(list, rows_of(layer.weight))], list(column_of(layer.bias))] for layer in network.layers]


def _append(layers: list[Any], depth: int, row: list[Any], bias: Any, column: list[Any]) -> None:
    layers[depth][0].append(row)
    layers[depth][1].append(bias)
    for line, value in zip(layers[depth + 1][0], column, strict=True):
        line.append(value)


def rewritten(network: Network, seed: int, *, splits: int, dead: int, sides: int) -> Network:
    """Split neurons, add dead ones and pairs that write h as σ(h) − σ(−h), then permute and rescale every layer."""
    draw = random.Random(seed)
    layers = layers_of(network)
    for depth in range(network.depth):
        rows, biases = layers[depth]
        following = layers[depth + 1][0]
        append = partial(_append, layers, depth)
        for _ in range(splits):
            place, share = draw.randrange(len(rows)), fmpq(draw.randint(-5, 5), draw.randint(2, 7))
            column = [line[place] * share for line in following]
            for line, value in zip(following, column, strict=True):
                line[place] -= value
            append(list(rows[place]), biases[place], column)
        for _ in range(dead):
            append([fmpq(draw.randint(-9, 9), 5) for _ in rows[0]], fmpq(1), [fmpq(0)] * len(following))
        for _ in range(sides):
            place = draw.randrange(len(rows))
            column = [line[place] for line in following]  # c σ(h) = c σ(−h) + c (2 σ(h/2) − σ(−h)), the old one gone
            for line in following:
                line[place] = fmpq(0)
            down = [-value for value in rows[place]]
            append(down, -biases[place], column)
            append([value / 2 for value in rows[place]], biases[place] / 2, [2 * value for value in column])
            append([2 * value for value in down], -2 * biases[place], [-value / 2 for value in column])
        order = draw.sample(range(len(rows)), len(rows))
        scales = [fmpq(draw.randint(1, 9), draw.randint(1, 9)) for _ in rows]
        layers[depth] = [[[scales[i] * w for w in rows[i]] for i in order], [scales[i] * biases[i] for i in order]]
        layers[depth + 1][0] = [[line[i] / scales[i] for i in order] for line in following]
    return Network([tuple(layer) for layer in layers])


def acas() -> None:
    """ACAS Xu 1_1 against rewritten, perturbed and differently read copies."""
    f = load(ACAS.with_suffix(".nnet"), numbers="float32")
    g = rewritten(f, 1, splits=3, dead=2, sides=0)
    print(f"{f!r} and {g!r}")
    decided("permuted, rescaled, split, with dead neurons", f, g)
    h = rewritten(f, 2, splits=3, dead=2, sides=3)
    decided("and neurons written by their opposites", f, h)
    layers = layers_of(g)
    layers[2][1][7] += fmpq(1, 10**30)
    decided("one bias moved by 10^-30", f, Network([tuple(layer) for layer in layers]))
    decided(".nnet as float32 and .nnet as decimals", f, load(ACAS.with_suffix(".nnet")))
    onnx = load(ACAS.with_suffix(".onnx"))
    decided(".nnet as float32 and .onnx", f, onnx)
    decided(".nnet as decimals and .onnx", load(ACAS.with_suffix(".nnet")), onnx)


def classifier() -> None:
    """Random float32 weights of a classifier, permuted and scaled by powers of two."""
    draw = np.random.default_rng(0)
    widths = (784, 256, 256, 10)
    layers = [
        ((draw.normal(size=(b, a)) / 16).astype(np.float32), draw.normal(size=b).astype(np.float32))
        for a, b in pairwise(widths)
    ]
    f = Network(layers)
    for depth in range(2):
        order = draw.permutation(256)
        scale = (2.0 ** draw.integers(-5, 6, size=256)).astype(np.float32)
        weight, bias = layers[depth]
        layers[depth] = ((weight * scale[:, None])[order], (bias * scale)[order])
        weight, bias = layers[depth + 1]
        layers[depth + 1] = ((weight / scale)[:, order], bias)
    g = Network(layers)
    decided(f"{f!r}, permuted and scaled by powers of two", f, g)
    found = timed("aligned", lambda: alignment(f, g))
    print(found.explain())
    timed("    certificate checked", lambda: check(found.certificate, f, g))
    weight = layers[1][0].copy()
    weight[3, 5] = np.nextafter(weight[3, 5], np.float32(9))
    layers[1] = (weight, layers[1][1])
    decided("one weight moved to the next float", f, Network(layers))
    timed("aligned", lambda: alignment(f, Network(layers)))


def compress(files: list[str]) -> None:
    """Print neurons before and after."""
    for name in files or [str(DATA / name) for name in FILES]:
        f = load(name)
        start = time.perf_counter()
        found = compression(f)
        seconds = time.perf_counter() - start
        checked = check(found.decision.certificate, f, found.network)
        print(f"{Path(name).name}: {f!r} -> {found.network!r} in {seconds:.2f} s, proof checked: {checked}")
        print(found.table())


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["acas"]:
            acas()
        case ["classifier"]:
            classifier()
        case ["compress", *names]:
            compress(names)
        case _:
            sys.exit(__doc__)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")
