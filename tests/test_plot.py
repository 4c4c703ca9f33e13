"""Pictures: what is drawn, where, and what is refused."""

from pathlib import Path

import pytest
from matplotlib.collections import LineCollection, PolyCollection

from relusym import DomainError, Network, ShapeError, load
from relusym.plot import plot

ROOT = Network.shallow([1], [["sqrt(2)", 1]], [-1], -1)


def test_the_figure_of_the_paper() -> None:
    figure = plot([load("example:theta1"), load("example:theta2")], titles=["one", "two"])
    assert [axes.get_title().partition(":")[0] for axes in figure.axes] == ["one", "two"]
    for axes in figure.axes:
        assert axes.get_aspect() == 1
        (polygons,) = (c for c in axes.collections if isinstance(c, PolyCollection))
        assert len(polygons.get_paths()) == 7
        *bent, zero = (c for c in axes.collections if isinstance(c, LineCollection))
        assert len(bent) == 3
        assert len(zero.get_segments()) == 6
        assert len({tuple(lines.get_color()[0]) for lines in bent}) == 3
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        assert labels == [*(f"layer 0, neuron {i}" for i in range(3)), "zero set of output 0", "vertices"]
    left, right = (next(c for c in axes.collections if isinstance(c, PolyCollection)) for axes in figure.axes)
    assert sorted(map(tuple, left.get_facecolor())) == sorted(map(tuple, right.get_facecolor()))


def test_one_input_shows_exact_breakpoints() -> None:
    (axes,) = plot(Network.shallow([[1, -1], [1, 0]], [[1], [3]], [0, -1], [0, 1])).axes
    labels = {text.get_text() for text in axes.texts}
    assert labels == {"(0, 0)", "(1/3, 1/3)", "(0, 1)", "(1/3, 4/3)"}
    assert len(axes.get_legend().get_texts()) == 2


def test_three_inputs_show_a_surface() -> None:
    rows = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
    figure = plot(Network.shallow([1] * 6, rows, [0] * 6, -1))
    figure.draw_without_rendering()
    (surface,) = figure.axes[0].collections
    assert len(surface.get_paths()) == 8  # an octahedron


@pytest.mark.parametrize("network", [ROOT, Network([([[1, 1]], [0])]), Network.shallow([0], [[1, 1]], [0], 0)])
def test_few_or_irrational_vertices(network: Network, tmp_path: Path) -> None:
    plot(network).savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 1000


def test_windows() -> None:
    (axes,) = plot(ROOT, window=[(0, 1), ("-1/2", 2)]).axes
    assert axes.get_xlim() == (0, 1)
    assert axes.get_ylim() == (-0.5, 2)
    for window in ([(0, 1), (2, 2)], [(0, 1), (None, 2)], [(0, 1)]):
        with pytest.raises(DomainError):
            plot(ROOT, window=window)


def test_other_numbers_of_inputs_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"\[4\] inputs"):
        plot(Network.shallow([1], [[1, 1, 1, 1]], [0], 0))
    with pytest.raises(ShapeError):
        plot([ROOT, Network.shallow([1], [[1]], [0], 0)])
