"""Owns what can be opened here: presets with their options, and stakes with what they turn into."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

import grpc

from jasshaus.matchmaking.domain import Quote
from jasshaus.platform.errors import Fault, invalid_argument
from jasshaus.rules.options import PRESETS, OptionError, RuleSet, rule_set

_QUOTES_SECONDS: Final = 5.0

AskQuotes = Callable[[str, str, Sequence[int]], Awaitable[tuple[Quote, ...]]]


class Catalog:
    """The operator's choice. Quotes are the wallet's, asked a tenant at most every few seconds."""

    def __init__(
        self, presets: tuple[str, ...], currency: str, stakes: tuple[int, ...], ask: AskQuotes
    ) -> None:
        self.presets = presets
        self.currency = currency
        self.stakes = stakes
        self._ask = ask
        self._quotes: dict[str, tuple[float, tuple[Quote, ...]]] = {}

    async def quotes(self, tenant: str) -> tuple[Quote, ...]:
        """Return what the stakes turn into. While the wallet is away, what it said last."""
        asked_at, known = self._quotes.get(tenant, (float("-inf"), None))
        if not self.stakes:
            return ()
        if known is None or time.monotonic() - asked_at > _QUOTES_SECONDS:
            try:
                known = await self._ask(tenant, self.currency, self.stakes)
            except Fault:
                if known is None:
                    raise
            self._quotes[tenant] = (time.monotonic(), known)
        return known

    def base(self, preset: str) -> RuleSet:
        """Return a preset's rules. Raises PRESET_NOT_FOUND."""
        if preset not in self.presets:
            raise invalid_argument("preset", f"must be one of {', '.join(self.presets)}", "PRESET_NOT_FOUND")
        return PRESETS[preset]

    def rules(self, preset: str, overrides: Mapping[str, object]) -> RuleSet:
        """Return a preset with other options. Raises OPTION_INVALID naming the field."""
        self.base(preset)
        try:
            return rule_set(preset, overrides)
        except OptionError as error:
            raise option_fault(error) from error

    def check_stake(self, currency: str, stake: int) -> None:
        """Raise STAKE_NOT_OFFERED, with what is, for a stake that is neither 0 nor offered."""
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


def option_fault(error: OptionError) -> Fault:
    """Return the refusal of an option, naming its field in the request."""
    return invalid_argument(f"overrides.{error.field}", error.text, "OPTION_INVALID")
