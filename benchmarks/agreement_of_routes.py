"""Do the two routes to equality agree? Ridge forms (``equal``) against Theorems 3 and 4 by the letter (``equivalent``).

    python benchmarks/agreement_of_routes.py [PAIRS] [SEED]

Random pairs of shallow networks, k from 1 to 3 outputs, m from 1 to 4 inputs, up to 8 neurons, over small integers,
rationals and Q(√2): disguised copies, nearly equal copies (one parameter of the copy moved), and independent pairs. In
every pair each "equal" has its certificate checked, each "different" has its witness replayed with fractions (over
Q(√2): with pairs of them) by an evaluator of its own. Prints a table and ends with status 1 on any disagreement.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from fractions import Fraction
from typing import Any

from relusym import Network, check, equal, equivalent


class Surd:
    """a + b√2 with its own arithmetic and sign: independent of the field code that is tested."""

    def __init__(self, a: Fraction | int, b: Fraction | int = 0) -> None:
        self.a, self.b = Fraction(a), Fraction(b)

    def __add__(self, other: Surd) -> Surd:
        return Surd(self.a + other.a, self.b + other.b)

    def __mul__(self, other: Surd) -> Surd:
        return Surd(self.a * other.a + 2 * self.b * other.b, self.a * other.b + self.b * other.a)

    def __neg__(self) -> Surd:
        return Surd(-self.a, -self.b)

    def __truediv__(self, other: Surd) -> Surd:
        norm = other.a**2 - 2 * other.b**2
        return self * Surd(other.a / norm, -other.b / norm)

    def positive(self) -> bool:
        """Compare a with −b√2 by squares."""
        if self.a >= 0 and self.b >= 0:
            return self.a > 0 or self.b > 0
        if self.a <= 0 and self.b <= 0:
            return False
        return (self.a**2 > 2 * self.b**2) == (self.a > 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Surd) and (self.a, self.b) == (other.a, other.b)

    __hash__ = None  # type: ignore[assignment]

    def text(self) -> str:
        return f"{self.a} + ({self.b})*sqrt(2)"


Theta = tuple[list[list[Surd]], list[list[Surd]], list[Surd], list[Surd]]
ZERO, ONE = Surd(0), Surd(1)


class Draw:
    """Random networks over one of the three kinds of numbers."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kind = "integers"

    def number(self) -> Surd:
        draw = self.random
        if self.kind == "integers":
            return Surd(draw.randint(-3, 3))
        if self.kind == "rationals":
            return Surd(Fraction(draw.randint(-4, 4), draw.randint(1, 4)))
        return Surd(draw.randint(-2, 2), draw.choice([0, 0, 1, -1, Fraction(1, 2)]))

    def positive(self) -> Surd:
        while True:
            value = self.number()
            if value.positive():
                return value

    def vector(self, length: int) -> list[Surd]:
        return [self.number() for _ in range(length)]

    def theta(self, m: int, n: int, k: int) -> Theta:
        """Return a network; some rows are multiples, of either sign, of earlier rows, some are zero."""
        columns: list[list[Surd]] = []
        rows: list[list[Surd]] = []
        for _ in range(n):
            choice = self.random.random()
            row, column = self.vector(m + 1), self.vector(k)
            if rows and choice < 0.3:
                scale = self.positive() if choice < 0.15 else -self.positive()
                old = self.random.randrange(len(rows))
                row = [scale * value for value in rows[old]]
                if choice < 0.05 or 0.25 < choice:
                    column = [-value / scale for value in columns[old]]
            elif choice < 0.36:
                row[:m] = [ZERO] * m
            elif choice < 0.4:
                column = [ZERO] * k
            rows.append(row)
            columns.append(column)
        return transposed(columns, k), [row[:m] for row in rows], [row[m] for row in rows], self.vector(k)

    def disguised(self, theta: Theta, most: int) -> Theta:
        """Return another parameter of the same function, of at most ``most`` neurons."""
        for move in self.random.choices([self.moved, self.split, self.padded, self.turned], k=3):
            theta = move(theta, most)
        return self.moved(theta, most)

    def moved(self, theta: Theta, most: int) -> Theta:
        M, A, b, c = theta
        order = self.random.sample(range(len(A)), len(A))
        scale = [self.positive() for _ in A]
        return (
            [[row[i] / scale[i] for i in order] for row in M],
            [[scale[i] * value for value in A[i]] for i in order],
            [scale[i] * b[i] for i in order],
            c,
        )

    def split(self, theta: Theta, most: int) -> Theta:
        M, A, b, c = theta
        if len(A) >= most or not A:
            return theta
        i, part, scale = self.random.randrange(len(A)), self.number(), self.positive()
        rest = (ONE + -part) / scale
        M = [[*row[:i], row[i] * part, *row[i + 1 :], row[i] * rest] for row in M]
        return M, [*A, [scale * value for value in A[i]]], [*b, scale * b[i]], c

    def padded(self, theta: Theta, most: int) -> Theta:
        M, A, b, c = theta
        if len(A) >= most or not A:
            return theta
        if self.random.random() < 0.5:
            return [[*row, ZERO] for row in M], [*A, self.vector(len(A[0]))], [*b, self.number()], c
        bias, column = self.number(), self.vector(len(M))
        active = bias if bias.positive() else ZERO
        M = [[*row, value] for row, value in zip(M, column, strict=True)]
        c = [old + -(value * active) for old, value in zip(c, column, strict=True)]
        return M, [*A, [ZERO] * len(A[0])], [*b, bias], c

    def turned(self, theta: Theta, most: int) -> Theta:
        """Flip one neuron: M σ(h) = M σ(−h) + M σ(h + s) − M σ(−h − s) − M s."""
        M, A, b, c = theta
        if len(A) + 2 > most or not A:
            return theta
        i, shift = self.random.randrange(len(A)), self.number()
        opposite, column = [-value for value in A[i]], [row[i] for row in M]
        M = [[*row, value, -value] for row, value in zip(M, column, strict=True)]
        b = [*b[:i], -b[i], *b[i + 1 :], b[i] + shift, -(b[i] + shift)]
        A = [*A[:i], opposite, *A[i + 1 :], A[i], opposite]
        return M, A, b, [old + -(value * shift) for old, value in zip(c, column, strict=True)]

    def nudged(self, theta: Theta) -> Theta:
        """Return the parameter with one entry moved."""
        M, A, b, c = theta
        step = self.random.choice([ONE, Surd(Fraction(1, 7)), Surd(Fraction(1, 10**9))])
        places = [(c, i) for i in range(len(c))] + [(b, i) for i in range(len(b))]
        places += [(row, i) for rows in (M, A) for row in rows for i in range(len(row))]
        part, index = self.random.choice(places)
        old = part[index]
        part[index] = old + step
        nudged: Theta = ([[*row] for row in M], [[*row] for row in A], [*b], [*c])
        part[index] = old
        return nudged


