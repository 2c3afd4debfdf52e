"""The wallet's pots, as used by tables: checked, settled, refunded, and repaired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import grpc
import structlog

from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.platform.calls import Undelivered, call
from jasshaus.platform.errors import Fault, failed_precondition, unavailable
from jasshaus.table.codec import amount_to_proto
from jasshaus.table.result import MatchResult
from jasshaus.table.table import NewTable, Table

log = structlog.stdlib.get_logger(__name__)

OPEN: Final = wallet_pb2.POT_STATE_OPEN
LOCKED: Final = wallet_pb2.POT_STATE_LOCKED
SETTLED: Final = wallet_pb2.POT_STATE_SETTLED
REFUNDED: Final = wallet_pb2.POT_STATE_REFUNDED

# Final answers of the wallet about a pot. Anything else (no answer, a refused token, a bug) may change.
_FINAL: Final = frozenset(
    {"POT_REFUNDED", "POT_SETTLED", "SETTLEMENT_CONFLICT", "POT_NOT_FOUND", "TABLE_MISMATCH"}
)
# The ledger is at an earlier time than the table: the table decides.
_BEHIND: Final = frozenset({"POT_NOT_LOCKED", "LEDGER_RECOVERING"})
_FOREIGN: Final = frozenset({"POT_NOT_FOUND", "TABLE_MISMATCH"})
_NOBODY: Final = "?"

AT_ONCE: Final = 1000
"""How many pots are checked in one call."""


@dataclass(frozen=True, slots=True)
class Won:
    """The match has a result; `digest` is 32 bytes."""

    winning_seats: tuple[int, ...]
    digest: bytes


@dataclass(frozen=True, slots=True)
class Aborted:
    """The match was aborted."""


@dataclass(frozen=True, slots=True)
class Playing:
    """The match is being played."""


Known = Won | Aborted | Playing
"""A table's state of its match."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The wallet's latest answer about a pot. `refusal` is its reason, empty if it did what was asked.

    `repaired`: the pot had to be repaired first.
    """

    pot: wallet_pb2.Pot | None
    refusal: str = ""
    repaired: bool = False

    @property
    def foreign(self) -> bool:
        """Whether there is no such pot, or it belongs to another table."""
        return self.refusal in _FOREIGN


class Pots:
    """Calls to PotService. All of them may be repeated."""

    def __init__(self, wallet: grpc.aio.Channel) -> None:
        self._stub = wallet_pb2_grpc.PotServiceStub(wallet)

    async def check(self, new: NewTable) -> None:
        """Raise Fault unless the new table's pot is locked for exactly its seats' stakes, and for it."""
        request = wallet_pb2.GetPotRequest(pot_id=str(new.game_id))
        try:
            pot = (await call(self._stub.GetPot, request)).pot
        except (Fault, Undelivered) as failure:
            if isinstance(failure, Fault) and failure.reason == "POT_NOT_FOUND":
                raise failed_precondition("POT_NOT_LOCKED", "there is no such pot") from None
            raise unavailable(
                "WALLET_UNAVAILABLE", "the wallet does not answer", retry_after=1.0
            ) from failure
        if pot.state != LOCKED:
            raise failed_precondition("POT_NOT_LOCKED", "the pot is not locked")
        if not _is_locked_for(pot, new):
            raise failed_precondition("POT_MISMATCH", "the pot's stakes are not those of the table's seats")

    async def settle(self, table: Table, won: Won) -> Verdict:
        """Pay the pot out. Raises Undelivered."""
        request = wallet_pb2.SettlePotRequest(
            pot_id=str(table.game_id),
            winning_seats=won.winning_seats,
            result_digest=won.digest,
            table_id=str(table.table_id),
            seats=_seats(table),
        )
        try:
            return Verdict((await call(self._stub.SettlePot, request)).pot)
        except Fault as refused:
            return await self._refused(table, won, refused)

    async def refund(self, table: Table) -> Verdict:
        """Refund the stakes. Raises Undelivered."""
        request = wallet_pb2.RefundPotRequest(
            pot_id=str(table.game_id),
            reason=wallet_pb2.REFUND_REASON_TABLE_ABORTED,
            table_id=str(table.table_id),
            seats=_seats(table),
        )
        try:
            return Verdict((await call(self._stub.RefundPot, request)).pot)
        except Fault as refused:
            return await self._refused(table, Aborted(), refused)

    async def reconcile(self, table: Table, known: Known) -> Verdict:
        """Bring the pot in line with its table. Raises Undelivered."""
        return await self._reconcile(table.game_id, table.table_id, _seats(table), known)

    async def reconcile_result(self, result: MatchResult) -> Verdict:
        """Bring the pot in line with the table's result record. Raises Undelivered.

        The record has only reservations: the pot has their players, and those it lacks are missing.
        """
        request = wallet_pb2.GetPotRequest(pot_id=str(result.game_id))
        try:
            pot = (await call(self._stub.GetPot, request)).pot
        except Fault as refused:
            return _final(refused)
        mine = pot.table_id == str(result.table_id)
        over = pot.state in {SETTLED, REFUNDED}
        if not mine and (pot.table_id or not (over or result.reservations)):
            # Another table's; or owners are unknown, because older releases did not keep reservations.
            return Verdict(pot, "TABLE_MISMATCH")
        if over:
            return Verdict(pot, _differs(result, pot))
        known = Won(result.winning_seats, result.digest) if result.winning_seats else Aborted()
        return await self._reconcile(result.game_id, result.table_id, _seats_named(result, pot), known)

    async def otherwise(self, results: Sequence[MatchResult]) -> frozenset[UUID]:
        """Return the games among these, at most `AT_ONCE`, whose pot did not end as the result says.

        This includes unknown pots and other tables'. An older wallet without this call returns all of them.
        Raises Undelivered.
        """
        request = wallet_pb2.CheckPotsRequest(
            ended=[
                wallet_pb2.CheckPotsRequest.Ended(
                    pot_id=str(result.game_id),
                    table_id=str(result.table_id),
                    winning_seats=result.winning_seats,
                    result_digest=result.digest,
                )
                for result in results
            ]
        )
        try:
            answer = await call(self._stub.CheckPots, request)
        except Fault as refused:
            if refused.code is not grpc.StatusCode.UNIMPLEMENTED:
                raise Undelivered(refused.reason) from refused
            # A wallet of the previous release.
            return frozenset(result.game_id for result in results)
        return frozenset(map(UUID, answer.pot_ids))

    async def _reconcile(
        self, game_id: UUID, table_id: UUID, seats: Sequence[wallet_pb2.MatchSeat], known: Known
    ) -> Verdict:
        request = wallet_pb2.ReconcilePotRequest(pot_id=str(game_id), table_id=str(table_id), seats=seats)
        match known:
            case Playing():
                request.playing.SetInParent()
            case Aborted():
                request.aborted.SetInParent()
            case Won(winning_seats, digest):
                request.won.winning_seats.extend(winning_seats)
                request.won.result_digest = digest
        try:
            answer = await call(self._stub.ReconcilePot, request)
        except Fault as refused:
            return _final(refused)
        if answer.repaired:
            log.warning(
                "pot_repaired",
                game=str(game_id),
                table=str(table_id),
                known=type(known).__name__.lower(),
                pot=wallet_pb2.PotState.Name(answer.pot.state),
                reason=wallet_pb2.RefundReason.Name(answer.pot.refund_reason),
            )
        return Verdict(answer.pot, repaired=answer.repaired)

    async def _refused(self, table: Table, known: Known, refused: Fault) -> Verdict:
        if refused.reason in _BEHIND:
            return await self.reconcile(table, known)
        return _final(refused)


def _final(refused: Fault) -> Verdict:
    """Return the wallet's final answer. Raises Undelivered if it is not final."""
    if refused.reason not in _FINAL:
        raise Undelivered(refused.reason) from refused
    return Verdict(refused.detail(wallet_pb2.Pot), refused.reason)


