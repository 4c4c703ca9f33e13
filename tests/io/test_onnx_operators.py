"""Every operator against matrices written by hand; all numbers here are small integers or dyadic fractions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

from relusym.io.onnx_reader import read_onnx
from relusym.parameters.network import Network

Build = Callable[..., bytes]

W = np.float32([[1, 2], [3, 4], [5, 6]])
V = np.float32([[1, -1, 2], [0, 3, -2]])
B = np.float32([1, -2, 3])
EYE = [[1, 0], [0, 1]]


def int64(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


# name, nodes from "x" to "y", constants, shape of x, expected weight and bias of the one affine map
AFFINE: list[tuple[str, list[Any], dict[str, Any], list[int], Any, Any]] = [
    ("gemm", [("Gemm", ["x", "V"], ["y"])], {"V": V}, [1, 2], V.T, [0, 0, 0]),
    ("gemm transB", [("Gemm", ["x", "W", "B"], ["y"], {"transB": 1})], {"W": W, "B": B}, [1, 2], W, B),
    (
        "gemm alpha beta",
        [("Gemm", ["x", "W", "B"], ["y"], {"transB": 1, "alpha": 0.5, "beta": -2.0})],
        {"W": W, "B": B},
        [1, 2],
        W / 2,
        -2 * B,
    ),
    ("gemm beta 0", [("Gemm", ["x", "V", "B"], ["y"], {"beta": 0.0})], {"V": V, "B": B}, [1, 2], V.T, [0, 0, 0]),
    ("gemm no C by name", [("Gemm", ["x", "V", ""], ["y"])], {"V": V}, [1, 2], V.T, [0, 0, 0]),
    ("gemm transA", [("Gemm", ["x", "V"], ["y"], {"transA": 1})], {"V": V}, [2, 1], V.T, [0, 0, 0]),
    (
        "gemm weight first",
        [("Gemm", ["W", "x"], ["y"]), ("Identity", ["y"], ["z"])],
        {"W": W},
        [2, 1],
        W,
        [0, 0, 0],
    ),
    (
        "gemm two rows",
        [("Gemm", ["x", "a", "c"], ["y"])],
        {"a": np.float32([[2, 3]]), "c": np.float32([[1], [5]])},
        [2, 1],
        [[2, 0], [3, 0], [0, 2], [0, 3]],
        [1, 1, 5, 5],
    ),
    ("matmul right", [("MatMul", ["x", "V"], ["y"])], {"V": V}, [1, 2], V.T, [0, 0, 0]),
    ("matmul left", [("MatMul", ["W", "x"], ["y"])], {"W": W}, [2, 1], W, [0, 0, 0]),
    ("matmul vector right", [("MatMul", ["x", "V"], ["y"])], {"V": V}, [2], V.T, [0, 0, 0]),
    ("matmul vector left", [("MatMul", ["W", "x"], ["y"])], {"W": W}, [2], W, [0, 0, 0]),
    ("matmul dot", [("MatMul", ["x", "v"], ["y"])], {"v": np.float32([7, -1])}, [2], [[7, -1]], [0]),
    (
        "matmul rows apart",
        [("MatMul", ["x", "v"], ["y"])],
        {"v": np.float32([7, -1])},
        [2, 2],
        [[7, -1, 0, 0], [0, 0, 7, -1]],
        [0, 0],
    ),
    (
        "matmul left of two columns",
        [("MatMul", ["w", "x"], ["y"])],
        {"w": np.float32([[7, -1]])},
        [2, 2],
        [[7, 0, -1, 0], [0, 7, 0, -1]],
        [0, 0],
    ),
    (
        "matmul batch of weights",
        [("MatMul", ["x", "w"], ["y"])],
        {"w": np.float32([[[1], [2]], [[3], [4]]])},
        [1, 2],
        [[1, 2], [3, 4]],
        [0, 0],
    ),
    ("add", [("Add", ["x", "c"], ["y"])], {"c": np.float32([3, -5])}, [1, 2], EYE, [3, -5]),
    ("add twice itself", [("Add", ["x", "x"], ["y"])], {}, [1, 2], [[2, 0], [0, 2]], [0, 0]),
    (
        "add broadcasts",
        [("Add", ["c", "x"], ["y"])],
        {"c": np.float32([[1], [2]])},
        [1, 2],
        [[1, 0], [0, 1], [1, 0], [0, 1]],
        [1, 1, 2, 2],
    ),
    ("sub", [("Sub", ["x", "c"], ["y"])], {"c": np.float32(3)}, [1, 2], EYE, [-3, -3]),
    ("sub from", [("Sub", ["c", "x"], ["y"])], {"c": np.float32([3, 4])}, [2], [[-1, 0], [0, -1]], [3, 4]),
    ("sum", [("Sum", ["x", "c", "x", "x"], ["y"])], {"c": np.float32([1, 2])}, [2], [[3, 0], [0, 3]], [1, 2]),
    ("mul", [("Mul", ["x", "c"], ["y"])], {"c": np.float32([3, 0.5])}, [2], [[3, 0], [0, 0.5]], [0, 0]),
    ("mul from left", [("Mul", ["c", "x"], ["y"])], {"c": np.float32([3, 0])}, [2], [[3, 0], [0, 0]], [0, 0]),
    ("div", [("Div", ["x", "c"], ["y"])], {"c": np.float32([3, -7])}, [2], [["1/3", 0], [0, "-1/7"]], [0, 0]),
    ("neg", [("Neg", ["x"], ["y"])], {}, [2], [[-1, 0], [0, -1]], [0, 0]),
    (
        "affine, scaled and shifted",
        [
            ("MatMul", ["x", "V"], ["a"]),
            ("Add", ["a", "B"], ["b"]),
            ("Mul", ["b", "s"], ["c"]),
            ("Sub", ["c", "B"], ["d"]),
            ("Neg", ["d"], ["e"]),
            ("Div", ["e", "two"], ["y"]),
        ],
        {"V": V, "B": B, "s": np.float32([3, 1, -1]), "two": np.float32(2)},
        [1, 2],
        [["-3/2", 0], ["1/2", "-3/2"], [1, -1]],
        [-1, 0, 3],
    ),
    (
        "two weights fold exactly",
        [("MatMul", ["x", "V"], ["a"]), ("MatMul", ["a", "W"], ["y"])],
        {"V": V, "W": W},
        [1, 2],
        (V @ W).T,
        [0, 0],
    ),
    (
        "residual",
        [("MatMul", ["x", "m"], ["a"]), ("Add", ["a", "x"], ["y"])],
        {"m": np.float32([[1, 2], [3, 4]])},
        [1, 2],
        [[2, 3], [2, 5]],
        [0, 0],
    ),
    ("identity and dropout", [("Identity", ["x"], ["a"]), ("Dropout", ["a"], ["y"])], {}, [2], EYE, [0, 0]),
    (
        "dropout with inputs",
        [("Dropout", ["x", "r", "t"], ["y"])],
        {"r": np.float32(0.5), "t": np.array(False)},
        [2],
        EYE,
        [0, 0],
    ),
    ("cast", [("Cast", ["x"], ["y"], {"to": TensorProto.DOUBLE})], {}, [2], EYE, [0, 0]),
    ("flatten", [("Flatten", ["x"], ["a"]), ("MatMul", ["a", "V"], ["y"])], {"V": V}, [1, 1, 1, 2], V.T, [0, 0, 0]),
    ("flatten axis 0", [("Flatten", ["x"], ["y"], {"axis": 0})], {}, [2, 1], EYE, [0, 0]),
    (
        "reshape",
        [("Reshape", ["x", "s"], ["a"]), ("MatMul", ["a", "V"], ["y"])],
        {"V": V, "s": int64(-1, 2)},
        [2, 1],
        V.T,
        [0] * 3,
    ),
    ("reshape 0", [("Reshape", ["x", "s"], ["y"])], {"s": int64(0, 2, 1)}, [1, 2], EYE, [0, 0]),
    ("transpose", [("Transpose", ["x"], ["a"]), ("MatMul", ["a", "V"], ["y"])], {"V": V}, [2, 1], V.T, [0, 0, 0]),
    (
        "transpose moves entries",
        [("Transpose", ["x"], ["y"], {"perm": [1, 0]})],
        {},
        [2, 2],
        [[1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]],
        [0] * 4,
    ),
    ("squeeze", [("Squeeze", ["x"], ["a"]), ("MatMul", ["W", "a"], ["y"])], {"W": W}, [1, 2, 1], W, [0, 0, 0]),
    ("squeeze axes", [("Squeeze", ["x", "s"], ["y"])], {"s": int64(0)}, [1, 2], EYE, [0, 0]),
    (
        "unsqueeze",
        [("Unsqueeze", ["x", "s"], ["a"]), ("MatMul", ["W", "a"], ["y"])],
        {"W": W, "s": int64(1)},
        [2],
        W,
        [0] * 3,
    ),
    ("expand", [("Expand", ["x", "s"], ["y"])], {"s": int64(2, 1)}, [1], [[1], [1]], [0, 0]),
    (
        "concat",
        [("Neg", ["x"], ["a"]), ("Concat", ["x", "c", "a"], ["y"], {"axis": 1})],
        {"c": np.float32([[7]])},
        [1, 2],
        [[1, 0], [0, 1], [0, 0], [-1, 0], [0, -1]],
        [0, 0, 7, 0, 0],
    ),
    (
        "concat along rows",
        [("MatMul", ["x", "V"], ["a"]), ("MatMul", ["x", "U"], ["b"]), ("Concat", ["a", "b"], ["y"], {"axis": 0})],
        {"V": V, "U": 2 * V},
        [1, 2],
        np.vstack([V.T, 2 * V.T]),
        [0] * 6,
    ),
    (
        "slice",
        [("Slice", ["x", "s", "e", "a", "t"], ["y"])],
        {"s": int64(-1), "e": int64(-9), "a": int64(0), "t": int64(-2)},
        [3],
        [[0, 0, 1], [1, 0, 0]],
        [0, 0],
    ),
    (
        "slice to the end",
        [("Slice", ["x", "s", "e"], ["y"])],
        {"s": int64(1), "e": int64(2**62)},
        [3],
        [[0, 1, 0], [0, 0, 1]],
        [0, 0],
    ),
    (
        "split",
        [("Split", ["x", "s"], ["a", "b"], {"axis": 0}), ("Concat", ["b", "a"], ["y"], {"axis": 0})],
        {"s": int64(1, 2)},
        [3],
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        [0, 0, 0],
    ),
    (
        "gather",
        [("Gather", ["x", "i"], ["y"], {"axis": 1})],
        {"i": int64(1, -2, 1)},
        [1, 2],
        [[0, 1], [1, 0], [0, 1]],
        [0, 0, 0],
    ),
    (
        "gather, then a weight that meets an entry twice",
        [("Gather", ["x", "i"], ["a"], {"axis": 1}), ("MatMul", ["a", "W"], ["y"])],
        {"i": int64(1, 0, 1), "W": W},
        [1, 2],
        [[3, 6], [4, 8]],
        [0, 0],
    ),
    (
        "gathered, scaled, then a weight",
        [("Gather", ["x", "i"], ["a"], {"axis": 1}), ("Mul", ["a", "c"], ["b"]), ("MatMul", ["b", "m"], ["y"])],
        {"i": int64(1, 0), "c": np.float32([2, -3]), "m": np.float32([[1, 2], [3, 4]])},
        [1, 2],
        [[-9, 2], [-12, 4]],
        [0, 0],
    ),
    (
        "batch normalisation with rational roots",
        [("BatchNormalization", ["x", "s", "b", "m", "v"], ["y"], {"epsilon": 0.25})],
        {
            "s": np.float32([3, 1]),
            "b": np.float32([1, 2]),
            "m": np.float32([5, -1]),
            "v": np.float32([2, 0]),
        },
        [1, 2],
        [[2, 0], [0, 2]],
        [-9, 4],
    ),
    (
        "sizes computed in the graph",
        [
            ("Shape", ["x"], ["s"]),
            ("Gather", ["s", "zero"], ["n"]),
            ("Unsqueeze", ["n", "axis"], ["n1"]),
            ("Mul", ["half", "two"], ["minus"]),
            ("Concat", ["n1", "minus"], ["shape"], {"axis": 0}),
            ("Reshape", ["x", "shape"], ["a"]),
            ("MatMul", ["a", "V"], ["y"]),
        ],
        {"V": V, "zero": np.array(0, np.int64), "axis": int64(0), "half": int64(1), "two": int64(-1)},
        [1, 1, 2],
        V.T,
        [0, 0, 0],
    ),
    (
        "constants folded exactly",
        [
            ("Div", ["a", "b"], ["c"]),
            ("Add", ["c", "a"], ["d"]),
            ("MatMul", ["d", "d"], ["e"]),
            ("Mul", ["x", "e"], ["y"]),
        ],
        {"a": np.float32([[1, 0], [0, 2]]), "b": np.float32(3)},
        [1, 1],
        [["16/9"], [0], [0], ["64/9"]],
        [0] * 4,
    ),
    (
        "relu of a constant",
        [("Relu", ["c"], ["d"]), ("Add", ["x", "d"], ["y"])],
        {"c": np.float32([-3, 5])},
        [2],
        EYE,
        [0, 5],
    ),
    (
        "constant of shape",
        [
            ("ConstantOfShape", ["s"], ["c"], {"value": helper.make_tensor("v", 1, [1], [4.0])}),
            ("Add", ["x", "c"], ["y"]),
        ],
        {"s": int64(2)},
        [2],
        EYE,
        [4, 4],
    ),
    (
        "integer weights",
        [("Cast", ["k"], ["w"], {"to": 1}), ("MatMul", ["x", "w"], ["y"])],
        {"k": np.array([[1], [-2]], np.int64)},
        [1, 2],
        [[1, -2]],
        [0],
    ),
    (
        "a cast constant is rounded",
        [("Cast", ["c"], ["w"], {"to": 1}), ("Add", ["x", "w"], ["y"])],
        {"c": np.array([0.1, 0.5])},
        [2],
        EYE,
        np.float32([0.1, 0.5]),
    ),
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case[0]) for case in AFFINE])
def test_affine(build: Build, case: Any) -> None:
    _, nodes, constants, shape, weight, bias = case
    reading = read_onnx(build(nodes, constants, inputs={"x": shape}), Path())
    found = Network(reading.layers, reading.inputs)
    assert found == Network([(_listed(weight), _listed(bias))])


def _listed(entries: Any) -> Any:
    return entries.tolist() if isinstance(entries, np.ndarray) else entries


@pytest.mark.parametrize(
    ("opset", "node", "expected"),
    [
        (9, ("Slice", ["x"], ["y"], {"starts": [1], "ends": [3]}), [[0, 1, 0], [0, 0, 1]]),
        (7, ("Squeeze", ["x"], ["y"], {"axes": [0]}), None),
        (11, ("Unsqueeze", ["x"], ["y"], {"axes": [0]}), None),
        (11, ("Split", ["x"], ["y", "z", "w"], {"split": [1, 1, 1], "axis": 0}), [[1, 0, 0]]),
        (18, ("Split", ["x"], ["z", "y"], {"num_outputs": 2, "axis": 0}), [[0, 0, 1]]),
        (7, ("Dropout", ["x"], ["y"], {"ratio": 0.5}), None),
    ],
)
def test_older_and_newer_forms(build: Build, opset: int, node: Any, expected: Any) -> None:
    shape = [1, 3] if node[0] == "Squeeze" else [3]
    reading = read_onnx(build([node], {}, inputs={"x": shape}, opset=opset), Path())
    expected = np.eye(3).tolist() if expected is None else expected
    assert Network(reading.layers) == Network([(expected, [0] * len(expected))])


def test_batch_normalisation_keeps_square_roots(build: Build) -> None:
    constants = {name: np.float32([value]) for name, value in (("s", 3), ("b", 1), ("m", 5), ("v", 2))}
    nodes = [("BatchNormalization", ["x", "s", "b", "m", "v"], ["a"], {"epsilon": 0.0}), ("MatMul", ["a", "w"], ["y"])]
    content = build(nodes, constants | {"w": np.float32([[2]])}, inputs={"x": [1, 1]})
    assert Network(read_onnx(content, Path()).layers) == Network([([["3*sqrt(2)"]], ["2 - 15*sqrt(2)"])])
    factor = float(np.float32(3 / np.sqrt(2)))
    rounded = read_onnx(content, Path(), batchnorm="float32")
    assert Network(rounded.layers) == Network([([[2 * factor]], [2 - 10 * factor])])
    assert rounded.notes["batch normalisation"] == "factors rounded to float32"


def test_batch_normalisation_of_channels(build: Build) -> None:
    """One factor a channel, whatever the axes after it."""
    constants = {
        name: np.float32(value) for name, value in (("s", [1, 2]), ("b", [0, 7]), ("m", [0, 0]), ("v", [1, 1]))
    }
    nodes = [("BatchNormalization", ["x", "s", "b", "m", "v"], ["y"], {"epsilon": 0.0})]
    layers = read_onnx(build(nodes, constants, inputs={"x": ["batch", 2, 2]}), Path()).layers
    assert Network(layers) == Network([(np.diag([1.0, 1, 2, 2]), [0, 0, 7, 7])])


@pytest.mark.parametrize("bits", ["FLOAT16", "BFLOAT16", "DOUBLE", "INT8", "UINT64"])
@pytest.mark.parametrize("raw", [False, True])
def test_types_of_constants(build: Build, bits: str, raw: bool) -> None:
    """1, 2 and 3 in every type, as raw bytes and as typed fields."""
    kind = getattr(TensorProto, bits)
    if bits == "BFLOAT16":
        words = (np.float32([1, 2, 3]).view(np.uint32) >> 16).astype(np.uint16)
    else:
        words = np.array([1, 2, 3], helper.tensor_dtype_to_np_dtype(kind))
    tensor = TensorProto(data_type=kind, dims=[3], name="c")
    if raw:
        tensor.raw_data = words.tobytes()
    elif bits == "DOUBLE":
        tensor.double_data.extend(words.tolist())
    elif bits == "UINT64":
        tensor.uint64_data.extend(words.tolist())
    else:
        tensor.int32_data.extend((words.view(np.uint16) if bits == "FLOAT16" else words).tolist())
    layers = read_onnx(build([("Add", ["x", "c"], ["y"])], {"c": tensor}, inputs={"x": [3]}), Path()).layers
    assert Network(layers) == Network([(np.eye(3), [1, 2, 3])])


def test_constant_nodes(build: Build) -> None:
    """Constants in each attribute, and after their use."""
    nodes = [
        ("Add", ["x", "a"], ["p"]),
        ("Mul", ["p", "b"], ["q"]),
        ("Gather", ["q", "i"], ["y"]),
        ("Constant", [], ["a"], {"value_floats": [1.0, 2.0]}),
        ("Constant", [], ["b"], {"value_float": 4.0}),
        ("Constant", [], ["i"], {"value_ints": [1, 0]}),
    ]
    assert Network(read_onnx(build(nodes, inputs={"x": [2]}), Path()).layers) == Network([([[0, 4], [4, 0]], [8, 4])])
