"""Feed damaged files to every reader and see that only RelusymError leaves them.

    python benchmarks/fuzz_readers.py [--inputs 20000] [--seed 0] [--format npz ...]

Each input is a good file with a few bytes flipped, cut out, repeated, replaced by interesting numbers or texts, or
spliced with another good file; half of the .json, .npz and .onnx inputs are damaged inside the object, the archive or
the message, so that they stay well-formed on the outside. Printed per format: how many were read, how many refused, the
slowest, and whatever else came out. Exit status 1 if anything else did.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import signal
import sys
import time
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from relusym.errors import RelusymError
from relusym.io.json_files import read_json
from relusym.io.nnet import read_nnet
from relusym.io.npz import read_npz
from relusym.io.onnx_reader import read_onnx
from relusym.parameters.network import Network

TEXTS = [
    b"1e99999",
    b"-0",
    b"nan",
    b"sqrt(2)",
    b"9" * 400,
    b"[",
    b'{"',
    b",",
    b"\n",
    b"\\u0000",
    b"//",
    b"1/0",
    b"\xff",
    b"-1",
]
SECONDS = 5
NUMBERS = [0, 1, 127, 128, 255, 2**31 - 1, 2**31, 2**40, 2**63 - 1]


def mutate(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Damage data in one to four places."""
    content = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        place = rng.randrange(len(content) + 1)
        length = rng.choice([1, 1, 2, 4, 8, 64])
        match rng.randrange(7):
            case 0 if content:
                content[min(place, len(content) - 1)] ^= 1 << rng.randrange(8)
            case 1:
                del content[place : place + length]
            case 2:
                content[place:place] = content[place : place + length] * rng.choice([1, 2, 20])
            case 3:
                content[place : place + rng.choice([0, length])] = rng.choice(TEXTS)
            case 4:
                size = rng.choice([1, 2, 4, 8])
                content[place : place + size] = (rng.choice(NUMBERS) % 256**size).to_bytes(size, "little")
            case 5:
                other = rng.choice(others)
                start = rng.randrange(len(other) + 1)
                content[place : place + length] = other[start : start + 64]
            case _:
                del content[rng.choice([place, len(content) // 2, len(content) - 1]) :]
    return bytes(content)


def mutate_object(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Replace values inside a JSON object."""
    value = json.loads(data)
    leaves = ["null", "true", "0", "-7", "1" + "0" * 30, "0.5", '"1/3"', '"sqrt(3)"', '""', '"x"', '"1e9"', '"2**0.5"']
    leaves += ["[]", "{}", "[[1]]", '"root([1, 1], 0)"']
    for _ in range(rng.choice([1, 1, 2, 3])):
        place = value
        while True:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            if not keys:
                break
            key = rng.choice(keys)
            if not isinstance(place[key], (dict, list)) or rng.random() < 0.1:
                place[key] = json.loads(rng.choice(leaves))
                break
            place = place[key]
    return json.dumps(value).encode()


def mutate_archive(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Damage one member of a .npz and leave the archive in order."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(stream, "w") as target:
        names = source.namelist()
        victim = rng.choice(names)
        for name in names:
            content = source.read(name)
            target.writestr(name, mutate(content, [content], rng) if name == victim else content)
    return stream.getvalue()


def mutate_model(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Rewire an ONNX model: swap names, operators, attributes, sizes and types, in a message that stays well-formed."""
    from onnx import ModelProto

    model = ModelProto.FromString(data)
    graph = model.graph
    operators = [
        "Relu",
        "Gemm",
        "MatMul",
        "Add",
        "Sub",
        "Mul",
        "Div",
        "Neg",
        "Concat",
        "Slice",
        "Split",
        "Gather",
        "Shape",
    ]
    operators += [
        "Flatten",
        "Reshape",
        "Squeeze",
        "Unsqueeze",
        "Transpose",
        "Cast",
        "Expand",
        "Sum",
        "BatchNormalization",
    ]
    operators += ["ConstantOfShape", "Identity", "Dropout", "Constant", "Sigmoid"]
    names = [name for node in graph.node for name in (*node.input, *node.output)] or ["x"]
    for _ in range(rng.randint(1, 4)):
        node = rng.choice(graph.node) if graph.node else graph.node.add()
        match rng.randrange(8):
            case 0:
                node.op_type = rng.choice(operators)
            case 1 if node.input:
                node.input[rng.randrange(len(node.input))] = rng.choice([*names, "", "unknown"])
            case 2:
                node.input.append(rng.choice(names))
            case 3 if graph.initializer:
                tensor = rng.choice(graph.initializer)
                tensor.dims[:] = [rng.choice([*tensor.dims, 0, 1, 2, -1, 2**40]) for _ in range(rng.randrange(4))]
            case 4 if graph.initializer:
                rng.choice(graph.initializer).data_type = rng.randrange(20)
            case 5:
                attribute = node.attribute.add(
                    name=rng.choice(["axis", "axes", "perm", "alpha", "transA", "to", "starts"])
                )
                attribute.type = rng.choice([1, 2, 3, 6, 7])
                attribute.i, attribute.f = rng.choice([-1, 0, 1, 2, 7, 2**62]), rng.choice([0.0, 0.5, float("nan")])
                attribute.ints.extend(rng.choice([-1, 0, 1, 5]) for _ in range(rng.randrange(3)))
            case 6 if graph.input:
                dims = rng.choice(graph.input).type.tensor_type.shape.dim
                if dims:
                    rng.choice(dims).dim_value = rng.choice([-1, 0, 1, 3, 2**40])
            case _:
                graph.node.add(op_type=rng.choice(operators), input=rng.sample(names, 1), output=[rng.choice(names)])
    content: bytes = model.SerializeToString()
    return content


def seeds() -> dict[str, list[bytes]]:
    """Return good files of every format: the public ones beside the tests, and some made here."""
    folder = Path(__file__).parent.parent / "tests" / "data"
    found: dict[str, list[bytes]] = {name: [] for name in ("json", "npz", "nnet", "onnx")}
    for path in sorted(folder.glob("*/*")):
        if path.suffix[1:] in found and path.stat().st_size < 10_000:
            found[path.suffix[1:]].append(path.read_bytes())
    rng = np.random.default_rng(0)
    for dtype in ("float32", "float64", "int16"):
        stream = io.BytesIO()
        np.savez(
            stream,
            W0=(4 * rng.normal(size=(3, 2))).astype(dtype),
            b0=np.zeros(3, dtype),
            W1=np.ones((1, 3), dtype),
            b1=np.ones(1),
        )
        found["npz"].append(stream.getvalue())
    head = {"format": "relusym-network", "version": 1}
    layers = [
        {"weight": [["1/2", "-3"], ["sqrt(2)", 4]], "bias": ["0.1", "root([-2, 0, 1], 1)"]},
        {"weight": [[1, 2]], "bias": [0]},
    ]
    found["json"].append(json.dumps({**head, "layers": layers}).encode())
    floats = [{"weight": [[0.1, 2e-3]], "bias": [1.5]}]
    found["json"] += [
        json.dumps({**head, "floats": mode, "layers": floats}).encode() for mode in ("decimal", "float32")
    ]
    return found


def readers(rng: random.Random) -> dict[str, Callable[[bytes], object]]:
    """Return what is called for each format, up to the finished network."""

    def built(reading: Any) -> Network:
        return Network(reading.layers, reading.inputs)

    def nnet(data: bytes) -> object:
        return built(
            read_nnet(data, numbers=rng.choice(["decimal", "float32", "float64"]), normalize=rng.random() < 0.5)
        )

    def onnx(data: bytes) -> object:
        options = {"skips": rng.choice(["refuse", "carry"]), "batchnorm": rng.choice(["exact", "float32"])}
        return built(read_onnx(data, Path(__file__).parent, **options))

    return {"json": read_json, "npz": lambda data: built(read_npz(data)), "nnet": nnet, "onnx": onnx}


class TooSlowError(BaseException):
    """An input took longer than the limit."""


def _interrupt(*_: object) -> None:
    raise TooSlowError


def fuzz(name: str, count: int, seed: int) -> bool:
    """Run one reader; return whether nothing but RelusymError left it."""
    rng = random.Random(f"{name} {seed}")
    good, read = seeds()[name], readers(rng)[name]
    inside = {"json": mutate_object, "npz": mutate_archive, "onnx": mutate_model}.get(name, mutate)
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    for number in range(count):
        data = (inside if rng.random() < 0.5 else mutate)(rng.choice(good), good, rng)
        start = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            read(data)
            outcomes["read"] += 1
        except RelusymError as error:
            outcomes["refused"] += 1
            if "\n" in str(error):
                outcomes["message of two lines"] += 1
        except TooSlowError:
            outcomes[f"longer than {SECONDS} s"] += 1
            print(
                f"{name}: input {number} of seed {seed} took longer than {SECONDS} s: {data[:300]!r}", file=sys.stderr
            )
        except Exception:
            outcomes["other exception"] += 1
            if outcomes["other exception"] <= 3:
                print(f"{name}: input {number} of seed {seed}", file=sys.stderr)
                traceback.print_exc()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        slowest = max(slowest, time.perf_counter() - start)
    print(f"{name:5} {count} inputs: {dict(sorted(outcomes.items()))}, slowest {slowest:.2f} s", flush=True)
    return outcomes["read"] + outcomes["refused"] == count and not outcomes["message of two lines"]


def main() -> int:
    """Run all readers that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--format", nargs="+", default=["json", "npz", "nnet", "onnx"])
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _interrupt)
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", message="Duplicate name")
    outcomes = [fuzz(name, options.inputs, options.seed) for name in options.format]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
