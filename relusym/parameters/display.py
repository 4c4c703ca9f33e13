"""Networks as people read them: text for a terminal, LaTeX for a notebook."""

from __future__ import annotations

from typing import Any

from relusym.exact.matrix import Matrix, column_of, text_rows, to_sympy
from relusym.parameters.network import Network

_MOST_ENTRIES = 144
_LONGEST_ENTRY = 2000


def pretty(network: Network) -> str:
    """Return a network as text, its layers row by row; large layers by their sizes only.

    Examples
    --------
    >>> from relusym import load
    >>> print(load("example:theta1"))
    Network 2-3-1 over QQ
    layer 0 (ReLU)
      [ 1   1 | -2]
      [-1   0 | -1]
      [ 0  -1 | -1]
    layer 1 (output)
      [1  1  1 | -6]
    """
    lines = [repr(network).replace("(", " ", 1).removesuffix(")")]
    for index, (weight, bias) in enumerate(network.layers):
        last = index == network.depth
        lines.append(f"layer {index} (output)" if last else f"layer {index} (ReLU)")
        lines.extend("  " + line for line in _block(weight, bias))
    return "\n".join(lines)


def _block(weight: Matrix, bias: Matrix) -> list[str]:
    if weight.nrows * (weight.ncols + 1) > _MOST_ENTRIES:
        return [f"{weight.nrows} x {weight.ncols} weights and {bias.nrows} biases"]
    rows = text_rows(weight)
    ends = [bias.field.text(value) for value in column_of(bias)]
    width = max((len(text) for row in rows for text in row), default=0)
    end_width = max(map(len, ends), default=0)
    return [
        f"[{'  '.join(text.rjust(width) for text in row)} | {end.rjust(end_width)}]"
        for row, end in zip(rows, ends, strict=True)
    ]


def _longest_text(network: Network) -> int:
    matrices = [matrix for layer in network.layers for matrix in layer]
    return max((len(text) for matrix in matrices for row in text_rows(matrix) for text in row), default=0)


def latex(network: Network) -> str:
    """Return the network as a LaTeX formula: M σ(A x + b) + c, nested for deeper ones."""
    from sympy import latex as to_latex

    size = sum(layer.weight.nrows * (layer.weight.ncols + 1) for layer in network.layers)
    if size > _MOST_ENTRIES or _longest_text(network) > _LONGEST_ENTRY:
        widths = " \\to ".join(f"\\mathbb{{R}}^{{{width}}}" for width in network.widths)
        return f"f\\colon {widths}"
    inner: Any = "x"
    for index, (weight, bias) in enumerate(network.layers):
        affine = f"{to_latex(to_sympy(weight))} {inner} + {to_latex(to_sympy(bias))}"
        inner = affine if index == network.depth else f"\\sigma\\left({affine}\\right)"
    return f"f(x) = {inner}"
