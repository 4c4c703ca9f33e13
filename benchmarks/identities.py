"""Identities in Max, Min, Abs and Piecewise: proved or refuted exactly, beside what SymPy makes of them.

    python benchmarks/identities.py [--without-sympy]

Each row: the answer and its time; SymPy's simplify(left - right), left.equals(right), and simplify after
rewrite(Piecewise), each with a limit of ten seconds.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sympy import Abs, Max, Min, Piecewise, Rational, Symbol, simplify, sqrt, symbols

from relusym import prove_equal

x, y, z, w, a, b = symbols("x y z w a b", real=True)
p, q = symbols("p q")
positive = Symbol("t", positive=True)
r2 = sqrt(2)

# left, right, assumptions, whether they are equal
IDENTITIES: list[tuple[Any, Any, Any, bool]] = [
    (Max(0, x) - Max(0, -x) - x, 0, None, True),
    (Max(0, p) - Max(0, -p) - p, 0, None, True),
    (Abs(a - b) - Abs(b - a), 0, None, True),
    (Max(2 * a, 2 * b), 2 * Max(a, b), None, True),
    (Max(p, q) + Min(p, q), p + q, None, True),
    (Max(p, q) - Min(p, q), Abs(p - q), None, True),
    (Max(p, q), (p + q + Abs(p - q)) / 2, None, True),
    (Min(p, q), -Max(-p, -q), None, True),
    (Abs(x), Max(x, -x), None, True),
    (Abs(x) + x, 2 * Max(0, x), None, True),
    (Max(0, x) + Max(0, y) - Max(0, x + y), 0, None, False),
    (Abs(x + y), Abs(x) + Abs(y), None, False),
    (Abs(x + y), Abs(x) + Abs(y), (x >= 0) & (y >= 0), True),
    (Max(x + z, y + z), Max(x, y) + z, None, True),
    (Max(0, x - 1) + 1, Max(x, 1), None, True),
    (Min(Max(x, 0), 1), Max(0, x) - Max(0, x - 1), None, True),
    (Max(Min(x, 1), 0), Min(Max(x, 0), 1), None, True),
    (Abs(Abs(x) - 1), Max(x - 1, -x - 1, Min(1 - x, 1 + x)), None, True),
    (Abs(Abs(x) - 1), Abs(x) - 1, None, False),
    (Max(x, y, z) + w, Max(x + w, y + w, z + w), None, True),
    (3 * Max(x, y, z), Max(3 * x, 3 * y, 3 * z), None, True),
    (Max(0, r2 * x), r2 * Max(0, x), None, True),
    (Max(0, (3 - r2) * x), (3 - r2) * Max(0, x), None, True),
    (Max(0, (1 - r2) * x), (r2 - 1) * Max(0, -x), None, True),
    (Max(0, x - r2), Max(0, x - Rational(14142135623730950488, 10**19)), None, False),
    (Piecewise((x, x > 0), (0, True)), Max(0, x), None, True),
    (Piecewise((-x, x < 0), (x, x < 1), (2 * x - 1, True)), Abs(x) + Max(0, x - 1), None, True),
    (Piecewise((x, x >= y), (y, True)), Max(x, y), None, True),
    (Piecewise((x, (x >= y) & (x >= z)), (y, y >= z), (z, True)), Max(x, y, z), None, True),
    (Abs(positive), positive, None, True),
    (Max(0, x), x, x > 0, True),
    (Max(0, x + y - 2), 0, {x: (0, 1), y: (0, 1)}, True),
    (Max(0, x + y), x + y, {x: (0, 1), y: (0, 1)}, True),
    (Max(0, x) - Max(0, x - 1), Min(x, 1), x >= 0, True),
    (Max(0, 3 * x + 2 * y) / 6, Max(0, x / 2 + y / 3), None, True),
]


@contextmanager
def seconds(limit: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(limit)
    try:
        yield
    finally:
        signal.alarm(0)


def attempt(function: Callable[[], Any]) -> str:
    """Return SymPy's word on "is this zero?": yes, no, or what it was left with."""
    try:
        with seconds(10):
            answer = function()
    except TimeoutError:
        return "time"
    except Exception as error:
        return type(error).__name__
    if answer is False:
        return "no"
    if answer is None:
        return "None"
    return "yes" if answer is True or answer == 0 else "stuck"


def main() -> None:
    wrong = 0
    print(f"{'ours':>6} {'ms':>7}   {'simplify':>9} {'equals':>9} {'Piecewise':>9}   identity")
    for left, right, assumptions, expected in IDENTITIES:
        start = time.perf_counter()
        decision = prove_equal(left, right, assumptions)
        spent = 1000 * (time.perf_counter() - start)
        wrong += decision.truth is not expected or spent > 1000
        theirs = ["", "", ""]
        if "--without-sympy" not in sys.argv:
            difference = left - right
            theirs = [
                attempt(lambda d=difference: simplify(d)),
                attempt(lambda a=left, b=right: a.equals(b)),
                attempt(lambda d=difference: simplify(d.rewrite(Piecewise)) if d != 0 else d),
            ]
        under = "" if assumptions is None else f"   where {assumptions}"
        columns = " ".join(f"{word:>9}" for word in theirs)
        print(f"{decision.truth!s:>6} {spent:7.1f}   {columns}   {left} = {right}{under}")
    print(f"{len(IDENTITIES)} identities, {wrong} answered wrongly or after more than a second")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