def _is_locked_for(pot: wallet_pb2.Pot, new: NewTable) -> bool:
    assert new.stake is not None
    stake = amount_to_proto(new.stake)
    wanted = [(seat, player, stake) for seat, player in enumerate(new.players)]
    if pot.tenant != new.tenant or [(h.seat, h.player_id, h.amount) for h in pot.holds] != wanted:
        return False
    if pot.table_id not in {"", str(new.table_id)}:
        return False
    # The previous release names neither the table nor the reservations.
    named = zip((hold.reservation_id for hold in pot.holds), new.reservations, strict=True)
    return all(reservation is None or held == str(reservation) for held, reservation in named)


def _seats(table: Table) -> list[wallet_pb2.MatchSeat]:
    return [
        wallet_pb2.MatchSeat(
            seat=number,
            player_id=seat.player_id,
            reservation_id="" if seat.reservation is None else str(seat.reservation),
        )
        for number, seat in enumerate(table.seats)
    ]


def _differs(result: MatchResult, pot: wallet_pb2.Pot) -> str:
    """Return the wallet's reason for refusing a result that differs from its pot's; empty if it agrees."""
    if pot.state == REFUNDED:
        return "POT_REFUNDED" if result.winning_seats else ""
    if not result.winning_seats:
        return "POT_SETTLED"
    paid = tuple(payout.seat for payout in pot.payouts)
    return "" if paid == result.winning_seats else "SETTLEMENT_CONFLICT"


def _seats_named(result: MatchResult, pot: wallet_pb2.Pot) -> list[wallet_pb2.MatchSeat]:
    """Return the seats of a result, each with the player who holds its reservation, if any."""
    holders = {(hold.seat, hold.reservation_id): hold.player_id for hold in pot.holds}
    return [
        wallet_pb2.MatchSeat(
            seat=seat,
            player_id=holders.get((seat, str(reservation)), _NOBODY),
            reservation_id=str(reservation),
        )
        for seat, reservation in enumerate(result.reservations)
    ]
