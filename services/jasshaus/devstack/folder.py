"""The data folder of an embedded stack: its lock, its secrets, its sockets."""

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
# What hold() makes, a draft that it was killed over, and what a volume of its own begins with.
_BEGINNING: Final = frozenset({_LOCK, f"{_SECRETS}.new", "lost+found"})


class DataFolder:
    """A folder held by one process at a time.

    A second one is refused, whatever became of the first one's records.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._lock: int | None = None

    def hold(self) -> Self:
        """Create the folder if need be and take it.

        Raises EmbeddedError: it cannot be written, is full of somebody else's files, or is in use, which
        names the process that has it.
        """
        try:
            self._take()
            # By this the folder is known as ours the next time.
            self.secret("tokens")
        except OSError as error:
            self.release()
            reason = (error.strerror or str(error)).lower()
            raise EmbeddedError(f"{self.path} cannot be a data folder: {reason}") from error
        return self

    def _take(self) -> None:
        if not self.path.exists():
            # Root's servers run as somebody else, who must get through. What is inside is closed.
            self.path.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True)
        names = {entry.name for entry in self.path.iterdir()}
        if not names <= _BEGINNING and not {_LOCK, _SECRETS} <= names:
            raise EmbeddedError(
                f"{self.path} holds other files; a data folder is empty at first, or an earlier stack's"
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
        """Let go of the folder; the next holder finds the file, not the lock."""
        if self._lock is not None:
            os.ftruncate(self._lock, 0)
            os.close(self._lock)
            self._lock = None

    def folder(self, name: str, *, mode: int = 0o700) -> Path:
        """Return a folder inside, created if need be."""
        path = self.path / name
        path.mkdir(mode=mode, exist_ok=True)
        return path

    def secret(self, name: str) -> str:
        """Return a random secret that stays the same for this folder; readable by its owner only."""
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
    """Where a server's unix socket lies.

    It is `preferred`, or a private temporary folder when that path is too long. The kernel allows 107
    bytes. `record`, a file in the data folder, remembers a temporary one for the next run.
    """

    def __init__(self, preferred: Path, record: Path, socket_name: str, user: User | None) -> None:
        self._preferred = preferred
        self._record = record
        self._name = socket_name
        self._user = user
        self._created = False
        self.path = preferred

    def create(self) -> Path:
        """Return the folder, empty; the same one again when the server restarts, so that clients find it."""
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
        """Remove it, and one that an earlier run left."""
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
    raise EmbeddedError("no temporary folder with a path short enough for a unix socket")


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_EXCL, 0o600)
