"""Writes the baseline of a release: `python tests/upgrade/baseline.py tests/upgrade/released/0.2.0`.

`records/`: golden records, all contracts, and the formats read. `state/`: PostgreSQL and
Redis of a stack in the middle of its work. `make release` runs it; nothing else changes these files.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from upgrade import golden, stores
from upgrade.running import Crew, busy_stack, plan


def write_records(folder: Path) -> None:
    """Write the golden records and what they are read by."""
    lines = [record.line() for record in golden.records()]
    (folder / "records.jsonl").write_text("\n".join(lines) + "\n")
    root, image = Path(__file__).parents[2], str((folder / "contracts.binpb").absolute())
    buf = Path(sys.executable).with_name("buf")
    subprocess.run([buf, "build", "--exclude-source-info", "--output", image], check=True, cwd=root)
    (folder / "formats.json").write_text(json.dumps(golden.FORMATS) + "\n")


async def write_state(folder: Path) -> None:
    """Bring a stack into the middle of its work, end its services, and write what is stored then."""
    async with busy_stack() as stack:
        async with Crew(stack) as crew:
            games = await plan(crew)
        for name in ("matchmaking", "table-0", "wallet"):
            await stack.processes[name].terminate()
        stores.mark_taken(folder)
        stores.dump_postgres(stack.dsn(), folder)
        stores.dump_redis(stack.redis_url, folder)
    (folder / "games.json").write_text(json.dumps(games, indent=1) + "\n")


def main(target: str) -> None:
    """Write everything anew."""
    folder = Path(target)
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("records", "state"):
        (folder / part).mkdir(parents=True)
    write_records(folder / "records")
    asyncio.run(write_state(folder / "state"))


if __name__ == "__main__":
    main(sys.argv[1])
