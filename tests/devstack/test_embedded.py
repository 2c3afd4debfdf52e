"""The embedded servers: data that survives, crashes cleaned up after, awkward places."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from jasshaus.devstack import install
from jasshaus.devstack.folder import DataFolder
from jasshaus.devstack.postgres import EmbeddedPostgres
from jasshaus.devstack.process import EmbeddedError, command_line, end_leftover, spawn, start_time
from jasshaus.devstack.redis import EmbeddedRedis

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="about what root must do")

# Holds a data folder as a stack does, and is killed by the test. argv: folder, death signals on (1) or off
# (0).
HOLDER = """
import signal, sys, time
from pathlib import Path
from jasshaus.devstack import folder, postgres, process, redis
if sys.argv[2] == "0":
    for module in (postgres, redis):
        module.spawn = lambda *a, **k: process.spawn(*a, **{**k, "death_signal": 0})
data = folder.DataFolder(Path(sys.argv[1])).hold()
servers = redis.EmbeddedRedis(data), postgres.EmbeddedPostgres(data, fsync=False)
for server in servers:
    server.start()
print(*(server.pid for server in servers), flush=True)
time.sleep(600)
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that PostgreSQL's user can get into, unlike pytest's own."""
    path = Path(tempfile.mkdtemp(prefix="jasshaus-test-"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def started() -> Iterator[Callable[..., Any]]:
    """Start servers on a data folder; the test's end stops them."""
    stops: list[Callable[[], None]] = []

    def start(data: DataFolder, kind: type[Any], **options: Any) -> Any:
        server = kind(data, **options)
        stops.append(server.stop)
        server.start()
        return server

    yield start
    for stop in reversed(stops):
        stop()


def put(server: EmbeddedRedis, value: str) -> None:
    with redis.Redis.from_url(server.url) as client:
        client.set("kept", value)


def got(server: EmbeddedRedis) -> Any:
    with redis.Redis.from_url(server.url) as client:
        return client.get("kept")


def test_redis_keeps_its_data_over_a_restart(place: Path, started: Callable[..., Any]) -> None:
    data = DataFolder(place).hold()
    server = started(data, EmbeddedRedis)
    url = server.url
    put(server, "1")
    server.stop()
    server.start()
    assert got(server) == b"1"
    assert server.url == url
    data.release()


def test_redis_refuses_strangers_and_never_evicts(place: Path, started: Callable[..., Any]) -> None:
    data = DataFolder(place).hold()
    server = started(data, EmbeddedRedis)
    with redis.Redis.from_url(server.url) as client:
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert client.config_get("appendfsync") == {"appendfsync": "everysec"}
        path = client.connection_pool.connection_kwargs["path"]
        assert Path(path).stat().st_mode & 0o077 == 0
    with (
        redis.Redis(unix_socket_path=path, retry=Retry(NoBackoff(), 0)) as stranger,
        pytest.raises(redis.AuthenticationError),
    ):
        stranger.ping()
    data.release()


def test_postgres_keeps_its_data_over_a_stop_and_a_kill(place: Path, started: Callable[..., Any]) -> None:
    data = DataFolder(place).hold()
    server = started(data, EmbeddedPostgres)
    with psycopg.connect(server.dsn()) as connection:
        connection.execute("CREATE TABLE kept (value int)")
    for number, end in enumerate((server.stop, server.kill), start=1):
        with psycopg.connect(server.dsn()) as connection:
            connection.execute("INSERT INTO kept VALUES (%s)", (number,))
        end()
        server.start()
    with psycopg.connect(server.dsn()) as connection:
        assert connection.execute("SELECT value FROM kept ORDER BY value").fetchall() == [(1,), (2,)]
    data.release()


def test_postgres_roles_and_passwords(place: Path, started: Callable[..., Any]) -> None:
    data = DataFolder(place).hold()
    server = started(data, EmbeddedPostgres, fsync=False)
    with psycopg.connect(server.dsn("jasshaus_wallet")) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE SCHEMA mine")
    secret = data.secret("postgres/jasshaus_wallet")
    for wrong in ("wrong", data.secret("postgres/jasshaus_matchmaking")):
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(server.dsn("jasshaus_wallet").replace(secret, wrong))
    assert (place / "secrets.json").stat().st_mode & 0o077 == 0
    assert secret not in server.log_file.read_text()
    data.release()


