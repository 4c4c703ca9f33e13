"""Which component lies in which: containment of unions, and unions without redundant members.

An irreducible set lies in a union exactly where it lies in one of its members. A point of it that is on no member
answers "no"; members that hold the point are then tried one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from relusym.errors import Undecided
from relusym.limits import Budget, LimitReached, Limits
from relusym.symbolic.component import Component
from relusym.verdict import Decision

if TYPE_CHECKING:
    from relusym.symbolic.algebraic_set import AlgebraicSet


def is_subset(first: AlgebraicSet, second: AlgebraicSet, limits: Limits | None) -> Decision:
    """Decide whether every component of the first set lies in the second."""
    if first.ring != second.ring:
        return Decision(None, "the two sets lie in different rings; set algebra with | and & joins rings")
    budget, open_question = Budget(limits), False
    try:
        for component in first:
            for piece in component.irreducible_components() or (component,):
                answer = _lies_in(piece, second, budget)
                if answer.truth is False:
                    return answer
                open_question = open_question or answer.truth is None
    except LimitReached as limit:
        return Decision(None, f"{limit} before an answer was found")
    if open_question:
        return Decision(None, "for some component neither a point nor a Gröbner basis decides it")
    return Decision(True, "every component lies in a component of the other set")


def _lies_in(piece: Component, other: AlgebraicSet, budget: Budget) -> Decision:
    """Decide whether one component lies in a union."""
    field = piece.ring.field
    open_question = not piece.irreducible
    try:
        point = piece._sample()
    except Undecided:
        point = None
    if point is not None:
        candidates = [component for component in other if component.vanishes(field, point)]
        if not candidates:
            witness = piece.ring.point(field, point)
            return Decision(False, f"a point of {piece.name} is on no component of the other set", witness=witness)
    else:
        candidates = list(other)
    left = budget.seconds_left()
    for component in candidates:
        budget.tick()
        answer = piece.is_subset(component, limits=Limits(seconds=None if left is None else max(left, 0)))
        if answer.truth:
            return answer
        open_question = open_question or answer.truth is None
    if open_question:
        return Decision(None, f"{piece.name}: not decided")
    return Decision(False, f"{piece.name} is irreducible and lies in no component of the other set")


def _inside_any(piece: Component, others: Sequence[Component]) -> bool:
    for other in others:
        answer = piece.is_subset(other)
        if answer.truth is None:
            raise Undecided(f"whether {piece.name} lies in {other.name}: {answer.reason}")
        if answer.truth:
            return True
    return False


def irreducible_pieces(whole: AlgebraicSet) -> list[Component]:
    """Return the irreducible components, none inside another, where every component has a known decomposition."""
    pieces: list[Component] = []
    for component in whole:
        parts = component.irreducible_components()
        if parts is None:
            raise Undecided(
                f"{component.name}: its irreducible components are not known here; export it to Singular for them"
            )
        for piece in parts:
            if not _inside_any(piece, pieces):
                pieces = [known for known in pieces if not _inside_any(known, [piece])] + [piece]
    return pieces
