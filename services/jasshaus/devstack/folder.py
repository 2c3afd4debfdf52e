"""The data directory of an embedded stack: its lock, secrets and sockets."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import Final, Self

from jasshaus.devstack.process import EmbeddedError, User

_MAX_SOCKET_PATH_BYTES: Final = 107
_SECRET_BYTES: Final = 32
_LOCK: Final = "lock"
_SECRETS: Final = "secrets.json"
# What hold() creates, its draft if it was killed, and what a fresh volume contains.
_BEGINNING: Final = frozenset({_LOCK, f"{_SECRETS}.new", "lost+found"})


class DataFolder:
    """A directory held by one process at a time.

    A second process is refused, whatever has become of the first one's records.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: int | None = None

    def hold(self) -> Self:
        """Create the directory if needed and lock it.

        Raises EmbeddedError if it is not writable, contains unrelated files, or is in use; the message then
        names the process that holds it.
        """
        try:
            self._take()
            # Marks the directory as ours for the next start.
            self.secret("tokens")
        except OSError as error:
            self.release()
            reason = (error.strerror or str(error)).lower()
            raise EmbeddedError(f"{self.path} cannot be a data directory: {reason}") from error
        return self

    def _take(self) -> None:
        if not self.path.exists():
            # As root, servers run as another user, who must be able to enter. The contents are private.
            self.path.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True)
        names = {entry.name for entry in self.path.iterdir()}
        if not names <= _BEGINNING and not {_LOCK, _SECRETS} <= names:
            raise EmbeddedError(
                f"{self.path} contains other files; use an empty directory, or that of an earlier stack"
            )
        lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(lock, 32, 0).decode(errors="replace").strip() or "unknown"
            os.close(lock)
            raise EmbeddedError(
                f"{self.path} is in use by another stack (process {holder}); stop that one"
            ) from error
        self._lock = lock
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Release the directory; the next holder finds the file, but no lock."""
        if self._lock is not None:
            os.ftruncate(self._lock, 0)
            os.close(self._lock)
            self._lock = None

    def folder(self, name: str, *, mode: int = 0o700) -> Path:
        """Return a subdirectory, created if needed."""
        path = self.path / name
        path.mkdir(mode=mode, exist_ok=True)
        return path

    def secret(self, name: str) -> str:
        """Return a random secret that is constant for this directory; readable only by its owner."""
        path = self.path / _SECRETS
        known: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        if name not in known:
            known[name] = secrets.token_hex(_SECRET_BYTES)
            draft = self.path / f"{_SECRETS}.new"
            draft.unlink(missing_ok=True)
            with open(draft, "w", encoding="ascii", opener=_owner_only) as file:
                json.dump(known, file, indent=1)
            draft.replace(path)
        return known[name]


class SocketFolder:
    """Location of a server's unix socket.

    It is `preferred`, or a private temporary directory if that path is too long: the kernel allows 107
    bytes. `record`, a file in the data directory, remembers a temporary one for the next run.
    """

    def __init__(self, preferred: Path, record: Path, socket_name: str, user: User | None) -> None:
        self._preferred = preferred
        self._record = record
        self._name = socket_name
        self._user = user
        self._created = False
        self.path = preferred

    def create(self) -> Path:
        """Return the directory, empty; the same one after a restart, so that clients find it."""
        if self._created and self.path.is_dir():
            for left in self.path.iterdir():
                left.unlink()
            return self.path
        self.remove()
        if fits(self._preferred / self._name):
            self.path = self._preferred
            self.path.mkdir(mode=0o700, exist_ok=True)
        else:
            self.path = _short_temporary(self._name)
            self._record.write_text(str(self.path))
        if self._user is not None:
            os.chown(self.path, self._user.uid, self._user.gid)
        self._created = True
        return self.path

    def remove(self) -> None:
        """Remove it, and one left by an earlier run."""
        self._created = False
        shutil.rmtree(self._preferred, ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            left = Path(self._record.read_text())
            if left.name.startswith("jasshaus-") and left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            self._record.unlink()


def fits(socket: Path) -> bool:
    """Whether the kernel accepts this path for a unix socket."""
    return len(os.fsencode(socket)) <= _MAX_SOCKET_PATH_BYTES


def _short_temporary(socket_name: str) -> Path:
    for parent in (tempfile.gettempdir(), "/tmp", "/var/tmp"):  # noqa: S108 - a private one in there
        with contextlib.suppress(OSError):
            path = Path(tempfile.mkdtemp(prefix="jasshaus-", dir=parent))
            if fits(path / socket_name):
                return path
            path.rmdir()
    raise EmbeddedError("no temporary directory has a path short enough for a unix socket")


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_EXCL, 0o600)
