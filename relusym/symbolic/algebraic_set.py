"""Algebraic sets as lazy unions of components, with their algebra.

A set holds families of components, not components: its number of components is known in closed form, any one of them is
made by its index, and nothing else is. Union puts families in a row, intersection pairs them, substitution maps them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

from relusym.errors import FormatError, RelusymError, ShapeError, Undecided
from relusym.exact.tower import Tower, common_tower
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.symbolic import containment
from relusym.symbolic import products as products_of
from relusym.symbolic.component import Component
from relusym.symbolic.families import Family
from relusym.symbolic.polynomials import renamed, substitute
from relusym.symbolic.ring import ParameterRing, Ring
from relusym.verdict import Decision

_PARTS = ("V1", "V2", "V3", "V4")


class AlgebraicSet:
    """A union of finitely many components, each the zero set of polynomials; immutable and lazy.

    Made by :func:`relusym.nongeneric_locus`, :func:`relusym.v_a` and :func:`relusym.v_dep`, and from those by ``|``,
    ``&``, :meth:`subs`, :meth:`irredundant`, slices, and the parts ``V1`` to ``V4``.

    Attributes
    ----------
    ring : Ring
        The ring of the polynomials; ``ring.symbols`` are its variables.
    title : str
        What the set is, in a line.
    count : int
        The number of components, however large (``len`` where it fits a machine integer).

    Examples
    --------
    >>> from relusym import nongeneric_locus
    >>> locus = nongeneric_locus(1, 2)
    >>> for component in locus.V4:
    ...     print(component)
    V4[+1] = V(v1*a1_1)
    V4[+2] = V(v2*a2_1)
    V4[+1+2] = V(v1*a1_1 + v2*a2_1)
    V4[+1-2] = V(v1*a1_1 - v2*a2_1)
    >>> locus.V4[2].generators
    (Poly(v1*a1_1 + v2*a2_1, v1, v2, a1_1, a2_1, domain='QQ'),)
    """

    def __init__(
        self,
        ring: Ring,
        families: Sequence[Family],
        title: str,
        *,
        irreducible: Callable[[], AlgebraicSet] | None = None,
        general_point: Callable[[], Sequence[int]] | None = None,
    ) -> None:
        self.ring = ring
        self.families = tuple(families)
        self.title = title
        self.count = sum(family.count for family in self.families)
        self._irreducible = irreducible
        self._general_point = general_point

    # -- components

    def __len__(self) -> int:
        return self.count

    def __bool__(self) -> bool:
        return self.count > 0

    @overload
    def __getitem__(self, index: int) -> Component: ...
    @overload
    def __getitem__(self, index: slice) -> AlgebraicSet: ...
    def __getitem__(self, index: int | slice) -> Component | AlgebraicSet:
        if isinstance(index, slice):
            return self._cut(_range(index, self.count))
        place = index + self.count if index < 0 else index
        if not 0 <= place < self.count:
            raise IndexError(f"component {index} of {self.count}")
        for family in self.families:
            if place < family.count:
                return family.component(place)
            place -= family.count
        raise IndexError(index)  # pragma: no cover - the counts add up

    def __iter__(self) -> Iterator[Component]:
        for family in self.families:
            index = 0
            while index < family.count:
                yield family.component(index)
                index += 1

    def _cut(self, places: range) -> AlgebraicSet:
        family = Family("", _size(places), lambda i: self[places[i]], None, self.irreducible)
        return AlgebraicSet(self.ring, [family], f"components of {self.title}", general_point=self._general_point)

    def part(self, name: str) -> AlgebraicSet:
        """Return the union of one family: "V1", "V2", "V3" or "V4" of the non-generic locus."""
        chosen = [family for family in self.families if family.name == name]
        if not chosen:
            known = sorted({family.name for family in self.families if family.name}) or ["none"]
            raise RelusymError(f"there is no part {name!r:.40} of {self.title}; there is {', '.join(known)}")
        return AlgebraicSet(self.ring, chosen, f"{name} of {self.title}", general_point=self._general_point)

    @property
    def V1(self) -> AlgebraicSet:
        """The parameters with a vanishing output weight."""
        return self.part("V1")

    @property
    def V2(self) -> AlgebraicSet:
        """The parameters with two dependent rows (a, b): V_dep of each pair."""
        return self.part("V2")

    @property
    def V3(self) -> AlgebraicSet:
        """The parameters with a constant neuron, a_i = 0."""
        return self.part("V3")

    @property
    def V4(self) -> AlgebraicSet:
        """The parameters with a vanishing signed sum of rows."""
        return self.part("V4")

    @property
    def irreducible(self) -> bool:
        """Whether every component is known to be irreducible."""
        return all(family.irreducible for family in self.families if family.count)

    # -- membership

    def contains(self, point: object, *, limits: Limits | None = None, progress: Progress | None = None) -> bool:
        """Return whether a point is on one of the components, by substitution into their generators.

        All components are gone through where it is on none: for wide networks :func:`relusym.is_generic` decides the
        same by lattice reduction and meet in the middle.

        Parameters
        ----------
        point
            A network of the right sizes, a mapping from symbols or names to exact numbers, or a sequence of them.

        Raises
        ------
        Undecided
            When ``limits`` end the search.
        ShapeError, FormatError
            Where the point does not fit the ring.

        Examples
        --------
        >>> from relusym import load, nongeneric_locus
        >>> nongeneric_locus(1, 2).contains(load("example:weighted"))
        True
        >>> nongeneric_locus(1, 2, weighted=False).contains(load("example:weighted"))
        False
        """
        return next(self.components_through(point, limits=limits, progress=progress), None) is not None

    __contains__ = contains

    def components_through(
        self, point: object, *, limits: Limits | None = None, progress: Progress | None = None
    ) -> Iterator[Component]:
        """Iterate over the components that contain a point.

        Examples
        --------
        >>> from relusym import load, nongeneric_locus
        >>> [c.name for c in nongeneric_locus(2, 3).components_through(load("example:theta2"))]
        ['V4[+1+2+3]']
        """
        field, values = self.ring.values(point)
        budget = Budget(limits, progress)
        for index, component in enumerate(self):
            try:
                budget.report("components", index, self.count)
                budget.tick(1)
            except LimitReached as limit:
                raise Undecided(f"{limit}: the point is on none of the first {index} components") from None
            if component.vanishes(field, values):
                yield component

    def point_off(self) -> Any:
        """Return a rational point on none of the components; a network where the ring is that of its parameters.

        Raises
        ------
        Undecided
            Where none was found, as when a component is the whole space.
        """
        if self._general_point is not None:
            field = self.ring.field
            return self.ring.point(field, [field.rational(value) for value in self._general_point()])
        source = random.Random(0)
        for size in range(2, 52):
            values = [self.ring.field.rational(source.randint(-size, size)) for _ in range(len(self.ring))]
            if not any(component.vanishes(self.ring.field, values) for component in self):
                return self.ring.point(self.ring.field, values)
        raise Undecided("no point off all components was found in 50 attempts")

    # -- sizes

    @property
    def codimension(self) -> int:
        """The least codimension of a component; len(ring) + 1 where there is none."""
        known = []
        for family in self.families:
            if family.count and family.codimension is not None:
                known.append(family.codimension)
            elif family.count:
                known.extend(family.component(index).codimension for index in range(family.count))
        return min(known, default=len(self.ring) + 1)

    @property
    def dimension(self) -> int:
        """The greatest dimension of a component; −1 for the empty set."""
        return len(self.ring) - self.codimension

    # -- algebra of sets

    def __or__(self, other: AlgebraicSet) -> AlgebraicSet:
        if not isinstance(other, AlgebraicSet):
            return NotImplemented
        left, right = _in_one_ring(self, other)
        same = self._general_point if self._general_point == other._general_point else None
        title = f"({self.title}) ∪ ({other.title})"
        return AlgebraicSet(left.ring, left.families + right.families, title, general_point=same)

    def __and__(self, other: AlgebraicSet) -> AlgebraicSet:
        if not isinstance(other, AlgebraicSet):
            return NotImplemented
        left, right = _in_one_ring(self, other)
        field = left.ring.field

        def component(index: int) -> Component:
            i, j = divmod(index, right.count)
            return _meet(left[i], right[j])

        family = Family("", left.count * right.count, component)
        general = self._general_point or other._general_point if field.degree == 1 else None
        return AlgebraicSet(left.ring, [family], f"({self.title}) ∩ ({other.title})", general_point=general)

    def subs(self, values: Mapping[Any, Any]) -> AlgebraicSet:
        """Return the set in the other variables after some are given values (a slice of the set).

        Components keep their numbers; one that has become empty has a nonzero constant among its generators.

        Examples
        --------
        >>> from relusym import nongeneric_locus
        >>> known = nongeneric_locus(1, 2).V4.subs({"v1": 1, "v2": "sqrt(2)", "a2_1": 1})
        >>> known.ring, [str(c) for c in known][-1]
        (QQ(sqrt(2))[a1_1, b1, b2, C], 'V4[+1-2] = V(a1_1 + (-sqrt(2)))')
        """
        expressions = self.ring.assigned(values)
        tower = Tower(self.ring.field)
        for expression in expressions.values():
            tower.prepare(expression)
        numbers = {index: tower.evaluate(expression) for index, expression in expressions.items()}
        left = [index for index in range(len(self.ring)) if index not in numbers]
        if not left:
            raise ShapeError("every variable has a value; contains() tells whether that point is in the set")
        symbols = [self.ring.symbols[index] for index in left]
        ring = Ring([self.ring.names[index] for index in left], tower.field, symbols)
        place = {index: position for position, index in enumerate(left)}
        embed = tower.embedding(self.ring.field)

        def image(component: Component) -> Component:
            def make() -> list[Any]:
                lifted = (_embedded(polynomial, embed) for polynomial in component.polynomials)
                replaced = (renamed(substitute(polynomial, numbers), place) for polynomial in lifted)
                return list(_distinct(polynomial for polynomial in replaced if polynomial))

            return Component(ring, component.name, make)

        families = [_mapped(family, image) for family in self.families]
        return AlgebraicSet(ring, families, f"{self.title}, {len(numbers)} of {len(self.ring)} variables known")

    def is_subset(self, other: AlgebraicSet, *, limits: Limits | None = None) -> Decision:
        """Decide whether the set lies in another one, component by component.

        An irreducible component lies in a union exactly where it lies in one of its members; components that are not
        known to be irreducible are split first where that is known, and are undecided where no single member has them.

        Examples
        --------
        >>> from relusym import nongeneric_locus
        >>> sharp, weighted = nongeneric_locus(2, 2, open_set="sharp"), nongeneric_locus(2, 2)
        >>> sharp.is_subset(weighted).truth, weighted.is_subset(sharp).truth
        (True, False)
        """
        return containment.is_subset(self, other, limits)

    def irredundant(self) -> AlgebraicSet:
        """Return the same set as the union of its irreducible components, none inside another.

        In closed form for the non-generic locus, so lazy again; otherwise the known pieces are compared one by one.

        Raises
        ------
        Undecided
            Where a component has no known decomposition, or a containment is not decided.

        Examples
        --------
        >>> from relusym import nongeneric_locus
        >>> nongeneric_locus(2, 3).irredundant().count, nongeneric_locus(5, 40).irredundant().count
        (19, 6078832729528465220)
        """
        if self._irreducible is not None:
            return self._irreducible()
        pieces = containment.irreducible_pieces(self)
        family = Family("", len(pieces), pieces.__getitem__, min((p.codimension for p in pieces), default=None), True)
        title = f"irreducible components of {self.title}"
        return AlgebraicSet(self.ring, [family], title, general_point=self._general_point)

    # -- polynomials for the whole set

    def product_polynomial(self, *, expand: bool = True) -> Any:
        """Return one squarefree polynomial with this zero set, where every component is a hypersurface (m = 1).

        A SymPy ``Poly``; with ``expand=False`` the product of its factors as a SymPy expression.

        Raises
        ------
        ShapeError
            Where a component has more than one generator.

        Examples
        --------
        >>> from relusym import nongeneric_locus
        >>> nongeneric_locus(1, 1).product_polynomial()
        Poly(v1*a1_1, v1, a1_1, domain='QQ')
        >>> nongeneric_locus(1, 2).V4.product_polynomial(expand=False)
        a1_1*a2_1*v1*v2*(a1_1*v1 - a2_1*v2)*(a1_1*v1 + a2_1*v2)
        """
        return products_of.product_polynomial(self, expand=expand)

    def ideal(self, *, limits: Limits | None = None) -> tuple[Any, ...]:
        """Return generators, as SymPy ``Poly`` objects, of an ideal with this zero set: the product of the components'.

        It need not be radical.

        Raises
        ------
        Undecided
            Where the generators number more than 100,000, or the limit on items.

        Examples
        --------
        >>> from relusym import v_a
        >>> v_a((1, 1), 2, 2).ideal()[0]
        Poly(v1*a1_1 + v2*a2_1, v1, v2, a1_1, a2_1, domain='QQ')
        """
        return products_of.ideal(self, limits)

    # -- output

    def to_sympy(self) -> Any:
        """Return a SymPy ``Tuple`` with one ``Tuple`` of generators (expressions) a component; ``srepr`` writes it.

        Examples
        --------
        >>> from relusym import nongeneric_locus
        >>> nongeneric_locus(1, 2).V2.to_sympy()
        ((a1_1*b2 - a2_1*b1,),)
        """
        from sympy import Tuple

        return Tuple(*(Tuple(*(poly.as_expr() for poly in component.generators)) for component in self))

    def lines(self, system: str) -> Iterator[str]:
        """Iterate over the lines of an export, one component at a time.

        ``system`` is "text", "latex", "singular", "macaulay2", "sage" or "sympy".
        """
        from relusym.symbolic.exports import lines

        return lines(self, system)

    def to_text(self) -> str:
        """Return plain text, one component a line."""
        return "\n".join(self.lines("text"))

    def to_singular(self) -> str:
        """Return a Singular script: ring, ``labels`` and ``components`` (a list of ideals).

        Examples
        --------
        >>> from relusym import nongeneric_locus
        >>> print(nongeneric_locus(1, 1).V4.to_singular())
        // V4 of the non-generic locus of Ω(1, 1, 1)
        ring R = 0, (v1, a1_1, b1, C), dp;
        list labels, components;
        labels[1] = "V4[+1]"; components[1] = ideal(v1*a1_1);
        """
        return "\n".join(self.lines("singular"))

    def to_macaulay2(self) -> str:
        """Return a Macaulay2 script: ``R`` and ``locus``, a list of pairs {label, ideal}."""
        return "\n".join(self.lines("macaulay2"))

    def to_sage(self) -> str:
        """Return a Sage script (Python): ``R`` and ``components``, a list of pairs (label, ideal)."""
        return "\n".join(self.lines("sage"))

    def to_latex(self) -> str:
        """Return LaTeX, one component a line of an ``align*`` (package amsmath)."""
        return "\n".join(self.lines("latex"))

    def _repr_latex_(self) -> str:
        from relusym.symbolic.exports import set_latex

        return f"$\\displaystyle {set_latex(self)}$"

    def __repr__(self) -> str:
        return f"AlgebraicSet({self.title}: {self.count} component{'' if self.count == 1 else 's'} in {self.ring!r})"

    def __str__(self) -> str:
        from relusym.symbolic.exports import pretty

        return pretty(self)


def _size(places: range) -> int:
    return max(0, -((places.start - places.stop) // places.step)) if places.step > 0 else len(places)


def _range(cut: slice, count: int) -> range:
    """Return the places of a slice of a sequence whose length may be no machine integer."""
    step = 1 if cut.step is None else cut.step
    if step < 1:
        raise IndexError("slices of an algebraic set go forward: a step of at least 1 is due")

    def end(value: int | None, default: int) -> int:
        if value is None:
            return default
        return max(0, value + count) if value < 0 else min(value, count)

    start, stop = end(cut.start, 0), end(cut.stop, count)
    return range(start, max(start, stop), step)


def _mapped(family: Family, image: Callable[[Component], Component]) -> Family:
    return Family(family.name, family.count, lambda index: image(family.component(index)))


def _embedded(polynomial: Any, embed: Callable[[Any], Any]) -> Any:
    return {monomial: c if isinstance(c, int) else embed(c) for monomial, c in polynomial.items()}


def _distinct(polynomials: Iterator[Any]) -> Iterator[Any]:
    seen: list[Any] = []
    for polynomial in polynomials:
        if polynomial not in seen:
            seen.append(polynomial)
            yield polynomial


def _meet(first: Component, second: Component) -> Component:
    return Component(
        first.ring,
        f"{first.name} ∩ {second.name}",
        lambda: list(_distinct(iter((*first.polynomials, *second.polynomials)))),
    )


def _in_one_ring(first: AlgebraicSet, second: AlgebraicSet) -> tuple[AlgebraicSet, AlgebraicSet]:
    """Return both sets over one ring: the larger one where it has all variables, else one with the union of them."""
    if first.ring == second.ring:
        return first, second
    rings = sorted((first.ring, second.ring), key=len, reverse=True)
    if all(isinstance(ring, ParameterRing) for ring in rings):
        raise FormatError("the two sets lie in different parameter spaces; sets over one Ω(m, n, k) are accepted")
    tower = common_tower([ring.field for ring in rings])
    symbols = list(dict.fromkeys([*rings[0].symbols, *rings[1].symbols]))
    if len({str(symbol) for symbol in symbols}) < len(symbols):
        raise FormatError("the two rings have different symbols of one name; give them different names")
    if len(symbols) == len(rings[0]) and rings[0].field == tower.field:
        ring = rings[0]
    else:
        ring = Ring(list(map(str, symbols)), tower.field, symbols)
    return _moved(first, ring, tower), _moved(second, ring, tower)


def _moved(original: AlgebraicSet, ring: Ring, tower: Tower) -> AlgebraicSet:
    if original.ring is ring:
        return original
    where = {symbol: index for index, symbol in enumerate(ring.symbols)}
    place = [where[symbol] for symbol in original.ring.symbols]
    embed = tower.embedding(original.ring.field)

    def image(component: Component) -> Component:
        return Component(
            ring,
            component.name,
            lambda: [renamed(_embedded(polynomial, embed), place) for polynomial in component.polynomials],
            codimension=component._codimension,
            irreducible=component.irreducible and ring.field.degree == original.ring.field.degree,
        )

    families = [_mapped(family, image) for family in original.families]
    return AlgebraicSet(ring, families, original.title)
