"""A table service over real sockets and a real Redis; wallet and history in memory, players with tokens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from prometheus_client import CollectorRegistry

from contract.history import FakeHistory
from contract.pots import FakeWallet
from jasshaus.api.common.v1 import money_pb2
from jasshaus.api.table.v1 import table_pb2, table_pb2_grpc
from jasshaus.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from jasshaus.contracts.rules import rule_set_to_proto
from jasshaus.platform.access import ACCESS, methods_of
from jasshaus.platform.auth import Role, Verifier, mint_token
from jasshaus.platform.errors import from_rpc_error
from jasshaus.platform.interceptor import RpcInterceptor
from jasshaus.platform.metrics import RpcMetrics
from jasshaus.platform.stopping import Stopping
from jasshaus.rules.core.options import rule_set
from jasshaus.table.clock import Clock
from jasshaus.table.entropy import Draw, from_seed
from jasshaus.table.feed import Feed, FeedIntervals
from jasshaus.table.outbox import Outbox
from jasshaus.table.redis_connection import RedisConnection
from jasshaus.table.servicer import translate
from jasshaus.table.store import Store
from jasshaus.table.subscriber import Subscriber
from jasshaus.table.table import Pace
from jasshaus.table.tables import Tables
from jasshaus.table.wiring import Parts, Rhythm, wired

SECRET = "a secret for tests, of 32 bytes or more"
SERVICE = "jasshaus.api.table.v1.TableService"
PLAYERS = ("anna", "beat", "cora", "dino")
STAKE = 200

AT_LEISURE = Pace(
    turn=60_000,
    weis=60_000,
    away=20,
    away_after=2,
    lead_pause=0,
    trick_pause=0,
    idle_limit=600_000,
    keep=60_000,
)
"""No timer of a test's own making fires by itself."""


@dataclass
class Replica:
    """One process' worth of the table service."""

    address: str
    parts: Parts
    stopping: Stopping
    channel: grpc.aio.Channel

    @property
    def redis(self) -> RedisConnection:
        return self.parts.redis

    @property
    def store(self) -> Store:
        return self.parts.store

    @property
    def tables(self) -> Tables:
        return self.parts.tables

    @property
    def feed(self) -> Feed:
        return self.parts.feed

    @property
    def clock(self) -> Clock:
        return self.parts.clock

    @property
    def outbox(self) -> Outbox:
        return self.parts.outbox

    @property
    def subscriber(self) -> Subscriber:
        return self.parts.subscriber

    def as_(self, subject: str, *roles: Role, tenant: str = "default") -> Caller:
        return Caller(self.channel, mint_token(SECRET, subject, roles or (Role.PLAYER,), tenant))

    @property
    def service(self) -> Caller:
        return self.as_("matchmaking", Role.SERVICE)

    def metric(self, name: str, **labels: str) -> float:
        return self.parts.registry.get_sample_value(name, labels) or 0.0


@dataclass
class Caller:
    """Someone with a token."""

    channel: grpc.aio.Channel
    token: str

    @property
    def stub(self) -> table_pb2_grpc.TableServiceAsyncStub:
        return table_pb2_grpc.TableServiceStub(self.channel)  # type: ignore[return-value]

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),)

    async def create(self, request: table_pb2.CreateTableRequest) -> table_pb2.TableView:
        return (await _call(self.stub.CreateTable, request, self.metadata)).view

    async def get(self, table_id: str) -> table_pb2.TableView:
        request = table_pb2.GetTableRequest(table_id=table_id)
        return (await _call(self.stub.GetTable, request, self.metadata)).view

    async def act(
        self,
        table_id: str,
        action: table_pb2.Action,
        *,
        request_id: str | None = None,
        version: int | None = None,
    ) -> table_pb2.ActResponse:
        request = table_pb2.ActRequest(
            table_id=table_id, request_id=request_id or str(uuid4()), expected_version=version, action=action
        )
        return await _call(self.stub.Act, request, self.metadata)

    async def abort(self, table_id: str, reason: str = "test") -> table_pb2.AbortTableResponse:
        request = table_pb2.AbortTableRequest(table_id=table_id, reason=reason)
        return await _call(self.stub.AbortTable, request, self.metadata)

    async def result(self, table_id: str) -> table_pb2.MatchResult:
        request = table_pb2.GetResultRequest(table_id=table_id)
        return (await _call(self.stub.GetResult, request, self.metadata)).result

    async def reconcile(self, table_id: str, game_id: str) -> table_pb2.ReconcileTableResponse:
        request = table_pb2.ReconcileTableRequest(table_id=table_id, game_id=game_id)
        return await _call(self.stub.ReconcileTable, request, self.metadata)

    def watch(self, table_id: str, *, device: str = "", token: bytes = b"") -> Stream:
        request = table_pb2.WatchTableRequest(table_id=table_id, device_id=device, resume_token=token)
        return Stream(self.stub.WatchTable(request, metadata=self.metadata))


