"""Hypothesis strategies: exact numbers of every kind, networks with planted structure, and disguises of networks."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import flint
import numpy as np
import sympy as sp
from hypothesis import strategies as st

from relusym import Network

fractions = st.fractions(min_value=-4, max_value=4, max_denominator=4)
positive = st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3), Fraction(3, 2)])

ENTRY_KINDS: list[Callable[[Fraction], Any]] = [
    Fraction,
    str,
    float,
    np.float32,
    np.longdouble,
    lambda x: Decimal(x.numerator) / Decimal(x.denominator),
    lambda x: sp.Rational(x.numerator, x.denominator),
    lambda x: sp.Float(float(x)),
    lambda x: flint.fmpq(x.numerator, x.denominator),
    lambda x: f"{x.numerator * 625}/{x.denominator * 625}",
    lambda x: f"({x})*sqrt(2)*sqrt(2)/2",
    lambda x: f"root([{-x}, 1], 0)",
]
"""Functions that write a dyadic fraction as one kind of entry each."""

Rows = list[list[Any]]
Shallow = tuple[Rows, Rows, list[Any], list[Any]]
"""(M, A, b, c) as nested lists of fractions, of SymPy numbers where irrational."""

_UNITS: dict[str, Any] = {"Q": Fraction(1), "sqrt(2)": sp.sqrt(2), "cbrt(2)": sp.cbrt(2)}


def numbers(field: str = "Q", zero_often: bool = False) -> st.SearchStrategy[Any]:
    """Small numbers of Q, Q(√2) or Q(∛2)."""
    small = st.integers(-3, 3).map(Fraction) | fractions
    if zero_often:
        small = st.just(Fraction(0)) | small
    if field == "Q":
        return small
    unit = _UNITS[field]
    return st.tuples(small, st.integers(-2, 2)).map(
        lambda t: sp.Rational(t[0].numerator, t[0].denominator) + t[1] * unit
    )


@st.composite
def shallows(
    draw: st.DrawFn, m: int | None = None, k: int | None = None, max_width: int = 5, field: str = "Q"
) -> Shallow:
    """(M, A, b, c) with dead, constant, duplicate, opposite and cancelling neurons planted."""
    m = draw(st.integers(1, 3)) if m is None else m
    k = draw(st.integers(1, 2)) if k is None else k
    entry = numbers(field)
    neurons: list[tuple[list[Any], list[Any], Any]] = []
    for _ in range(draw(st.integers(0, max_width))):
        kind = draw(st.sampled_from(["free", "free", "free", "dead", "constant", "multiple", "opposite", "cancelling"]))
        column = draw(st.lists(entry, min_size=k, max_size=k))
        row = draw(st.lists(entry, min_size=m, max_size=m))
        bias = draw(entry)
        if kind == "dead":
            column = [Fraction(0)] * k
        elif kind == "constant":
            row = [Fraction(0)] * m
        elif kind != "free" and neurons:
            old_column, old_row, old_bias = draw(st.sampled_from(neurons))
            scale = draw(positive) * (-1 if kind == "opposite" else 1)
            row, bias = [scale * a for a in old_row], scale * old_bias
            if kind == "cancelling":
                column = [-value / scale for value in old_column]
        neurons.append((column, row, bias))
    c = draw(st.lists(entry, min_size=k, max_size=k))
    return (
        [[column[i] for column, _, _ in neurons] for i in range(k)],
        [r for _, r, _ in neurons],
        [b for _, _, b in neurons],
        c,
    )


def network_of(shallow: Shallow, inputs: int) -> Network:
    """Return the network of (M, A, b, c)."""
    M, A, b, c = shallow
    return Network([(A, b), (M, c)], inputs)


@st.composite
def networks(draw: st.DrawFn, max_depth: int = 2) -> Network:
    """Networks of any depth, over Q, Q(√2) or Q(∛2), some of their widths 0."""
    widths = draw(st.lists(st.integers(0, 3), min_size=0, max_size=max_depth))
    widths = [draw(st.integers(1, 3)), *widths, draw(st.integers(1, 2))]
    entry = numbers(draw(st.sampled_from(["Q", "Q", *_UNITS])))
    layers = []
    for before, after in pairwise(widths):
        rows = draw(st.lists(st.lists(entry, min_size=before, max_size=before), min_size=after, max_size=after))
        layers.append((rows, draw(st.lists(entry, min_size=after, max_size=after))))
    return Network(layers, widths[0])


def symmetric(draw: st.DrawFn, shallow: Shallow) -> Shallow:
    """Return h·θ for a drawn h of H_n."""
    M, A, b, c = shallow
    order = draw(st.permutations(range(len(A))))
    scale = [draw(positive) for _ in A]
    return (
        [[row[i] / scale[i] for i in order] for row in M],
        [[scale[i] * value for value in A[i]] for i in order],
        [scale[i] * b[i] for i in order],
        c,
    )


def split(draw: st.DrawFn, shallow: Shallow) -> Shallow:
    """Return θ with one neuron split in two on the same ray."""
    M, A, b, c = shallow
    if not A:
        return shallow
    i, part, scale = draw(st.integers(0, len(A) - 1)), draw(fractions), draw(positive)
    M = [[*row[:i], row[i] * part, *row[i + 1 :], row[i] * (1 - part) / scale] for row in M]
    return M, [*A, [scale * value for value in A[i]]], [*b, scale * b[i]], c


def padded(draw: st.DrawFn, shallow: Shallow) -> Shallow:
    """Return θ with a dead neuron, and a constant one whose value the output bias gives back."""
    M, A, b, c = shallow
    m = len(A[0]) if A else 1
    value = draw(fractions)
    M = [[Fraction(0), *row, value] for row in M]
    A = [draw(st.lists(fractions, min_size=m, max_size=m)), *A, [Fraction(0)] * m]
    bias = draw(fractions)
    return M, A, [draw(fractions), *b, bias], [entry - value * max(Fraction(0), bias) for entry in c]


def flipped(draw: st.DrawFn, shallow: Shallow) -> Shallow:
    """Return θ with one neuron flipped by σ(t) − σ(−t) = t, its linear part made of two opposite neurons."""
    M, A, b, c = shallow
    if not A:
        return shallow
    i = draw(st.integers(0, len(A) - 1))
    shift = draw(fractions)
    opposite = [-value for value in A[i]]
    column = [row[i] for row in M]
    # M σ(h) = M σ(−h) + M h, and h = σ(h + s) − σ(−h − s) − s for every s
    M = [[*row, value, -value] for row, value in zip(M, column, strict=True)]
    A = [*A[:i], opposite, *A[i + 1 :], A[i], opposite]
    b = [*b[:i], -b[i], *b[i + 1 :], b[i] + shift, -b[i] - shift]
    return M, A, b, [entry - value * shift for entry, value in zip(c, column, strict=True)]


DISGUISES = [symmetric, split, padded, flipped]


@st.composite
def equal_pairs(draw: st.DrawFn, field: str = "Q", k: int | None = None) -> tuple[Network, Network]:
    """Two networks of the same function."""
    m = draw(st.integers(1, 3))
    first = draw(shallows(m=m, k=k, field=field))
    second = first
    for disguise in draw(st.lists(st.sampled_from(DISGUISES), min_size=1, max_size=4)):
        if second[1] or disguise is not padded:
            second = disguise(draw, second)
    return network_of(first, m), network_of(second, m)
