"""The operators of ONNX that compute: sums, products with constants, batch normalisation, and Relu."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from flint import fmpq

from relusym.errors import FieldError, FormatError, ShapeError
from relusym.exact.floats import dyadic
from relusym.io.affine import MAX_TENSOR, Affine, Value, as_affine, stacked
from relusym.io.exact_arrays import Array, exact, matrix_product, negated, product, quotient, total
from relusym.io.files import claim
from relusym.io.onnx_nodes import (
    Context,
    Inputs,
    Node,
    as_array,
    constant_input,
    rearranged,
    tensor_input,
)
from relusym.io.radicals import inverse_root

_MOST_MAPS = 2**14


def _broadcast(value: Affine, shape: tuple[int, ...]) -> Affine:
    return value if value.shape == shape else value.rearranged(lambda array: np.broadcast_to(array, shape))


def sum_of(values: Sequence[Value], context: Context) -> Value:
    """Return the sum of tensors, broadcast; a constant where all of them are."""
    if not any(isinstance(value, Affine) for value in values):
        result = values[0]
        for value in values[1:]:
            result = total(as_array(result), as_array(value))
        return result
    shape = np.broadcast_shapes(*(value.shape for value in values))
    claim(math.prod(shape), "the sum", MAX_TENSOR)
    first, *others = (_broadcast(value, shape) for value in context.aligned([as_affine(value) for value in values]))
    for value in others:
        first = first.plus(value)
    return first


def _negated(value: Value) -> Value:
    return value.negated() if isinstance(value, Affine) else negated(value)


def add(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Add: the sum of two tensors, broadcast."""
    return [sum_of([tensor_input(inputs, 0), tensor_input(inputs, 1)], context)]


