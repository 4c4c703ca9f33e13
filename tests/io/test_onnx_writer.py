"""Writing ONNX: exact or not at all, unless rounding is asked for; and both ways against onnxruntime."""

from __future__ import annotations

import io
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym.errors import FieldError, MissingExtra
from relusym.io import load, save
from relusym.io.onnx_reader import read_onnx
from relusym.io.onnx_writer import write_onnx
from relusym.parameters.network import Network

Build = Callable[..., bytes]
onnxruntime.set_default_logger_severity(4)


def as_bytes(network: Network, rounding: str | None = None) -> bytes:
    stream = io.BytesIO()
    write_onnx(network, stream, rounding)
    return stream.getvalue()


def network_of(content: bytes, **options: Any) -> Network:
    reading = read_onnx(content, Path(), **options)
    return Network(reading.layers, reading.inputs)


def run(content: bytes, point: np.ndarray) -> np.ndarray:
    """Return what onnxruntime makes of a point, all outputs one after another."""
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    (only,) = session.get_inputs()
    shape = [size if isinstance(size, int) else 1 for size in only.shape]
    kind = np.float64 if "double" in only.type else np.float32
    return np.concatenate([y.ravel() for y in session.run(None, {only.name: point.reshape(shape).astype(kind)})])


def exactly(network: Network, point: np.ndarray) -> np.ndarray:
    return np.array([float(y) for y in network([float(x) for x in point])])


floats = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(floats, min_size=2, max_size=4))
def test_round_trip(entries: list[float]) -> None:
    network = Network([([[x, 1.0] for x in entries], entries), ([entries, entries], [0.5, "-1/4"])])
    content = as_bytes(network)
    assert network_of(content) == network
    assert as_bytes(network_of(content)) == content
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)


@pytest.mark.parametrize(
    ("entry", "kind"), [("1/2", onnx.TensorProto.FLOAT), (0.1, onnx.TensorProto.DOUBLE), (1e300, 11)]
)
def test_the_narrowest_type_that_is_exact(entry: Any, kind: int) -> None:
    model = onnx.load_from_string(as_bytes(Network([([[entry]], [1])])))
    assert {tensor.data_type for tensor in model.graph.initializer} == {kind}


def test_width_zero() -> None:
    network = Network([([], []), ([[]], [3])], inputs=2)
    assert network_of(as_bytes(network)) == network


def test_the_first_inexact_entry_is_named(tmp_path: Path) -> None:
    network = Network([([[1, 2]], [0]), ([["sqrt(2)"]], ["1/3"])])
    with pytest.raises(FieldError, match=r"a.onnx: layer 1, weight, entry \(0, 0\): 'sqrt\(2\)' is no 64-bit float"):
        save(network, tmp_path / "a.onnx")
    assert not list(tmp_path.iterdir())
    save(network, tmp_path / "a.onnx", rounding="float32")
    root, third = np.float32(np.sqrt(2)), np.float32(1 / 3)
    assert load(tmp_path / "a.onnx") == Network([([[1, 2]], [0]), (np.array([[root]]), np.array([third]))])


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtra, match=r"'relusym\[onnx\]' \(in a checkout: pip install '\.\[onnx\]'\)"):
        as_bytes(Network([([[1]], [0])]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_onnxruntime_computes_the_same(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    sizes = [4, 6, 5, 3]
    layers = [(rng.normal(size=(n, m)).astype(dtype), rng.normal(size=n).astype(dtype)) for m, n in pairwise(sizes)]
    network = Network(layers)
    content = as_bytes(network)
    for point in rng.normal(size=(20, 4)).astype(np.float32):
        np.testing.assert_allclose(run(content, point), exactly(network, point), rtol=1e-4, atol=1e-5)


class Graph:
    """A random graph of small integers, so that float32 computes it without rounding."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.nodes: list[Any] = []
        self.constants: dict[str, np.ndarray] = {}

    def constant(self, *shape: int) -> str:
        name = f"c{len(self.constants)}"
        values = self.draw(st.lists(st.integers(-2, 2), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
        self.constants[name] = np.array(values, np.float32).reshape(shape)
        return name

    def integers(self, *values: int) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = np.array(values, np.int64)
        return name

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append((operator, list(inputs), [name], attributes))
        return name

    def step(self, value: str, width: int) -> tuple[str, int]:
        """Apply one affine operator to a tensor of shape (1, width)."""
        match self.draw(st.integers(0, 9)):
            case 0:
                new = self.draw(st.integers(1, 4))
                return self.node("MatMul", value, self.constant(width, new)), new
            case 1:
                new = self.draw(st.integers(1, 4))
                weight, bias = self.constant(new, width), self.constant(1, new)
                return self.node("Gemm", value, weight, bias, transB=1, alpha=2.0, beta=-1.0), new
            case 2:
                return self.node(self.draw(st.sampled_from(["Add", "Sub", "Mul"])), value, self.constant(width)), width
            case 3:
                return self.node("Sub", self.constant(1, 1), value), width
            case 4:
                return self.node("Concat", value, self.node("Neg", value), axis=1), 2 * width
            case 5:
                places = self.draw(st.lists(st.integers(-width, width - 1), min_size=1, max_size=4))
                return self.node("Gather", value, self.integers(*places), axis=1), len(places)
            case 6:
                turned = self.node("Transpose", value, perm=[1, 0])
                new = self.draw(st.integers(1, 4))
                product = self.node("MatMul", self.constant(new, width), turned)
                return self.node("Reshape", product, self.integers(1, -1)), new
            case 7:
                start = self.draw(st.integers(0, width - 1))
                ends = self.integers(2**31), self.integers(1)
                return self.node("Slice", value, self.integers(start), *ends), width - start
            case 8:
                weight = self.constant(width, width)
                return self.node("Add", value, self.node("MatMul", value, weight)), width
            case _:
                half = self.node("Div", value, self.node("Constant", value_float=2.0))
                return self.node("Flatten", half), width


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_random_graphs_against_onnxruntime(build: Any, data: Any) -> None:
    """Small integers and halves stay exact in float32: the two must agree to the last bit."""
    graph = Graph(data.draw)
    width = data.draw(st.integers(1, 3))
    value, size = "x", width
    for _ in range(data.draw(st.integers(0, 2))):
        for _ in range(data.draw(st.integers(0, 2))):
            value, size = graph.step(value, size)
        if data.draw(st.booleans()):
            other, other_size = graph.step(value, size)
            pieces = [graph.node("Relu", value), graph.node("Relu", other)]
            value, size = graph.node("Concat", *pieces, axis=1), size + other_size
        else:
            value = graph.node("Relu", value)
    value, size = graph.step(value, size)
    content = build(graph.nodes, graph.constants, inputs={"x": [1, width]}, outputs=[value])
    network = network_of(content)
    for point in data.draw(
        st.lists(st.lists(st.integers(-3, 3), min_size=width, max_size=width), min_size=1, max_size=3)
    ):
        vector = np.array(point, np.float32)
        assert np.array_equal(run(content, vector), exactly(network, vector))
    assert network_of(as_bytes(network)) == network
