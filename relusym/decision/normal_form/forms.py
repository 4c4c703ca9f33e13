"""Affine forms in signals, sparse; and substitution, the one operation that rewriting is made of.

A signal is what a form can be a combination of: an input coordinate, or a unit seen from one of its two sides, σ(h)
and σ(−h). Numbers name them: 0, …, m−1 the inputs, m + 2k the positive and m + 2k + 1 the negative side of unit k, and
−1 the constant 1. Signals of negative sides are redundant, σ(−h) = σ(h) − h; they are kept as long as that shows more
(both sides are non-negative), and rewritten where forms are compared.

Substitution goes entry by entry where most replacements are single terms, as after a permutation and rescaling; where
they are long, and the field is Q, it is one product of FLINT matrices.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

from flint import fmpq, fmpq_mat

from relusym.exact.field import Field

Form: TypeAlias = dict[int, Any]
"""Signal → coefficient, without zeros; :data:`CONSTANT` names the constant part."""

CONSTANT = -1

_LONG = 4
_PROBES = 4
_WORTH_A_MATRIX = 20_000


def scaled(form: Form, factor: Any) -> Form:
    """Return a multiple of a form by a number that is not 0.

    Examples
    --------
    >>> scaled({0: fmpq(2), CONSTANT: fmpq(1)}, fmpq(1, 2))
    {0: 1, -1: 1/2}
    """
    return {signal: value * factor for signal, value in form.items()}


def add_to(form: Form, other: Form, factor: Any) -> None:
    """Add a multiple of ``other`` to ``form`` in place; zeros may be left."""
    for signal, value in other.items():
        known = form.get(signal)
        form[signal] = factor * value if known is None else known + factor * value


def trimmed(form: Form) -> Form:
    """Return the form without zeros."""
    return {signal: value for signal, value in form.items() if value}


def multiple(form: Form, base: Form) -> Any | None:
    """Return t with form = t·base, or None where there is none; ``base`` is not 0.

    Examples
    --------
    >>> multiple({0: fmpq(-2), 3: fmpq(1)}, {0: fmpq(4), 3: fmpq(-2)})
    -1/2
    """
    if len(form) != len(base):
        return None
    pivot = next(iter(base))
    if pivot not in form:
        return None
    factor = form[pivot] / base[pivot]
    for signal, value in base.items():
        other = form.get(signal)
        if other is None or other != factor * value:
            return None
    return factor


def probe(form: Form, field: Field) -> Hashable:
    """Return a name of a form that all its multiples share, and few other forms; the form is not 0.

    Examples
    --------
    >>> from relusym.exact.field import QQ
    >>> probe({0: fmpq(2), 3: fmpq(4)}, QQ) == probe({3: fmpq(-2), 0: fmpq(-1)}, QQ)
    True
    """
    signals = sorted(form)
    lead = form[signals[-1]]
    looked_at = signals[:: max(1, len(signals) // _PROBES)]
    return tuple(signals), tuple(field.key(form[signal] / lead) for signal in looked_at)


def substitute(forms: Sequence[Form], replacements: Mapping[int, Form]) -> list[Form]:
    """Return forms in which every signal that ``replacements`` names is replaced by its form.

    Signals that are not named stay. Replacements are not rewritten themselves.

    Examples
    --------
    >>> substitute([{0: fmpq(2), 1: fmpq(1)}], {0: {5: fmpq(1), CONSTANT: fmpq(3)}})
    [{5: 2, -1: 6, 1: 1}]
    """
    long = {name: form for name, form in replacements.items() if len(form) >= _LONG}
    work = sum(len(long[name]) for form in forms for name in form.keys() & long.keys()) if long else 0
    product = work > _WORTH_A_MATRIX and _rational(forms) and _rational(long.values())
    results: list[Form] = []
    for form in forms:
        result: Form = {}
        for signal, factor in form.items():
            other = replacements.get(signal)
            if other is None:
                known = result.get(signal)
                result[signal] = factor if known is None else known + factor
            elif not (product and signal in long):
                add_to(result, other, factor)
        results.append(result)
    if product:
        _add_product(results, forms, long)
    return [trimmed(result) for result in results]


def _rational(forms: Any) -> bool:
    return all(isinstance(value, fmpq) for form in forms for value in form.values())


def _add_product(results: Sequence[Form], forms: Sequence[Form], replacements: Mapping[int, Form]) -> None:
    """Add to each result what the replacements contribute to its form: one matrix product."""
    names = [name for name in replacements if any(name in form for form in forms)]
    signals = sorted({signal for name in names for signal in replacements[name]})
    zero = fmpq(0)
    left = fmpq_mat(len(forms), len(names), [form.get(name, zero) for form in forms for name in names])
    right = fmpq_mat(
        len(names), len(signals), [replacements[name].get(signal, zero) for name in names for signal in signals]
    )
    for result, row in zip(results, (left * right).tolist(), strict=True):
        for signal, value in zip(signals, row, strict=True):
            if value:
                known = result.get(signal)
                result[signal] = value if known is None else known + value