async def _call(method: Any, request: Any, metadata: Any) -> Any:
    try:
        return await method(request, metadata=metadata, timeout=20)
    except grpc.aio.AioRpcError as error:
        raise (from_rpc_error(error) or error) from None


class Stream:
    """A stream of updates; `next` skips signs of life."""

    def __init__(self, call: Any) -> None:
        self.call = call

    async def next(self, timeout: float = 5.0) -> table_pb2.WatchTableResponse:  # noqa: ASYNC109
        while True:
            async with asyncio.timeout(timeout):
                try:
                    update = await self.call.read()
                except grpc.aio.AioRpcError as error:
                    raise (from_rpc_error(error) or error) from None
            if update is grpc.aio.EOF:
                raise EOFError
            if not update.HasField("heartbeat"):
                return update

    async def until(
        self,
        wanted: Callable[[table_pb2.TableView], bool],
        timeout: float = 10.0,  # noqa: ASYNC109
    ) -> list[table_pb2.WatchTableResponse]:
        """Return all updates up to the first whose view is as wanted."""
        found: list[table_pb2.WatchTableResponse] = []
        async with asyncio.timeout(timeout):
            while True:
                found.append(await self.next(timeout))
                if wanted(view_of(found[-1])):
                    return found

    async def ended(self) -> None:
        """Return when the stream has ended with OK."""
        while True:
            if await self.call.read() is grpc.aio.EOF:
                assert await self.call.code() is grpc.StatusCode.OK
                return

    def cancel(self) -> None:
        self.call.cancel()


def view_of(update: table_pb2.WatchTableResponse) -> table_pb2.TableView:
    return update.snapshot.view if update.HasField("snapshot") else update.delta.view


def token_of(update: table_pb2.WatchTableResponse) -> bytes:
    return update.snapshot.resume_token if update.HasField("snapshot") else update.delta.resume_token


@dataclass
class Harness:
    """What replicas share."""

    redis_url: str
    wallet: FakeWallet
    history: FakeHistory
    wallet_address: str
    history_address: str
    replicas: list[Replica] = field(default_factory=list)

    @asynccontextmanager
    async def replica(
        self,
        *,
        pace: Pace = AT_LEISURE,
        draw: Draw | None = None,
        feed_intervals: FeedIntervals | None = None,
        ticking: bool = True,
        hearing: bool = True,
        sweeping: bool = False,
        durable_wait: float = 0.0,
    ) -> AsyncIterator[Replica]:
        """Serve while inside. Not `ticking`: no clock, no outbox; not `hearing`: no messages of the feed.

        `sweeping`: looks whether the ledger, or Redis, has gone back in time.
        """
        registry, stopping = CollectorRegistry(), Stopping()
        rhythm = Rhythm(
            tick=0.02,
            sweep=0.05,
            rows=0.05,
            row_check=0.2,
            durable_wait=durable_wait,
            feed=feed_intervals or FeedIntervals(),
        )
        async with (
            grpc.aio.insecure_channel(self.wallet_address) as wallet,
            grpc.aio.insecure_channel(self.history_address) as history,
            wired(
                self.redis_url,
                wallet,
                history,
                draw=draw or from_seed(7),
                pace=pace,
                rhythm=rhythm,
                registry=registry,
            ) as parts,
        ):
            if not hearing:
                parts.subscriber.on_message = lambda _channel, _message: None
            rpc_metrics = RpcMetrics(methods_of([SERVICE]), registry)
            interceptor = RpcInterceptor(Verifier(dev_secret=SECRET), ACCESS, rpc_metrics, translate)
            server = grpc.aio.server(interceptors=[interceptor])
            parts.register(server)
            port = server.add_insecure_port("127.0.0.1:0")
            await server.start()
            left_out = [] if ticking else [parts.clock.run]
            left_out += [] if sweeping else [parts.sweeper.run, parts.rows.run]
            running = [asyncio.create_task(loop(stopping)) for loop in parts.loops if loop not in left_out]
            address = f"127.0.0.1:{port}"
            channel = grpc.aio.insecure_channel(address)
            made = Replica(address, parts, stopping, channel)
            self.replicas.append(made)
            try:
                yield made
            finally:
                self.replicas.remove(made)
                stopping.drain()
                await channel.close()
                await server.stop(1)
                stopping.finish()
                await asyncio.gather(*running)

    async def lock_pot(self, request: table_pb2.CreateTableRequest, *, for_table: bool = True) -> None:
        """Make the pot of a table to be, locked on its seats' stakes, and for it."""
        pot_id, players = request.game_id, [seat.player_id for seat in request.seats]
        self.wallet.fund(*players, amount=request.stake.minor_units, tenant=request.tenant)
        async with grpc.aio.insecure_channel(self.wallet_address) as channel:
            pots = wallet_pb2_grpc.PotServiceStub(channel)
            await pots.OpenPot(
                wallet_pb2.OpenPotRequest(pot_id=pot_id, tenant=request.tenant, stake=request.stake)
            )
            holds = [
                (
                    await pots.HoldStake(
                        wallet_pb2.HoldStakeRequest(
                            pot_id=pot_id,
                            reservation_id=seat.reservation_id or str(uuid4()),
                            seat=seat.seat,
                            player_id=seat.player_id,
                        )
                    )
                ).hold
                for seat in request.seats
            ]
            table_id = request.table_id if for_table else ""
            await pots.LockPot(wallet_pb2.LockPotRequest(pot_id=pot_id, holds=holds, table_id=table_id))

    async def end_pot(self, game_id: str, table_id: str, winning_seats: Sequence[int] = ()) -> None:
        """End a pot past its table: paid to these seats, or given back."""
        async with grpc.aio.insecure_channel(self.wallet_address) as channel:
            pots = wallet_pb2_grpc.PotServiceStub(channel)
            held = (await pots.GetPot(wallet_pb2.GetPotRequest(pot_id=game_id))).pot.holds
            seats = [
                wallet_pb2.MatchSeat(
                    seat=each.seat, player_id=each.player_id, reservation_id=each.reservation_id
                )
                for each in held
            ]
            if not winning_seats:
                lost = wallet_pb2.REFUND_REASON_TABLE_LOST
                await pots.RefundPot(
                    wallet_pb2.RefundPotRequest(pot_id=game_id, reason=lost, table_id=table_id, seats=seats)
                )
                return
            await pots.SettlePot(
                wallet_pb2.SettlePotRequest(
                    pot_id=game_id,
                    winning_seats=winning_seats,
                    result_digest=b"x" * 32,
                    table_id=table_id,
                    seats=seats,
                )
            )

    async def table(self, replica: Replica, preset: str = "schieber-classic", **options: Any) -> str:
        """Start a table, with its pot when it has a stake; return its id."""
        request = new_table(preset, **options)
        if request.HasField("stake"):
            await self.lock_pot(request)
        await replica.service.create(request)
        return request.table_id


