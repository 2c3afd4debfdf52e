"""Child processes that never outlive their parent and are found again after a crash."""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

_LAUNCHER: Final = str(Path(__file__).with_name("launcher.py"))
_POLL_SECONDS: Final = 0.01
_KILL_SECONDS: Final = 5.0

log = structlog.stdlib.get_logger(__name__)


class EmbeddedError(Exception):
    """The embedded stack cannot start; the message gives the cause and a remedy."""


@dataclass(frozen=True, slots=True)
class User:
    """An existing account that servers run as when we are root."""

    uid: int
    gid: int
    name: str

    def can(self, access: str, path: Path) -> bool:
        """Whether this user can access `path`: `access` is one of test(1)'s r, w, x."""
        return run_as(self, ["/bin/sh", "-c", f'test -{access} "$1"', "sh", str(path)], {}) is None


def unprivileged_user() -> User | None:
    """Return the account to run as instead of root; None if we are not root."""
    if os.geteuid() != 0:
        return None
    for name in ("nobody", "postgres", "daemon"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return User(entry.pw_uid, entry.pw_gid, name)
    raise EmbeddedError(
        "running as root, and none of the accounts nobody, postgres, daemon exists to run PostgreSQL as"
    )


def run_as(user: User | None, command: Sequence[str], environ: Mapping[str, str]) -> str | None:
    """Run a short command to completion, as that user; return None, or its output if it failed.

    It gets its own session: Ctrl-C reaches only us, and we clean up after it.
    """
    # Not with subprocess's own `user=`: that is a real fork, in which gRPC's threads can crash the child.
    account = ("-1", "-1") if user is None else (str(user.uid), str(user.gid))
    launch = [sys.executable, "-I", "-S", _LAUNCHER, str(os.getpid()), str(int(signal.SIGKILL)), *account]
    done = subprocess.run(  # noqa: S603 - our own command
        [*launch, *command],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=dict(environ),
        cwd="/",
        start_new_session=True,
    )
    return done.stdout if done.returncode else None


def spawn(
    command: Sequence[str],
    *,
    record: Path,
    log_file: Path,
    environ: Mapping[str, str],
    death_signal: signal.Signals,
    user: User | None = None,
    cwd: Path = Path("/"),
) -> subprocess.Popen[bytes]:
    """Start `command` (its first item an absolute path) in its own session, out of reach of Ctrl-C.

    The kernel sends it `death_signal` when the thread that started it ends, hence the main thread only.
    `record` lets a later run find it, see `end_leftover`. Output is appended to `log_file`.
    """
    if threading.current_thread() is not threading.main_thread():
        raise EmbeddedError(
            "start servers from the main thread: a child dies with the thread that started it"
        )
    launch = [sys.executable, "-I", "-S", _LAUNCHER, str(os.getpid()), str(int(death_signal))]
    account = ["-1", "-1"] if user is None else [str(user.uid), str(user.gid)]
    with log_file.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [*launch, *account, *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=dict(environ),
            cwd=cwd,
            start_new_session=True,
        )
    # The start time is kept across the launcher's exec; the command line is the final one's.
    entry = {"pid": process.pid, "start": start_time(process.pid), "command": command[0]}
    draft = record.with_name(record.name + ".new")
    draft.write_text(json.dumps(entry))
    draft.replace(record)
    return process


def end_leftover(record: Path, stop: signal.Signals) -> bool:
    """End the process recorded by an earlier, crashed run, if it is still the same one.

    Returns whether it was.
    """
    try:
        entry = json.loads(record.read_text())
        pid, start, command = int(entry["pid"]), entry["start"], str(entry["command"])
    except FileNotFoundError:
        return False
    except (OSError, ValueError, KeyError, TypeError):
        record.unlink(missing_ok=True)
        return False
    # A reused pid has another start time. A start time in ticks since boot may recur after a reboot; together
    # with the same command this is unlikely.
    alive = start is not None and start_time(pid) == start and command_line(pid)[:1] == [command]
    if alive:
        log.warning("ending_leftover", pid=pid, command=command)
        end(pid, stop, lambda: start_time(pid) == start)
    record.unlink(missing_ok=True)
    return alive


def end(pid: int, stop: signal.Signals, alive: Callable[[], bool], grace: float = _KILL_SECONDS) -> None:
    """Send `stop`, and SIGKILL if it has not exited after `grace` seconds."""
    for number in (stop, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        deadline = time.monotonic() + grace
        while time.monotonic() < deadline:
            if not alive():
                return
            time.sleep(_POLL_SECONDS)
    raise EmbeddedError(f"process {pid} does not exit")


def stop_process(process: subprocess.Popen[bytes], stop: signal.Signals, grace: float) -> None:
    """Stop our own child, by force after `grace` seconds, and reap it."""
    if process.poll() is None:
        end(process.pid, stop, lambda: process.poll() is None, grace)
    process.wait()


def start_time(pid: int) -> int | None:
    """Return when the process began, in clock ticks since boot.

    None if there is none (zombies count as none).
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    # The second field, the name, may contain spaces and brackets.
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] == "Z" else int(fields[19])


def command_line(pid: int) -> list[str]:
    """Return the arguments of a process; empty when there is none."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").rstrip("\0").split("\0")
    except OSError:
        return []


def tail(path: Path, lines: int = 20) -> str:
    """Return the last lines of a log, for an error message."""
    try:
        return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
