"""Speed and scale of the shallow decisions, each row against a peer in the same run.

    python -m benchmarks [--only SECTION ...] [--limit SECONDS] [--files COUNT]

prints Markdown tables. Peers: a plain program over Fractions (plain_fractions.py), z3 and cvc5 (the extra ``bench``),
and NumPy's allclose on 1,000 samples, the floor that proves nothing. Times are medians of three where a run takes less
than two seconds; "growth" is the time divided by that for half as many neurons.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import inputs
import numpy as np
import plain_fractions
import solvers

import relusym

SAMPLES = 1000


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a call gives and its time, the median of three where it is short."""
    times: list[float] = []
    while len(times) < 3 and (not times or times[0] < 2):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return result, statistics.median(times)


def network(arrays: inputs.Arrays) -> relusym.Network:
    M, A, b, c = arrays
    return relusym.Network([(A, b), (M, c)])


def allclose(f: inputs.Arrays, g: inputs.Arrays) -> bool:
    x = np.random.default_rng(0).normal(size=(SAMPLES, f[1].shape[1])).astype(f[1].dtype)
    left, right = (np.maximum(x @ A.T + b, 0) @ M.T + c for M, A, b, c in (f, g))
    return bool(np.allclose(left, right, rtol=1e-4, atol=1e-4))


def table(title: str, head: list[str], rows: list[list[str]]) -> None:
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def shown(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.3g} s" if seconds >= 0.001 else f"{seconds * 1e3:.2g} ms"


def name(mnk: tuple[int, int, int]) -> str:
    return "-".join(map(str, mnk))


def small(options: argparse.Namespace) -> None:
    """Integer weights, one output: where SMT solvers can follow."""
    rows, stopped = [], set[str]()
    for mnk in [(2, 4, 1), (3, 8, 1), (4, 12, 1), (5, 16, 1), (5, 20, 1), (8, 16, 1), (8, 20, 1), (8, 40, 1)]:
        f = inputs.small_integers(*mnk)
        g = inputs.disguised(f)
        left, right = network(f), network(g)
        answer, ours = timed(lambda pair=(left, right): relusym.equal(*pair).verdict)
        _, plain = timed(lambda pair=(f, g): plain_fractions.equal(*pair))
        row = [name(mnk), f"{answer}, {shown(ours)}", shown(plain)]
        for solver in ("z3", "cvc5"):
            verdict, used = ("limit", 0.0) if solver in stopped else solvers.seconds(solver, f, g, options.limit)
            if verdict == "limit":
                row.append("–" if solver in stopped else f"stopped after {options.limit:g} s")
                stopped.add(solver)
            else:
                row.append(f"{verdict}, {shown(used)}")
        rows.append(row)
    table("Equal pairs with integer weights", ["m-n-k", "relusym", "Fractions", "z3", "cvc5"], rows)


