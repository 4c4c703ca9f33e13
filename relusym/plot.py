"""Pictures of networks with one, two or three inputs (the extra ``plot``).

Every vertex that is drawn is exact until it is handed to matplotlib. Two inputs: activation regions, bent hyperplanes
(a colour a neuron, a line style a layer) and the zero set of an output. One input: the graph of f with its
breakpoints. Three inputs: the surface on which an output is zero. Colours are those of Okabe and Ito, which remain
distinct for colour-blind readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2
from typing import TYPE_CHECKING, Any, TypeAlias

from flint import fmpq

from relusym.errors import DomainError, ShapeError, missing_extra
from relusym.exact.box import read_box
from relusym.exact.field import Field
from relusym.limits import Limits, Progress
from relusym.parameters.network import Network
from relusym.polyhedral.cells import AffineMap, Cell
from relusym.polyhedral.complex import PolyhedralComplex, complex_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Window: TypeAlias = list[tuple[fmpq, fmpq]]

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D1F")
_STYLES = ("-", "--", "-.", ":")
_PAPER = ("#F7F7F7", "#E9EEF3", "#F3ECE2", "#E8F0EA", "#F1E8EF", "#EDEDE0")
_ZERO = "#000000"
_MOST_IN_LEGEND = 14
_MOST_LABELS = 12


def plot(
    networks: Network | Sequence[Network],
    *,
    titles: Sequence[str] | None = None,
    output: int = 0,
    window: Any = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Figure:
    """Return a matplotlib figure of one network, or of several side by side.

    Parameters
    ----------
    networks
        With one, two or three inputs, all the same number.
    titles
        One for each network.
    output
        The output whose zero set is drawn (for one input all outputs are drawn).
    window
        A box; by default one around all vertices.

    Raises
    ------
    ShapeError
        Where the number of inputs is none of 1, 2, 3.
    MissingExtra
        Where matplotlib is not installed.

    Examples
    --------
    >>> from relusym import load
    >>> figure = plot([load("example:theta1"), load("example:theta2")])
    >>> [axes.get_title() for axes in figure.axes][0]
    '2-3-1: 7 activation regions, 7 linear regions'
    """
    listed = [networks] if isinstance(networks, Network) else list(networks)
    inputs = listed[0].widths[0] if listed else 0
    if inputs not in _PAINTERS or any(network.widths[0] != inputs for network in listed):
        raise ShapeError(
            f"networks with {sorted({network.widths[0] for network in listed})} inputs cannot be drawn; all with 1, "
            "all with 2 or all with 3 are accepted"
        )
    make_figure = _matplotlib()
    paint, projection = _PAINTERS[inputs]
    wholes = [complex_of(network, limits=limits, progress=progress) for network in listed]
    box = _read_window(window, inputs) if window is not None else _common_window(wholes, output)
    figure: Figure = make_figure(figsize=(6.4 * len(listed), 6.4), layout="constrained")
    shades: dict[AffineMap, int] = {}
    for place, whole in enumerate(wholes):
        axes = figure.add_subplot(1, len(listed), place + 1, projection=projection)
        paint(axes, complex_of(listed[place], domain=box, limits=limits, progress=progress), output, box, shades)
        name = titles[place] if titles is not None else "-".join(map(str, listed[place].widths))
        counts = f"{len(whole.activation_regions)} activation regions, {len(whole.linear_regions)} linear regions"
        axes.set_title(f"{name}: {counts}", fontsize=12)
    return figure


# -- windows


def _read_window(window: Any, inputs: int) -> Window:
    """Return the ends of a bounded box as rational numbers.

    Raises
    ------
    DomainError
        Where the window is no box with an interior.
    """
    ends = [[_end(end, index) for end in pair] for index, pair in enumerate(read_box(window, inputs))]
    for index, (low, high) in enumerate(ends):
        if not low < high:
            raise DomainError(f"the window, coordinate {index}: low < high is due")
    return [(low, high) for low, high in ends]


def _end(end: Any, index: int) -> fmpq:
    if not isinstance(end, fmpq):
        raise DomainError(f"the window, coordinate {index}: two rational numbers (low, high) are due")
    return end


def _common_window(wholes: Sequence[PolyhedralComplex], output: int) -> Window:
    """Return a cube around all vertices of the complexes and of the zero sets."""
    points: list[list[fmpq]] = []
    for whole in wholes:
        field = whole.arrangement.field
        cells = whole.cells(0)
        if whole.dimension > 1:
            cells = [*cells, *whole.level_set(output).cells(0)]
        points += [[_rational(field, value) for value in vertex] for cell in cells for vertex in cell.vertices()]
    inputs = wholes[0].dimension
    if not points:
        return [(fmpq(-2), fmpq(2))] * inputs
    centres = [(min(column) + max(column)) / 2 for column in zip(*points, strict=True)]
    reach = max((max(column) - min(column)) / 2 for column in zip(*points, strict=True))
    reach = reach * fmpq(4, 3) if reach > 0 else fmpq(2)
    return [(centre - reach, centre + reach) for centre in centres]


def _rational(field: Field, value: Any) -> fmpq:
    return field.enclosure(value, 60)[0]


def _floats(field: Field, point: Sequence[Any]) -> tuple[float, ...]:
    return tuple(_number(_rational(field, value)) for value in point)


# -- two inputs


def _paint_plane(
    axes: Any, complex_: PolyhedralComplex, output: int, box: Window, shades: dict[AffineMap, int]
) -> None:
    from matplotlib.collections import LineCollection, PolyCollection

    field = complex_.arrangement.field
    polygons = [_around(_corners(field, cell)) for cell in complex_.activation_regions]
    papers = [_shade(shades, cell, _PAPER) for cell in complex_.activation_regions]
    axes.add_collection(PolyCollection(polygons, facecolors=papers, edgecolors="none", zorder=0))
    neurons = complex_.arrangement.neurons
    for number, (layer, neuron, _) in enumerate(neurons):
        segments = [_corners(field, cell) for cell in complex_.bent_hyperplane(layer, neuron).cells]
        if not segments:
            continue
        lines = LineCollection(
            segments,
            colors=_COLOURS[number % len(_COLOURS)],
            linestyles=_STYLES[layer % len(_STYLES)],
            linewidths=2.2,
            zorder=2,
            label=f"layer {layer}, neuron {neuron}" if len(neurons) <= _MOST_IN_LEGEND else None,
        )
        axes.add_collection(lines)
    zero = [_corners(field, cell) for cell in complex_.level_set(output).cells(1)]
    axes.add_collection(
        LineCollection(zero, colors=_ZERO, linewidths=3.4, alpha=0.8, zorder=3, label=f"zero set of output {output}")
    )
    inner = [_corners(field, cell)[0] for cell in complex_.cells(0) if not cell.on_wall]
    if inner:
        axes.plot(*zip(*inner, strict=True), "o", color="black", markersize=4, zorder=4, label="vertices")
    _frame(axes, box, ("x", "y"))
    axes.set_aspect("equal")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.09), ncols=3, fontsize=9, frameon=False)


def _corners(field: Field, cell: Cell) -> list[tuple[float, ...]]:
    return [_floats(field, vertex) for vertex in cell.vertices()]


def _around(points: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Return the corners of a convex polygon in their cyclic order."""
    x, y = (sum(column) / len(points) for column in zip(*points, strict=True))
    return sorted(points, key=lambda point: atan2(point[1] - y, point[0] - x))


