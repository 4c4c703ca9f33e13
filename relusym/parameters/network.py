"""A ReLU network: a point θ of parameter space, held exactly.

z^(l) = W_l y^(l−1) + b_l, y^(l) = σ(z^(l)), f = z^(L+1), where σ(t) = max(0, t) acts entrywise. One hidden layer is
written ρ(θ)(x) = M σ(A x + b) + c. A network keeps the arrays that it was given; SymPy matrices are built when asked
for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import index as index_of
from typing import TYPE_CHECKING, Any, NamedTuple

from relusym.errors import RelusymError, ShapeError
from relusym.exact.field import QQ, Field
from relusym.exact.matrix import (
    Allowance,
    FloatMatrix,
    Matrix,
    column_of,
    make_matrix,
    read_matrix,
    read_vector,
    rows_of,
    to_sympy,
)
from relusym.exact.numbers import read_point, settle
from relusym.exact.tower import Embedding
from relusym.limits import Limits

if TYPE_CHECKING:
    from relusym.exact.expression import Expression


_MOST_INPUTS = 10_000_000  # a bound for networks without weights, whose files could claim any number


class Layer(NamedTuple):
    """One affine map: weight of shape (outputs, inputs), bias of shape (outputs, 1)."""

    weight: Matrix
    bias: Matrix


def require_network(value: object, what: str) -> None:
    """Raise :class:`RelusymError` unless ``value`` is a network."""
    if not isinstance(value, Network):
        kind = type(value).__name__
        raise RelusymError(f"{what} takes a Network; got {kind} (load(path) reads a file)")


class Network:
    """A feed-forward ReLU network with exact parameters; immutable.

    Parameters
    ----------
    layers
        A sequence of (weight, bias), weight of shape (outputs, inputs) and bias of length outputs. Hidden layers
        apply ReLU, the last layer does not; one layer alone is an affine map. Entries: int, Fraction, Decimal, text
        such as "-3/7" or "1 + sqrt(2)", real algebraic SymPy numbers, FLINT numbers, and floats, which are the dyadic
        rationals that they hold. Float arrays of NumPy are kept as they are.
    inputs
        The number of inputs n_0, needed where the first weight has no rows.
    limits
        ``Limits(field_degree=...)`` bounds the degree of the number field that holds all entries.

    Raises
    ------
    ShapeError
        Where sizes do not fit; the message names the layer.
    FormatError, FieldError
        Where an entry is no real algebraic number; the message names the layer and the entry.

    Notes
    -----
    ``==`` and ``hash`` compare parameters by value, whatever field or representation they are in; they never compare
    functions: that is :func:`relusym.equal`.

    Examples
    --------
    >>> from relusym import Network
    >>> f = Network([([[1, -1]], ["1/2"]), ([[2]], [0])])
    >>> f
    Network(2-1-1 over QQ)
    >>> f([3, 1])
    (5,)
    """

    __slots__ = ("_field", "_hash", "layers", "widths")

    layers: tuple[Layer, ...]
    widths: tuple[int, ...]
    _field: Field
    _hash: int | None

    def __init__(
        self, layers: Sequence[tuple[Any, Any]], inputs: int | None = None, *, limits: Limits | None = None
    ) -> None:
        allowance = Allowance()
        read = [_read_layer(index, layer, allowance) for index, layer in enumerate(_layer_list(layers))]
        widths = _chain(read, inputs)
        pending = [entry for pair in read for part in pair if isinstance(part, list) for row in part for entry in row]
        tower, values = settle(pending, QQ, field_degree(limits), lambda index: _place(read, index))
        supply = iter(values)
        made = []
        for (weight, bias), ncols in zip(read, widths, strict=False):
            exact = [
                part
                if isinstance(part, FloatMatrix)
                else make_matrix(tower.field, [[next(supply) for _ in row] for row in part], width)
                for part, width in ((weight, ncols), (bias, 1))
            ]
            made.append(Layer(*exact))
        set_once = object.__setattr__
        set_once(self, "layers", tuple(made))
        set_once(self, "widths", widths)
        set_once(self, "_field", tower.field)
        set_once(self, "_hash", None)

    @classmethod
    def shallow(cls, M: Any, A: Any, b: Any, c: Any, *, limits: Limits | None = None) -> Network:
        """Return the network M σ(A x + b) + c of one hidden layer.

        Parameters
        ----------
        M
            Shape (k, n); for k = 1 also a flat vector v of length n.
        A, b
            Shape (n, m) and length n.
        c
            Length k; for k = 1 also a single number.
        limits
            ``Limits(field_degree=...)``, as for :class:`Network`.

        Raises
        ------
        ShapeError
            Where the sizes do not fit.

        Examples
        --------
        >>> from relusym import Network
        >>> Network.shallow([1, 2], [[1], [-1]], [0, 1], 3)
        Network(1-2-1 over QQ)
        """
        if _is_flat(M):
            M = [M]
        if isinstance(c, str) or not (hasattr(c, "__len__") or hasattr(c, "tolist")) or getattr(c, "shape", None) == ():
            c = [c]
        return cls([(A, b), (M, c)], limits=limits)

    @classmethod
    def from_layers(cls, layers: Sequence[Layer], field: Field) -> Network:
        """Return the network of matrices that are exact already, all in ``field`` or Q; only sizes are checked."""
        network = cls.__new__(cls)
        widths = (layers[0].weight.ncols, *(layer.weight.nrows for layer in layers))
        for index, layer in enumerate(layers):
            if layer.weight.ncols != widths[index] or layer.bias.nrows != widths[index + 1]:
                raise ShapeError(f"layer {index}: sizes do not chain")
        for name, value in (("layers", tuple(layers)), ("widths", widths), ("_field", field), ("_hash", None)):
            object.__setattr__(network, name, value)
        return network

    @classmethod
    def from_sklearn(cls, mlp: Any) -> Network:
        """Return the network of a fitted scikit-learn ``MLPClassifier`` or ``MLPRegressor`` with ReLU.

        It is the affine part before the output activation: a regressor's prediction itself; for a classifier, what
        enters the logistic function or the softmax.

        Raises
        ------
        FormatError
            Where the object is of another kind, is not fitted, or has another activation.
        """
        from relusym.io.sklearn_models import from_sklearn

        return from_sklearn(mlp)

    @classmethod
    def from_sympy(cls, exprs: Any, symbols: Iterable[Any]) -> Network:
        """Return the network of SymPy expressions in Max, Min, Abs and Piecewise with linear conditions.

        Parameters
        ----------
        exprs
            One expression, or a sequence of them, one for each output.
        symbols
            The inputs, in order.

        Raises
        ------
        FormatError
            Where an expression is not continuous piecewise linear; the message names the sub-expression.

        Examples
        --------
        >>> from sympy import Max
        >>> from sympy.abc import x, y
        >>> from relusym import Network
        >>> Network.from_sympy(Max(x, y), [x, y])
        Network(2-3-1 over QQ)
        """
        from relusym.symbolic.expressions import network_from_sympy

        return network_from_sympy(exprs, symbols)

    def to_sympy(self, symbols: Sequence[Any]) -> tuple[Any, ...]:
        """Return the outputs as SymPy expressions in ``symbols``, hidden neurons as Max(0, …).

        Raises
        ------
        ShapeError
            Where the number of symbols is not that of the inputs.

        Examples
        --------
        >>> from sympy.abc import x
        >>> from relusym import Network
        >>> Network.shallow([2], [[1]], [-1], 3).to_sympy([x])
        (2*Max(0, x - 1) + 3,)
        """
        from relusym.symbolic.expressions import network_to_sympy

        return network_to_sympy(self, symbols)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, limits: Limits | None = None) -> Network:
        """Return the network that a JSON object describes; see :meth:`to_dict`.

        Parameters
        ----------
        data
            The object.
        limits
            ``Limits(field_degree=...)``, as for :class:`Network`.

        Raises
        ------
        FormatError
            Where the object is not of the format, or holds JSON floats without saying how to read them ("floats").

        Examples
        --------
        >>> from relusym import Network
        >>> Network.from_dict({"format": "relusym-network", "version": 1, "inputs": 1,
        ...                    "layers": [{"weight": [["1/2"]], "bias": ["3"]}]})
        Network(1-1 over QQ)
        """
        from relusym.parameters.json_object import network_from_object

        return network_from_object(data, limits)

    def to_dict(self) -> dict[str, Any]:
        """Return the network as a JSON object with exact numbers as text; :meth:`from_dict` reads it back equal."""
        from relusym.parameters.json_object import network_to_object

        return network_to_object(self)

    # -- parameters

    @property
    def depth(self) -> int:
        """The number L of hidden layers."""
        return len(self.layers) - 1

    @property
    def field(self) -> Field:
        """The field that holds all entries: QQ or a real number field."""
        return self._field

    @property
    def weights(self) -> tuple[Any, ...]:
        """The weights of all layers as SymPy matrices of shape (outputs, inputs), built on access."""
        return tuple(to_sympy(layer.weight) for layer in self.layers)

    @property
    def biases(self) -> tuple[Any, ...]:
        """The biases of all layers as SymPy column matrices, built on access."""
        return tuple(to_sympy(layer.bias) for layer in self.layers)

    def _require_shallow(self, name: str) -> None:
        if self.depth != 1:
            raise ShapeError(
                f".{name} is for one hidden layer; this network has {self.depth} (use .weights and .biases)"
            )

    @property
    def M(self) -> Any:
        """The output weight of a network with one hidden layer, shape (k, n)."""
        self._require_shallow("M")
        return to_sympy(self.layers[1].weight)

    @property
    def A(self) -> Any:
        """The hidden weight of a network with one hidden layer, shape (n, m)."""
        self._require_shallow("A")
        return to_sympy(self.layers[0].weight)

    @property
    def b(self) -> Any:
        """The hidden bias of a network with one hidden layer, shape (n, 1)."""
        self._require_shallow("b")
        return to_sympy(self.layers[0].bias)

    @property
    def c(self) -> Any:
        """The output bias of a network with one hidden layer, shape (k, 1)."""
        self._require_shallow("c")
        return to_sympy(self.layers[1].bias)

    # -- the function

    def __call__(self, x: Sequence[Any]) -> tuple[Any, ...]:
        """Return f(x) exactly, as a tuple of SymPy numbers; ``x`` is a sequence of n_0 exact numbers."""
        entries = read_point(x, self.widths[0], "the input")
        tower, point = settle(entries, self.field, place=lambda index: f"the input, coordinate {index}")
        return tuple(map(tower.field.sympy, self.evaluate(point, tower.embedding(self.field))))

    def evaluate(self, point: Sequence[Any], embedding: Embedding | None = None) -> list[Any]:
        """Return f(x) for elements of the field that ``embedding`` leads into (by default the network's own)."""
        values = list(point)
        for index, (weight, bias) in enumerate(self.layers):
            if index:
                values = [value if value > 0 else value * 0 for value in values]
            living = [position for position, value in enumerate(values) if value != 0]
            arguments = [values[position] for position in living]
            values = []
            for row, start in zip(rows_of(weight, living), column_of(bias), strict=True):
                terms: list[Any] = [start if embedding is None else embedding(start)]
                for factor, value in zip(row, arguments, strict=True):
                    if factor:
                        terms.append((factor if embedding is None else embedding(factor)) * value)
                values.append(balanced_sum(terms))
        return values

    # -- equality by value, display

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return self is other or (self.widths == other.widths and self.layers == other.layers)

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash((self.widths, self.layers)))
        return int(self._hash or 0)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"networks are immutable: {name} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return Network.from_layers, (self.layers, self.field)

    def __repr__(self) -> str:
        return f"Network({'-'.join(map(str, self.widths))} over {_field_name(self.field)})"

    def __str__(self) -> str:
        from relusym.parameters.display import pretty

        return pretty(self)

    def _repr_latex_(self) -> str:
        from relusym.parameters.display import latex

        return f"$\\displaystyle {latex(self)}$"


