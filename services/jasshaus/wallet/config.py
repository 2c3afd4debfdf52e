"""The wallet's configuration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from jasshaus.platform.config import PlatformConfig, integer, postgres_dsn, setting

_MAX_FEE: Final = 1_000_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WalletConfig(PlatformConfig):
    """The platform's settings, the ledger's database, and the initial fees of an empty database."""

    postgres_dsn: str = setting("JASSHAUS_POSTGRES_DSN", postgres_dsn, secret=True)
    postgres_connections: int = setting("JASSHAUS_POSTGRES_CONNECTIONS", integer(1, 1000), default=10)
    fee_bps: int = setting("JASSHAUS_FEE_BPS", integer(0, 10_000), default=250)
    fee_min: int = setting("JASSHAUS_FEE_MIN", integer(0, _MAX_FEE), default=0)
    fee_max: int | None = setting("JASSHAUS_FEE_MAX", integer(0, _MAX_FEE), default=None)

    def problems(self) -> Iterator[str]:
        """Yield problems with combinations of fields."""
        # No zero-argument super(): a slotted dataclass is not the class in which its methods were defined.
        yield from PlatformConfig.problems(self)
        if self.fee_max is not None and self.fee_max < self.fee_min:
            yield f"JASSHAUS_FEE_MAX ({self.fee_max}) must not be below JASSHAUS_FEE_MIN ({self.fee_min})"
