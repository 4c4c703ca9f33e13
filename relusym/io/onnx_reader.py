"""ONNX, read by an exact interpreter of the graph: every tensor is an affine map of the input or of one ReLU layer.

The nodes that the outputs need are evaluated in an order in which inputs come first, whatever order the file has. A
Relu node makes new units on the level after that of its input; several Relu nodes on one level make up one hidden
layer. What is affine between two levels folds into one weight, exactly. A tensor that skips a ReLU layer fits no
feed-forward network as it is; it is refused, or carried along by σ(t) − σ(−t) = t where the caller asks for that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from relusym.errors import FormatError, RelusymError, ShapeError, missing_extra
from relusym.exact.floats import shorten
from relusym.io.affine import Affine, Picks, Units, Value, as_affine, matrix_over, source, stacked
from relusym.io.exact_arrays import entries_for_network
from relusym.io.files import Reading, claim, display_name
from relusym.io.onnx_nodes import Node
from relusym.io.onnx_operators import apply
from relusym.io.onnx_tensors import FLOAT_TYPES, read_tensor

_OLDEST_OPSET: Final = 7
_SKIPS: Final = ("refuse", "carry")
_BATCHNORM: Final = ("exact", "float32", "float64")


def read_onnx(
    data: bytes,
    folder: Path,
    *,
    output: str | Sequence[str] | None = None,
    skips: str = "refuse",
    batchnorm: str = "exact",
) -> Reading:
    """Read an ONNX model that is a feed-forward ReLU network.

    Inputs and outputs are taken as vectors, entries in row-major order, several of them one after another; an unknown
    first size is a batch and read as 1.

    Parameters
    ----------
    data
        The content of the file.
    folder
        The folder of the model; external data are read from files inside it only.
    output
        The tensor, or tensors, at which to stop, by name; None: the outputs of the graph.
    skips
        ``"refuse"`` a tensor that skips a ReLU layer, or ``"carry"`` it by σ(t) − σ(−t) = t.
    batchnorm
        ``"exact"`` keeps the square roots of a batch normalisation as algebraic numbers; ``"float32"`` and
        ``"float64"`` round its factors scale / sqrt(variance + epsilon) to the nearest such float.

    Raises
    ------
    FormatError
        If the file is no ONNX model, or the graph no feed-forward ReLU network; the message names the node.
    ShapeError, FieldError
        If sizes do not fit, or a number is NaN or infinite.
    MissingExtra
        If the package onnx is not installed.
    """
    for name, value, accepted in (("skips", skips, _SKIPS), ("batchnorm", batchnorm, _BATCHNORM)):
        if value not in accepted:
            raise FormatError(f"{name} must be one of {', '.join(map(repr, accepted))}; got {value!r:.60}")
    model = _parse(data)
    opset = _opset(model)
    interpreter = _Interpreter(model.graph, folder, opset, skips, batchnorm)
    outputs = [entry.name for entry in model.graph.output] if output is None else _names(output)
    if not outputs:
        raise FormatError("the graph has no outputs")
    values = interpreter.evaluate(outputs)
    return _network(interpreter, outputs, values, f"ONNX, opset {opset}")


def _parse(data: bytes) -> Any:
    try:
        from onnx import ModelProto
    except ImportError:
        raise missing_extra("onnx", "reading .onnx needs the package onnx") from None
    try:
        model = ModelProto.FromString(data)
    except Exception:  # the parser's own error class moves between versions of protobuf
        raise FormatError("no ONNX model, or a damaged one") from None
    if not model.HasField("graph") or not model.opset_import:
        raise FormatError("no ONNX model: it has no graph or no operator set")
    return model


def _opset(model: Any) -> int:
    versions = [entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")]
    if len(versions) != 1 or versions[0] < _OLDEST_OPSET:
        raise FormatError(f"operator set {versions or 'unknown'}: version {_OLDEST_OPSET} or newer is read")
    return int(versions[0])


def _names(output: str | Sequence[str]) -> list[str]:
    return [output] if isinstance(output, str) else list(output)


@dataclass
class _Interpreter:
    """The state of an evaluation: tensors by name, and the units of each level."""

    graph: Any
    folder: Path
    opset: int
    skips: str
    batchnorm: str
    levels: list[list[Units]] = field(default_factory=lambda: [[]])
    inputs: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.graph.sparse_initializer:
            raise FormatError("the graph has sparse initialisers, which are not read; store them as dense tensors")
        self._tensors = {tensor.name: tensor for tensor in self.graph.initializer}
        self._nodes = [_node(number, message, self.opset) for number, message in enumerate(self.graph.node)]
        self._makers = _makers(self._nodes)
        self._values: dict[str, Value] = {}
        for entry in self.graph.input:
            if entry.name not in self._tensors:
                self._add_input(entry)
        if not self.inputs:
            raise FormatError("the graph has no inputs that are not initialisers")

    def _add_input(self, entry: Any) -> None:
        shape, is_batch = _input_shape(entry)
        units = Units(0, claim(math.prod(shape), f"the input {shorten(entry.name)}"))
        if units.width:
            self.levels[0].append(units)
        self._values[entry.name] = source(units, shape)
        self.inputs.append(_described(entry.name, shape))
        if is_batch:
            self.notes["batch"] = "an unknown first size is read as a batch of 1"

    def evaluate(self, outputs: Sequence[str]) -> list[Value]:
        """Return the tensors with these names, evaluating what they need and nothing else."""
        for node in _in_order(self._nodes, self._makers, outputs):
            try:
                inputs = [self._value(name) if name else None for name in node.inputs]
                results = apply(node, inputs, self)
            except RelusymError as error:
                raise error.at(node.label) from None
            for name, value in zip(node.outputs, results, strict=False):
                self._values[name] = value
        return [self._value(name) for name in outputs]

    def _value(self, name: str) -> Value:
        if name not in self._values:
            if name not in self._tensors:
                raise FormatError(f"there is no tensor {shorten(name)}")
            self._values[name] = read_tensor(self._tensors[name], self.folder)
        return self._values[name]

    def relu(self, value: Affine) -> Affine:
        """Return the new units that apply ReLU to a tensor."""
        level = (value.level or 0) + 1
        units = Units(level, value.size, value)
        while len(self.levels) <= level:
            self.levels.append([])
        self.levels[level].append(units)
        return source(units, value.shape)

    def aligned(self, values: Sequence[Affine]) -> list[Affine]:
        """Return the tensors over one ReLU layer; one that skips a layer is refused or carried."""
        top = max((value.level or 0 for value in values), default=0)
        low = next((value.level for value in values if value.level not in (None, top)), None)
        if low is None:
            return list(values)
        if self.skips == "refuse":
            raise FormatError(
                f"it joins tensors of ReLU layers {low} and {top} (0 is the input): a skip connection, which is no "
                "feed-forward network; skips='carry' writes the skipping tensor t as relu(t) - relu(-t)"
            )
        self.notes["skips"] = "carried by relu(t) - relu(-t) = t"
        return [self._carried(value, top) for value in values]

    def _carried(self, value: Affine, top: int) -> Affine:
        while value.level is not None and value.level < top:
            if value.level > 0 and value.bias is None and all(map(_is_pick, value.blocks.values())):
                value = self.relu(value)  # outputs of a ReLU layer are not negative: σ(y) = y
            else:
                value = self.relu(value).plus(self.relu(value.negated()).negated())
        return value


def _is_pick(block: object) -> bool:
    return isinstance(block, Picks) and block.factors is None


def _node(number: int, message: Any, opset: int) -> Node:
    label = f"node {shorten(message.name)}" if message.name else f"node #{number}"
    label += f" ({shorten(message.op_type)[1:-1]})" if message.op_type else ""
    if message.domain not in ("", "ai.onnx"):
        raise FormatError(f"{label}: operators of the domain {shorten(message.domain)} are not read; standard ones are")
    attributes = {attribute.name: _attribute(attribute) for attribute in message.attribute}
    return Node(message.op_type, label, tuple(message.input), tuple(message.output), attributes, opset)


def _attribute(attribute: Any) -> Any:
    """Return the value of an attribute: a number, bytes, a list, or the message of a tensor or a graph."""
    names = {1: "f", 2: "i", 3: "s", 4: "t", 6: "floats", 7: "ints"}
    name = names.get(attribute.type)
    if name is None:
        return attribute
    value = getattr(attribute, name)
    return list(value) if name in ("floats", "ints") else value


def _makers(nodes: Iterable[Node]) -> dict[str, Node]:
    makers: dict[str, Node] = {}
    for node in nodes:
        for name in filter(None, node.outputs):
            if name in makers:
                raise FormatError(f"{node.label}: the tensor {shorten(name)} is made twice")
            makers[name] = node
    return makers


def _in_order(nodes: Sequence[Node], makers: Mapping[str, Node], outputs: Sequence[str]) -> list[Node]:
    """Return the nodes that the outputs need, inputs first, else in the order of the file."""
    places = {id(node): place for place, node in enumerate(nodes)}
    needed: set[int] = set()
    pending = [makers[name] for name in outputs if name in makers]
    while pending:
        node = pending.pop()
        if id(node) not in needed:
            needed.add(id(node))
            pending.extend(makers[name] for name in node.inputs if name in makers)
    done: set[int] = set()
    order: list[Node] = []
    for start in (node for node in nodes if id(node) in needed):
        stack, open_nodes = [(start, False)], set[int]()
        while stack:
            node, is_ready = stack.pop()
            if id(node) in done:
                continue
            if is_ready:
                done.add(id(node))
                order.append(node)
                continue
            if id(node) in open_nodes:
                raise FormatError(f"{node.label}: the graph has a cycle")
            open_nodes.add(id(node))
            stack.append((node, True))
            feeders = {id(makers[name]): makers[name] for name in node.inputs if name in makers}
            waiting = [feeder for feeder in feeders.values() if id(feeder) not in done]
            stack.extend((feeder, False) for feeder in sorted(waiting, key=lambda feeder: -places[id(feeder)]))
    return order


def _input_shape(entry: Any) -> tuple[tuple[int, ...], bool]:
    """Return the shape of an input of the graph, and whether its first size is a batch of unknown size."""
    name = shorten(entry.name)
    kind = entry.type.tensor_type
    if not entry.type.HasField("tensor_type") or kind.elem_type not in FLOAT_TYPES:
        raise FormatError(f"the input {name} is no tensor of real numbers (FLOAT, DOUBLE, FLOAT16, BFLOAT16)")
    if not kind.HasField("shape"):
        raise ShapeError(f"the input {name} declares no shape; fixed sizes are needed")
    sizes = [size.dim_value if size.HasField("dim_value") and size.dim_value >= 0 else None for size in kind.shape.dim]
    is_batch = len(sizes) > 1 and sizes[0] is None
    shape = [1, *sizes[1:]] if is_batch else sizes
    if any(size is None for size in shape):
        raise ShapeError(f"the input {name} has sizes that are not fixed; only a first one, the batch, may be unknown")
    return tuple(size for size in shape if size is not None), is_batch


def _described(name: str, shape: Sequence[int]) -> str:
    return f"{display_name(name)} {'x'.join(map(str, shape)) or '1'}"


def _network(interpreter: _Interpreter, names: Sequence[str], values: Sequence[Value], kind: str) -> Reading:
    """Return the layers of the network whose outputs are these tensors, one after another."""
    result = stacked(interpreter.aligned([as_affine(value) for value in values]))
    top = result.level or 0
    if not result.size:
        raise ShapeError("the outputs have no entries")
    levels = interpreter.levels
    inputs = sum(units.width for units in levels[0])
    affine = [stacked([units.preactivation for units in level if units.preactivation]) for level in levels[1 : top + 1]]
    layers = [
        tuple(map(entries_for_network, matrix_over(levels[number], value)))
        for number, value in enumerate([*affine, result])
    ]
    notes = {
        "format": kind,
        "numbers": "binary floats as stored; affine steps are folded exactly",
        "normalisation": "what the graph holds is part of the network",
        "inputs": ", ".join(interpreter.inputs),
        "outputs": ", ".join(_described(name, value.shape) for name, value in zip(names, values, strict=True)),
        **interpreter.notes,
    }
    if top and result.bias is None and all(map(_is_pick, result.blocks.values())):
        notes["final Relu"] = "one more hidden layer, and the identity after it"
    if interpreter.batchnorm != "exact":
        notes["batch normalisation"] = f"factors rounded to {interpreter.batchnorm}"
    return Reading([(weight, bias) for weight, bias in layers], inputs, notes)
