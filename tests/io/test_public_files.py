"""Network files that people hold, with what is known of them; see SOURCES.txt and the licences beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

from relusym import equal
from relusym.errors import FormatError
from relusym.io import load, load_with_notes
from relusym.parameters.network import Network

MARABOU = "NeuralNetworkVerification+Marabou"
LADDER_5 = "twin_ladder-5_inp-2_layers-5_width-1_margin"
LADDER_10 = "twin_ladder-10_inp-2_layers-10_width-1e-2_margin"
ACAS = f"{MARABOU}/ACASXU_experimental_v2a_1_1"

WIDTHS = {
    f"{ACAS}.nnet": (5, 50, 50, 50, 50, 50, 50, 5),
    f"{ACAS}.onnx": (5, 50, 50, 50, 50, 50, 50, 5),
    f"{MARABOU}/fc1.onnx": (2, 25, 25, 25, 2),
    f"{MARABOU}/fc_2-2-3.nnet": (2, 2, 3),
    f"{MARABOU}/fc_2-2-3.onnx": (2, 2, 3),
    f"{MARABOU}/fc_matMul.onnx": (125, 50, 5),
    f"{MARABOU}/gemm.onnx": (4, 4),
    f"{MARABOU}/linear2-3_bn1-linear3-1.onnx": (2, 1),
    f"{MARABOU}/multiInput_add.onnx": (10, 10, 10),
    f"{MARABOU}/oneInput_twoBranches.onnx": (12, 12, 24, 24),
    f"{MARABOU}/test_nano_vnncomp.onnx": (1, 1, 1),
    f"{MARABOU}/test_small_vnncomp.onnx": (1, 2, 2, 1),
    f"{MARABOU}/test_tiny_vnncomp.onnx": (1, 1, 1),
    f"{MARABOU}/{LADDER_5}.nnet": (5, 10, 1),
    f"{MARABOU}/{LADDER_10}.nnet": (10, 20, 1),
    "cog-imperial+OMLT/gemm_not_transB.onnx": (2, 2, 1),
    "cog-imperial+OMLT/gemm_transB.onnx": (2, 2, 1),
    "cog-imperial+OMLT/keras_linear_131_relu.onnx": (1, 3, 1),
    f"dlshriver+dnnv-benchmarks/{LADDER_5}.onnx": (5, 10, 1),
    f"dlshriver+dnnv-benchmarks/{LADDER_10}.onnx": (10, 20, 1),
    "intelligent-control-lab+ModelVerification.jl/small_nnet.onnx": (1, 2, 2, 1, 1),
    "pauls658+ReluDiff-ICSE2020-Artifact/b2layer_unquantized.nnet": (2, 2, 2, 1),
    "pauls658+ReluDiff-ICSE2020-Artifact/refine_motex.nnet": (2, 2, 1),
    "sisl+NNet/TestNetwork2.nnet": (5, 50, 50, 50, 50, 50, 50, 5),
    "sisl+NeuralVerification.jl/R2_R2.nnet": (2, 2, 2),
    "sisl+NeuralVerification.jl/small_nnet.nnet": (1, 2, 2, 1),
    "sisl+NeuralVerification.jl/spiky_nnet.nnet": (1, 6, 4, 3, 1),
    "sisl+NeuralVerification.jl/tiny_nnet.nnet": (1, 1, 1),
}
REFUSED = {
    "AI-Lab-Y+NN_cryptanalytic_extraction/1_deep_nn_3_2_1.npz": "'arr_0' holds pickled Python objects",
    "AI-Lab-Y+NN_cryptanalytic_extraction/c1_1_deep_nn_3_2_1.npz": "'arr_0' holds pickled Python objects",
    "tebartsch+numpy-quant/mlp.onnx": r"node '/sigmoid/Sigmoid' \(Sigmoid\)",
}


def test_every_file_is_listed(data: Path) -> None:
    files = {str(path.relative_to(data)) for path in data.glob("*/*") if path.suffix in (".nnet", ".onnx", ".npz")}
    assert files == WIDTHS.keys() | REFUSED.keys()


@pytest.mark.parametrize("name", WIDTHS)
def test_read(data: Path, name: str) -> None:
    assert load(data / name).widths == WIDTHS[name]


@pytest.mark.parametrize("name", REFUSED)
def test_refused(data: Path, name: str) -> None:
    with pytest.raises(FormatError, match=REFUSED[name]):
        load(data / name)


def test_stopped_before_the_sigmoid(data: Path) -> None:
    assert load(data / "tebartsch+numpy-quant/mlp.onnx", output="/fc2/Gemm_output_0").widths == (2, 5, 2)


def test_acas_decimals_are_the_floats_once_rounded(data: Path) -> None:
    """The .onnx subtracts a mean of zeros; the .nnet's normalisation is not applied: neither holds one."""
    model = load(data / f"{ACAS}.onnx")
    assert load(data / f"{ACAS}.nnet", numbers="float32") == model
    assert load(data / f"{ACAS}.nnet") != model
    notes = load_with_notes(data / f"{ACAS}.nnet", numbers="float32")[1]
    assert notes["numbers"] == "decimal text read as float32"
    assert notes["normalisation"] == "not applied"


