"""Groups of equal networks, here, on pools and on a Dask cluster; workers that die, calls that are interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed import Client, LocalCluster

from relusym import Limits, Network, RelusymError, Undecided, dedupe, digest, equal_pairs, load, save
from relusym.cli import main
from relusym.decision.many import spread
from relusym.errors import FormatError, ShapeError
from relusym.limits import Budget

SPAWN = get_context("spawn")
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # Dask warns where the machine is slow


def float_network(seed: int) -> Network:
    draw = np.random.default_rng(seed)
    return Network.shallow(draw.normal(size=(2, 6)), draw.normal(size=(6, 4)), draw.normal(size=6), draw.normal(size=2))


def disguised(network: Network, seed: int) -> Network:
    """Permute the neurons, and scale them by powers of two."""
    draw = np.random.default_rng(seed)
    (A, b), (M, c) = ((layer.weight.array, layer.bias.array[:, 0]) for layer in network.layers)
    order, scale = draw.permutation(len(b)), 2.0 ** draw.integers(-4, 5, size=len(b))
    return Network.shallow((M / scale)[:, order], (A * scale[:, None])[order], (b * scale)[order], c)


EXACT = [
    Network.shallow([1, "sqrt(2)"], [["1/3"], ["-sqrt(2)"]], [0, 1], 0),
    Network.shallow([1, 2], [["1/3"], [-1]], [0, "sqrt(2)/2"], 0),
    Network.shallow(["1/7"], [["7/3"]], [0], 2),
    Network.shallow(["1/3"], [[1]], [0], 2),
]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """48 files of 12 functions, in a fixed order: file i holds function i mod 12."""
    paths = []
    for index in range(48):
        paths.append(str(tmp_path / f"{index:02}.npz"))
        save(disguised(float_network(index % 12), index), paths[-1])
    return paths


def expected(files: list[str]) -> list[list[str]]:
    return [files[start::12] for start in range(12)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        started = LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        )
    with started as running:
        yield running


@pytest.fixture(scope="module")
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as connected:
        yield connected


def worker_pids(client: Client) -> set[int]:
    return set(client.run(os.getpid).values())


class KillOnce:
    """A progress callback that kills a worker process when the first results are in."""

    def __init__(self, pids: set[int]) -> None:
        self.victim: int | None = None
        self._pids = pids

    def __call__(self, what: str, done: int, total: int | None) -> None:
        if self.victim is None:
            self.victim = min(self._pids)
            os.kill(self.victim, signal.SIGKILL)


def test_without_executor(files: list[str]) -> None:
    assert dedupe(files) == expected(files)
    assert dedupe([]) == []


def test_every_executor_gives_the_same_groups(files: list[str], client: Client) -> None:
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(2, SPAWN) as processes:
        for executor in (threads, processes, client, client.get_executor()):
            assert dedupe(files, executor=executor) == expected(files)


def test_exact_networks_travel(client: Client) -> None:
    items = [*EXACT, float_network(1), disguised(float_network(1), 5)]
    groups = [EXACT[:2], EXACT[2:], items[4:]]
    with ProcessPoolExecutor(2, SPAWN) as processes:
        for executor in (None, processes, client):
            assert dedupe(items, executor=executor) == groups


def test_a_changed_file_is_read_again(tmp_path: Path, client: Client) -> None:
    first, second = str(tmp_path / "a.json"), str(tmp_path / "b.json")
    save(load("example:theta1"), first)
    save(load("example:theta2"), second)
    assert dedupe([first, second], executor=client) == [[first, second]]
    save(EXACT[2], second)
    assert dedupe([first, second], executor=client) == [[first], [second]]


def test_a_killed_worker_of_a_pool_costs_a_retry(files: list[str]) -> None:
    with ProcessPoolExecutor(2, SPAWN) as pool:
        assert len(list(pool.map(abs, range(4)))) == 4
        kill = KillOnce(set(pool._processes))
        items = files * 8
        assert dedupe(items, executor=pool, progress=kill) == [items[start::12] for start in range(12)]
        assert kill.victim is not None
        with pytest.raises(RuntimeError):  # the pool was broken indeed
            pool.submit(abs, 1)


def test_a_killed_worker_of_a_cluster_costs_a_retry(files: list[str], client: Client) -> None:
    before = worker_pids(client)
    assert len(before) == 2
    kill = KillOnce(before)
    items = files * 8
    assert dedupe(items, executor=client, progress=kill) == [items[start::12] for start in range(12)]
    client.wait_for_workers(2)
    deadline = time.monotonic() + 30
    while (after := worker_pids(client)) == before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert kill.victim in before
    assert kill.victim not in after


def test_an_item_that_kills_its_workers_is_named() -> None:
    harmless, deadly = signal.SIGCHLD, signal.SIGKILL
    with ProcessPoolExecutor(2, SPAWN) as pool, pytest.raises(RelusymError, match=r"SIGKILL.*worker process"):
        list(spread(signal.raise_signal, [harmless, harmless, deadly, harmless], pool, Budget()))
    with ProcessPoolExecutor(2, SPAWN) as pool:
        assert len(list(spread(signal.raise_signal, [harmless] * 3, pool, Budget()))) == 3


def test_a_bad_file_is_named(files: list[str], tmp_path: Path, client: Client) -> None:
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"nothing")
    deep = tmp_path / "deep.json"
    save(Network([([[1]], [0]), ([[1]], [0]), ([[1]], [0])]), deep)
    with ProcessPoolExecutor(2, SPAWN) as processes:
        for executor in (None, processes, client):
            with pytest.raises(FormatError, match=r"bad\.npz"):
                dedupe([*files[:3], bad], executor=executor)
            with pytest.raises(ShapeError, match=r"deep\.json"):
                dedupe([deep, *files[:3]], executor=executor)


def test_limits_leave_the_groups_so_far(files: list[str], client: Client) -> None:
    for executor in (None, client):
        with pytest.raises(Undecided, match="0 seconds") as caught:
            dedupe(files, executor=executor, limits=Limits(seconds=0))
        assert len(caught.value.partial) == 1
        assert caught.value.partial[0][0] in files


class Recorder(Executor):
    """Run the first call at once, and keep the others waiting."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.futures:
            future.set_result(function(*args, **kwargs))
        self.futures.append(future)
        return future


