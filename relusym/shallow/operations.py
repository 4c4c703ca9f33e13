"""Operations on parameters: the difference θ1 ⊖ θ2 and the projections π_i."""

from __future__ import annotations

from relusym.errors import ShapeError
from relusym.exact.matrix import column_of, make_matrix, rows_of
from relusym.exact.tower import common_tower
from relusym.parameters.network import Layer, Network
from relusym.shallow.masses import require_shallow


def _require_one_hidden(f: Network, what: str) -> None:
    require_shallow(f, what)
    if f.depth == 0:
        raise ShapeError(f"{what} takes a network with one hidden layer; this one has none")


def ominus(f: Network, g: Network) -> Network:
    """Return θ1 ⊖ θ2 = ([M1, −M2], [A1; A2], [b1; b2], c1 − c2), which realises f − g (Definition 7).

    Parameters
    ----------
    f, g
        Networks with one hidden layer, the same inputs and the same outputs; the widths may differ.

    Raises
    ------
    ShapeError
        Where the sizes do not agree.

    Examples
    --------
    >>> from relusym import load, ominus
    >>> h = ominus(load("example:theta1"), load("example:theta2"))
    >>> h, h([5, 7])
    (Network(2-6-1 over QQ), (0,))
    """
    _require_one_hidden(f, "⊖")
    _require_one_hidden(g, "⊖")
    if (f.widths[0], f.widths[-1]) != (g.widths[0], g.widths[-1]):
        raise ShapeError(
            f"⊖ takes networks with the same inputs and outputs; these have {f.widths[0]}, {f.widths[-1]} "
            f"and {g.widths[0]}, {g.widths[-1]}"
        )
    tower = common_tower([f.field, g.field])
    field = tower.field
    lift = [tower.embedding(network.field) for network in (f, g)]
    rows, biases = [], []
    for network, embed in zip((f, g), lift, strict=True):
        rows += [[embed(v) for v in row] for row in rows_of(network.layers[0].weight)]
        biases += [[embed(v)] for v in column_of(network.layers[0].bias)]
    outputs = [
        [*(lift[0](v) for v in left), *(-lift[1](v) for v in right)]
        for left, right in zip(rows_of(f.layers[1].weight), rows_of(g.layers[1].weight), strict=True)
    ]
    constants = [
        [lift[0](a) - lift[1](b)] for a, b in zip(column_of(f.layers[1].bias), column_of(g.layers[1].bias), strict=True)
    ]
    hidden = Layer(make_matrix(field, rows, f.widths[0]), make_matrix(field, biases, 1))
    output = Layer(make_matrix(field, outputs, len(rows)), make_matrix(field, constants, 1))
    return Network.from_layers([hidden, output], field)


def project(f: Network, i: int) -> Network:
    """Return π_i(θ) = (row i of M, A, b, c_i): the network of output ``i`` alone.

    Raises
    ------
    ShapeError
        Where there is no output ``i``, or not one hidden layer.

    Examples
    --------
    >>> from relusym import Network, project
    >>> project(Network.shallow([[1, 2], [3, 4]], [[1], [-1]], [0, 0], [5, 6]), 1)
    Network(1-2-1 over QQ)
    """
    _require_one_hidden(f, "π_i")
    if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < f.widths[-1]:
        raise ShapeError(f"π_i takes an output from 0 to {f.widths[-1] - 1}; got {i!r}")
    weight, bias = f.layers[1]
    output = Layer(
        make_matrix(weight.field, [weight.row(i)], weight.ncols), make_matrix(bias.field, [[bias.entry(i, 0)]], 1)
    )
    return Network.from_layers([f.layers[0], output], f.field)