def balanced_sum(terms: list[Any]) -> Any:
    """Return the sum of exact numbers, halves first: one by one is quadratic, as denominators grow with the sum."""
    while len(terms) > 1:
        odd = terms[len(terms) & ~1 :]
        terms = [a + b for a, b in zip(terms[::2], terms[1::2], strict=False)] + odd
    return terms[0]


def _field_name(field: Field) -> str:
    name = repr(field)
    return name if len(name) <= 60 else f"a number field of degree {field.degree}"


def _is_flat(M: Any) -> bool:
    shape = getattr(M, "shape", None)
    if shape is not None:
        return len(shape) == 1
    return isinstance(M, (list, tuple)) and not any(hasattr(row, "__len__") and not isinstance(row, str) for row in M)


def field_degree(limits: Limits | None) -> int:
    """Return the greatest degree of the number field that limits allow."""
    if not isinstance(limits, (Limits, type(None))):
        raise RelusymError(f"limits must be Limits(...) or None; got {type(limits).__name__}")
    return (limits or Limits()).field_degree


def _layer_list(layers: object) -> list[Any]:
    if not isinstance(layers, (list, tuple)):
        raise ShapeError(f"layers must be a sequence of (weight, bias) pairs; got {type(layers).__name__}")
    if not layers:
        raise ShapeError("a network needs at least one layer; got none")
    return list(layers)


