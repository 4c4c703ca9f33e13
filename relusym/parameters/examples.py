"""Built-in networks, loaded as ``example:NAME``: the paper's own examples, and one for each of its errata.

The paper is *A Complete Symmetry Classification of Shallow ReLU Networks*.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from relusym.errors import FormatError
from relusym.parameters.network import Network

_EXAMPLES: Mapping[str, tuple[str, Any, Any, Any, Any]] = {
    "theta1": ("Figure 1, θ1", [1, 1, 1], [[1, 1], [-1, 0], [0, -1]], [-2, -1, -1], -6),
    "theta2": ("Figure 1, θ2: the same function as θ1", [1, 1, 1], [[-1, -1], [1, 0], [0, 1]], [2, 1, 1], -10),
    "example1-row2": (
        "Example 1, row 2: merged rows (11, 11, 11); a wrong scale shows here",
        [2, 3, -1],
        [[4, 4, 4], [1, 1, 1], [5, 2, 1]],
        [0, 0, 0],
        0,
    ),
    "example1-row3": (
        "Example 1, row 3: a constant neuron goes to C",
        [1, 1, -1],
        [[2, 4, 0], [1, 1, 3], [0, 0, 0]],
        [7, 2, 3],
        7,
    ),
    "example1-row4": (
        "Example 1, row 4: output weights become signs",
        [9, 1, -5],
        [[0, 4, 0], [1, 7, 3], [2, 1, 3]],
        [7, 2, 9],
        8,
    ),
    "dead-constant": (
        "a neuron with v = 0 and a = 0 at once",
        [0, 1],
        [[0, 0], [1, 1]],
        [1, 0],
        0,
    ),
    "cancelling": (
        "two neurons on one ray that cancel exactly, and not in floats",
        [1, -10],
        [["1", "2", "0.7"], ["0.1", "0.2", "0.07"]],
        [0, 0],
        0,
    ),
    "weighted": (
        "no unweighted sum of rows vanishes, yet v1 a1 + v2 a2 = 0: a hidden symmetry",
        [1, 2],
        [[2], [-1]],
        [0, 1],
        0,
    ),
    "weighted-flipped": (
        "both neurons of example:weighted flipped: the same function",
        [1, 2],
        [[-2], [1]],
        [0, -1],
        2,
    ),
    "swapped": (
        "stabilised by [[0, 2], [1/2, 0]], which permutes and scales",
        [1, 2],
        [[2], [1]],
        [0, 0],
        0,
    ),
    "triple": (
        "three equal neurons: the stabiliser is S_3, with three transpositions",
        [1, 1, 1],
        [[1]] * 3,
        [0] * 3,
        0,
    ),
}


def example(name: str) -> Network:
    """Return the built-in network ``name``.

    Raises
    ------
    FormatError
        Where there is none of that name.

    Examples
    --------
    >>> example("theta1")
    Network(2-3-1 over QQ)
    """
    if name not in _EXAMPLES:
        raise FormatError(f"there is no built-in example {name!r:.60}; there are {', '.join(_EXAMPLES)}")
    _, M, A, b, c = _EXAMPLES[name]
    return Network.shallow(M, A, b, c)


def descriptions() -> dict[str, str]:
    """Return the names of all built-in networks, each with a line that says what it shows."""
    return {name: entry[0] for name, entry in _EXAMPLES.items()}
