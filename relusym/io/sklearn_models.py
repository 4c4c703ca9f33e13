"""scikit-learn's multilayer perceptrons, read from the fitted object; scikit-learn itself is not imported."""

from __future__ import annotations

from typing import Any

import numpy as np

from relusym.errors import FormatError
from relusym.exact.floats import shorten
from relusym.parameters.network import Network


def from_sklearn(model: Any) -> Network:
    """Return the network of a fitted ``MLPClassifier`` or ``MLPRegressor`` with ReLU activation.

    It is the affine part before the output activation: a regressor's prediction itself; for a classifier what enters
    the logistic function (two classes, or several labels) or the softmax.

    Parameters
    ----------
    model
        The fitted estimator, with ``coefs_`` of shape (inputs, outputs) and ``intercepts_``; float32 or float64.

    Raises
    ------
    FormatError
        If it is another kind of object, is not fitted, or has another activation than ReLU.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> coefs, intercepts = [np.eye(2), np.ones((2, 1))], [np.zeros(2), np.ones(1)]
    >>> from_sklearn(SimpleNamespace(activation="relu", coefs_=coefs, intercepts_=intercepts)).widths
    (2, 2, 1)
    """
    name = type(model).__name__
    activation = getattr(model, "activation", None)
    if activation is None:
        raise FormatError(f"{name} is no multilayer perceptron; MLPClassifier and MLPRegressor are accepted")
    if activation != "relu":
        raise FormatError(f"{name} has activation {shorten(str(activation))}; 'relu' is accepted")
    coefs, intercepts = getattr(model, "coefs_", None), getattr(model, "intercepts_", None)
    if coefs is None or intercepts is None:
        raise FormatError(f"{name} is not fitted: it has no coefs_ and intercepts_; call fit first")
    if len(coefs) != len(intercepts):
        raise FormatError(
            f"{name} has {len(coefs)} coefs_ and {len(intercepts)} intercepts_; one bias a layer is needed"
        )
    layers = [
        (np.ascontiguousarray(np.asarray(weight).T), np.asarray(bias))
        for weight, bias in zip(coefs, intercepts, strict=True)
    ]
    return Network(layers)