def test_an_interruption_drops_what_waits(files: list[str]) -> None:
    def interrupt(what: str, done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    executor = Recorder()
    with pytest.raises(KeyboardInterrupt):
        dedupe(files, executor=executor, progress=interrupt)
    assert len(executor.futures) == 48
    assert all(future.cancelled() for future in executor.futures[1:])


def test_calls_that_an_executor_drops_are_an_error(files: list[str]) -> None:
    class Closing(Recorder):
        def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(function, *args, **kwargs)
            future.cancel()
            return future

    with pytest.raises(RelusymError, match="closed"):
        dedupe(files, executor=Closing())


def test_progress_counts_every_network(files: list[str], client: Client) -> None:
    for executor in (None, client):
        seen: list[tuple[str, int, int | None]] = []
        dedupe(files, executor=executor, progress=lambda *step, seen=seen: seen.append(step))
        assert seen == [("networks", count, 48) for count in range(1, 49)]


def test_pairs(files: list[str], client: Client) -> None:
    pairs = [(files[0], files[12]), (files[0], files[1]), (EXACT[0], EXACT[1]), (EXACT[0], EXACT[3])]
    verdicts = ["equal", "different", "equal", "different"]
    with ProcessPoolExecutor(2, SPAWN) as processes:
        for executor in (None, processes, client):
            answers = equal_pairs(pairs, executor=executor)
            assert [answer.verdict for answer in answers] == verdicts
            point = answers[3].counterexample
            assert point is not None
            assert (EXACT[0](point.x), EXACT[3](point.x)) == (point.f, point.g)
    with pytest.raises(Undecided):
        equal_pairs(pairs, limits=Limits(seconds=0))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    printed = capsys.readouterr()
    return caught.value.code, printed.out, printed.err


def test_command(files: list[str], client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    address = client.scheduler_info()["address"]
    for extra in ([], ["--workers", "2"], ["--dask", address]):
        status, out, _ = run(capsys, "dedupe", *files, *extra, "--json")
        assert status == 0
        assert json.loads(out) == {"groups": expected(files), "networks": 48, "functions": 12}
    status, out, _ = run(capsys, "dedupe", "example:theta1", "example:weighted", "example:theta2")
    assert status == 0
    assert out == "example:theta1 = example:theta2\nexample:weighted\n3 networks, 2 functions\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["example:theta1", "no-such-file.json"], "no-such-file.json"),
        (["example:theta1", "--workers", "2", "--dask", "tcp://127.0.0.1:1"], "exclude each other"),
        (["example:theta1", "--dask", "nonsense://127.0.0.1"], "no Dask scheduler"),
        (["example:theta1", "--workers", "0"], "--workers"),
        ([], "FILES"),
    ],
)
def test_command_errors(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "dedupe", *arguments)
    assert (status, out) == (2, "")
    assert text in err
    assert len(err.splitlines()) == 1


def children(pid: int) -> list[int]:
    return [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]


@pytest.mark.parametrize("group", [True, False])
def test_ctrl_c_ends_the_command_and_its_workers(tmp_path: Path, group: bool) -> None:
    draw = np.random.default_rng(0)
    path = str(tmp_path / "large.npz")
    save(
        Network.shallow(draw.normal(size=(9, 600)), draw.normal(size=(600, 99)), draw.normal(size=600), [0.0] * 9), path
    )
    command = [sys.executable, "-m", "relusym", "dedupe", *[path] * 2000, "--workers", "2"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        workers: list[int] = []
        while len(workers) < 2:
            time.sleep(0.01)
            workers = children(process.pid)
        (os.killpg if group else os.kill)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (2, "", "relusym: interrupted")
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def test_digests_name_the_groups(files: list[str]) -> None:
    for group in dedupe(files):
        assert len({digest(load(path)) for path in group}) == 1