def new_table(
    preset: str = "schieber-classic",
    *,
    players: tuple[str, ...] = PLAYERS,
    stake: int = 0,
    tenant: str = "default",
    **overrides: object,
) -> table_pb2.CreateTableRequest:
    """A request for a table; with a stake its pot must be locked first."""
    return table_pb2.CreateTableRequest(
        table_id=str(uuid4()),
        game_id=str(uuid4()),
        tenant=tenant,
        seats=[
            table_pb2.Seat(seat=seat, player_id=player, reservation_id=str(uuid4()))
            for seat, player in enumerate(players)
        ],
        rule_set=rule_set_to_proto(rule_set(preset, overrides), preset),
        stake=money_pb2.Amount(currency_code="CHF", minor_units=stake) if stake else None,
    )


def deciding(view: table_pb2.TableView) -> list[int]:
    """The seats a table waits for."""
    return [seat.seat for seat in view.seats if seat.deciding]


def deadline(view: table_pb2.TableView, seat: int) -> Timestamp:
    """When a stand-in decides in place of a seat that has a limit."""
    (found,) = (each.time for each in view.clock.deadlines if each.seat == seat)
    return found


def any_action(view: table_pb2.TableView) -> table_pb2.Action | None:
    """The first thing the viewer may do in the game, never a claim."""
    legal, action = view.legal_actions, table_pb2.Action()
    if legal.contracts:
        action.choose_contract.contract = legal.contracts[0]
    elif legal.declare_weis:
        action.declare_weis.SetInParent()
        for weis in legal.best_weis:
            action.declare_weis.weis.add(cards=weis.cards)
    elif legal.announce_points:
        action.announce_points.points = 40
    elif legal.cards:
        action.play_card.card = legal.cards[0]
    else:
        return None
    return action


async def step(replica: Replica, table_id: str) -> table_pb2.TableView:
    """Let the first seat that is awaited do something; return its view after it."""
    spectator = await replica.service.get(table_id)
    seat = deciding(spectator)[0]
    player = replica.as_(spectator.seats[seat].player_id)
    action = any_action(await player.get(table_id))
    assert action is not None
    return (await player.act(table_id, action)).view


async def play_until(
    replica: Replica, table_id: str, wanted: Callable[[table_pb2.TableView], bool]
) -> table_pb2.TableView:
    """Play until a spectator's view is as wanted."""
    while not wanted(view := await replica.service.get(table_id)):
        await step(replica, table_id)
    return view


async def closed(replica: Replica, table_id: str, timeout: float = 10.0) -> table_pb2.TableView:  # noqa: ASYNC109
    """Return the view once the table is FINISHED or VOIDED."""
    final = (table_pb2.TABLE_STATUS_FINISHED, table_pb2.TABLE_STATUS_VOIDED)
    async with asyncio.timeout(timeout):
        while (view := await replica.service.get(table_id)).status not in final:
            await asyncio.sleep(0.02)
    return view
