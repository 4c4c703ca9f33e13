"""Minimal forms and ∼ for networks with any activation f.

This is Remark 1 of *A Complete Symmetry Classification of Shallow ReLU Networks*. Only permutations and equal rows are
left of the ReLU case: a neuron with v_i = 0 may take any row; neurons with the same (a, b) merge; a neuron with a_i = 0
becomes dead and v_i f(b_i) joins the constant. Values f(b_i) such as tanh(1/3) are in no number field, so the constant
is kept beside the network as a SymPy number, and comparing two of them is three-valued:

* the terms cancel: equal;
* f(b) is an algebraic number for every term that is left: decided exactly;
* the difference, enclosed by ball arithmetic (FLINT's ``arb``), excludes 0: different;
* else undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flint import arb, ctx, fmpq

from relusym.errors import FormatError, RelusymError, ShapeError
from relusym.exact.expression import shown
from relusym.exact.field import Field
from relusym.exact.matrix import column_of, make_matrix, rows_of
from relusym.exact.numbers import read_number, settle
from relusym.exact.tower import Embedding, common_tower
from relusym.parameters.network import Layer, Network
from relusym.shallow.masses import Vector
from relusym.shallow.ridge_form import descending
from relusym.symbolic.reading import written
from relusym.verdict import Decision

_BITS = (64, 128, 256, 512, 1024)


@dataclass(frozen=True)
class ActivationForm:
    """The minimal form of a network with an activation f.

    Attributes
    ----------
    network : Network
        The merged neurons in descending order of (a, b), then dead ones; its output bias is the C that was given.
    constants : dict
        b → Σ v_i over the constant neurons with this bias: what f(b) is multiplied with, as SymPy numbers.
    constant : sympy.Expr
        C + Σ v_i f(b_i), unevaluated where f(b) is no closed form.
    """

    network: Network
    activation: Any
    constants: Mapping[Any, Any]

    @cached_property
    def constant(self) -> Any:
        """The constant C + Σ v_i f(b_i) as a SymPy expression."""
        from sympy import Add, Mul

        terms = (Mul(weight, self.activation(bias)) for bias, weight in self.constants.items())
        return Add(self.network.c[0], *terms)


@dataclass
class _Merged:
    """Total output weights by row, and by bias for constant neurons."""

    field: Field
    neurons: dict[Hashable, tuple[Vector, Any]]
    constants: dict[Hashable, tuple[Any, Any]]
    bias: Any


def minimal_form(f: Network, activation: Any) -> ActivationForm:
    """Return the minimal form of x ↦ v·f(Ax + b) + C for an activation f.

    Parameters
    ----------
    f
        A network with one hidden layer and one output; its parameters are read with ``activation`` in place of ReLU.
    activation
        A SymPy function (``sympy.tanh``) or ``Lambda`` of one argument.

    Raises
    ------
    ShapeError
        Where the network is of another shape.
    FormatError
        Where the activation is no SymPy function of one argument.

    Examples
    --------
    >>> from sympy import tanh
    >>> from relusym import Network
    >>> f = Network.shallow([1, 2, 5, 3], [[1], [1], [2], [0]], [0, 0, 1, "1/3"], 4)
    >>> form = minimal_form(f, tanh)
    >>> print(form.network)
    Network 1-4-1 over QQ
    layer 0 (ReLU)
      [2 | 1]
      [1 | 0]
      [0 | 0]
      [0 | 0]
    layer 1 (output)
      [5  3  0  0 | 4]
    >>> form.constant
    3*tanh(1/3) + 4
    """
    function = _function(activation)
    merged = _merge(f, None)
    field = merged.field
    rows = sorted(merged.neurons.values(), key=lambda item: descending(item[0]))
    zero = field.rational(0)
    width, inputs = f.widths[1], f.widths[0]
    dead = width - len(rows)
    weights = [row[:-1] for row, _ in rows] + [[zero] * inputs] * dead
    biases = [[row[-1]] for row, _ in rows] + [[zero]] * dead
    output = [weight for _, weight in rows] + [zero] * dead
    network = Network.from_layers(
        [
            Layer(make_matrix(field, weights, inputs), make_matrix(field, biases, 1)),
            Layer(make_matrix(field, [output], width), make_matrix(field, [[merged.bias]], 1)),
        ],
        field,
    )
    constants = {field.sympy(bias): field.sympy(weight) for bias, weight in merged.constants.values()}
    return ActivationForm(network, function, constants)


def similar(f: Network, g: Network, activation: Any) -> Decision:
    """Decide whether two networks with an activation are equal up to S_n and the three moves of Remark 1.

    Parameters
    ----------
    f, g
        Networks with one hidden layer, one output and the same number of inputs.
    activation
        A SymPy function or ``Lambda`` of one argument.

    Returns
    -------
    Decision
        Three-valued: None where neither cancellation nor 1024 bits of ball arithmetic compare the constants. .witness
        for "no": the row (a, b) with different total weights, or None where the constants differ.

    Raises
    ------
    ShapeError
        Where the networks are of another shape.
    FormatError
        Where the activation is no SymPy function of one argument.

    Examples
    --------
    >>> from sympy import tanh
    >>> from relusym import Network
    >>> f = Network.shallow([1, 2], [[1], [1]], [0, 0], 0)
    >>> similar(f, Network.shallow([3], [[1]], [0], 0), tanh).truth
    True
    >>> similar(f, Network.shallow([3, 1], [[1], [0]], [0, "1/3"], 0), tanh)
    Decision(False: the constants differ by -tanh(1/3), which is not 0)
    """
    function = _function(activation)
    if f.widths[0] != g.widths[0]:
        raise ShapeError(f"the networks have {f.widths[0]} and {g.widths[0]} inputs; the same number is due")
    tower = common_tower([f.field, g.field])
    left, right = (_merge(network, tower.embedding(network.field)) for network in (f, g))
    field = tower.field
    zero = field.rational(0)
    for name in {**left.neurons, **right.neurons}:
        weights = [side.neurons[name][1] if name in side.neurons else zero for side in (left, right)]
        if weights[0] != weights[1]:
            row = (left.neurons.get(name) or right.neurons[name])[0]
            witness = tuple(map(field.sympy, row))
            return Decision(False, f"the total output weights on the row {witness} differ", witness=witness)
    difference = {name: (bias, weight) for name, (bias, weight) in left.constants.items()}
    for name, (bias, weight) in right.constants.items():
        difference[name] = (bias, difference[name][1] - weight if name in difference else -weight)
    terms = [(field.sympy(bias), field.sympy(weight)) for bias, weight in difference.values() if weight != 0]
    return _compare_constants(function, left.bias - right.bias, terms, field)


def _function(activation: Any) -> Callable[[Any], Any]:
    from sympy import Function, Lambda

    if isinstance(activation, Lambda) and len(activation.signature) == 1:
        return activation  # type: ignore[no-any-return]
    if isinstance(activation, type) and issubclass(activation, Function):
        arities = getattr(activation, "nargs", None)
        if arities is None or 1 in arities:
            return activation
    raise FormatError(
        f"activation: a SymPy function such as tanh, or a Lambda, of one argument is due; got {shown(repr(activation))}"
    )


def _merge(f: Network, embedding: Embedding | None) -> _Merged:
    if f.depth != 1 or f.widths[-1] != 1:
        raise ShapeError(
            f"with an activation one hidden layer and one output are due; this network has {f.depth} and {f.widths[-1]}"
        )
    field = f.field if embedding is None else embedding.target
    embed: Callable[[Any], Any] = field.rational if embedding is None and field.degree == 1 else embedding or _same
    hidden, last = f.layers
    merged = _Merged(field, {}, {}, embed(column_of(last.bias)[0]))
    biases = column_of(hidden.bias)
    for index, row in enumerate(rows_of(hidden.weight)):
        weight, bias = embed(last.weight.entry(0, index)), embed(biases[index])
        values = [embed(value) for value in row]
        if any(value != 0 for value in values):
            row_name = tuple(map(field.key, [*values, bias]))
            _, known = merged.neurons.get(row_name, (None, field.rational(0)))
            merged.neurons[row_name] = [*values, bias], known + weight
        else:
            name = field.key(bias)
            _, known = merged.constants.get(name, (None, field.rational(0)))
            merged.constants[name] = bias, known + weight
    merged.neurons = {name: item for name, item in merged.neurons.items() if item[1] != 0}
    merged.constants = {name: item for name, item in merged.constants.items() if item[1] != 0}
    return merged


def _same(value: Any) -> Any:
    return value


def _compare_constants(
    function: Callable[[Any], Any], bias: Any, terms: list[tuple[Any, Any]], field: Field
) -> Decision:
    """Decide whether bias + Σ weight·f(b) is 0."""
    from sympy import Add, Mul, expand

    total = expand(Add(field.sympy(bias), *(Mul(weight, function(b)) for b, weight in terms)))
    if total.free_symbols:
        raise FormatError(f"activation: its value has the free symbols {sorted(map(str, total.free_symbols))}")
    if total == 0:
        return Decision(True, "the neurons and the constants agree")
    sign = _exact_sign(total)
    if sign == 0:
        return Decision(True, "the neurons and the constants agree")
    if sign is not None or _excludes_zero(total):
        return Decision(False, f"the constants differ by {written(total)}, which is not 0")
    return Decision(None, f"the neurons agree; whether {written(total)} is 0 is not decided")


def _exact_sign(total: Any) -> int | None:
    """Return the sign of an algebraic number, None for other numbers."""
    try:
        tower, (value,) = settle([read_number(total)])
    except RelusymError:
        return None
    return tower.field.sign(value)


def _excludes_zero(total: Any) -> bool:
    """Return whether ball arithmetic proves that a number is not 0."""
    before = ctx.prec
    try:
        for bits in _BITS:
            ctx.prec = bits
            ball = _ball(total)
            if ball is None:
                return False
            if not ball.contains(0):
                return True
    finally:
        ctx.prec = before
    return False


_BALLS: Mapping[str, Callable[[arb], arb]] = {
    "exp": arb.exp,
    "log": arb.log,
    "tanh": arb.tanh,
    "sinh": arb.sinh,
    "cosh": arb.cosh,
    "sin": arb.sin,
    "cos": arb.cos,
    "tan": arb.tan,
    "atan": arb.atan,
    "asinh": arb.asinh,
    "erf": arb.erf,
}


def _ball(number: Any) -> arb | None:
    """Return a ball that holds a real number; None where the expression is not known here."""
    from sympy import Abs, Add, Max, Min, Mul, Pow, Rational, pi

    if isinstance(number, Rational):
        return arb(fmpq(int(number.p), int(number.q)))
    if number == pi:
        return arb.pi()
    if number.is_Number or not number.args:
        return arb(1).exp() if str(number) == "E" else None
    balls = [_ball(argument) for argument in number.args]
    known = [ball for ball in balls if ball is not None]
    if len(known) < len(balls):
        return None
    match number:
        case Add():
            return sum(known, arb(0))
        case Mul():
            product = arb(1)
            for ball in known:
                product = product * ball
            return product
        case Pow():
            return known[0] ** known[1]
        case Abs():
            return abs(known[0])
        case Max() | Min():
            result = known[0]
            for ball in known[1:]:
                result = result.max(ball) if isinstance(number, Max) else result.min(ball)
            return result
    made = _BALLS.get(type(number).__name__)
    return None if made is None or len(known) != 1 else made(known[0])
