"""Networks to measure on: random ones, and disguises of them that are equal, or nearly."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np

Arrays = tuple[Any, Any, Any, Any]
"""(M, A, b, c)."""


def random_floats(m: int, n: int, k: int, dtype: Any = np.float32, seed: int = 1) -> Arrays:
    draw = np.random.default_rng(seed)
    M, A, b, c = (draw.normal(size=size) for size in ((k, n), (n, m), n, k))
    return (M / n**0.5).astype(dtype), (A / m**0.5).astype(dtype), b.astype(dtype), c.astype(dtype)


def small_integers(m: int, n: int, k: int, seed: int = 1) -> Arrays:
    """Integers from −9 to 9 held as float32: short numbers, kind to every solver."""
    draw = np.random.default_rng(seed)
    M, A, b, c = (draw.integers(-9, 10, size=size).astype(np.float32) for size in ((k, n), (n, m), n, k))
    M[M == 0] = 1
    return M, A, b, c


def disguised(network: Arrays, *, powers: bool = True, seed: int = 2) -> Arrays:
    """Permute the neurons, and scale each: by a power of two, or by a random number, which rounding makes unequal."""
    M, A, b, c = network
    draw = np.random.default_rng(seed)
    order = draw.permutation(len(b))
    scale = 2.0 ** draw.integers(-8, 9, size=len(b)) if powers else draw.uniform(0.5, 2, size=len(b))
    scale = scale.astype(b.dtype)
    return (M / scale)[:, order], (A * scale[:, None])[order], (b * scale)[order], c


def random_fractions(m: int, n: int, k: int, bits: int, seed: int = 1) -> tuple[Arrays, Arrays]:
    """A network of random fractions, numerators and denominators of ``bits`` bits, and an equal one."""
    draw = random.Random(seed)

    def fraction() -> Fraction:
        return Fraction(draw.getrandbits(bits) - (1 << bits - 1), draw.getrandbits(bits) + 1)

    A = [[fraction() for _ in range(m)] for _ in range(n)]
    M = [[fraction() for _ in range(n)] for _ in range(k)]
    b, c = [fraction() for _ in range(n)], [fraction() for _ in range(k)]
    order = list(range(n))
    draw.shuffle(order)
    scale = [Fraction(draw.randint(1, 99), draw.randint(1, 99)) for _ in range(n)]
    other = (
        [[row[i] / scale[i] for i in order] for row in M],
        [[x * scale[i] for x in A[i]] for i in order],
        [b[i] * scale[i] for i in order],
        c,
    )
    return (M, A, b, c), other


class Quadratic:
    """a + b√2 with Fractions: what a plain program over Q(√2) computes with."""

    __slots__ = ("a", "b")

    def __init__(self, a: Fraction, b: Fraction) -> None:
        self.a, self.b = a, b

    def __add__(self, other: Quadratic) -> Quadratic:
        return Quadratic(self.a + other.a, self.b + other.b)

    def __mul__(self, other: Quadratic) -> Quadratic:
        return Quadratic(self.a * other.a + 2 * self.b * other.b, self.a * other.b + self.b * other.a)

    def __truediv__(self, other: Quadratic) -> Quadratic:
        norm = other.a * other.a - 2 * other.b * other.b
        return self * Quadratic(other.a / norm, -other.b / norm)

    def __neg__(self) -> Quadratic:
        return Quadratic(-self.a, -self.b)

    def __bool__(self) -> bool:
        return bool(self.a or self.b)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quadratic) and (self.a, self.b) == (other.a, other.b)

    def __hash__(self) -> int:
        return hash((self.a, self.b))

    def positive(self) -> bool:
        if self.a >= 0 and self.b >= 0:
            return bool(self)
        if self.a <= 0 and self.b <= 0:
            return False
        return (self.a * self.a > 2 * self.b * self.b) == (self.a > 0)

    def __str__(self) -> str:
        return f"{self.a} + {self.b}*sqrt(2)"


def random_quadratics(m: int, n: int, k: int, bits: int, seed: int = 1) -> tuple[Arrays, Arrays]:
    """A network over Q(√2), and an equal one: permuted, each neuron scaled by a positive number of the field."""
    draw = random.Random(seed)

    def number() -> Quadratic:
        return Quadratic(
            *(Fraction(draw.getrandbits(bits) - (1 << bits - 1), draw.getrandbits(bits) + 1) for _ in "ab")
        )

    A = [[number() for _ in range(m)] for _ in range(n)]
    M = [[number() for _ in range(n)] for _ in range(k)]
    b, c = [number() for _ in range(n)], [number() for _ in range(k)]
    order = list(range(n))
    draw.shuffle(order)
    scale = [x if x.positive() else -x for x in (number() for _ in range(n))]
    other = (
        [[row[i] / scale[i] for i in order] for row in M],
        [[x * scale[i] for x in A[i]] for i in order],
        [b[i] * scale[i] for i in order],
        c,
    )
    return (M, A, b, c), other


def peak_memory() -> int:
    """Return the most bytes that this process has held; getrusage would count what the parent held before exec."""
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024