def floats(options: argparse.Namespace) -> None:
    """Float arrays up to 784-4096-10: equal by powers of two, and unequal by the rounding of other scales."""
    sizes = [(2, 4, 1), (64, 100, 10), (784, 512, 10), (784, 1024, 10), (784, 2048, 10), (784, 4096, 10)]
    for dtype, powers in ((np.float32, True), (np.float64, True), (np.float32, False), (np.float64, False)):
        rows: list[list[str]] = []
        previous: tuple[tuple[int, int, int], float] | None = None
        for mnk in sizes:
            f = inputs.random_floats(*mnk, dtype=dtype)
            g = inputs.disguised(f, powers=powers)
            answer, ours = timed(lambda pair=(f, g): relusym.equal(*map(network, pair)).verdict)
            same, plain = timed(lambda pair=(f, g): plain_fractions.equal(*pair))
            assert same == (answer == "equal")
            close, floor = timed(lambda pair=(f, g): allclose(*pair))
            doubled = previous is not None and previous[0] == (mnk[0], mnk[1] // 2, mnk[2])
            growth = f"{ours / previous[1]:.2f}" if doubled and previous else ""
            row = [name(mnk), answer, shown(ours), growth, shown(plain), f"{plain / ours:.0f}", shown(floor)]
            rows.append([*row, "close" if close else "not close"])
            previous = mnk, ours
        kind = "powers of two" if powers else "random numbers, rounded"
        title = f"{dtype.__name__} pairs, permuted and scaled by {kind}; from arrays to answer"
        head = ["m-n-k", "answer", "relusym", "growth", "Fractions", "times faster", "allclose", "it says"]
        table(title, head, rows)


def forms(options: argparse.Namespace) -> None:
    """Digest, ridge form and minimal form of one float32 network."""
    rows = []
    for mnk in [(784, 512, 10), (784, 1024, 10), (784, 2048, 10), (784, 4096, 10)]:
        arrays = inputs.random_floats(*mnk)
        net = network(arrays)
        single = network((arrays[0][:1], *arrays[1:3], arrays[3][:1]))
        _, digest = timed(lambda net=net: relusym.digest(net))
        _, ridge = timed(lambda net=net: relusym.ridge_form(net))
        _, minimal = timed(lambda net=single: relusym.minimal_form(net))
        _, plain = timed(lambda arrays=arrays: plain_fractions.canonical(arrays))
        rows.append([name(mnk), shown(digest), shown(ridge), shown(minimal), shown(plain)])
    head = ["m-n-k", "digest", "ridge_form", "minimal_form (one output)", "Fractions, canonical form"]
    table("Forms of one float32 network", head, rows)


def exact(options: argparse.Namespace) -> None:
    """Rational numbers of a few hundred bits, and Q(√2)."""
    rows: list[list[str]] = []
    cases: list[tuple[str, tuple[int, int, int], int]] = [
        *(("256-bit fractions", (100, n, 10), 256) for n in (500, 1000, 2000)),
        *(("Q(√2), 64-bit fractions", (20, n, 3), 64) for n in (100, 200, 400)),
    ]
    times: dict[tuple[str, int], float] = {}
    for kind, mnk, bits in cases:
        make = inputs.random_fractions if "√" not in kind else inputs.random_quadratics
        f, g = make(*mnk, bits)
        spelled = [tuple(_texts(part) for part in arrays) if "√" in kind else arrays for arrays in (f, g)]
        nets, reading = timed(lambda pair=spelled: [network(arrays) for arrays in pair])
        answer, ours = timed(lambda nets=nets: relusym.equal(*nets).verdict)
        changed = (f[0], [[f[1][0][0] * 2, *f[1][0][1:]] if "√" not in kind else _bumped(f[1][0]), *f[1][1:]], *f[2:])
        other = network(tuple(_texts(part) for part in changed) if "√" in kind else changed)
        witness, found = timed(lambda pair=(nets[1], other): relusym.equal(*pair).verdict)
        plain = None
        if "√" not in kind:
            same, plain = timed(lambda pair=(f, g): plain_fractions.equal(*pair))
            assert same
        times[kind, mnk[1]] = ours
        half = times.get((kind, mnk[1] // 2))
        growth = "" if half is None else f"{ours / half:.2f}"
        row = [kind, name(mnk), shown(reading), f"{answer}, {shown(ours)}", growth, shown(plain)]
        rows.append([*row, f"{witness}, {shown(found)}"])
    head = ["entries", "m-n-k", "reading both", "relusym", "growth", "Fractions", "one entry changed"]
    table("Exact entries, permuted and scaled", head, rows)


def _texts(part: Any) -> Any:
    return [_texts(entry) for entry in part] if isinstance(part, list) else str(part)


def _bumped(row: list[inputs.Quadratic]) -> list[inputs.Quadratic]:
    return [row[0] + inputs.Quadratic(Fraction(1), Fraction(0)), *row[1:]]


MEMORY = """
import sys
sys.path.insert(0, {folder!r})
import inputs, relusym
f = inputs.random_floats(784, 4096, 10, dtype=inputs.np.{dtype})
g = inputs.disguised(f, powers={powers})
nets = [relusym.Network([(A, b), (M, c)]) for M, A, b, c in (f, g)]
{call}
print(inputs.peak_memory() / 2**20)
"""


def memory(options: argparse.Namespace) -> None:
    """The peak of the whole process at 784-4096-10, the arrays of both networks included."""
    rows = []
    for dtype in ("float32", "float64"):
        row = [dtype]
        for call, powers in (
            ("pass", True),
            ("relusym.equal(*nets)", True),
            ("relusym.equal(*nets)", False),
            ("relusym.digest(nets[0])", True),
            ("relusym.ridge_form(nets[0])", True),
        ):
            code = MEMORY.format(folder=str(Path(__file__).parent), dtype=dtype, powers=powers, call=call)
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            row.append(f"{float(done.stdout):.0f} MB")
        rows.append(row)
    head = ["784-4096-10", "nothing but the pair", "equal", "different", "digest", "ridge_form"]
    table("Peak memory", head, rows)


def many(options: argparse.Namespace) -> None:
    """Groups of equal functions among files of 64-100-10, on one and two workers and on a Dask cluster of two."""
    from distributed import LocalCluster

    count = options.files
    with tempfile.TemporaryDirectory() as folder:
        paths, arrays = [], []
        for index in range(count):
            arrays.append(inputs.disguised(inputs.random_floats(64, 100, 10, seed=index % (count // 4)), seed=index))
            paths.append(str(Path(folder, f"{index:04}.npz")))
            relusym.save(network(arrays[-1]), paths[-1])
        rows = []
        few = arrays[: max(1, count // 20)]
        _, plain = timed(lambda: plain_fractions.group(few))
        times = count / len(few)
        rows.append([f"Fractions, {len(few)} networks in memory, times {times:g}", shown(plain * times)])
        command = [sys.executable, "-m", "relusym", "dedupe", *paths]
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            for title, extra in (
                ("one process", []),
                ("--workers 2", ["--workers", "2"]),
                ("--dask, two workers", ["--dask", cluster.scheduler_address]),
            ):
                start = time.perf_counter()
                done = subprocess.run([*command, *extra], capture_output=True, text=True, check=True)
                rows.append([f"relusym dedupe, {title}", shown(time.perf_counter() - start)])
                assert done.stdout.splitlines()[-1] == f"{count} networks, {count // 4} functions"
    table(f"Groups among {count} files of 64-100-10, from start-up to answer", ["program", "time"], rows)


def startup(options: argparse.Namespace) -> None:
    """Import and start-up, each a fresh process."""
    rows = []
    for title, arguments in (
        ("python -c pass", ["-c", "pass"]),
        ("import relusym", ["-c", "import relusym"]),
        ("relusym --version", ["-m", "relusym", "--version"]),
        ("relusym equal example:theta1 example:theta2", ["-m", "relusym", "equal", "example:theta1", "example:theta2"]),
        ("import numpy", ["-c", "import numpy"]),
        ("import sympy", ["-c", "import sympy"]),
    ):
        runs = []
        for _ in range(7):
            start = time.perf_counter()
            subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
            runs.append(time.perf_counter() - start)
        rows.append([title, shown(statistics.median(runs))])
    table("Start-up", ["process", "median of 7"], rows)


SECTIONS = {call.__name__: call for call in (small, floats, forms, exact, memory, many, startup)}


def machine() -> str:
    """Return a line on the machine, its load, and the versions."""
    packages = ("relusym", "numpy", "python-flint", "sympy", "z3-solver", "cvc5", "distributed")
    versions = []
    for package in packages:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{package} {relusym.__version__ if package == 'relusym' else 'not installed'}")
    processor = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        processor = next(line.split(": ")[1] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = f"load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{datetime.date.today()}: {processor}, {os.cpu_count()} cores, {load}; {python}; {', '.join(versions)}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    parser.add_argument("--limit", type=float, default=60, help="seconds for one question to z3 or cvc5")
    parser.add_argument("--files", type=int, default=1000, help="how many files dedupe gets")
    options = parser.parse_args()
    print(machine())
    for section in options.only:
        SECTIONS[section](options)


if __name__ == "__main__":
    main()
