"""Nodes of an ONNX graph as the interpreter sees them, and how operators get at their inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from relusym.errors import FormatError, ShapeError
from relusym.io.affine import Affine, Value
from relusym.io.exact_arrays import Array
from relusym.io.onnx_tensors import read_tensor

Inputs: TypeAlias = Sequence[Value | None]


@dataclass(frozen=True)
class Node:
    """One node of the graph.

    Attributes
    ----------
    operator
        Such as ``"Gemm"``.
    label
        The node's name for messages, with its operator.
    inputs, outputs
        Names of tensors; an empty input name means that it is left out.
    attributes
        Name -> number, bytes, list of numbers, or the message of a tensor.
    opset
        The version of the operator set.
    """

    operator: str
    label: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]
    opset: int


class Context(Protocol):
    """What operators need from the interpreter."""

    @property
    def folder(self) -> Path:
        """The folder of the model."""
        ...

    @property
    def batchnorm(self) -> str:
        """How the factors of a batch normalisation are taken: "exact", "float32" or "float64"."""
        ...

    def relu(self, value: Affine) -> Affine:
        """Return the new units that apply ReLU to a tensor."""
        ...

    def aligned(self, values: Sequence[Affine]) -> list[Affine]:
        """Return the tensors over one ReLU layer, or raise where one skips a layer."""
        ...


def tensor_input(inputs: Inputs, index: int) -> Value:
    """Return an input that is due."""
    value = inputs[index] if index < len(inputs) else None
    if value is None:
        raise ShapeError(f"input {index} is missing")
    return value


def constant_input(inputs: Inputs, index: int, what: str) -> Array:
    """Return an input that must be a constant; ``what`` names it."""
    value = tensor_input(inputs, index)
    if isinstance(value, Affine):
        raise FormatError(f"its {what} depends on the network's input; a constant is needed")
    return value


def optional_integers(node: Node, inputs: Inputs, index: int, name: str) -> list[int] | None:
    """Return a list of integers that is an attribute in older versions and an input in newer ones."""
    if name in node.attributes:
        return [int(x) for x in node.attributes[name]]
    if index >= len(inputs) or inputs[index] is None:
        return None
    return integer_list(constant_input(inputs, index, name), name)


def integer_list(array: Array, what: str) -> list[int]:
    """Return an array of integers, such as sizes or axes, as a list."""
    if array.dtype.kind not in "iu":
        raise FormatError(f"its {what} must be integers")
    return [int(x) for x in array.ravel()]


def rearranged(value: Value, rearrange: Callable[[Array], Array]) -> Value:
    """Move the entries of a tensor as ``rearrange`` moves those of an array."""
    return value.rearranged(rearrange) if isinstance(value, Affine) else rearrange(value)


def tensor_attribute(node: Node, name: str, context: Context) -> Array:
    """Return the constant that an attribute holds as a tensor."""
    message = node.attributes[name]
    if not hasattr(message, "data_type"):
        raise FormatError(f"its attribute {name} is no tensor")
    return read_tensor(message, context.folder)


def as_array(value: Value) -> Array:
    """Return a value that is known to be a constant."""
    if isinstance(value, Affine):
        raise FormatError("a constant is needed")
    return value