def _shade(shades: dict[AffineMap, int], cell: Cell, palette: Sequence[str]) -> str:
    """Return the colour of a cell: that of its affine map, the same in all panels."""
    return palette[shades.setdefault(cell.affine_map(), len(shades)) % len(palette)]


def _frame(axes: Any, box: Window, names: Sequence[str]) -> None:
    for name, (low, high) in zip(names, box, strict=True):
        getattr(axes, f"set_{name}lim")(_number(low), _number(high))
        getattr(axes, f"set_{name}label")(f"$x_{'xyz'.index(name) + 1}$", fontsize=12)


def _number(value: fmpq) -> float:
    return int(value.p) / int(value.q)


# -- one input


def _paint_graph(
    axes: Any, complex_: PolyhedralComplex, output: int, box: Window, shades: dict[AffineMap, int]
) -> None:
    field = complex_.arrangement.field
    stops = sorted(vertex[0] for cell in complex_.cells(0) for vertex in cell.vertices())
    regions = [(cell.vertices(), cell.affine_map()) for cell in complex_.activation_regions]
    inner = sorted(vertex[0] for cell in complex_.cells(0) if not cell.on_wall for vertex in cell.vertices())
    for which in range(complex_.networks[0].widths[-1]):
        colour = _COLOURS[which % len(_COLOURS)]
        values = {end[0]: affine([end[0]])[which] for ends, affine in regions for end in ends}
        axes.plot(
            [_floats(field, [x])[0] for x in stops],
            [_floats(field, [values[x]])[0] for x in stops],
            color=colour,
            linestyle=_STYLES[which % len(_STYLES)],
            linewidth=2.2,
            label=f"output {which}",
        )
        for x in inner:
            place = _floats(field, [x, values[x]])
            axes.plot(*place, "o", color="black", markersize=5, zorder=4)
            if len(inner) <= _MOST_LABELS:
                text = f"({field.text(x)}, {field.text(values[x])})"
                axes.annotate(
                    text if len(text) <= 28 else f"{text[:27]}…",
                    place,
                    xytext=(6, -16 if _rises_after(stops, values, x) else 8),
                    textcoords="offset points",
                    fontsize=9,
                    bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.85},
                )
    axes.axhline(0, color="#888888", linewidth=0.8, zorder=0)
    axes.set_xlim(*map(_number, box[0]))
    axes.set_xlabel("$x$", fontsize=12)
    axes.set_ylabel("$f(x)$", fontsize=12)
    axes.margins(y=0.15)
    if complex_.networks[0].widths[-1] > 1:
        axes.legend(loc="best", fontsize=9)


