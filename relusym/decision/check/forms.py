"""Affine forms in signals (inputs and the two sides of units), sparse, on the numbers of the checker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from relusym.decision.check.errors import Unproved
from relusym.decision.check.numbers import ZERO, Number, Row, equal, is_zero, lowest, product, total

Form: TypeAlias = "dict[int, Number]"
"""Signal -> coefficient; what is missing is 0, and what is there may be. :data:`CONSTANT` names the constant part."""

CONSTANT = -1

_LONG = 512  # bits of a number from which on it is worth while to cancel, and to look at limits


def substituted(row: Row, bias: Number, values: Sequence[Form | None], name: str) -> Form:
    """Return the form row . values + bias.

    Raises
    ------
    Unproved
        The row has a weight on a neuron that is said not to be used, or a number is beyond the limits.

    Examples
    --------
    >>> substituted([(2, 1), (1, 3)], (0, 1), [{0: (1, 1), 4: (1, 2)}, {4: (3, 1)}], "a neuron")
    {0: (2, 1), 4: (2, 1)}
    """
    parts: dict[int, list[Number]] = {}
    if not is_zero(bias):
        parts[CONSTANT] = [bias]
    for index, (weight, value) in enumerate(zip(row, values, strict=True)):
        if is_zero(weight):
            continue
        if value is None:
            raise Unproved(f"neuron {index} of the layer before is used: {name} has a weight on it")
        for signal, factor in value.items():
            entry = product(weight, factor)
            known = parts.get(signal)
            if known is None:
                parts[signal] = [entry]
            else:
                known.append(entry)
    form = {}
    for signal, entries in parts.items():
        number = entries[0] if len(entries) == 1 else lowest(total(entries))
        if not is_zero(number):
            form[signal] = lowest(number) if _is_long(number) else number
    return form


def _is_long(number: Number) -> bool:
    numerator, denominator = number
    size = numerator.bit_length() if isinstance(numerator, int) else _LONG + 1
    return max(size, denominator.bit_length()) > _LONG


def first_not_multiple(form: Form, factor: Number, base: Form) -> int | None:
    """Return a signal at which ``form`` is not proved to be ``factor`` times ``base``, or None.

    Examples
    --------
    >>> first_not_multiple({0: (3, 2)}, (1, 2), {0: (3, 1)}) is None
    True
    """
    for signal in form.keys() | base.keys():
        if not equal(form.get(signal, ZERO), product(factor, base.get(signal, ZERO))):
            return signal
    return None