def sum_all(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Sum: the sum of any number of tensors, broadcast."""
    return [sum_of([tensor_input(inputs, index) for index in range(max(len(inputs), 1))], context)]


def subtract(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Sub: the difference of two tensors, broadcast."""
    return [sum_of([tensor_input(inputs, 0), _negated(tensor_input(inputs, 1))], context)]


def multiply(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Mul: the product with a constant, broadcast."""
    first, second = tensor_input(inputs, 0), tensor_input(inputs, 1)
    if isinstance(first, Affine) and isinstance(second, Affine):
        raise FormatError("both factors depend on the network's input: the product is not piecewise linear")
    if isinstance(second, Affine):
        first, second = second, first
    return [_scaled(first, as_array(second)) if isinstance(first, Affine) else product(first, as_array(second))]


def divide(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Div: the quotient by a constant, broadcast."""
    value, divisor = tensor_input(inputs, 0), constant_input(inputs, 1, "divisor")
    if not isinstance(value, Affine):
        return [quotient(value, divisor)]
    return [_scaled(value, quotient(exact(np.ones((), np.int64)), divisor))]


def negate(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Neg: all signs changed."""
    return [_negated(tensor_input(inputs, 0))]


def _scaled(value: Affine, factors: Array) -> Affine:
    shape = np.broadcast_shapes(value.shape, factors.shape)
    claim(math.prod(shape), "the product", MAX_TENSOR)
    return _broadcast(value, shape).scaled(np.broadcast_to(factors, shape))


def relu(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Relu: new units, or the positive part of a constant."""
    value = tensor_input(inputs, 0)
    if isinstance(value, Affine) and value.blocks:
        return [context.relu(value)]
    if isinstance(value, Affine):
        value = (np.zeros(value.shape, np.float32) if value.bias is None else value.bias).reshape(value.shape)
    return [np.where(_positive(value), value, value * 0)]


def _positive(array: Array) -> Array:
    if array.dtype == object and not all(isinstance(x, fmpq) for x in array.flat):
        raise FieldError("the sign of an irrational constant is asked for; rational constants are accepted")
    return np.asarray(array > 0, dtype=bool)


def matmul(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """MatMul: the product with a constant matrix on either side, with NumPy's rules for vectors and batches."""
    return [_matmul(tensor_input(inputs, 0), tensor_input(inputs, 1))]


def _matmul(first: Value, second: Value) -> Value:
    if isinstance(first, Affine) and isinstance(second, Affine):
        raise FormatError("both factors depend on the network's input: the product is not piecewise linear")
    if not first.shape or not second.shape:
        raise ShapeError("a factor is a single number; a vector or a matrix is needed")
    row, column = len(first.shape) == 1, len(second.shape) == 1
    left = rearranged(first, lambda array: array[None, :]) if row else first
    right = rearranged(second, lambda array: array[:, None]) if column else second
    if left.shape[-1] != right.shape[-2]:
        raise ShapeError(f"shapes {first.shape} and {second.shape} do not fit in a product")
    result: Value
    if isinstance(right, Affine):
        result = _apply(right.rearranged(_transposed), _transposed(as_array(left))).rearranged(_transposed)
    elif isinstance(left, Affine):
        result = _apply(left, right)
    else:
        result = _constant_product(left, right)
    if row:
        result = rearranged(result, lambda array: array[..., 0, :])
    return rearranged(result, lambda array: array[..., 0]) if column else result


def _transposed(array: Array) -> Array:
    return np.swapaxes(array, -1, -2)


def _constant_product(first: Array, second: Array) -> Array:
    batch = np.broadcast_shapes(first.shape[:-2], second.shape[:-2])
    claim(math.prod(batch), "the batch of a product", _MOST_MAPS)
    left = np.broadcast_to(first, (*batch, *first.shape[-2:]))
    right = np.broadcast_to(second, (*batch, *second.shape[-2:]))
    products = [matrix_product(left[index], right[index]).ravel() for index in np.ndindex(*batch)]
    shape = (*batch, left.shape[-2], right.shape[-1])
    return np.concatenate(products).reshape(shape) if products else exact(np.zeros(shape, np.int64))


def _apply(value: Affine, weight: Array) -> Affine:
    """Return value @ weight for shapes (…, p, n) and (…, n, q): each row of the value is a vector to be mapped."""
    batch = np.broadcast_shapes(value.shape[:-2], weight.shape[:-2])
    rows, (inner, columns) = value.shape[-2], weight.shape[-2:]
    maps = math.prod(batch) * rows
    claim(maps, "the rows of the product", _MOST_MAPS)
    claim(maps * max(inner, columns, 1), "the product", MAX_TENSOR)
    positions = np.arange(value.size).reshape(value.shape)
    positions = np.broadcast_to(positions, (*batch, rows, inner)).reshape(maps, inner)
    weights = np.broadcast_to(weight, (*batch, inner, columns))
    parts = [
        value.take(positions[place * rows + row]).multiplied(weights[index].T)
        for place, index in enumerate(np.ndindex(*batch))
        for row in range(rows)
    ]
    shape = (*batch, rows, columns)
    return stacked(parts).rearranged(lambda array: array.reshape(shape)) if parts else Affine(shape)


def gemm(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Gemm: alpha A' B' + beta C, where C may be left out, which means zero."""
    first, second = tensor_input(inputs, 0), tensor_input(inputs, 1)
    if len(first.shape) != 2 or len(second.shape) != 2:
        raise ShapeError(f"shapes {first.shape} and {second.shape}: two matrices are needed")
    if node.attributes.get("transA", 0):
        first = rearranged(first, _transposed)
    if node.attributes.get("transB", 0):
        second = rearranged(second, _transposed)
    result = _times(_matmul(first, second), node.attributes.get("alpha", 1.0))
    beta = node.attributes.get("beta", 1.0)
    if len(inputs) < 3 or inputs[2] is None or beta == 0:
        return [result]
    addend = _times(tensor_input(inputs, 2), beta)
    if np.broadcast_shapes(result.shape, addend.shape) != result.shape:
        raise ShapeError(f"C of shape {addend.shape} does not fit a product of shape {result.shape}")
    return [sum_of([result, addend], context)]


def _times(value: Value, factor: float) -> Value:
    if factor == 1:
        return value
    number = np.empty((), dtype=object)
    number[()] = dyadic(float(factor))
    return _scaled(value, number) if isinstance(value, Affine) else product(value, number)


def batch_normalization(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """BatchNormalization at inference: (x − mean) · scale / sqrt(variance + epsilon) + shift, a channel each."""
    if node.attributes.get("training_mode", 0) or not node.attributes.get("spatial", 1):
        raise FormatError("it is in training mode, or not spatial; inference with one factor a channel is read")
    value = as_affine(tensor_input(inputs, 0))
    names = ("scale", "shift", "mean", "variance")
    scale, shift, mean, variance = (exact(constant_input(inputs, i, name)) for i, name in enumerate(names, start=1))
    channels = value.shape[1] if len(value.shape) > 1 else 1
    if any(array.shape != (channels,) for array in (scale, shift, mean, variance)):
        raise ShapeError(f"{channels} channels need as many scales, shifts, means and variances")
    epsilon = dyadic(float(node.attributes.get("epsilon", float(np.float32(1e-5)))))
    factors = np.empty(channels, dtype=object)
    for channel in range(channels):
        radicand = variance[channel] + epsilon
        if not isinstance(radicand, fmpq) or radicand <= 0:
            raise FieldError(f"channel {channel}: variance + epsilon must be a positive rational number")
        factors[channel] = inverse_root(scale[channel], radicand, context.batchnorm)
    shifts = total(shift, negated(product(mean, factors)))
    shape = (channels, *(1,) * (len(value.shape) - 2)) if len(value.shape) > 1 else (1,)
    return [sum_of([_scaled(value, factors.reshape(shape)), shifts.reshape(shape)], context)]
