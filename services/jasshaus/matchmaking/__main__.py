"""Runs the matchmaking service; wiring only."""

from __future__ import annotations

from jasshaus.matchmaking.config import Config
from jasshaus.matchmaking.games.saga import store_fault
from jasshaus.matchmaking.servicer import SERVICES
from jasshaus.matchmaking.wiring import assemble, edges
from jasshaus.platform.migrations import require_schema
from jasshaus.platform.postgres import require_sessions
from jasshaus.platform.server import launch, serve
from jasshaus.platform.stopping import Stopping


async def main(config: Config) -> None:
    """Open connections, serve, drain."""
    stopping = Stopping()
    async with edges(config) as edge:
        parts = assemble(config, edge, stopping)
        await serve(
            "matchmaking",
            config,
            parts.register,
            services=SERVICES,
            background=(parts.reconciler.run, parts.feed.run, parts.retention.run, parts.work.drain),
            preparations={
                "schema": lambda: require_schema(config.postgres_dsn, "jasshaus.matchmaking"),
                "games": edge.store.ping,
                "sessions": lambda: require_sessions(config.postgres_dsn),
            },
            dependencies={"postgres": edge.pool.beat, "redis": edge.lobby.ping, **edge.tokens},
            translate=store_fault,
            stopping=stopping,
        )


if __name__ == "__main__":
    launch("matchmaking", Config, main)
