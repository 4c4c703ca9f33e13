"""Writing ONNX: Gemm and Relu nodes, the weights as float32 or float64 initialisers.

float32 is chosen where it holds every entry exactly, else float64; where neither does, nothing is written unless
rounding is asked for by name. The batch size is left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO, Final

import numpy as np

from relusym.errors import missing_extra
from relusym.io.entries import layer_arrays
from relusym.io.exact_arrays import Array
from relusym.parameters.network import Network

_OPSET: Final = 13
_IR_VERSION: Final = 8


def write_onnx(network: Network, stream: BinaryIO, rounding: str | None = None) -> None:
    """Write an ONNX model; the same network gives the same bytes.

    Parameters
    ----------
    rounding
        ``"float32"`` or ``"float64"``: round every entry to the nearest such float; None: refuse where it is not exact.

    Raises
    ------
    FieldError
        If some entry is no float of 64 bits and no rounding is asked for; the message names the first one.
    MissingExtra
        If the package onnx is not installed.
    """
    try:
        from onnx import helper
    except ImportError:
        raise missing_extra("onnx", "writing .onnx needs the package onnx") from None
    layers = list(layer_arrays(network, rounding))
    dtype = _narrowest([array for layer in layers for array in layer])
    tensors = {}
    nodes = []
    value = "input"
    for number, (weight, bias) in enumerate(layers):
        last = number == len(layers) - 1
        tensors[f"W{number}"], tensors[f"b{number}"] = weight.astype(dtype), bias.astype(dtype)
        target = "output" if last else f"z{number}"
        nodes.append(
            helper.make_node("Gemm", [value, f"W{number}", f"b{number}"], [target], f"layer{number}", transB=1)
        )
        if not last:
            nodes.append(helper.make_node("Relu", [target], [f"y{number}"], f"relu{number}"))
        value = f"y{number}"
    kind = 1 if dtype == np.float32 else 11
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("input", kind, ["batch", network.widths[0]])],
        [helper.make_tensor_value_info("output", kind, ["batch", network.widths[-1]])],
        [_tensor(helper, name, kind, array) for name, array in tensors.items()],
    )
    opsets = [helper.make_opsetid("", _OPSET)]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="relusym", ir_version=_IR_VERSION)
    stream.write(model.SerializeToString(deterministic=True))


def _tensor(helper: Any, name: str, kind: int, array: Array) -> Any:
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    return helper.make_tensor(name, kind, array.shape, little.tobytes(), raw=True)


def _narrowest(arrays: Sequence[Array]) -> np.dtype[Any]:
    """Return float32 if it holds every entry exactly, else float64."""
    with np.errstate(over="ignore"):
        fits = all(array.dtype == np.float32 or np.array_equal(array.astype(np.float32), array) for array in arrays)
    return np.dtype(np.float32 if fits else np.float64)
