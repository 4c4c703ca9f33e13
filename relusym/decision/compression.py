"""Exact compression: the smaller network that proved rewrites give, with the proof that nothing changed.

:func:`compression` repeats a pass over the hidden layers (:mod:`relusym.decision.normal_form.reduction`) until no
neuron goes, and then has the result proved equal to the network it started from, like any other pair. Entries of
neurons that are kept as they are stay as they are, so that a network of floats mostly remains one. With one hidden
layer and no domain the fewest neurons are known (:mod:`relusym.shallow.width`), and the result has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from relusym.decision.complete import table_on
from relusym.decision.equality import Equality, equal
from relusym.decision.normal_form.forms import CONSTANT, Form
from relusym.decision.normal_form.numbering import Role, number, row_forms
from relusym.decision.normal_form.reduction import LayerReduction
from relusym.decision.normal_form.units import UnitTable
from relusym.errors import Undecided
from relusym.exact.box import whole_space
from relusym.exact.matrix import make_matrix
from relusym.exact.polyhedral_domain import read_domain
from relusym.exact.tower import Tower, common_tower
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Layer, Network, require_network
from relusym.shallow.width import compress_shallow

REASONS = ("unused", "constant", "inactive", "merged", "cancelling", "folded", "rearranged")


@dataclass(frozen=True)
class Compression:
    """A network, the smaller one, and what happened to every hidden layer; made by :func:`compression`.

    Attributes
    ----------
    original, network
        The network before and after.
    kept
        Neurons that are left, for each hidden layer of the original; 0 where the whole layer was collapsed.
    removed
        For each hidden layer of the original, how many neurons went, by reason; "carrying" counts new ones.
    fewest
        Whether no network with as many hidden layers has fewer neurons: known for one hidden layer on all of R^m.
    decision
        The proof that both are equal, on the domain.
    """

    original: Network
    network: Network
    kept: tuple[int, ...]
    removed: tuple[Counter[str], ...]
    fewest: bool
    decision: Equality

    def table(self) -> str:
        """Return the neurons before and after, a line a layer."""
        reasons = [reason for reason in (*REASONS, "carrying") if any(layer[reason] for layer in self.removed)]
        lines = [["layer", "before", "after", *reasons]]
        for depth, (kept, layer) in enumerate(zip(self.kept, self.removed, strict=True)):
            before = self.original.widths[depth + 1]
            lines.append([str(depth), str(before), str(kept), *(str(layer[reason] or "") for reason in reasons)])
        before, after = (sum(net.widths[1:-1]) for net in (self.original, self.network))
        totals = [sum(layer[reason] for layer in self.removed) for reason in reasons]
        lines.append(["total", str(before), str(after), *map(str, totals)])
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join("  ".join(map(str.rjust, line, widths)).rstrip() for line in lines)


def compress(
    f: Network,
    *,
    domain: object = None,
    sharpen: bool = False,
    thorough: bool = False,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Network:
    """Return a network with fewer neurons that is proved equal to ``f``, in standard layer form.

    With one hidden layer and no domain the result has the fewest hidden neurons, possibly none.

    Parameters
    ----------
    f
        A network of any depth.
    domain
        None for all of R^m, or a box or polyhedron as in :func:`relusym.equal`: the networks are then equal on it.
    sharpen
        Whether exact linear programs look for active and inactive neurons that interval bounds do not show (needs the
        extra ``deep``).
    thorough
        Whether it is decided exactly, cell by cell, which neurons are active or inactive on the domain, where interval
        bounds do not show it.
    limits, progress
        See :class:`relusym.Limits`.

    Raises
    ------
    Undecided
        Where the limits end the computation.
    DomainError
        Where the domain is empty, or no domain of m coordinates.

    Examples
    --------
    >>> from relusym import Network
    >>> f = Network([([[1], [2], [-1]], [0, 0, 1]), ([[1, 1, 0], [1, -1, 0]], [0, 0]), ([[1, 0]], [0])])
    >>> compress(f)
    Network(1-1-1 over QQ)
    """
    return compression(f, domain=domain, sharpen=sharpen, thorough=thorough, limits=limits, progress=progress).network


def compression(
    f: Network,
    *,
    domain: object = None,
    sharpen: bool = False,
    thorough: bool = False,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Compression:
    """Return the smaller network with the table of neurons before and after, and the proof; see :func:`compress`.

    Examples
    --------
    >>> from relusym import Network
    >>> f = Network([([[1], [2], [-1]], [0, 0, 1]), ([[1, 1, 0]], [0]), ([[1]], [0])])
    >>> found = compression(f)
    >>> print(found.table())
    layer  before  after  unused  merged  folded
        0       3      1       1       1
        1       1      0                       1
    total       4      1       1       1       1
    >>> found.decision.verdict
    'equal'
    """
    require_network(f, "compress")
    network, kept, removed = _rewritten(f, domain, sharpen, thorough, Budget(limits, progress))
    fewest = f.depth == 1 and domain is None
    if fewest:
        smallest = compress_shallow(f, limits=limits, progress=progress)
        if network.depth == 0 or smallest.widths[1] < network.widths[1]:
            network = smallest
        removed[0]["rearranged"] = kept[0] - smallest.widths[1]
        kept = [smallest.widths[1]]
    decision = equal(f, network, domain=domain, sharpen=sharpen, limits=limits, progress=progress)
    if decision.truth is None:
        raise Undecided(f"the smaller network is not proved equal: {decision.reason}", partial=network)
    if not decision.truth:
        raise AssertionError(f"a rewrite changed the function: {decision.reason}")
    return Compression(f, network, tuple(kept), tuple(removed), fewest, decision)


def _rewritten(
    f: Network, domain: object, sharpen: bool, thorough: bool, budget: Budget
) -> tuple[Network, list[int], list[Counter[str]]]:
    """Return the smaller network that rewrites give, and for each layer of ``f`` what is left and what went."""
    tower = common_tower([f.field], budget.limits.field_degree)
    where = whole_space(f.widths[0]) if domain is None else read_domain(domain, f.widths[0], tower)
    network, places = f, list(range(f.depth))
    removed: list[Counter[str]] = [Counter() for _ in places]
    try:
        while True:
            table = table_on(where, tower.field, sharpen=sharpen, thorough=budget if thorough else None)
            smaller, tallies, survivors = _reduced(network, table, tower, budget)
            for place, tally in zip(places, tallies, strict=True):
                removed[place].update(tally)
            places = [places[index] for index in survivors]
            if smaller.widths == network.widths:
                break
            network = smaller
    except LimitReached as limit:
        raise Undecided(f"{limit} before the compression was done", partial=network) from None
    kept = [0] * f.depth
    for place, width in zip(places, network.widths[1:-1], strict=True):
        kept[place] = width
    return network, kept, removed


def _reduced(
    network: Network, table: UnitTable, tower: Tower, budget: Budget
) -> tuple[Network, list[Counter[str]], list[int]]:
    """Return the network after one pass over its layers, what went in each, and which layers are left."""
    embedding = tower.embedding(network.field)
    roles = number(network, 0, table, embedding, budget).roles
    start = table.start()
    before = [start[index] for index in range(network.widths[0])]
    rows = row_forms(network.layers[0], embedding)
    layers, tallies, survivors = [], [], []
    for depth, layer in enumerate(network.layers[1:]):
        budget.report("layers", depth, network.depth)
        after = row_forms(layer, embedding)
        if depth + 1 < network.depth:
            for place in _irrelevant(roles[depth + 1]):
                after[place] = {}
        step = LayerReduction(table, rows, roles[depth], before, after).run()
        tallies.append(step.tally)
        rows = step.after
        if not step.collapsed:
            survivors.append(depth)
            layers.append(step.rows)
            before = step.values
    return _network([*layers, rows], network.widths[0], tower), tallies, survivors


def _irrelevant(roles: Sequence[Role]) -> list[int]:
    """Return the neurons whose rows do not matter: not used, constant, or on a side of a unit that has another one."""
    seen: set[tuple[int, bool]] = set()
    found = []
    for place, role in enumerate(roles):
        side = (role.unit, role.word == "unit" and role.factor > 0)
        if role.word != "unit" or side in seen:
            found.append(place)
        seen.add(side)
    return found


def _network(layers: Sequence[Sequence[Form]], inputs: int, tower: Tower) -> Network:
    zero = tower.field.rational(0)
    made, width = [], inputs
    for rows in layers:
        weight = [[form.get(index, zero) for index in range(width)] for form in rows]
        bias = [[form.get(CONSTANT, zero)] for form in rows]
        made.append(Layer(make_matrix(tower.field, weight, width), make_matrix(tower.field, bias, 1)))
        width = len(rows)
    return Network.from_layers(made, tower.field)
