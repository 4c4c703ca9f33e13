"""The errors of relusym: one root, named by mathematical cause.

Each message is one line that says what is wrong, where (file, layer, entry) and what would be accepted.
"""

from __future__ import annotations


class RelusymError(ValueError):
    """Root of every error that relusym raises on purpose; also a ``ValueError``."""

    def at(self, place: str) -> RelusymError:
        """Return the same error with ``place`` (a file, a layer, an entry) named in front of its message."""
        return type(self)(f"{place}: {self}")


class FormatError(RelusymError):
    """A file, a JSON object or the text of a number cannot be read as what it should be."""


class FieldError(RelusymError):
    """A number is no real algebraic number, or the field that holds all entries is beyond the limits."""


class ShapeError(RelusymError):
    """Sizes do not fit: a ragged matrix, layers that do not chain, a network of another depth or output size."""


class DomainError(RelusymError):
    """A domain is empty, or is not one of the forms that are accepted."""


class ConditionError(RelusymError):
    """What was asked holds only under a condition that these parameters do not satisfy; the message names it."""


class MissingExtra(RelusymError):
    """An optional dependency is needed; the message names the extra that installs it."""


def missing_extra(extra: str, what: str) -> MissingExtra:
    """Return the error of a missing package, with how to install it.

    Parameters
    ----------
    extra
        The extra that brings the package.
    what
        What needs which package.

    Examples
    --------
    >>> print(missing_extra("onnx", "reading .onnx needs the package onnx"))
    reading .onnx needs the package onnx: pip install 'relusym[onnx]' (in a checkout: pip install '.[onnx]')
    """
    return MissingExtra(f"{what}: pip install 'relusym[{extra}]' (in a checkout: pip install '.[{extra}]')")


class CertificateError(RelusymError):
    """A certificate is malformed: it cannot even be checked."""


class Undecided(RelusymError):
    """Limits ended a computation that returns a plain value; what is known so far is carried along.

    Attributes
    ----------
    lower, upper : int or None
        Proved bounds of the number that was asked for.
    partial : object
        Whatever part of the answer is already proved.
    """

    def __init__(
        self, message: str, *, lower: int | None = None, upper: int | None = None, partial: object = None
    ) -> None:
        super().__init__(message)
        self.lower = lower
        self.upper = upper
        self.partial = partial

    def at(self, place: str) -> Undecided:
        """Return the same error with ``place`` in front of its message."""
        return Undecided(f"{place}: {self}", lower=self.lower, upper=self.upper, partial=self.partial)
