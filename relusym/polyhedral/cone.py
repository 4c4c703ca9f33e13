"""Polyhedra as cones of generators, cut by hyperplanes: the double description method.

A polyhedron in R^d is the slice {x_0 = 1} of a cone in R^(d+1) with x_0 ≥ 0. The cone is kept as generators (vertices
and rays) modulo its lines, each line a pair of opposite directions. A cut by a form that is linear on the cone sorts
the generators by sign; the new ones lie on the edges between the two sides. Two generators u, v span an edge where no
other generator is tight at all the constraints at which both are; where u lies on exactly as many constraints as an
extreme ray must (rank − 1, then they are independent) counting the common ones is enough. If a line crosses the
hyperplane, the others are moved into the hyperplane along it, and it becomes a ray of each side.

No constraint is stored: the constraints of a cone are the bits on which all its generators agree, so the sets of signs
of the generators are all that is looked at. New generators are shared between the cells around an edge; the memory for
that is bounded, and when it is full sharing starts again from nothing, which costs time and nothing else.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from relusym.polyhedral.arithmetic import rank
from relusym.polyhedral.circuit import Circuit, Generator

Line: TypeAlias = tuple[Generator, Generator]

_SHARED = 100_000


class Cone(NamedTuple):
    """A cone: generators modulo lines, and the dimension of the cone modulo its lines."""

    generators: tuple[Generator, ...]
    lines: tuple[Line, ...]
    rank: int

    @property
    def dimension(self) -> int:
        """The dimension of the polyhedron."""
        return self.rank + len(self.lines) - 1

    def signs(self) -> tuple[int, int]:
        """Return the bits that are positive somewhere on the cone, and those that are negative somewhere.

        Meaningful for the bits of the forms that are linear on the cone.
        """
        pos = neg = 0
        for generator in self.generators:
            pos |= generator.pos
            neg |= generator.neg
        for one, other in self.lines:
            pos |= one.pos | other.pos
            neg |= one.neg | other.neg
        return pos, neg

    def has_points(self) -> bool:
        """Return whether the polyhedron is not empty."""
        return any(generator.pos & 1 for generator in self.generators)


class Parts(NamedTuple):
    """What a hyperplane that crosses a cone makes of it: generators on its two sides, and on it."""

    plus: tuple[Generator, ...]
    on: tuple[Generator, ...]
    minus: tuple[Generator, ...]
    lines: tuple[Line, ...]
    rank: int

    def positive(self) -> Cone:
        """Return the part where the form is not negative."""
        return Cone(self.plus + self.on, self.lines, self.rank)

    def negative(self) -> Cone:
        """Return the part where the form is not positive."""
        return Cone(self.minus + self.on, self.lines, self.rank)

    def zero(self) -> Cone:
        """Return the part where the form is zero."""
        return Cone(self.on, self.lines, self.rank - 1)


class Cutter:
    """Cuts cones of one circuit; holds the generators that cells share."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self._shared: dict[tuple[Generator, Generator, int], Generator] = {}

    def whole_space(self) -> Cone:
        """Return R^d: one point modulo d lines."""
        circuit = self.circuit
        one, size = circuit.arithmetic.one, circuit.inputs + 1
        zero = one - one

        def unit(index: int, value: object) -> Generator:
            return circuit.generator([value if i == index else zero for i in range(size)])

        lines = tuple((unit(i, one), unit(i, -one)) for i in range(circuit.inputs))
        return Cone((unit(circuit.inputs, one),), lines, 1)

    def cut(self, cone: Cone, bit: int, stage: int, signs: tuple[int, int]) -> Parts:
        """Return the parts of a cone that the form of ``bit`` crosses; ``signs`` are the cone's.

        ``stage`` is the last one whose forms are linear on the cone.
        """
        for index, line in enumerate(cone.lines):
            if line[0].support >> bit & 1:
                return self._cut_line(cone, bit, index, stage)
        circuit = self.circuit
        mask = 1 << bit
        active = (signs[0] ^ signs[1]) & ((1 << circuit.stages[stage].end) - 1)
        shared = self._shared
        plus, on, minus = [], [], []
        for generator in cone.generators:
            if generator.pos & mask:
                plus.append(generator)
            elif generator.neg & mask:
                minus.append(generator)
            else:
                on.append(generator)
        extreme = cone.rank - 1
        edge = extreme - 1
        few, many = (plus, minus) if len(plus) <= len(minus) else (minus, plus)
        tight = [(v, active & ~v.support) for v in many]
        ends: list[tuple[Generator, Generator]] = []
        for u in few:
            own = active & ~u.support
            close = [v for v, other in tight if (own & other).bit_count() >= edge]
            if own.bit_count() != extreme:
                close = [v for v in close if self._adjacent(cone, u, v, active)]
            ends += [(u, v) for v in close] if few is plus else [(v, u) for v in close]
        for u, v in ends:
            on.append(shared.get((u, v, bit)) or self._between(u, v, bit, stage))
        return Parts(tuple(plus), tuple(on), tuple(minus), cone.lines, cone.rank)

    @staticmethod
    def _adjacent(cone: Cone, u: Generator, v: Generator, active: int) -> bool:
        """Return whether two generators span an edge, given that enough constraints are common to them."""
        if (active & ~v.support).bit_count() == cone.rank - 1:
            return True
        common = active & ~(u.support | v.support)
        return not any(not common & g.support and g is not u and g is not v for g in cone.generators)

    def forget(self) -> None:
        """Stop sharing what has been made so far."""
        self._shared.clear()

    def _between(self, u: Generator, v: Generator, bit: int, stage: int) -> Generator:
        return self._share((u, v, bit), self.circuit.between(u, v, bit, stage))

    def _share(self, key: tuple[Generator, Generator, int], made: Generator) -> Generator:
        if len(self._shared) >= _SHARED:
            self._shared.clear()
        self._shared[key] = made
        return made

    def _cut_line(self, cone: Cone, bit: int, index: int, stage: int) -> Parts:
        up, down = cone.lines[index]
        if not up.pos >> bit & 1:
            up, down = down, up
        lines = []
        for position, (one, other) in enumerate(cone.lines):
            if position != index:
                lines.append((self._into(one, up, down, bit), self._into(other, up, down, bit)))
        on = tuple(self._into(generator, up, down, bit) for generator in cone.generators)
        return Parts((up,), on, (down,), tuple(lines), cone.rank + 1)

    def _into(self, generator: Generator, up: Generator, down: Generator, bit: int) -> Generator:
        """Return the generator moved along the line into the zero set of the form.

        Forms of later stages are not linear along the line: all of them are evaluated anew.
        """
        if not generator.support >> bit & 1:
            return generator
        positive = generator.pos >> bit & 1
        u, v = (generator, down) if positive else (up, generator)
        found = self._shared.get((u, v, bit))
        if found is not None:
            return found
        a, b = u.values[bit], v.values[bit]
        vector = [a * y - b * x for x, y in zip(u.vector, v.vector, strict=True)]
        return self._share((u, v, bit), self.circuit.generator(vector))

    def restrict(self, cone: Cone, bit: int, sign: int, stage: int) -> Cone | None:
        """Return the part of a cone where the form of ``bit`` is 0, or not of the sign opposite to ``sign``."""
        signs = cone.signs()
        up, down = signs[0] >> bit & 1, signs[1] >> bit & 1
        if up and down:
            parts = self.cut(cone, bit, stage, signs)
            part = parts.zero() if sign == 0 else parts.positive() if sign > 0 else parts.negative()
        elif (up and sign <= 0) or (down and sign >= 0):
            tight = tuple(g for g in cone.generators if not g.support >> bit & 1)
            part = Cone(tight, cone.lines, self._rank(tight, cone.lines))
        else:
            return cone
        return part if part.has_points() else None

    def _rank(self, generators: tuple[Generator, ...], lines: tuple[Line, ...]) -> int:
        vectors = [g.vector for g in generators] + [line[0].vector for line in lines]
        return rank(self.circuit.arithmetic.field, vectors) - len(lines)


def facets_of(cone: Cone, bits: int) -> list[Cone]:
    """Return the facets of the polyhedron; ``bits`` are the forms that are linear on it.

    Facets at infinity are none of the polyhedron.
    """
    pos, neg = cone.signs()
    active = (pos ^ neg) & bits & ~1
    generators = cone.generators
    tight: dict[int, int] = {}  # a constraint -> the generators on it
    for index, generator in enumerate(generators):
        remaining = active & ~generator.support
        member = 1 << index
        while remaining:
            low = remaining & -remaining
            remaining ^= low
            tight[low] = tight.get(low, 0) | member
    points = sum(1 << index for index, generator in enumerate(generators) if generator.pos & 1)
    candidates = sorted({members for members in tight.values() if members & points}, key=int.bit_count, reverse=True)
    maximal: list[int] = []
    for members in candidates:
        if not any(members & other == members for other in maximal):
            maximal.append(members)
    return [
        Cone(tuple(g for i, g in enumerate(generators) if members >> i & 1), cone.lines, cone.rank - 1)
        for members in maximal
    ]