def transposed(columns: list[list[Surd]], k: int) -> list[list[Surd]]:
    return [[column[i] for column in columns] for i in range(k)]


def network(theta: Theta, m: int) -> Network:
    M, A, b, c = theta
    rows = [[[value.text() for value in row] for row in part] for part in (A, M)]
    return Network([(rows[0], [v.text() for v in b]), (rows[1], [v.text() for v in c])], m)


def value_at(theta: Theta, x: list[Surd]) -> list[Surd]:
    M, A, b, c = theta
    hidden = []
    for row, bias in zip(A, b, strict=True):
        total = bias
        for a, t in zip(row, x, strict=True):
            total = total + a * t
        hidden.append(total if total.positive() else ZERO)
    outputs = []
    for row, start in zip(M, c, strict=True):
        total = start
        for a, t in zip(row, hidden, strict=True):
            total = total + a * t
        outputs.append(total)
    return outputs


def surd(number: Any) -> Surd:
    """Read a rational SymPy number."""
    return Surd(Fraction(int(number.p), int(number.q)))


def judged(first: Theta, second: Theta, m: int) -> tuple[str, str]:
    """Return the verdict and what is wrong with it ("" where nothing is)."""
    f, g = network(first, m), network(second, m)
    decision = equal(f, g)
    if decision.truth is not equivalent(f, g):
        return decision.verdict, "the routes disagree"
    if decision.truth:
        return decision.verdict, "" if check(decision.certificate, f, g) else "the certificate does not check"
    x = [surd(value) for value in decision.counterexample.x]
    if all(a == b for a, b in zip(value_at(first, x), value_at(second, x), strict=True)):
        return decision.verdict, "the witness does not separate"
    return decision.verdict, "" if check(decision.certificate, f, g) else "the certificate does not check"


def main(pairs: int, seed: int) -> int:
    draw, counts, wrong, start = Draw(seed), Counter[tuple[str, str, str]](), 0, time.perf_counter()
    for number in range(pairs):
        draw.kind = ("integers", "rationals", "sqrt(2)")[number % 3]
        how = draw.random.choice(["disguised", "nearly equal", "independent"])
        m, n, k = draw.random.randint(1, 4), draw.random.randint(1, 8), draw.random.randint(1, 3)
        first = draw.theta(m, n, k)
        second = draw.theta(m, draw.random.randint(1, 8), k) if how == "independent" else draw.disguised(first, 8)
        if how == "nearly equal":
            second = draw.nudged(second)
        verdict, fault = judged(first, second, m)
        if how == "disguised" and verdict != "equal":
            fault = fault or "a disguised copy is called different"
        counts[draw.kind, how, verdict] += 1
        if fault:
            wrong += 1
            print(f"pair {number} (seed {seed}): {fault}")
    for (kind, how, verdict), count in sorted(counts.items()):
        print(f"{kind:10} {how:13} {verdict:10} {count:7}")
    print(f"{pairs} pairs, {wrong} faults, {time.perf_counter() - start:.1f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*(numbers + [10_000, 20260501][len(numbers) :])))
