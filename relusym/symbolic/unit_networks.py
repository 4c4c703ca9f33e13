"""From forms in ReLU units to a layered network, and from a network to SymPy expressions.

A unit that is d layers deep stands in layer d. What a later layer needs of an earlier one is carried along: a unit as
itself (σ(y) = y for y ≥ 0), a linear form of the inputs as the pair σ(ℓ), σ(−ℓ).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from relusym.errors import FormatError, ShapeError
from relusym.exact.field import Field
from relusym.exact.matrix import column_of, make_matrix, rows_of
from relusym.parameters.network import Layer, Network
from relusym.shallow.ridge_form import canonical_factor
from relusym.symbolic.units import Form, Units, times

Place: TypeAlias = tuple[str, int]
"""What a neuron holds: ("unit", atom), or ("+", t) and ("-", t) for the two sides of carried linear form t."""


def network_of(units: Units, outputs: Sequence[Form]) -> Network:
    """Return a network with these outputs; of depth 0 where they need no unit."""
    return _Layering(units, outputs).network()


class _Layering:
    def __init__(self, units: Units, outputs: Sequence[Form]) -> None:
        self.units = units
        self.outputs = list(outputs)
        self.atoms = units.used(outputs)
        self.depth = max((units.level(form) for form in outputs), default=0)
        self.level = {atom: 1 + units.level(self._argument(atom)) for atom in self.atoms}
        self.last_use: dict[int, int] = {}
        late = []
        for form, level in self._leveled_forms():
            for atom in form.terms:
                self.last_use[atom] = max(self.last_use.get(atom, 0), level - 1)
            linear = self._linear(form)
            if level >= 2 and linear:
                late.append((linear, level - 1))
        self.carried = self._carried_forms(late)

    def _argument(self, atom: int) -> Form:
        return self.units.arguments[atom - self.units.inputs]

    def _leveled_forms(self) -> Iterable[tuple[Form, int]]:
        for atom in self.atoms:
            yield self._argument(atom), self.level[atom]
        for form in self.outputs:
            yield form, self.depth + 1

    def _linear(self, form: Form) -> dict[int, Any]:
        return {atom: value for atom, value in sorted(form.terms.items()) if atom < self.units.inputs}

    def _carried_forms(self, late: list[tuple[dict[int, Any], int]]) -> list[tuple[dict[int, Any], int]]:
        """Return linear forms that span what is needed late, with the last layer that must hold them.

        Either the forms themselves, up to a factor, or the single inputs, whichever are fewer.
        """
        field = self.units.field
        forms: dict[Any, tuple[dict[int, Any], int]] = {}
        singles: dict[int, tuple[dict[int, Any], int]] = {}
        for linear, until in late:
            name = self.units.key(Form(_monic(linear), field.rational(0)))
            kept, last = forms.get(name, (linear, 0))
            forms[name] = kept, max(last, until)
            for atom in linear:
                singles[atom] = {atom: field.rational(1)}, max(singles.get(atom, ({}, 0))[1], until)
        return list(forms.values()) if len(forms) <= len(singles) else list(singles.values())

    def network(self) -> Network:
        field = self.units.field
        layers = []
        previous: list[Place] = [("input", index) for index in range(self.units.inputs)]
        for layer in range(1, self.depth + 1):
            places: list[Place] = [("unit", atom) for atom in self.atoms if self._held(atom, layer)]
            for number, (_, last) in enumerate(self.carried):
                if last >= layer:
                    places += [("+", number), ("-", number)]
            rows = [self._row(place, previous, layer) for place in places]
            layers.append(self._layer(rows, previous))
            previous = places
        layers.append(self._layer([self._form_row(form, previous, self.depth + 1) for form in self.outputs], previous))
        return Network.from_layers(layers, field)

    def _held(self, atom: int, layer: int) -> bool:
        return self.level[atom] <= layer <= max(self.last_use[atom], self.level[atom])

    def _layer(self, rows: list[tuple[dict[Place, Any], Any]], previous: list[Place]) -> Layer:
        field = self.units.field
        zero = field.rational(0)
        weights = [[row.get(place, zero) for place in previous] for row, _ in rows]
        return Layer(
            make_matrix(field, weights, len(previous)), make_matrix(field, [[constant] for _, constant in rows], 1)
        )

    def _row(self, place: Place, previous: list[Place], layer: int) -> tuple[dict[Place, Any], Any]:
        kind, index = place
        one, zero = self.units.field.rational(1), self.units.field.rational(0)
        if kind == "unit":
            if self.level[index] == layer:
                return self._form_row(self._argument(index), previous, layer)
            return {place: one}, zero
        if layer > 1:
            return {place: one}, zero
        sign = 1 if kind == "+" else -1
        return {("input", atom): sign * value for atom, value in self.carried[index][0].items()}, zero

    def _form_row(self, form: Form, previous: list[Place], layer: int) -> tuple[dict[Place, Any], Any]:
        """Return a form in terms of what the previous layer holds."""
        row: dict[Place, Any] = {
            ("unit", atom): value for atom, value in form.terms.items() if atom >= self.units.inputs
        }
        linear = self._linear(form)
        if layer == 1:
            row.update((("input", atom), value) for atom, value in linear.items())
            return row, form.constant
        while linear:
            number, factor = self._carrier(linear)
            row["+", number], row["-", number] = factor, -factor
            for atom in self.carried[number][0]:
                del linear[atom]
        return row, form.constant

    def _carrier(self, linear: dict[int, Any]) -> tuple[int, Any]:
        """Return a carried form that is, up to a factor, the linear form itself or its first input."""
        lead = min(linear)
        for number, (carried, _) in enumerate(self.carried):
            if min(carried) != lead:
                continue
            factor = linear[lead] / carried[lead]
            if len(carried) == 1 and all(len(form) == 1 for form, _ in self.carried):
                return number, factor
            if carried.keys() == linear.keys() and all(linear[a] == factor * v for a, v in carried.items()):
                return number, factor
        raise AssertionError("every linear form that is needed late is carried")  # pragma: no cover


def _monic(linear: dict[int, Any]) -> dict[int, Any]:
    lead = linear[min(linear)]
    return {atom: value / lead for atom, value in linear.items()}


def form_to_sympy(units: Units, form: Form, symbols: Sequence[Any]) -> Any:
    """Return a form as a SymPy expression, its units as Max(0, …); canonical units with primitive coefficients."""
    from sympy import Integer, Max

    one = units.field.rational(1)
    written = list(symbols)
    scales = [one] * units.inputs

    def write(part: Form) -> Any:
        terms = {atom: value / scales[atom] for atom, value in part.terms.items()}
        return _sum(units.field, Form(terms, part.constant), written)

    needed = set(units.used([form]))
    for atom, argument in enumerate(units.arguments, start=units.inputs):
        scale, expression = one, None
        if atom in needed:
            if units.canonical:
                row = [value for _, value in sorted(argument.terms.items())]
                scale = canonical_factor(units.field, [*row, argument.constant])
            expression = Max(Integer(0), write(times(argument, scale)), evaluate=False)
        scales.append(scale)
        written.append(expression)
    return write(form)


def _sum(field: Field, form: Form, written: Sequence[Any]) -> Any:
    from sympy import Add, Mul

    terms = [Mul(field.sympy(value), written[atom]) for atom, value in sorted(form.terms.items())]
    return Add(*terms, field.sympy(form.constant))


def network_to_sympy(network: Network, symbols: Sequence[Any]) -> tuple[Any, ...]:
    """Return the outputs of a network as SymPy expressions in ``symbols``, hidden neurons as Max(0, …).

    Parameters
    ----------
    network
        A network of any depth.
    symbols
        One SymPy symbol (or expression) for each input.

    Raises
    ------
    ShapeError
        Where the number of symbols is not that of the inputs.

    Examples
    --------
    >>> from sympy.abc import x, y
    >>> from relusym import Network
    >>> network_to_sympy(Network.shallow([1, -2], [[1, 1], [0, 3]], [0, 1], 5), [x, y])
    (Max(0, x + y) - 2*Max(0, 3*y + 1) + 5,)
    """
    from sympy import Integer, Max, sympify

    try:
        values = [sympify(symbol, strict=True) for symbol in symbols]
    except (TypeError, ValueError):
        raise FormatError("the symbols: SymPy symbols are due, one for each input") from None
    if len(values) != network.widths[0]:
        raise ShapeError(f"{len(values)} symbols are given; the network has {network.widths[0]} inputs")
    field = network.field
    constants: dict[int, Any] = {}
    for index, (weight, bias) in enumerate(network.layers):
        made, known = [], {}
        for place, (row, start) in enumerate(zip(rows_of(weight), column_of(bias), strict=True)):
            constant: Any = start
            terms = {}
            for column, factor in enumerate(row):
                if factor != 0 and column in constants:
                    constant = constant + factor * constants[column]
                elif factor != 0:
                    terms[column] = factor
            form = Form(terms, constant)
            if index < network.depth and not terms:
                # The sign of a number is decided here, not by SymPy.
                form = Form({}, constant if constant > 0 else constant * 0)
            if not terms:
                known[place] = form.constant
            expression = _sum(field, form, values)
            inner = index < network.depth and terms
            made.append(Max(Integer(0), expression, evaluate=False) if inner else expression)
        values, constants = made, known
    return tuple(values)
