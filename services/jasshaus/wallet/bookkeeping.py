"""Runs the wallet's background work: roll-ups, retention, and watching the ledger's position and sums."""

from __future__ import annotations

import time
from typing import Final

import structlog

from jasshaus.platform.errors import Fault
from jasshaus.platform.stopping import Stopping
from jasshaus.wallet.ledger import Ledger
from jasshaus.wallet.metrics import WalletMetrics

_ROLL_UP_SECONDS: Final = 1.0
_BATCH: Final = 1000
_WATCH_SECONDS: Final = 15.0
_STAND_SECONDS: Final = 2.0
_REMOVE_SECONDS: Final = 60.0
_REMOVE_BATCH: Final = 200
_PAUSE_SECONDS: Final = 0.2

RETENTION_DAYS: Final = 30
"""How long a pot without any money movement is kept."""

log = structlog.stdlib.get_logger(__name__)


class Bookkeeping:
    """The loops of one process; any number of processes may run them on one database."""

    def __init__(self, ledger: Ledger, metrics: WalletMetrics) -> None:
        self._ledger = ledger
        self._metrics = metrics
        self._told = 0

    async def keep_rolling_up(self, stopping: Stopping) -> None:
        """Roll up every second, until nothing is pending."""
        while not await stopping.sleep(_ROLL_UP_SECONDS):
            try:
                while await self.roll_up() == _BATCH and not stopping.is_set():
                    continue
            except Fault as fault:
                log.warning("roll_up_postponed", reason=fault.reason)

    async def keep_watching(self, stopping: Stopping) -> None:
        """Compute the imbalance every few seconds, starting immediately."""
        while True:
            try:
                await self.watch()
            except Fault as fault:
                log.warning("imbalance_unknown", reason=fault.reason)
            if await stopping.sleep(_WATCH_SECONDS):
                return

    async def keep_standing(self, stopping: Stopping) -> None:
        """Check every two seconds whether the database went back in time, starting immediately."""
        while True:
            try:
                await self.stand()
            except Fault as fault:
                log.warning("standing_unknown", reason=fault.reason)
            if await stopping.sleep(_STAND_SECONDS):
                return

    async def stand(self) -> None:
        """Compare the ledger's position with the one this process has seen, once."""
        _, recovery = await self._ledger.stand()
        if recovery is not None and recovery.recovery_id != self._told:
            self._told = recovery.recovery_id
            log.error("ledger_recovering", recovery=recovery.recovery_id, cause=recovery.cause)
        self._metrics.recovering.set(recovery is not None)

    async def keep_removing(self, stopping: Stopping) -> None:
        """Remove pots without any money movement every minute, a few at a time."""
        while not await stopping.sleep(_REMOVE_SECONDS):
            try:
                while await self.remove() == _REMOVE_BATCH and not await stopping.sleep(_PAUSE_SECONDS):
                    continue
            except Fault as fault:
                log.warning("removal_postponed", reason=fault.reason)

    async def remove(self) -> int:
        """Check one batch of old pots; return how many there were."""
        looked, removed = await self._ledger.remove_unused_pots(RETENTION_DAYS, _REMOVE_BATCH)
        self._metrics.removed_pots.inc(removed)
        return looked

    async def roll_up(self) -> int:
        """Roll up one batch; return how many entries it had."""
        rolled = await self._ledger.roll_up(_BATCH)
        self._metrics.rolled_up.inc(rolled)
        return rolled

    async def watch(self) -> None:
        """Compute the imbalance and the related counts, once."""
        watched = await self._ledger.watched()
        self._metrics.imbalance.set(watched.imbalance)
        self._metrics.pending_roll_up.set(watched.pending)
        self._metrics.stale_pots.set(watched.stale_pots)
        self._metrics.recoveries.set(watched.recoveries)
        self._metrics.repaired_pots.set(watched.repaired)
        self._metrics.unmatched_tables.set(watched.unmatched)
        self._metrics.open_since_restore.set(watched.open_since_restore)
        self._metrics.imbalance_checked.set(time.time())
        if watched.imbalance:
            log.error("ledger_unbalanced", minor_units=watched.imbalance)
