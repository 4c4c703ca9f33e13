"""The other exact peers: SMT solvers, asked for a point where two networks differ.

Run as a program, ``python benchmarks/solvers.py z3|cvc5 PAIR.npz`` prints the answer; the benchmark
does so in a process of its own, which it stops at the time limit.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np


def ask_z3(f: list[Any], g: list[Any]) -> str:
    import z3

    x = [z3.Real(f"x{j}") for j in range(f[1].shape[1])]

    def number(value: Any) -> Any:
        return z3.Q(*Fraction(float(value)).as_integer_ratio())

    def affine(weights: Any, values: list[Any], constant: Any) -> Any:
        return z3.Sum([number(w) * v for w, v in zip(weights, values, strict=True)]) + number(constant)

    def outputs(M: Any, A: Any, b: Any, c: Any) -> list[Any]:
        sums = [affine(row, x, s) for row, s in zip(A, b, strict=True)]
        hidden = [z3.If(s > 0, s, 0) for s in sums]
        return [affine(row, hidden, s) for row, s in zip(M, c, strict=True)]

    solver = z3.SolverFor("QF_LRA")
    solver.add(z3.Or([p != q for p, q in zip(outputs(*f), outputs(*g), strict=True)]))
    return {"unsat": "equal", "sat": "different"}.get(str(solver.check()), "unknown")


def ask_cvc5(f: list[Any], g: list[Any]) -> str:
    import cvc5
    from cvc5 import Kind

    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setLogic("QF_LRA")
    x = [terms.mkConst(terms.getRealSort(), f"x{j}") for j in range(f[1].shape[1])]
    zero = terms.mkReal(0)

    def number(value: Any) -> Any:
        return terms.mkReal(*Fraction(float(value)).as_integer_ratio())

    def affine(weights: Any, values: list[Any], constant: Any) -> Any:
        products = [terms.mkTerm(Kind.MULT, number(w), v) for w, v in zip(weights, values, strict=True)]
        return terms.mkTerm(Kind.ADD, *products, number(constant))

    def outputs(M: Any, A: Any, b: Any, c: Any) -> list[Any]:
        sums = [affine(row, x, s) for row, s in zip(A, b, strict=True)]
        hidden = [terms.mkTerm(Kind.ITE, terms.mkTerm(Kind.GT, s, zero), s, zero) for s in sums]
        return [affine(row, hidden, s) for row, s in zip(M, c, strict=True)]

    pairs = zip(outputs(*f), outputs(*g), strict=True)
    unequal = [terms.mkTerm(Kind.DISTINCT, p, q) for p, q in pairs]
    solver.assertFormula(unequal[0] if len(unequal) == 1 else terms.mkTerm(Kind.OR, *unequal))
    result = solver.checkSat()
    return "equal" if result.isUnsat() else "different" if result.isSat() else "unknown"


def seconds(solver: str, f: Any, g: Any, limit: float) -> tuple[str, float]:
    """Return the answer of a solver and its time without start-up; ("limit", limit) where it is stopped."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pair.npz")
        np.savez(path, *f, *g)
        command = [sys.executable, __file__, solver, str(path)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit + 5, check=True)
        except subprocess.TimeoutExpired:
            return "limit", limit
    answer, time_used = done.stdout.split()
    return (answer, float(time_used)) if float(time_used) <= limit else ("limit", limit)


def main() -> None:
    name, path = sys.argv[1:]
    with np.load(path) as arrays:
        values = [arrays[key] for key in sorted(arrays)]
    ask = {"z3": ask_z3, "cvc5": ask_cvc5}[name]
    __import__(name)
    start = time.perf_counter()
    answer = ask(values[:4], values[4:])
    print(answer, time.perf_counter() - start)


if __name__ == "__main__":
    main()
