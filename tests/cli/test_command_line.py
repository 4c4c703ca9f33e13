"""The command line from outside: exit statuses, JSON, one-line errors, the same bytes in every process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]


def network(layers: list[tuple[Any, Any]], **more: Any) -> dict[str, Any]:
    listed = [{"weight": weight, "bias": bias} for weight, bias in layers]
    return {"format": "relusym-network", "version": 1, "layers": listed, **more}


GOOD = network([([["1", "2"]], ["0"]), ([["1"]], ["0"])])
TEXT = json.dumps(GOOD)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in this process, in a folder of its own."""
    from relusym.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.json").write_text(TEXT)

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as exit_:
            main(list(arguments))
        out, err = capsys.readouterr()
        return int(exit_.value.code or 0), out, err

    return run


def test_equal_and_its_certificate(run: Run, tmp_path: Path) -> None:
    status, out, err = run("equal", "example:theta1", "example:theta2", "--certificate", "c.json", "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert (answer["verdict"], answer["counterexample"]) == ("equal", None)
    assert answer["reason"]
    assert run("check", "c.json", "example:theta1", "example:theta2")[:1] == (0,)
    status, out, err = run("check", "c.json", "example:theta1", "example:theta1", "--json")
    assert (status, json.loads(out)["accepted"], err) == (1, False, "")
    assert run("check", "c.json", "example:theta1")[0] == 1
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]


def test_different_and_its_point(run: Run) -> None:
    status, out, err = run("equal", "example:weighted", "example:swapped", "--json", "--certificate", "c.json")
    answer = json.loads(out)
    assert (status, answer["verdict"], err) == (1, "different", "")
    point = answer["counterexample"]
    assert {key: type(value) for key, value in point.items()} == {"x": list, "f": list, "g": list}
    assert point["f"] != point["g"]
    assert run("check", "c.json", "example:weighted", "example:swapped")[0] == 0
    status, out, _ = run("equal", "example:weighted", "example:swapped")
    assert status == 1
    assert out.startswith("different: ")
    assert "f(x) = (" in out


def test_domain_and_explanation(run: Run, tmp_path: Path) -> None:
    (tmp_path / "box.json").write_text('[[0, null], ["0", "0.5"]]')
    (tmp_path / "sum.json").write_text(json.dumps(network([([["1", "2"]], ["0"])])))
    status, out, _ = run("equal", "good.json", "sum.json", "--domain", "box.json", "--explain")
    assert status == 0
    assert "active" in out
    assert run("equal", "good.json", "sum.json")[0] == 1


def test_undecided_is_status_3(run: Run) -> None:
    status, out, err = run("equal", "example:theta1", "example:theta2", "--time", "0", "--json")
    assert (status, json.loads(out)["verdict"], err) == (3, "undecided", "")
    status, _, err = run("equal", "example:theta1", "example:theta2", "--time", "0", "--certificate", "c.json")
    assert status in (2, 3)
    assert not Path("c.json").exists()
    assert err.count("\n") <= 1


def test_minimal_show_convert(run: Run) -> None:
    status, out, _ = run("minimal", "example:example1-row2", "-o", "m.json", "--json")
    answer = json.loads(out)
    assert (status, answer["zero_factor_rank"]) == (0, 1)
    assert answer["network"]["layers"][0]["weight"][0] == ["11", "11", "11"]
    assert run("equal", "m.json", "example:example1-row2")[0] == 0
    status, out, _ = run("show", "m.json", "--json")
    assert (status, json.loads(out)["widths"], json.loads(out)["field"]) == (0, [3, 3, 1], "QQ")
    assert "parameters" in run("show", "m.json")[1]
    assert run("convert", "m.json", "m.npz", "--json")[0] == 0
    assert run("equal", "m.npz", "m.json")[0] == 0
    assert run("--version")[:1] == (0,)
    assert "equal" in run("--help")[1]


def changed(entry: str, **more: str) -> str:
    text = TEXT.replace('"1"', entry, 1)
    for key, value in more.items():
        text = text.replace('"version"', f'"{key}": "{value}", "version"', 1)
    return text


