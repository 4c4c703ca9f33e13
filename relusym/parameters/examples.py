"""Built-in networks, loaded as ``example:NAME``: the paper's own examples, one for each of its errata, and deep ones.

The paper is *A Complete Symmetry Classification of Shallow ReLU Networks*; the deep networks, and what is proved of
them, are in :mod:`relusym.parameters.deep_examples`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from relusym.errors import FormatError
from relusym.parameters.deep_examples import always_active_family, minimal_family, tower
from relusym.parameters.network import Network

_EXAMPLES: Mapping[str, tuple[str, Callable[[], Network]]] = {
    "theta1": (
        "Figure 1, θ1",
        partial(Network.shallow, [1, 1, 1], [[1, 1], [-1, 0], [0, -1]], [-2, -1, -1], -6),
    ),
    "theta2": (
        "Figure 1, θ2: the same function as θ1",
        partial(Network.shallow, [1, 1, 1], [[-1, -1], [1, 0], [0, 1]], [2, 1, 1], -10),
    ),
    "example1-row2": (
        "Example 1, row 2: merged rows (11, 11, 11); a wrong scale shows here",
        partial(Network.shallow, [2, 3, -1], [[4, 4, 4], [1, 1, 1], [5, 2, 1]], [0, 0, 0], 0),
    ),
    "example1-row3": (
        "Example 1, row 3: a constant neuron goes to C",
        partial(Network.shallow, [1, 1, -1], [[2, 4, 0], [1, 1, 3], [0, 0, 0]], [7, 2, 3], 7),
    ),
    "example1-row4": (
        "Example 1, row 4: output weights become signs",
        partial(Network.shallow, [9, 1, -5], [[0, 4, 0], [1, 7, 3], [2, 1, 3]], [7, 2, 9], 8),
    ),
    "dead-constant": (
        "a neuron with v = 0 and a = 0 at once",
        partial(Network.shallow, [0, 1], [[0, 0], [1, 1]], [1, 0], 0),
    ),
    "cancelling": (
        "two neurons on one ray that cancel exactly, and not in floats",
        partial(Network.shallow, [1, -10], [["1", "2", "0.7"], ["0.1", "0.2", "0.07"]], [0, 0], 0),
    ),
    "weighted": (
        "no unweighted sum of rows vanishes, yet v1 a1 + v2 a2 = 0: a hidden symmetry",
        partial(Network.shallow, [1, 2], [[2], [-1]], [0, 1], 0),
    ),
    "weighted-flipped": (
        "both neurons of example:weighted flipped: the same function",
        partial(Network.shallow, [1, 2], [[-2], [1]], [0, -1], 2),
    ),
    "swapped": (
        "stabilised by [[0, 2], [1/2, 0]], which permutes and scales",
        partial(Network.shallow, [1, 2], [[2], [1]], [0, 0], 0),
    ),
    "triple": (
        "three equal neurons: the stabiliser is S_3, with three transpositions",
        partial(Network.shallow, [1, 1, 1], [[1]] * 3, [0] * 3, 0),
    ),
    "minimal-not-identifiable": (
        "no neuron to spare, and yet not identifiable, nor is any network nearby",
        partial(minimal_family, 1),
    ),
    "minimal-not-identifiable-moved": (
        "another parameter of the function of example:minimal-not-identifiable",
        partial(minimal_family, 2),
    ),
    "minimal-always-active": (
        "the same with a neuron that is always active",
        partial(always_active_family, 1),
    ),
    "tower-2": (
        "generic, with a chain of 2: no generic network with one hidden layer realises it",
        partial(tower, 2),
    ),
    "tower-3": (
        "generic, with a chain of 3: no generic network with two hidden layers realises it",
        partial(tower, 3),
    ),
    "tower-4": (
        "generic, with a chain of 4: no generic network with three hidden layers realises it",
        partial(tower, 4),
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
    _, make = _EXAMPLES[name]
    return make()
