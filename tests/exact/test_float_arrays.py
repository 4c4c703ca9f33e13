"""Rows of float arrays that are multiples of one another, where binary64 rounds."""

import numpy as np

from relusym import Network, check, equal
from relusym.exact.float_arrays import proportional_classes

# Signs for which the fingerprints of the two rows below agree modulo the first prime, though the rows are no multiples.
COLLISION = {
    5: 1,
    6: 1,
    7: -1,
    8: 1,
    11: -1,
    12: -1,
    14: -1,
    15: 1,
    20: -1,
    22: -1,
    23: -1,
    24: -1,
    26: -1,
    27: 1,
    28: -1,
    30: 1,
    32: -1,
    33: 1,
    36: -1,
    37: -1,
    42: 1,
    129: 1,
}
SIZE = 160
LEAST_NORMAL = 2.0**-1022


def test_rounding_up_to_the_least_normal_number_makes_no_multiple() -> None:
    first, second = np.zeros((2, SIZE))
    first[0], second[0] = 1, LEAST_NORMAL
    for column, sign in COLLISION.items():
        first[column], second[column] = sign * (1 - 2.0**-53), sign * LEAST_NORMAL  # 2^-1022 times that is rounded
    classes = proportional_classes([np.append(first, 0)[None], np.append(second, 0)[None]])
    assert classes is not None
    assert classes[0] != classes[1]
    weights = np.random.default_rng(1).normal(size=(SIZE, SIZE))
    f, g = (
        Network([(np.vstack([row, weights]), [0] * (SIZE + 1)), ([[out] + [1.0] * SIZE], [0])])
        for row, out in ((first, 2.0**-500), (second, 2.0**522))
    )
    decision = equal(f, g)
    assert decision.verdict == "different"
    assert check(decision.certificate, f, g)