BAD = {
    "ragged": (json.dumps(network([([["1", "2"], ["3"]], ["0", "0"])])), "layer 0, weight: row 1"),
    "chain": (json.dumps(network([([["1"]], ["0"]), ([["1", "2"]], ["0"])])), "layer 1, weight"),
    "nan": (changed("NaN"), "NaN"),
    "infinity": (changed("-Infinity"), "Infinity"),
    "nan text": (changed('"nan"'), "layer 0, weight[0][0]"),
    "pi": (changed('"pi"'), "layer 0, weight[0][0]: unknown name 'pi'"),
    "imaginary": (changed('"sqrt(-2)"'), "layer 0, weight[0][0]"),
    "no root": (changed('"root([1,0,1],0)"'), "layer 0, weight[0][0]"),
    "tower of powers": (changed('"9**9**9**9"'), "layer 0, weight[0][0]: a power"),
    "exponent": (changed('"1e999999999"'), "layer 0, weight[0][0]"),
    "JSON exponent": (changed("1e999999999", floats="decimal"), "1e999999999"),
    "JSON float": (changed("0.1"), 'layer 0, weight[0][0]: the JSON number 0.1 is no exact text; quote it'),
    "long integer": (changed("1" + "0" * 200_000), "100000 digits"),
    "degree": (changed('"root(2, 65)"'), "layer 0, weight[0][0]: the numbers need a field of degree 65"),
    "object": (changed("{}"), "layer 0, weight[0][0]"),
    "null": (changed("null"), "layer 0, weight[0][0]"),
    "control characters": (changed('"\\u001b[31m\\ud800"'), "layer 0, weight[0][0]"),
    "list": ("[1, 2]", "object"),
    "deep": ("[" * 100_000 + "]" * 100_000, "nested"),
    "deep object": ('{"a":' * 100_000 + "1" + "}" * 100_000, "nested"),
    "empty": ("", "empty"),
    "cut": (TEXT[:50], "JSON"),
    "version": (TEXT.replace('"version": 1', '"version": 2'), '"version" must be 1'),
    "inputs": (json.dumps(network([([["1", "2", "3"]], ["0"]), ([["1"]], ["0"])])), "3 and 2 inputs"),
    "outputs": (json.dumps(network([([["1", "2"]], ["0"]), ([["1"], ["2"]], ["0", "0"])])), "2 and 1 outputs"),
    "many inputs": (json.dumps(network([([], []), ([[]], ["0"])], inputs=10**12)), "to 10,000,000"),
    "very many inputs": (json.dumps(network([([], []), ([[]], ["0"])], inputs=10**100)), "to 10,000,000"),
}  # fmt: skip


def assert_one_line(status: int, out: str, err: str) -> None:
    assert (status, out) == (2, "")
    assert err.startswith("relusym: ")
    assert err.endswith("\n")
    assert err[:-1].isprintable()
    assert len(err) < 400


@pytest.mark.parametrize("name", BAD)
def test_bad_files_end_in_one_line_that_names_the_place(run: Run, tmp_path: Path, name: str) -> None:
    text, says = BAD[name]
    (tmp_path / "bad.json").write_bytes(text.encode())
    status, out, err = run("equal", "bad.json", "good.json")
    assert_one_line(status, out, err)
    assert says in err
    assert "bad.json" in err or "the same number is due" in err


@pytest.mark.parametrize(
    ("domain", "says"),
    [
        ("[[0, 1], [2, 1]]", "empty"),
        ("[[0, 1]]", "1 coordinates"),
        ("[1, 2]", "coordinate 0"),
        ("{}", "domain"),
        ("[[0, 1], [NaN, 1]]", "NaN"),
        ('[[0, 1], ["pi", 1]]', "coordinate 1"),
        ("", "empty"),
        ("[" * 100_000, "nested"),
    ],
)
def test_bad_domains(run: Run, tmp_path: Path, domain: str, says: str) -> None:
    (tmp_path / "box.json").write_text(domain)
    status, out, err = run("equal", "good.json", "good.json", "--domain", "box.json")
    assert_one_line(status, out, err)
    assert says in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["equal"],
        ["equal", "good.json"],
        ["nothing"],
        ["equal", "nofile.json", "good.json"],
        ["equal", "nosuffix", "good.json"],
        ["equal", "good.txt", "good.json"],
        ["equal", ".", "good.json"],
        ["equal", "", "good.json"],
        ["equal", "example:nope", "good.json"],
        ["equal", "good.json", "good.json", "--time", "-1"],
        ["equal", "good.json", "good.json", "--time", "nan"],
        ["equal", "good.json", "good.json", "--memory", "much"],
        ["equal", "good.json", "good.json", "--numbers", "binary"],
        ["equal", "good.json", "good.json", "--certificate", "no/such/folder.json"],
        ["check", "good.json", "good.json", "good.json"],
        ["check", "nofile.json", "good.json"],
        ["minimal", "good.json", "-o", "x.foo"],
        ["convert", "good.json", "x.foo"],
    ],
)
def test_bad_calls(run: Run, arguments: list[str]) -> None:
    assert_one_line(*run(*arguments))


