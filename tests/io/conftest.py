"""Small ONNX models built in place, and the public files beside the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from onnx import TensorProto, helper, numpy_helper

Build = Callable[..., bytes]
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    return DATA


def build_model(
    nodes: Sequence[Any],
    constants: Mapping[str, Any] | None = None,
    *,
    inputs: Mapping[str, Sequence[int | str | None] | None] | None = None,
    outputs: Sequence[str] = ("y",),
    opset: int = 13,
    kind: int = TensorProto.FLOAT,
) -> bytes:
    """Return the bytes of a model; nodes are (operator, inputs, outputs, attributes) or made by onnx.helper."""
    made = [
        helper.make_node(node[0], node[1], node[2], **(node[3] if len(node) > 3 else {}))
        if isinstance(node, tuple)
        else node
        for node in nodes
    ]
    tensors = [
        numpy_helper.from_array(np.asarray(value), name) if not isinstance(value, TensorProto) else value
        for name, value in (constants or {}).items()
    ]
    graph = helper.make_graph(
        made,
        "g",
        [helper.make_tensor_value_info(name, kind, shape) for name, shape in (inputs or {"x": [1, 2]}).items()],
        [helper.make_tensor_value_info(name, kind, None) for name in outputs],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    content: bytes = model.SerializeToString()
    return content


@pytest.fixture(scope="session")
def build() -> Build:
    return build_model
