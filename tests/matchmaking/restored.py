"""Worlds in which row, pot and table are from different times, as a restored database leaves them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import grpc
from psycopg import sql

from contract.tables import FINISHED, PLAYING, VOIDED, FakeTables
from jasshaus.api.common.v1.money_pb2 import Quote
from jasshaus.api.common.v1.rules_pb2 import RuleSet
from jasshaus.api.matchmaking.v1 import matchmaking_pb2 as pb
from jasshaus.api.matchmaking.v1 import matchmaking_pb2_grpc as pb_grpc
from jasshaus.api.table.v1 import table_pb2
from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.contracts.rules import rule_set_to_proto
from jasshaus.matchmaking.domain import Game, Hold, Match, Played, Result, Status, table_of
from jasshaus.matchmaking.pots.port import RefundReason
from jasshaus.platform.auth import mint_token
from jasshaus.platform.errors import from_rpc_error
from jasshaus.rules.core.options import PRESETS
from matchmaking.harness import SECRET, Front, chf

WON = (0, 2)
DIGEST = bytes(range(32))


@dataclass(slots=True)
class World:
    """One game: what each of the three knows of it is written by hand."""

    front: Front
    tables: FakeTables
    pots: wallet_pb2_grpc.PotServiceStub
    game_id: UUID
    holds: tuple[Hold, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """Return the four who played, if it was played."""
        return tuple(hold.player for hold in self.holds)

    @property
    def others(self) -> tuple[str, ...]:
        """Return who sits down in the fourth one's place in another course of time."""
        return (f"eva-{self.game_id}",)

    @property
    def match(self) -> Match:
        """The match that all tell of, if they tell of it."""
        return Match(table_of(self.game_id, self.holds), self.holds)

    async def pot(self) -> wallet_pb2.Pot | None:
        """Return the pot as the wallet has it."""
        found = await self.front.edge.staked.get(self.game_id)
        if found is None:
            return None
        return (await self.pots.GetPot(wallet_pb2.GetPotRequest(pot_id=str(self.game_id)))).pot

    async def row(self) -> Game | None:
        """Return the row."""
        return await self.front.edge.store.get(self.game_id)

    # What the wallet knows.

    async def write_pot(self, state: str) -> None:
        """`none`; `0` to `4` stakes in an open one; `locked`, `nameless`, `elsewhere`; or how it ended."""
        if state == "none":
            return
        await self.pots.OpenPot(
            wallet_pb2.OpenPotRequest(pot_id=str(self.game_id), tenant="default", stake=chf(100))
        )
        holds = self.holds
        if state == "elsewhere":
            holds = (*self.holds[:3], Hold(3, *self.others, uuid4()))
        for hold in holds[: int(state)] if state.isdecimal() else holds:
            await self.front.edge.staked.hold(self.game_id, hold)
        if state.isdecimal():
            return
        table_id = "" if state == "nameless" else str(table_of(self.game_id, holds))
        pot = (await self.pots.GetPot(wallet_pb2.GetPotRequest(pot_id=str(self.game_id)))).pot
        await self.pots.LockPot(
            wallet_pb2.LockPotRequest(pot_id=str(self.game_id), holds=pot.holds, table_id=table_id)
        )
        if state == "settled":
            await self.pots.SettlePot(
                wallet_pb2.SettlePotRequest(
                    pot_id=str(self.game_id),
                    winning_seats=WON,
                    result_digest=DIGEST,
                    table_id=table_id,
                    seats=match_seats(self.match),
                )
            )
        elif state == "refunded":
            await self.front.edge.staked.refund(self.game_id, RefundReason.TABLE_ABORTED, self.match)

    # What matchmaking's database knows.

    async def write_row(self, status: str, preset: str = "schieber-classic") -> None:
        """Write the row as the saga would have, up to this status; or none."""
        if status == "missing":
            return
        store = self.front.edge.store
        played = Played(self.game_id, "default", self.match, preset, PRESETS[preset], "CHF", 100, None)
        found = await self.front.edge.corrections.rebuilt(played, look=0)
        assert found is not None
        if status in {"FINISHED", "VOIDED"}:
            voided = status == "VOIDED"
            result = Result(voided=True) if voided else Result(False, WON, (195, 195), 10, (1000, 700))
            await store.ended(self.game_id, result, 0)
            await self._set("next_check = NULL, forget_due = false")
        elif status == "CLOSED":
            await self._set(
                "status = 'CLOSED', table_id = NULL, seats = NULL, next_check = NULL, end_time = now()"
            )
        elif status == "STARTING":
            await self._set("status = 'STARTING'")
        elif status == "OPEN":
            await self._set(
                "status = 'OPEN', table_id = NULL, seats = NULL, expire_time = now() + interval '1 hour'"
            )

    async def _set(self, assignments: str) -> None:
        async with self.front.edge.pool.connection() as connection:
            query = f"UPDATE matchmaking.game SET {assignments} WHERE game_id = %s"
            await connection.execute(sql.SQL(query), (self.game_id,))  # type: ignore[arg-type]

    async def age_expired(self) -> None:
        """Let an open game's time be over."""
        await self._set("expire_time = now() - interval '1 second'")

    async def end(self) -> None:
        """Let nothing more be done for it."""
        row = await self.row()
        if row is not None and row.status is Status.PLAYING:
            await self.front.edge.staked.refund(self.game_id, RefundReason.TABLE_ABORTED, row.match)
            await self._set("status = 'VOIDED', next_check = NULL, result = '{}', forget_due = false")
        if row is not None and row.status.over:
            # So long ago that it is not compared with its pot any more.
            await self._set("end_time = now() - interval '30 days'")
        self.tables.tables.pop(str(self.match.table_id), None)

    # What the table service knows.

    async def write_table(self, state: str) -> None:
        """`gone`, `playing`, `finished`, or `record`: only the result is left."""
        if state == "gone":
            return
        match = self.match
        request = table_pb2.CreateTableRequest(
            table_id=str(match.table_id),
            game_id=str(self.game_id),
            tenant="default",
            seats=[
                table_pb2.Seat(seat=hold.seat, player_id=hold.player, reservation_id=str(hold.reservation))
                for hold in match.holds
            ],
            rule_set=rule_set_to_proto(PRESETS["schieber-classic"], "schieber-classic"),
            stake=chf(100),
        )
        self.tables._create(request)
        if state in {"finished", "record"}:
            self.tables.finish(str(match.table_id), list(WON), [195, 195], 10, [1000, 700])
        if state == "record":
            self.tables.lose(str(match.table_id), result=False)