def test_acas_normalisation(data: Path) -> None:
    """(x − mean) / range before, y · 373.94992 + 7.5188840201005975 after, in exact decimals."""
    plain, normalised = load(data / f"{ACAS}.nnet"), load(data / f"{ACAS}.nnet", normalize=True)
    from fractions import Fraction as F

    means = [F("19791.091"), F(0), F(0), F(650), F(600)]
    ranges = [F(60261), F("6.28318530718"), F("6.28318530718"), F(1100), F(1200)]
    point = [F(1, 2), F(-1, 3), F(0), F(1), F(-2)]
    inner = plain(point)
    outer = normalised([x * r + m for x, r, m in zip(point, ranges, means, strict=True)])
    scale, shift = F("373.94992"), F("7.5188840201005975")
    assert [F(str(y)) for y in outer] == [F(str(y)) * scale + shift for y in inner]


def test_the_same_network_in_two_files(data: Path) -> None:
    assert load(data / MARABOU / "fc_2-2-3.nnet") == load(data / MARABOU / "fc_2-2-3.onnx")
    small = load(data / "sisl+NeuralVerification.jl/small_nnet.nnet")
    assert small == load(data / MARABOU / "test_small_vnncomp.onnx")
    with_relu = load(data / "intelligent-control-lab+ModelVerification.jl/small_nnet.onnx")
    assert with_relu.layers[:3] == small.layers
    assert Network.from_layers(with_relu.layers[3:], with_relu.field) == Network([([[1]], [0])])


def constant(value: str, inputs: int) -> Network:
    return Network([([[0] * inputs], [0]), ([[0]], [value])])


def test_width_1_ladder(data: Path) -> None:
    text, model = load(data / MARABOU / f"{LADDER_5}.nnet"), load(data / f"dlshriver+dnnv-benchmarks/{LADDER_5}.onnx")
    assert equal(text, model)
    assert equal(text, constant("1", 5))


def test_margin_1e_2_ladder(data: Path) -> None:
    text, model = load(data / MARABOU / f"{LADDER_10}.nnet"), load(data / f"dlshriver+dnnv-benchmarks/{LADDER_10}.onnx")
    answer = equal(text, model)
    assert answer.truth is False
    witness = answer.counterexample
    assert witness is not None
    assert str(witness.f[0]) == "1250000000000007/125000000000000000"
    assert str(witness.g[0]) == "5764607523034235/576460752303423488"
    assert equal(text, constant("1250000000000007/125000000000000000", 10))
    assert equal(load(data / MARABOU / f"{LADDER_10}.nnet", numbers="float64"), model).truth is False


def test_transposition_counts(data: Path) -> None:
    first, second = (load(data / f"cog-imperial+OMLT/{name}.onnx") for name in ("gemm_transB", "gemm_not_transB"))
    assert equal(first, second).truth is False


@pytest.mark.parametrize("name", [name for name in WIDTHS if name.endswith(".onnx")])
def test_against_onnxruntime(data: Path, name: str) -> None:
    """A test of the reader, so a tolerance is fine: the runtime rounds on its way."""
    if "ModelVerification" in name:  # FLOAT input, DOUBLE weights: onnxruntime refuses to load it
        with pytest.raises(Exception, match="Type parameter"):
            onnxruntime.InferenceSession(data / name, providers=["CPUExecutionProvider"])
        return
    onnxruntime.set_default_logger_severity(4)
    session = onnxruntime.InferenceSession(data / name, providers=["CPUExecutionProvider"])
    network, rng = load(data / name), np.random.default_rng(0)
    for _ in range(3):
        feeds: dict[str, Any] = {}
        for entry in session.get_inputs():
            shape = [size if isinstance(size, int) else 1 for size in entry.shape]
            feeds[entry.name] = rng.normal(size=shape).astype(np.float64 if "double" in entry.type else np.float32)
        point = [float(x) for value in feeds.values() for x in value.ravel()]
        computed = np.concatenate([value.ravel() for value in session.run(None, feeds)])
        np.testing.assert_allclose(computed, [float(y) for y in network(point)], rtol=1e-4, atol=1e-4)
