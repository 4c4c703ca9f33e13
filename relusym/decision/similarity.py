"""The relation ∼ of the paper's Definition 3: are two parameters equal up to H_n and the three moves?"""

from __future__ import annotations

from typing import Any

from relusym.decision.certificates import certificate
from relusym.decision.narration import narrate
from relusym.errors import ShapeError
from relusym.exact.tower import common_tower
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network
from relusym.shallow.masses import Masses, masses
from relusym.shallow.minimal_form import require_one_output
from relusym.symbolic.activation import similar as similar_with_activation
from relusym.verdict import Decision


class Similarity(Decision):
    """The answer of :func:`similar`."""

    def explain(self) -> str:
        """Return the argument as text, one step a line."""
        steps = () if self.certificate is None else narrate(self.certificate)
        return "\n".join([*steps, self.reason])


def similar(
    f: Network,
    g: Network,
    *,
    activation: Any = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Decision:
    """Decide whether f ∼ g, that is whether the 0-factor reductions are the same.

    ∼ implies equality of functions and is finer than it: opposite rows never merge. Networks of different widths are
    compared as if padded with dead neurons.

    Parameters
    ----------
    f, g
        Networks with one hidden layer, one output and the same number of inputs.
    activation
        None for ReLU; a SymPy function or ``Lambda`` of one argument reads the parameters with that activation
        (Remark 1): then only equal rows merge, and the answer is three-valued, as constants such as tanh(1/3) must be
        compared.
    limits, progress
        See :class:`relusym.Limits`. When they end the computation the answer is undecided.

    Returns
    -------
    Decision
        .witness for "no": the pair (network, neuron) whose ray carries different total weights, or None where the
        constants differ; .certificate for both answers.

    Raises
    ------
    ShapeError
        Where a network is of another shape.

    Examples
    --------
    >>> from relusym import Network, load, similar
    >>> similar(load("example:theta1"), load("example:theta2")).truth
    False
    >>> similar(Network.shallow([2, 3], [[1], [2]], [0, 0], 0), Network.shallow([8], [[1]], [0], 0)).truth
    True
    """
    if activation is not None:
        return similar_with_activation(f, g, activation)
    for network in (f, g):
        require_one_output(network, "the relation ∼")
    if f.widths[0] != g.widths[0]:
        raise ShapeError(f"the networks have {f.widths[0]} and {g.widths[0]} inputs; the same number is due")
    budget = Budget(limits, progress)
    try:
        return _decided(f, g, budget)
    except LimitReached as limit:
        return Similarity(None, f"{limit} before an answer was found")


def _decided(f: Network, g: Network, budget: Budget) -> Similarity:
    tower = common_tower([f.field, g.field], budget.limits.field_degree)
    sides = tuple(masses(network, tower.embedding(network.field), budget=budget) for network in (f, g))
    ray = _differing_ray(sides)
    if ray is not None:
        proven = certificate("ray", "not similar", (f, g), tower, base=list(ray))
        which, neuron = ray
        reason = f"the total output weights on the ray of neuron {neuron} of {'fg'[which]} differ"
        return Similarity(False, reason, witness=ray, certificate=proven)
    if sides[0].constant != sides[1].constant:
        proven = certificate("ray", "not similar", (f, g), tower, base=None)
        return Similarity(False, "the constants differ", certificate=proven)
    proven = certificate("rays", "similar", (f, g), tower, **_rays(sides))
    return Similarity(True, "the 0-factor reductions are the same", certificate=proven)


def _differing_ray(sides: tuple[Masses, ...]) -> tuple[int, int] | None:
    """Return a neuron (network, index) on a ray where the total weights differ."""
    zero = sides[0].field.rational(0)
    for name in {**sides[0].planes, **sides[1].planes}:
        planes = [side.planes.get(name) for side in sides]
        for sign in (1, -1):
            totals = [zero if p is None else (p.positive if sign > 0 else p.negative)[0] for p in planes]
            if totals[0] != totals[1]:
                return next(
                    (which, index)
                    for which, plane in enumerate(planes)
                    if plane is not None
                    for index, factor in plane.neurons
                    if (factor > 0) == (sign > 0)
                )
    return None


def _rays(sides: tuple[Masses, ...]) -> dict[str, Any]:
    text = sides[0].field.text
    bases: dict[Any, tuple[int, int, Any, int]] = {}
    neurons = []
    for which, side in enumerate(sides):
        roles: dict[int, list[Any]] = {index: ["dead"] for index in side.dead}
        roles.update((index, ["constant"]) for index in side.constant_neurons)
        for name, plane in side.planes.items():
            for index, factor in plane.neurons:
                _, _, lead, number = bases.setdefault((name, factor > 0), (which, index, factor, len(bases)))
                roles[index] = ["ray", number, text(factor / lead)]
        neurons.append([roles[index] for index in sorted(roles)])
    return {"rays": [{"base": [which, index]} for which, index, _, _ in bases.values()], "neurons": neurons}
