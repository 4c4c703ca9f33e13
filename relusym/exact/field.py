"""The contract of a field, and Q.

Every algorithm in relusym is written once over :class:`Element` (numbers with ``+ - * /`` and proved comparisons) and
asks :class:`Field` for what operators do not say: coordinates over Q, text, SymPy form. Two representations keep the
contract: ``flint.fmpq`` over :data:`QQ`, and :class:`relusym.exact.number_field.AlgebraicNumber` over a real number
field. The test suite in ``tests/conformance`` runs over each of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from flint import fmpq


class Element(Protocol):
    """An exact real number; ``==`` and ``<`` are proved, never rounded."""

    def __add__(self, other: Any, /) -> Any: ...
    def __radd__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __rsub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __rmul__(self, other: Any, /) -> Any: ...
    def __truediv__(self, other: Any, /) -> Any: ...
    def __rtruediv__(self, other: Any, /) -> Any: ...
    def __neg__(self) -> Any: ...
    def __abs__(self) -> Any: ...
    def __lt__(self, other: Any, /) -> bool: ...
    def __gt__(self, other: Any, /) -> bool: ...
    def __le__(self, other: Any, /) -> bool: ...
    def __ge__(self, other: Any, /) -> bool: ...


Identity: TypeAlias = tuple[int, ...]
"""The value of a number, whatever field it was written in: (p, q) for p/q, else its primitive minimal polynomial over Z
(constant term first, leading coefficient positive) followed by the index of the root among the real ones, ascending.
"""


class Field(Protocol):
    """An ordered field given exactly: Q, or Q(α) with a chosen real root α."""

    @property
    def degree(self) -> int:
        """The degree over Q."""
        ...

    def rational(self, value: fmpq | int) -> Element:
        """Return ``value`` as an element."""
        ...

    def sign(self, element: Element) -> int:
        """Return −1, 0 or 1, proved."""
        ...

    def coordinates(self, element: Element) -> list[fmpq]:
        """Return the coordinates over Q in the basis 1, α, …, α^(d−1)."""
        ...

    def to_rational(self, element: Element) -> fmpq | None:
        """Return the element as a rational number, or None where it is none."""
        ...

    def enclosure(self, element: Element, bits: int) -> tuple[fmpq, fmpq]:
        """Return rational numbers low <= element <= high with high - low <= 2^-bits."""
        ...

    def key(self, element: Element) -> Hashable:
        """Return a hashable name of the element that is the same for equal elements of this field."""
        ...

    def identity(self, element: Element) -> Identity:
        """Return the value of the element in a form that does not depend on the field; see :data:`Identity`."""
        ...

    def text(self, element: Element) -> str:
        """Return the element as text that reads back equal."""
        ...

    def sympy(self, element: Element) -> Any:
        """Return the element as a SymPy number."""
        ...


class RationalField:
    """The field Q; its elements are ``flint.fmpq``."""

    degree = 1

    def rational(self, value: fmpq | int) -> fmpq:
        """Return ``value`` as a ``fmpq``."""
        return fmpq(value)

    def sign(self, element: Any) -> int:
        """Return the sign of a rational number."""
        return int(element > 0) - int(element < 0)

    def coordinates(self, element: Any) -> list[fmpq]:
        """Return the number itself, as the one coordinate."""
        return [element]

    def to_rational(self, element: Any) -> fmpq:
        """Return the number itself."""
        return fmpq(element)

    def enclosure(self, element: Any, bits: int) -> tuple[fmpq, fmpq]:
        """Return the number itself, twice: it is known exactly."""
        return element, element

    def key(self, element: Any) -> Hashable:
        """Return (p, q) as Python integers, which hash far faster than a ``fmpq``."""
        return int(element.p), int(element.q)

    def identity(self, element: Any) -> Identity:
        """Return (p, q)."""
        return int(element.p), int(element.q)

    def text(self, element: Any) -> str:
        """Return "p/q", or "p" for an integer."""
        return str(element)

    def sympy(self, element: Any) -> Any:
        """Return a SymPy Rational."""
        from sympy import Rational

        return Rational(int(element.p), int(element.q))

    def __repr__(self) -> str:
        return "QQ"

    def __reduce__(self) -> str:
        return "QQ"


QQ = RationalField()


def field_of(numbers: Sequence[Any]) -> Field:
    """Return the field of numbers that are already in one field: Q where all are rational numbers."""
    return next((number.field for number in numbers if not isinstance(number, fmpq)), QQ)


if TYPE_CHECKING:
    _contract: Field = QQ
    _elements: Element = fmpq(0)
