"""The operators of ONNX that only move entries about, change their type, or make constants."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from flint import fmpq

from relusym.errors import FormatError, ShapeError
from relusym.exact.floats import check_array
from relusym.io.affine import MAX_TENSOR, Affine, Value, as_affine, stacked
from relusym.io.exact_arrays import Array, common, exact, integers
from relusym.io.files import claim
from relusym.io.onnx_nodes import (
    Context,
    Inputs,
    Node,
    as_array,
    constant_input,
    integer_list,
    optional_integers,
    rearranged,
    tensor_attribute,
    tensor_input,
)
from relusym.io.onnx_tensors import FLOAT_TYPES

_FLOAT16 = 10
_BFLOAT16 = 16
_INTEGER_TYPES = (6, 7)


def identity(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Identity: the tensor itself."""
    return [tensor_input(inputs, 0)]


def dropout(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Dropout: nothing at inference; training, and the mask, are refused."""
    if len([name for name in node.outputs if name]) > 1:
        raise FormatError("its mask is an output; only the tensor itself is read")
    if len(inputs) > 2 and inputs[2] is not None and np.any(constant_input(inputs, 2, "training mode") != 0):
        raise FormatError("it is in training mode; inference is read")
    return [tensor_input(inputs, 0)]


def cast(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Cast: nothing between real types for a tensor of the network; a stored constant is rounded as the type says."""
    value, target = tensor_input(inputs, 0), node.attributes.get("to")
    if isinstance(value, Affine):
        if target not in FLOAT_TYPES:
            raise FormatError(f"it casts the network's values to type {target}, which is no type of real numbers")
        return [value]
    if value.dtype == object and target in FLOAT_TYPES:
        return [value]
    if target in FLOAT_TYPES and target != _BFLOAT16:
        with np.errstate(over="ignore"):
            narrow = value.astype(np.float16) if target == _FLOAT16 else value
            return [check_array(narrow.astype(FLOAT_TYPES[target]))]
    if target in _INTEGER_TYPES:
        return [integers([int(x.p) // int(x.q) for x in _whole(value)], value.shape)]
    raise FormatError(f"it casts a constant to type {target}; FLOAT, DOUBLE, FLOAT16, INT32 and INT64 are read")


def _whole(value: Array) -> list[fmpq]:
    entries = list(exact(value).flat)
    if any(not isinstance(x, fmpq) or x.q != 1 for x in entries):
        raise FormatError("it casts a constant that is no integer to integers")
    return entries


def constant(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Constant: the value of whichever attribute holds it."""
    attributes = node.attributes
    if "value" in attributes:
        return [tensor_attribute(node, "value", context)]
    for name, dtype in (("value_float", np.float32), ("value_floats", np.float32)):
        if name in attributes:
            return [check_array(np.array(attributes[name], dtype=dtype))]
    for name in ("value_int", "value_ints"):
        if name in attributes:
            return [np.array(attributes[name], dtype=np.int64)]
    raise FormatError("it holds no tensor of numbers")


def constant_of_shape(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """ConstantOfShape: one number, repeated."""
    shape = integer_list(constant_input(inputs, 0, "shape"), "shape")
    claim(math.prod(shape), "the constant", MAX_TENSOR)
    value = tensor_attribute(node, "value", context) if "value" in node.attributes else np.zeros(1, np.float32)
    if value.size != 1:
        raise ShapeError("its value must be a single number")
    return [np.full(shape, value.reshape(-1)[0], dtype=value.dtype)]


def shape_of(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Shape: the sizes of a tensor."""
    shape = tensor_input(inputs, 0).shape
    part = shape[node.attributes.get("start", 0) : node.attributes.get("end", len(shape))]
    return [np.array(part, dtype=np.int64)]


def flatten(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Flatten: a matrix whose rows count the axes before ``axis``."""
    value, axis = tensor_input(inputs, 0), node.attributes.get("axis", 1)
    rank = len(value.shape)
    if not -rank <= axis <= rank:
        raise ShapeError(f"the axis {axis} is none of a tensor of shape {value.shape}")
    rows = math.prod(value.shape[: axis if axis >= 0 else axis + rank])
    columns = math.prod(value.shape) // rows if rows else 0
    return [rearranged(value, lambda array: array.reshape(rows, columns))]


def reshape(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Reshape: the same entries in another shape; 0 copies a size and −1 stands for what is left."""
    value = tensor_input(inputs, 0)
    shape = integer_list(constant_input(inputs, 1, "shape"), "shape")
    if not node.attributes.get("allowzero", 0):
        if any(size == 0 and axis >= len(value.shape) for axis, size in enumerate(shape)):
            raise ShapeError(f"the shape {shape} copies a size that a tensor of shape {value.shape} has not")
        shape = [value.shape[axis] if size == 0 else size for axis, size in enumerate(shape)]
    return [rearranged(value, lambda array: array.reshape(shape))]


def squeeze(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Squeeze: axes of size 1 removed."""
    axes = optional_integers(node, inputs, 1, "axes")
    chosen = None if axes is None else tuple(axes)
    return [rearranged(tensor_input(inputs, 0), lambda array: np.squeeze(array, chosen))]


def unsqueeze(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Unsqueeze: axes of size 1 inserted."""
    axes = optional_integers(node, inputs, 1, "axes")
    if axes is None:
        raise ShapeError("its axes are missing")
    return [rearranged(tensor_input(inputs, 0), lambda array: np.expand_dims(array, tuple(axes)))]


def transpose(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Transpose: axes permuted, reversed by default."""
    order = node.attributes.get("perm")
    return [
        rearranged(tensor_input(inputs, 0), lambda array: np.transpose(array, None if order is None else list(order)))
    ]


def expand(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Expand: broadcast to a shape."""
    value = tensor_input(inputs, 0)
    shape = np.broadcast_shapes(value.shape, tuple(integer_list(constant_input(inputs, 1, "shape"), "shape")))
    claim(math.prod(shape), "the tensor", MAX_TENSOR)
    return [rearranged(value, lambda array: np.broadcast_to(array, shape))]


def concat(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Concat: tensors side by side along an axis."""
    values = [tensor_input(inputs, index) for index in range(max(len(inputs), 1))]
    if "axis" not in node.attributes:
        raise ShapeError("its axis is missing")
    axis = node.attributes["axis"]
    claim(sum(math.prod(value.shape) for value in values), "the tensor", MAX_TENSOR)
    starts = np.cumsum([0, *(math.prod(value.shape) for value in values)])
    places = [
        np.arange(start, start + math.prod(value.shape)).reshape(value.shape)
        for start, value in zip(starts.tolist(), values, strict=False)
    ]
    order = np.concatenate(places, axis=axis)
    if not any(isinstance(value, Affine) for value in values):
        return [np.concatenate(common([as_array(value) for value in values]), axis=axis)]
    return [stacked(context.aligned([as_affine(value) for value in values])).take(order)]


def slice_axes(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Slice: from start to end in steps, along some axes."""
    value = tensor_input(inputs, 0)
    starts = optional_integers(node, inputs, 1, "starts")
    ends = optional_integers(node, inputs, 2, "ends")
    if starts is None or ends is None:
        raise ShapeError("its starts or ends are missing")
    axes = optional_integers(node, inputs, 3, "axes") or list(range(len(starts)))
    steps = optional_integers(node, inputs, 4, "steps") or [1] * len(starts)
    selection = [slice(None)] * len(value.shape)
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        selection[axis] = slice(start, end, step)
    return [rearranged(value, lambda array: array[tuple(selection)])]


def split(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Split: a tensor cut along an axis, in given sizes or in equal parts."""
    value, axis = tensor_input(inputs, 0), node.attributes.get("axis", 0)
    sizes = optional_integers(node, inputs, 1, "split")
    extent, count = value.shape[axis], len(node.outputs)
    if sizes is None:
        step = -(-extent // count)
        sizes = [min(step, extent - start) for start in range(0, extent, step)] if step else [0] * count
    if len(sizes) != count or sum(sizes) != extent or min(sizes) < 0:
        raise ShapeError(f"{count} parts of sizes {sizes} do not make up {extent}")
    cuts = np.cumsum([0, *sizes]).tolist()

    def part(start: int, end: int) -> Value:
        return rearranged(value, lambda array: np.take(array, np.arange(start, end), axis=axis))

    return [part(start, end) for start, end in pairwise(cuts)]


def gather(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Gather: entries at constant positions along an axis."""
    value, axis = tensor_input(inputs, 0), node.attributes.get("axis", 0)
    positions = constant_input(inputs, 1, "positions")
    integer_list(positions, "positions")
    rest = math.prod(value.shape) // max(value.shape[axis], 1)
    claim(positions.size * rest, "the tensor", MAX_TENSOR)
    return [rearranged(value, lambda array: np.take(array, positions, axis=axis))]
