"""Owns calls to the wallet: pots with money in them, and quotes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar
from uuid import UUID

import grpc

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.matchmaking import codec
from jasshaus.matchmaking.domain import Hold, Quote, Terms
from jasshaus.matchmaking.pots import Pot, PotState, RefundReason, Refused
from jasshaus.matchmaking.remote import FinalAnswer, Method, ask

_SECONDS: Final = 5.0

Response = TypeVar("Response")


class WalletPots:
    """Pots of staked games. The pot's id is the game's."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = wallet_pb2_grpc.PotServiceStub(channel)

    async def open(self, terms: Terms) -> Pot:
        """OpenPot."""
        stake = Amount(currency_code=terms.currency, minor_units=terms.stake)
        request = wallet_pb2.OpenPotRequest(pot_id=str(terms.game_id), tenant=terms.tenant, stake=stake)
        return _pot((await _ask(self._stub.OpenPot, request)).pot)

    async def hold(self, game_id: UUID, hold: Hold) -> None:
        """HoldStake."""
        request = wallet_pb2.HoldStakeRequest(
            pot_id=str(game_id), reservation_id=str(hold.reservation), seat=hold.seat, player_id=hold.player
        )
        await _ask(self._stub.HoldStake, request)

    async def release(self, game_id: UUID, reservation: UUID) -> None:
        """ReleaseStake."""
        request = wallet_pb2.ReleaseStakeRequest(pot_id=str(game_id), reservation_id=str(reservation))
        await _ask(self._stub.ReleaseStake, request)

    async def lock(self, terms: Terms, holds: tuple[Hold, ...]) -> None:
        """LockPot."""
        amount = Amount(currency_code=terms.currency, minor_units=terms.stake)
        named = [
            wallet_pb2.Hold(
                seat=hold.seat, player_id=hold.player, reservation_id=str(hold.reservation), amount=amount
            )
            for hold in holds
        ]
        await _ask(self._stub.LockPot, wallet_pb2.LockPotRequest(pot_id=str(terms.game_id), holds=named))

    async def refund(self, game_id: UUID, reason: RefundReason) -> None:
        """RefundPot."""
        why = wallet_pb2.RefundReason.Value(f"REFUND_REASON_{reason.name}")
        await _ask(self._stub.RefundPot, wallet_pb2.RefundPotRequest(pot_id=str(game_id), reason=why))

    async def get(self, game_id: UUID) -> Pot | None:
        """GetPot."""
        try:
            return _pot((await _ask(self._stub.GetPot, wallet_pb2.GetPotRequest(pot_id=str(game_id)))).pot)
        except Refused as refused:
            if refused.reason == "POT_NOT_FOUND":
                return None
            raise

    async def quote(self, tenant: str, currency: str, stakes: Sequence[int]) -> tuple[Quote, ...]:
        """QuotePots: what these stakes would turn into now."""
        amounts = [Amount(currency_code=currency, minor_units=stake) for stake in stakes]
        response = await _ask(
            self._stub.QuotePots, wallet_pb2.QuotePotsRequest(tenant=tenant, stakes=amounts)
        )
        return tuple(map(codec.quote_from_proto, response.quotes))


async def _ask(method: Method[Any, Response], request: Any) -> Response:
    try:
        return await ask(method, request, seconds=_SECONDS, away="WALLET_UNAVAILABLE")
    except FinalAnswer as answer:
        details = answer.fault.detail(wallet_pb2.Pot)
        pot = None if details is None else _pot(details)
        raise Refused(answer.fault.reason, answer.fault.message, pot) from answer


def _pot(message: wallet_pb2.Pot) -> Pot:
    return Pot(
        state=PotState(wallet_pb2.PotState.Name(message.state).removeprefix("POT_STATE_")),
        holds=tuple(Hold(hold.seat, hold.player_id, UUID(hold.reservation_id)) for hold in message.holds),
        quote=codec.quote_from_proto(message.quote),
        payouts=tuple((payout.seat, payout.amount.minor_units) for payout in message.payouts),
        fee=message.fee_taken.minor_units,
    )
