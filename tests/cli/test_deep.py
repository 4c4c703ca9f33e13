"""The commands regions and plot."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from relusym import Network, RelusymError, save
from relusym.cli.deep import plot, regions


def run(command: Any, *arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, standalone_mode=False)


def test_regions_as_json() -> None:
    result = run(regions, "example:theta2", "--json")
    assert result.return_value == 0
    answer = json.loads(result.output)
    assert answer["activation_regions"] == answer["linear_regions"] == answer["affine_maps"] == 7
    assert answer["f_vector"] == [3, 9, 7]
    assert answer["euler_characteristic"] == 1
    assert answer["seconds"] >= 0


def test_regions_as_text_on_a_domain(tmp_path: Path) -> None:
    domain = tmp_path / "domain.json"
    domain.write_text("[[-1, 1], [0, null]]")
    result = run(regions, "example:theta2", "--domain", str(domain))
    assert result.return_value == 0
    assert "f-vector: " in result.output
    domain.write_text('[[[1, 1], "1/2"], [["-1", 0], 0]]')
    assert json.loads(run(regions, "example:theta2", "--domain", str(domain), "--json").output)["f_vector"][2] > 0


def test_regions_counted_only() -> None:
    answer = json.loads(run(regions, "example:theta1", "--count", "--json").output)
    assert answer["activation_regions"] == 7
    assert "f_vector" not in answer


def test_regions_by_workers() -> None:
    answer = json.loads(run(regions, "example:theta1", "--workers", "2", "--json").output)
    assert answer["f_vector"] == [3, 9, 7]


def test_regions_within_limits() -> None:
    result = run(regions, "example:theta1", "--time", "0", "--json")
    assert result.return_value == 3
    assert json.loads(result.output)["at_least"] == 0


def test_plot_writes_the_demonstration(tmp_path: Path) -> None:
    out = tmp_path / "figure.png"
    result = run(plot, "-o", str(out), "--json")
    assert result.return_value == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert [item["source"] for item in json.loads(result.output)["networks"]] == ["example:theta1", "example:theta2"]


def test_plot_of_a_file_in_a_window(tmp_path: Path) -> None:
    source, window, out = tmp_path / "f.json", tmp_path / "w.json", tmp_path / "f.svg"
    save(Network.shallow([1, 2], [[1], [2]], [0, -1], 0), source)
    window.write_text("[[-1, 1]]")
    assert run(plot, str(source), "-o", str(out), "--window", str(window)).return_value == 0
    assert "<svg" in out.read_text()


def test_pictures_have_known_suffixes(tmp_path: Path) -> None:
    result = run(plot, "example:theta1", "-o", str(tmp_path / "f.txt"))
    assert isinstance(result.exception, RelusymError)
    assert ".png" in str(result.exception)
