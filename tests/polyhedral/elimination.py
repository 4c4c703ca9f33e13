"""An independent count of cells: all ternary sign sequences, each decided by Fourier–Motzkin elimination."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

Row = list[Fraction]
Layers = list[tuple[list[list[int]], list[int]]]
Cells = dict[tuple[int, ...], int]


def feasible(equations: list[Row], strict: list[Row]) -> bool:
    """Return whether some x has every equation row · (x, 1) = 0 and every strict inequality row · (x, 1) > 0."""
    width = len((equations or strict or [[]])[0]) - 1
    for column in range(width):
        pivot = next((row for row in equations if row[column]), None)
        if pivot is not None:

            def remove(row: Row, pivot: Row = pivot, column: int = column) -> Row:
                factor = row[column] / pivot[column]
                return [a - factor * b for a, b in zip(row, pivot, strict=True)]

            equations = [remove(row) for row in equations if row is not pivot]
            strict = [remove(row) for row in strict]
        else:
            up = [row for row in strict if row[column] > 0]
            down = [row for row in strict if row[column] < 0]
            combined = [
                [a * -d[column] + b * u[column] for a, b in zip(u, d, strict=True)] for u, d in product(up, down)
            ]
            strict = [row for row in strict if not row[column]] + combined
            strict = [list(row) for row in {tuple(_scaled(row)) for row in strict}]
    return all(row[-1] == 0 for row in equations) and all(row[-1] > 0 for row in strict)


def _scaled(row: Row) -> Row:
    size = max(map(abs, row)) or Fraction(1)
    return [value / size for value in row]


def rank(rows: list[Row]) -> int:
    count = 0
    rows = [row[:] for row in rows]
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is not None:
            rows = [
                [a - row[column] / pivot[column] * b for a, b in zip(row, pivot, strict=True)]
                for row in rows
                if row is not pivot
            ]
            count += 1
    return count


def affine(below: list[Row], weight: list[list[int]], bias: list[int]) -> list[Row]:
    """Return the rows of a layer as forms of (x, 1), given those of the outputs below."""
    width = len(below[0])
    result = []
    for row, constant in zip(weight, bias, strict=True):
        form = [sum((w * f[j] for w, f in zip(row, below, strict=True)), Fraction(0)) for j in range(width)]
        form[-1] += constant
        result.append(form)
    return result


def identity(inputs: int) -> list[Row]:
    return [[Fraction(int(i == j)) for j in range(inputs + 1)] for i in range(inputs)]


def cells(layers: Layers) -> Cells:
    """Return the sign sequences of all cells of R^m, each with its dimension."""
    inputs = len(layers[0][0][0])
    found: Cells = {}

    def extend(layer: int, below: list[Row], signs: tuple[int, ...], equations: list[Row], strict: list[Row]) -> None:
        if layer == len(layers) - 1:
            found[signs] = inputs - rank([row[:-1] for row in equations])
            return
        forms = affine(below, *layers[layer])

        def neuron(index: int, chosen: tuple[int, ...], equations: list[Row], strict: list[Row]) -> None:
            if index == len(forms):
                zero = [Fraction(0)] * (inputs + 1)
                outputs = [form if sign > 0 else zero for form, sign in zip(forms, chosen, strict=True)]
                extend(layer + 1, outputs, (*signs, *chosen), equations, strict)
                return
            form = forms[index]
            for sign in (-1, 0, 1):
                more = [*strict, [sign * value for value in form]] if sign else strict
                same = equations if sign else [*equations, form]
                if feasible(same, more):
                    neuron(index + 1, (*chosen, sign), same, more)

        neuron(0, (), equations, strict)

    extend(0, identity(inputs), (), [], [])
    return found


def affine_map(layers: Layers, signs: tuple[int, ...]) -> tuple[tuple[Fraction, ...], ...]:
    below, place = identity(len(layers[0][0][0])), 0
    for weight, bias in layers[:-1]:
        forms = affine(below, weight, bias)
        zero = [Fraction(0)] * len(forms[0]) if forms else []
        below = [form if signs[place + i] > 0 else zero for i, form in enumerate(forms)]
        place += len(forms)
    return tuple(map(tuple, affine(below, *layers[-1])))


def linear_regions(layers: Layers, found: Cells) -> int:
    """Return the number of classes of regions that are joined through cells of one dimension less."""
    inputs = len(layers[0][0][0])
    regions = [signs for signs, dimension in found.items() if dimension == inputs]
    label = {signs: number for number, signs in enumerate(regions)}
    for facet in (signs for signs, dimension in found.items() if dimension == inputs - 1):
        around = [region for region in regions if all(f in (0, r) for f, r in zip(facet, region, strict=True))]
        for one in around:
            for other in around:
                if label[one] != label[other] and affine_map(layers, one) == affine_map(layers, other):
                    old, new = label[one], label[other]
                    label = {signs: new if number == old else number for signs, number in label.items()}
    return len(set(label.values()))
