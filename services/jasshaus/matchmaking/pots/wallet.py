"""Calls the wallet: staked pots, and quotes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC
from typing import Any, Final, TypeVar
from uuid import UUID, uuid5

import grpc

from jasshaus.api.common.v1.money_pb2 import Amount
from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.matchmaking import codec
from jasshaus.matchmaking.domain import Game, Hold, Match, Quote, Terms
from jasshaus.matchmaking.pots.port import ListedPot, Pot, PotState, RefundReason, Refused
from jasshaus.matchmaking.remote import FinalAnswer, ask
from jasshaus.platform.calls import Method

_SECONDS: Final = 5.0
_PAGE: Final = 200
# Stands for reservations, which a closed pot does not contain.
_UNTOLD: Final = UUID("7d9e1f0a-3c55-4b86-9a41-6f5b2c0d8e17")

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

    async def lock(self, terms: Terms, match: Match) -> None:
        """LockPot."""
        amount = Amount(currency_code=terms.currency, minor_units=terms.stake)
        named = [
            wallet_pb2.Hold(
                seat=hold.seat, player_id=hold.player, reservation_id=str(hold.reservation), amount=amount
            )
            for hold in match.holds
        ]
        request = wallet_pb2.LockPotRequest(
            pot_id=str(terms.game_id), holds=named, table_id=str(match.table_id)
        )
        await _ask(self._stub.LockPot, request)

    async def refund(self, game_id: UUID, reason: RefundReason, match: Match | None = None) -> None:
        """RefundPot."""
        why = wallet_pb2.RefundReason.Value(f"REFUND_REASON_{reason.name}")
        request = wallet_pb2.RefundPotRequest(pot_id=str(game_id), reason=why)
        if match is not None:
            request.table_id = str(match.table_id)
            request.seats.extend(_seats(match))
        await _ask(self._stub.RefundPot, request)

    async def settle_again(self, game: Game) -> None:
        """ReconcilePot according to the row of a FINISHED game whose table is gone.

        Never takes a stake: if one is missing, the others are refunded. Refused TABLE_MISMATCH,
        SETTLEMENT_CONFLICT, POT_REFUNDED and POT_NOT_FOUND.
        """
        result = game.result
        assert result is not None
        told = f"game {game.game_id} table {game.table_id} won by {result.winning_seats}"
        request = wallet_pb2.ReconcilePotRequest(
            pot_id=str(game.game_id),
            table_id=str(game.table_id),
            seats=_seats(game.match),
            won=wallet_pb2.ReconcilePotRequest.Won(
                winning_seats=result.winning_seats, result_digest=hashlib.sha256(told.encode()).digest()
            ),
        )
        await _ask(self._stub.ReconcilePot, request)

    async def unfinished(self, after: str) -> tuple[list[ListedPot], str]:
        """ListPots: a page of open or locked pots, oldest first, and where the next begins."""
        request = wallet_pb2.ListPotsRequest(
            states=[wallet_pb2.POT_STATE_OPEN, wallet_pb2.POT_STATE_LOCKED], page_size=_PAGE, page_token=after
        )
        response = await _ask(self._stub.ListPots, request)
        listed = [
            ListedPot(UUID(pot.pot_id), pot.tenant, _pot(pot), pot.create_time.ToDatetime(UTC))
            for pot in response.pots
        ]
        return listed, response.next_page_token

    async def get(self, game_id: UUID) -> Pot | None:
        """GetPot."""
        try:
            return _pot((await _ask(self._stub.GetPot, wallet_pb2.GetPotRequest(pot_id=str(game_id)))).pot)
        except Refused as refused:
            if refused.reason == "POT_NOT_FOUND":
                return None
            raise

    async def quote(self, tenant: str, currency: str, stakes: Sequence[int]) -> tuple[Quote, ...]:
        """QuotePots: current quotes for these stakes."""
        amounts = [Amount(currency_code=currency, minor_units=stake) for stake in stakes]
        response = await _ask(
            self._stub.QuotePots, wallet_pb2.QuotePotsRequest(tenant=tenant, stakes=amounts)
        )
        return tuple(map(codec.quote_from_proto, response.quotes))


async def _ask(method: Method[Response], request: Any) -> Response:
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
        table_id=UUID(message.table_id) if message.table_id else None,
        paid=tuple(
            Hold(paid.seat, paid.player_id, uuid5(_UNTOLD, f"{message.pot_id}|{paid.seat}"))
            for paid in message.payouts
        ),
    )


def _seats(match: Match) -> list[wallet_pb2.MatchSeat]:
    return [
        wallet_pb2.MatchSeat(seat=hold.seat, player_id=hold.player, reservation_id=str(hold.reservation))
        for hold in match.holds
    ]
