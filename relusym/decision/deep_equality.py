"""Equality of deeper networks, as far as permutations, positive scales and sample points decide it.

Layer by layer each hidden neuron is scaled so that its leading parameter is ±1, and neurons are sorted; two networks
whose layers agree then realise the same function, and the permutation and the scales prove it. Otherwise exact
evaluation at fixed sample points may separate them."""

from __future__ import annotations

from typing import Any, NamedTuple

from relusym.exact.matrix import column_of, rows_of
from relusym.exact.tower import Embedding
from relusym.parameters.network import Network
from relusym.shallow.masses import Vector
from relusym.shallow.ridge_form import descending


class _Sorted(NamedTuple):
    """One layer in canonical scale and order: rows (weights, bias), and where each came from with which scale."""

    rows: list[Vector]
    order: list[int]
    scales: list[Any]


def _canonical_layers(network: Network, embedding: Embedding) -> list[_Sorted]:
    layers: list[_Sorted] = []
    order: list[int] = list(range(network.widths[0]))
    scales: list[Any] = [embedding.target.rational(1)] * len(order)
    for index, (weight, bias) in enumerate(network.layers):
        rows = []
        for row, end in zip(rows_of(weight), column_of(bias), strict=True):
            rows.append([*(embedding(row[i]) * scale for i, scale in zip(order, scales, strict=True)), embedding(end)])
        if index == network.depth:
            layers.append(_Sorted(rows, [], []))
            break
        leads = [abs(next((value for value in row if value != 0), embedding.target.rational(1))) for row in rows]
        unit = [[value / lead for value in row] for row, lead in zip(rows, leads, strict=True)]
        order = sorted(range(len(rows)), key=lambda i: descending(unit[i]))
        scales = [leads[i] for i in order]
        layers.append(_Sorted([unit[i] for i in order], order, scales))
    return layers


def align(f: Network, g: Network, embeddings: tuple[Embedding, Embedding]) -> list[dict[str, Any]] | None:
    """Return, for each hidden layer, the permutation and the scales that carry f to g, or None where this finds none.

    Neuron t of g's layer is neuron permutation[t] of f's, its row and bias times scale[t].
    """
    if f.widths != g.widths:
        return None
    text = embeddings[0].target.text
    layers = []
    pairs = zip(_canonical_layers(f, embeddings[0]), _canonical_layers(g, embeddings[1]), strict=True)
    for left, right in pairs:
        if left.rows != right.rows:
            return None
        permutation, scale = [0] * len(left.order), [""] * len(left.order)
        for i, j, old, new in zip(left.order, right.order, left.scales, right.scales, strict=True):
            permutation[j] = i
            scale[j] = text(new / old)
        layers.append({"permutation": permutation, "scale": scale})
    return layers[:-1]
