"""Runs the matchmaking service; wiring only."""

from __future__ import annotations

from jasshaus.matchmaking.config import Config
from jasshaus.matchmaking.saga import store_fault
from jasshaus.matchmaking.servicer import SERVICES
from jasshaus.matchmaking.wiring import assemble, edges
from jasshaus.platform.postgres import Heartbeat
from jasshaus.platform.server import launch, serve
from jasshaus.platform.stopping import Stopping


async def main(config: Config) -> None:
    """Open what it stands on, serve, drain."""
    stopping = Stopping()
    async with edges(config) as edge, Heartbeat(config.postgres_dsn, "matchmaking") as heartbeat:
        parts = assemble(config, edge, stopping)
        await serve(
            "matchmaking",
            config,
            parts.register,
            services=SERVICES,
            background=(parts.reconciler.run, parts.feed.run, parts.work.drain),
            preparations={"games": edge.store.ping},
            dependencies={"postgres": heartbeat, "redis": edge.lobby.ping, **edge.tokens},
            translate=store_fault,
            stopping=stopping,
        )


if __name__ == "__main__":
    launch("matchmaking", Config, main)
