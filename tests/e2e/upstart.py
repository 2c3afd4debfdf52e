"""Runs the `jasshaus` command as a person does, and sees what it leaves behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

START_SECONDS = 60
JASSHAUS = (sys.executable, "-m", "jasshaus.cli")


def environ(temporary: Path | None = None) -> dict[str, str]:
    """The environment without what is set for real servers, with a folder for temporary files."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JASSHAUS_")}
    return kept if temporary is None else {**kept, "TMPDIR": str(temporary)}


def new_folder() -> Path:
    """A data folder that PostgreSQL's own user can reach, which pytest's are not when it runs as root."""
    folder = Path(tempfile.mkdtemp(prefix="jasshaus-e2e-"))
    folder.chmod(0o711)
    return folder


class Up:
    """`jasshaus up` with a data folder."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.text = ""
        self.process = subprocess.Popen(
            [*JASSHAUS, "up", "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environ(),
            start_new_session=True,
        )

    def wait_until_up(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.text += line
            if "Ctrl-C" in line:
                return
        raise AssertionError(self.text)

    @property
    def endpoints(self) -> dict[str, str]:
        found = re.findall(r"^  (matchmaking|table|wallet) +(127\.0\.0\.1:\d+)", self.text, re.MULTILINE)
        return dict(found)

    @property
    def tokens(self) -> dict[str, str]:
        return dict(re.findall(r"^  (\w+) +(ey\S+)$", self.text, re.MULTILINE))

    @property
    def one_line(self) -> str:
        found = re.search(r"^  (for .*)$", self.text, re.MULTILINE)
        assert found, self.text
        return found[1]

    def send(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code; reads what is printed until the end."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=60)
        self.text += rest
        return self.process.returncode


def descendants(pid: int) -> dict[int, str]:
    """All processes below one, with the time each began, by which a pid that is used again is told apart."""
    parents = {}
    began = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents[int(folder.name)] = int(fields[1])
            began[int(folder.name)] = fields[19]

    def below(pid: int) -> Iterator[int]:
        for child, parent in parents.items():
            if parent == pid:
                yield child
                yield from below(child)

    return {child: began[child] for child in below(pid)}


def still_there(processes: Mapping[int, str], *, patience: float = 5) -> list[str]:
    """The command lines of those that still run after a while."""
    give_up = time.monotonic() + patience
    while True:
        left = []
        for pid, began in processes.items():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
            except OSError:
                continue
            if fields[0] != "Z" and fields[19] == began:
                left.append(command)
        if not left or time.monotonic() > give_up:
            return left
        time.sleep(0.1)


def unix_sockets(below: Path) -> list[str]:
    """Paths of the unix sockets below a folder, those without a file any more included."""
    paths = [line.split()[-1] for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    return [path for path in paths if path.startswith(f"{below}/")] + [
        str(path) for path in below.rglob("*") if path.is_socket()
    ]