@needs_root
def test_postgres_is_not_run_as_root(place: Path, started: Callable[..., Any]) -> None:
    data = DataFolder(place).hold()
    server = started(data, EmbeddedPostgres, fsync=False)
    assert Path(f"/proc/{server.pid}").stat().st_uid != 0
    data.release()


@pytest.mark.parametrize("kind", [EmbeddedRedis, EmbeddedPostgres])
def test_a_path_too_long_for_a_socket(place: Path, started: Callable[..., Any], kind: type[Any]) -> None:
    data = DataFolder(place / ("long-" * 30)).hold()
    server = started(data, kind)
    folder = server._sockets.path
    assert not folder.is_relative_to(data.path)
    assert folder.stat().st_mode & 0o077 == 0
    server.kill()
    server.start()
    assert server._sockets.path == folder, "clients must find it again"
    server.stop()
    assert not folder.exists()
    data.release()


def test_two_stacks_on_one_folder(place: Path) -> None:
    data = DataFolder(place).hold()
    with pytest.raises(EmbeddedError, match=rf"in use by another stack \(process {os.getpid()}\)"):
        DataFolder(place).hold()
    data.release()
    DataFolder(place).hold().release()


def test_a_folder_with_other_files_is_left_alone(place: Path) -> None:
    (place / "thesis.txt").write_text("mine")
    (place / "secrets.json").write_text("mine, too")
    with pytest.raises(EmbeddedError, match="contains other files"):
        DataFolder(place).hold()
    assert {path.name for path in place.iterdir()} == {"thesis.txt", "secrets.json"}


@pytest.mark.parametrize("left", [["lock"], ["lock", "secrets.json.new"], ["lost+found"]])
def test_a_folder_whose_making_was_cut_short_is_taken(place: Path, left: list[str]) -> None:
    for name in left:
        (place / name).touch()
    DataFolder(place).hold().release()
    (place / "notes").touch()
    DataFolder(place).hold().release()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/proc/nope", "no such file or directory"),
        ("/dev/null/x", "not a directory"),
        ("/dev/null", "not a directory"),
        ("/sys/nope", ""),
    ],
)
def test_a_folder_that_cannot_be_written_is_refused(path: str, reason: str) -> None:
    with pytest.raises(EmbeddedError, match=f"{path} cannot be a data directory: {reason}"):
        DataFolder(Path(path)).hold()


def hold_and_kill(place: Path, *, death_signals: bool) -> list[int]:
    """Start both servers in another process and kill -9 that one; returns the servers' process ids."""
    command = [sys.executable, "-c", HOLDER, str(place), "1" if death_signals else "0"]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as holder:
        assert holder.stdout is not None
        pids = [int(pid) for pid in holder.stdout.readline().split()]
        holder.kill()
    assert len(pids) == 2
    return pids


