"""How far apart are two public networks that should be the same? Exact differences, or exact bounds, with times.

    python benchmarks/how_far.py [SECONDS]

The twin ladder with ten rungs as .nnet decimals against its float64 .onnx (needs the extra ``onnx``); ACAS Xu 1_1 with
its weights as decimals against float32, on boxes of growing size around one point, within some seconds each (60).
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

from relusym import Limits, Network, equal, load, max_difference

DATA = Path(__file__).parent.parent / "tests" / "data"
TWIN = "twin_ladder-10_inp-2_layers-10_width-1e-2_margin"
ACAS = DATA / "NeuralNetworkVerification+Marabou" / "ACASXU_experimental_v2a_1_1.nnet"
CENTER = [Fraction(value) for value in ("0.1", "-0.2", "0.3", "0.45", "-0.4")]


def told(name: str, f: Network, g: Network, box: list[tuple[Any, Any]], seconds: float) -> None:
    """Print the verdict on the box and the greatest difference there."""
    start = time.perf_counter()
    verdict = equal(f, g, domain=box).verdict
    middle = time.perf_counter()
    found = max_difference(f, g, box, limits=Limits(seconds=seconds))
    end = time.perf_counter()
    if found.value is not None:
        digits = len(str(found.value))
        what = f"exactly {found.value if digits < 60 else f'a fraction of {digits} digits'}, {float(found.value):.12g}"
    else:
        upper = "?" if found.upper is None else f"{float(found.upper):.12g}"
        what = f"between {float(found.lower):.12g} and {upper}"
    print(f"{name}: {verdict} in {middle - start:.2f} s; {what}; {found.cells} cells, {end - middle:.2f} s", flush=True)


def main(seconds: float = 60) -> None:
    """Compare all pairs."""
    decimal = load(DATA / "NeuralNetworkVerification+Marabou" / f"{TWIN}.nnet")
    binary = load(DATA / "dlshriver+dnnv-benchmarks" / f"{TWIN}.onnx")
    told(f"twin ladder, on [0, 1]^{decimal.widths[0]}", decimal, binary, [(0, 1)] * decimal.widths[0], seconds)
    f, g = load(ACAS), load(ACAS, numbers="float32")
    for radius in (Fraction(1, 10**5), Fraction(1, 1000), Fraction(1, 100), Fraction(1, 50), Fraction(1, 20)):
        box = [(value - radius, value + radius) for value in CENTER]
        told(f"ACAS Xu 1_1, decimal and float32, radius {radius}", f, g, box, seconds)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
