"""The operators of ONNX that keep a tensor affine, each as an exact map of values; and Relu, which makes new units.

Each operator takes the node, its inputs (:class:`relusym.io.affine.Affine`, an array of constants, or None where an
optional input is left out) and the context, and returns the outputs. The rules are those of real numbers: what a
runtime would round on the way is not rounded here. Only the Cast of a constant rounds: there the rounded number is the
constant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from relusym.errors import FieldError, FormatError, ShapeError
from relusym.exact.floats import shorten
from relusym.io import onnx_arithmetic as arithmetic
from relusym.io import onnx_shapes as shapes
from relusym.io.affine import Value
from relusym.io.onnx_nodes import Context, Inputs, Node

Operator: TypeAlias = Callable[[Node, Inputs, Context], list[Value]]

OPERATORS: Final[Mapping[str, Operator]] = {
    "Add": arithmetic.add,
    "BatchNormalization": arithmetic.batch_normalization,
    "Cast": shapes.cast,
    "Concat": shapes.concat,
    "Constant": shapes.constant,
    "ConstantOfShape": shapes.constant_of_shape,
    "Div": arithmetic.divide,
    "Dropout": shapes.dropout,
    "Expand": shapes.expand,
    "Flatten": shapes.flatten,
    "Gather": shapes.gather,
    "Gemm": arithmetic.gemm,
    "Identity": shapes.identity,
    "MatMul": arithmetic.matmul,
    "Mul": arithmetic.multiply,
    "Neg": arithmetic.negate,
    "Relu": arithmetic.relu,
    "Reshape": shapes.reshape,
    "Shape": shapes.shape_of,
    "Slice": shapes.slice_axes,
    "Split": shapes.split,
    "Squeeze": shapes.squeeze,
    "Sub": arithmetic.subtract,
    "Sum": arithmetic.sum_all,
    "Transpose": shapes.transpose,
    "Unsqueeze": shapes.unsqueeze,
}


def apply(node: Node, inputs: Inputs, context: Context) -> list[Value]:
    """Return the outputs of a node.

    Raises
    ------
    FormatError
        If the operator is not read; the message says what could be done.
    ShapeError
        If the inputs do not fit.
    """
    operator = OPERATORS.get(node.operator)
    if operator is None:
        raise FormatError(
            f"the operator {shorten(node.operator)} is neither affine nor Relu; output='…' reads the network up to a "
            f"tensor before it, such as {shorten(next(filter(None, node.inputs), ''))}"
        )
    try:
        return operator(node, inputs, context)
    except (FormatError, ShapeError, FieldError):
        raise
    except (ValueError, IndexError, TypeError, ZeroDivisionError, OverflowError, MemoryError) as error:
        given = ", ".join("none" if value is None else str(value.shape) for value in inputs)
        raise ShapeError(f"inputs of shapes {given} do not fit: {shorten(str(error), 100)}") from None