def _rises_after(stops: list[Any], values: dict[Any, Any], x: Any) -> bool:
    """Return whether the graph rises to the right of a breakpoint: then its label goes below."""
    return bool(values[stops[stops.index(x) + 1]] > values[x])


# -- three inputs


def _paint_surface(
    axes: Any, complex_: PolyhedralComplex, output: int, box: Window, shades: dict[AffineMap, int]
) -> None:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    field = complex_.arrangement.field
    cells = complex_.level_set(output).cells(2)
    polygons = [_around_in_space(_corners(field, cell)) for cell in cells]
    colours = [_shade(shades, cell, _COLOURS) for cell in cells]
    axes.add_collection3d(
        Poly3DCollection(polygons, facecolors=colours, edgecolors="#222222", linewidths=0.8, alpha=0.75)
    )
    _frame(axes, box, ("x", "y", "z"))
    axes.set_box_aspect((1, 1, 1))
    caption = f"surface: output {output} = 0, a colour an affine map"
    axes.text2D(0.5, 0.97, caption, transform=axes.transAxes, fontsize=9, horizontalalignment="center")


def _around_in_space(points: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Return the corners of a convex polygon in space in their cyclic order: seen along its largest normal."""
    import numpy as np

    corners = np.array(points)
    centred = corners - corners.mean(axis=0)
    _, _, axes = np.linalg.svd(centred)
    angles = np.arctan2(centred @ axes[1], centred @ axes[0])
    return [tuple(corners[index]) for index in np.argsort(angles)]


_PAINTERS = {1: (_paint_graph, None), 2: (_paint_plane, None), 3: (_paint_surface, "3d")}


def _matplotlib() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("plot", "pictures need the package matplotlib") from None
    return Figure
