"""Rings of polynomials: in any symbols, and in the parameters of Ω(m, n, k).

The parameters come in one fixed order: the output weights row by row, the hidden weights row by row, the hidden biases,
the output biases. They are called v1, …, vn (k = 1) or M1_1, …, Mk_n; a1_1, …, an_m; b1, …, bn; C (k = 1) or c1, …, ck.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from relusym.errors import FormatError, ShapeError
from relusym.exact.field import QQ, Field
from relusym.exact.matrix import column_of, make_matrix, rows_of
from relusym.exact.numbers import read_number, read_point, settle
from relusym.parameters.network import Layer, Network
from relusym.symbolic.polynomials import Polynomial, powers, variables_of

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")


class Ring:
    """Polynomials over a field in an ordered list of symbols.

    Parameters
    ----------
    names
        The names of the variables, all different.
    field
        The field of the coefficients.
    symbols
        The SymPy symbols, where they are more than their names (assumptions, for example).
    """

    def __init__(self, names: Sequence[str], field: Field = QQ, symbols: Sequence[Any] | None = None) -> None:
        self.names = tuple(names)
        self.field = field
        self._symbols = None if symbols is None else tuple(symbols)

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ring):
            return NotImplemented
        return self.names == other.names and self.field == other.field and self.symbols == other.symbols

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        shown = self.names if len(self.names) <= 12 else (*self.names[:5], "…", self.names[-1])
        return f"{self.field!r}[{', '.join(shown)}]"

    @cached_property
    def symbols(self) -> tuple[Any, ...]:
        """The variables as SymPy symbols."""
        if self._symbols is not None:
            return self._symbols
        from sympy import Symbol

        return tuple(map(Symbol, self.names))

    @cached_property
    def poly_ring(self) -> Any:
        """The ring as a SymPy ``PolyRing`` over QQ, for rings whose field is Q."""
        from sympy import QQ as RATIONALS
        from sympy import grevlex
        from sympy.polys.rings import PolyRing

        if self.field.degree != 1:
            raise FormatError(f"{self!r} is no ring over Q; component.generators are Polys over the number field")
        return PolyRing(self.symbols, RATIONALS, grevlex)

    def identifiers(self, system: str) -> list[str]:
        """Return names for the variables that another system reads: "singular", "macaulay2", "sage" or "latex"."""
        if system == "latex":
            from sympy import latex

            return [latex(symbol) for symbol in self.symbols]
        pattern = r"[A-Za-z][A-Za-z0-9]*" if system == "macaulay2" else _IDENTIFIER
        if all(re.fullmatch(pattern, name) for name in self.names):
            return list(self.names)
        indexed = "x_{}" if system == "macaulay2" else "x{}"
        return [indexed.format(index) for index in range(1, len(self) + 1)]

    def number_text(self, value: Any) -> str:
        """Return a coefficient as text."""
        return str(value) if isinstance(value, int) else self.field.text(value)

    def poly(self, polynomial: Polynomial) -> Any:
        """Return a SymPy ``Poly`` in the variables that occur, in the order of the ring."""
        from sympy import QQ as RATIONALS
        from sympy import Add, Integer, Mul, Poly
        from sympy.polys.polyclasses import DMP

        used = variables_of([polynomial]) or [0]
        symbols = [self.symbols[index] for index in used]
        if self.field.degree == 1:
            place = {index: position for position, index in enumerate(used)}
            terms = {}
            for monomial, coefficient in polynomial.items():
                exponents = [0] * len(used)
                for index, power in powers(monomial):
                    exponents[place[index]] = power
                numerator, denominator = (coefficient, 1) if isinstance(coefficient, int) else _pair(coefficient)
                terms[tuple(exponents)] = RATIONALS(numerator, denominator)
            # the same as Poly.from_dict(terms, *symbols, domain=QQ), without its parsing of options: ten times faster
            return Poly.new(DMP.from_dict(terms, len(used) - 1, RATIONALS), *symbols)
        convert = self.field.sympy
        total = Add(
            *(
                Mul(Integer(c) if isinstance(c, int) else convert(c), *(self.symbols[i] for i in monomial))
                for monomial, c in polynomial.items()
            )
        )
        return Poly(total, *symbols, extension=True)

    def element(self, polynomial: Polynomial) -> Any:
        """Return an element of :attr:`poly_ring`."""
        terms = {}
        domain = self.poly_ring.domain
        for monomial, coefficient in polynomial.items():
            exponents = [0] * len(self)
            for index, power in powers(monomial):
                exponents[index] = power
            numerator, denominator = (coefficient, 1) if isinstance(coefficient, int) else _pair(coefficient)
            terms[tuple(exponents)] = domain(numerator, denominator)
        return self.poly_ring.from_dict(terms)

    def values(self, point: object) -> tuple[Field, list[Any]]:
        """Return a point as elements of one field, in the order of the ring.

        Parameters
        ----------
        point
            A mapping from symbols (or their names) to exact numbers, or a sequence with one number for each variable.

        Raises
        ------
        FormatError
            Where a variable has no value, or a name is none of the ring's.
        ShapeError
            Where a sequence has another length.
        """
        if isinstance(point, Mapping):
            known = self.assigned(point)
            missing = [name for index, name in enumerate(self.names) if index not in known]
            if missing:
                raise FormatError(f"the point: {', '.join(missing[:5])} has no value; every variable needs one")
            expressions = [known[index] for index in range(len(self))]
        elif isinstance(point, Sequence) and not isinstance(point, str):
            expressions = read_point(point, len(self))
        else:
            raise FormatError(
                f"the point: a mapping of variables to numbers, or a sequence of {len(self)} numbers, is due; got "
                f"{type(point).__name__}"
            )
        tower, values = settle(expressions, self.field)
        return tower.field, values

    def assigned(self, mapping: Mapping[Any, Any]) -> dict[int, Any]:
        """Return the values of a mapping from symbols or names by the indices of the variables."""
        place = {name: index for index, name in enumerate(self.names)}
        result = {}
        for key, value in mapping.items():
            if str(key) not in place:
                raise FormatError(f"{key} is no variable of {self!r}")
            try:
                result[place[str(key)]] = read_number(value)
            except ValueError as error:
                raise FormatError(f"the value of {key}: {error}") from None
        return result

    def point(self, field: Field, values: Sequence[Any]) -> Any:
        """Return a point as a dict from symbols to SymPy numbers."""
        return {symbol: field.sympy(value) for symbol, value in zip(self.symbols, values, strict=True)}


def _pair(value: Any) -> tuple[int, int]:
    return int(value.p), int(value.q)


class ParameterRing(Ring):
    """The ring of polynomials on Ω(m, n, k), the parameters of m inputs, n hidden neurons and k outputs.

    Examples
    --------
    >>> ring = ParameterRing(2, 2)
    >>> ring
    QQ[v1, v2, a1_1, a1_2, a2_1, a2_2, b1, b2, C]
    >>> ring.A
    Matrix([
    [a1_1, a1_2],
    [a2_1, a2_2]])
    """

    def __init__(self, m: int, n: int, k: int = 1) -> None:
        for name, value in (("m (inputs)", m), ("n (hidden neurons)", n), ("k (outputs)", k)):
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ShapeError(f"{name} must be an integer of at least 1; got {value!r:.60}")
        self.m, self.n, self.k = m, n, k
        super().__init__([name for name, *_ in self._variables()])

    def _variables(self) -> list[tuple[str, str, str]]:
        """Return the variables as (name, Macaulay2, LaTeX)."""
        m, n, k = (range(1, size + 1) for size in (self.m, self.n, self.k))
        if self.k == 1:
            outputs = [(f"v{i}", f"v_{i}", f"v_{{{i}}}") for i in n]
            constants = [("C", "C", "C")]
        else:
            outputs = [(f"M{j}_{i}", f"M_({j},{i})", f"M_{{{j},{i}}}") for j in k for i in n]
            constants = [(f"c{j}", f"c_{j}", f"c_{{{j}}}") for j in k]
        weights = [(f"a{i}_{j}", f"a_({i},{j})", f"a_{{{i},{j}}}") for i in n for j in m]
        return outputs + weights + [(f"b{i}", f"b_{i}", f"b_{{{i}}}") for i in n] + constants

    def identifiers(self, system: str) -> list[str]:
        """Return names for the variables that another system reads."""
        column = {"macaulay2": 1, "latex": 2}.get(system, 0)
        return [names[column] for names in self._variables()]

    # -- places of the parameters, counted from 0

    def output(self, j: int, i: int) -> int:
        """Return the index of M_ji."""
        return j * self.n + i

    def weight(self, i: int, j: int) -> int:
        """Return the index of a_ij."""
        return self.k * self.n + i * self.m + j

    def bias(self, i: int) -> int:
        """Return the index of b_i."""
        return self.k * self.n + self.n * self.m + i

    def row(self, i: int) -> list[int]:
        """Return the indices of (a_i, b_i)."""
        return [*(self.weight(i, j) for j in range(self.m)), self.bias(i)]

    # -- symbolic parameters

    def _matrix(self, start: int, rows: int, columns: int) -> Any:
        from sympy import ImmutableDenseMatrix

        return ImmutableDenseMatrix(rows, columns, self.symbols[start : start + rows * columns])

    @property
    def M(self) -> Any:
        """The output weights, shape (k, n)."""
        return self._matrix(0, self.k, self.n)

    @property
    def A(self) -> Any:
        """The hidden weights, shape (n, m)."""
        return self._matrix(self.weight(0, 0), self.n, self.m)

    @property
    def b(self) -> Any:
        """The hidden biases, shape (n, 1)."""
        return self._matrix(self.bias(0), self.n, 1)

    @property
    def c(self) -> Any:
        """The output biases, shape (k, 1)."""
        return self._matrix(self.bias(self.n), self.k, 1)

    # -- networks are points

    def values(self, point: object) -> tuple[Field, list[Any]]:
        """Return the parameters of a network (or of a mapping, or a sequence) in the order of the ring."""
        if not isinstance(point, Network):
            return super().values(point)
        if point.depth != 1 or point.widths != (self.m, self.n, self.k):
            raise ShapeError(
                f"the network has widths {point.widths}; {(self.m, self.n, self.k)} are due for a point of "
                f"Ω({self.m}, {self.n}, {self.k})"
            )
        (A, b), (M, c) = point.layers
        entries = [v for row in rows_of(M) for v in row] + [v for row in rows_of(A) for v in row]
        return point.field, entries + column_of(b) + column_of(c)

    def point(self, field: Field, values: Sequence[Any]) -> Network:
        """Return the network with these parameters."""
        lift = [field.rational(value) if isinstance(value, int) else value for value in values]

        def block(start: int, rows: int, columns: int) -> Any:
            cut = [lift[start + r * columns : start + (r + 1) * columns] for r in range(rows)]
            return make_matrix(field, cut, columns)

        hidden = Layer(block(self.weight(0, 0), self.n, self.m), block(self.bias(0), self.n, 1))
        output = Layer(block(0, self.k, self.n), block(self.bias(self.n), self.k, 1))
        return Network.from_layers([hidden, output], field)
