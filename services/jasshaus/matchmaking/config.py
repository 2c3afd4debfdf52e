"""Matchmaking's configuration."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from jasshaus.platform.config import (
    PlatformConfig,
    grpc_target,
    integer,
    postgres_dsn,
    redis_url,
    seconds,
    setting,
)
from jasshaus.rules.core.options import PRESETS

_CURRENCY: Final = re.compile(r"[A-Z][A-Z0-9]{2,7}")
_MAX_STAKE: Final = 1_000_000_000_000
_MAX_STAKES: Final = 100
_ALL_PRESETS: Final = (
    "schieber-partner",
    "schieber-classic",
    "schieber-3000",
    "differenzler-classic",
    "differenzler-swisslos",
)


def _currency(text: str) -> str:
    if not _CURRENCY.fullmatch(text):
        raise ValueError("must be 3 to 8 upper-case letters and digits, the first a letter")
    return text


def _stakes(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if text == "none":
        return ()
    if (
        not all(part.isdecimal() and 1 <= int(part) <= _MAX_STAKE for part in parts)
        or len(parts) > _MAX_STAKES
    ):
        raise ValueError(
            f"must be none, or at most {_MAX_STAKES} numbers from 1 to {_MAX_STAKE}, separated by commas"
        )
    return tuple(sorted({int(part) for part in parts}))


def _presets(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    if not set(names) <= PRESETS.keys():
        raise ValueError(f"must be some of {', '.join(PRESETS)}, separated by commas")
    return names


@dataclass(frozen=True, slots=True, kw_only=True)
class Config(PlatformConfig):
    """Settings of matchmaking in addition to the platform's."""

    postgres_dsn: str = setting("JASSHAUS_POSTGRES_DSN", postgres_dsn, secret=True)
    redis_url: str = setting("JASSHAUS_REDIS_URL", redis_url, secret=True)
    wallet_address: str = setting("JASSHAUS_WALLET_ADDRESS", grpc_target)
    table_address: str = setting("JASSHAUS_TABLE_ADDRESS", grpc_target)
    currency: str = setting("JASSHAUS_CURRENCY", _currency, default="CHF")
    stakes: tuple[int, ...] = setting("JASSHAUS_STAKES", _stakes, default=(100, 200, 500, 1000, 2000, 5000))
    presets: tuple[str, ...] = setting("JASSHAUS_PRESETS", _presets, default=_ALL_PRESETS)
    """Presets offered, the recommended one first."""
    max_games: int = setting("JASSHAUS_MAX_GAMES", integer(1, 1000), default=4)
    game_ttl: float = setting("JASSHAUS_GAME_TTL", seconds(1, 7 * 86_400), default=1800.0)
    lobby_burst: int = setting("JASSHAUS_LOBBY_BURST", integer(1, 10_000), default=20)
    lobby_refill: float = setting("JASSHAUS_LOBBY_REFILL", seconds(0, 3600), default=10.0)
    """Per player, games opened, games left and stakes refused: burst, then seconds until one more."""
    reservation_ttl: float = setting("JASSHAUS_RESERVATION_TTL", seconds(0.1, 600), default=15.0)
    lost_table_grace: float = setting("JASSHAUS_LOST_TABLE_GRACE", seconds(0, 86_400), default=120.0)
    pot_check: float = setting("JASSHAUS_POT_CHECK", seconds(0, 3600), default=30.0)
    """How often all open and locked pots are compared with games."""
    pool_size: int = setting("JASSHAUS_POSTGRES_CONNECTIONS", integer(2, 200), default=10)
