"""Boxes: products of closed intervals with exact ends, an infinite end as None."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from relusym.errors import DomainError, RelusymError
from relusym.exact.expression import Expression
from relusym.exact.field import Element, Field
from relusym.exact.numbers import read_number
from relusym.exact.tower import Tower

ReadBox: TypeAlias = list[tuple[Expression | None, Expression | None]]

_ACCEPTED = "a box is a sequence of one (low, high) for each input, with None for an infinite end"


class Box(NamedTuple):
    """A nonempty box; ``free`` are the coordinates with low < high, the others are fixed."""

    low: tuple[Any, ...]
    high: tuple[Any, ...]
    free: tuple[int, ...]

    def restrict(self, row: Sequence[Element]) -> list[Any]:
        """Return an affine form (a, b) on the box as a form in the free coordinates alone."""
        constant: Any = row[-1]
        free = set(self.free)
        for index, low in enumerate(self.low):
            if index not in free and row[index] != 0 and low != 0:
                constant = constant + row[index] * low
        return [*(row[index] for index in self.free), constant]

    def least(self, form: Sequence[Any]) -> Any:
        """Return the minimum on the box of a form in the free coordinates, None for −∞."""
        return self._extreme(form, self.low, self.high)

    def greatest(self, form: Sequence[Any]) -> Any:
        """Return the maximum on the box of a form in the free coordinates, None for ∞."""
        return self._extreme(form, self.high, self.low)

    def _extreme(self, form: Sequence[Any], rising: Sequence[Any], falling: Sequence[Any]) -> Any:
        total = form[-1]
        for factor, index in zip(form, self.free, strict=False):
            if factor == 0:
                continue
            end = rising[index] if factor > 0 else falling[index]
            if end is None:
                return None
            total = total + factor * end
        return total

    def complete(self, free_values: Sequence[Any]) -> list[Any]:
        """Return the point of the box with these free coordinates."""
        point = list(self.low)
        for index, value in zip(self.free, free_values, strict=True):
            point[index] = value
        return point

    def contains(self, point: Sequence[Any]) -> bool:
        """Return whether the point is in the box."""
        return all(
            (low is None or low <= value) and (high is None or value <= high)
            for low, value, high in zip(self.low, point, self.high, strict=True)
        )

    def texts(self, field: Field) -> list[list[str | None]]:
        """Return the ends as text, None for an infinite one."""
        return [
            [None if end is None else field.text(end) for end in ends] for ends in zip(self.low, self.high, strict=True)
        ]


def value_at(form: Sequence[Any], point: Sequence[Any]) -> Any:
    """Return the value of an affine form (a, b) at a point."""
    total = form[-1]
    for factor, value in zip(form, point, strict=False):
        if factor != 0 and value != 0:
            total = total + factor * value
    return total


def whole_space(inputs: int) -> Box:
    """Return R^inputs."""
    return Box((None,) * inputs, (None,) * inputs, tuple(range(inputs)))


def read_box(domain: object, inputs: int) -> ReadBox:
    """Return the ends of a box as expressions.

    Raises
    ------
    DomainError
        Where the object is no box of ``inputs`` coordinates.
    """
    if isinstance(domain, (str, bytes, dict)) or not hasattr(domain, "__iter__"):
        raise DomainError(f"the domain: {_ACCEPTED}; got {type(domain).__name__}")
    ends = list(domain)
    box: ReadBox = []
    for index, pair in enumerate(ends):
        place = f"the domain, coordinate {index}"
        if isinstance(pair, (str, bytes, dict)) or not hasattr(pair, "__iter__") or len(pair := list(pair)) != 2:
            raise DomainError(f"{place}: a pair (low, high) is due; {_ACCEPTED}")
        if isinstance(pair[0], (list, tuple)):
            raise DomainError(
                f"{place}: an inequality (row, bound) stands among intervals; {_ACCEPTED}, or inequalities alone"
            )
        box.append((_read_end(pair[0], place, -1), _read_end(pair[1], place, 1)))
    if len(box) != inputs:
        raise DomainError(f"the domain has {len(box)} coordinates, the networks have {inputs} inputs")
    return box


def _read_end(end: Any, place: str, side: int) -> Expression | None:
    if end is None or (isinstance(end, float) and end == side * math.inf):
        return None
    try:
        return read_number(end)
    except RelusymError as error:
        raise DomainError(f"{place}: {error}") from None


def settle_box(box: ReadBox, tower: Tower) -> Box:
    """Return the box with its ends in the tower's field.

    Raises
    ------
    DomainError
        Where the box is empty.
    """
    ends = [[None if end is None else tower.evaluate(end) for end in pair] for pair in box]
    free = []
    for index, (low, high) in enumerate(ends):
        if low is None or high is None or low < high:
            free.append(index)
        elif low > high:
            text = tower.field.text
            raise DomainError(
                f"the domain is empty: coordinate {index} has low {text(low)} above high {text(high)}; "
                "low <= high is due"
            )
    return Box(tuple(pair[0] for pair in ends), tuple(pair[1] for pair in ends), tuple(free))
