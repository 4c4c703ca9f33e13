"""One kind of answer for everything that is decided: yes, no, or undecided within the limits that were given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from relusym.errors import RelusymError

Certificate = Mapping[str, Any]
"""A JSON object that :func:`relusym.check` verifies."""


class Decision:
    """The answer to a yes/no question, with what proves it.

    Attributes
    ----------
    truth : bool or None
        True (yes), False (no), None (undecided within the limits).
    reason : str
        One line.
    witness : object
        What shows a "no" (a point, a pair of neurons, a vector …); None where the answer is "yes".
    certificate : mapping or None
        A JSON object; :func:`relusym.check` verifies it with code that shares nothing with what made it.

    ``bool(decision)`` is :attr:`truth`, and raises :class:`relusym.RelusymError` when that is None.

    Examples
    --------
    >>> from relusym import equal, load
    >>> decision = equal(load("example:theta1"), load("example:theta2"))
    >>> decision.truth
    True
    """

    def __init__(
        self,
        truth: bool | None,
        reason: str,
        *,
        witness: object = None,
        certificate: Certificate | None = None,
        steps: Iterable[str] = (),
    ) -> None:
        self.truth = truth
        self.reason = reason
        self.witness = witness
        self.certificate = certificate
        self._steps = steps

    def __bool__(self) -> bool:
        if self.truth is None:
            raise RelusymError(f"undecided, so neither true nor false: {self.reason} (look at .truth instead)")
        return self.truth

    def explain(self) -> str:
        """Return the argument as text, one step a line, that a person can follow."""
        self._steps = tuple(self._steps)
        return "\n".join([*self._steps, self.reason])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.truth}: {self.reason})"
