"""The minimal form θ_min of a shallow network with one output (the paper's Definitions 3 to 5).

The equivalence ∼ is generated, together with H_n, by: a neuron with v_i = 0 may take any row; neurons on the same ray
merge; a neuron with a_i = 0 moves to the constant C. θ_min is read off the masses: a ray with total weight w ≠ 0
becomes a neuron (sign w; |w|·(a, b)). Large float networks stay in arrays where binary64 holds the products.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from relusym.errors import ShapeError
from relusym.exact.field import QQ, Field
from relusym.exact.matrix import make_matrix
from relusym.parameters.network import Layer, Network
from relusym.shallow.float_rays import FloatRays, float_rays
from relusym.shallow.masses import Vector, masses, require_shallow, scaled
from relusym.shallow.ridge_form import descending

if TYPE_CHECKING:
    from relusym.symbolic.activation import ActivationForm


def require_one_output(f: Network, what: str) -> None:
    """Raise :class:`ShapeError` unless the network has one hidden layer and one output."""
    require_shallow(f, what)
    if f.depth == 0:
        raise ShapeError(f"{what} takes a network with one hidden layer; this one has none")
    if f.widths[-1] != 1:
        raise ShapeError(f"{what} takes one output; this network has {f.widths[-1]} (project(f, i) gives one of them)")


def _minimal_neurons(f: Network, rays: FloatRays | None) -> tuple[Field, list[tuple[int, Vector]], Any]:
    """Return the field, the neurons (u, (a, b)) of θ_r in the order of Definition 3, and C."""
    if rays is not None:
        return QQ, _in_order(rays.neurons()), rays.constant
    parts = masses(f)
    neurons = []
    for plane in parts.planes.values():
        for side, mass in ((1, plane.positive[0]), (-1, plane.negative[0])):
            if mass != 0:
                neurons.append((1 if mass > 0 else -1, scaled(plane.row, side * abs(mass))))
    return parts.field, _in_order(neurons), parts.constant[0]


def _in_order(neurons: list[tuple[int, Vector]]) -> list[tuple[int, Vector]]:
    return sorted(neurons, key=lambda neuron: (-neuron[0], descending(neuron[1])))


def _reduced(f: Network, width: int | None) -> Network:
    """Return θ_r, filled up with zeros to ``width`` where it is given."""
    rays = float_rays(f)
    quick = None if rays is None else rays.network(len(rays.ratios) if width is None else width)
    if quick is not None:
        return quick
    field, neurons, constant = _minimal_neurons(f, rays)
    return _network(field, neurons, constant, len(neurons) if width is None else width, f.widths[0])


def _network(field: Field, neurons: list[tuple[int, Vector]], constant: Any, width: int, inputs: int) -> Network:
    zeros = [0] * (width - len(neurons))
    zero = field.rational(0)
    rows = [row[:-1] for _, row in neurons] + [[zero] * inputs for _ in zeros]
    biases = [[row[-1]] for _, row in neurons] + [[zero] for _ in zeros]
    signs = [field.rational(sign) for sign, _ in neurons] + [zero for _ in zeros]
    hidden = Layer(make_matrix(field, rows, inputs), make_matrix(field, biases, 1))
    output = Layer(make_matrix(field, [signs], width), make_matrix(field, [[constant]], 1))
    return Network.from_layers([hidden, output], field)


@overload
def minimal_form(f: Network) -> Network: ...
@overload
def minimal_form(f: Network, *, activation: Any) -> ActivationForm: ...
def minimal_form(f: Network, *, activation: Any = None) -> Network | ActivationForm:
    """Return θ_min, of the same widths as ``f``: output weights in {0, ±1}, as many zeros as possible.

    Neurons come with +1 first, then −1, then 0, and inside one sign by (a, b) descending lexicographically; a neuron
    with output weight 0 has (a, b) = 0. Two networks have the same minimal form exactly when they are ∼ equivalent.

    Parameters
    ----------
    f
        A network with one hidden layer and one output.
    activation
        None for ReLU; a SymPy function or ``Lambda`` of one argument reads the parameters with that activation
        (Remark 1): then only equal rows merge, and the answer keeps constants such as tanh(1/3) beside the network.

    Raises
    ------
    ShapeError
        Unless ``f`` has one hidden layer and one output.

    Examples
    --------
    >>> from relusym import load, minimal_form
    >>> print(minimal_form(load("example:example1-row2")))
    Network 3-3-1 over QQ
    layer 0 (ReLU)
      [11  11  11 | 0]
      [ 5   2   1 | 0]
      [ 0   0   0 | 0]
    layer 1 (output)
      [ 1  -1   0 | 0]
    """
    if activation is not None:
        from relusym.symbolic.activation import minimal_form as with_activation

        return with_activation(f, activation)
    require_one_output(f, "the minimal form")
    return _reduced(f, f.widths[1])


def zero_factor_rank(f: Network) -> int:
    """Return the number of zeros among the output weights of the minimal form (Definition 4).

    Examples
    --------
    >>> from relusym import load, zero_factor_rank
    >>> zero_factor_rank(load("example:example1-row2"))
    1
    """
    require_one_output(f, "the 0-factor rank")
    rays = float_rays(f)
    return f.widths[1] - len(_minimal_neurons(f, None)[1] if rays is None else rays.ratios)


def reduce(f: Network) -> Network:
    """Return θ_r, the minimal form without its zeros (Definition-Lemma 5); its width may be 0.

    Examples
    --------
    >>> from relusym import load, reduce
    >>> reduce(load("example:cancelling"))
    Network(3-0-1 over QQ)
    """
    require_one_output(f, "the 0-factor reduction")
    return _reduced(f, None)
