"""Runs the table service: `python -m jasshaus.table`; in development `--seed N` deals the same cards."""

from __future__ import annotations

import argparse
import sys
from typing import Final

import structlog

from jasshaus.platform.channel import Peer
from jasshaus.platform.config import ConfigError
from jasshaus.platform.server import launch, serve
from jasshaus.table.config import Config
from jasshaus.table.entropy import Draw, from_seed, from_system
from jasshaus.table.memory import collect_rarely
from jasshaus.table.servicer import translate
from jasshaus.table.wiring import Rhythm, wired

SERVICE: Final = "jasshaus.api.table.v1.TableService"

log = structlog.stdlib.get_logger(__name__)


async def start(config: Config, seed: int | None = None) -> None:
    """Open what the service stands on, serve until told to stop, close it."""
    collect_rarely()
    async with (
        Peer("wallet", config.wallet_address, config) as wallet,
        Peer("matchmaking", config.matchmaking_address, config) as matchmaking,
        wired(
            config.redis_url,
            wallet.channel,
            matchmaking.channel,
            draw=_draw(config, seed),
            pace=config.pace,
            rhythm=Rhythm(row_check=config.row_check),
            result_kept=config.result_kept,
        ) as parts,
    ):
        await serve(
            "table",
            config,
            parts.register,
            services=[SERVICE],
            # Tables play on whatever becomes of the token: results wait for a new one.
            background=[*parts.loops, wallet.watch_token, matchmaking.watch_token],
            dependencies={"redis": parts.store.ping},
            translate=translate,
        )


def _draw(config: Config, seed: int | None) -> Draw:
    if seed is None:
        return from_system
    if not config.development:
        raise ConfigError(["--seed is for JASSHAUS_MODE=development only: anybody could know the cards"])
    log.warning("dealing_from_a_seed")
    return from_seed(seed)


def main() -> None:
    """Run the table service."""
    parser = argparse.ArgumentParser(prog="python -m jasshaus.table", description=__doc__)
    parser.add_argument("--seed", type=int, help="deal the same cards again (development mode only)")
    seed = parser.parse_args(sys.argv[1:]).seed
    launch("table", Config, lambda config: start(config, seed))


if __name__ == "__main__":
    main()
