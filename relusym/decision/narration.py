"""Certificates told as steps that a person can follow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_NAMES = "fg"
_MOST_LINES = 200


def narrate(certificate: Mapping[str, Any]) -> Iterator[str]:
    """Yield the argument of a certificate, a line a step."""
    teller = _TELLERS.get(str(certificate["kind"]))
    if teller is not None:
        yield from _shortened(teller(certificate))


def _shortened(lines: Iterator[str]) -> Iterator[str]:
    for count, line in enumerate(lines):
        if count < _MOST_LINES:
            yield line
    if count >= _MOST_LINES:
        yield f"… and {count + 1 - _MOST_LINES} more steps of the same kinds (all of them are in the certificate)"


def _neurons(indices: Sequence[int]) -> str:
    return ("neuron " if len(indices) == 1 else "neurons ") + ", ".join(map(str, indices))


def _ridges(certificate: Mapping[str, Any]) -> Iterator[str]:
    domain = certificate.get("domain")
    if domain is not None:  # a box
        fixed = [i for i, (low, high) in enumerate(domain) if low == high and low is not None]
        if fixed:
            yield f"coordinates {', '.join(map(str, fixed))} are fixed by the box: their values are substituted first"
    bases = [tuple(ridge["base"]) for ridge in certificate["ridges"]]
    for name, which, roles in zip(_NAMES, (0, 1), certificate["neurons"], strict=True):
        yield from _other_roles(name, roles)
        on_ridge: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for index, role in enumerate(roles):
            if role[0] == "ridge":
                on_ridge[role[1]].append((index, role[2]))
        for ridge, members in on_ridge.items():
            base_net, base = bases[ridge]
            for index, factor in members:
                if (base_net, base) == (which, index):
                    continue
                times = "equal to" if factor == "1" else f"{factor} times"
                line = f"{name}: the row of neuron {index} is {times} that of neuron {base} of {_NAMES[base_net]}"
                if factor.startswith("-"):
                    line += "; flipped by σ(t) − σ(−t) = t, its linear part is carried along"
                yield line
            if len(members) > 1:
                yield f"{name}: {_neurons([i for i, _ in members])} merge on ridge {ridge}"
    yield f"on each of the {len(bases)} ridges the total output weights of f and g agree"
    yield "what is left, the linear parts and the constants, agrees too"


def _other_roles(name: str, roles: Sequence[Sequence[Any]]) -> Iterator[str]:
    reasons = {
        "dead": "dead: the output weights are 0",
        "constant": "constant: the row is 0, so it adds to the constant",
        "active": "active on the whole domain: affine there",
        "inactive": "inactive on the whole domain: 0 there",
    }
    for kind, reason in reasons.items():
        members = [index for index, role in enumerate(roles) if role[0] == kind]
        if members:
            yield f"{name}: {_neurons(members)}: {reason}"


def _point(certificate: Mapping[str, Any]) -> Iterator[str]:
    yield f"at x = ({', '.join(certificate['x'])})"
    yield f"f(x) = ({', '.join(certificate['f'])})"
    yield f"g(x) = ({', '.join(certificate['g'])})"


def _rays(certificate: Mapping[str, Any]) -> Iterator[str]:
    for name, roles in zip(_NAMES, certificate["neurons"], strict=True):
        yield from _other_roles(name, roles)
    rays = len(certificate["rays"])
    yield f"on each of the {rays} rays the total output weights of f and g agree, and so do the constants"


def _ray(certificate: Mapping[str, Any]) -> Iterator[str]:
    if certificate["base"] is None:
        yield "the constants, with those of constant neurons added, differ"
    else:
        which, neuron = certificate["base"]
        yield f"on the ray of neuron {neuron} of {_NAMES[which]} the total output weights of f and g differ"


def _layers(certificate: Mapping[str, Any]) -> Iterator[str]:
    for index, layer in enumerate(certificate["layers"]):
        permutation = layer["permutation"]
        scaled = sum(scale != "1" for scale in layer["scale"])
        moved = sum(old != new for new, old in enumerate(permutation))
        count = len(permutation)
        yield f"layer {index}: g has the {count} neurons of f, {moved} in another place, {scaled} rescaled"
    yield "the output layers agree once columns are permuted and divided by the scales"


def _rewrites(
    certificate: Mapping[str, Any],
    end: str = "the outputs of f and g are now the same combinations of {} units and the inputs",
) -> Iterator[str]:
    units = certificate["units"]
    for number, layers in enumerate(certificate["rewrites"]):
        for depth, roles in enumerate(layers):
            place = f"{_NAMES[number]}, layer {depth}"
            for word, reason in (
                ("unused", "used by nothing: left out"),
                ("constant", "constant: part of the next bias"),
            ):
                members = [index for index, role in enumerate(roles) if role[0] == word]
                if members:
                    yield f"{place}: {_neurons(members)}: {reason}"
            for index, role in enumerate(roles):
                if role[0] == "unit":
                    yield from _unit_role(place, [number, depth, index], role, units[role[1]])
    shown = sum(not unit["sign"] for unit in units)
    yield end.format(shown)


def _unit_role(place: str, neuron: list[int], role: Sequence[Any], unit: Mapping[str, Any]) -> Iterator[str]:
    factor = role[2]
    downward = str(factor).startswith("-")
    if neuron != unit["base"]:
        number, depth, index = unit["base"]
        times = "equal to" if factor == "1" else f"{factor} times"
        base = f"{_NAMES[number]}, layer {depth}, neuron {index}"
        line = f"{place}: the form of neuron {neuron[2]} is {times} that of {base}"
        if downward and not unit["sign"]:
            line += "; flipped by σ(−h) = σ(h) − h, its linear part is carried past the layer"
        yield line
    if unit["sign"]:
        active = (unit["sign"] > 0) != downward
        yield f"{place}: neuron {neuron[2]}: " + (
            "active on the whole domain: its form takes its place"
            if active
            else "inactive on the whole domain: 0 there"
        )


def _tree(certificate: Mapping[str, Any]) -> Iterator[str]:
    yield from _rewrites(certificate, end="the difference of f and g is a combination of {} units and the inputs")
    hull = certificate.get("hull")
    if hull is not None:
        yield f"on the domain {len(hull['tight'])} inequalities are equations; they give {len(hull['inputs'])} inputs"
    open_parts = ["the domain"]
    for number, entry in enumerate(certificate["tree"]):
        place = f"cell {number}, {open_parts.pop()}"
        reasons = {"constant": "constant", "multiple": "a multiple of another", "sign": "active or inactive"}
        for word, reason in reasons.items():
            units = [step[1] for step in entry["steps"] if step[0] == word]
            if units:
                yield f"{place}: {'unit' if len(units) == 1 else 'units'} {', '.join(map(str, units))}: {reason} there"
        split = entry.get("split")
        if split is None:
            yield f"{place}: nothing is left of the difference"
        else:
            yield f"{place}: split along unit {split}"
            open_parts += [f"where unit {split} of cell {number} is {word}" for word in ("not active", "active")]


_TELLERS = {
    "ridges": _ridges,
    "point": _point,
    "rays": _rays,
    "ray": _ray,
    "layers": _layers,
    "rewrites": _rewrites,
    "tree": _tree,
}