class TableSide:
    """What the real table service does in ReconcileTable: the pot first, then the table, then the game."""

    def __init__(self, front: Front, tables: FakeTables, pots: wallet_pb2_grpc.PotServiceStub) -> None:
        self._tables = tables
        self._pots = pots
        self._history = pb_grpc.HistoryServiceStub(front.channel)
        token = mint_token(SECRET, "table", ["service"])
        self._metadata = (("authorization", f"Bearer {token}"),)
        self.worlds: dict[str, World] = {}

    async def reconcile(self, request: table_pb2.ReconcileTableRequest) -> table_pb2.ReconcileTableResponse:
        tables = self._tables
        view, record = tables.tables.get(request.table_id), tables.results.get(request.table_id)
        known = view or record
        if known is None or known.game_id != request.game_id:
            return table_pb2.ReconcileTableResponse(finding=table_pb2.FINDING_UNKNOWN)
        pot = await self._pot(request, record)
        if pot is None:
            if view is not None and view.status == PLAYING:
                view.status = VOIDED
            return table_pb2.ReconcileTableResponse(finding=table_pb2.FINDING_UNMATCHED)
        if view is not None:
            if pot.state == wallet_pb2.POT_STATE_REFUNDED:
                view.status = VOIDED
                view.ClearField("outcome")
            elif pot.state == wallet_pb2.POT_STATE_SETTLED:
                view.status = FINISHED
                view.outcome.winning_seats[:] = [payout.seat for payout in pot.payouts]
                del view.outcome.payouts[:]
                view.outcome.payouts.extend(payout.amount for payout in pot.payouts)
                view.outcome.fee.CopyFrom(pot.fee_taken)
            await self._call("RestoreGame", self._restore(view, pot))
        if pot.state != wallet_pb2.POT_STATE_LOCKED:
            await self._call("ReportMatch", self._report(request.table_id, pot, view or record))
        return table_pb2.ReconcileTableResponse(finding=table_pb2.FINDING_REPAIRED)

    async def _pot(
        self, request: table_pb2.ReconcileTableRequest, record: table_pb2.MatchResult | None
    ) -> wallet_pb2.Pot | None:
        asked = wallet_pb2.ReconcilePotRequest(
            pot_id=request.game_id,
            table_id=request.table_id,
            seats=match_seats(self.worlds[request.game_id].match),
        )
        if record is None:
            asked.playing.SetInParent()
        elif record.winning_seats:
            asked.won.winning_seats.extend(record.winning_seats)
            asked.won.result_digest = DIGEST
        else:
            asked.aborted.SetInParent()
        try:
            return (await self._pots.ReconcilePot(asked)).pot
        except grpc.aio.AioRpcError as error:
            fault = from_rpc_error(error)
            assert fault is not None
            if fault.reason in {"POT_SETTLED", "POT_REFUNDED", "SETTLEMENT_CONFLICT"}:
                return fault.detail(wallet_pb2.Pot)
            assert fault.reason in {"TABLE_MISMATCH", "POT_NOT_FOUND"}, fault
            return None

    def _restore(self, view: table_pb2.TableView, pot: wallet_pb2.Pot) -> pb.RestoreGameRequest:
        return restore_request(self.worlds[pot.pot_id], view.rule_set, pot.quote)

    def _report(self, table_id: str, pot: wallet_pb2.Pot, known: Any) -> pb.ReportMatchRequest:
        won = [payout.seat for payout in pot.payouts] if pot.HasField("fee_taken") else []
        points = known.outcome.points if isinstance(known, table_pb2.TableView) else known.points
        return pb.ReportMatchRequest(
            table_id=table_id,
            game_id=pot.pot_id,
            tenant="default",
            voided=not won,
            result=pb.GameResult(
                winning_seats=won,
                payouts=[payout.amount for payout in pot.payouts] if won else [],
                fee=pot.fee_taken if won else None,
                points=points if won else [],
            ),
        )

    async def _call(self, method: str, request: Any) -> None:
        try:
            await getattr(self._history, method)(request, metadata=self._metadata, timeout=10)
        except grpc.aio.AioRpcError as error:
            fault = from_rpc_error(error)
            assert fault is not None
            assert fault.reason in {"GAME_CONFLICT", "GAME_NOT_FOUND", "RESULT_CONFLICT"}, fault


def tables_of(world: World) -> None:
    """Let the fake tables compare this world's table as the real ones do."""
    side = getattr(world.tables._reconcile, "__self__", None)
    if not isinstance(side, TableSide):
        side = TableSide(world.front, world.tables, world.pots)
        world.tables._reconcile = side.reconcile
    side.worlds[str(world.game_id)] = world


def restore_request(world: World, rule_set: RuleSet, quote: Quote | None) -> pb.RestoreGameRequest:
    return pb.RestoreGameRequest(
        table_id=str(world.match.table_id),
        game_id=str(world.game_id),
        tenant="default",
        seats=[
            pb.RestoredSeat(seat=hold.seat, player_id=hold.player, reservation_id=str(hold.reservation))
            for hold in world.holds
        ],
        rule_set=rule_set,
        quote=quote,
    )


def match_seats(match: Match) -> list[wallet_pb2.MatchSeat]:
    return [
        wallet_pb2.MatchSeat(seat=hold.seat, player_id=hold.player, reservation_id=str(hold.reservation))
        for hold in match.holds
    ]
