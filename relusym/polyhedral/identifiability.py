"""Does the function determine its parameters? One report, each claim with its truth, its reason and its evidence.

*Locally identifiable* means: near θ only positive scalings of θ realise the same function. It is proved by the
functional dimension where that is D − N, for one hidden layer also by a fibre that is one orbit, and refuted by a dead,
always active or duplicate neuron, each of which can be moved continuously. *Globally* means: the fibre is one orbit of
permutations and positive scalings. That is decided for one hidden layer; for more a hidden symmetry can refute it, and
nothing here proves it. Genericity alone never does: ``example:theta2`` is generic, and not identifiable.

Hidden symmetries are looked for between adjacent layers: layer l and the one after it are a network with one hidden
layer in the outputs of layer l − 1, and another realisation of that network is one of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from relusym.errors import FieldError, Undecided
from relusym.exact.matrix import column_of, rows_of
from relusym.limits import Limits, Progress
from relusym.parameters.network import Network, require_network
from relusym.polyhedral.arrangement import Neuron
from relusym.polyhedral.functional_dimension import FunctionalDimension, functional_dimension
from relusym.polyhedral.genericity import genericity
from relusym.shallow.fibre import Fibre, fibre
from relusym.shallow.genericity import is_generic
from relusym.verdict import Decision

STATEMENTS = {
    "smooth": "the function is differentiable in the parameters here",
    "no_dead_neuron": "every neuron is active somewhere, and read",
    "no_always_active_neuron": "every neuron is inactive somewhere",
    "no_duplicate_neuron": "no two neurons of a layer are multiples of one another",
    "locally_identifiable": "nearby only positive scalings give the same function",
    "no_hidden_symmetry": "no hidden symmetry",
    "globally_identifiable": "only permutations and positive scalings give the same function",
    "supertransversal": "supertransversal",
    "cancellation_free": "cancellation-free",
    "transparent": "transparent",
    "tpic": "bent hyperplanes of adjacent layers cross",
    "in_U": "in the open set U",
    "in_U_sharp": "in the open set U♯",
    "single_orbit": "the fibre is one orbit",
}
"""What the claims of a report say, by name."""

_ANSWERS = {True: "yes", False: "no", None: "undecided"}


class HiddenSymmetry(NamedTuple):
    """Another realisation of a layer and the next as a network with one hidden layer.

    Attributes
    ----------
    layer : int
        The hidden layer that changes, from 0.
    flipped : tuple of int or None
        The neurons that are flipped, where flips alone do it.
    """

    layer: int
    flipped: tuple[int, ...] | None


class Identifiability:
    """What is known of the parameters that realise a function; made by :func:`identify`.

    ``report["locally_identifiable"]`` is a decision, with ``.truth``, ``.reason`` and, as ``.witness``, the evidence of
    a "no"; :attr:`claims` holds them all.
    """

    def __init__(self, f: Network, limits: Limits | None, progress: Progress | None) -> None:
        self.network = f
        self._limits = limits
        self._progress = progress
        self._found: dict[str, Decision] = {}

    def __repr__(self) -> str:
        known = ", ".join(f"{name}: {claim.truth}" for name, claim in self.claims.items())
        return f"Identifiability({known})"

    def __getitem__(self, name: str) -> Decision:
        return self.claims[name]

    @cached_property
    def claims(self) -> dict[str, Decision]:
        """All claims, by the names in :data:`STATEMENTS`; the last three are for one hidden layer only."""
        made: dict[str, Callable[[], Decision]] = {
            "smooth": self._smooth,
            "no_dead_neuron": self._no_dead_neuron,
            "no_always_active_neuron": self._no_always_active_neuron,
            "no_duplicate_neuron": self._no_duplicate_neuron,
            "locally_identifiable": self._locally_identifiable,
            "no_hidden_symmetry": self._no_hidden_symmetry,
            "globally_identifiable": self._globally_identifiable,
        }
        found = self._found
        for name, make in made.items():
            found[name] = _guarded(make)
        generic = genericity(self.network, limits=self._limits, progress=self._progress)
        for name in ("supertransversal", "cancellation_free", "transparent", "tpic"):
            found[name] = _guarded(lambda name=name: getattr(generic, name))  # type: ignore[misc]
        if self.fibre is not None:
            for name, open_set in (("in_U", "U"), ("in_U_sharp", "sharp")):
                found[name] = is_generic(self.network, open_set=open_set, limits=self._limits, progress=self._progress)
            found["single_orbit"] = self.fibre.single_orbit
        return found

    @property
    def functional_dimension(self) -> FunctionalDimension:
        """The functional dimension.

        Raises
        ------
        Undecided
            When limits end the search for it.
        """
        if isinstance(self._dimension, Undecided):
            raise self._dimension
        return self._dimension

    @cached_property
    def _dimension(self) -> FunctionalDimension | Undecided:
        try:
            return functional_dimension(self.network, limits=self._limits, progress=self._progress)
        except Undecided as limit:
            return limit

    @cached_property
    def fibre(self) -> Fibre | None:
        """The fibre, for one hidden layer."""
        if self.network.depth != 1:
            return None
        return fibre(self.network, limits=self._limits, progress=self._progress)

    def explain(self) -> str:
        """Return the claims as a table, and the infinitesimal symmetries in words."""
        width = max(map(len, (STATEMENTS[name] for name in self.claims)))
        lines = [
            f"{STATEMENTS[name]:{width}}  {_ANSWERS[claim.truth]:9}  {claim.reason}".rstrip()
            for name, claim in self.claims.items()
        ]
        try:
            lines += ["", self.functional_dimension.explain()]
        except (Undecided, FieldError) as limit:
            lines += ["", str(limit)]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        claims = {
            name: {"statement": STATEMENTS[name], "truth": claim.truth, "reason": claim.reason}
            for name, claim in self.claims.items()
        }
        answer: dict[str, Any] = {"claims": claims, "functional_dimension": None}
        try:
            dimension = self.functional_dimension
            words = dict.fromkeys(symmetry.words for symmetry in dimension.kernel())
            answer.update(
                functional_dimension=dimension.value,
                parameters=dimension.parameters,
                hidden=dimension.hidden,
                infinitesimal_symmetries=list(words),
            )
        except (Undecided, FieldError) as limit:
            answer["undecided"] = str(limit)
        return answer

    # -- the claims

    def _smooth(self) -> Decision:
        vanishing = self.functional_dimension.survey.vanishing
        if vanishing is None:
            return Decision(True, "no pre-activation vanishes identically on a region")
        return Decision(False, f"on the region {vanishing} a pre-activation vanishes identically", witness=vanishing)

    def _no_dead_neuron(self) -> Decision:
        unread = [neuron for neuron in self._neurons() if self._is_unread(neuron)]
        if unread:
            return Decision(False, f"{_listed(unread)} not read: the weights out are 0", witness=tuple(unread))
        ever = self.functional_dimension.survey.ever
        never = [neuron for bit, neuron in enumerate(self._neurons()) if not ever >> bit & 1]
        if never:
            return Decision(False, f"{_listed(never)} never active", witness=tuple(never))
        return Decision(True, "each is positive on some region, and some weight out of it is not 0")

    def _is_unread(self, neuron: Neuron) -> bool:
        return not any(row[neuron.neuron] for row in rows_of(self.network.layers[neuron.layer + 1].weight))

    def _no_always_active_neuron(self) -> Decision:
        always = self.functional_dimension.survey.always
        found = [neuron for bit, neuron in enumerate(self._neurons()) if always >> bit & 1]
        if found:
            return Decision(False, f"{_listed(found)} active everywhere", witness=tuple(found))
        return Decision(True, "each is not positive on some region")

    def _no_duplicate_neuron(self) -> Decision:
        for layer, (weight, bias) in enumerate(self.network.layers[:-1]):
            first: dict[Any, int] = {}
            rows = [[*row, end] for row, end in zip(rows_of(weight), column_of(bias), strict=True)]
            for index, row in enumerate(rows):
                lead = next((abs(value) for value in row if value != 0), None)
                if lead is None:
                    continue
                key = tuple(self.network.field.key(value / lead) for value in row)
                other = first.setdefault(key, index)
                if other != index:
                    reason = f"neurons {other} and {index} of layer {layer} are multiples of one another"
                    return Decision(False, reason, witness=(Neuron(layer, other), Neuron(layer, index)))
        return Decision(True, "their weights and biases are on different rays")

    def _movable(self) -> Decision | None:
        """Return the claim that shows neurons that can be moved continuously, if there is one."""
        names = ("no_dead_neuron", "no_always_active_neuron", "no_duplicate_neuron")
        return next((self._found[name] for name in names if self._found[name].truth is False), None)

    def _locally_identifiable(self) -> Decision:
        movable = self._movable()
        if movable is not None:
            return Decision(False, f"{movable.reason}, so weights can be moved", witness=movable.witness)
        dimension = self.functional_dimension
        if dimension.is_full:
            return Decision(True, f"the functional dimension is {dimension.value}, parameters minus hidden neurons")
        if self.fibre is not None and self.fibre.single_orbit.truth:
            return Decision(
                True, f"the fibre is one orbit, although the functional dimension is {dimension.value} only"
            )
        bound = dimension.parameters - dimension.hidden
        reason = (
            f"the functional dimension is {dimension.value} of {bound}: nearby parameters may give the same function"
        )
        return Decision(None, reason, witness=tuple(dimension.kernel()))

    def _no_hidden_symmetry(self) -> Decision:
        undecided: Decision | None = None
        for layer in range(self.network.depth):
            part = Network.from_layers(self.network.layers[layer : layer + 2], self.network.field)
            answer = fibre(part, limits=self._limits, progress=self._progress).single_orbit
            if answer.truth is False:
                flipped = answer.witness if isinstance(answer.witness, tuple) else None
                return Decision(
                    False, f"in layer {layer}: {answer.reason}", witness=HiddenSymmetry(layer, _indices(flipped))
                )
            if answer.truth is None:
                undecided = undecided or Decision(None, f"in layer {layer}: {answer.reason}")
        if undecided is not None:
            return undecided
        if self.network.depth < 2:
            return Decision(True, "the fibre is one orbit" if self.network.depth else "an affine map is its parameters")
        return Decision(None, "there is none within a layer; those of several layers at once are not looked for")

    def _globally_identifiable(self) -> Decision:
        local, hidden = (self._found[name] for name in ("locally_identifiable", "no_hidden_symmetry"))
        for claim in (hidden, local):
            if claim.truth is False:
                return Decision(False, claim.reason, witness=claim.witness)
        if self.network.depth < 2 and hidden.truth is not None:
            return Decision(True, hidden.reason)
        if self.network.depth < 2:
            return hidden
        return Decision(None, "no proof is known for several hidden layers; genericity alone would be none")

    def _neurons(self) -> Iterator[Neuron]:
        widths = self.network.widths[1:-1]
        return (Neuron(layer, index) for layer, width in enumerate(widths) for index in range(width))


def _guarded(make: Callable[[], Decision]) -> Decision:
    """Return a claim, undecided where limits end what it needs or the field does not allow it."""
    try:
        return make()
    except (Undecided, FieldError) as limit:
        return Decision(None, str(limit))


def _indices(witness: tuple[Any, ...] | None) -> tuple[int, ...] | None:
    return witness if witness is not None and all(isinstance(index, int) for index in witness) else None


def _listed(neurons: list[Neuron]) -> str:
    names = ", ".join(f"{neuron.neuron} of layer {neuron.layer}" for neuron in neurons)
    return f"neuron{'s' if len(neurons) > 1 else ''} {names} {'are' if len(neurons) > 1 else 'is'}"


def identify(f: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> Identifiability:
    """Report what is known of the parameters that realise the function of a network.

    Parameters
    ----------
    f
        Any depth, over Q or a real number field.
    limits, progress
        For each of the claims; those that they end are undecided.

    Examples
    --------
    >>> from relusym import load
    >>> report = identify(load("example:theta2"))
    >>> report["locally_identifiable"].truth, report["globally_identifiable"].truth, report["tpic"].truth
    (True, False, True)
    >>> report["no_hidden_symmetry"].witness
    HiddenSymmetry(layer=0, flipped=(0, 1, 2))
    """
    require_network(f, "identify")
    return Identifiability(f, limits, progress)