def in_process(arguments: list[str], folder: Path, **environment: str) -> tuple[int, bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "relusym", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""
    return done.returncode, done.stdout


@pytest.mark.ground_types
def test_same_bytes_in_every_process(tmp_path: Path) -> None:
    entry = "sqrt(2) + cbrt(3)"
    for name, bias in (("f", "0"), ("g", "1e-30")):
        layers = [([["1", entry], ["-1/3", "2"]], ["0", bias]), ([["1", "sqrt(3)"]], ["0"])]
        (tmp_path / f"{name}.json").write_text(json.dumps(network(layers)))
    calls = [
        (["equal", "f.json", "g.json", "--json", "--certificate", "c.json"], 1),
        (["minimal", "f.json", "--json"], 0),
    ]
    seen = set()
    for types, seed in (("python", "0"), ("gmpy", "1"), ("flint", "2")):
        outputs = []
        for arguments, status in calls:
            code, out = in_process(arguments, tmp_path, SYMPY_GROUND_TYPES=types, PYTHONHASHSEED=seed)
            assert code == status
            outputs.append(out)
        seen.add((*outputs, (tmp_path / "c.json").read_bytes()))
    assert len(seen) == 1


def test_equal_up_to_a_positive_scale(run: Run, tmp_path: Path) -> None:
    tripled = network([([["1", "2"]], ["0"]), ([["3"]], ["0"])])
    (tmp_path / "tripled.json").write_text(json.dumps(tripled))
    status, out, _ = run("equal", "good.json", "tripled.json", "--up-to", "positive-scale", "--certificate", "c.json")
    assert (status, out.splitlines()[-1]) == (0, "  g = 3 f")
    assert run("check", "c.json", "good.json", "tripled.json")[0] == 0
    status, out, _ = run("equal", "good.json", "tripled.json", "--up-to", "positive-scale", "--json")
    assert (status, json.loads(out)["scale"]) == (0, "3")
    status, out, _ = run("equal", "tripled.json", "example:weighted", "--up-to", "positive-scale")
    assert status == 2
    (tmp_path / "zero.json").write_text(json.dumps(network([([["0", "0"]], ["1"])])))
    status, out, _ = run("equal", "good.json", "zero.json", "--up-to", "positive-scale", "--json")
    assert (status, json.loads(out)["scale"]) == (1, None)
    assert json.loads(out)["counterexample"]["x"]


def test_fields_are_shown_whole(run: Run, tmp_path: Path) -> None:
    (tmp_path / "root.json").write_text(json.dumps(network([([["sqrt(2)"]], ["0"]), ([["1"]], ["0"])])))
    status, out, _ = run("show", "root.json")
    assert (status, out.splitlines()[0]) == (0, "Network 1-1-1 over QQ(sqrt(2))")


def test_deeper_networks_are_aligned_layer_by_layer(run: Run, tmp_path: Path) -> None:
    deep = [([["1"], ["2"]], ["0", "1"]), ([["1", "-1"]], ["1"]), ([["2"]], ["3"])]
    moved = [([["2"], ["1"]], ["1", "0"]), ([["-1", "1"]], ["1"]), ([["2"]], ["3"])]
    for name, layers in (("deep", deep), ("moved", moved)):
        (tmp_path / f"{name}.json").write_text(json.dumps(network(layers)))
    status, out, _ = run("symmetry", "deep.json", "moved.json", "--json")
    assert status == 0
    assert json.loads(out)["layers"][0]["permutation"] == [1, 0]
    assert run("symmetry", "deep.json", "good.json")[0] in (1, 2)


def test_time_ends_commands_that_have_no_partial_answer(run: Run) -> None:
    status, _, err = run("locus", "9", "40", "--time", "0.05")
    assert (status, err) == (3, "relusym: undecided: the limit of 0.05 seconds was reached\n")
    assert run("show", "good.json", "--time", "60", "--memory", "100G")[0] == 0


def test_a_reader_that_has_gone_is_no_answer(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "relusym", "locus", "5", "20"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=60) == 2
