"""One component of an algebraic set: named, with its generators, its codimension and a point on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from relusym.exact.field import Field
from relusym.exact.tower import common_tower
from relusym.limits import Limits
from relusym.symbolic.ideals import codimension as find_codimension
from relusym.symbolic.ideals import vanishes_on
from relusym.symbolic.points import find_point
from relusym.symbolic.polynomials import Polynomial, evaluate, text
from relusym.symbolic.ring import Ring
from relusym.verdict import Decision


class Component:
    """The common zeros of some polynomials; what is costly is made on first use.

    Attributes
    ----------
    ring : Ring
        The ring of the polynomials.
    name : str
        For example "V4[+1-3]".
    irreducible : bool
        Whether the generators are known to generate a prime ideal; False: not known.
    """

    def __init__(
        self,
        ring: Ring,
        name: str,
        make: Callable[[], Sequence[Polynomial]],
        *,
        codimension: int | None = None,
        irreducible: bool = False,
        point: Callable[[], Sequence[Any]] | None = None,
        split: Callable[[], Sequence[Component]] | None = None,
    ) -> None:
        self.ring = ring
        self.name = name
        self.irreducible = irreducible
        self._make = make
        self._codimension = codimension
        self._point = point
        self._split = split

    @cached_property
    def polynomials(self) -> tuple[Polynomial, ...]:
        """The generators as sparse polynomials; see :mod:`relusym.symbolic.polynomials`."""
        return tuple(self._make())

    @cached_property
    def generators(self) -> tuple[Any, ...]:
        """The generators as SymPy ``Poly`` objects, each in the variables that occur in it."""
        return tuple(map(self.ring.poly, self.polynomials))

    @property
    def elements(self) -> tuple[Any, ...]:
        """The generators as elements of the SymPy ``PolyRing`` ``ring.poly_ring``."""
        return tuple(map(self.ring.element, self.polynomials))

    @cached_property
    def codimension(self) -> int:
        """The codimension: known in closed form for the sets of this package, else by a Gröbner basis.

        It is len(ring) + 1 for the empty set. ``Undecided`` where the basis grows too large.
        """
        if self._codimension is not None:
            return self._codimension
        return find_codimension(self.polynomials, self.ring.field, len(self.ring))

    @property
    def dimension(self) -> int:
        """The dimension; −1 for the empty set."""
        return len(self.ring) - self.codimension

    def contains(self, point: object) -> bool:
        """Return whether all generators vanish at a point: a network, a mapping, or a sequence of exact numbers."""
        return self.vanishes(*self.ring.values(point))

    __contains__ = contains

    def vanishes(self, field: Field, values: Sequence[Any]) -> bool:
        """Return whether all generators vanish at a point given by elements of ``field``."""
        tower = common_tower([field, self.ring.field])
        if field.degree > 1 or tower.field.degree > 1:
            values = list(map(tower.embedding(field), values))
        embed = tower.embedding(self.ring.field)
        return all(evaluate(polynomial, values, embed) == 0 for polynomial in self.polynomials)

    def sample_point(self) -> Any:
        """Return a point of the component with coordinates in the ring's field.

        A network for components in a parameter space, else a dict from symbols to numbers. On the components of the
        non-generic locus it is rational and as general as that component allows.

        Raises
        ------
        Undecided
            Where no point was found (never on a component of the non-generic locus).
        """
        return self.ring.point(self.ring.field, self._sample())

    def _sample(self) -> list[Any]:
        if self._point is None:
            return find_point(self.polynomials, len(self.ring), self.ring.field)
        return [self.ring.field.rational(value) for value in self._point()]

    def is_subset(self, other: Component, *, limits: Limits | None = None) -> Decision:
        """Decide whether every zero of this component's generators is one of the other's.

        "No" by a point of this component that is not on the other; "yes" because each generator of the other lies in
        the radical of this ideal, by a Gröbner basis. Undecided where neither was found within the limits.

        Examples
        --------
        >>> from relusym import nongeneric_locus
        >>> locus = nongeneric_locus(2, 2)
        >>> locus.V3[0].is_subset(locus.V4[0]).truth, locus.V1[0].is_subset(locus.V3[0]).truth
        (True, False)
        """
        if self.ring != other.ring:
            return Decision(None, f"{self.name} and {other.name} lie in different rings")
        missing = [polynomial for polynomial in other.polynomials if polynomial not in self.polynomials]
        if not missing:
            return Decision(True, f"every generator of {other.name} is one of {self.name}")
        from relusym.errors import Undecided

        try:
            sample = self._sample()
        except Undecided:
            sample = None
        if sample is not None and not other.vanishes(self.ring.field, sample):
            return Decision(
                False,
                f"a point of {self.name} is not on {other.name}",
                witness=self.ring.point(self.ring.field, sample),
            )
        answers = [vanishes_on(g, self.polynomials, self.ring.field, limits) for g in missing]
        if all(answers):
            return Decision(True, f"every generator of {other.name} is in the radical of the ideal of {self.name}")
        if False in answers:
            return Decision(False, f"a generator of {other.name} is not in the radical of the ideal of {self.name}")
        return Decision(None, "neither a point nor a Gröbner basis within the limits decides it")

    def irreducible_components(self) -> tuple[Component, ...] | None:
        """Return the irreducible components where they are known in closed form, else None."""
        if self.irreducible:
            return (self,)
        return None if self._split is None else tuple(self._split())

    def __repr__(self) -> str:
        return f"Component({self})"

    def __str__(self) -> str:
        shown = [text(p, self.ring.names, self.ring.number_text) for p in self.polynomials[:4]]
        return f"{self.name} = V({', '.join(shown)}{', …' if len(self.polynomials) > 4 else ''})"

    def latex(self) -> str:
        """Return "name = V(generators)" as LaTeX."""
        from relusym.symbolic.exports import component_latex

        return component_latex(self, self.ring.identifiers("latex"))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"
