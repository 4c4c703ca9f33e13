"""scikit-learn's perceptrons: the affine part before the output activation, exactly."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier, MLPRegressor

from relusym.errors import FormatError
from relusym.io import from_sklearn

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


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