_Read = FloatMatrix | list[list["Expression"]]


def _read_layer(index: int, layer: Any, allowance: Allowance) -> tuple[_Read, _Read]:
    if not isinstance(layer, (list, tuple)) or len(layer) != 2:
        raise ShapeError(f"layer {index}: a pair (weight, bias) is due")
    weight = read_matrix(layer[0], f"layer {index}, weight", allowance=allowance)
    return weight, read_vector(layer[1], f"layer {index}, bias", allowance)


def _place(read: Sequence[tuple[_Read, _Read]], index: int) -> str:
    """Return the name of the ``index``-th of the entries that are no floats."""
    places = [
        f"layer {layer}, weight[{i}][{j}]" if name == "weight" else f"layer {layer}, bias[{i}]"
        for layer, pair in enumerate(read)
        for name, part in zip(("weight", "bias"), pair, strict=True)
        if isinstance(part, list)
        for i, row in enumerate(part)
        for j in range(len(row))
    ]
    return places[index]


def _size(part: _Read) -> tuple[int, int]:
    """Return rows and columns; the columns of a matrix without rows count as 0."""
    if isinstance(part, FloatMatrix):
        return part.nrows, part.ncols
    return len(part), len(part[0]) if part else 0


def _chain(layers: Sequence[tuple[_Read, _Read]], inputs: int | None) -> tuple[int, ...]:
    """Return the widths (n_0, ..., n_{L+1}), or raise where layers do not fit together."""
    rows, columns = _size(layers[0][0])
    if inputs is not None:
        if not hasattr(inputs, "__index__") or isinstance(inputs, bool) or not 0 <= inputs <= _MOST_INPUTS:
            raise ShapeError(f"inputs must be a whole number, from 1 to {_MOST_INPUTS:,}")
        inputs = index_of(inputs)
    if rows == 0 and columns == 0:
        if inputs is None:
            raise ShapeError("layer 0, weight: it has no rows, so inputs= or an array of shape (0, n_0) must give n_0")
        columns = inputs
    if inputs is not None and inputs != columns:
        raise ShapeError(f"layer 0, weight: it has {columns} columns, inputs= says {inputs}")
    if columns == 0:
        raise ShapeError("layer 0, weight: a network needs at least one input")
    widths = [columns]
    for index, (weight, bias) in enumerate(layers):
        rows, columns = _size(weight)
        if rows and columns != widths[-1]:
            source = "the layer before" if index else "inputs="
            raise ShapeError(f"layer {index}, weight: it has {columns} columns, {source} gives {widths[-1]}")
        if _size(bias)[0] != rows:
            raise ShapeError(f"layer {index}: the weight has {rows} rows, the bias {_size(bias)[0]} entries")
        widths.append(rows)
    if widths[-1] == 0:
        raise ShapeError(f"layer {len(layers) - 1}, weight: a network needs at least one output")
    return tuple(widths)