def test_kill_9_of_the_parent_takes_the_servers_along(place: Path) -> None:
    pids = hold_and_kill(place, death_signals=True)
    deadline = time.monotonic() + 5
    while any(start_time(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [start_time(pid) for pid in pids] == [None, None]


def test_what_a_crashed_run_left_is_ended_and_its_data_kept(place: Path, started: Callable[..., Any]) -> None:
    pids = hold_and_kill(place, death_signals=False)
    assert all(start_time(pid) for pid in pids), (
        "still there, as after a crash that death signals did not reach"
    )
    data = DataFolder(place).hold()
    store, database = started(data, EmbeddedRedis), started(data, EmbeddedPostgres, fsync=False)
    assert [start_time(pid) for pid in pids] == [None, None]
    put(store, "again")
    with psycopg.connect(database.dsn()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    data.release()


def test_a_postgres_known_only_by_its_own_pid_file(place: Path, started: Callable[..., Any]) -> None:
    pids = hold_and_kill(place, death_signals=False)
    for record in (place / "postgres-process.json", place / "redis" / "process.json"):
        assert record.exists()
    (place / "postgres-process.json").unlink()
    data = DataFolder(place).hold()
    started(data, EmbeddedPostgres, fsync=False)
    assert start_time(pids[1]) is None
    end_leftover(place / "redis" / "process.json", signal.SIGKILL)
    data.release()


def test_a_record_of_somebody_elses_process_ends_nothing(place: Path) -> None:
    log, record = place / "log", place / "record"
    child = spawn(["/bin/sleep", "60"], record=record, log_file=log, environ={}, death_signal=signal.SIGKILL)
    deadline = time.monotonic() + 5
    while command_line(child.pid)[0] != "/bin/sleep" and time.monotonic() < deadline:
        time.sleep(0.01)
    original = record.read_text()
    start = start_time(child.pid)
    for other in (
        original.replace(f'"start": {start}', '"start": 1'),
        original.replace("/bin/sleep", "/bin/other"),
        "nonsense",
        "{}",
    ):
        record.write_text(other)
        assert not end_leftover(record, signal.SIGTERM)
        assert child.poll() is None
        assert not record.exists()
    record.write_text(original)
    assert end_leftover(record, signal.SIGTERM)
    assert child.wait() == -signal.SIGTERM


def test_a_server_starts_with_no_signal_ignored_or_blocked(place: Path) -> None:
    """Whatever we were started with: by signals we stop it."""
    numbers = (signal.SIGHUP, signal.SIGUSR1)
    before = [signal.signal(number, signal.SIG_IGN) for number in numbers]
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
    try:
        child = spawn(
            ["/bin/cat", "/proc/self/status"],
            record=place / "record",
            log_file=place / "log",
            environ={},
            death_signal=signal.SIGKILL,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    assert child.wait() == 0
    status = dict(line.split(":\t", 1) for line in (place / "log").read_text().splitlines() if ":\t" in line)
    # The C library keeps some to itself: no process can set those, however it was started.
    ours = sum(1 << number - 1 for number in signal.valid_signals())
    assert (int(status["SigBlk"], 16) & ours, int(status["SigIgn"], 16) & ours) == (0, 0)


def test_a_thread_cannot_start_what_would_die_with_it(place: Path) -> None:
    data = DataFolder(place).hold()
    with ThreadPoolExecutor(1) as pool, pytest.raises(EmbeddedError, match="main thread"):
        pool.submit(EmbeddedRedis(data).start).result()
    data.release()


def test_a_server_that_cannot_start_says_why(place: Path, started: Callable[..., Any]) -> None:
    data = DataFolder(place).hold()
    server = EmbeddedRedis(data)
    (data.folder("redis") / "appendonlydir").write_text("in the way")
    with pytest.raises(EmbeddedError, match=r"redis\.log ends with"):
        server.start()
    assert server.pid is None
    data.release()


@needs_root
def test_as_root_with_a_checkout_and_a_data_folder_that_only_root_can_reach(
    place: Path, started: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    packages = closed / "site-packages"
    packages.symlink_to(install._site_packages())
    reachable = place / "reachable"
    reachable.mkdir(mode=0o755)
    reachable.chmod(0o755)
    monkeypatch.setattr(install, "_site_packages", lambda: packages)
    monkeypatch.setattr(install, "_reachable_root", lambda _user: reachable)
    data = DataFolder(closed / "data").hold()
    server = started(data, EmbeddedPostgres, fsync=False)
    with psycopg.connect(server.dsn()) as connection:
        connection.execute("CREATE TABLE kept (value int)")
    assert command_line(server.pid)[0].startswith(str(reachable))
    assert closed.stat().st_mode & 0o777 == 0o700, "nobody's permissions were changed"
    elsewhere = Path((data.path / "postgres-is-at").read_text().strip())
    assert elsewhere.is_relative_to(reachable)
    server.stop()
    again = started(data, EmbeddedPostgres, fsync=False)
    with psycopg.connect(again.dsn()) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)
    assert len(list(reachable.glob("data-*"))) == 1
    data.release()
