"""The catalog: presets with their options, and stakes with fee and payout."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import grpc

from jasshaus.api.common.v1 import rules_pb2
from jasshaus.contracts.rules import overrides_from_proto, variant_to_proto
from jasshaus.matchmaking.domain import Quote
from jasshaus.platform.errors import Fault, invalid_argument
from jasshaus.rules.core.options import PRESETS, OptionError, RuleSet, rule_set

_QUOTES_SECONDS: Final = 5.0
_PATIENCE_SECONDS: Final = 0.3
"""How long the first caller waits for quotes newer than the known ones, which arrive in any case."""

AskQuotes = Callable[[str, str, Sequence[int]], Awaitable[tuple[Quote, ...]]]


class Catalog:
    """The operator's choice. Quotes come from the wallet, fetched per tenant at most every few seconds."""

    def __init__(
        self, presets: tuple[str, ...], currency: str, stakes: tuple[int, ...], ask: AskQuotes
    ) -> None:
        self.presets = presets
        self.currency = currency
        self.stakes = stakes
        self._ask = ask
        self._quotes: dict[str, tuple[float, tuple[Quote, ...]]] = {}
        self._asking: dict[str, asyncio.Task[tuple[Quote, ...]]] = {}

    async def quotes(self, tenant: str) -> tuple[Quote, ...]:
        """Return the stakes' quotes. While the wallet is down or slow, the last known ones."""
        if not self.stakes:
            return ()
        asked_at, known = self._quotes.get(tenant, (float("-inf"), None))
        asking = self._asking.get(tenant)
        if known is not None and (asking or time.monotonic() - asked_at <= _QUOTES_SECONDS):
            return known
        if asking is None:
            asking = asyncio.create_task(self._renew(tenant, known))
            self._asking[tenant] = asking
        if known is None:
            return await asyncio.shield(asking)
        done, _ = await asyncio.wait({asking}, timeout=_PATIENCE_SECONDS)
        return asking.result() if done else known

    async def _renew(self, tenant: str, known: tuple[Quote, ...] | None) -> tuple[Quote, ...]:
        try:
            known = await self._ask(tenant, self.currency, self.stakes)
        except Fault:
            if known is None:
                raise
        finally:
            del self._asking[tenant]
        self._quotes[tenant] = (time.monotonic(), known)
        return known

    def rules(self, preset: str, overrides: rules_pb2.RuleSet) -> RuleSet:
        """Return a preset with other options. Raises PRESET_NOT_FOUND, OPTION_INVALID naming the fields."""
        if preset not in self.presets:
            raise invalid_argument("preset", f"must be one of {', '.join(self.presets)}", "PRESET_NOT_FOUND")
        base = PRESETS[preset]
        faults: list[tuple[str, str]] = []
        # The catalog's rule sets have both, and can be sent back unchanged.
        if overrides.preset not in ("", preset):
            faults.append(("preset", f"must be the game's, {preset}, or not set"))
        if overrides.variant not in (rules_pb2.VARIANT_UNSPECIFIED, variant_to_proto(base.variant)):
            faults.append(("variant", f"must be the preset's, {base.variant}, or not set"))
        rules = base
        try:
            rules = rule_set(preset, overrides_from_proto(overrides, base))
        except OptionError as error:
            faults += error.faults
        if faults:
            raise _option_fault(faults)
        return rules

    def check_stake(self, currency: str, stake: int) -> None:
        """Raise STAKE_NOT_OFFERED, listing the offers, for a stake that is neither 0 nor offered."""
        if stake == 0 or (currency == self.currency and stake in self.stakes):
            return
        offered = ",".join(map(str, self.stakes))
        text = f"must be one of {offered or 'none'} {self.currency} (minor units), or nothing"
        raise Fault(
            grpc.StatusCode.INVALID_ARGUMENT,
            "STAKE_NOT_OFFERED",
            f"stake: {text}",
            metadata={"offered": offered, "currency_code": self.currency},
            violations=(("stake", text),),
        )


def _option_fault(faults: Sequence[tuple[str, str]]) -> Fault:
    named = [(f"overrides.{field}", text) for field, text in faults]
    return Fault(
        grpc.StatusCode.INVALID_ARGUMENT,
        "OPTION_INVALID",
        "; ".join(f"{field}: {text}" for field, text in named),
        violations=named,
    )
