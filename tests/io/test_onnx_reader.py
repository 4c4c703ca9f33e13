"""Whole graphs: ReLU layers in pieces, skips, order, external data, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from relusym.errors import FieldError, FormatError, RelusymError, ShapeError
from relusym.io import load, load_with_notes
from relusym.io.onnx_reader import read_onnx
from relusym.parameters.network import Network

Build = Callable[..., bytes]

W = np.float32([[1, 2], [3, 4], [5, 6]])
V = np.float32([[1, -1, 2]])
B = np.float32([1, -2, 3])
MLP = [
    ("Gemm", ["x", "W", "B"], ["a"], {"transB": 1}),
    ("Relu", ["a"], ["b"]),
    ("Gemm", ["b", "V"], ["y"], {"transB": 1}),
]
CONSTANTS = {"W": W, "B": B, "V": V}
EXPECTED = Network([(W, B), (V, [0])])


def network_of(content: bytes, **options: Any) -> Network:
    reading = read_onnx(content, Path(), **options)
    return Network(reading.layers, reading.inputs)


def test_float_weights_stay_arrays(build: Build) -> None:
    reading = read_onnx(build(MLP, CONSTANTS), Path())
    assert [weight.dtype for weight, _ in reading.layers] == [np.float32, np.float32]
    assert Network(reading.layers) == EXPECTED
    assert reading.notes["inputs"] == "x 1x2"
    assert reading.notes["outputs"] == "y 1x1"


def test_order_of_nodes_does_not_matter(build: Build) -> None:
    assert network_of(build(MLP[::-1], CONSTANTS)) == EXPECTED


def test_final_relu(build: Build) -> None:
    reading = read_onnx(build([*MLP, ("Relu", ["y"], ["z"])], CONSTANTS, outputs=["z"]), Path())
    assert Network(reading.layers) == Network([(W, B), (V, [0]), ([[1]], [0])])
    assert "one more hidden layer" in reading.notes["final Relu"]


def test_unknown_batch_size(build: Build) -> None:
    for batch in ("N", None):
        reading = read_onnx(build(MLP, CONSTANTS, inputs={"x": [batch, 2]}), Path())
        assert Network(reading.layers) == EXPECTED
        assert "batch of 1" in reading.notes["batch"]


def test_initialisers_that_are_inputs(build: Build) -> None:
    inputs = {"W": [3, 2], "x": [1, 2], "B": [3], "V": [1, 3]}
    assert network_of(build(MLP, CONSTANTS, inputs=inputs, opset=7)) == EXPECTED


def test_float_input_with_double_weights(build: Build) -> None:
    doubles = {name: value.astype(np.float64) / 3 for name, value in CONSTANTS.items()}
    assert network_of(build(MLP, doubles)) == Network([(doubles["W"], doubles["B"]), (doubles["V"], [0])])


def test_output_by_name_stops_before_what_is_no_relu_network(build: Build) -> None:
    content = build([*MLP, helper.make_node("Sigmoid", ["y"], ["z"], "the end")], CONSTANTS, outputs=["z"])
    with pytest.raises(FormatError, match=r"node 'the end' \(Sigmoid\): .* neither affine nor Relu.*output=.*'y'"):
        network_of(content)
    assert network_of(content, output="y") == EXPECTED
    assert network_of(content, output=["y", "b"]).widths == (2, 3, 4)
    with pytest.raises(FormatError, match="there is no tensor 'w'"):
        network_of(content, output="w")


def test_units_of_one_layer_over_several_nodes(build: Build) -> None:
    """Slices through Relu nodes of their own, joined in another order, are one hidden layer."""
    nodes = [
        ("Gemm", ["x", "W", "B"], ["a"], {"transB": 1}),
        ("Split", ["a", "sizes"], ["p", "q"], {"axis": 1}),
        ("Relu", ["p"], ["rp"]),
        ("Relu", ["q"], ["rq"]),
        ("Concat", ["rq", "rp"], ["b"], {"axis": 1}),
        ("Gemm", ["b", "V"], ["y"], {"transB": 1}),
    ]
    content = build(nodes, CONSTANTS | {"sizes": np.array([1, 2])})
    assert network_of(content) == Network([(W, B), ([[2, 1, -1]], [0])])


def test_branches_add_up(build: Build) -> None:
    nodes = [
        ("MatMul", ["x", "P"], ["a"]),
        ("Relu", ["a"], ["ra"]),
        ("Neg", ["x"], ["n"]),
        ("Relu", ["n"], ["rn"]),
        ("Sub", ["ra", "rn"], ["y"]),
    ]
    content = build(nodes, {"P": np.float32([[1, 2], [3, 4]])})
    assert network_of(content) == Network(
        [([[1, 3], [2, 4], [-1, 0], [0, -1]], [0] * 4), ([[1, 0, -1, 0], [0, 1, 0, -1]], [0, 0])]
    )


SKIP = [*MLP[:2], ("MatMul", ["b", "U"], ["c"]), ("Add", ["c", "x"], ["y"])]


def test_skip_connections(build: Build) -> None:
    content = build(SKIP, CONSTANTS | {"U": np.float32([[1, 0], [0, 1], [1, 1]])})
    with pytest.raises(FormatError, match=r"node #3 \(Add\): it joins tensors of ReLU layers 0 and 1.*skips='carry'"):
        network_of(content)
    carried = network_of(content, skips="carry")
    eye, zero = np.eye(2), np.zeros(2)
    first = np.vstack([W, eye, -eye]), np.concatenate([B, zero, zero])
    assert carried == Network([first, ([[1, 0, 1, 1, 0, -1, 0], [0, 1, 1, 0, 1, 0, -1]], [0, 0])])


def test_a_relu_output_is_carried_by_itself(build: Build) -> None:
    nodes = [
        ("Relu", ["x"], ["a"]),
        ("Neg", ["a"], ["b"]),
        ("Add", ["b", "one"], ["c"]),
        ("Relu", ["c"], ["d"]),
        ("Add", ["a", "d"], ["y"]),
    ]
    content = build(nodes, {"one": np.float32(1)}, inputs={"x": [1]})
    assert network_of(content, skips="carry") == Network([([[1]], [0]), ([[-1], [1]], [1, 0]), ([[1, 1]], [0])])


def test_a_constant_network(build: Build) -> None:
    content = build(
        [("Mul", ["x", "zero"], ["a"]), ("Relu", ["a"], ["b"]), ("Add", ["c", "c"], ["y"])],
        {"zero": np.float32(0), "c": np.float32([[4]])},
    )
    assert network_of(content) == Network([([[0, 0]], [8])])


def test_several_inputs_and_outputs(build: Build) -> None:
    nodes = [("Sub", ["u", "x"], ["y"]), ("Neg", ["u"], ["z"])]
    reading = read_onnx(build(nodes, inputs={"x": [1], "u": [1]}, outputs=["y", "z"]), Path())
    assert Network(reading.layers) == Network([([[-1, 1], [0, -1]], [0, 0])])
    assert (reading.notes["inputs"], reading.notes["outputs"]) == ("x 1, u 1", "y 1, z 1")


def test_a_deep_graph_needs_no_deep_stack(build: Build) -> None:
    count = 3000
    nodes = [("Identity", [f"t{i}"], [f"t{i + 1}"]) for i in reversed(range(count))]
    content = build(nodes, inputs={"t0": [1]}, outputs=[f"t{count}"])
    assert network_of(content) == Network([([[1]], [0])])


def test_unused_branches_are_not_read(build: Build) -> None:
    content = build([*MLP, ("Sigmoid", ["b"], ["unused"])], CONSTANTS)
    assert network_of(content) == EXPECTED


# External data --------------------------------------------------------------------------------------------------------


def external(location: str, **entries: str) -> TensorProto:
    tensor = TensorProto(data_type=1, dims=[1, 3], name="V", data_location=TensorProto.EXTERNAL)
    for key, value in {"location": location, **entries}.items():
        tensor.external_data.add(key=key, value=value)
    return tensor


def test_external_data_in_the_folder(build: Build, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "v.bin").write_bytes(bytes(8) + V.tobytes())
    path = tmp_path / "m.onnx"
    path.write_bytes(build(MLP, CONSTANTS | {"V": external("sub/v.bin", offset="8", length="12")}))
    assert load(path) == EXPECTED
    path.write_bytes(build(MLP, CONSTANTS | {"V": external("sub/../sub/v.bin", offset="8")}))
    assert load(path) == EXPECTED


@pytest.mark.parametrize(
    ("tensor", "message"),
    [
        (external("../../etc/passwd"), "outside the model's folder"),
        (external("/etc/passwd"), "outside the model's folder"),
        (external("link.bin"), "outside the model's folder"),
        (external("missing.bin"), "no such file"),
        (external("folder"), "no regular file"),
        (external(""), "name no file"),
        (external("short.bin"), "end after 4 bytes, 12 are due"),
        (external("short.bin", length="4"), "4 bytes are declared, the shape needs 12"),
        (external("short.bin", offset="-1"), "is no size"),
        (external("short.bin", offset="9" * 18), "end after 4 bytes"),
    ],
)
def test_external_data_refused(build: Build, tmp_path: Path, tensor: TensorProto, message: str) -> None:
    home = tmp_path / "home"
    (home / "folder").mkdir(parents=True)
    (home / "short.bin").write_bytes(bytes(4))
    (tmp_path / "secret.bin").write_bytes(V.tobytes())
    (home / "link.bin").symlink_to(tmp_path / "secret.bin")
    path = home / "m.onnx"
    path.write_bytes(build(MLP, CONSTANTS | {"V": tensor}))
    with pytest.raises(RelusymError, match=message) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: node #2 (Gemm): tensor 'V': ")
    assert "\n" not in str(caught.value)


# What is refused ------------------------------------------------------------------------------------------------------


def tensor(dims: list[int], data_type: int = 1, raw: bytes = b"") -> TensorProto:
    return TensorProto(data_type=data_type, dims=dims, name="V", raw_data=raw)


@pytest.mark.parametrize(
    ("nodes", "constants", "message"),
    [
        ([("LogSoftmax", ["x"], ["y"])], {}, r"node #0 \(LogSoftmax\): the operator 'LogSoftmax' is neither affine"),
        ([helper.make_node("Relu", ["x"], ["y"], domain="com.acme")], {}, "operators of the domain 'com.acme'"),
        ([("Mul", ["x", "x"], ["y"])], {}, "both factors depend on the network's input"),
        ([("MatMul", ["x", "x"], ["y"])], {}, "both factors depend on the network's input"),
        ([("Div", ["c", "x"], ["y"])], {"c": V}, "its divisor depends on the network's input"),
        ([("Div", ["x", "c"], ["y"])], {"c": np.float32([1, 0])}, "division by zero"),
        ([("Reshape", ["x", "x"], ["y"])], {}, "its shape depends on the network's input"),
        ([("Reshape", ["x", "s"], ["y"])], {"s": np.array([3, 3])}, "inputs of shapes .* do not fit"),
        ([("Gemm", ["x", "V"], ["y"])], CONSTANTS, "do not fit in a product"),
        ([("Add", ["x", "B"], ["y"])], CONSTANTS, "do not fit"),
        ([("Add", ["x"], ["y"])], {}, "input 1 is missing"),
        ([("Add", ["x", "nothing"], ["y"])], {}, "there is no tensor 'nothing'"),
        ([("Dropout", ["x"], ["y", "mask"])], {}, "its mask"),
        ([("Dropout", ["x", "", "t"], ["y"])], {"t": np.array(True)}, "training mode"),
        ([("Cast", ["x"], ["y"], {"to": 7})], {}, "no type of real numbers"),
        ([("Concat", ["x", "x"], ["y"])], {}, "its axis is missing"),
        ([("Constant", [], ["c"], {"value": 3}), ("Add", ["x", "c"], ["y"])], {}, "its attribute value is no tensor"),
        ([("Concat", ["x", "x"], ["y"], {"axis": "1"})], {}, "do not fit"),
        ([("Constant", [], ["c"]), ("Add", ["x", "c"], ["y"])], {}, "holds no tensor"),
        ([("MatMul", ["c", "c"], ["d"]), ("Mul", ["x", "d"], ["y"])], {"c": np.float32(2)}, "a single number"),
        ([("Gather", ["x", "i"], ["y"], {"axis": 1})], {"i": np.array([2])}, "do not fit"),
        ([("Gather", ["x", "B"], ["y"])], CONSTANTS, "its positions must be integers"),
        ([("Transpose", ["x"], ["y"], {"perm": [0, 0]})], {}, "do not fit"),
        ([("Identity", ["y"], ["z"]), ("Identity", ["z"], ["y"])], {}, "cycle"),
        ([("Identity", ["x"], ["y"]), ("Neg", ["x"], ["y"])], {}, "'y' is made twice"),
        ([("ConstantOfShape", ["s"], ["c"]), ("Add", ["x", "c"], ["y"])], {"s": np.array([2**40])}, "beyond the limit"),
        ([("Expand", ["x", "s"], ["y"])], {"s": np.array([2**40, 2])}, "beyond the limit"),
        ([("Add", ["x", "V"], ["y"])], {"V": tensor([2**40])}, "would take 1099511627776 entries"),
        ([("Add", ["x", "V"], ["y"])], {"V": tensor([2**20])}, "declares 1048576 numbers, 0 are there"),
        ([("Add", ["x", "V"], ["y"])], {"V": tensor([-1])}, "negative size"),
        ([("Add", ["x", "V"], ["y"])], {"V": tensor([1], raw=b"123")}, "no whole number of FLOAT"),
        ([("Add", ["x", "V"], ["y"])], {"V": tensor([1], 8)}, "type 8 holds no exact numbers"),
        ([("Add", ["x", "V"], ["y"])], {"V": np.float32([1, np.nan])}, "entry 1 is nan"),
        ([("Mul", ["x", "V"], ["y"])], {"V": np.float32([np.inf])}, "entry 0 is inf"),
        (
            [("BatchNormalization", ["x", "s", "s", "s", "v"], ["y"])],
            {"s": np.float32([1, 1]), "v": np.float32([-2, 1])},
            "channel 0: variance",
        ),
        ([("BatchNormalization", ["x", "V", "V", "V", "V"], ["y"])], CONSTANTS, "2 channels need"),
        ([helper.make_node("Sigmoid", ["x"], ["y"], "two\nlines")], {}, r"node 'two\\nlines' \(Sigmoid\)"),
    ],
)
def test_refused_in_one_line(build: Build, nodes: Any, constants: Any, message: str) -> None:
    with pytest.raises(RelusymError, match=message) as caught:
        network_of(build(nodes, constants))
    assert "\n" not in str(caught.value)


def test_numbers_do_not_grow_without_bound(build: Build) -> None:
    """c, c², c⁴, …: forty squares would have 2⁴⁰ bits."""
    nodes: list[Any] = [("Mul", [f"c{i}", f"c{i}"], [f"c{i + 1}"]) for i in range(40)]
    content = build([*nodes, ("Mul", ["x", "c40"], ["y"])], {"c0": np.float32([1.1])})
    with pytest.raises(FieldError, match="a number would have more than 8192 bits"):
        network_of(content)


def test_tensors_do_not_grow_without_bound(build: Build) -> None:
    nodes: list[Any] = [("Concat", [f"t{i}", f"t{i}"], [f"t{i + 1}"], {"axis": 0}) for i in range(40)]
    with pytest.raises(ShapeError, match="beyond the limit"):
        network_of(build(nodes, inputs={"t0": [1, 2]}, outputs=["t40"]))


def test_products_do_not_grow_without_bound(build: Build) -> None:
    """Two weights made of nothing, whose product would take a day."""
    nodes: list[Any] = [
        ("ConstantOfShape", ["s"], ["a"]),
        ("MatMul", ["a", "a"], ["b"]),
        ("MatMul", ["b", "a"], ["c"]),
        ("MatMul", ["x", "c"], ["y"]),
    ]
    with pytest.raises(ShapeError, match="beyond the limit"):
        network_of(build(nodes, {"s": np.array([2**12, 2**12])}, inputs={"x": [1, 2**12]}))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"x": None}, "'x' declares no shape"),
        ({"x": [1, "n"]}, "sizes that are not fixed"),
        ({"x": ["n"]}, "sizes that are not fixed"),
        ({"x": [2**40]}, "beyond the limit"),
        ({"W": [3, 2], "V": [1, 3], "B": [3]}, "no inputs"),
    ],
)
def test_inputs_refused(build: Build, inputs: Any, message: str) -> None:
    with pytest.raises(RelusymError, match=message):
        network_of(build(MLP, CONSTANTS, inputs=inputs))


def test_integer_inputs_are_refused(build: Build) -> None:
    with pytest.raises(FormatError, match="no tensor of real numbers"):
        network_of(build(MLP, CONSTANTS, kind=TensorProto.INT64))


@pytest.mark.parametrize("content", [b"\x00", b"no model", b"\x08\x08", b"\x0a" * 100])
def test_no_model(content: bytes) -> None:
    with pytest.raises(FormatError, match="no ONNX model"):
        network_of(content)


def test_truncated_models(build: Build) -> None:
    content = build(MLP, CONSTANTS)
    outcomes = set()
    for end in range(len(content)):
        try:
            network_of(content[:end])
            outcomes.add("read")
        except RelusymError as error:
            outcomes.add(type(error).__name__)
            outcomes |= {"two lines"} if "\n" in str(error) else set()
    assert "FormatError" in outcomes
    assert "two lines" not in outcomes


def test_names_that_are_no_utf8(build: Build) -> None:
    """The parser hands such names on as bytes."""
    content = build([("Identity", ["xxxx"], ["y"])], inputs={"xxxx": [1]}).replace(b"xxxx", b"\xff\xfexx")
    assert network_of(content) == Network([([[1]], [0])])
    assert read_onnx(content, Path()).notes["inputs"].isprintable()
    tensor = external("q.bin")
    content = build([("Add", ["x", "V"], ["y"])], {"V": tensor}).replace(b"q.bin", b"\xff.bin")
    with pytest.raises(FormatError, match="no such file"):
        network_of(content)


def test_old_operator_sets(build: Build) -> None:
    with pytest.raises(FormatError, match="version 7 or newer"):
        network_of(build(MLP, CONSTANTS, opset=6))


def test_unknown_options(build: Build, tmp_path: Path) -> None:
    content = build(MLP, CONSTANTS)
    with pytest.raises(FormatError, match="skips must be one of 'refuse', 'carry'"):
        network_of(content, skips="drop")
    with pytest.raises(FormatError, match="batchnorm must be one of"):
        network_of(content, batchnorm="yes")
    path = tmp_path / "m.onnx"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="the option 'colour'"):
        load(path, colour="red")


def test_sparse_initialisers_are_refused(build: Build) -> None:
    model = ModelProto.FromString(build(MLP, CONSTANTS))
    model.graph.sparse_initializer.add()
    with pytest.raises(FormatError, match="sparse"):
        network_of(model.SerializeToString())


def test_notes_reach_the_caller(build: Build, tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(build(MLP, CONSTANTS))
    notes = load_with_notes(path)[1]
    assert notes["format"] == "ONNX, opset 13"
    assert notes["widths"] == "2 3 1"


def test_missing_package(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from relusym.errors import MissingExtra

    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtra, match=r"'relusym\[onnx\]' \(in a checkout: pip install '\.\[onnx\]'\)"):
        network_of(b"anything")


def test_irrational_relu_input_is_no_constant(build: Build) -> None:
    nodes = [
        ("BatchNormalization", ["c", "s", "s", "s", "s"], ["a"], {"epsilon": 0.0}),
        ("Relu", ["a"], ["b"]),
        ("Add", ["x", "b"], ["y"]),
    ]
    with pytest.raises((FieldError, ShapeError)):
        network_of(build(nodes, {"c": np.float32([[3, 5]]), "s": np.float32([2, 2])}))
