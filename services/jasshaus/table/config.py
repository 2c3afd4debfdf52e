"""The table service's configuration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jasshaus.platform.config import PlatformConfig, grpc_target, integer, redis_url, seconds, setting
from jasshaus.table.table import Pace

_DAY = 86_400
_HOUR = 3_600


@dataclass(frozen=True, slots=True, kw_only=True)
class Config(PlatformConfig):
    """Settings of the table service beside the platform's. The pace is pinned for a match when it starts."""

    redis_url: str = setting("JASSHAUS_REDIS_URL", redis_url, secret=True)
    wallet_address: str = setting("JASSHAUS_WALLET_ADDRESS", grpc_target)
    matchmaking_address: str = setting("JASSHAUS_MATCHMAKING_ADDRESS", grpc_target)
    turn_seconds: float = setting("JASSHAUS_TURN_SECONDS", seconds(0, _HOUR), default=30.0)
    weis_seconds: float = setting("JASSHAUS_WEIS_SECONDS", seconds(0, _HOUR), default=15.0)
    away_seconds: float = setting("JASSHAUS_AWAY_SECONDS", seconds(0, _HOUR), default=1.0)
    away_after: int = setting("JASSHAUS_AWAY_AFTER", integer(1, 1000), default=2)
    lead_pause: float = setting("JASSHAUS_LEAD_PAUSE", seconds(0, 60), default=1.5)
    trick_pause: float = setting("JASSHAUS_TRICK_PAUSE", seconds(0, 60), default=1.5)
    idle_limit: float = setting("JASSHAUS_IDLE_LIMIT", seconds(1, 7 * _DAY), default=900.0)
    table_ttl: float = setting("JASSHAUS_TABLE_TTL", seconds(1, 30 * _DAY), default=float(_DAY))
    restore_window: int = setting("JASSHAUS_RESTORE_WINDOW", integer(_HOUR, 90 * _DAY), default=14 * _DAY)
    row_check: float = setting("JASSHAUS_ROW_CHECK", seconds(1, _DAY), default=300.0)

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with fields taken together."""
        # No zero-argument super(): a slotted dataclass is not the class that its methods were made in.
        yield from PlatformConfig.problems(self)
        if self.restore_window < self.table_ttl:
            yield "JASSHAUS_RESTORE_WINDOW must not be less than JASSHAUS_TABLE_TTL"
        pause = max(self.lead_pause, self.trick_pause)
        for name, limit in (
            ("TURN_SECONDS", self.turn_seconds),
            ("WEIS_SECONDS", self.weis_seconds),
            ("AWAY_SECONDS", self.away_seconds),
        ):
            # A player who loses would wait for the end of the table, and have the stake back.
            if limit and limit + pause >= self.idle_limit:
                yield f"JASSHAUS_{name}, with the pause after a trick, must be less than JASSHAUS_IDLE_LIMIT"

    @property
    def result_kept(self) -> int:
        """How long a result record is kept, in milliseconds."""
        return _milliseconds(self.restore_window)

    @property
    def pace(self) -> Pace:
        """The pace of tables that start now."""
        return Pace(
            turn=_milliseconds(self.turn_seconds),
            weis=_milliseconds(self.weis_seconds),
            away=_milliseconds(self.away_seconds),
            away_after=self.away_after,
            lead_pause=_milliseconds(self.lead_pause),
            trick_pause=_milliseconds(self.trick_pause),
            idle_limit=_milliseconds(self.idle_limit),
            keep=_milliseconds(self.table_ttl),
        )


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
