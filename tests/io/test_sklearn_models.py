"""scikit-learn's perceptrons: the affine part before the output activation, exactly."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier, MLPRegressor

from relusym import equal
from relusym.errors import FormatError
from relusym.io import from_sklearn, load, save
from relusym.parameters.network import Network

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))


pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def values(model: Any, points: np.ndarray) -> np.ndarray:
    network = from_sklearn(model)
    return np.array([[float(y) for y in network([float(x) for x in point])] for point in points])


def test_regressor() -> None:
    model = MLPRegressor(hidden_layer_sizes=(5, 4), max_iter=5, random_state=0).fit(X, X[:, :2] - X[:, 1:])
    assert from_sklearn(model).widths == (3, 5, 4, 2)
    np.testing.assert_allclose(values(model, X[:5]), model.predict(X[:5]), atol=1e-12)


def test_classifier_with_many_classes() -> None:
    model = MLPClassifier(hidden_layer_sizes=(6,), max_iter=5, random_state=0).fit(X, RNG.integers(0, 3, 40))
    logits = values(model, X[:5])
    softmax = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(softmax, model.predict_proba(X[:5]), atol=1e-12)


def test_classifier_with_two_classes() -> None:
    model = MLPClassifier(hidden_layer_sizes=(6,), max_iter=5, random_state=0).fit(X, X[:, 0] > 0)
    logistic = 1 / (1 + np.exp(-values(model, X[:5])[:, 0]))
    np.testing.assert_allclose(logistic, model.predict_proba(X[:5])[:, 1], atol=1e-12)


def test_arrays_stay_arrays() -> None:
    model = MLPRegressor(hidden_layer_sizes=(4,), max_iter=2, random_state=0).fit(
        X.astype(np.float32), X[:, 0].astype(np.float32)
    )
    network = from_sklearn(model)
    assert network.layers[0].weight.array.dtype == np.float32  # type: ignore[attr-defined]
    assert np.array_equal(network.layers[0].weight.array, model.coefs_[0].T)  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def digits() -> Any:
    """A classifier trained on scikit-learn's digits, 64-100-10, as long as is needed for nothing more than weights."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    return MLPClassifier(hidden_layer_sizes=(100,), max_iter=3, random_state=0).fit(images, labels)


@pytest.mark.parametrize("suffix", [".npz", ".onnx", ".json"])
def test_copies_of_a_real_network(digits: Any, tmp_path: Path, suffix: str) -> None:
    network = from_sklearn(digits)
    (inner, bias), (outer, last) = zip(digits.coefs_, digits.intercepts_, strict=True)
    order, powers = RNG.permutation(100), 2.0 ** RNG.integers(-5, 6, 100)
    copies = {
        "the same": [(inner.T, bias), (outer.T, last)],
        "permuted": [((inner[:, order] * powers).T, bias[order] * powers), ((outer[order].T / powers), last)],
    }
    for name, layers in copies.items():
        path = tmp_path / f"{name}{suffix}"
        save(Network(layers), path)
        assert equal(network, load(path)).truth is True, name
    moved = outer.copy()
    moved[17, 3] = np.nextafter(moved[17, 3], 1)
    save(Network([(inner.T, bias), (moved.T, last)]), tmp_path / f"moved{suffix}")
    answer = equal(network, load(tmp_path / f"moved{suffix}"))
    assert answer.truth is False
    assert answer.counterexample is not None


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (object(), "object is no multilayer perceptron"),
        (MLPRegressor(activation="tanh"), "activation 'tanh'; 'relu' is accepted"),
        (MLPRegressor(), "MLPRegressor is not fitted"),
        (SimpleNamespace(activation="relu", coefs_=[np.eye(2)], intercepts_=[]), "one bias a layer"),
    ],
)
def test_refused(model: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        from_sklearn(model)
